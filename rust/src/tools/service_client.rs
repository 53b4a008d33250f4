//! The state that the calls of one `Tools` share, and their requests.
use super::search_memory::SearchMemory;
use crate::{
    ErrorCode, SvcError,
    http::{Answer, AnswerTest, HttpClient, ServiceRequest},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(super) struct ServiceClient {
    settings: Settings,
    connection: Connection,
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

pub(super) enum Connection {
    Open(HttpClient),
    /// `SVC_BASE_URL` is wrong; the first call returns this error.
    Refused(SvcError),
}

impl ServiceClient {
    pub fn new(settings: Settings, connection: Connection) -> Self {
        Self { settings, connection, searches: Mutex::default() }
    }

    /// `None` if the address is wrong.
    pub fn base_url(&self) -> Option<&str> {
        match &self.connection {
            Connection::Open(http) => Some(&http.base_url),
            Connection::Refused(_) => None,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn searches(&self) -> MutexGuard<'_, SearchMemory> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, path: String, is_answer: AnswerTest) -> ServiceRequest<'static> {
        ServiceRequest {
            path,
            body: None,
            is_answer,
            timeout: self.settings().timeout,
            idempotency_key: None,
            max_result_chars: None,
            max_payment: None,
            action_version: None,
            search_id: None,
            on_progress: None,
        }
    }

    pub fn post<'a>(&self, path: &str, body: Value, is_answer: AnswerTest) -> ServiceRequest<'a> {
        ServiceRequest { body: Some(body), ..self.get(path.into(), is_answer) }
    }

    pub async fn request(&self, request: ServiceRequest<'_>) -> Result<Answer, SvcError> {
        match &self.connection {
            Connection::Open(http) => http.request(request).await,
            Connection::Refused(error) => Err(error.clone()),
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
