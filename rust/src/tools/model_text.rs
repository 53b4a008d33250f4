//! The text for a model: results as compact JSON, errors as `{"error": {…}}`.
//!
//! A text that is cut at `max_chars` says so. A result has no control sequences of terminals and no invisible characters: docs/limits.md.
//!
//! Units: UTF-16 code units, as the service counts them.
use super::describe_block::describe_block;
use crate::{
    BlockDetails, ContentBlock, Resource, ResourceBody, SvcError,
    invisible_text::readable_json,
    number_digits::{loses_digits, quote_numbers},
    utf16::{first_utf16_units, utf16_length},
};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

/// A result for a model.
pub(super) struct ModelResult {
    /// JSON, with words in place of images and files.
    pub value: Value,
    /// The value as text.
    pub text: String,
    /// The result alone, if the value has a note beside it.
    pub result: Option<Value>,
    /// The whole result as content blocks, for clients that show more than text. Empty if the result is only JSON.
    pub blocks: Vec<ContentBlock>,
}

/// The result of an answer, with a note if the payload was repaired, or if the result is cut or has images, files or links.
pub(super) fn to_model_result(mut answer: Value, max_chars: usize) -> ModelResult {
    let note = note_of(&answer);
    let content = read_blocks(&readable_json(take_member(&mut answer, "content")));
    let result = readable_json(take_member(&mut answer, "result"));
    if content.is_empty() {
        let (value, text) = limit_value(result, max_chars);
        if note.is_empty() {
            return ModelResult { value, text, result: None, blocks: Vec::new() };
        }
        let (result, value) = (value.clone(), with_note(value, note));
        return ModelResult { text: to_model_text(&value), value, result: Some(result), blocks: Vec::new() };
    }
    let words: Value = content.iter().map(describe_block).collect();
    let mut blocks = result_blocks(&result, &note);
    blocks.extend(content);
    let mut said = if result.is_null() { Map::new() } else { Map::from_iter([("result".into(), result)]) };
    said.extend(note);
    said.insert("content".into(), words);
    let (value, text) = limit_value(Value::Object(said), max_chars);
    ModelResult { value, text, result: None, blocks: limit_texts(blocks, max_chars) }
}

fn take_member(answer: &mut Value, name: &str) -> Value {
    answer.get_mut(name).map(Value::take).unwrap_or_default()
}

/// The blocks of an answer. A block of a newer service's type is left out.
pub(super) fn read_blocks(content: &Value) -> Vec<ContentBlock> {
    content.as_array().into_iter().flatten().filter_map(|block| ContentBlock::deserialize(block).ok()).collect()
}

/// A text is unchanged; any other value becomes compact JSON. A number that would lose digits becomes a text of its digits.
pub(super) fn to_model_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => quote_numbers(&value.to_string(), loses_digits).into_owned(),
        other => other.to_string(),
    }
}

/// JSON, also of a text, for a program that parses each answer.
pub(super) fn to_program_text(value: &Value) -> String {
    if value.is_string() { value.to_string() } else { to_model_text(value) }
}

pub(super) fn to_error_text(error: &SvcError, max_chars: usize) -> String {
    cut_text(json!({ "error": error }).to_string(), max_chars)
}

/// The member `note`, or nothing.
fn note_of(answer: &Value) -> Map<String, Value> {
    let repaired = answer["repaired"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut notes: Vec<String> = repaired.iter().filter_map(|note| note.as_str().map(str::to_owned)).collect();
    if let (Some(total), Some(kept)) = (answer["cut"]["totalBytes"].as_u64(), answer["cut"]["keptBytes"].as_u64()) {
        notes.push(format!("The result has {total} bytes; these are its first {kept}."));
    }
    notes.into_iter().reduce(|all, note| format!("{all} {note}")).map(|note| ("note".into(), Value::from(note))).into_iter().collect()
}

fn with_note(result: Value, note: Map<String, Value>) -> Value {
    Value::Object([("result".into(), result)].into_iter().chain(note).collect())
}

/// The value and its text; if the text is too long for a model, both are the beginning of that text.
fn limit_value(value: Value, max_chars: usize) -> (Value, String) {
    let text = to_model_text(&value);
    if utf16_length(&text) <= max_chars {
        return (value, text);
    }
    let text = cut_text(text, max_chars);
    (Value::String(text.clone()), text)
}

fn result_blocks(result: &Value, note: &Map<String, Value>) -> Vec<ContentBlock> {
    let text = match (result, note.is_empty()) {
        (Value::Null, true) => return Vec::new(),
        (result, true) => to_model_text(result),
        (result, false) => to_model_text(&with_note(result.clone(), note.clone())),
    };
    vec![ContentBlock::Text { text, details: BlockDetails::default() }]
}

/// Limits the total length of all texts to the length of one result.
fn limit_texts(mut blocks: Vec<ContentBlock>, max_chars: usize) -> Vec<ContentBlock> {
    let mut left = max_chars;
    for block in &mut blocks {
        if let ContentBlock::Text { text, .. } | ContentBlock::Resource { resource: Resource { body: ResourceBody::Text(text), .. }, .. } =
            block
        {
            let length = utf16_length(text);
            *text = cut_text(std::mem::take(text), left);
            left = left.saturating_sub(length);
        }
    }
    blocks
}

fn cut_text(text: String, max_chars: usize) -> String {
    let length = utf16_length(&text);
    if length <= max_chars {
        return text;
    }
    let kept = first_utf16_units(&text, max_chars);
    let kept_length = utf16_length(kept);
    format!("{kept}\n[Cut: {length} characters, these are the first {kept_length}. Ask for less, or for a part, if you need the rest.]")
}
