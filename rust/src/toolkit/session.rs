//! The running part of a toolkit: registers on every connection, serves, and ends when it is stopped or refused.
//!
//! Shape:  one task, which handles events and timers one after the other. Phases opening -> registered -> waiting -> opening …, until
//!         ended; a move goes from registered to opening.
//! Errors: INVALID_ACTION or the service's own error at the first registration, and the key's error at any time; any other error is a
//!         status, followed by a retry.
//! Source: docs/protocol.md, section 6.
use super::{
    confirmations::Confirmations,
    connection::Connection,
    connection_values::read_renewal,
    details::{Details, ToolkitDetails},
    erased_action::DefinedAction,
    event::{Event, EventSender},
    fault::{Fault, broken_off, service_error},
    frames::{FrameIn, METHOD_NOT_FOUND, Members, NORMAL, PROTOCOL_VIOLATED, answer_frame, borrowed_text, read_frame, to_json},
    invocations::Invocations,
    link::{Link, Purpose},
    options::Options,
    registrar::Registrar,
    registration::{RegisterAnswer, Registration, read_register_answer, rejected_actions_error},
    shutdown::{Shutdown, Step},
    socket::{OPEN_TIME, Target},
    status::ToolkitStatus,
    status_reporter::StatusReporter,
    wire::{Request, Wire},
};
use crate::{ErrorCode, SvcError};
use serde_json::{json, value::RawValue};
use std::future::pending;
use tokio::{
    runtime::Handle,
    sync::{mpsc::UnboundedReceiver, oneshot},
    time::{Instant, sleep_until},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No connection, or a connection that is not registered.
    Opening,
    Registered,
    /// The next attempt is scheduled.
    Waiting,
    Ended,
}

/// One run of a toolkit.
pub(crate) struct Session {
    queue: UnboundedReceiver<Event>,
    skips_rejected: bool,
    status: StatusReporter,
    link: Link,
    wire: Wire,
    registrar: Registrar,
    details: Details,
    invocations: Invocations,
    confirmations: Confirmations,
    shutdown: Shutdown,
    ready: Option<oneshot::Sender<Result<Registration, SvcError>>>,
    phase: Phase,
    /// The deadline of the registration.
    register_by: Option<Instant>,
    registration: Option<Registration>,
    reason: Option<SvcError>,
}

impl Session {
    pub(crate) fn new(
        options: &Options,
        target: Target,
        actions: Vec<DefinedAction>,
        details: ToolkitDetails,
        handlers: Handle,
        (events, queue): (EventSender, UnboundedReceiver<Event>),
        ready: oneshot::Sender<Result<Registration, SvcError>>,
    ) -> Self {
        let (on_status, on_warning) = (options.on_status.clone(), options.on_warning.clone());
        Self {
            queue,
            skips_rejected: options.skips_rejected,
            status: StatusReporter::new(on_status, on_warning, &target.url, &target.api_key),
            link: Link::new(target, events.clone()),
            wire: Wire::default(),
            registrar: Registrar::new(actions, options.concurrency),
            details: Details::new(details),
            invocations: Invocations::new(options.concurrency, handlers, events),
            confirmations: Confirmations::default(),
            shutdown: Shutdown::default(),
            ready: Some(ready),
            phase: Phase::Opening,
            register_by: None,
            registration: None,
            reason: None,
        }
    }

    /// Serves until the end.
    pub(crate) async fn run(mut self) -> Result<(), SvcError> {
        self.connect(Instant::now());
        while self.phase != Phase::Ended {
            let time = self.next_time();
            tokio::select! {
                // A timer is registered when it is polled first: not for each event while others wait.
                biased;
                Some(event) = self.queue.recv() => {
                    let now = Instant::now();
                    self.on_event(event, now);
                    if time.is_some_and(|time| time <= now) && self.phase != Phase::Ended {
                        self.tick(now);
                    }
                }
                () = until(time) => self.tick(Instant::now()),
            }
        }
        if let Some(connection) = self.wire.disconnect() {
            connection.close(NORMAL);
            connection.closed().await;
        }
        self.invocations.abort_all();
        self.status.report(ToolkitStatus::Stopped { reason: self.reason.clone() }, Instant::now());
        self.reason.map_or(Ok(()), Err)
    }

