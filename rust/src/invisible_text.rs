//! Characters that a screen does not show or that a terminal executes: an author can hide text in them from the people who review it, but a model
//! reads it. docs/limits.md.
//!
//! Shape: controls but tab and line feed, zero-width and bidirectional characters, tags, fillers, variation selectors. Excluded where a
//! script or an emoji needs them: joiners after a letter of a script that joins, selectors after their base character, emoji sequences.
//! Source: UAX #44 (Default_Ignorable_Code_Point), UAX #31 section 2.3 (joiners), UTS #51 (emoji sequences), UTS #37 (ideographic variation),
//! ECMA-48 section 5.4 (control sequences).
use crate::unicode_ranges::{HAN, IGNORABLE, JOINING_LETTER, MONGOLIAN, PICTOGRAPH, contains};
use serde_json::Value;
use std::fmt::Write as _;

/// The flags of England, Scotland and Wales: the only emoji that are written with tags.
const TAG_FLAGS: [[char; 7]; 3] = [
    ['\u{1f3f4}', '\u{e0067}', '\u{e0062}', '\u{e0065}', '\u{e006e}', '\u{e0067}', '\u{e007f}'],
    ['\u{1f3f4}', '\u{e0067}', '\u{e0062}', '\u{e0073}', '\u{e0063}', '\u{e0074}', '\u{e007f}'],
    ['\u{1f3f4}', '\u{e0067}', '\u{e0062}', '\u{e0077}', '\u{e006c}', '\u{e0073}', '\u{e007f}'],
];

/// Applies `readable_text` to every name and text of a JSON value.
pub(crate) fn readable_json(value: Value) -> Value {
    match value {
        Value::String(text) if !is_readable(&text) => Value::String(readable_text(&text)),
        Value::Array(items) => items.into_iter().map(readable_json).collect(),
        Value::Object(mut members) if members.keys().all(|name| is_readable(name)) => {
            for member in members.values_mut() {
                *member = readable_json(member.take());
            }
            Value::Object(members)
        }
        Value::Object(members) => members.into_iter().map(|(name, member)| (readable_text(&name), readable_json(member))).collect(),
        other => other,
    }
}

/// The fastest test: most texts have only these characters.
fn is_readable(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b' '..=b'~'))
}

/// Data for a model, without control sequences of terminals and invisible characters. Line ends become LF.
pub(crate) fn readable_text(text: &str) -> String {
    if is_readable(text) {
        return text.into();
    }
    without_invisible(&with_line_feeds(&without_control_sequences(text)))
}

/// JSON for a screen: each invisible character in its texts becomes an escape of JSON. The value stays the same.
pub(crate) fn printable_json(json: &str) -> String {
    if is_readable(json) {
        return json.into();
    }
    let text: Vec<char> = json.chars().collect();
    replace_invisible(&text, |character, shown| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(shown, "\\u{unit:04x}");
        }
    })
}

fn without_control_sequences(text: &str) -> Vec<char> {
    let text: Vec<char> = text.chars().collect();
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match control_sequence_length(&text[at..]) {
            0 => {
                kept.push(text[at]);
                at += 1;
            }
            length => at += length,
        }
    }
    kept
}

/// The length of the sequence; 0 if the text does not begin with a complete sequence.
fn control_sequence_length(text: &[char]) -> usize {
    let begins = match text {
        ['\x1b', '[', ..] => return csi_length(text, 2),
        ['\u{9b}', ..] => return csi_length(text, 1),
        ['\x1b', ']' | 'P' | 'X' | '^' | '_', ..] => 2,
        ['\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}', ..] => 1,
        _ => return 0,
    };
    let inside = text[begins..].iter().take_while(|each| !matches!(each, '\x07' | '\x1b' | '\u{80}'..='\u{9f}')).count();
    let end = begins + inside;
    match &text[end..] {
        ['\x07' | '\u{9c}', ..] => end + 1,
        ['\x1b', '\\', ..] => end + 2,
        _ => 0,
    }
}

fn csi_length(text: &[char], begins: usize) -> usize {
    let parameters = text[begins..].iter().take_while(|each| matches!(each, '0'..='?')).count();
    let middle = begins + parameters;
    let end = middle + text[middle..].iter().take_while(|each| matches!(each, ' '..='/')).count();
    if matches!(text.get(end), Some('@'..='~')) { end + 1 } else { 0 }
}

fn with_line_feeds(text: &[char]) -> Vec<char> {
    let follows_cr = |at: usize| at > 0 && text[at - 1] == '\r';
    let kept = text.iter().enumerate().filter(|&(at, &each)| !(each == '\n' && follows_cr(at)));
    kept.map(|(_, &each)| if matches!(each, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') { '\n' } else { each }).collect()
}

fn without_invisible(text: &[char]) -> String {
    replace_invisible(text, |_, _| {})
}

/// `replace` writes the replacement of an invisible character.
fn replace_invisible(text: &[char], replace: impl Fn(char, &mut String)) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let needed = needed_length(text, at);
        if needed > 0 {
            kept.extend(&text[at..at + needed]);
            at += needed;
        } else if is_invisible(text[at]) {
            // A character after an invisible one is never needed.
            let run = text[at..].iter().take_while(|&&each| is_invisible(each));
            at += run.inspect(|&&each| replace(each, &mut kept)).count();
        } else {
            kept.push(text[at]);
            at += 1;
        }
    }
    kept
}

/// The number of characters at this place that are needed although they may be invisible.
fn needed_length(text: &[char], at: usize) -> usize {
    if TAG_FLAGS.iter().any(|flag| text[at..].starts_with(flag)) {
        return TAG_FLAGS[0].len();
    }
    let Some(before) = at.checked_sub(1).map(|previous| text[previous]) else { return 0 };
    let next = text.get(at + 1).copied();
    let is_needed = match text[at] {
        '\u{200c}' | '\u{200d}' if contains(JOINING_LETTER, before) => true,
        '\u{200d}' => ends_with_pictograph(&text[..at]) && next.is_some_and(|next| contains(PICTOGRAPH, next)),
        '\u{fe0e}' | '\u{fe0f}' if contains(PICTOGRAPH, before) => true,
        '\u{fe0f}' => matches!(before, '#' | '*' | '0'..='9') && next == Some('\u{20e3}'),
        '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e01ef}' => contains(HAN, before),
        '\u{180b}'..='\u{180f}' => contains(MONGOLIAN, before),
        _ => false,
    };
    usize::from(is_needed)
}

/// A pictograph, with or without a skin tone and a selector behind it.
fn ends_with_pictograph(text: &[char]) -> bool {
    let is_pictograph = |text: &[char]| text.last().is_some_and(|&each| contains(PICTOGRAPH, each));
    let is_toned = |text: &[char]| is_pictograph(text) || matches!(text, [base @ .., '\u{1f3fb}'..='\u{1f3ff}'] if is_pictograph(base));
    is_toned(text) || matches!(text, [base @ .., '\u{fe0f}'] if is_toned(base))
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
        || contains(IGNORABLE, character)
}
