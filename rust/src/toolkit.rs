//! The developer's side: actions, served over one outgoing socket.
use crate::{ErrorCode, SvcError, http::base_url};
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::sync::mpsc;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, protocol::Role},
};
use tokio_util::sync::CancellationToken;

/// One thing that a toolkit can do. Implement `definition` and `call` as `async fn`; no macro is needed.
///
/// Not dyn-compatible (an associated constant, generic results, `impl Future`): the toolkit keeps a private, boxed form of it.
pub trait Action: Send + Sync + 'static {
    /// `[A-Za-z0-9_-]+`, unique in the toolkit.
    const NAME: &'static str;
    /// Any `std::error::Error`, or `ActionError` for a code and data of your own.
    type Error: Into<ActionError> + Send;
    type Args: DeserializeOwned + Send;
    type Output: Serialize + Send;

    fn definition(&self) -> impl Future<Output = ActionDefinition> + Send;

    /// What the action promises: `idempotent` and `read_only` calls may run again when a process is lost.
    fn annotations(&self) -> Annotations {
        Annotations::default()
    }

    fn call(
        &self,
        ctx: ActionContext,
        params: ActionParams<Self::Args>,
    ) -> impl Future<Output = Result<ActionResult<Self::Output>, Self::Error>> + Send;
}

#[derive(Debug, Clone, Default)]
pub struct ActionDefinition {
    pub description: String,
    /// Text, short form or JSON Schema; `Value::Null` for an action that needs nothing.
    pub payload: Value,
    /// What a call may cost; `None` is free.
    pub payment: Option<Payment>,
}

/// A decimal text and a currency code: never a float.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    pub amount: String,
    pub currency: String,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

#[derive(Debug)]
#[non_exhaustive]
pub struct ActionParams<T> {
    pub payload: T,
    /** What the caller has authorised. */
    pub payment: Option<Payment>,
}

#[derive(Debug)]
pub struct ActionResult<T> {
    pub payload: T,
    /** What the call cost; at most what was authorised. */
    pub payment: Option<Payment>,
}

impl<T> From<T> for ActionResult<T> {
    fn from(payload: T) -> Self {
        Self { payload, payment: None }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Progress {
    pub progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// What a handler gets beside its parameters. Cheap to clone.
#[derive(Clone)]
#[non_exhaustive]
pub struct ActionContext {
    pub agent_id: String,
    pub invocation_id: String,
    pub idempotency_key: String,
    pub attempt: u32,
    pub deadline: tokio::time::Instant,
    /// Cancelled when the caller leaves or the deadline passes.
    pub cancelled: CancellationToken,
    frames: mpsc::UnboundedSender<Value>,
}

impl ActionContext {
    pub fn progress(&self, progress: Progress) {
        let mut params = json!(progress);
        params["invocationId"] = json!(self.invocation_id);
        let _ = self.frames.send(json!({ "jsonrpc": "2.0", "method": "progress", "params": params }));
    }
}

/// A failure that you foresee: the agent reads code, message and data. Deliberately no `std::error::Error`, so that every one becomes it by `?`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ActionError {
    pub code: String,
    pub message: String,
    pub data: Option<Value>,
    pub retryable: bool,
    pub retry_after_ms: Option<u64>,
}

impl ActionError {
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None, retryable: false, retry_after_ms: None }
    }
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

impl<E: std::error::Error> From<E> for ActionError {
    fn from(error: E) -> Self {
        Self::new("FAILED", error.to_string())
    }
}

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The dyn-compatible form: JSON in, JSON out.
trait ErasedAction: Send + Sync {
    fn registration(&self) -> BoxFuture<'_, Value>;
    fn call(&self, ctx: ActionContext, payload: Value) -> BoxFuture<'_, Result<Value, ActionError>>;
}

impl<A: Action> ErasedAction for A {
    fn registration(&self) -> BoxFuture<'_, Value> {
        Box::pin(async move {
            let ActionDefinition { description, payload, payment } = self.definition().await;
            let mut it = json!({ "action": A::NAME, "actionDescription": description });
            if !payload.is_null() {
                it["payloadDescription"] = payload
            }
            if let Some(payment) = payment {
                it["payment"] = json!(payment)
            }
            let annotations = json!(self.annotations());
            if annotations != json!({}) {
                it["annotations"] = annotations
            }
            it
        })
    }

