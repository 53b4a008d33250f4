//! A failure of an action as its handler reports it.
use crate::SvcError;
use serde_json::Value;
use std::{error::Error, time::Duration};

/// A failure that the handler foresees. Agents see `ACTION_FAILED` with this code and message as `cause`.
///
/// It is not a `std::error::Error`, so that every such error becomes an `ActionError` by `?`, with the code `HANDLER_THREW`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ActionError {
    /// A name for programs, such as `CITY_UNKNOWN`.
    pub code: String,
    /// The failure and its cure, for people and models.
    pub message: String,
    /// Details that help to do better; any JSON.
    pub data: Option<Box<Value>>,
    /// Whether the same call may succeed later, and this one had no effect: a retry runs the handler again, under the same idempotency key.
    pub retryable: Option<bool>,
    /// The time to wait before a retry.
    pub retry_after: Option<Duration>,
}

impl ActionError {
    /// An error without data.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None, retryable: None, retry_after: None }
    }

    /// Adds details that help to do better; any JSON.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Says whether the same call may succeed later, and this one had no effect: a retry runs the handler again.
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
        // The error of a call that the handler made says nothing about the effects that the handler had before, so it is not retryable.
        match (&error as &dyn Error).downcast_ref::<SvcError>() {
            Some(SvcError { code, message, .. }) => Self::new(code.as_str(), message),
            None => Self::new("HANDLER_THREW", error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn the_error_of_a_call_that_the_handler_made_is_not_retryable() {
        let error = SvcError::new(ErrorCode::RateLimited, "Wait");
        assert!(error.retryable);
        assert_eq!(ActionError::from(error), ActionError::new("RATE_LIMITED", "Wait"));
    }
}
