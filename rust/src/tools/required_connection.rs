//! The connection that a refused call needs.
use super::ids::is_toolkit_id;
use crate::{ErrorCode, SvcError, calendar::read_timestamp};
use serde_json::Value;
use std::time::SystemTime;

/// The account that a call needs, and the page on which its user connects it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequiredConnection {
    /// The toolkit.
    pub toolkit: String,
    /// A text of the toolkit about the account, such as `A GitHub token`.
    pub help: Option<String>,
    /// The page, for this user alone.
    pub url: String,
    /// The end of `url`.
    pub expires_at: Option<SystemTime>,
    /// The page ends with a code, which the user brings to your application: [`Tools::confirm_connection`](super::Tools::confirm_connection).
    pub confirm: bool,
    /// Names of the user's connections, if the call has to choose one.
    pub connections: Vec<String>,
    /// The user of the call.
    pub user_id: Option<String>,
}

/// The cure of CONNECTION_REQUIRED.
pub(super) enum Cure {
    /// The user connects an account on a page.
    Page(RequiredConnection),
    /// The caller sends a credential for this toolkit.
    Credential(String),
}

impl Cure {
    /// `None` for another error, and if only the caller can choose.
    pub fn of(error: &SvcError, user_id: Option<&str>) -> Option<Self> {
        Self::read(error.details.get("connect").filter(|_| error.code == ErrorCode::ConnectionRequired)?, user_id)
    }

    /// `connect` is that of an error, or of a call that waits.
    pub fn read(connect: &Value, user_id: Option<&str>) -> Option<Self> {
        let text = |name: &str| connect[name].as_str().map(str::to_owned);
        let toolkit = text("toolkit").filter(|toolkit| is_toolkit_id(toolkit))?;
        let names = connect["connections"].as_array().into_iter().flatten();
        let connections: Vec<String> = names.filter_map(|name| name.as_str().map(str::to_owned)).collect();
        match text("url") {
            Some(url) => Some(Self::Page(RequiredConnection {
                toolkit,
                help: text("help"),
                url,
                expires_at: text("expiresAt").and_then(|text| read_timestamp(&text)),
                confirm: connect["confirm"] == true,
                connections,
                user_id: user_id.map(str::to_owned),
            })),
            None if connections.is_empty() => Some(Self::Credential(toolkit)),
            None => None,
        }
    }
}

/// The error for a model whose user was asked: without the page.
pub(super) fn without_page(mut error: SvcError, toolkit: &str) -> SvcError {
    error.message =
        format!("The user was asked to connect an account of \"{toolkit}\". Say so, and make the same call again when they have done it");
    if let Some(connect) = error.details.get_mut("connect").and_then(|connect| connect.as_object_mut()) {
        connect.retain(|name, _| !["url", "expiresAt", "confirm"].contains(&name.as_str()));
    }
    error
}
