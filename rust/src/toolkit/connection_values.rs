//! The values of a connection, read from a frame. They print as `[connection]`.
//!
//! Source: docs/protocol.md, section 6, "Connections".
use super::{auth::Place, frames::Members};
use crate::{
    ErrorCode, SvcError,
    calendar::read_timestamp,
    credential::{Credential, HIDDEN, Secret, basic_text},
};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;
use std::{fmt, time::SystemTime};

const DEFAULT_KEY_HEADER: &str = "X-API-Key";

/// `connection` of an `invoke`.
pub(crate) struct ConnectionValues {
    pub(crate) secret: Secret,
    pub(crate) headers: HeaderMap,
    pub(crate) expires_at: Option<SystemTime>,
    pub(crate) account: Option<String>,
    pub(crate) id: Option<String>,
}

impl ConnectionValues {
    /// `None` for an unknown type, and for a secret that no header can hold.
    pub(crate) fn read(text: &RawValue) -> Option<Self> {
        let members = Members::read(text.get())?;
        let (secret, place, name) = match members.text("type")?.as_str() {
            "bearer" => (Secret::Bearer(members.text("token")?), Place::Header, None),
            "basic" => {
                let (username, password) = (members.text("username")?, members.text("password")?);
                (Secret::Basic { username, password }, Place::Header, None)
            }
            "apiKey" => {
                let place = serde_json::from_str(members.get("in")?.get()).ok()?;
                (Secret::ApiKey(members.text("apiKey")?), place, Some(members.text("name")?))
            }
            _ => return None,
        };
        Some(Self {
            headers: headers_of(&secret, place, name.as_deref())?,
            secret,
            expires_at: members.text("expiresAt").and_then(|text| read_timestamp(&text)),
            account: members.text("account"),
            id: members.text("id"),
        })
    }

    /// The values of a credential, for tests of an action. `None` for one that no header can hold.
    pub(crate) fn of_credential(Credential(secret): Credential) -> Option<Self> {
        Some(Self { headers: headers_of(&secret, Place::Header, None)?, secret, expires_at: None, account: None, id: None })
    }
}

fn headers_of(secret: &Secret, place: Place, name: Option<&str>) -> Option<HeaderMap> {
    let (name, text) = match secret {
        Secret::Bearer(token) => (AUTHORIZATION, format!("Bearer {token}")),
        Secret::Basic { username, password } => (AUTHORIZATION, format!("Basic {}", basic_text(username, password))),
        Secret::ApiKey(_) if place == Place::Query => return Some(HeaderMap::new()),
        Secret::ApiKey(key) => (HeaderName::try_from(name.unwrap_or(DEFAULT_KEY_HEADER)).ok()?, key.clone()),
    };
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(HeaderMap::from_iter([(name, value)]))
}

impl fmt::Debug for ConnectionValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}

/// The answer to a request for another connection.
pub(crate) fn read_renewal(result: &RawValue) -> Result<ConnectionValues, SvcError> {
    let values = Members::read(result.get()).and_then(|members| ConnectionValues::read(members.get("connection")?));
    values.ok_or_else(|| SvcError::new(ErrorCode::ConnectionRequired, "The service sent a connection that this process does not know"))
}
