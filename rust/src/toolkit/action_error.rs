//! A failure that a handler reports.
use crate::{ErrorCode, SvcError};
use serde_json::Value;
use std::{error::Error, time::Duration};

/// A failure that the handler foresees. Agents see `ACTION_FAILED` with this code and message as `cause`.
///
/// This type does not implement `std::error::Error`, so that `?` can convert every such error to an `ActionError` with the code
/// `HANDLER_THREW`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ActionError {
    /// A name for programs, such as `CITY_UNKNOWN`.
    pub code: String,
    /// The failure and its cure, for people and models.
    pub message: String,
    /// Further details for the next try; any JSON.
    pub data: Option<Box<Value>>,
    /// True if this call had no effect and the same call may succeed later: a retry runs the handler again, under the same idempotency key.
    pub retryable: Option<bool>,
    /// The time to wait before a retry.
    pub retry_after: Option<Duration>,
}

impl ActionError {
    /// An error without data.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None, retryable: None, retry_after: None }
    }

    /// Adds further details for the next try; any JSON.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Sets whether this call had no effect and the same call may succeed later: a retry runs the handler again.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.retryable = Some(retryable);
        self
    }

    /// Adds the time to wait before a retry.
    #[must_use]
    pub fn retry_after(mut self, time: Duration) -> Self {
        self.retry_after = Some(time);
        self
    }
}

impl<E: Error + 'static> From<E> for ActionError {
    fn from(error: E) -> Self {
        // The error of a nested call says nothing about the handler's own effects before that call, so it is not retryable. The account
        // that the nested call needs is not that of this call.
        match (&error as &dyn Error).downcast_ref::<SvcError>() {
            Some(SvcError { code, message, .. }) if *code != ErrorCode::ConnectionRequired => Self::new(code.as_str(), message),
            Some(SvcError { message, .. }) => Self::new("HANDLER_THREW", message),
            None => Self::new("HANDLER_THREW", error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_nested_call_is_not_retryable() {
        let error = SvcError::new(ErrorCode::RateLimited, "Wait");
        assert!(error.retryable);
        assert_eq!(ActionError::from(error), ActionError::new("RATE_LIMITED", "Wait"));
    }

    #[test]
    fn the_connection_that_a_nested_call_needs_is_not_that_of_this_call() {
        let error = SvcError::new(ErrorCode::ConnectionRequired, "Connect elsewhere");
        assert_eq!(ActionError::from(error), ActionError::new("HANDLER_THREW", "Connect elsewhere"));
    }
}
