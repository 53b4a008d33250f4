//! The answer to `register`.
use super::frames::Members;
use crate::{ErrorCode, SvcError};
use serde::{Deserialize, de::DeserializeOwned};
use std::time::Duration;

const LONGEST_HEARTBEAT_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;

/// The service's view of the toolkit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Registration {
    /// The toolkit in the form that agents read.
    pub toolkit: RegisteredToolkit,
    /// Action ids.
    pub accepted: Vec<String>,
    /// Findings of the linter about served actions.
    pub warnings: Vec<Finding>,
    /// The number of further findings: the service sends the first 50.
    pub more_warnings: u64,
    /// Ids of accepted actions that agents cannot use before an owner of the service approves them.
    pub held: Vec<String>,
}

/// A toolkit in the form that agents read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RegisteredToolkit {
    /// The first part of its action ids.
    pub id: String,
    /// A name for people.
    #[serde(default)]
    pub name: String,
    /// A sentence about the purpose of the actions.
    #[serde(default)]
    pub description: String,
}

/// A finding of the service's linter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The name of the rule.
    pub rule: String,
    /// `error` or `warning`.
    #[serde(default)]
    pub severity: String,
    /// The action; `None` for a finding about the toolkit itself.
    pub action: Option<String>,
    /// The mistake.
    pub message: String,
    /// The cure.
    pub hint: String,
}

/// An action that the service does not accept, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RejectedAction {
    /// Its name.
    #[serde(default)]
    pub action: String,
    /// The reason.
    #[serde(default)]
    pub message: String,
}

/// The parsed answer.
#[derive(Debug)]
pub(crate) struct RegisterAnswer {
    pub(crate) registration: Registration,
    pub(crate) rejected: Vec<RejectedAction>,
    /// Unfinished invocations whose results the service waits for.
    pub(crate) awaiting: Vec<String>,
    pub(crate) heartbeat: Duration,
}

/// `None` for an answer that is not of protocol 1.
pub(crate) fn read_register_answer(text: &str) -> Option<RegisterAnswer> {
    let answer = Members::read(text)?;
    let heartbeat_ms = answer.number("heartbeatMs").filter(|time| (1.0..=LONGEST_HEARTBEAT_MS).contains(time))?;
    Some(RegisterAnswer {
        registration: Registration {
            toolkit: read(&answer, "toolkit")?,
            accepted: read(&answer, "accepted")?,
            warnings: read_warnings(&answer),
            more_warnings: read(&answer, "moreWarnings").unwrap_or_default(),
            held: read(&answer, "held").unwrap_or_default(),
        },
        rejected: read(&answer, "rejected")?,
        awaiting: read(&answer, "awaiting")?,
        heartbeat: Duration::from_secs_f64(heartbeat_ms / 1_000.0),
    })
}

pub(crate) fn rejected_actions_error(rejected: &[RejectedAction]) -> SvcError {
    let reasons: Vec<String> = rejected.iter().map(|each| format!("{:?}: {}", each.action, each.message)).collect();
    let message = format!("The service rejected {} of the actions. {}", rejected.len(), reasons.join("; "));
    SvcError::new(ErrorCode::InvalidAction, message)
}

/// A malformed warning is skipped and does not fail the registration.
fn read_warnings(answer: &Members<'_>) -> Vec<Finding> {
    let listed: Vec<serde_json::Value> = read(answer, "warnings").unwrap_or_default();
    listed.into_iter().filter_map(|each| serde_json::from_value(each).ok()).collect()
}

fn read<T: DeserializeOwned>(members: &Members<'_>, name: &str) -> Option<T> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_protocol_1_is_read_and_a_malformed_warning_is_skipped() {
        let text = r#"{"protocol":1,"toolkit":{"id":"a","name":"A","description":"","future":1},"accepted":["a__b"],
            "rejected":[{"action":"c","message":"No"}],"awaiting":["inv_1"],"heartbeatMs":1500,"held":["a__b"],"moreWarnings":2,
            "warnings":[{"rule":"r","severity":"error","message":"m","hint":"h"},{"rule":1},7]}"#;
        let answer = read_register_answer(text).unwrap();
        assert_eq!(answer.heartbeat, Duration::from_millis(1500));
        assert_eq!((answer.registration.warnings.len(), answer.registration.more_warnings), (1, 2));
        assert_eq!((answer.awaiting[0].as_str(), answer.registration.held[0].as_str()), ("inv_1", "a__b"));
        assert_eq!(rejected_actions_error(&answer.rejected).message, "The service rejected 1 of the actions. \"c\": No");
    }

    #[test]
    fn any_other_answer_is_invalid() {
        let right = r#"{"toolkit":{"id":"a"},"accepted":[],"rejected":[],"awaiting":[],"heartbeatMs":1}"#;
        assert!(read_register_answer(right).is_some());
        let wrong = [("heartbeatMs\":1", "heartbeatMs\":0"), ("accepted\":[]", "accepted\":{}"), ("\"id\":\"a\"", ""), ("rejected", "r")];
        for (part, other) in wrong {
            assert!(read_register_answer(&right.replace(part, other)).is_none(), "{other}");
        }
    }
}
