//! Texts of another program's error, for a message: without invisible characters, control sequences and keys, and with limited length.
//! docs/limits.md.
//!
//! Units: UTF-16 code units.
use crate::{
    invisible_text::{readable_json, readable_text},
    utf16::{first_utf16_units, utf16_length},
};
use serde_json::Value;

const MAX_CHARS: usize = 4_096;
/// The first characters of a text, of which 4,096 visible ones are kept.
const MAX_READ_CHARS: usize = 65_536;
const KEY_PREFIXES: [&str; 4] = ["svc_agent_", "svc_toolkit_", "svc_admin_", "svc_token_"];
/// A shorter word behind a prefix is not a key.
const MIN_KEY_CHARS: usize = 8;

/// The text of a message.
pub(crate) fn error_text(text: &str) -> String {
    let read = first_utf16_units(text, MAX_READ_CHARS);
    let shown = without_keys(&readable_text(read));
    if read.len() == text.len() && utf16_length(&shown) <= MAX_CHARS {
        return shown;
    }
    format!("{}…", first_utf16_units(&shown, MAX_CHARS - 1))
}

/// JSON of an error. Names and texts stay whole, except keys and invisible characters.
pub(crate) fn error_json(value: &Value) -> Value {
    json_without_keys(readable_json(value.clone()))
}

fn json_without_keys(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(without_keys(&text)),
        Value::Array(items) => items.into_iter().map(json_without_keys).collect(),
        Value::Object(members) => members.into_iter().map(|(name, member)| (without_keys(&name), json_without_keys(member))).collect(),
        other => other,
    }
}

fn without_keys(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("svc_") {
        let (before, from) = rest.split_at(at);
        shown.push_str(before);
        let (length, prefix) = key_at(from).unwrap_or((4, "svc_"));
        shown.push_str(prefix);
        if length > prefix.len() {
            shown.push('…');
        }
        rest = &from[length..];
    }
    shown + rest
}

/// The length of the key or agent token at the beginning of a text, and its prefix.
fn key_at(text: &str) -> Option<(usize, &'static str)> {
    let prefix = KEY_PREFIXES.into_iter().find(|prefix| text.starts_with(prefix))?;
    let mut end = prefix.len() + word_length(&text[prefix.len()..]);
    if end < prefix.len() + MIN_KEY_CHARS {
        return None;
    }
    // A token has parts with points between them.
    while let Some(part) = text[end..].strip_prefix('.').map(word_length).filter(|&length| length > 0) {
        end += 1 + part;
    }
    Some((end, prefix))
}

fn word_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count()
}
