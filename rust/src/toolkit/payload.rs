//! The payload of a call, read into the type of its action.
use super::action_error::ActionError;
use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Error, json};
use serde_path_to_error::{Path, Segment};

/// The service accepts 256 levels; far more would overflow the stack.
const MAX_DEPTH: usize = 300;

/// Reads a payload; a mismatch is `INVALID_PAYLOAD` with `issues` in the form of the service's own check.
pub(crate) fn read_payload<T: DeserializeOwned>(text: &str) -> Result<T, ActionError> {
    if is_too_deep(text) {
        return Err(misfit("", &format!("it is nested deeper than {MAX_DEPTH} levels")));
    }
    let mut reader = Deserializer::from_str(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).or_else(|_| {
        // `()` and unit structs are for actions without a payload, and accept any payload.
        if size_of::<T>() == 0
            && let Ok(unit) = serde_json::from_str("null")
        {
            return Ok(unit);
        }
        read_with_path(text)
    })
}

/// Slower, but reports the place of an error.
fn read_with_path<T: DeserializeOwned>(text: &str) -> Result<T, ActionError> {
    let mut reader = Deserializer::from_str(text);
    reader.disable_recursion_limit();
    serde_path_to_error::deserialize(&mut reader).map_err(|error| misfit(&json_pointer(error.path()), &message_of(error.inner())))
}

fn misfit(pointer: &str, message: &str) -> ActionError {
    let subject = if pointer.is_empty() { "payload" } else { pointer };
    ActionError::new("INVALID_PAYLOAD", format!("The payload does not fit the action: {subject}: {message}"))
        .data(json!({ "issues": [{ "path": pointer, "message": message }] }))
}

/// The position in the text is of no use to a caller.
fn message_of(error: &Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

fn json_pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let part = match segment {
            Segment::Map { key } => key.replace('~', "~0").replace('/', "~1"),
            Segment::Seq { index } => index.to_string(),
            // Characters that are not part of the JSON.
            Segment::Enum { .. } | Segment::Unknown => continue,
        };
        pointer.push('/');
        pointer.push_str(&part);
    }
    pointer
}

/// A text with few brackets is not deep, wherever they are; this count alone is enough for most payloads.
fn is_too_deep(text: &str) -> bool {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() > MAX_DEPTH && depth_of(text) > MAX_DEPTH
}

/// The greatest number of brackets that are open at the same time.
fn depth_of(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut is_escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::{Value, value::RawValue};

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Order {
        items: Vec<Item>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Item {
        id: u32,
    }

    #[test]
    fn a_mismatch_names_its_place_and_the_expected_type() {
        let cases = [
            (r#"{"items":[{"id":1},{"id":"two"}]}"#, "/items/1/id", "invalid type: string \"two\", expected u32"),
            (r#"{"items":[{}]}"#, "/items/0", "missing field `id`"),
            ("{}", "", "missing field `items`"),
        ];
        for (text, path, message) in cases {
            let error = read_payload::<Order>(text).unwrap_err();
            assert_eq!(error.code, "INVALID_PAYLOAD");
            assert_eq!(error.data.as_deref(), Some(&json!({ "issues": [{ "path": path, "message": message }] })));
        }
    }

    #[test]
    fn an_action_without_a_payload_accepts_any_payload() {
        read_payload::<()>("{}").unwrap();
        read_payload::<()>(r#"{"more":1}"#).unwrap();
    }

    #[test]
    fn numbers_keep_their_digits() {
        let text = r#"{"big":9007199254740993,"float":1.0}"#;
        assert_eq!(read_payload::<Value>(text).unwrap().to_string(), text);
        let huge = r#"{"huge":123456789012345678901234567890}"#;
        assert_eq!(read_payload::<Box<RawValue>>(huge).unwrap().get(), huge);
    }

    #[test]
    fn a_payload_may_have_as_many_levels_as_the_service_accepts() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        read_payload::<Value>(&nested(300)).unwrap();
        assert_eq!(read_payload::<Value>(&nested(1_000_000)).unwrap_err().code, "INVALID_PAYLOAD");
        read_payload::<Value>(&format!(r#""\"{}""#, "[".repeat(400))).unwrap();
    }
}
