//! Runs of code for one user and conversation: starts a program at the service, waits for its end, and asks the application's user about its
//! calls.
//!
//! Source: docs/protocol.md, section 14.
use super::{
    approvals::ApprovalMode,
    approved_call::decide_with_user,
    caller_ask::{CallerAsk, ask_header},
    max_payment::lowest_amount,
    options::check_timeout,
    questions::Questions,
    required_approval::{ApprovalDecider, ApprovalQuestion, RequiredApproval},
    required_connection::Cure,
    service_client::ServiceClient,
    unfinished::ANSWER_TIME,
};
use crate::{
    SvcError,
    http::{CONNECTION_NAMES_HEADER, RUNS_PATH, ServiceRequest, TakesHandle, path_with},
};
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::{collections::HashSet, sync::Arc, time::Duration};
use tokio::time::{Instant, sleep};

/// The wait of one request. Proxies end a request that is silent for a minute.
const ROUND: Duration = Duration::from_secs(45);
/// The least time that is left for a request.
const SHORTEST_ROUND: Duration = Duration::from_secs(1);
/// The time between two requests to a service that answers at once.
const PAUSE: Duration = Duration::from_millis(250);

/// A new program, or a run.
pub(super) enum Program {
    Code(String),
    Run(String),
}

/// The parts of a run in addition to its program.
#[derive(Default)]
pub(super) struct RunOptions {
    /// The time to wait for the end. The time in which the application asks its own user does not count.
    pub timeout: Option<Duration>,
    pub idempotency_key: Option<String>,
    pub max_payment: Option<String>,
    pub ask: Option<CallerAsk>,
    pub questions: Arc<Questions>,
}

/// Starts the program, or goes on with the run, and follows it as far as the time reaches. The run as the service wrote it.
pub(super) async fn run(client: &ServiceClient, program: Program, options: RunOptions) -> Result<Value, SvcError> {
    let timeout = options.timeout.unwrap_or(client.settings().timeout);
    check_timeout(timeout)?;
    let questions = options.questions.clone();
    let began = Instant::now();
    let first = match program {
        Program::Code(code) => start(client, code, timeout, options).await?,
        Program::Run(id) => read(client, &id, Duration::ZERO).await?,
    };
    follow(client, first, &questions, timeout.saturating_sub(began.elapsed())).await
}

async fn start(client: &ServiceClient, code: String, timeout: Duration, options: RunOptions) -> Result<Value, SvcError> {
    let mut request = client.post(RUNS_PATH, json!({ "code": code }), is_run);
    if let Some(names) = client.connections().names_header(None)? {
        request.headers.insert(CONNECTION_NAMES_HEADER, names);
    }
    request.timeout = timeout;
    request.takes_handle = TakesHandle::WhenStillRunning { wait: None };
    request.idempotency_key = options.idempotency_key;
    request.max_payment = lowest_amount(client.settings().max_payment.iter().chain(&options.max_payment))?;
    request.ask = ask_header(options.ask.as_ref())?;
    request.search_id = client.searches().newest();
    Ok(client.send_in_session(&mut request).await?.json)
}

/// The run after at most this wait.
async fn read(client: &ServiceClient, id: &str, wait: Duration) -> Result<Value, SvcError> {
    let request = client.get(path_with(RUNS_PATH, id), is_run);
    let takes_handle = TakesHandle::WhenStillRunning { wait: Some(wait) };
    Ok(client.request(ServiceRequest { timeout: wait + ANSWER_TIME, takes_handle, ..request }).await?.json)
}

fn is_run(answer: &Value) -> bool {
    answer["run"].is_string()
}

async fn follow(client: &ServiceClient, first: Value, questions: &Questions, mut left: Duration) -> Result<Value, SvcError> {
    let (mut run, mut asked) = (first, HashSet::new());
    loop {
        let goes_on = match run["status"].as_str() {
            Some("done" | "failed") => false,
            Some("waiting") => settle(client, &run["asks"], &mut asked, questions).await?,
            _ => true,
        };
        if !goes_on || left < SHORTEST_ROUND {
            return Ok(run);
        }
        let began = Instant::now();
        run = read(client, run["run"].as_str().unwrap_or_default(), left.min(ROUND)).await?;
        if matches!(run["status"].as_str(), Some("waiting" | "running")) {
            sleep(PAUSE.saturating_sub(began.elapsed())).await;
        }
        left = left.saturating_sub(began.elapsed());
    }
}

/// False if the run goes on only after an answer that comes later, from another place.
async fn settle(client: &ServiceClient, asks: &Value, asked: &mut HashSet<String>, questions: &Questions) -> Result<bool, SvcError> {
    let asks = asks.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut goes_on = client.approvals().mode == ApprovalMode::Wait || asks.iter().any(|ask| ask["handle"].is_string());
    for ask in asks {
        let Some(name) = ask.pointer("/approval/id").or(ask.pointer("/connect/toolkit")).and_then(Value::as_str) else { continue };
        if asked.insert(name.into()) && is_answered(client, ask, questions).await? {
            goes_on = true;
        }
    }
    Ok(goes_on)
}

async fn is_answered(client: &ServiceClient, ask: &Value, questions: &Questions) -> Result<bool, SvcError> {
    let user_id = client.caller().user_id.clone();
    if let Ok(approval) = RequiredApproval::deserialize(&ask["approval"]) {
        if approval.decided_by != ApprovalDecider::App || !client.approvals().has_listener() {
            return Ok(false);
        }
        let action = ask["action"].as_str().unwrap_or_default().into();
        let payload = ask["payload"].as_object().cloned().unwrap_or_default();
        return decide_with_user(client, &questions.approvals, ApprovalQuestion { approval, action, payload, user_id }).await;
    }
    let connections = client.connections();
    match Cure::read(&ask["connect"], user_id.as_deref()) {
        Some(Cure::Page(required)) if connections.has_listener() => Ok(questions.connections.ask(connections, required).await),
        _ => Ok(false),
    }
}
