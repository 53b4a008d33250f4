//! Requests of an agent to the service, with key, deadline and retries.
//!
//! Errors: no message contains the key or a credential. A dropped future closes its request, which cancels the call.
//! Source: docs/protocol.md, section 3.
mod api_key;
mod client_builder;
mod clock;
mod header_names;
mod retry;
mod retry_after;
mod service_answer;
mod sse;
#[cfg(feature = "rustls")]
mod tls;

use crate::{ErrorCode, SvcError, error_text::error_text, number_digits::require_safe_numbers};
use reqwest::{
    Method, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::runtime;
use tracing::Instrument as _;

pub(crate) use api_key::ApiKey;
pub(crate) use client_builder::{build_client, client_builder};
pub(crate) use clock::{Clock, SystemClock};
use header_names::{
    ACTION_VERSION_HEADER, ASK_HEADER, CALLER_HEADER, IDEMPOTENCY_KEY_HEADER, MAX_PAYMENT_HEADER, MAX_RESULT_CHARS_HEADER, PREFER_HEADER,
    SEARCH_ID_HEADER, TIMEOUT_HEADER,
};
pub(crate) use header_names::{CONNECTION_NAMES_HEADER, CONNECTIONS_HEADER, SESSION_ID_HEADER, USAGE_HEADER, USER_ID_HEADER};
use service_answer::Expected;
pub(crate) use service_answer::{Answer, AnswerTest, ProgressListener};

pub(crate) const SEARCH_PATH: &str = "/v1/search";
pub(crate) const INVOKE_PATH: &str = "/v1/invoke";
pub(crate) const RESOLVE_PATH: &str = "/v1/resolve";
pub(crate) const ACTIONS_PATH: &str = "/v1/actions";
/// Tokens of a model that no other request carries.
pub(crate) const USAGE_PATH: &str = "/v1/usage";
/// Calls that run longer than their request, by their handle.
pub(crate) const INVOCATIONS_PATH: &str = "/v1/invocations";
/// Programs of models that the service runs.
pub(crate) const RUNS_PATH: &str = "/v1/runs";
/// Calls that a person has to decide about.
pub(crate) const APPROVALS_PATH: &str = "/v1/approvals";
pub(crate) const SESSIONS_PATH: &str = "/v1/connections/sessions";
pub(crate) const CONFIRM_PATH: &str = "/v1/connections/confirm";

/// Extra time for the service's own INVOCATION_TIMEOUT, which has the invocation's id.
const GRACE: Duration = Duration::from_secs(1);

/// The time at which a call takes a handle in place of a result.
#[derive(Clone, Copy, Default)]
pub(crate) enum TakesHandle {
    #[default]
    Never,
    /// The call takes it at once, and then has this deadline, or the longest of the service.
    Now(Option<Duration>),
    /// Shortly before the timeout, if its action may take long.
    Later,
    /// After this wait, and shortly before the timeout at the latest. The work has the longest deadline of the service.
    WhenStillRunning { wait: Option<Duration> },
}

/// One request.
pub(crate) struct ServiceRequest<'a> {
    pub method: Method,
    /// Path and query, such as `/v1/actions?toolkit=weather`.
    pub path: String,
    pub body: Option<Value>,
    pub is_answer: AnswerTest,
    /// The timeout of all tries together.
    pub timeout: Duration,
    pub takes_handle: TakesHandle,
    pub idempotency_key: Option<String>,
    pub max_result_chars: Option<usize>,
    pub max_payment: Option<String>,
    /// The only version of the action that may run.
    pub action_version: Option<String>,
    /// A program of the model's provider made the call.
    pub by_program: bool,
    /// The caller's own rules about calls that its human approves.
    pub ask: Option<String>,
    /// Id of the search that led to this request.
    pub search_id: Option<String>,
    pub on_progress: Option<ProgressListener<'a>>,
    /// The headers of the caller.
    pub headers: HeaderMap,
    /// Texts in `headers` that no error may contain.
    pub secrets: Vec<String>,
}

/// A client for the service at one address.
pub(crate) struct HttpClient {
    pub base_url: String,
    pub api_key: ApiKey,
    pub clock: Arc<dyn Clock>,
    client: reqwest::Client,
}

impl HttpClient {
    pub fn new(base_url: String, api_key: ApiKey, clock: Arc<dyn Clock>) -> Result<Self, SvcError> {
        Ok(Self { base_url, api_key, clock, client: shared_client()? })
    }

    /// The JSON of the answer.
    pub async fn request(&self, request: &mut ServiceRequest<'_>) -> Result<Answer, SvcError> {
        let span = tracing::debug_span!("svc_request", path = request.path);
        self.with_retries(request).instrument(span).await
    }

    async fn with_retries(&self, request: &mut ServiceRequest<'_>) -> Result<Answer, SvcError> {
        let body = request.body.as_ref().map(|body| body.to_string());
        require_safe_numbers(body.as_deref().unwrap_or_default())?;
        let ends_at = self.clock.now() + request.timeout;
        let mut tries = 0;
        loop {
            tries += 1;
            let left = ends_at.saturating_sub(self.clock.now());
            let error = match self.attempt(request, body.as_deref(), left).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(wait) = retry::delay(&error, tries, || self.clock.random()) else { return Err(error) };
            if self.clock.now() + wait >= ends_at {
                return Err(error);
            }
            tracing::debug!(code = %error.code, ?wait, tries, "retry");
            self.clock.sleep(wait).await;
        }
    }

