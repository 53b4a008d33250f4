//! Retries of requests that are safe to retry.
//!
//! Rule: retries when the service cannot be reached, or refuses with `retryable` and `retryAfterMs`. After any other error a retry would
//! get the same answer, or the action may have run.
//! Source: "full jitter" of <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>: a random time below a bound that doubles,
//! so that callers that failed together do not retry together.
use crate::{ErrorCode, SvcError};
use std::time::Duration;

const MAX_TRIES: u32 = 3;
const FIRST_BOUND: Duration = Duration::from_millis(250);

/// The wait before the next try; `None` for an error that is not retried.
pub(super) fn delay(error: &SvcError, tries: u32, random: impl FnOnce() -> f64) -> Option<Duration> {
    let has_time = error.code == ErrorCode::ServiceUnreachable || error.retry_after_ms.is_some();
    if tries >= MAX_TRIES || !error.retryable || !has_time {
        return None;
    }
    let jitter = (FIRST_BOUND * 2u32.pow(tries - 1)).mul_f64(random());
    Some(error.retry_after().unwrap_or_default().saturating_add(jitter))
}