    fn call(&self, ctx: ActionContext, payload: Value) -> BoxFuture<'_, Result<Value, ActionError>> {
        Box::pin(async move {
            let payload = serde_json::from_value(payload).map_err(|error| ActionError::new("INVALID_PAYLOAD", error.to_string()))?;
            let result = Action::call(self, ctx, ActionParams { payload, payment: None }).await.map_err(Into::into)?;
            serde_json::to_value(result.payload).map_err(|error| ActionError::new("INVALID_RESULT", error.to_string()))
        })
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct ToolkitInfo {
    pub name: String,
    pub description: String,
}

pub struct ToolkitService {
    key: String,
    base_url: String,
    info: Option<ToolkitInfo>,
    actions: BTreeMap<&'static str, Arc<dyn ErasedAction>>,
}

impl ToolkitService {
    pub fn new(api_key: impl Into<String>) -> Self {
        Self { key: api_key.into(), base_url: base_url(), info: None, actions: BTreeMap::new() }
    }
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Name and description; sent with the registration.
    pub async fn update_info(&mut self, info: ToolkitInfo) -> Result<(), SvcError> {
        self.info = Some(info);
        Ok(())
    }

    /// # Panics
    /// When there is an action of that name.
    pub fn add_action<A: Action>(&mut self, action: A) -> &mut Self {
        assert!(self.actions.insert(A::NAME, Arc::new(action)).is_none(), "two actions are called {}", A::NAME);
        self
    }

    /// Connects and registers: an error here is one that no retry mends. The runner serves until it is stopped.
    pub async fn start(self) -> Result<Runner, SvcError> {
        let stop = CancellationToken::new();
        let (ready_tx, ready) = tokio::sync::oneshot::channel();
        let task = tokio::spawn(serve(self, stop.clone(), ready_tx));
        ready.await.map_err(|_| SvcError::new(ErrorCode::ConnectionClosed, "stopped before it was registered"))??;
        Ok(Runner { task, stop })
    }
}

/// Await it: it ends when the toolkit was stopped, or with the error that made coming back useless.
#[must_use = "the toolkit serves while its runner is awaited or kept"]
pub struct Runner {
    task: tokio::task::JoinHandle<Result<(), SvcError>>,
    stop: CancellationToken,
}

impl Runner {
    /// Takes no new calls, lets running ones end, delivers their results, closes.
    pub fn stop_handle(&self) -> CancellationToken {
        self.stop.clone()
    }
}

impl Future for Runner {
    type Output = Result<(), SvcError>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.task)
            .poll(cx)
            .map(|ended| ended.unwrap_or_else(|error| Err(SvcError::new(ErrorCode::Internal, error.to_string()))))
    }
}

async fn connect(it: &ToolkitService) -> Result<WebSocketStream<reqwest::Upgraded>, SvcError> {
    let unreachable = |error: reqwest::Error| SvcError::new(ErrorCode::ServiceUnreachable, error.without_url().to_string());
    // One HTTP stack for both sides: proxies, TLS and the problem document of a refused key come with it.
    let client = reqwest::Client::builder().http1_only().redirect(reqwest::redirect::Policy::none()).build().map_err(unreachable)?;
    let response = client
        .get(format!("{}/v1/toolkit", it.base_url))
        .bearer_auth(&it.key)
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", tokio_tungstenite::tungstenite::handshake::client::generate_key())
        .send()
        .await
        .map_err(unreachable)?;
    if response.status() != 101 {
        let status = response.status();
        let problem = response.json().await.ok().and_then(SvcError::from_problem);
        return Err(problem.unwrap_or_else(|| SvcError::new(ErrorCode::ServiceUnreachable, format!("answered {status}"))));
    }
    Ok(WebSocketStream::from_raw_socket(response.upgrade().await.map_err(unreachable)?, Role::Client, None).await)
}

