//! The connection in use, and this side's open requests on it.
use super::{
    connection::Connection,
    frames::{notification_frame, request_frame},
    service_link::RenewalSender,
};
use std::{collections::HashMap, sync::Arc};

const MAX_MALFORMED_FRAMES: u32 = 3;

/// A request of this side, with the subject of its answer.
#[derive(Debug)]
pub(crate) enum Request {
    Register,
    /// A part of a long list of actions.
    ListPart,
    Drain,
    /// The answer confirms these results.
    Heartbeat {
        sent: Vec<Arc<str>>,
    },
    /// The result of that invocation.
    Result {
        id: Arc<str>,
    },
    /// The update of that number.
    Update {
        number: u64,
    },
    /// Another connection of a call.
    Connection {
        done: RenewalSender,
    },
}

#[derive(Debug)]
struct Line {
    connection: Connection,
    requests: HashMap<u64, Request>,
    last_id: u64,
    malformed_frames: u32,
}

/// Drops the frame while there is no connection.
#[derive(Debug, Default)]
pub(crate) struct Wire(Option<Line>);

impl Wire {
    pub(crate) fn connect(&mut self, connection: Connection) {
        self.0 = Some(Line { connection, requests: HashMap::new(), last_id: 0, malformed_frames: 0 });
    }

    /// Takes the connection out of use. The requests on it are lost.
    pub(crate) fn disconnect(&mut self) -> Option<Connection> {
        self.0.take().map(|line| line.connection)
    }

    pub(crate) fn uses(&self, connection: u64) -> bool {
        self.0.as_ref().is_some_and(|line| line.connection.id == connection)
    }

    pub(crate) fn send(&mut self, frame: String) {
        if let Some(line) = &self.0 {
            line.connection.send(frame);
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params_json: &str) {
        self.send(notification_frame(method, params_json));
    }

    pub(crate) fn request(&mut self, method: &str, params_json: &str, request: Request) {
        if let Some(line) = &mut self.0 {
            line.last_id += 1;
            line.requests.insert(line.last_id, request);
            line.connection.send(request_frame(line.last_id, method, params_json));
        }
    }

    /// The request of an answer. An answer without a request is ignored: its id does not identify the invalid frame.
    pub(crate) fn settle(&mut self, id: u64) -> Option<Request> {
        self.0.as_mut()?.requests.remove(&id)
    }

    /// Counts a frame that is not JSON-RPC. True for the frame that ends the connection.
    pub(crate) fn count_malformed(&mut self) -> bool {
        self.0.as_mut().is_some_and(|line| {
            line.malformed_frames += 1;
            line.malformed_frames == MAX_MALFORMED_FRAMES
        })
    }
}
