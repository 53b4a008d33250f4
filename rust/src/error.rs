//! The one error of svc-sdk, on every side. `docs/errors.md` has the cause and the cure of each code.
use crate::error_text::{error_json, error_text};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Map, Value};
use std::{fmt, time::Duration};

const PROBLEM_TYPE: &str = "urn:svc-sdk:error:";
const PROBLEM_MEMBERS: [&str; 5] = ["type", "title", "status", "detail", "code"];

macro_rules! error_codes {
    ($($(#[doc = $meaning:literal])* $name:ident $text:literal $retryable:literal),* $(,)?) => {
        /// The stable name of an error. Programs decide on the code.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[doc = $meaning])* $name,)*
            /// A code of a newer service.
            Other(String),
        }

        impl ErrorCode {
            /// The name on the wire, such as `ACTION_NOT_FOUND`.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Other(text) => text,
                }
            }

            /// True if a call with this error may succeed later without any change, unless the error says otherwise.
            pub fn is_retryable(&self) -> bool {
                match self {
                    $(Self::$name => $retryable,)*
                    Self::Other(_) => false,
                }
            }
        }

        impl From<&str> for ErrorCode {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$name,)*
                    _ => Self::Other(text.into()),
                }
            }
        }
    };
}

error_codes! {
    /// The body, a header, an option or a frame violates the protocol.
    InvalidRequest "INVALID_REQUEST" false,
    /// The key is missing, mistyped or unknown.
    InvalidKey "INVALID_KEY" false,
    /// The key or the agent token has expired.
    KeyExpired "KEY_EXPIRED" false,
    /// The key was revoked.
    KeyRevoked "KEY_REVOKED" false,
    /// The budget of the key, or the caller's limit, does not cover the price.
    PaymentRequired "PAYMENT_REQUIRED" false,
    /// An agent key in place of a toolkit key, or the reverse.
    WrongKeyKind "WRONG_KEY_KIND" false,
    /// The console: no person is signed in.
    NotSignedIn "NOT_SIGNED_IN" false,
    /// The console: e-mail address or password is wrong.
    SignInFailed "SIGN_IN_FAILED" false,
    /// The console: sign in again first.
    FreshSignInRequired "FRESH_SIGN_IN_REQUIRED" false,
    /// The console: this person may not do this.
    NotPermitted "NOT_PERMITTED" false,
    /// The key's allow list does not contain the action.
    ActionNotAllowed "ACTION_NOT_ALLOWED" false,
    /// A program of the model's provider may not make this call: make it yourself.
    CallDirectly "CALL_DIRECTLY" false,
    /// A person has to approve the call before it runs; `approval` has the question.
    ApprovalRequired "APPROVAL_REQUIRED" false,
    /// A person denied the call, or it was not approved in time.
    ApprovalDenied "APPROVAL_DENIED" false,
    /// The call needs an account that is not connected; `connect` has the way to connect it.
    ConnectionRequired "CONNECTION_REQUIRED" false,
    /// No such path, key, call or person.
    NotFound "NOT_FOUND" false,
    /// Answer to a toolkit: the service does not have that list of actions.
    ListNotFound "LIST_NOT_FOUND" false,
    /// No toolkit has that action.
    ActionNotFound "ACTION_NOT_FOUND" false,
    /// There is no such toolkit.
    ToolkitNotFound "TOOLKIT_NOT_FOUND" false,
    /// The model called a tool that does not exist.
    UnknownTool "UNKNOWN_TOOL" false,
    /// A name is taken, or the change does not fit the present state.
    Conflict "CONFLICT" false,
    /// The action has changed since the caller's decision: decide again.
    ActionChanged "ACTION_CHANGED" false,
    /// The request exceeds a limit of the service.
    RequestTooLarge "REQUEST_TOO_LARGE" false,
    /// The payload does not fit the action.
    InvalidPayload "INVALID_PAYLOAD" false,
    /// The service rejects the action of a toolkit.
    InvalidAction "INVALID_ACTION" false,
    /// The idempotency key belongs to another call.
    IdempotencyMismatch "IDEMPOTENCY_MISMATCH" false,
    /// Too many calls per minute, or at the same time.
    RateLimited "RATE_LIMITED" true,
    /// The caller left or cancelled.
    InvocationCancelled "INVOCATION_CANCELLED" false,
    /// A fault of the service.
    Internal "INTERNAL" true,
    /// The handler failed; `cause` holds its error.
    ActionFailed "ACTION_FAILED" false,
    /// The action may or may not have run.
    OutcomeUnknown "OUTCOME_UNKNOWN" false,
    /// No process serves the action now.
    ToolkitOffline "TOOLKIT_OFFLINE" true,
    /// Too many calls wait for the toolkit.
    QueueFull "QUEUE_FULL" true,
    /// The service cannot work now.
    ServiceUnavailable "SERVICE_UNAVAILABLE" true,
    /// The service stops.
    ServiceStopping "SERVICE_STOPPING" true,
    /// No svc-sdk service answers at that address.
    ServiceUnreachable "SERVICE_UNREACHABLE" true,
    /// No result in time: the action may still have run.
    InvocationTimeout "INVOCATION_TIMEOUT" false,
    /// The connection closed.
    ConnectionClosed "CONNECTION_CLOSED" true,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl From<String> for ErrorCode {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<ErrorCode> for String {
    fn from(code: ErrorCode) -> Self {
        code.as_str().into()
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// An error of svc-sdk. Programs decide on `code`; the message is for people and models.
///
/// The JSON of an error is for a model: `{"code", "message", …, "retryable"}`.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[error("{message}")]
#[non_exhaustive]
pub struct SvcError {
    /// A stable name.
    pub code: ErrorCode,
    /// The failure and the next step.
    pub message: String,
    /// Further details for the next try: `didYouMean`, `issues`, `received`, `cause`, `invocationId`, `connect`, `payment`, and members of
    /// newer services.
    #[serde(flatten)]
    pub details: Box<Map<String, Value>>,
    /// Milliseconds to wait before a retry, if the service named them.
    #[serde(rename = "retryAfterMs", skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// True if the same call may succeed later without any change.
    pub retryable: bool,
}

impl SvcError {
    /// An error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { retryable: code.is_retryable(), code, message: message.into(), details: Box::default(), retry_after_ms: None }
    }

    /// The time to wait before a retry, if the service named it.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_ms.map(Duration::from_millis)
    }

    /// The error of an RFC 9457 problem document; `None` for any other document, such as a proxy's own error page. The texts have no key,
    /// no invisible characters, and a message has at most 4,096 characters.
    pub(crate) fn from_problem(mut document: Map<String, Value>) -> Option<Self> {
        let code = ErrorCode::from(document.get("code")?.as_str()?);
        let names_its_type = document.get("type").and_then(Value::as_str) == Some(&format!("{PROBLEM_TYPE}{code}"));
        if matches!(code, ErrorCode::Other(_)) && !names_its_type {
            return None;
        }
        let message = error_text(document.get("detail").and_then(Value::as_str).unwrap_or_default());
        document.retain(|name, _| !PROBLEM_MEMBERS.contains(&name.as_str()));
        let cause_message = document.get("cause").and_then(|cause| cause["message"].as_str()).map(error_text);
        let Value::Object(mut details) = error_json(&Value::Object(document)) else { return None };
        if let (Some(text), Some(Value::Object(cause))) = (cause_message, details.get_mut("cause")) {
            cause.insert("message".into(), text.into());
        }
        Some(Self::with_details(code, message, details))
    }

    fn with_details(code: ErrorCode, message: String, mut details: Map<String, Value>) -> Self {
        let retryable = details.shift_remove("retryable").and_then(|value| value.as_bool()).unwrap_or_else(|| code.is_retryable());
        let retry_after_ms = details.shift_remove("retryAfterMs").and_then(|value| value.as_f64()).map(|wait| wait.ceil() as u64);
        Self { code, message, details: Box::new(details), retry_after_ms, retryable }
    }
}

impl<'de> Deserialize<'de> for SvcError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut members = Map::deserialize(deserializer)?;
        let mut text = |name| match members.shift_remove(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(D::Error::missing_field(name)),
        };
        Ok(Self::with_details(text("code")?.into(), text("message")?, members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_code_of_the_documentation_is_known() {
        let page = include_str!("../../docs/errors.md");
        let codes = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let unknown = codes.clone().filter(|text| matches!(ErrorCode::from(*text), ErrorCode::Other(_)));
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&str>::new());
        assert!(codes.count() > 25);
    }

    #[test]
    fn the_json_of_an_error_has_what_a_model_needs_and_reads_back() {
        let problem =
            json!({ "code": "RATE_LIMITED", "detail": "Wait", "title": "t", "status": 429, "retryAfterMs": 1500, "didYouMean": ["a__b"] });
        let error = SvcError::from_problem(problem.as_object().unwrap().clone()).unwrap();
        let json = r#"{"code":"RATE_LIMITED","message":"Wait","didYouMean":["a__b"],"retryAfterMs":1500,"retryable":true}"#;
        assert_eq!(serde_json::to_string(&error).unwrap(), json);
        assert_eq!(serde_json::from_str::<SvcError>(json).unwrap(), error);
        assert_eq!(error.retry_after(), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn a_code_of_a_newer_service_is_kept_and_a_foreign_document_is_not_an_error() {
        let problem = |document: Value| SvcError::from_problem(document.as_object().unwrap().clone());
        let newer = problem(json!({ "type": "urn:svc-sdk:error:TOO_NEW", "code": "TOO_NEW", "detail": "d" })).unwrap();
        assert_eq!((newer.code.as_str(), newer.retryable), ("TOO_NEW", false));
        assert_eq!(problem(json!({ "code": "TOO_NEW", "detail": "d" })), None);
        assert_eq!(problem(json!({ "error": "bad gateway" })), None);
    }
}
