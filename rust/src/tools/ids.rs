//! Ids that are the same everywhere: wire, search results, static tools, logs.
//!
//! Shape: action id = `<toolkit id>__<action name>`, at most 64 characters of `[A-Za-z0-9_-]`: every model provider accepts it as a function name.
//! A toolkit id has no `__`, so the first `__` separates the two parts.
use crate::{ErrorCode, SvcError};

pub(super) const MAX_IDEMPOTENCY_KEY_CHARS: usize = 255;
pub(super) const MAX_CALLER_ID_CHARS: usize = 200;
const MAX_ACTION_ID_CHARS: usize = 64;
const MAX_TOOLKIT_ID_CHARS: usize = 32;

pub(super) fn is_action_id(text: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    text.len() <= MAX_ACTION_ID_CHARS && text.split_once("__").is_some_and(|(toolkit, name)| is_toolkit_id(toolkit) && is_name(name))
}

/// The toolkit of an action id.
pub(super) fn toolkit_of(action: &str) -> Option<&str> {
    action.split_once("__").map(|(toolkit, _)| toolkit).filter(|toolkit| is_toolkit_id(toolkit))
}

/// True for lower-case words with single `-` or `_` between them.
pub(super) fn is_toolkit_id(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= MAX_TOOLKIT_ID_CHARS && text.split(['-', '_']).all(is_word)
}

/// Refuses a text that a header cannot hold.
///
/// Errors: INVALID_REQUEST
pub(super) fn check_header_text(name: &str, text: &str, max_chars: usize) -> Result<(), SvcError> {
    if !text.is_empty() && text.len() <= max_chars && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(());
    }
    let message =
        format!("{name} must be 1 to {max_chars} visible ASCII characters without spaces: encode it, or use a hash of a longer one");
    Err(SvcError::new(ErrorCode::InvalidRequest, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_ids_of_the_vectors() {
        let ids: Value = serde_json::from_str(include_str!("../../../test/vectors/action-ids.json")).unwrap();
        for each in ids["actionIds"].as_array().unwrap() {
            assert!(is_action_id(each["id"].as_str().unwrap()), "{each}");
            assert!(is_toolkit_id(each["toolkit"].as_str().unwrap()), "{each}");
        }
        for each in ids["notActionIds"].as_array().unwrap() {
            assert!(!is_action_id(each.as_str().unwrap()), "{each}");
        }
    }
}
