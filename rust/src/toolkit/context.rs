//! The handler's first argument: the call, and the methods to answer it.
use super::{
    action_connection::{ActionConnection, ConnectionOfCall},
    attachment::Attachment,
    cancellation::{CancelReason, Cancellation},
    connection_values::ConnectionValues,
    service_link::{RenewalSender, ServiceLink},
};
use crate::{ContentBlock, Credential, ErrorCode, Progress, SvcError};
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
    /// A globally unique id.
    pub invocation_id: String,
    /// The agent key's id: the same for all calls of one agent, never the key itself.
    pub agent_id: String,
    /// The user of the call, named by the holder of its agent key. The id is unchanged for a token and for agents of this toolkit's owner;
    /// otherwise it is an id for this toolkit only. `None` if no user is named.
    pub user_id: Option<String>,
    /// The name of the call, the same for every attempt: the caller's own key, or the invocation id. Unique among the calls of one
    /// agent, so pass `<agent_id>/<idempotency_key>` to an API that must not have the same effect twice.
    pub idempotency_key: String,
    /// 1; more if an earlier process was lost during the call, which only idempotent and read-only actions can see.
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
    connection: Option<Arc<ConnectionOfCall>>,
    service: Arc<dyn ServiceLink>,
}

/// A call without a service: drops progress, and has no other connection.
#[derive(Debug)]
struct NoService;

impl ServiceLink for NoService {
    fn report(&self, _: Arc<str>, _: Progress) {}

    fn renew(&self, _: Arc<str>, done: RenewalSender) {
        let error = SvcError::new(ErrorCode::ConnectionRequired, "A context for tests has no other connection");
        let _ = done.send(Err(error));
    }
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
    pub(crate) connection: Option<ConnectionValues>,
}

impl ActionContext {
    pub(crate) fn new(
        id: Arc<str>,
        params: CallParams,
        deadline: Instant,
        cancellation: Cancellation,
        service: Arc<dyn ServiceLink>,
    ) -> Self {
        let connection = params.connection.map(|values| ConnectionOfCall::new(id.clone(), values, service.clone()).into());
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
            call: Arc::new(Call { id, cancellation, attached: Mutex::default(), connection, service }),
        }
    }

    /// A context without a service, for tests of your actions. Its deadline is in a minute, and its progress is dropped.
    pub fn for_test() -> Self {
        Self::test_context(None)
    }

    /// A context like that of [`for_test`](Self::for_test), with a connection.
    ///
    /// # Panics
    ///
    /// For a credential that no header can hold.
    pub fn for_test_with(connection: Credential) -> Self {
        let values = ConnectionValues::of_credential(connection);
        Self::test_context(Some(values.expect("a credential that a header can hold")))
    }

    fn test_context(connection: Option<ConnectionValues>) -> Self {
        let params = CallParams {
            action: "test".into(),
            agent_id: "key_test".into(),
            user_id: None,
            idempotency_key: "inv_test".into(),
            attempt: 1,
            traceparent: None,
            tracestate: None,
            connection,
        };
        Self::new("inv_test".into(), params, Instant::now() + Duration::from_secs(60), Cancellation::default(), Arc::new(NoService))
    }

    /// The account with which the call acts. `None` if neither the toolkit nor the action asks for one.
    pub fn connection(&self) -> Option<ActionConnection> {
        self.call.connection.as_ref().map(ConnectionOfCall::connection)
    }

    /// The reason to stop the handler; `None` while the handler should continue.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.call.cancellation.reason()
    }

    /// Reports progress to the waiting caller. Progress is lost while the connection is down.
    pub fn progress(&self, progress: Progress) {
        self.call.service.report(self.call.id.clone(), progress);
    }

    /// Sends an image, a file or a link beside the result, in the order of the calls. An invalid attachment, such as an image without
    /// bytes, fails the call with `INVALID_RESULT` when the handler ends.
    pub fn attach(&self, attachment: impl Into<Attachment>) {
        let block = attachment.into().into_block(&self.call.id);
        self.call.attached.lock().unwrap_or_else(PoisonError::into_inner).push(block);
    }

    /// The attachments of the call, also after the handler took the context.
    pub(crate) fn attached(&self) -> Attached {
        Attached(self.call.clone())
    }
}

/// The attachments of a call.
pub(crate) struct Attached(Arc<Call>);

impl Attached {
    /// All attachments, or the error of the first invalid one.
    pub(crate) fn take(&self) -> Result<Vec<ContentBlock>, String> {
        std::mem::take(&mut *self.0.attached.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
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
        assert_eq!(ctx.attached().take().unwrap().len(), 1);
        ctx.cancellation.cancel();
        assert_eq!(ctx.cancel_reason(), None);
    }

    #[tokio::test]
    async fn a_context_for_tests_can_have_a_connection() {
        let connection = ActionContext::for_test_with(Credential::api_key("key-1")).connection().unwrap();
        assert_eq!((connection.api_key(), &connection.headers()["x-api-key"]), (Some("key-1"), &"key-1".parse().unwrap()));
        assert_eq!(connection.refused().await.unwrap_err().code, "CONNECTION_REQUIRED");
        let ctx = ActionContext::for_test_with(Credential::basic("ada", "s3cret"));
        assert!(!format!("{ctx:?} {:?}", ctx.connection().unwrap().headers()).contains("YWRhOnMzY3JldA=="));
    }
}
