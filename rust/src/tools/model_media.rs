//! The parts of a result for models with vision: images, and PDFs for models that read them.
//!
//! A model API refuses every later request of a conversation with an image that does not match its media type. So the first bytes decide,
//! and other files stay words.
use super::describe_block::file_name;
use crate::{ContentBlock, Resource, ResourceBody};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// An image or a PDF of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelMedia {
    /// `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `application/pdf`, by the bytes.
    pub media_type: &'static str,
    /// Base64.
    pub data: String,
    /// The name of the file, or `image-1`.
    pub name: String,
}

/// The images and PDFs among the blocks, in their order.
pub(super) fn model_media(blocks: &[ContentBlock]) -> Vec<ModelMedia> {
    let media = blocks.iter().enumerate().filter_map(|(index, block)| {
        let (data, name) = match block {
            ContentBlock::Image { data, .. } => (data, None),
            ContentBlock::Resource { resource: Resource { uri, body: ResourceBody::Blob(data), .. }, .. } => (data, Some(file_name(uri))),
            _ => return None,
        };
        let media_type = type_by_bytes(&first_bytes(data)?)?;
        let kind = media_type.split('/').next().unwrap_or_default();
        Some(ModelMedia { media_type, data: data.into(), name: name.unwrap_or_else(|| format!("{kind}-{}", index + 1)) })
    });
    media.collect()
}

fn type_by_bytes(start: &[u8]) -> Option<&'static str> {
    match start {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => Some("image/webp"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        _ => None,
    }
}

/// The first 12 bytes of base64; `None` for a text that is not base64.
fn first_bytes(base64: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(&base64.as_bytes()[..base64.len().min(16)]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_bytes_decide_the_media_type_for_a_model() {
        let image = |data: &str| json!({ "type": "image", "data": data, "mimeType": "image/png" });
        let blocks = json!([
            image("iVBORw0KGgoAAAANSUhEUg=="),
            image("/9j/4AAQ"),
            image("R0lGODlh"),
            image("UklGRiQAAABXRUJQVlA4"),
            image("AAAA"),
            image("not base64"),
            json!({ "type": "text", "text": "iVBORw0KGgoAAAANSUhEUg==" }),
            json!({ "type": "resource", "resource": { "uri": "svc://inv_1/a.pdf", "blob": "JVBERi0xLjc=" } }),
        ]);
        let blocks: Vec<ContentBlock> = serde_json::from_value(blocks).unwrap();
        let found = model_media(&blocks).into_iter().map(|media| format!("{} {}", media.media_type, media.name));
        let wanted = ["image/png image-1", "image/jpeg image-2", "image/gif image-3", "image/webp image-4", "application/pdf a.pdf"];
        assert_eq!(found.collect::<Vec<_>>(), wanted);
    }
}