/// One connection; the real one comes back with full jitter, keeps results until a heartbeat confirms them, moves, and counts its handlers.
async fn serve(
    it: ToolkitService,
    stop: CancellationToken,
    ready: tokio::sync::oneshot::Sender<Result<(), SvcError>>,
) -> Result<(), SvcError> {
    let socket = match connect(&it).await {
        Ok(socket) => socket,
        Err(error) => {
            let _ = ready.send(Err(error.clone()));
            return Err(error);
        }
    };
    let (mut out, mut frames_in) = socket.split();
    let (frames, mut queue) = mpsc::unbounded_channel::<Value>();
    let mut actions = Vec::new();
    for action in it.actions.values() {
        actions.push(action.registration().await)
    }
    let _ = frames.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "register", "params": { "protocol": 1, "sdk": concat!("svc-sdk-rs/", env!("CARGO_PKG_VERSION")),
        "instance": tokio_tungstenite::tungstenite::handshake::client::generate_key(), "toolkit": it.info, "actions": actions, "concurrency": 100, "unfinished": [], "connection": 1 } }));
    let mut ready = Some(ready);
    let mut running: BTreeMap<String, CancellationToken> = BTreeMap::new();
    let (ended, mut ends) = mpsc::unbounded_channel::<String>();
    let mut beat = tokio::time::interval(Duration::from_secs(10));
    let (mut drained, mut stopping) = (false, false);
    loop {
        if drained && running.is_empty() && queue.is_empty() {
            let _ = out.send(Message::Close(None)).await;
            return Ok(());
        }
        tokio::select! {
            Some(frame) = queue.recv() => out.send(Message::text(frame.to_string())).await.map_err(|e| SvcError::new(ErrorCode::ConnectionClosed, e.to_string()))?,
            Some(id) = ends.recv() => { running.remove(&id); }
            _ = beat.tick() => { let _ = frames.send(json!({ "jsonrpc": "2.0", "id": "beat", "method": "heartbeat", "params": {} })); }
            () = stop.cancelled(), if !stopping => { stopping = true; let _ = frames.send(json!({ "jsonrpc": "2.0", "id": "drain", "method": "drain", "params": {} })); }
            message = frames_in.next() => {
                let text = match message { Some(Ok(Message::Text(text))) => text, Some(Ok(_)) => continue, _ => return Err(SvcError::new(ErrorCode::ConnectionClosed, "the connection closed")) };
                let frame: Value = serde_json::from_str(&text).unwrap_or_default();
                match (frame["method"].as_str(), &frame["id"]) {
                    (Some("invoke"), Value::String(id)) => {
                        let token = CancellationToken::new();
                        running.insert(id.clone(), token.clone());
                        invoke(&it, id.clone(), frame["params"].clone(), token, frames.clone(), ended.clone());
                    }
                    (Some("cancel"), _) => { if let Some(token) = frame["params"]["invocationId"].as_str().and_then(|id| running.get(id)) { token.cancel() } }
                    (None, id) if id == "drain" => drained = true,
                    (None, id) if id == 1 => if let Some(ready) = ready.take() {
                        let _ = ready.send(if frame["error"].is_object() { Err(SvcError::new(ErrorCode::InvalidAction, frame["error"]["message"].to_string())) } else { Ok(()) });
                    },
                    _ => tracing::debug!(%frame, "ignored"),
                }
            }
        }
    }
}

fn invoke(
    it: &ToolkitService,
    id: String,
    params: Value,
    cancelled: CancellationToken,
    frames: mpsc::UnboundedSender<Value>,
    ended: mpsc::UnboundedSender<String>,
) {
    let text = |name: &str| params[name].as_str().map(str::to_owned);
    let ctx = ActionContext {
        agent_id: text("agentId").unwrap_or_default(),
        invocation_id: id.clone(),
        idempotency_key: text("idempotencyKey").unwrap_or_else(|| id.clone()),
        attempt: params["attempt"].as_u64().unwrap_or(1) as u32,
        deadline: tokio::time::Instant::now() + Duration::from_millis(params["timeoutMs"].as_u64().unwrap_or(60_000)),
        cancelled,
        frames: frames.clone(),
    };
    let name = text("action").unwrap_or_default();
    let action = it.actions.get(name.as_str()).cloned();
    let payload = match &params["payload"] {
        Value::Null => json!({}),
        payload => payload.clone(),
    };
    tokio::spawn(async move {
        let outcome = match action {
            // A task of its own: a panic in a handler ends that call alone.
            Some(action) => tokio::spawn(async move { action.call(ctx, payload).await })
                .await
                .unwrap_or_else(|panic| Err(ActionError::new("PANIC", panic.to_string()))),
            None => Err(ActionError::new("ACTION_NOT_FOUND", format!("This process has no action {name:?}"))),
        };
        let answer = match outcome {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(ActionError { code, message, data, retryable, retry_after_ms }) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32000, "message": message,
                "data": { "code": code, "message": message, "data": data, "retryable": retryable, "retryAfterMs": retry_after_ms } } })
            }
        };
        let _ = frames.send(answer);
        let _ = ended.send(id);
    });
}
