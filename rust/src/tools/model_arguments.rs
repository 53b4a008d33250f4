//! Parses the JSON of a model. The error messages name the correction for the model.
use super::definitions::{INVOKE_TOOL, SEARCH_TOOL};
use crate::{ErrorCode, SvcError, json_text::from_json, number_digits::require_safe_numbers};
use serde_json::{Value, json};

const MAX_SEARCH_LIMIT: f64 = 50.0;

/// The arguments of a tool call.
///
/// An empty text is `{}`: many models send it for a tool without arguments. JSON inside a JSON string is decoded too: some servers encode twice.
///
/// Errors: INVALID_REQUEST for broken JSON, INVALID_PAYLOAD for a number with too many digits.
pub(super) fn read_arguments(tool: &str, arguments: Value) -> Result<Value, SvcError> {
    match arguments {
        Value::Null => Ok(empty()),
        Value::String(text) if text.trim().is_empty() => Ok(empty()),
        Value::String(text) => match parse(tool, &text)? {
            Value::String(inner) => parse(tool, &inner),
            value => Ok(value),
        },
        value => Ok(value),
    }
}

/// The query and the limit of a search. A wrong limit is corrected: the model should not have to search again.
///
/// Errors: INVALID_REQUEST without a query.
pub(super) fn read_search_arguments(arguments: &Value) -> Result<(String, Option<u32>), SvcError> {
    let query = arguments["query"].as_str().filter(|query| !query.trim().is_empty()).ok_or_else(|| {
        let message = format!("{SEARCH_TOOL} needs {{\"query\": \"…\"}}: what an action should do, in plain words");
        SvcError::new(ErrorCode::InvalidRequest, message)
    })?;
    Ok((query.into(), read_limit(&arguments["limit"])))
}

fn read_limit(limit: &Value) -> Option<u32> {
    let wanted = match limit {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    (wanted >= 1.0 && wanted.is_finite()).then(|| wanted.min(MAX_SEARCH_LIMIT) as u32)
}

fn parse(tool: &str, text: &str) -> Result<Value, SvcError> {
    let value = from_json(text.as_bytes()).map_err(|error| {
        let message = format!("The arguments of {tool} are not valid JSON ({error}). Send one JSON object.");
        SvcError::new(ErrorCode::InvalidRequest, message)
    })?;
    if tool != SEARCH_TOOL {
        require_safe_numbers(text)?;
    }
    Ok(value)
}

fn empty() -> Value {
    Value::Object(Default::default())
}

/// The arguments of `invoke_service` are sent unchanged, because the service corrects small mistakes for every client.
pub(super) fn invoke_body(tool: &str, arguments: Value) -> Value {
    if tool == INVOKE_TOOL { arguments } else { json!({ "action": tool, "payload": arguments }) }
}
