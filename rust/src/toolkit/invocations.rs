//! The invocations that this instance knows: queued, running, or ended with an unconfirmed result.
//!
//! Shape:  invocation id -> invocation. Each invocation runs once, and is answered once per delivery, also after a lost connection.
//! Source: docs/protocol.md, section 6, "Results".
use super::{
    auth::ActionAuth,
    cancellation::CancelReason,
    context::ActionContext,
    erased_action::ErasedAction,
    event::{Event, EventSender},
    frames::{FAILED, INVALID_PARAMS, Members, answer_frame, to_json},
    generational_cache::GenerationalCache,
    invocation::{Call, Delivery, Invocation, Stage, Start},
    outcome::{Outcome, plain_error_outcome, run_action, too_large_outcome, unknown_outcome},
    service_link::ServiceLink,
    wire::{Request, Wire},
};
use crate::Progress;
use serde_json::json;
use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};
use tokio::{runtime::Handle, time::Instant};
use tracing::Instrument;

/// The minimum number of remembered ids of released invocations. A late second delivery of them does not run again.
const REMEMBERED_IDS: usize = 10_000;
/// The minimum number of remembered bytes of their outcomes. A late second delivery is answered with the outcome.
const REMEMBERED_BYTES: usize = 512 * 1024;
/// The size of an entry in addition to its outcome.
const ENTRY_BYTES: usize = 100;
/// Above this size, sent results should be confirmed soon, so that they can be released.
const MANY_SENT: usize = 256;
const MUCH_SENT_BYTES: usize = 1024 * 1024;
/// The replacement of a smaller result would not save the connection.
const MIN_TOO_LARGE_BYTES: usize = 64 * 1024;
const MAX_PROGRESS_MESSAGE_CHARS: usize = 1_000;
/// The service itself reports a passed deadline; this timer is for a lost connection. Without the grace, a handler that stops at its
/// deadline would count as failed when its clock is a moment ahead.
const DEADLINE_GRACE: Duration = Duration::from_millis(50);

type Id = Arc<str>;

/// Starts, cancels, answers and remembers.
pub(crate) struct Invocations {
    concurrency: usize,
    /// The runtime of the handlers.
    handlers: Handle,
    events: EventSender,
    service: Arc<dyn ServiceLink>,
    known: HashMap<Id, Invocation>,
    /// Ids in the order of arrival. An id may belong to an invocation that is no longer queued.
    waiting: VecDeque<Id>,
    deadlines: BTreeSet<(Instant, Id)>,
    running: usize,
    ended_ids: GenerationalCache<()>,
    ended_outcomes: GenerationalCache<Outcome>,
    sent: Vec<Id>,
    sent_bytes: usize,
}

impl Invocations {
    pub(crate) fn new(concurrency: usize, handlers: Handle, events: EventSender) -> Self {
        Self {
            concurrency,
            handlers,
            service: Arc::new(events.clone()),
            events,
            known: HashMap::new(),
            waiting: VecDeque::new(),
            deadlines: BTreeSet::new(),
            running: 0,
            ended_ids: GenerationalCache::new(REMEMBERED_IDS),
            ended_outcomes: GenerationalCache::new(REMEMBERED_BYTES),
            sent: Vec::new(),
            sent_bytes: 0,
        }
    }

    /// True if an awaited invocation has not ended.
    pub(crate) fn is_busy(&self) -> bool {
        self.known.values().any(|each| each.delivery != Delivery::Nothing && each.outcome().is_none())
    }

    /// True if an awaited invocation has not ended, or its result is not confirmed.
    pub(crate) fn is_owing(&self) -> bool {
        self.known.values().any(|each| each.delivery != Delivery::Nothing)
    }

    /// True if results were sent since the last heartbeat.
    pub(crate) fn has_unconfirmed(&self) -> bool {
        !self.sent.is_empty()
    }

    pub(crate) fn has_much_unconfirmed(&self) -> bool {
        self.sent.len() > MANY_SENT || self.sent_bytes > MUCH_SENT_BYTES
    }

