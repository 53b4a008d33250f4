//! The idempotency key of a call: a retry with the same key gets the first result and never causes a second run.
//!
//! Shape: the caller's own key; else SHA-256 of tool call id, tool and arguments as 64 hexadecimal digits if the id is globally unique; else 128
//! random bits as 32 hexadecimal digits.
use super::{
    canonical_json::to_canonical_json,
    globally_unique::is_globally_unique,
    ids::{MAX_IDEMPOTENCY_KEY_CHARS, check_header_text},
};
use crate::{
    SvcError,
    hexadecimal::{hexadecimal, random_hexadecimal},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The key of a model's call.
pub(super) fn idempotency_key_of(
    own_key: Option<&str>,
    tool_call_id: Option<&str>,
    tool: &str,
    arguments: &Value,
) -> Result<String, SvcError> {
    match tool_call_id {
        Some(id) if own_key.is_none() && is_globally_unique(id) => {
            let call = json!([id, tool, to_canonical_json(arguments)]);
            Ok(hexadecimal(&Sha256::digest(call.to_string())))
        }
        _ => own_or_fresh_key(own_key),
    }
}

/// The caller's own key, or a fresh one.
///
/// Errors: INVALID_REQUEST for an own key that a header cannot hold.
pub(super) fn own_or_fresh_key(own_key: Option<&str>) -> Result<String, SvcError> {
    if let Some(key) = own_key {
        check_header_text("idempotency_key", key, MAX_IDEMPOTENCY_KEY_CHARS)?;
        return Ok(key.into());
    }
    random_hexadecimal()
}
