//! The cancellation of a call before its handler ends.
use std::sync::{Arc, OnceLock};
use tokio_util::sync::CancellationToken;

/// Why a handler should stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CancelReason {
    /// The caller has left.
    Cancelled,
    /// The deadline has passed.
    Timeout,
    /// The toolkit stops.
    Stopped,
}

/// A token with its reason. The first reason counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancellation {
    reason: Arc<OnceLock<CancelReason>>,
    pub(crate) token: CancellationToken,
}

impl Cancellation {
    pub(crate) fn cancel(&self, reason: CancelReason) {
        let _ = self.reason.set(reason);
        self.token.cancel();
    }

    pub(crate) fn reason(&self) -> Option<CancelReason> {
        self.reason.get().copied()
    }
}
