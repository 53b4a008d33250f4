//! Images, files and links that a handler attaches: `ctx.attach(Attachment::image(png, "image/png"))`.
use crate::{BlockDetails, ContentBlock, Resource, ResourceBody};
use base64::{Engine, engine::general_purpose::STANDARD};

/// An image, a file or a link beside a result.
#[derive(Debug, Clone)]
pub struct Attachment(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Text(String),
    Image { data: Vec<u8>, media_type: String },
    Audio { data: Vec<u8>, media_type: String },
    File { name: String, media_type: String, content: Vec<u8> },
    Link(Link),
}

impl Attachment {
    /// A text between attachments, such as a caption of the next image.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Kind::Text(text.into()))
    }

    /// An image for models with vision: `Attachment::image(png, "image/png")`.
    pub fn image(data: impl Into<Vec<u8>>, media_type: impl Into<String>) -> Self {
        Self(Kind::Image { data: data.into(), media_type: media_type.into() })
    }

    /// A sound: `Attachment::audio(mp3, "audio/mpeg")`.
    pub fn audio(data: impl Into<Vec<u8>>, media_type: impl Into<String>) -> Self {
        Self(Kind::Audio { data: data.into(), media_type: media_type.into() })
    }

    /// A file: `Attachment::file("table.csv", "text/csv", "a,b")`. A file of a text type is text for models.
    pub fn file(name: impl Into<String>, media_type: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self(Kind::File { name: name.into(), media_type: media_type.into(), content: content.into() })
    }

    /// An address: `Attachment::link("https://example.com/report.pdf").title("The report")`. Nothing is fetched.
    pub fn link(uri: impl Into<String>) -> Link {
        Link { uri: uri.into(), name: None, title: None, description: None, media_type: None, size: None }
    }

    /// The block, or a sentence that names the mistake and the correction.
    pub(crate) fn into_block(self, invocation_id: &str) -> Result<ContentBlock, String> {
        match self.0 {
            Kind::Text(text) => Ok(ContentBlock::Text { text, details: BlockDetails::default() }),
            Kind::Image { data, media_type } => {
                let mime_type = media_type_of("image", &media_type, "image/png")?;
                Ok(ContentBlock::Image { data: to_base64(&data, "An image")?, mime_type, details: BlockDetails::default() })
            }
            Kind::Audio { data, media_type } => {
                let mime_type = media_type_of("audio", &media_type, "audio/mpeg")?;
                Ok(ContentBlock::Audio { data: to_base64(&data, "A sound")?, mime_type, details: BlockDetails::default() })
            }
            Kind::File { name, media_type, content } => file_block(invocation_id, &name, &media_type, content),
            Kind::Link(link) => link.into_block(),
        }
    }
}

/// An address beside a result, built by [`Attachment::link`].
#[derive(Debug, Clone)]
pub struct Link {
    uri: String,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    media_type: Option<String>,
    size: Option<u64>,
}

impl Link {
    /// A name for programs. Default: the last part of the address.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// A longer text.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The media type of the linked resource, such as `application/pdf`.
    #[must_use]
    pub fn media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    /// The size of the linked resource in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    fn into_block(self) -> Result<ContentBlock, String> {
        let Ok(url) = reqwest::Url::parse(&self.uri) else {
            return Err(format!("A link needs a whole address such as \"https://example.com/report.pdf\", not {:?}", self.uri));
        };
        let last_part = url.path().rsplit('/').find(|part| !part.is_empty()).or(url.host_str()).unwrap_or(&self.uri);
        let name = self.name.unwrap_or_else(|| last_part.to_owned());
        let mime_type = self.media_type.map(|media_type| check_media_type(&media_type)).transpose()?;
        Ok(ContentBlock::ResourceLink {
            uri: self.uri,
            name,
            title: self.title,
            description: self.description,
            mime_type,
            size: self.size,
            details: BlockDetails::default(),
        })
    }
}

impl From<Link> for Attachment {
    fn from(link: Link) -> Self {
        Self(Kind::Link(link))
    }
}

