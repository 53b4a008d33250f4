//! Resolves a tool call to its action, payload and price without running it.
use super::{
    action_info::ActionInfo,
    call::Call,
    caller_ask::CallerAsk,
    model_arguments::{invoke_body, read_arguments},
    options::unless_cancelled,
    required_approval::{ApprovalDecider, RequiredApproval},
    service_client::ServiceClient,
};
use crate::SvcError;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

/// The call that an invoke with the same arguments would run now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResolveResponse {
    /// The action, with its price.
    pub action: ActionInfo,
    /// The handler's payload, decoded and checked.
    pub payload: Map<String, Value>,
    /// Corrected mistakes in the payload, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<String>,
    /// The version of the action, for `action_version` of the call that follows. Services before 0.14 send no version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// A rule asks a person before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ResolvedApproval>,
}

/// The approval that a resolved call needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ResolvedApproval {
    /// The question about the call, which [`Resolve::ask`] makes. Decide with [`Tools::decide_approval`](super::Tools::decide_approval).
    Question(RequiredApproval),
    /// The call will make a question.
    #[serde(rename_all = "camelCase")]
    Rule {
        /// The deciders that the rule names.
        decided_by: ApprovalDecider,
    },
}

/// A request that is sent when it is awaited, and runs nothing: [`Tools::resolve`](super::Tools::resolve).
#[must_use = "a request is sent when it is awaited"]
pub struct Resolve<'a> {
    client: &'a ServiceClient,
    name: String,
    arguments: Value,
    ask: Option<CallerAsk>,
    cancel_token: Option<CancellationToken>,
}

impl<'a> Resolve<'a> {
    pub(super) fn new(client: &'a ServiceClient, name: String, arguments: Value) -> Self {
        Self { client, name, arguments, ask: None, cancel_token: None }
    }

    /// The calls that your user has to approve. The service makes the question about such a call, for a decision later.
    pub fn ask(mut self, calls: CallerAsk) -> Self {
        self.ask = Some(calls);
        self
    }

    /// A token that ends the request.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn send(self) -> Result<ResolveResponse, SvcError> {
        let Self { client, name, arguments, ask, cancel_token } = self;
        let body = invoke_body(&name, read_arguments(&name, arguments)?);
        let call = Call { resolves: true, ask, ..Call::default() };
        client.read(unless_cancelled(cancel_token, call.send(client, body)).await?)
    }
}

impl<'a> IntoFuture for Resolve<'a> {
    type Output = Result<ResolveResponse, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

pub(super) fn is_resolved(answer: &Value) -> bool {
    answer["action"].is_object() && answer["payload"].is_object()
}
