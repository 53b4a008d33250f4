//! One socket to the service, as its user sees it: sends texts and closes.
use tokio::{sync::mpsc::UnboundedSender, task::JoinHandle};

/// The queue of a socket.
#[derive(Debug)]
pub(super) enum Mail {
    Frame(String),
    Close(u16),
}

/// A socket after its opening. When it is dropped, it sends the queued frames and closes.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) id: u64,
    outbox: UnboundedSender<Mail>,
    task: JoinHandle<()>,
}

impl Connection {
    pub(super) fn new(id: u64, outbox: UnboundedSender<Mail>, task: JoinHandle<()>) -> Self {
        Self { id, outbox, task }
    }

    pub(crate) fn send(&self, frame: String) {
        let _ = self.outbox.send(Mail::Frame(frame));
    }

    /// Sends the queued frames, then closes.
    pub(crate) fn close(&self, code: u16) {
        let _ = self.outbox.send(Mail::Close(code));
    }

    /// Waits for the closing handshake.
    pub(crate) async fn closed(self) {
        let _ = self.task.await;
    }

    /// Closes without a closing handshake, because the other side is silent.
    pub(crate) fn cut(self) {
        self.task.abort();
    }
}
