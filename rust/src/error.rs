//! One error on every side. Programs decide on `code`; the message is for people and models.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A code that this version does not know stays readable: services may be newer than SDKs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum ErrorCode {
    InvalidRequest,
    InvalidKey,
    KeyExpired,
    KeyRevoked,
    WrongKeyKind,
    ActionNotAllowed,
    ActionNotFound,
    ToolkitNotFound,
    UnknownTool,
    RequestTooLarge,
    InvalidPayload,
    InvalidAction,
    IdempotencyMismatch,
    RateLimited,
    InvocationCancelled,
    Internal,
    ActionFailed,
    OutcomeUnknown,
    ToolkitOffline,
    QueueFull,
    ServiceUnavailable,
    ServiceStopping,
    ServiceUnreachable,
    InvocationTimeout,
    ConnectionClosed,
    Other(String),
}

macro_rules! codes { ($($name:ident $text:literal),* $(,)?) => {
    impl From<String> for ErrorCode { fn from(s: String) -> Self { match s.as_str() { $($text => Self::$name,)* _ => Self::Other(s) } } }
    impl From<ErrorCode> for String { fn from(c: ErrorCode) -> Self { match c { $(ErrorCode::$name => $text.into(),)* ErrorCode::Other(s) => s } } }
}}
codes! {
    InvalidRequest "INVALID_REQUEST", InvalidKey "INVALID_KEY", KeyExpired "KEY_EXPIRED", KeyRevoked "KEY_REVOKED", WrongKeyKind "WRONG_KEY_KIND",
    ActionNotAllowed "ACTION_NOT_ALLOWED", ActionNotFound "ACTION_NOT_FOUND", ToolkitNotFound "TOOLKIT_NOT_FOUND", UnknownTool "UNKNOWN_TOOL",
    RequestTooLarge "REQUEST_TOO_LARGE", InvalidPayload "INVALID_PAYLOAD", InvalidAction "INVALID_ACTION", IdempotencyMismatch "IDEMPOTENCY_MISMATCH",
    RateLimited "RATE_LIMITED", InvocationCancelled "INVOCATION_CANCELLED", Internal "INTERNAL", ActionFailed "ACTION_FAILED",
    OutcomeUnknown "OUTCOME_UNKNOWN", ToolkitOffline "TOOLKIT_OFFLINE", QueueFull "QUEUE_FULL", ServiceUnavailable "SERVICE_UNAVAILABLE",
    ServiceStopping "SERVICE_STOPPING", ServiceUnreachable "SERVICE_UNREACHABLE", InvocationTimeout "INVOCATION_TIMEOUT",
    ConnectionClosed "CONNECTION_CLOSED",
}

#[derive(Debug, Clone, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
#[non_exhaustive]
pub struct SvcError {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default)]
    pub retryable: bool,
    #[serde(default, rename = "retryAfterMs", skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// `didYouMean`, `issues`, `received`, `cause`, `invocationId`, and what later versions add.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl SvcError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retryable: false, retry_after_ms: None, details: Map::new() }
    }
    /// An RFC 9457 problem document of the service; `None` for a proxy's page.
    pub(crate) fn from_problem(mut body: Map<String, Value>) -> Option<Self> {
        let message = body.remove("detail")?;
        for member in ["type", "title", "status"] {
            body.remove(member);
        }
        body.insert("message".into(), message);
        serde_json::from_value(Value::Object(body)).ok()
    }
}
