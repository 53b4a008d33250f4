//! The state that the calls of one `Tools` share, and their requests.
use super::{approvals::Approvals, caller::Caller, connections::Connections, search_memory::SearchMemory};
use crate::{
    ErrorCode, SvcError,
    http::{Answer, AnswerTest, HttpClient, ServiceRequest, TakesHandle},
};
use reqwest::{Method, header::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(super) struct ServiceClient {
    settings: Arc<Settings>,
    access: Access,
    caller: Caller,
    caller_headers: HeaderMap,
    connections: Connections,
    approvals: Approvals,
    /// The service's ranking uses only calls that name the search that found their action.
    searches: Mutex<SearchMemory>,
}

pub(super) struct Settings {
    pub timeout: Duration,
    pub concurrency: usize,
    pub max_result_chars: usize,
    pub max_search_tokens: Option<u32>,
    pub max_payment: Option<String>,
}

#[derive(Clone)]
pub(super) enum Access {
    Open(Arc<HttpClient>),
    /// `SVC_BASE_URL` is wrong; the first call returns this error.
    Refused(SvcError),
}

impl ServiceClient {
    /// Errors: INVALID_REQUEST for an invalid id of the caller or an invalid name of a connection.
    pub fn new(
        settings: Arc<Settings>,
        access: Access,
        caller: Caller,
        connections: Connections,
        approvals: Approvals,
    ) -> Result<Self, SvcError> {
        connections.names_header(None)?;
        let caller_headers = caller.headers()?;
        Ok(Self { settings, access, caller, caller_headers, connections, approvals, searches: Mutex::default() })
    }

    /// A client whose calls fail with this error.
    pub fn refused(settings: Settings, error: SvcError) -> Self {
        Self {
            settings: settings.into(),
            access: Access::Refused(error),
            caller: Caller::default(),
            caller_headers: HeaderMap::new(),
            connections: Connections::default(),
            approvals: Approvals::default(),
            searches: Mutex::default(),
        }
    }

    /// A client for another caller, without searches.
    pub fn with_caller(&self, caller: Caller, connections: Connections, approvals: Approvals) -> Result<Self, SvcError> {
        Self::new(self.settings.clone(), self.access.clone(), caller, connections, approvals)
    }

    /// `None` if the address is wrong.
    pub fn base_url(&self) -> Option<&str> {
        match &self.access {
            Access::Open(http) => Some(&http.base_url),
            Access::Refused(_) => None,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    pub fn connections(&self) -> &Connections {
        &self.connections
    }

    pub fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    pub fn searches(&self) -> MutexGuard<'_, SearchMemory> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, path: String, is_answer: AnswerTest) -> ServiceRequest<'static> {
        ServiceRequest {
            method: Method::GET,
            path,
            body: None,
            is_answer,
            timeout: self.settings().timeout,
            takes_handle: TakesHandle::Never,
            idempotency_key: None,
            max_result_chars: None,
            max_payment: None,
            action_version: None,
            by_program: false,
            search_id: None,
            on_progress: None,
            headers: HeaderMap::new(),
            secrets: Vec::new(),
        }
    }

    pub fn post<'a>(&self, path: &str, body: Value, is_answer: AnswerTest) -> ServiceRequest<'a> {
        ServiceRequest { method: Method::POST, body: Some(body), headers: self.caller_headers.clone(), ..self.get(path.into(), is_answer) }
    }

    /// The answer is empty.
    pub fn delete(&self, path: String) -> ServiceRequest<'static> {
        ServiceRequest { method: Method::DELETE, ..self.get(path, Value::is_null) }
    }

    pub async fn request(&self, mut request: ServiceRequest<'_>) -> Result<Answer, SvcError> {
        self.send(&mut request).await
    }

    /// Sends a request that may be sent again.
    pub async fn send(&self, request: &mut ServiceRequest<'_>) -> Result<Answer, SvcError> {
        match &self.access {
            Access::Open(http) => http.request(request).await,
            Access::Refused(error) => Err(error.clone()),
        }
    }

    /// The answer as a type.
    pub fn read<T: DeserializeOwned>(&self, answer: Value) -> Result<T, SvcError> {
        serde_json::from_value(answer).map_err(|error| {
            let mut unreadable =
                SvcError::new(ErrorCode::ServiceUnreachable, format!("The answer is not that of an svc-sdk service: {error}"));
            unreadable.retryable = false;
            unreadable
        })
    }
}
