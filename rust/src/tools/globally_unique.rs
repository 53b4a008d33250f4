//! Decides whether a tool call id is globally unique.
//!
//! Such an id may name the call in its idempotency key; any other may not, because today's `call_0` would get the stored answer of
//! yesterday's. An id does not name its author, so its last run of letters and digits must look random: hexadecimal, or capitals, small
//! letters and digits mixed. A random id that is refused here, a few in a hundred, gets a fresh key: its call is still retried safely, only
//! not across processes.
//! Source: docs/protocol.md, section 5, "Globally unique ids".
use std::collections::HashSet;

/// More characters add no evidence, and an id of a megabyte should not cost time.
const MAX_TOKEN_CHARS: usize = 64;
const COUNTED: usize = 5;

/// True for a globally unique id.
pub(super) fn is_globally_unique(tool_call_id: &str) -> bool {
    let end = last_chars(tool_call_id, MAX_TOKEN_CHARS);
    let token = token_at_end(end);
    let unspeakable_needed = if has_provider_format(end) { 2 } else { 4 };
    let is_random = is_random_hex(&token) || is_random_mixed_case(&token, unspeakable_needed);
    is_random && !is_padded(&token) && !is_counted(&token)
}

fn last_chars(text: &str, count: usize) -> &str {
    let start = text.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at);
    &text[start..]
}

/// The UUID at the end without its dashes, or the last run of letters and digits.
fn token_at_end(text: &str) -> String {
    if let Some(uuid) = uuid_at_end(text) {
        return uuid.replace('-', "");
    }
    let start =
        text.rfind(|each: char| !each.is_ascii_alphanumeric()).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    text[start..].into()
}

fn uuid_at_end(text: &str) -> Option<&str> {
    let uuid = text.get(text.len().checked_sub(36)?..)?;
    let is_uuid = uuid.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    is_uuid.then_some(uuid)
}

/// Exactly the format of a provider: a match is rarely a coincidence, so weaker randomness is enough.
fn has_provider_format(id: &str) -> bool {
    let is_token = |token: &str, length: usize| token.len() == length && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if let Some(token) = id.strip_prefix("call_") {
        return is_token(token, 24);
    }
    let Some(rest) = id.strip_prefix("toolu_") else { return false };
    let rest = match rest.split_once('_') {
        Some((cloud, rest)) if !cloud.is_empty() && cloud.bytes().all(|byte| byte.is_ascii_lowercase()) => rest,
        _ => rest,
    };
    rest.strip_prefix("01").is_some_and(|token| is_token(token, 22))
}

/// Names rarely alternate between letters and digits; 16 random digits do so 7 times on average.
fn is_random_hex(token: &str) -> bool {
    let has_one_case = |is_letter: fn(&u8) -> bool| token.bytes().all(|byte| byte.is_ascii_digit() || is_letter(&byte));
    let is_hex = has_one_case(|byte| matches!(byte, b'a'..=b'f')) || has_one_case(|byte| matches!(byte, b'A'..=b'F'));
    let changes = token.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let kinds = token.bytes().collect::<HashSet<_>>().len();
    token.len() >= 16 && is_hex && changes >= 4 && kinds >= 7
}

/// Random text has many unpronounceable pieces (`Kq`, `xT`); a name such as `getWeatherV2` has few.
fn is_random_mixed_case(token: &str, unspeakable_needed: usize) -> bool {
    let has = |is_kind: fn(&u8) -> bool| token.bytes().any(|byte| is_kind(&byte));
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
    token.len() >= 12 && is_mixed && pieces(token).into_iter().filter(|piece| !has_vowel(piece)).count() >= unspeakable_needed
}

/// The matches of `[A-Z]?[a-z]+|[A-Z]+(?![a-z])`.
fn pieces(token: &str) -> Vec<&str> {
    let bytes = token.as_bytes();
    let run = |from: usize, is_kind: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| is_kind(byte)).count();
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let capitals = run(at, u8::is_ascii_uppercase);
        let small = run(at + capitals, u8::is_ascii_lowercase);
        let length = match (capitals, small) {
            (0, 0) => {
                at += 1;
                continue;
            }
            (0 | 1, 1..) => capitals + small,
            (_, 0) => capitals,
            // The last capital begins the next piece.
            _ => capitals - 1,
        };
        pieces.push(&token[at..at + length]);
        at += length;
    }
    pieces
}

fn has_vowel(piece: &str) -> bool {
    piece.bytes().any(|byte| b"aeiouy".contains(&byte.to_ascii_lowercase()))
}

/// The same character four times in a row.
fn is_padded(token: &str) -> bool {
    token.as_bytes().windows(4).any(|four| four.iter().all(|byte| *byte == four[0]))
}

/// Five digits, or five letters, in ascending order, with any characters in between.
fn is_counted(token: &str) -> bool {
    let (digits, letters): (Vec<u8>, Vec<u8>) = token.to_ascii_lowercase().bytes().partition(u8::is_ascii_digit);
    [digits, letters].iter().any(|kind| kind.windows(COUNTED).any(|run| run.windows(2).all(|pair| pair[1] == pair[0] + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_ids_of_the_vectors() {
        let ids: Value = serde_json::from_str(include_str!("../../../test/vectors/tool-call-ids.json")).unwrap();
        for (kind, unique) in [("unique", true), ("notUnique", false)] {
            for id in ids[kind].as_array().unwrap() {
                assert_eq!(is_globally_unique(id.as_str().unwrap()), unique, "{id}");
            }
        }
    }

    #[test]
    fn an_id_of_any_characters_is_read() {
        for id in ["äöü", "☀call_9fKq2LmZ7xTb", &"é".repeat(100)] {
            assert_eq!(is_globally_unique(id), id.ends_with("xTb"), "{id}");
        }
    }
}
