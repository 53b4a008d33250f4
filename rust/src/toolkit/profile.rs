//! A toolkit's page for people. Models read none of it.
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;

/// A change of README, icon, homepage, category and version. A part that it does not name stays; `None` removes.
///
/// ```
/// # use svc_sdk::toolkit::ToolkitProfile;
/// let profile = ToolkitProfile::new()
///     .readme("# Weather\n\nOf all cities.".to_owned())
///     .homepage("https://example.com/weather".to_owned())
///     .category("data".to_owned())
///     .version(env!("CARGO_PKG_VERSION").to_owned());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ToolkitProfile {
    #[serde(skip_serializing_if = "Option::is_none")]
    readme: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    homepage: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Option<String>>,
}

impl ToolkitProfile {
    /// Changes nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Markdown, at most 65,536 bytes.
    #[must_use]
    pub fn readme(mut self, markdown: impl Into<Option<String>>) -> Self {
        self.readme = Some(markdown.into());
        self
    }

    /// The bytes of a PNG, JPEG or WebP picture, at most 65,536. The service refuses other bytes, an SVG too.
    #[must_use]
    pub fn icon(mut self, bytes: impl Into<Option<Vec<u8>>>) -> Self {
        self.icon = Some(bytes.into().map(|bytes| data_url(&bytes)));
        self
    }

    /// `https://…` or `http://…`, at most 2,048 characters.
    #[must_use]
    pub fn homepage(mut self, url: impl Into<Option<String>>) -> Self {
        self.homepage = Some(url.into());
        self
    }

    /// One of `communication`, `commerce`, `data`, `developer`, `documents`, `finance`, `media`, `productivity`, `science`, `search`, `travel`
    /// and `other`.
    #[must_use]
    pub fn category(mut self, category: impl Into<Option<String>>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// It has at most 64 characters.
    #[must_use]
    pub fn version(mut self, version: impl Into<Option<String>>) -> Self {
        self.version = Some(version.into());
        self
    }

    pub(crate) fn merge(&mut self, newer: Self) {
        let Self { readme, icon, homepage, category, version } = newer;
        for (member, newer) in [
            (&mut self.readme, readme),
            (&mut self.icon, icon),
            (&mut self.homepage, homepage),
            (&mut self.category, category),
            (&mut self.version, version),
        ] {
            if newer.is_some() {
                *member = newer;
            }
        }
    }
}

/// Names the type that the first bytes show. The service says what is wrong with others.
fn data_url(bytes: &[u8]) -> String {
    let media_type = match bytes {
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "image/png",
    };
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_change_names_only_what_changes() {
        let mut profile = ToolkitProfile::new().readme("# A".to_owned()).version("1".to_owned()).icon(vec![0xff, 0xd8, 0xff, 0]);
        assert_eq!(json!(profile), json!({ "readme": "# A", "icon": "data:image/jpeg;base64,/9j/AA==", "version": "1" }));
        profile.merge(ToolkitProfile::new().readme(None).category("data".to_owned()));
        assert_eq!(
            json!(profile),
            json!({ "readme": null, "icon": "data:image/jpeg;base64,/9j/AA==", "category": "data", "version": "1" })
        );
        assert_eq!(json!(ToolkitProfile::new().icon(None)), json!({ "icon": null }));
    }

    #[test]
    fn an_icon_is_named_by_its_bytes() {
        let start = |bytes: &[u8]| data_url(bytes)[..16].to_owned();
        assert_eq!(start(b"\x89PNG\r\n\x1a\n"), "data:image/png;b");
        assert_eq!(start(b"\xff\xd8\xff\xe0"), "data:image/jpeg;");
        assert_eq!(start(b"RIFF\x1a\0\0\0WEBPVP8L"), "data:image/webp;");
        assert_eq!(start(b"<svg/>"), "data:image/png;b");
    }
}
