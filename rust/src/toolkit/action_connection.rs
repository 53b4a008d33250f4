//! The connection of a call: the account with which its handler acts.
use super::{action_error::ActionError, connection_values::ConnectionValues, service_link::ServiceLink};
use crate::{
    ErrorCode,
    credential::{HIDDEN, Secret},
};
use reqwest::header::HeaderMap;
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};
use tokio::sync::oneshot;

const CLOSED: &str = "The connection to the service was lost before it had another account for the call";

/// The account with which a call acts: [`ActionContext::connection`](super::ActionContext::connection). Cheap to clone. It prints as
/// `[connection]`.
#[derive(Clone)]
pub struct ActionConnection {
    values: Arc<ConnectionValues>,
    call: Arc<ConnectionOfCall>,
}

impl ActionConnection {
    /// The same for all tokens of one account that the service keeps, until it is connected again. `None` for a credential of the caller, whose
    /// account is not known.
    pub fn id(&self) -> Option<&str> {
        self.values.id.as_deref()
    }

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