    fn next_time(&self) -> Option<Instant> {
        let times = [
            self.link.next_time(),
            self.register_by,
            self.confirmations.next_time(),
            self.invocations.next_time(),
            self.shutdown.next_time(),
            self.status.next_time(),
        ];
        times.into_iter().flatten().min()
    }

    fn on_event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Opened { attempt, result } => self.on_opened(attempt, result, now),
            Event::Message { connection, text } if self.wire.uses(connection) => self.on_message(&text, now),
            Event::Closed { connection, fault } if self.wire.uses(connection) => {
                self.wire.disconnect();
                self.on_closed(fault, now);
            }
            // Events of a retired connection are ignored.
            Event::Message { .. } | Event::Closed { .. } => {}
            Event::Progress { id, progress } => self.invocations.progress(&id, &progress, &mut self.wire),
            // The request is dropped without a registered connection, and its handler gets an error.
            Event::Refused { id, done } if self.phase == Phase::Registered => {
                self.wire.request("connection", &json!({ "invocationId": &*id }).to_string(), Request::Connection { done });
            }
            Event::Refused { .. } => {}
            Event::Ended { id, outcome } => {
                self.invocations.end_run(&id, outcome, &mut self.wire, now);
                self.on_invocations_changed(now);
            }
            Event::Added(Ok(action)) => {
                self.registrar.add(action);
                self.register_changes();
            }
            Event::Removed(name) => {
                self.registrar.remove(&name);
                self.register_changes();
            }
            Event::Added(Err(error)) => self.status.warn_of_action(&error.message),
            Event::Update { details, done } => self.details.update(*details, done, &mut self.wire),
            Event::Stop { timeout } => {
                self.link.stop_moving();
                if self.shutdown.begin(timeout, now) {
                    self.drain();
                }
                self.advance_shutdown(now);
            }
            Event::Abandoned => self.end(None),
        }
    }

    fn tick(&mut self, now: Instant) {
        if self.link.tick(now) {
            self.connect(now);
        }
        if self.register_by.is_some_and(|at| at <= now) {
            self.cut(&format!("no registration within {} s", OPEN_TIME.as_secs()), now);
        }
        if let Some(silence) = self.confirmations.tick(&mut self.invocations, &mut self.wire, now) {
            self.cut(&format!("no answer to a heartbeat within {silence:?}"), now);
        }
        self.invocations.tick(&mut self.wire, now);
        self.status.tick(now);
        match self.shutdown.tick(now) {
            Step::CancelHandlers => self.invocations.cancel_all(),
            Step::GiveUpHandlers => self.invocations.give_up(&mut self.wire),
            Step::End => self.end(None),
            Step::Wait | Step::Confirm => {}
        }
        self.on_invocations_changed(now);
    }

    // The connection.

    fn connect(&mut self, now: Instant) {
        self.phase = Phase::Opening;
        self.link.connect();
        self.status.report(ToolkitStatus::Connecting, now);
    }

    fn on_opened(&mut self, attempt: u64, result: Result<Connection, Fault>, now: Instant) {
        match (self.link.ended(attempt), result) {
            (Purpose::Connect, Ok(connection)) => self.use_connection(connection, now),
            (Purpose::Connect, Err(fault)) => self.on_closed(fault, now),
            (Purpose::Move, Ok(connection)) => {
                self.link.cancel_move();
                // Frames of the old connection are ignored before `register` is sent on the new one. Otherwise the new registration would
                // miss an invocation that arrived in between, and the service would send it to another process.
                if let Some(former) = self.wire.disconnect() {
                    former.close(NORMAL);
                }
                self.suspend();
                self.phase = Phase::Opening;
                self.use_connection(connection, now);
            }
            (Purpose::Move, Err(fault)) => self.link.move_failed(&fault.error, now),
            (Purpose::None, _) => {}
        }
    }

    fn use_connection(&mut self, connection: Connection, now: Instant) {
        self.wire.connect(connection);
        self.register_by = Some(now + OPEN_TIME);
        self.registrar.opened();
        self.register();
    }

    /// Handles the end of the connection in use, or a failed attempt to open one.
    fn on_closed(&mut self, fault: Fault, now: Instant) {
        self.link.cancel_move();
        self.suspend();
        if fault.frame_too_large {
            self.invocations.replace_largest();
        }
        if fault.is_final {
            self.end(Some(fault.error));
        } else if fault.frame_too_large && self.registration.is_none() {
            self.end(Some(registration_too_large_error()));
        } else if self.shutdown.begun && !self.invocations.is_owing() {
            self.end(None);
        } else {
            self.phase = Phase::Waiting;
            let retry_in = self.link.retry_later(&fault.error, now);
            self.status.report(ToolkitStatus::Disconnected { reason: fault.error, retry_in }, now);
        }
    }

    /// Closes the connection without a closing handshake, because the other side is silent.
    fn cut(&mut self, reason: &str, now: Instant) {
        if let Some(connection) = self.wire.disconnect() {
            connection.cut();
            let fault = broken_off(self.link.url(), reason);
            self.on_closed(fault, now);
        }
    }

    /// Closes the connection because of a frame of the service.
    fn leave(&mut self, code: u16, fault: Fault, now: Instant) {
        if let Some(connection) = self.wire.disconnect() {
            connection.close(code);
            self.on_closed(fault, now);
        }
    }

    fn break_off(&mut self, reason: &str, now: Instant) {
        let fault = broken_off(self.link.url(), reason);
        self.leave(PROTOCOL_VIOLATED, fault, now);
    }

    fn suspend(&mut self) {
        self.register_by = None;
        self.registrar.disconnected();
        self.confirmations.stop();
        self.shutdown.suspend();
        self.invocations.suspend();
        self.details.suspend();
    }

    // Frames.

    fn on_message(&mut self, text: &str, now: Instant) {
        match read_frame(text) {
            Some(FrameIn::Request { id, method, params }) => self.on_request(id, &method, params, now),
            Some(FrameIn::Notification { method, params }) => self.on_notification(&method, params.map(RawValue::get), now),
            Some(FrameIn::Answer { id: Some(id), result }) => {
                if let Some(request) = self.wire.settle(id) {
                    self.on_answer(request, result.map_err(service_error), now);
                }
            }
            Some(FrameIn::Answer { id: None, .. }) => {}
            None => {
                if self.wire.count_malformed() {
                    self.break_off("frames that are not JSON-RPC came", now);
                }
            }
        }
    }

    fn on_request(&mut self, id: &RawValue, method: &str, params: Option<&RawValue>, now: Instant) {
        if method == "invoke"
            && let Some(id) = borrowed_text(id)
        {
            let find = |name: &str| self.registrar.find(name);
            let asks_for_connection = self.details.asks_for_connection();
            self.invocations.invoke(&id, params.map(RawValue::get), find, asks_for_connection, &mut self.wire, now);
            self.on_invocations_changed(now);
            return;
        }
        let error = json!({ "code": METHOD_NOT_FOUND, "message": format!("A toolkit has no method {method:?} with such an id") });
        self.wire.send(answer_frame(id.get(), &format!(r#""error":{}"#, to_json(&error))));
    }

    fn on_notification(&mut self, method: &str, params: Option<&str>, now: Instant) {
        match method {
            "cancel" => {
                self.invocations.cancel(params, &mut self.wire, now);
                self.on_invocations_changed(now);
            }
            "warning" => self.status.warn(params),
            "reconnect" => {
                if let Some(within_ms) = params.and_then(Members::read).and_then(|params| params.number("withinMs")) {
                    self.link.plan_move(within_ms, now);
                }
            }
            _ => {}
        }
    }

    fn on_answer(&mut self, request: Request, answer: Result<&RawValue, SvcError>, now: Instant) {
        match request {
            Request::Register => self.on_register_answer(answer, now),
            Request::ListPart => {
                if let Err(error) = answer {
                    self.registrar.part_refused(error);
                }
            }
            Request::Drain => {
                self.shutdown.drained = true;
                self.advance_shutdown(now);
            }
            Request::Heartbeat { sent } => {
                for id in &sent {
                    self.invocations.confirm(id);
                }
                self.confirmations.answered(&mut self.invocations, &mut self.wire, now);
                self.on_invocations_changed(now);
            }
            // A refusal confirms too: the result arrived and is not awaited.
            Request::Result { id } => {
                self.invocations.confirm(&id);
                self.on_invocations_changed(now);
            }
            Request::Update { number } => self.details.answered(number, answer.map(|_| ())),
            Request::Connection { done } => {
                let _ = done.send(answer.and_then(read_renewal));
            }
        }
    }

    fn on_invocations_changed(&mut self, now: Instant) {
        self.confirmations.invocations_changed(&mut self.invocations, &mut self.wire, now);
        self.advance_shutdown(now);
    }

    // Registration.

    fn register(&mut self) {
        self.registrar.register(self.details.current(), &self.invocations.unfinished(), &mut self.wire);
    }

    fn register_changes(&mut self) {
        if self.phase == Phase::Registered && self.registrar.should_register() && !self.shutdown.begun {
            self.register();
        }
    }

    fn on_register_answer(&mut self, answer: Result<&RawValue, SvcError>, now: Instant) {
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        let unfinished = self.invocations.unfinished();
        match (self.registrar.answered(error, self.details.current(), &unfinished, &mut self.wire), result) {
            (Some(Err(error)), _) => self.on_registration_refused(error, now),
            (Some(Ok(())), Some(result)) => self.on_registration_answered(result.get(), now),
            _ => return,
        }
        // A registration resets a drain at the service, so the two requests never overlap.
        if self.shutdown.begun {
            self.drain();
            self.advance_shutdown(now);
        } else {
            self.register_changes();
        }
    }

    fn on_registration_answered(&mut self, result: &str, now: Instant) {
        match read_register_answer(result) {
            None => self.break_off("its answer to register is not of protocol 1", now),
            Some(answer) if self.registration.is_none() && !answer.rejected.is_empty() && !self.skips_rejected => {
                self.end(Some(rejected_actions_error(&answer.rejected)));
            }
            Some(answer) => self.on_registered(answer, now),
        }
    }

    fn on_registration_refused(&mut self, error: SvcError, now: Instant) {
        match &self.registration {
            // A change of the list was refused: the service keeps the old list, and the session continues.
            Some(registration) if self.phase == Phase::Registered => {
                let status = ToolkitStatus::Connected { registration: registration.clone(), rejected: vec![], refused: Some(error) };
                self.status.report(status, now);
            }
            None if !error.retryable => self.end(Some(error)),
            _ => {
                // The update in the registration may be the reason, and the next registration would then be refused too.
                if !error.retryable {
                    self.details.fail(&error);
                }
                self.leave(NORMAL, error.into(), now);
            }
        }
    }

    fn on_registered(&mut self, answer: RegisterAnswer, now: Instant) {
        let RegisterAnswer { registration, rejected, awaiting, heartbeat } = answer;
        self.registration = Some(registration.clone());
        if self.phase == Phase::Opening {
            self.phase = Phase::Registered;
            self.register_by = None;
            self.registrar.registered();
            self.link.settled();
            self.confirmations.start(heartbeat, now);
            self.invocations.resume(&awaiting, &mut self.wire);
            self.details.resume(&mut self.wire);
        }
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Ok(registration.clone()));
        }
        self.status.report(ToolkitStatus::Connected { registration, rejected, refused: None }, now);
    }

    // The end.

    fn drain(&mut self) {
        if self.phase == Phase::Registered && !self.registrar.is_under_way() {
            self.wire.request("drain", "{}", Request::Drain);
        }
    }

    fn advance_shutdown(&mut self, now: Instant) {
        if self.phase == Phase::Ended || !self.shutdown.begun {
            return;
        }
        let (is_busy, is_owing) = (self.invocations.is_busy(), self.invocations.is_owing());
        match self.shutdown.advance(is_busy, is_owing, self.phase == Phase::Registered, now) {
            Step::End => self.end(None),
            Step::Confirm => self.confirmations.confirm(&mut self.invocations, &mut self.wire, now),
            Step::Wait | Step::CancelHandlers | Step::GiveUpHandlers => {}
        }
    }

    fn end(&mut self, reason: Option<SvcError>) {
        if self.phase == Phase::Ended {
            return;
        }
        self.phase = Phase::Ended;
        self.invocations.cancel_all();
        let error = reason.clone().unwrap_or_else(stopped_error);
        self.details.fail(&error);
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Err(error));
        }
        self.reason = reason;
    }
}

/// Waits without end if there is no time.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

pub(crate) fn stopped_error() -> SvcError {
    let mut error = SvcError::new(ErrorCode::ConnectionClosed, "The toolkit was stopped");
    error.retryable = false;
    error
}

fn registration_too_large_error() -> SvcError {
    let message = "The actions together are larger than the service takes: shorten their payload descriptions";
    SvcError::new(ErrorCode::RequestTooLarge, message)
}
