//! The page on which a user connects accounts, and the confirmation of that user.
use super::service_client::ServiceClient;
use crate::{
    ErrorCode, SvcError,
    http::{CONFIRM_PATH, SESSIONS_PATH, ServiceRequest},
    timestamp_json,
};
use futures_util::future::BoxFuture;
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::SystemTime;

/// A page on which one user connects accounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConnectSession {
    /// The page. Its account is usable only after `confirm_connection`.
    pub url: String,
    /// The end of `url`.
    #[serde(with = "timestamp_json")]
    pub expires_at: SystemTime,
}

/// An account that its user has connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConfirmedConnection {
    /// The toolkit.
    pub toolkit: String,
    /// The name of the account at the API, such as `octocat`, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The name of the connection.
    pub name: String,
}

/// A request for a connect page, sent when it is awaited: [`Tools::connect_url`](super::Tools::connect_url).
#[must_use = "a request is sent when it is awaited"]
pub struct ConnectUrl<'a> {
    client: &'a ServiceClient,
    toolkits: Vec<String>,
    user_id: Option<String>,
    name: Option<String>,
}

impl<'a> ConnectUrl<'a> {
    pub(super) fn new(client: &'a ServiceClient, toolkits: Vec<String>) -> Self {
        Self { client, toolkits, user_id: None, name: None }
    }

    /// The user of the page. Default: `user_id` of the client.
    pub fn user_id(mut self, id: impl Into<String>) -> Self {
        self.user_id = Some(id.into());
        self
    }

    /// A name for the connection, if the user has several accounts.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    async fn send(self) -> Result<ConnectSession, SvcError> {
        let mut body = json!({ "userId": user_of(self.client, self.user_id)?, "toolkits": self.toolkits });
        if let Some(name) = self.name {
            body["name"] = name.into();
        }
        send(self.client, SESSIONS_PATH, body, |answer| answer["url"].is_string() && answer["expiresAt"].is_string()).await
    }
}

/// A confirmation, sent when it is awaited: [`Tools::confirm_connection`](super::Tools::confirm_connection).
#[must_use = "a confirmation is sent when it is awaited"]
pub struct ConfirmConnection<'a> {
    client: &'a ServiceClient,
    code: String,
    user_id: Option<String>,
}

impl<'a> ConfirmConnection<'a> {
    pub(super) fn new(client: &'a ServiceClient, code: String) -> Self {
        Self { client, code, user_id: None }
    }

    /// The user who is signed in to your application now. Default: `user_id` of the client.
    pub fn user_id(mut self, id: impl Into<String>) -> Self {
        self.user_id = Some(id.into());
        self
    }

    async fn send(self) -> Result<ConfirmedConnection, SvcError> {
        let body = json!({ "code": self.code, "userId": user_of(self.client, self.user_id)? });
        send(self.client, CONFIRM_PATH, body, |answer| answer["toolkit"].is_string() && answer["name"].is_string()).await
    }
}

impl<'a> IntoFuture for ConnectUrl<'a> {
    type Output = Result<ConnectSession, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<'a> IntoFuture for ConfirmConnection<'a> {
    type Output = Result<ConfirmedConnection, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

/// The user is in the body alone.
async fn send<T: serde::de::DeserializeOwned>(
    client: &ServiceClient,
    path: &str,
    body: Value,
    is_answer: fn(&Value) -> bool,
) -> Result<T, SvcError> {
    let request = ServiceRequest { headers: HeaderMap::new(), ..client.post(path, body, is_answer) };
    client.read(client.request(request).await?.json)
}

fn user_of(client: &ServiceClient, own: Option<String>) -> Result<String, SvcError> {
    own.or_else(|| client.caller().user_id.clone()).ok_or_else(|| {
        SvcError::new(ErrorCode::InvalidRequest, "A connection belongs to a user: set user_id of this call or of the client")
    })
}