    async fn attempt(&self, request: &mut ServiceRequest<'_>, body: Option<&str>, left: Duration) -> Result<Answer, SvcError> {
        let (method, path) = (request.method.clone(), request.path.split('?').next().unwrap_or_default().to_owned());
        let timeout = request.timeout;
        tokio::time::timeout(left + GRACE, self.with_key(request, body, left)).await.unwrap_or_else(|_| {
            let message =
                format!("No answer from {} to {method} {path} in {} s: it may still be at work", self.base_url, timeout.as_secs_f64());
            Err(SvcError::new(ErrorCode::InvocationTimeout, message))
        })
    }

    /// Repeats the request if the service refuses the key and another key exists. The idempotency key prevents a second run.
    async fn with_key(&self, request: &mut ServiceRequest<'_>, body: Option<&str>, left: Duration) -> Result<Answer, SvcError> {
        let key = self.api_key.current().await?;
        let error = match self.exchange(request, body, left, &key).await {
            Err(error) if matches!(error.code, ErrorCode::KeyExpired | ErrorCode::KeyRevoked | ErrorCode::InvalidKey) => error,
            outcome => return outcome,
        };
        match self.api_key.replacement(&key).await? {
            Some(other) => self.exchange(request, body, left, &other).await,
            None => Err(error),
        }
    }

    async fn exchange(&self, request: &mut ServiceRequest<'_>, body: Option<&str>, left: Duration, key: &str) -> Result<Answer, SvcError> {
        let mut sent = self.client.request(request.method.clone(), format!("{}{}", self.base_url, request.path));
        sent = sent.headers(self.headers_of(request, key, left)?);
        if let Some(body) = body {
            sent = sent.body(body.to_owned());
        }
        let response = sent.send().await.map_err(|error| service_answer::unreachable(&self.base_url, &error_text(&reason_of(error))))?;
        let expected = Expected { base_url: &self.base_url, key, secrets: &request.secrets, is_answer: request.is_answer };
        service_answer::read(response, expected, request.on_progress.as_mut()).await
    }

    fn headers_of(&self, request: &ServiceRequest<'_>, key: &str, left: Duration) -> Result<HeaderMap, SvcError> {
        let mut headers = request.headers.clone();
        let mut authorization = header_value("The key", format!("Bearer {key}"))?;
        authorization.set_sensitive(true);
        headers.insert(AUTHORIZATION, authorization);
        let accepted = if request.on_progress.is_some() { "text/event-stream" } else { "application/json" };
        headers.insert(ACCEPT, HeaderValue::from_static(accepted));
        if request.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // The handle has to come before the client gives up.
        let wait = left.as_nanos().div_ceil(1_000_000_000).saturating_sub(1);
        let (deadline, preference) = match request.takes_handle {
            TakesHandle::Never => (Some(left), None),
            TakesHandle::Now(deadline) => (deadline, Some("respond-async".into())),
            TakesHandle::Later => (Some(left), Some(format!("respond-async, wait={wait}"))),
            TakesHandle::WhenStillRunning { wait: own } => {
                let wait = own.map_or(wait, |own| wait.min(own.as_secs().into()));
                (None, Some(format!("respond-async, wait={wait}")))
            }
        };
        let named = [
            (TIMEOUT_HEADER, deadline.map(milliseconds)),
            (PREFER_HEADER, preference),
            (IDEMPOTENCY_KEY_HEADER, request.idempotency_key.clone()),
            (MAX_RESULT_CHARS_HEADER, request.max_result_chars.map(|chars| chars.to_string())),
            (MAX_PAYMENT_HEADER, request.max_payment.clone()),
            (ACTION_VERSION_HEADER, request.action_version.clone()),
            (SEARCH_ID_HEADER, request.search_id.clone()),
            (CALLER_HEADER, request.by_program.then(|| "program".into())),
            (ASK_HEADER, request.ask.clone()),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                let value = header_value(name.as_str(), value)?;
                headers.insert(name, value);
            }
        }
        Ok(headers)
    }
}

/// One pool of connections for a whole runtime. Not for several runtimes, such as those of parallel tests: a connection ends with the
/// runtime that opened it, which would cancel the call on it.
fn shared_client() -> Result<reqwest::Client, SvcError> {
    static NEWEST: Mutex<Option<(Option<runtime::Id>, reqwest::Client)>> = Mutex::new(None);
    let current = runtime::Handle::try_current().ok().map(|handle| handle.id());
    let mut newest = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, client)) = newest.as_ref().filter(|(runtime, _)| *runtime == current) {
        return Ok(client.clone());
    }
    let client = build_client(client_builder()?)?;
    Ok(newest.insert((current, client)).1.clone())
}

/// A path that ends with any text.
pub(crate) fn path_with(path: &str, last: &str) -> String {
    // The host is not part of the path, so any host is valid.
    let mut url = Url::parse("http://host").expect("a constant URL");
    url.set_path(path);
    if let Ok(mut parts) = url.path_segments_mut() {
        parts.push(last);
    }
    url.path().into()
}

fn milliseconds(time: Duration) -> String {
    time.as_nanos().div_ceil(1_000_000).max(1).to_string()
}

fn header_value(name: &str, value: String) -> Result<HeaderValue, SvcError> {
    HeaderValue::try_from(value).map_err(|_| SvcError::new(ErrorCode::InvalidRequest, format!("{name} cannot be a header")))
}

/// The first cause, such as `Connection refused (os error 111)`.
pub(crate) fn reason_of(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut reason: &dyn std::error::Error = &error;
    while let Some(cause) = reason.source() {
        reason = cause;
    }
    reason.to_string()
}
