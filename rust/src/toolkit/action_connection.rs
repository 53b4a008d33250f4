//! The connection of a call: the account with which its handler acts. No value of this file prints a secret.
use super::{action_error::ActionError, auth::Place, context::ServiceLink, frames::Members};
use crate::{
    ErrorCode, SvcError,
    calendar::read_timestamp,
    credential::{Credential, HIDDEN, Secret, basic_text},
};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};
use tokio::sync::oneshot;

const DEFAULT_KEY_HEADER: &str = "X-API-Key";
const CLOSED: &str = "The connection to the service was lost before it had another account for the call";

/// The account with which a call acts: [`ActionContext::connection`](super::ActionContext::connection). Cheap to clone. It prints as
/// `[connection]`.
#[derive(Clone)]
pub struct ActionConnection {
    values: Arc<ConnectionValues>,
    call: Arc<ConnectionOfCall>,
}

impl ActionConnection {
    /// The headers for a request to the API. They are empty for an API key in the query.
    pub fn headers(&self) -> HeaderMap {
        self.values.headers.clone()
    }

    /// The access token of a `bearer` or `oauth2` connection.
    pub fn token(&self) -> Option<&str> {
        match &self.values.secret {
            Secret::Bearer(token) => Some(token),
            _ => None,
        }
    }

    /// The name of a `basic` connection.
    pub fn username(&self) -> Option<&str> {
        match &self.values.secret {
            Secret::Basic { username, .. } => Some(username),
            _ => None,
        }
    }

    /// The password of a `basic` connection.
    pub fn password(&self) -> Option<&str> {
        match &self.values.secret {
            Secret::Basic { password, .. } => Some(password),
            _ => None,
        }
    }

    /// The key of an `apiKey` connection.
    pub fn api_key(&self) -> Option<&str> {
        match &self.values.secret {
            Secret::ApiKey(key) => Some(key),
            _ => None,
        }
    }

    /// The end of the credential, if it is known.
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.values.expires_at
    }

    /// The name of the account at the API, such as `octocat`, if it is known.
    pub fn account(&self) -> Option<&str> {
        self.values.account.as_deref()
    }

    /// Reports that the API refused the credential, such as with 401, and returns a new one, which the context of the call has then too.
    ///
    /// # Errors
    ///
    /// `CONNECTION_REQUIRED` if the account has to be connected again: return it, and the caller learns how to connect.
    /// `CONNECTION_CLOSED` if the connection to the service was lost.
    pub async fn refused(&self) -> Result<Self, ActionError> {
        let values = self.call.renew(&self.values).await?;
        Ok(Self { values, call: self.call.clone() })
    }
}

impl fmt::Debug for ActionConnection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}

/// `connection` of an `invoke`.
pub(crate) struct ConnectionValues {
    secret: Secret,
    headers: HeaderMap,
    expires_at: Option<SystemTime>,
    account: Option<String>,
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
        })
    }

    /// The values of a credential, for tests of an action. `None` for one that no header can hold.
    pub(crate) fn of_credential(Credential(secret): Credential) -> Option<Self> {
        Some(Self { headers: headers_of(&secret, Place::Header, None)?, secret, expires_at: None, account: None })
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

/// The present connection of a call, which `refused` replaces.
#[derive(Debug)]
pub(crate) struct ConnectionOfCall {
    id: Arc<str>,
    present: Mutex<Arc<ConnectionValues>>,
    /// One question at a time: the others get its answer.
    question: tokio::sync::Mutex<()>,
    service: Arc<dyn ServiceLink>,
}

impl ConnectionOfCall {
    pub(crate) fn new(id: Arc<str>, values: ConnectionValues, service: Arc<dyn ServiceLink>) -> Self {
        Self { id, present: Mutex::new(values.into()), question: tokio::sync::Mutex::default(), service }
    }

    pub(crate) fn connection(self: &Arc<Self>) -> ActionConnection {
        ActionConnection { values: self.present(), call: self.clone() }
    }

    fn present(&self) -> Arc<ConnectionValues> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The values after the refused ones.
    async fn renew(&self, refused: &Arc<ConnectionValues>) -> Result<Arc<ConnectionValues>, ActionError> {
        let _question = self.question.lock().await;
        let present = self.present();
        if !Arc::ptr_eq(&present, refused) {
            return Ok(present);
        }
        let (done, answer) = oneshot::channel();
        self.service.renew(self.id.clone(), done);
        let values = match answer.await {
            Ok(answer) => Arc::new(answer.map_err(|error| ActionError::new(error.code, error.message))?),
            // The request was dropped with the connection to the service.
            Err(_) => return Err(ActionError::new(ErrorCode::ConnectionClosed, CLOSED)),
        };
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = values.clone();
        Ok(values)
    }
}

impl fmt::Debug for ConnectionValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}

pub(crate) type RenewalSender = oneshot::Sender<Result<ConnectionValues, SvcError>>;

/// The answer to a request for another connection.
pub(crate) fn read_renewal(result: &RawValue) -> Result<ConnectionValues, SvcError> {
    let values = Members::read(result.get()).and_then(|members| ConnectionValues::read(members.get("connection")?));
    values.ok_or_else(|| SvcError::new(ErrorCode::ConnectionRequired, "The service sent a connection that this process does not know"))
}
