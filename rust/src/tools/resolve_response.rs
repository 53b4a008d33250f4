//! The answer to a resolve: the call that would run.
use super::{
    action_info::ActionInfo,
    required_approval::{ApprovalDecider, RequiredApproval},
};
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
    /// A rule asks a person before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ResolvedApproval>,
}

/// The approval that a resolved call needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ResolvedApproval {
    /// The question about the call, which [`Resolve::ask`](super::Resolve::ask) makes. Decide with [`Tools::decide_approval`](super::Tools::decide_approval).
    Question(RequiredApproval),
    /// The call will make a question.
    #[serde(rename_all = "camelCase")]
    Rule {
        /// The deciders that the rule names.
        decided_by: ApprovalDecider,
    },
}

pub(super) fn is_resolved(answer: &Value) -> bool {
    answer["action"].is_object() && answer["payload"].is_object()
}
