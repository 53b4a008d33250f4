//! Content blocks: images, files and links beside the JSON of a result.
//!
//! Source: docs/protocol.md, section 5, "Content": the content types of MCP.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One block beside a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ContentBlock {
    /// A text, such as a caption.
    Text {
        /// The text.
        text: String,
        /// The annotations and the metadata of the block.
        #[serde(flatten)]
        details: BlockDetails,
    },
    /// An image.
    Image {
        /// Base64 with padding.
        data: String,
        /// A media type, such as `image/png`.
        mime_type: String,
        /// The annotations and the metadata of the block.
        #[serde(flatten)]
        details: BlockDetails,
    },
    /// A sound.
    Audio {
        /// Base64 with padding.
        data: String,
        /// A media type, such as `audio/mpeg`.
        mime_type: String,
        /// The annotations and the metadata of the block.
        #[serde(flatten)]
        details: BlockDetails,
    },
    /// A file.
    Resource {
        /// Its content.
        resource: Resource,
        /// The annotations and the metadata of the block.
        #[serde(flatten)]
        details: BlockDetails,
    },
    /// An address. Nothing is fetched.
    ResourceLink {
        /// A whole address.
        uri: String,
        /// A name for programs.
        name: String,
        /// A name for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// A longer text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// A media type, such as `application/pdf`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// Bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
        /// The annotations and the metadata of the block.
        #[serde(flatten)]
        details: BlockDetails,
    },
}

/// The annotations and the metadata of a block, for programs and MCP clients. Texts for a model leave them out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockDetails {
    /// `audience`, `priority` and `lastModified`, as in MCP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Map<String, Value>>,
    /// Members of the author of the block.
    #[serde(default, rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The file's unique name. It is data; the address need not be readable.
    pub uri: String,
    /// A media type, such as `text/csv`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The content.
    #[serde(flatten)]
    pub body: ResourceBody,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceBody {
    /// A text.
    Text(String),
    /// Base64 with padding.
    Blob(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json, to_value};

    #[test]
    fn blocks_are_those_of_the_protocol() {
        let details = json!({ "annotations": { "audience": ["user"], "priority": 0.5 }, "_meta": { "x/y": { "n": 1 } } });
        let mut blocks = vec![
            json!({ "type": "text", "text": "a" }),
            json!({ "type": "image", "data": "aQ==", "mimeType": "image/png" }),
            json!({ "type": "audio", "data": "aQ==", "mimeType": "audio/mpeg" }),
            json!({ "type": "resource", "resource": { "uri": "svc://i/t.csv", "mimeType": "text/csv", "text": "a,b" } }),
            json!({ "type": "resource", "resource": { "uri": "svc://i/r.pdf", "blob": "aQ==" } }),
            json!({ "type": "resource_link", "uri": "https://example.com/a", "name": "a", "mimeType": "image/png", "size": 3 }),
        ];
        for mut block in blocks.clone() {
            block.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
            blocks.push(block);
        }
        for block in blocks {
            assert_eq!(to_value(from_value::<ContentBlock>(block.clone()).unwrap()).unwrap(), block);
        }
    }
}
