//! Texts in UTF-16 code units, as the wire counts their characters.

pub(crate) fn utf16_length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// The beginning of a text: at most that many code units, without half of a surrogate pair at the end.
pub(crate) fn first_utf16_units(text: &str, limit: usize) -> &str {
    let mut units = 0;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > limit {
            return &text[..at];
        }
    }
    text
}
