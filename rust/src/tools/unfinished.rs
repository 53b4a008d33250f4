//! Calls that go on without their caller, which reads their result later by a handle.
use super::{
    definitions::INVOKE_TOOL, invoke_response::InvokeResponse, required_approval::RequiredApproval, service_client::ServiceClient,
};
use crate::{
    ErrorCode, Progress, SvcError,
    http::{INVOCATIONS_PATH, RUNS_PATH, ServiceRequest, path_with},
};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// The longest wait of one request.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// The time for the answer to a request that waits.
pub(super) const ANSWER_TIME: Duration = Duration::from_secs(10);
/// The beginning of the id of a run of code.
const RUN_PREFIX: &str = "run_";

/// A call that goes on without its caller, or its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Invocation {
    /// There is no result yet.
    Unfinished(UnfinishedInvocation),
    /// The result.
    Ended(InvokeResponse),
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UnfinishedInvocation {
    /// The handle: `inv_…`, or the id of the approval, `apr_…`.
    pub invocation_id: String,
    /// The state of the call.
    pub status: UnfinishedStatus,
    /// The newest report of the handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The question to a person, for a call that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<RequiredApproval>,
}

/// The state of a call without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum UnfinishedStatus {
    /// It runs.
    Running,
    /// It waits for a person's decision.
    Waiting,
}

/// A request for the result of a call, sent when it is awaited: [`Tools::result`](super::Tools::result).
#[must_use = "a request is sent when it is awaited"]
pub struct ReadResult<'a> {
    client: &'a ServiceClient,
    handle: String,
    wait: Duration,
    timeout: Option<Duration>,
}

impl<'a> ReadResult<'a> {
    pub(super) fn new(client: &'a ServiceClient, handle: String) -> Self {
        Self { client, handle, wait: Duration::ZERO, timeout: None }
    }

    /// The time to wait for the result, at most 60 s, in whole seconds. Default: none.
    pub fn wait(mut self, time: Duration) -> Self {
        self.wait = time;
        self
    }

    /// The time until an answer. Default: the time limit of the client, or the wait and some seconds.
    pub(super) fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    async fn send(self) -> Result<Invocation, SvcError> {
        let Self { client, handle, wait, timeout } = self;
        if wait > MAX_WAIT {
            return Err(SvcError::new(ErrorCode::InvalidRequest, format!("wait is at most {} s, not {wait:?}", MAX_WAIT.as_secs())));
        }
        let path = format!("{}?wait={}", invocation_path(&handle), wait.as_secs());
        let timeout = timeout.unwrap_or_else(|| client.settings().timeout.max(wait + ANSWER_TIME));
        let request = ServiceRequest { timeout, ..client.get(path, is_invocation) };
        client.read(client.request(request).await?.json)
    }
}

impl<'a> IntoFuture for ReadResult<'a> {
    type Output = Result<Invocation, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

pub(super) async fn cancel(client: &ServiceClient, handle: &str) -> Result<(), SvcError> {
    let path = if handle.starts_with(RUN_PREFIX) { path_with(RUNS_PATH, handle) } else { invocation_path(handle) };
    client.request(client.delete(path)).await?;
    Ok(())
}

pub(super) fn is_invocation(answer: &Value) -> bool {
    answer["invocationId"].is_string()
}

/// The answer about a call that goes on; `None` for a result.
pub(super) fn unfinished_in(answer: &Value) -> Option<UnfinishedInvocation> {
    UnfinishedInvocation::deserialize(answer).ok()
}

/// The text that a model reads in place of the result.
pub(super) fn to_model_value(unfinished: &UnfinishedInvocation) -> Value {
    let handle = &unfinished.invocation_id;
    let message = match unfinished.status {
        UnfinishedStatus::Waiting => "A person has to approve this call first. Tell the user, and read the result later",
        UnfinishedStatus::Running => "Still running, so there is no result yet. Read it later",
    };
    let mut value = json!({ "status": unfinished.status, "handle": handle });
    if let Some(progress) = &unfinished.progress {
        value["progress"] = json!(progress);
    }
    value["message"] = format!("{message}: {}", how_to_read(handle)).into();
    value
}

/// The tool call with which a model reads the result of a handle.
pub(super) fn how_to_read(handle: &str) -> String {
    format!("{INVOKE_TOOL} {}", json!({ "action": "svc__read_result", "payload": { "handle": handle, "wait": 30 } }))
}

fn invocation_path(handle: &str) -> String {
    path_with(INVOCATIONS_PATH, handle)
}
