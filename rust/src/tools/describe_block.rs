//! Images, files and links beside the JSON of a result, in words for a model.
//!
//! Source: docs/protocol.md, section 5, "Tool calls of a model".
use crate::{ContentBlock, Resource, ResourceBody};

const KIB: usize = 1024;

/// A description of the block, such as `[image image/png, 34 KB]`; a text block is its own text. Never base64.
pub(super) fn describe_block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text { text, .. } => text.clone(),
        ContentBlock::Image { data, mime_type, .. } => format!("[image {mime_type}, {}]", size_of(data)),
        ContentBlock::Audio { data, mime_type, .. } => format!("[audio {mime_type}, {}]", size_of(data)),
        ContentBlock::Resource { resource, .. } => describe_resource(resource),
        ContentBlock::ResourceLink { uri, name, title, description, mime_type, size, .. } => {
            let size = size.map(|size| format_bytes(size as usize));
            let parts = [Some(title.as_ref().unwrap_or(name)), mime_type.as_ref(), size.as_ref(), description.as_ref()];
            format!("[link {}: {uri}]", listed(parts))
        }
    }
}

/// The last part of a URI, decoded.
pub(super) fn file_name(uri: &str) -> String {
    let name = uri.rsplit('/').next().unwrap_or_default();
    match decoded(name) {
        Some(decoded) if decoded.is_empty() => uri.into(),
        Some(decoded) => decoded,
        None => name.into(),
    }
}

fn describe_resource(Resource { uri, mime_type, body }: &Resource) -> String {
    let name = file_name(uri);
    match body {
        ResourceBody::Text(text) => format!("[file {}]\n{text}", listed([Some(&name), mime_type.as_ref()])),
        ResourceBody::Blob(data) => format!("[file {}]", listed([Some(&name), mime_type.as_ref(), Some(&size_of(data))])),
    }
}

fn listed<const N: usize>(parts: [Option<&String>; N]) -> String {
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// `None` for escapes that are not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn size_of(base64: &str) -> String {
    let padding = base64.len() - base64.trim_end_matches('=').len();
    format_bytes((base64.len() / 4 * 3).saturating_sub(padding))
}

fn format_bytes(count: usize) -> String {
    match count {
        0..KIB => format!("{count} bytes"),
        KIB..0x10_0000 => format!("{} KB", (count + KIB / 2) / KIB),
        _ => format!("{:.1} MB", count as f64 / (KIB * KIB) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_in_words() {
        let said = [
            (json!({ "type": "text", "text": "a" }), "a"),
            (json!({ "type": "audio", "data": "A".repeat(4000), "mimeType": "audio/mpeg" }), "[audio audio/mpeg, 3 KB]"),
            (json!({ "type": "image", "data": "A".repeat(2_000_000), "mimeType": "image/png" }), "[image image/png, 1.4 MB]"),
            (
                json!({ "type": "resource", "resource": { "uri": "svc://inv_1/a%20b%C3%A9.csv", "mimeType": "text/csv", "text": "a,b" } }),
                "[file a bé.csv, text/csv]\na,b",
            ),
            (json!({ "type": "resource", "resource": { "uri": "svc://inv_1/100%", "blob": "JVBERi0=" } }), "[file 100%, 5 bytes]"),
            (json!({ "type": "resource", "resource": { "uri": "svc://inv_1/%ff", "blob": "" } }), "[file %ff, 0 bytes]"),
            (
                json!({ "type": "resource_link", "uri": "https://example.com/", "name": "n", "title": "t", "mimeType": "m", "description": "d", "size": 2 }),
                "[link t, m, 2 bytes, d: https://example.com/]",
            ),
        ];
        for (block, words) in said {
            assert_eq!(describe_block(&serde_json::from_value(block).unwrap()), words);
        }
    }
}
