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

/// A toolkit that serves. Await it: it ends with `Ok` when the toolkit was stopped, and with the error that no reconnect can mend, such
/// as a revoked key. Dropped, the toolkit closes its connection and ends its handlers.
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
    /// Takes no new invocations, lets the running ones end, delivers their results, closes the connection; then the runner ends.
    pub fn stop(&self) {
        self.events.send(Event::Stop { timeout: None });
    }

    /// The same; after the timeout, the `cancellation` of the running handlers is set, and a second later they are given up.
    pub fn stop_within(&self, timeout: Duration) {
        self.events.send(Event::Stop { timeout: Some(timeout) });
    }
}
