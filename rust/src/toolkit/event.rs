//! The events of a running toolkit, in one queue: the session handles them in order, one at a time.
use super::{
    connection::Connection,
    details::ToolkitDetails,
    erased_action::DefinedAction,
    fault::Fault,
    outcome::Outcome,
    service_link::{RenewalSender, ServiceLink},
};
use crate::{Progress, SvcError};
use std::{sync::Arc, time::Duration};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Not printable: a message may hold the connection of a call.
pub(crate) enum Event {
    /// A try to open a connection has ended.
    Opened {
        attempt: u64,
        result: Result<Connection, Fault>,
    },
    Message {
        connection: u64,
        text: Utf8Bytes,
    },
    Closed {
        connection: u64,
        fault: Fault,
    },
    Progress {
        id: Arc<str>,
        progress: Progress,
    },
    /// The API of a call refused its connection.
    Refused {
        id: Arc<str>,
        done: RenewalSender,
    },
    /// A handler has ended.
    Ended {
        id: Arc<str>,
        outcome: Outcome,
    },
    /// The developer added an action.
    Added(Result<DefinedAction, SvcError>),
    /// The developer removed the action of that name.
    Removed(String),
    Update {
        details: Box<ToolkitDetails>,
        done: oneshot::Sender<Result<(), SvcError>>,
    },
    Stop {
        timeout: Option<Duration>,
    },
    /// The runner was dropped, so the end of the toolkit is not awaited any more.
    Abandoned,
}

/// The sender of the queue. After the end of the session, events are dropped.
#[derive(Debug, Clone)]
pub(crate) struct EventSender(mpsc::UnboundedSender<Event>);

impl EventSender {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self(sender), receiver)
    }

    pub(crate) fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }
}

impl ServiceLink for EventSender {
    fn report(&self, id: Arc<str>, progress: Progress) {
        self.send(Event::Progress { id, progress });
    }

    fn renew(&self, id: Arc<str>, done: RenewalSender) {
        self.send(Event::Refused { id, done });
    }
}
