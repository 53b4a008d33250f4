//! Bytes as lower-case hexadecimal digits.
use crate::{ErrorCode, SvcError};
use std::fmt::Write;

/// 128 random bits.
pub(crate) fn random_hexadecimal() -> Result<String, SvcError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| SvcError::new(ErrorCode::Internal, format!("No random numbers: {error}")))?;
    Ok(hexadecimal(&random))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
