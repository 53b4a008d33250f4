//! JSON texts of other languages: they may hold a lone surrogate, which a Rust text cannot.
use crate::number_digits::{loses_digits_in_rust, quote_numbers};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::borrow::Cow;

const REPLACEMENT: &str = "\\ufffd";

/// The value of a JSON text. A lone surrogate becomes U+FFFD; a number that would lose digits becomes the text of its digits.
pub(crate) fn from_json(text: &[u8]) -> Result<Value, serde_json::Error> {
    match std::str::from_utf8(text).map(|text| quote_numbers(text, loses_digits_in_rust)) {
        Ok(Cow::Owned(quoted)) => {
            serde_json::from_slice::<IgnoredAny>(text)?;
            from_slice(quoted.as_bytes())
        }
        _ => from_slice(text),
    }
}

fn from_slice(text: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(text).or_else(|error| match replace_lone_surrogates(text) {
        Some(replaced) => serde_json::from_slice(&replaced),
        None => Err(error),
    })
}

/// `None` if the text has no lone surrogate.
fn replace_lone_surrogates(text: &[u8]) -> Option<Vec<u8>> {
    let mut replaced = Vec::with_capacity(text.len());
    let (mut at, mut found) = (0, false);
    while at < text.len() {
        let length = match escaped_unit(&text[at..]) {
            Some(0xd800..=0xdbff) if matches!(escaped_unit(&text[at + 6..]), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                replaced.extend_from_slice(REPLACEMENT.as_bytes());
                (at, found) = (at + 6, true);
                continue;
            }
            _ if text[at] == b'\\' => 2.min(text.len() - at),
            _ => 1,
        };
        replaced.extend_from_slice(&text[at..at + length]);
        at += length;
    }
    found.then_some(replaced)
}

/// The code unit of an escape `\uXXXX` at the beginning.
fn escaped_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn half_of_a_surrogate_pair_is_replaced_and_nothing_else() {
        let text = br#"{"a":"x\ud83dy","b":"\ude00","c":"\ud83d\ude00","d":"\\ud83d","e":"\ud83d\ud83d\ude00"}"#;
        assert_eq!(from_json(text).unwrap(), json!({ "a": "x\u{fffd}y", "b": "\u{fffd}", "c": "😀", "d": "\\ud83d", "e": "\u{fffd}😀" }));
    }

    #[test]
    fn broken_json_stays_an_error() {
        for text in ["", "{", "\"\\ud83d", "\"\\", "NaN"] {
            assert!(from_json(text.as_bytes()).is_err(), "{text}");
        }
    }
}
