//! Money: the limit and the cost of a call.
//!
//! Shape: an amount is a decimal text such as `0.05`, at most 12 digits before the point and 6 behind it; no sign, no exponent.
//! A text, because 0.1 is not a binary fraction.
use serde::{Deserialize, Serialize};

const DECIMALS: usize = 6;
const MAX_WHOLE_DIGITS: usize = 12;
const MILLION: u64 = 1_000_000;
const MAX_SHOWN_CHARS: usize = 100;

/// An amount, and its currency.
///
/// ```
/// use svc_sdk::Payment;
/// let price = Payment::new("0.05");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// A decimal text, such as `0.05`.
    pub amount: String,
    /// A currency code such as `USD`. Default: the currency of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

impl Payment {
    /// An amount in the currency of the service.
    pub fn new(amount: impl Into<String>) -> Self {
        Self { amount: amount.into(), currency: None }
    }
}

/// The amount in whole millionths; `None` for a text that is not an amount.
pub(crate) fn to_millionths(amount: &str) -> Option<u64> {
    let (whole, fraction) = match amount.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (amount, ""),
    };
    let are_digits = [whole, fraction].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    if !are_digits || is_padded || whole.is_empty() || whole.len() > MAX_WHOLE_DIGITS || fraction.len() > DECIMALS {
        return None;
    }
    Some(whole.parse::<u64>().ok()? * MILLION + format!("{fraction:0<DECIMALS$}").parse::<u64>().ok()?)
}

/// A sentence that names the correct form; `None` for an amount.
pub(crate) fn amount_problem(subject: &str, amount: &str) -> Option<String> {
    if to_millionths(amount).is_some() {
        return None;
    }
    let shown: String = amount.chars().take(MAX_SHOWN_CHARS).collect();
    Some(format!(
        "{subject} must be a decimal text with at most 12 digits before the point and 6 behind it, such as \"0.05\", not {shown:?}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_millionths() {
        let right =
            [("0", 0), ("0.05", 50_000), ("0.050", 50_000), ("12.000001", 12_000_001), ("999999999999.999999", 999_999_999_999_999_999)];
        for (text, millionths) in right {
            assert_eq!(to_millionths(text), Some(millionths), "{text}");
        }
        for text in ["", ".", "1.", ".5", "01", "00", "-1", "+1", "1e3", "0.0000001", "1000000000000", "1,5", " 1", "١"] {
            assert_eq!(to_millionths(text), None, "{text}");
        }
    }
}
