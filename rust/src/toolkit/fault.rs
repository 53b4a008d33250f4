//! The reason why a connection ended or failed to open, and whether a retry can help.
use super::frames::{ErrorMember, FAILED, KEY_REFUSED, MESSAGE_TOO_BIG, Members};
use crate::{ErrorCode, SvcError, error_text::error_text};
use std::fmt::Display;

const MAX_QUOTED_CHARS: usize = 200;

/// The end of a connection.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) error: SvcError,
    /// Every retry would fail in the same way.
    pub(crate) is_final: bool,
    /// A frame of this toolkit was larger than the service accepts.
    pub(crate) frame_too_large: bool,
}

impl From<SvcError> for Fault {
    fn from(error: SvcError) -> Self {
        Self { error, is_final: false, frame_too_large: false }
    }
}

pub(crate) fn network_fault(url: &str, reason: impl Display) -> Fault {
    SvcError::new(ErrorCode::ServiceUnreachable, format!("No connection to {url}: {}", error_text(&reason.to_string()))).into()
}

/// The service, or a proxy before it, answered the upgrade request with a plain HTTP response.
pub(crate) fn refused_upgrade(url: &str, status: u16, body: &str) -> Fault {
    let is_final = matches!(status, 401 | 403);
    let error = read_problem(body).unwrap_or_else(|| {
        let code = if is_final { ErrorCode::InvalidKey } else { ErrorCode::ServiceUnreachable };
        let advice = if status == 404 || status < 400 { "; is the base URL right?" } else { "" };
        let quoted: String = error_text(body).chars().take(MAX_QUOTED_CHARS).collect();
        SvcError::new(code, format!("{url} answered {status}{advice} {quoted}").trim_end())
    });
    Fault { error, is_final, frame_too_large: false }
}

/// The connection closed. The reason of a refused key is its error code.
pub(crate) fn closed_with(code: u16, said: &str) -> Fault {
    let reason = error_text(said);
    if code == KEY_REFUSED {
        let error_code = match ErrorCode::from(reason.as_str()) {
            ErrorCode::Other(_) => ErrorCode::InvalidKey,
            known => known,
        };
        let shown = if reason.is_empty() { "the key is refused" } else { &reason };
        let message = format!("The service closed the connection: {shown}; give this toolkit another key");
        return Fault { error: SvcError::new(error_code, message), is_final: true, frame_too_large: false };
    }
    let colon = if reason.is_empty() { "" } else { ": " };
    let error = SvcError::new(ErrorCode::ConnectionClosed, format!("The connection closed with {code}{colon}{reason}"));
    Fault { error, is_final: false, frame_too_large: code == MESSAGE_TOO_BIG }
}

/// This side ended the connection.
pub(crate) fn broken_off(url: &str, reason: &str) -> Fault {
    SvcError::new(ErrorCode::ConnectionClosed, format!("Closed the connection to {url}: {reason}")).into()
}

/// An error answer of the service, whose `data` has the code.
pub(crate) fn service_error(error: ErrorMember<'_>) -> SvcError {
    let Some(code) = error.data.as_ref().and_then(|data| data.text("code")) else {
        let code = if error.code == i64::from(FAILED) { ErrorCode::Internal } else { ErrorCode::InvalidRequest };
        return SvcError::new(code, error_text(&error.message));
    };
    let mut members = error.data.map(|data| data.values()).unwrap_or_default();
    members.insert("code".into(), code.into());
    members.insert("detail".into(), error.message.clone().into());
    members.remove("message");
    SvcError::from_problem(members).unwrap_or_else(|| SvcError::new(ErrorCode::Internal, error_text(&error.message)))
}

/// `None` for the page of a proxy.
fn read_problem(body: &str) -> Option<SvcError> {
    Members::read(body).filter(|members| members.text("code").is_some()).and_then(|members| SvcError::from_problem(members.values()))
}
