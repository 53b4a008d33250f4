//! The way of a call to the service.
use super::connection_values::ConnectionValues;
use crate::{Progress, SvcError};
use std::{fmt, sync::Arc};
use tokio::sync::oneshot;

/// Receives another connection of a call. It is dropped if the connection to the service is lost.
pub(crate) type RenewalSender = oneshot::Sender<Result<ConnectionValues, SvcError>>;

/// Sends the reports and the requests of calls.
pub(crate) trait ServiceLink: fmt::Debug + Send + Sync {
    fn report(&self, id: Arc<str>, progress: Progress);

    /// Asks for another connection of a call, whose API refused the present one.
    fn renew(&self, id: Arc<str>, done: RenewalSender);
}