    /// The list for `register`.
    pub(crate) fn unfinished(&self) -> Vec<&str> {
        self.known.keys().map(|id| &**id).collect()
    }

    /// Handles an `invoke`. `find` returns the action of a name. No handler runs without a connection that it needs.
    pub(crate) fn invoke<'a>(
        &mut self,
        id: &str,
        params: Option<&str>,
        find: impl FnOnce(&str) -> Option<&'a Arc<dyn ErasedAction>>,
        asks_for_connection: bool,
        wire: &mut Wire,
        now: Instant,
    ) {
        if self.known.contains_key(id) {
            // A second delivery. While the invocation runs or is queued, one answer serves both deliveries.
            self.deliver_as(&id.into(), Delivery::Answer, wire);
            return;
        }
        if self.ended_ids.get(id).is_some() {
            let outcome = self.ended_outcomes.get(id).cloned();
            let outcome = outcome.unwrap_or_else(|| unknown_outcome(&format!("{id} ran already; its result was delivered and released")));
            wire.send(answer_frame(&to_json(&id), &outcome));
            return;
        }
        let Some(call) = params.and_then(Members::read).and_then(|params| Call::read(id, &params)) else {
            let message = "invoke needs {action, payload, agentId, timeoutMs}";
            wire.send(answer_frame(&to_json(&id), &plain_error_outcome(INVALID_PARAMS, "INVALID_REQUEST", message)));
            return;
        };
        let Some(action) = find(&call.params.action) else {
            let message = format!("This process has no action {:?}", call.params.action);
            wire.send(answer_frame(&to_json(&id), &plain_error_outcome(FAILED, "ACTION_NOT_FOUND", &message)));
            return;
        };
        if asks_for_connection && call.params.connection.is_none() && action.auth() != ActionAuth::NotNeeded {
            let message = format!("{:?} needs a connection, and the call has none that this process knows", call.params.action);
            wire.send(answer_frame(&to_json(&id), &plain_error_outcome(FAILED, "CONNECTION_REQUIRED", &message)));
            return;
        }
        let id: Id = id.into();
        let invocation = Invocation::new(action.clone(), call, now);
        self.deadlines.insert((invocation.deadline, id.clone()));
        self.known.insert(id.clone(), invocation);
        self.waiting.push_back(id);
        self.start_waiting(wire, now);
    }

    /// Handles a `cancel`.
    pub(crate) fn cancel(&mut self, params: Option<&str>, wire: &mut Wire, now: Instant) {
        let Some(params) = params.and_then(Members::read) else { return };
        let Some(id) = params.text("invocationId") else { return };
        let is_timeout = params.text("reason").as_deref() == Some("timeout");
        let reason = if is_timeout { CancelReason::Timeout } else { CancelReason::Cancelled };
        self.cancel_one(&id, reason, wire, now);
    }

    /// Cancels the invocations whose deadline has passed.
    pub(crate) fn tick(&mut self, wire: &mut Wire, now: Instant) {
        while let Some((deadline, id)) = self.deadlines.first()
            && *deadline + DEADLINE_GRACE <= now
        {
            let id = id.clone();
            self.deadlines.pop_first();
            self.cancel_one(&id, CancelReason::Timeout, wire, now);
        }
    }

    pub(crate) fn next_time(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline + DEADLINE_GRACE)
    }

    /// Handles the end of a handler.
    pub(crate) fn end_run(&mut self, id: &Id, outcome: Outcome, wire: &mut Wire, now: Instant) {
        // The handler was abandoned before, and its slot is free already.
        if self.known.get(id).is_none_or(|invocation| !matches!(invocation.stage, Stage::Running(_))) {
            return;
        }
        self.running -= 1;
        self.end(id, outcome, wire);
        self.start_waiting(wire, now);
    }

    pub(crate) fn progress(&mut self, id: &str, progress: &Progress, wire: &mut Wire) {
        let is_awaited = self.known.get(id).is_some_and(|each| each.delivery != Delivery::Nothing && each.outcome().is_none());
        if !is_awaited || !progress.progress.is_finite() {
            return;
        }
        let mut params = json!({ "invocationId": id, "progress": progress.progress });
        if let Some(total) = progress.total.filter(|total| total.is_finite()) {
            params["total"] = json!(total);
        }
        if let Some(message) = &progress.message {
            params["message"] = message.chars().take(MAX_PROGRESS_MESSAGE_CHARS).collect::<String>().into();
        }
        wire.notify("progress", &params.to_string());
    }

    /// Handles a lost connection: sent answers may not have arrived.
    pub(crate) fn suspend(&mut self) {
        self.take_sent();
        for invocation in self.known.values_mut().filter(|each| each.delivery != Delivery::Nothing) {
            invocation.delivery = Delivery::Unclear;
        }
    }

    /// Handles a new connection: delivers the awaited results and releases the others.
    pub(crate) fn resume(&mut self, awaiting: &[String], wire: &mut Wire) {
        let awaiting: HashSet<&str> = awaiting.iter().map(String::as_str).collect();
        let ids: Vec<Id> = self.known.keys().cloned().collect();
        for id in ids {
            if awaiting.contains(&*id) {
                self.deliver_as(&id, Delivery::Result, wire);
            } else if self.known[&id].delivery != Delivery::Answer {
                self.abandon(&id);
            }
        }
    }

    /// The answers on this connection since the last call.
    pub(crate) fn take_sent(&mut self) -> Vec<Id> {
        self.sent_bytes = 0;
        std::mem::take(&mut self.sent)
    }

    /// Confirms a result.
    pub(crate) fn confirm(&mut self, id: &Id) {
        let Some(invocation) = self.known.remove(id) else { return };
        self.deadlines.remove(&(invocation.deadline, id.clone()));
        self.ended_ids.add(id.clone(), (), 1);
        if let Some(outcome) = invocation.outcome().filter(|outcome| outcome.len() < REMEMBERED_BYTES) {
            self.ended_outcomes.add(id.clone(), outcome.clone(), outcome.len() + ENTRY_BYTES);
        }
    }

    /// Replaces the largest result after the service closed the connection because of a frame's size: the same frame would close the next
    /// connection.
    pub(crate) fn replace_largest(&mut self) {
        let largest = self.known.values_mut().max_by_key(|each| each.size());
        if let Some(largest) = largest.filter(|each| each.size() > MIN_TOO_LARGE_BYTES) {
            largest.stage = Stage::Ended(too_large_outcome(largest.size()));
        }
    }

    pub(crate) fn cancel_all(&mut self) {
        for invocation in self.known.values() {
            invocation.cancel(CancelReason::Stopped);
        }
    }

    /// Answers in place of handlers that do not end, with an unknown outcome.
    pub(crate) fn give_up(&mut self, wire: &mut Wire) {
        for id in std::mem::take(&mut self.waiting) {
            self.end_unstarted(&id, "TOOLKIT_STOPPED", "the toolkit stopped", wire);
        }
        let ids: Vec<Id> = self.known.keys().cloned().collect();
        for id in ids {
            if let Stage::Running(task) = &self.known[&id].stage {
                task.abort();
                self.running -= 1;
                self.end(&id, unknown_outcome(&format!("The toolkit stopped before the handler of {id} ended")), wire);
            }
        }
    }

    /// Aborts the handlers. A handler that blocks its thread cannot be aborted.
    pub(crate) fn abort_all(&self) {
        for invocation in self.known.values() {
            if let Stage::Running(task) = &invocation.stage {
                task.abort();
            }
        }
    }

    fn cancel_one(&mut self, id: &str, reason: CancelReason, wire: &mut Wire, now: Instant) {
        let Some((id, invocation)) = self.known.get_key_value(id) else { return };
        let id = id.clone();
        invocation.cancel(reason);
        if reason == CancelReason::Timeout {
            self.end_unstarted(&id, "INVOCATION_TIMEOUT", "its deadline passed", wire);
        } else {
            self.end_unstarted(&id, "INVOCATION_CANCELLED", "the caller cancelled", wire);
        }
        self.start_waiting(wire, now);
    }

    fn start_waiting(&mut self, wire: &mut Wire, now: Instant) {
        while self.running < self.concurrency
            && let Some(id) = self.waiting.pop_front()
        {
            let Some(invocation) = self.known.get(&id).filter(|each| matches!(each.stage, Stage::Waiting(_))) else { continue };
            if invocation.deadline <= now {
                self.end_unstarted(&id, "INVOCATION_TIMEOUT", "its deadline passed", wire);
            } else {
                self.start(id);
            }
        }
    }

    /// Starts a queued invocation.
    fn start(&mut self, id: Id) {
        let Some(Invocation { delivery, stage: Stage::Waiting(start), cancellation, deadline }) = self.known.remove(&id) else { return };
        let Start { action, call: Call { params, payload, hold, .. } } = *start;
        let span =
            tracing::info_span!("invocation", id = &*id, action = params.action, agent_id = params.agent_id, attempt = params.attempt);
        let ctx = ActionContext::new(id.clone(), params, deadline, cancellation.clone(), self.service.clone());
        let mut end = EndOnDrop { id: id.clone(), events: self.events.clone(), outcome: None };
        let run = async move { end.set_outcome(run_action(&*action, ctx, &payload, hold).await) };
        let task = self.handlers.spawn(run.instrument(span)).abort_handle();
        self.known.insert(id, Invocation { delivery, stage: Stage::Running(task), cancellation, deadline });
        self.running += 1;
    }

    /// Ignores an invocation that is no longer queued.
    fn end_unstarted(&mut self, id: &Id, code: &str, reason: &str, wire: &mut Wire) {
        if self.known.get(id).is_some_and(|each| matches!(each.stage, Stage::Waiting(_))) {
            self.end(id, plain_error_outcome(FAILED, code, &format!("{id} was not started: {reason}")), wire);
        }
    }

    fn end(&mut self, id: &Id, outcome: Outcome, wire: &mut Wire) {
        let Some(invocation) = self.known.get_mut(id) else { return };
        invocation.stage = Stage::Ended(outcome);
        self.deadlines.remove(&(invocation.deadline, id.clone()));
        self.deliver(id, wire);
    }

    fn deliver_as(&mut self, id: &Id, delivery: Delivery, wire: &mut Wire) {
        let Some(invocation) = self.known.get_mut(id) else { return };
        invocation.delivery = delivery;
        if invocation.outcome().is_some() {
            self.deliver(id, wire);
        }
    }

    fn deliver(&mut self, id: &Id, wire: &mut Wire) {
        let Some(Invocation { delivery, stage: Stage::Ended(outcome), .. }) = self.known.get(id) else { return };
        match delivery {
            Delivery::Answer => {
                let frame = answer_frame(&to_json(&&**id), outcome);
                self.sent.push(id.clone());
                self.sent_bytes += frame.len();
                wire.send(frame);
            }
            Delivery::Result => {
                let params = format!(r#"{{"invocationId":{},{outcome}}}"#, to_json(&&**id));
                wire.request("result", &params, Request::Result { id: id.clone() });
            }
            Delivery::Unclear => {}
            Delivery::Nothing => self.confirm(id),
        }
    }

    fn abandon(&mut self, id: &Id) {
        let Some(invocation) = self.known.get_mut(id) else { return };
        invocation.delivery = Delivery::Nothing;
        match invocation.stage {
            Stage::Ended(_) => self.confirm(id),
            Stage::Running(_) => invocation.cancel(CancelReason::Cancelled),
            // The invocation never ran, so a second delivery may run.
            Stage::Waiting(_) => {
                self.deadlines.remove(&(invocation.deadline, id.clone()));
                self.known.remove(id);
            }
        }
    }
}

/// Reports the end of a handler, also if its task was dropped with its runtime.
struct EndOnDrop {
    id: Id,
    events: EventSender,
    outcome: Option<Outcome>,
}

impl EndOnDrop {
    fn set_outcome(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        let id = self.id.clone();
        let outcome = self.outcome.take();
        let outcome = outcome.unwrap_or_else(|| unknown_outcome(&format!("The runtime stopped before the handler of {id} ended")));
        self.events.send(Event::Ended { id, outcome });
    }
}
