//! The statuses that `on_status` reports about the connection.
use super::registration::{Registration, RejectedAction};
use crate::SvcError;
use std::{sync::Arc, time::Duration};

/// The connection of a toolkit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolkitStatus {
    /// A connection is being opened.
    Connecting,
    /// The toolkit is registered. Reported again after each change of the list of actions, and after a move to another node.
    #[non_exhaustive]
    Connected {
        /// The service's answer.
        registration: Registration,
        /// Actions that the service does not accept.
        rejected: Vec<RejectedAction>,
        /// The service refused the change and keeps the old list.
        refused: Option<SvcError>,
    },
    /// The connection is lost, or could not be opened.
    #[non_exhaustive]
    Disconnected {
        /// The reason. Its code is `SERVICE_UNREACHABLE`, `CONNECTION_CLOSED`, or the code of the service's own error.
        reason: SvcError,
        /// The time until the next try.
        retry_in: Duration,
    },
    /// The last status.
    #[non_exhaustive]
    Stopped {
        /// The error of the runner; `None` after a stop.
        reason: Option<SvcError>,
    },
}

/// A mistake of this toolkit in an ended call, reported by the service.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallWarning {
    /// The call.
    pub invocation_id: String,
    /// The mistake, such as a charge above the hold.
    pub message: String,
}

pub(crate) type StatusListener = Arc<dyn Fn(ToolkitStatus) + Send + Sync>;
pub(crate) type WarningListener = Arc<dyn Fn(CallWarning) + Send + Sync>;
