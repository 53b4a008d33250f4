//! The answers to `message.tool_calls` of chat completions.
use super::{
    answer_tool::{AnswerTool, ToolAnswer},
    ids::{MAX_IDEMPOTENCY_KEY_CHARS, check_header_text},
    invoke_response::CallPayment,
    options::unless_cancelled,
    questions::Questions,
    service_client::ServiceClient,
};
use crate::{ErrorCode, Progress, SvcError};
use futures_util::future::{BoxFuture, join_all};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The length of `/n`, which follows the key of a list.
const MAX_LIST_KEY_CHARS: usize = MAX_IDEMPOTENCY_KEY_CHARS - 5;

type Listener<'a, T> = Box<dyn Fn(&str, T) + Send + Sync + 'a>;

/// Tool calls that run when they are awaited: [`Tools::call_tools`](super::Tools::call_tools).
#[must_use = "tool calls run when they are awaited"]
pub struct CallTools<'a> {
    client: &'a ServiceClient,
    tool_calls: Result<Vec<ToolCall>, SvcError>,
    idempotency_key: Option<String>,
    on_progress: Option<Listener<'a, Progress>>,
    on_payment: Option<Listener<'a, CallPayment>>,
    cancel_token: Option<CancellationToken>,
    questions: Arc<Questions>,
}

impl<'a> CallTools<'a> {
    pub(super) fn new(client: &'a ServiceClient, tool_calls: impl Serialize) -> Self {
        let tool_calls = serde_json::to_value(tool_calls).map_err(|_| not_tool_calls()).and_then(read_tool_calls);
        Self {
            client,
            tool_calls,
            idempotency_key: None,
            on_progress: None,
            on_payment: None,
            cancel_token: None,
            questions: Arc::default(),
        }
    }

    /// 1 to 250 visible ASCII characters: call n of the list, from 0, has the key `<key>/<n>`.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency_key = Some(key.into());
        self
    }

    /// Called with the id of the tool call and its progress.
    pub fn on_progress(mut self, listener: impl Fn(&str, Progress) + Send + Sync + 'a) -> Self {
        self.on_progress = Some(Box::new(listener));
        self
    }

    /// Called for each result of a paid action, with the id of the tool call.
    pub fn on_payment(mut self, listener: impl Fn(&str, CallPayment) + Send + Sync + 'a) -> Self {
        self.on_payment = Some(Box::new(listener));
        self
    }

    /// A token that cancels the calls and their handlers. The outcome is then `INVOCATION_CANCELLED`.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn run(mut self) -> Result<Vec<Value>, SvcError> {
        if let Some(key) = &self.idempotency_key {
            check_header_text("idempotency_key", key, MAX_LIST_KEY_CHARS)?;
        }
        let tool_calls = std::mem::replace(&mut self.tool_calls, Ok(Vec::new()))?;
        let free = Semaphore::new(self.client.settings().concurrency);
        let answers = tool_calls.into_iter().enumerate().map(async |(index, tool_call)| {
            let _permit = free.acquire().await;
            self.answer(index, tool_call).await
        });
        let cancel_token = self.cancel_token.clone();
        unless_cancelled(cancel_token, async { Ok(join_all(answers).await) }).await
    }

    async fn answer(&self, index: usize, ToolCall { id, name, arguments, by_program }: ToolCall) -> Value {
        let mut call = AnswerTool::new(self.client, name, arguments).tool_call_id(&id).questions(&self.questions);
        if let Some(key) = &self.idempotency_key {
            call = call.idempotency_key(format!("{key}/{index}"));
        }
        if by_program {
            call = call.made_by_program();
        }
        if let Some(listener) = &self.on_progress {
            call = call.on_progress(|progress| listener(&id, progress));
        }
        let ToolAnswer { content, payment, .. } = call.await;
        if let (Some(listener), Some(payment)) = (&self.on_payment, payment) {
            listener(&id, payment);
        }
        json!({ "role": "tool", "tool_call_id": id, "content": content })
    }
}

impl<'a> IntoFuture for CallTools<'a> {
    type Output = Result<Vec<Value>, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// A model's request to use a tool.
struct ToolCall {
    id: String,
    name: String,
    arguments: Value,
    /// A program of the model's provider made the call.
    by_program: bool,
}

/// A malformed call is not an error: it is answered.
fn read_tool_calls(tool_calls: Value) -> Result<Vec<ToolCall>, SvcError> {
    match tool_calls {
        Value::Null => Ok(Vec::new()),
        Value::Array(calls) => Ok(calls.into_iter().map(read_tool_call).collect()),
        _ => Err(not_tool_calls()),
    }
}

/// A call whose type is not `function` gets its type as name, which no tool has. Some servers omit the type.
fn read_tool_call(mut call: Value) -> ToolCall {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = if call["function"]["name"].is_string() { &call["function"]["name"] } else { &call["type"] };
    let (id, name, by_program) = (text(&call["id"]), text(name), call["madeBy"] == "program");
    let arguments = call.pointer_mut("/function/arguments").map(Value::take).unwrap_or_default();
    ToolCall { id, name, arguments, by_program }
}

fn not_tool_calls() -> SvcError {
    SvcError::new(ErrorCode::InvalidRequest, "call_tools takes the list `message.tool_calls`, not the message")
}
