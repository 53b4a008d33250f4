//! The headers of credentials and of names of connections.
//!
//! Errors: INVALID_REQUEST for a text that the header cannot hold. No message quotes a credential.
//! Source: docs/protocol.md, section 11, "Credentials of the caller".
use super::ids::is_toolkit_id;
use crate::{
    Credential, ErrorCode, SvcError,
    credential::{Secret, basic_text},
};
use reqwest::header::HeaderValue;
use std::collections::BTreeMap;

const MAX_HEADER_CHARS: usize = 8_192;
const MAX_NAME_CHARS: usize = 64;

/// A credential for one toolkit.
pub(super) struct CredentialHeader {
    pub value: HeaderValue,
    /// Texts that no error may contain.
    pub secrets: Vec<String>,
}

pub(super) fn credential_header(toolkit: &str, Credential(secret): &Credential) -> Result<CredentialHeader, SvcError> {
    let (scheme, text, password) = match secret {
        Secret::Bearer(token) => ("Bearer", token.clone(), None),
        Secret::ApiKey(key) => ("ApiKey", key.clone(), None),
        Secret::Basic { username, .. } if username.contains(':') => {
            return Err(invalid(format!("The user name of the credential for {toolkit} has a colon, which ends a user name")));
        }
        // Some APIs take a key as the user name, with an empty password.
        Secret::Basic { username, password } => {
            ("Basic", basic_text(username, password), Some(if password.is_empty() { username } else { password }))
        }
    };
    let is_text = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
    if !is_text {
        return Err(invalid(format!("The credential for {toolkit} must be visible ASCII characters without a comma")));
    }
    let header = format!("{toolkit} {scheme} {text}");
    if header.len() > MAX_HEADER_CHARS {
        return Err(invalid(format!("The credential for {toolkit} has more than {MAX_HEADER_CHARS} characters")));
    }
    let mut value = header_value(header)?;
    value.set_sensitive(true);
    let secrets = std::iter::once(text).chain(password.cloned()).filter(|text| !text.is_empty()).collect();
    Ok(CredentialHeader { value, secrets })
}

/// `names` are those of connections, by toolkit. `None` for no names.
pub(super) fn names_header(names: &BTreeMap<String, String>) -> Result<Option<HeaderValue>, SvcError> {
    if let Some((toolkit, _)) = names.iter().find(|(toolkit, name)| !is_toolkit_id(toolkit) || !is_connection_name(name)) {
        let message =
            format!("The name of a connection of {toolkit:?} must be 1 to {MAX_NAME_CHARS} of A-Z a-z 0-9 . _ @ -, for a toolkit id");
        return Err(invalid(message));
    }
    let header = names.iter().map(|(toolkit, name)| format!("{toolkit} {name}")).collect::<Vec<_>>().join(", ");
    if header.len() > MAX_HEADER_CHARS {
        return Err(invalid(format!("The names of connections have more than {MAX_HEADER_CHARS} characters together")));
    }
    if header.is_empty() { Ok(None) } else { header_value(header).map(Some) }
}

fn is_connection_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'@' | b'-');
    (1..=MAX_NAME_CHARS).contains(&name.len()) && name.bytes().all(is_letter)
}

fn header_value(text: String) -> Result<HeaderValue, SvcError> {
    HeaderValue::try_from(text).map_err(|_| invalid("The header of connections cannot be written".into()))
}

fn invalid(message: String) -> SvcError {
    SvcError::new(ErrorCode::InvalidRequest, message)
}
