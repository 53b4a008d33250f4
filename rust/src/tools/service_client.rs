//! The state that the calls of one `Tools` share, and their requests.
use super::{
    approvals::Approvals,
    caller::Caller,
    caller_ask::CallerAsk,
    connections::Connections,
    pending_usage::{PendingUsage, SEND_ALONE_AFTER},
    search_memory::SearchMemory,
    usage_header::ReportedUsage,
};
use crate::{
    ErrorCode, SvcError,
    hexadecimal::random_hexadecimal,
    http::{Answer, AnswerTest, HttpClient, ServiceRequest, TakesHandle, USAGE_PATH},
};
use reqwest::{Method, header::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{runtime, time::sleep};

pub(super) struct ServiceClient {
    settings: Arc<Settings>,
    access: Access,
    caller: Caller,
    caller_headers: HeaderMap,
    connections: Connections,
    approvals: Approvals,
    /// The service's ranking uses only calls that name the search that found their action.
    searches: Mutex<SearchMemory>,
    usage: PendingUsage,
}

pub(super) struct Settings {
    pub timeout: Duration,
    pub concurrency: usize,
    pub max_result_chars: usize,
    pub max_search_tokens: Option<u32>,
    pub max_payment: Option<String>,
    /// The model has the tool `run_code`.
    pub code: bool,
    /// The calls of a model that the application's user approves.
    pub ask: Option<CallerAsk>,
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
        Ok(Self {
            settings,
            access,
            caller,
            caller_headers,
            connections,
            approvals,
            searches: Mutex::default(),
            usage: PendingUsage::default(),
        })
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
            usage: PendingUsage::default(),
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
            ask: None,
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

    /// Sends a request of the session, which may be sent again, with the reported tokens.
    pub async fn send_in_session(&self, request: &mut ServiceRequest<'_>) -> Result<Answer, SvcError> {
        let reports = self.usage.take();
        reports.put_into(&mut request.headers);
        let answer = self.send(request).await?;
        reports.have_arrived();
        Ok(answer)
    }

    /// Keeps the report for the next request of the session.
    ///
    /// Errors: INVALID_REQUEST
    pub fn report_usage(self: &Arc<Self>, usage: &ReportedUsage) -> Result<(), SvcError> {
        if self.caller.session_id.is_none() {
            let message = "Tokens are reported for a session: Tools::builder().session_id(…), or tools.for_user(…).session_id(…)";
            return Err(SvcError::new(ErrorCode::InvalidRequest, message));
        }
        let item = usage.to_item(&random_hexadecimal()?)?;
        let runtime = runtime::Handle::try_current().ok();
        if let (true, Some(runtime)) = (self.usage.add(item, runtime.is_some()), runtime) {
            let client = self.clone();
            drop(runtime.spawn(async move {
                sleep(SEND_ALONE_AFTER).await;
                client.usage.end_wait();
                // The next request of the session carries the reports that fail here.
                let _ = client.flush_usage().await;
            }));
        }
        Ok(())
    }

    /// Sends all reports now.
    pub async fn flush_usage(&self) -> Result<(), SvcError> {
        while !self.usage.is_empty() {
            let mut alone = ServiceRequest { body: None, ..self.post(USAGE_PATH, Value::Null, Value::is_null) };
            self.send_in_session(&mut alone).await?;
        }
        Ok(())
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
