//! The question to a person about a call.
use crate::{ErrorCode, SvcError, timestamp_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::SystemTime;

/// The question to a person about a call, and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RequiredApproval {
    /// `apr_…`, also a handle: [`Tools::result`](super::Tools::result) returns the result once the call has run.
    pub id: String,
    /// The state.
    pub status: ApprovalStatus,
    /// The deciders that the rule names.
    pub decided_by: ApprovalDecider,
    /// The end of the question.
    #[serde(with = "timestamp_json")]
    pub expires_at: SystemTime,
    /// The page of the console where people decide, if there is a console.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// True if this very request made the question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
    /// Why it was denied, in the words of the person who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The state of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ApprovalStatus {
    /// It waits for a decision.
    Pending,
    /// The call will run.
    Approved,
    /// The call runs, or has run.
    Used,
    /// A person said no.
    Denied,
    /// There was no decision in time.
    Expired,
    /// Something has changed since the question. The same call asks anew.
    Withdrawn,
    /// A state of a newer service.
    #[serde(other)]
    Other,
}

/// The deciders about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ApprovalDecider {
    /// People in the console, and admin keys.
    People,
    /// Also the agent key of the call, for an application that asks its own user.
    App,
    /// A kind of a newer service.
    #[serde(other)]
    Other,
}

/// A call that waits for the decision of the application's own user.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalQuestion {
    /// The question of the service.
    pub approval: RequiredApproval,
    /// Action id.
    pub action: String,
    /// The payload that would run.
    pub payload: Map<String, Value>,
    /// The user of the call.
    pub user_id: Option<String>,
}

/// A decision about a call: `ApprovalAnswer::deny().reason("not today")`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalAnswer {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_seconds: Option<u32>,
}

impl ApprovalAnswer {
    /// The call runs.
    pub fn approve() -> Self {
        Self { decision: "approve", reason: None, session_seconds: None }
    }

    /// The call does not run.
    pub fn deny() -> Self {
        Self { decision: "deny", ..Self::approve() }
    }

    /// The reason, which the model reads.
    #[must_use]
    pub fn reason(mut self, text: impl Into<String>) -> Self {
        self.reason = Some(text.into());
        self
    }

    /// The seconds, at most 86,400, during which later calls of the action in the same session need no further approval. For an approval only.
    #[must_use]
    pub fn session_seconds(mut self, seconds: u32) -> Self {
        self.session_seconds = Some(seconds);
        self
    }
}

/// A decided approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DecidedApproval {
    /// `apr_…`.
    pub id: String,
    /// The state after the decision.
    pub status: ApprovalStatus,
    /// Action id.
    pub action: String,
}

impl RequiredApproval {
    /// `None` for another error.
    pub(super) fn of(error: &SvcError) -> Option<Self> {
        let approval = error.details.get("approval").filter(|_| error.code == ErrorCode::ApprovalRequired)?;
        Self::deserialize(approval).ok()
    }
}
