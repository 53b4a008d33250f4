//! The run of a toolkit, from its registration to its end.
use super::{
    event::{Event, EventSender},
    registration::Registration,
};
use crate::{ErrorCode, SvcError};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::task::JoinHandle;

/// A serving toolkit. Await the runner: it ends with `Ok` after a stop, and with an error that no reconnect can correct, such as a revoked
/// key. When the runner is dropped, the toolkit closes its connection and ends its handlers.
#[derive(Debug)]
#[must_use = "the toolkit ends when its runner is dropped: await it"]
pub struct Runner {
    pub(crate) session: JoinHandle<Result<(), SvcError>>,
    pub(crate) registration: Registration,
    pub(crate) events: EventSender,
}

impl Runner {
    /// The service's answer to the first registration.
    pub fn registration(&self) -> &Registration {
        &self.registration
    }

    /// Stops the toolkit while the runner is awaited.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { events: self.events.clone() }
    }
}

impl Future for Runner {
    type Output = Result<(), SvcError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let ended = Pin::new(&mut self.session).poll(context);
        ended.map(|result| result.unwrap_or_else(|error| Err(SvcError::new(ErrorCode::Internal, format!("The toolkit ended: {error}")))))
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.events.send(Event::Abandoned);
    }
}

/// Stops a toolkit. Cheap to clone.
#[derive(Debug, Clone)]
pub struct StopHandle {
    events: EventSender,
}

impl StopHandle {
    /// Stops accepting invocations, waits for the running ones, delivers their results, and closes the connection; then the runner ends.
    pub fn stop(&self) {
        self.events.send(Event::Stop { timeout: None });
    }

    /// Like `stop`, with a timeout, after which the `cancellation` of the running handlers is set; a second later they are abandoned.
    pub fn stop_within(&self, timeout: Duration) {
        self.events.send(Event::Stop { timeout: Some(timeout) });
    }
}
