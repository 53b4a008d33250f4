//! A call that a person may have to approve: it waits for the decision, or the application asks its own user.
//!
//! Rule: a call that the service refuses with APPROVAL_REQUIRED is made again with the same idempotency key, so it runs once.
//! Source: docs/protocol.md, section 12.
use super::{
    approvals::{ApprovalMode, ApprovalQuestions},
    caller::add_id,
    required_approval::{ApprovalAnswer, ApprovalDecider, ApprovalQuestion, ApprovalStatus, DecidedApproval, RequiredApproval},
    resolve_response::{ResolveResponse, is_resolved},
    service_client::ServiceClient,
    unfinished::{Invocation, ReadResult, how_to_read},
};
use crate::{
    ErrorCode, SvcError,
    http::{APPROVALS_PATH, RESOLVE_PATH, ServiceRequest, USER_ID_HEADER, path_with},
};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use std::{collections::HashSet, time::Duration};
use tokio::time::{Instant, sleep};

/// The time of one request that waits for a decision. Proxies end a request that is silent for a minute.
const MAX_ROUND: Duration = Duration::from_secs(45);
/// The time between two requests about one question.
const PAUSE: Duration = Duration::from_millis(250);
/// The questions of one call to the application, whose rules may change each time.
const MAX_QUESTIONS: usize = 3;

pub(super) struct ApprovedCall<'a> {
    pub client: &'a ServiceClient,
    pub user_id: Option<&'a str>,
    /// A model reads the error.
    pub for_model: bool,
    pub questions: &'a ApprovalQuestions,
}

impl ApprovedCall<'_> {
    /// The answer to the request, which may be sent again.
    pub async fn send(&self, request: &mut ServiceRequest<'_>) -> Result<Value, SvcError> {
        let approvals = self.client.approvals();
        let timeout = request.timeout;
        let ends_at = Instant::now() + timeout;
        let mut seen = HashSet::new();
        loop {
            let error = match self.client.send_in_session(request).await {
                Ok(answer) => return Ok(answer.json),
                Err(error) => error,
            };
            let Some(required) = RequiredApproval::of(&error) else { return Err(error) };
            let asks_user = required.decided_by == ApprovalDecider::App && approvals.has_listener();
            if !seen.insert(required.id.clone()) {
                sleep(PAUSE).await;
            } else if asks_user && seen.len() <= MAX_QUESTIONS && self.ask_user(&required, request.body.as_ref()).await? {
                // The time of the user is not the time of the call.
                request.timeout = timeout;
                continue;
            }
            if approvals.mode == ApprovalMode::Wait && self.is_decided(&required.id, ends_at).await {
                request.timeout = left_until(ends_at).max(Duration::from_millis(1));
                continue;
            }
            return Err(if self.for_model { for_model(error, &required, asks_user) } else { error });
        }
    }

    /// Returns false if the user has not decided yet.
    async fn ask_user(&self, required: &RequiredApproval, body: Option<&Value>) -> Result<bool, SvcError> {
        let resolved = self.resolve(body).await?;
        let question = ApprovalQuestion {
            approval: required.clone(),
            action: resolved.action.action,
            payload: resolved.payload,
            user_id: self.user_id.map(str::to_owned),
        };
        decide_with_user(self.client, self.questions, question).await
    }

    /// The call that would run.
    async fn resolve(&self, body: Option<&Value>) -> Result<ResolveResponse, SvcError> {
        let mut asked = self.client.post(RESOLVE_PATH, body.cloned().unwrap_or_default(), is_resolved);
        if let Some(id) = self.user_id {
            add_id(&mut asked.headers, "user_id", USER_ID_HEADER, id)?;
        }
        self.client.read(self.client.send_in_session(&mut asked).await?.json)
    }

    /// Returns false without a decision in time.
    async fn is_decided(&self, id: &str, ends_at: Instant) -> bool {
        loop {
            let left = left_until(ends_at);
            let seconds = left.as_secs();
            if seconds == 0 {
                return false;
            }
            let wait = Duration::from_secs(seconds).min(MAX_ROUND);
            let is_pending = match ReadResult::new(self.client, id.into()).wait(wait).timeout(left).await {
                Ok(Invocation::Unfinished(found)) => found.approval.is_some_and(|approval| approval.status == ApprovalStatus::Pending),
                Ok(Invocation::Ended(_)) => false,
                // A node restarts, and the question is in the store. The call itself gets any other error.
                Err(error) => error.retryable,
            };
            if !is_pending {
                // The service may have answered nothing at all.
                return Instant::now() < ends_at;
            }
            sleep(PAUSE).await;
        }
    }
}

/// Asks the application's user and sends the decision. Returns false if the user has not decided yet.
pub(super) async fn decide_with_user(
    client: &ServiceClient,
    questions: &ApprovalQuestions,
    question: ApprovalQuestion,
) -> Result<bool, SvcError> {
    let id = question.approval.id.clone();
    let Some(answer) = questions.ask(client.approvals(), question).await else { return Ok(false) };
    match send_decision(client, &id, answer).await {
        // Another decision was first: the same call gets its effect.
        Err(error) if error.code != ErrorCode::Conflict => Err(error),
        _ => Ok(true),
    }
}

pub(super) async fn decide(client: &ServiceClient, id: &str, answer: ApprovalAnswer) -> Result<DecidedApproval, SvcError> {
    client.read(send_decision(client, id, answer).await?)
}

/// The decided approval as the service wrote it.
async fn send_decision(client: &ServiceClient, id: &str, answer: ApprovalAnswer) -> Result<Value, SvcError> {
    let request = client.post(&path_with(APPROVALS_PATH, id), json!(answer), |answer| answer["id"].is_string());
    Ok(client.request(ServiceRequest { headers: HeaderMap::new(), ..request }).await?.json)
}

fn left_until(time: Instant) -> Duration {
    time.saturating_duration_since(Instant::now())
}

fn for_model(mut error: SvcError, required: &RequiredApproval, asks_user: bool) -> SvcError {
    if asks_user {
        error.message = "The user was asked to approve this call. Say so, and make the same call again when they have done it".into();
        // The link is the application's, which has asked the user.
        if let Some(Value::Object(approval)) = error.details.get_mut("approval") {
            approval.shift_remove("url");
        }
    } else {
        let link = if required.url.is_some() { ", with the link" } else { "" };
        error.message = format!(
            "A person has to approve this call first. Tell the user{link}. When it is approved, make the same call again, or read its result: {}",
            how_to_read(&required.id)
        );
    }
    error
}