fn file_block(invocation_id: &str, name: &str, media_type: &str, content: Vec<u8>) -> Result<ContentBlock, String> {
    let mime_type = check_media_type(media_type)?;
    let body = if is_text_type(&mime_type) { String::from_utf8(content).map_err(|error| error.into_bytes()) } else { Err(content) };
    let body = match body {
        Ok(text) => ResourceBody::Text(text),
        Err(bytes) => ResourceBody::Blob(to_base64(&bytes, "A file")?),
    };
    // The file's unique name; the address need not be readable.
    let uri = format!("svc://{invocation_id}/{}", percent_encoded(name));
    Ok(ContentBlock::Resource { resource: Resource { uri, mime_type: Some(mime_type), body }, details: BlockDetails::default() })
}

fn media_type_of(kind: &str, media_type: &str, example: &str) -> Result<String, String> {
    let checked = check_media_type(media_type)?;
    if checked.starts_with(&format!("{kind}/")) {
        return Ok(checked);
    }
    Err(format!("Attachment::{kind} takes a media type such as {example:?}, not {checked:?}; use Attachment::file for other files"))
}

/// The media type in small letters. Parameters such as `charset` are valid only for files, and are dropped.
fn check_media_type(media_type: &str) -> Result<String, String> {
    let checked = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
    match checked.split_once('/') {
        Some((kind, subtype)) if is_part(kind) && is_part(subtype) => Ok(checked),
        _ => Err(format!("A media type looks like \"image/png\", not {media_type:?}")),
    }
}

fn is_text_type(media_type: &str) -> bool {
    let texts = ["application/json", "application/xml", "application/yaml", "application/javascript", "application/sql"];
    media_type.starts_with("text/") || texts.contains(&media_type) || media_type.ends_with("+json") || media_type.ends_with("+xml")
}

fn to_base64(data: &[u8], subject: &str) -> Result<String, String> {
    // Model APIs refuse a whole conversation for an empty image.
    if data.is_empty() { Err(format!("{subject} has no bytes")) } else { Ok(STANDARD.encode(data)) }
}

fn percent_encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};

    fn block(attachment: impl Into<Attachment>) -> serde_json::Value {
        attachment.into().into_block("inv_1").map_or_else(|problem| json!(problem), |block| to_value(block).unwrap())
    }

    #[test]
    fn files_of_text_types_are_texts() {
        let text = json!({ "type": "resource", "resource": { "uri": "svc://inv_1/a%20b.csv", "mimeType": "text/csv", "text": "a,b" } });
        assert_eq!(block(Attachment::file("a b.csv", "Text/CSV; charset=utf-8", "a,b")), text);
        for (media_type, content) in [("text/csv", vec![0xff]), ("application/pdf", b"a,b".to_vec())] {
            assert!(block(Attachment::file("a", media_type, content))["resource"]["blob"].is_string());
        }
    }

    #[test]
    fn a_link_is_named_after_its_last_part() {
        for (uri, name) in [("https://example.com/a/b.pdf?x=1", "b.pdf"), ("https://example.com/", "example.com"), ("mailto:ann", "ann")] {
            assert_eq!(block(Attachment::link(uri)), json!({ "type": "resource_link", "uri": uri, "name": name }));
        }
        let link = Attachment::link("https://example.com/a").name("n").title("t").description("d").media_type("image/png").size(3);
        let members = json!({ "type": "resource_link", "uri": "https://example.com/a", "name": "n", "title": "t", "description": "d",
            "mimeType": "image/png", "size": 3 });
        assert_eq!(block(link), members);
    }

    #[test]
    fn the_error_for_a_wrong_attachment_says_what_to_write() {
        let problems = [
            (block(Attachment::image(vec![], "image/png")), "An image has no bytes"),
            (block(Attachment::image(vec![1], "png")), "A media type looks like \"image/png\", not \"png\""),
            (
                block(Attachment::audio(vec![1], "image/png")),
                "Attachment::audio takes a media type such as \"audio/mpeg\", not \"image/png\"; use Attachment::file for other files",
            ),
            (
                block(Attachment::link("report.pdf")),
                "A link needs a whole address such as \"https://example.com/report.pdf\", not \"report.pdf\"",
            ),
        ];
        for (problem, words) in problems {
            assert_eq!(problem, words);
        }
    }
}
