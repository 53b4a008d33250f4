//! The handler's first argument: the call, and the means to answer it.
use super::{
    attachment::Attachment,
    cancellation::{CancelReason, Cancellation},
    event::{Event, EventSender},
};
use crate::ContentBlock;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// One call of an action. Cheap to clone.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ActionContext {
    /// Name of the action, without the toolkit id.
    pub action: String,
    /// Unique for ever.
    pub invocation_id: String,
    /// The agent key's id: the same for all calls of one agent, never the key itself.
    pub agent_id: String,
    /// The user of the call, as the holder of its agent key named it: as it is from a token and from agents of this toolkit's owner, else an
    /// id that no other toolkit gets. `None` when none is named.
    pub user_id: Option<String>,
    /// The name of the call, the same for every attempt: the caller's own key, or the invocation id. Unique among the calls of one
    /// agent, so give `<agent_id>/<idempotency_key>` to an API that must not do the same thing twice.
    pub idempotency_key: String,
    /// 1; more when an earlier process was lost with the call, which happens to idempotent and read-only actions only.
    pub attempt: u32,
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// Cancelled when the handler should stop: the caller left, the deadline passed, or the toolkit stops.
    pub cancellation: CancellationToken,
    /// W3C Trace Context of the call, if caller or service sent one.
    pub traceparent: Option<String>,
    /// As `traceparent`.
    pub tracestate: Option<String>,
    call: Arc<Call>,
}

/// The part of a context that its clones share.
#[derive(Debug)]
struct Call {
    id: Arc<str>,
    cancellation: Cancellation,
    attached: Mutex<Vec<Result<ContentBlock, String>>>,
    events: EventSender,
}

/// The call as the service sent it.
pub(crate) struct CallParams {
    pub(crate) action: String,
    pub(crate) agent_id: String,
    pub(crate) user_id: Option<String>,
    pub(crate) idempotency_key: String,
    pub(crate) attempt: u32,
    pub(crate) traceparent: Option<String>,
    pub(crate) tracestate: Option<String>,
}

impl ActionContext {
    pub(crate) fn new(id: Arc<str>, params: CallParams, deadline: Instant, cancellation: Cancellation, events: EventSender) -> Self {
        Self {
            action: params.action,
            invocation_id: id.to_string(),
            agent_id: params.agent_id,
            user_id: params.user_id,
            idempotency_key: params.idempotency_key,
            attempt: params.attempt,
            deadline,
            cancellation: cancellation.token.clone(),
            traceparent: params.traceparent,
            tracestate: params.tracestate,
            call: Arc::new(Call { id, cancellation, attached: Mutex::default(), events }),
        }
    }

    /// The context of a call that no service made, for tests of your actions. It has a minute, and its progress goes nowhere.
    pub fn for_test() -> Self {
        let (events, _) = EventSender::new();
        let params = CallParams {
            action: "test".into(),
            agent_id: "key_test".into(),
            user_id: None,
            idempotency_key: "inv_test".into(),
            attempt: 1,
            traceparent: None,
            tracestate: None,
        };
        Self::new("inv_test".into(), params, Instant::now() + Duration::from_secs(60), Cancellation::default(), events)
    }

    /// Why the handler should stop; `None` while it need not.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.call.cancellation.reason()
    }

    /// Reports progress to the waiting caller. Lost while the connection is down.
    pub fn progress(&self, progress: Progress) {
        self.call.events.send(Event::Progress { id: self.call.id.clone(), progress });
    }

    /// Sends an image, a file or a link beside the result, in the order of the calls. A wrong one, such as an image without bytes, fails
    /// the call with `INVALID_RESULT` when the handler ends.
    pub fn attach(&self, attachment: impl Into<Attachment>) {
        let block = attachment.into().into_block(&self.call.id);
        self.call.attached.lock().unwrap_or_else(PoisonError::into_inner).push(block);
    }

    /// All attachments, or what is wrong with the first wrong one.
    pub(crate) fn take_attached(&self) -> Result<Vec<ContentBlock>, String> {
        std::mem::take(&mut *self.call.attached.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}

/// A report of progress: `Progress::new(1.0).total(2.0).message("half")`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Grows with every report.
    pub progress: f64,
    /// The value of `progress` at the end.
    pub total: Option<f64>,
    /// A message for people, at most 1,000 characters.
    pub message: Option<String>,
}

impl Progress {
    /// A report without a total.
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// Adds the value of `progress` at the end.
    #[must_use]
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Adds a message for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_context_for_tests_can_be_used_and_cancelled() {
        let ctx = ActionContext::for_test();
        ctx.progress(Progress::new(1.0));
        ctx.attach(Attachment::text("a"));
        assert_eq!(ctx.take_attached().unwrap().len(), 1);
        ctx.cancellation.cancel();
        assert_eq!(ctx.cancel_reason(), None);
    }
}
