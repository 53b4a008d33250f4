//! The credential with which a call acts at the API behind a toolkit.
//!
//! Source: docs/protocol.md, section 11.
use base64::{Engine, engine::general_purpose::STANDARD};
use std::fmt;

/// The text in place of a secret.
pub(crate) const HIDDEN: &str = "[connection]";

/// A caller's credential for the API behind a toolkit. It prints as `[connection]`.
///
/// ```
/// use svc_sdk::Credential;
///
/// assert_eq!(format!("{:?}", Credential::bearer("gho_secret")), "[connection]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(pub(crate) Secret);

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Secret {
    Bearer(String),
    Basic { username: String, password: String },
    ApiKey(String),
}

impl Credential {
    /// An access token.
    pub fn bearer(token: impl Into<String>) -> Self {
        Self(Secret::Bearer(token.into()))
    }

    /// A name and a password, RFC 7617.
    pub fn basic(username: impl Into<String>, password: impl Into<String>) -> Self {
        Self(Secret::Basic { username: username.into(), password: password.into() })
    }

    /// A key of the API.
    pub fn api_key(key: impl Into<String>) -> Self {
        Self(Secret::ApiKey(key.into()))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}

/// RFC 7617, section 2.
pub(crate) fn basic_text(username: &str, password: &str) -> String {
    STANDARD.encode(format!("{username}:{password}"))
}
