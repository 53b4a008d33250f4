//! Numbers of a JSON text whose digits a double does not keep: docs/protocol.md, section 3 "Numbers".
//!
//! Rust keeps the digits of 64 bits, programs in other languages do not.
//!
//! Cost: one search of the text for 16 digits in a row or an exponent. Only a text with a match is scanned.
use crate::{ErrorCode, SvcError};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::borrow::Cow;

const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
/// ECMAScript writes the digits of smaller numbers.
const WRITTEN_WITH_EXPONENT: f64 = 1e21;
const SAFE_DIGITS: usize = 15;
const MAX_ISSUES: usize = 8;
const MAX_RECEIVED: usize = 100;
const MAX_SHOWN_DIGITS: usize = 60;

/// True if a double would change the number of a JSON text.
pub(crate) fn loses_digits(literal: &str) -> bool {
    is_large(literal) && !keeps_digits(literal)
}

/// True if a `serde_json::Number` would change the number.
pub(crate) fn loses_digits_in_rust(literal: &str) -> bool {
    loses_digits(literal) && literal.parse::<i64>().is_err() && literal.parse::<u64>().is_err()
}

/// Writes some numbers of the valid JSON text as texts of their digits.
pub(crate) fn quote_numbers(text: &str, is_quoted: fn(&str) -> bool) -> Cow<'_, str> {
    replace_numbers(text, is_quoted, |literal| format!("\"{literal}\""))
}

