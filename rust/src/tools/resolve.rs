//! Resolves a tool call to its action, payload and price without running it.
use super::{
    action_info::ActionInfo,
    model_arguments::{invoke_body, read_arguments},
    service_client::ServiceClient,
};
use crate::{SvcError, http::RESOLVE_PATH};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
}

pub(super) async fn resolve(client: &ServiceClient, name: &str, arguments: Value) -> Result<ResolveResponse, SvcError> {
    let body = invoke_body(name, read_arguments(name, arguments)?);
    let answer = client.send_in_session(&mut client.post(RESOLVE_PATH, body, is_resolved)).await?;
    client.read(answer.json)
}

pub(super) fn is_resolved(answer: &Value) -> bool {
    answer["action"].is_object() && answer["payload"].is_object()
}