fn replace_numbers(text: &str, is_replaced: fn(&str) -> bool, write: fn(&str) -> String) -> Cow<'_, str> {
    if !may_have_large_numbers(text.as_bytes()) {
        return text.into();
    }
    let (mut replaced, mut from, mut at) = (String::new(), 0, 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => at = end_of_text(text.as_bytes(), at + 1),
            b'-' | b'0'..=b'9' => {
                let length = text[at..].find(|letter: char| !matches!(letter, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
                let end = length.map_or(text.len(), |length| at + length);
                let literal = &text[at..end];
                if is_replaced(literal) && serde_json::from_str::<IgnoredAny>(literal).is_ok() {
                    replaced.push_str(&text[from..at]);
                    replaced.push_str(&write(literal));
                    from = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if from == 0 { text.into() } else { (replaced + &text[from..]).into() }
}

/// Refuses a number that no payload may have. `text` is the valid JSON of a payload, or of the body of a call, whose payload is a member.
///
/// Errors: INVALID_PAYLOAD.
pub(crate) fn require_safe_numbers(text: &str) -> Result<(), SvcError> {
    let Cow::Owned(quoted) = quote_numbers(text, is_unsafe_number) else { return Ok(()) };
    // Unsafe numbers become 0, because serde_json refuses numbers that no double can hold, such as 1e999.
    let text = replace_numbers(text, is_unsafe_number, |_| "0".into());
    let (Ok(value), Ok(quoted)) = (serde_json::from_str::<Value>(&text), serde_json::from_str::<Value>(&quoted)) else { return Ok(()) };
    let issues: Vec<Value> = changed_numbers(&value, &quoted).iter().take(MAX_ISSUES).map(|(path, digits)| issue(path, digits)).collect();
    let said: Vec<String> = issues.iter().map(in_words).collect();
    let payload = value.get("payload").filter(|payload| payload.is_object()).unwrap_or(&value);
    let received: Vec<&String> = payload.as_object().into_iter().flat_map(|members| members.keys()).take(MAX_RECEIVED).collect();
    let mut error = SvcError::new(ErrorCode::InvalidPayload, format!("The payload loses digits: {}", said.join("; ")));
    error.details.insert("issues".into(), json!(issues));
    error.details.insert("received".into(), json!(received));
    Err(error)
}

/// True if a payload must not have the number, because its sender may have lost digits already. A number that needs its exponent is
/// allowed.
fn is_unsafe_number(literal: &str) -> bool {
    let needs_exponent = literal.contains(['e', 'E']) && literal.parse::<f64>().is_ok_and(|number| number.abs() >= WRITTEN_WITH_EXPONENT);
    is_large(literal) && !(needs_exponent && keeps_digits(literal))
}

fn issue(path: &str, digits: &str) -> Value {
    let shown = if digits.len() > MAX_SHOWN_DIGITS { format!("{}…", &digits[..MAX_SHOWN_DIGITS]) } else { digits.into() };
    let path = path.strip_prefix("/payload").filter(|rest| rest.starts_with('/')).unwrap_or(path);
    json!({ "path": path, "message": format!("{shown} has more digits than JSON numbers keep; send its exact digits as a text, in quotes") })
}

fn in_words(issue: &Value) -> String {
    let (path, message) = (issue["path"].as_str().unwrap_or_default(), issue["message"].as_str().unwrap_or_default());
    if path.is_empty() { message.into() } else { format!("{path}: {message}") }
}

/// The JSON Pointers and the digits of the numbers that became texts.
fn changed_numbers<'a>(value: &Value, quoted: &'a Value) -> Vec<(String, &'a str)> {
    let (mut found, mut open, mut next) = (Vec::new(), vec![(String::new(), value, quoted)], 0);
    while let Some((path, value, quoted)) = open.get(next).cloned() {
        next += 1;
        match (value, quoted) {
            (Value::Number(_), Value::String(digits)) => found.push((path, digits.as_str())),
            (Value::Object(members), Value::Object(others)) => open.extend(
                members
                    .iter()
                    .zip(others.values())
                    .map(|((name, member), other)| (format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), member, other)),
            ),
            (Value::Array(items), Value::Array(others)) => {
                open.extend(items.iter().zip(others).enumerate().map(|(index, (item, other))| (format!("{path}/{index}"), item, other)));
            }
            _ => {}
        }
    }
    found
}

fn may_have_large_numbers(text: &[u8]) -> bool {
    let mut digits = 0;
    for (at, byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            digits += 1;
            if digits > SAFE_DIGITS {
                return true;
            }
            continue;
        }
        let exponent = if text.get(at + 1) == Some(&b'+') { text.get(at + 2) } else { text.get(at + 1) };
        if digits > 0 && matches!(byte, b'e' | b'E') && exponent.is_some_and(u8::is_ascii_digit) {
            return true;
        }
        digits = 0;
    }
    false
}

fn is_large(literal: &str) -> bool {
    literal.parse::<f64>().is_ok_and(|number| number.abs() > MAX_SAFE_INTEGER)
}

fn keeps_digits(literal: &str) -> bool {
    literal.parse::<f64>().is_ok_and(|number| significant_digits(literal) == significant_digits(&format!("{number:e}")))
}

fn significant_digits(literal: &str) -> String {
    let mantissa = literal.split(['e', 'E']).next().unwrap_or_default().replace(['-', '.'], "");
    mantissa.trim_matches('0').into()
}

/// The index behind the closing quote; the length of the text if there is none.
fn end_of_text(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_text::from_json;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../test/vectors/numbers.json")).unwrap()
    }

    #[test]
    fn a_payload_is_refused_exactly_where_it_loses_digits() {
        for case in vectors()["payloads"].as_array().unwrap() {
            let body = format!(r#"{{"action":"vector__echo","payload":{}}}"#, case["json"].as_str().unwrap());
            match require_safe_numbers(&body) {
                Ok(()) => assert!(case["issues"].is_null(), "{case}"),
                Err(error) => assert_eq!(error.details["issues"], case["issues"], "{case}"),
            }
        }
    }

    #[test]
    fn whole_numbers_of_64_bits_are_exact_and_others_are_texts() {
        let json =
            br#"[2512292042121000001,-9223372036854775808,18446744073709551615,18446744073709551616,2512292042121000001.0,1e999,1.5e300]"#;
        let wanted = json!([2512292042121000001u64, i64::MIN, u64::MAX, "18446744073709551616", "2512292042121000001.0", "1e999", 1.5e300]);
        assert_eq!(from_json(json).unwrap(), wanted);
    }
}
