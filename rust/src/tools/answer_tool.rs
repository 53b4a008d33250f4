//! The answer to one tool call of a model.
use super::{
    call::Call,
    caller_ask::CallerAsk,
    code_runs::{self, RunOptions},
    definitions::{INVOKE_TOOL, RUN_CODE_TOOL, SEARCH_TOOL},
    idempotency_key::idempotency_key_of,
    ids::is_action_id,
    invoke_response::CallPayment,
    model_arguments::{invoke_body, read_arguments, read_search_arguments},
    model_media::{ModelMedia, model_media},
    model_run::{read_run_arguments, to_answer},
    model_text::{ModelResult, to_error_text, to_model_result, to_model_text, to_program_text},
    options::{MIN_RESULT_CHARS, unless_cancelled},
    questions::Questions,
    search::search,
    service_client::ServiceClient,
    unfinished::{UnfinishedInvocation, to_model_value, unfinished_in},
};
use crate::{
    ContentBlock, ErrorCode, Progress, SvcError,
    http::{ProgressListener, TakesHandle},
};
use futures_util::future::BoxFuture;
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The answer to one tool call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolAnswer {
    /// The result as JSON; `{"result", "content"}` with words such as `[image image/png, 34 KB]` for a result that is more than JSON;
    /// `{"error": {"code", "message", …}}` for a failure.
    pub value: Value,
    /// The value as text: a text result unchanged, any other value as compact JSON. A program gets the JSON of the result without notes, a text
    /// included.
    pub content: String,
    /// The result as MCP content blocks if it is more than JSON: first its text, then texts, images, files and links in their order. Third parties
    /// write them.
    pub blocks: Vec<ContentBlock>,
    /// The blocks for models with vision, in the same order.
    pub media: Vec<ModelMedia>,
    /// The cost of a paid action. `value` and `content` do not contain the cost.
    pub payment: Option<CallPayment>,
    /// The call goes on without its caller, and the model reads its handle.
    pub unfinished: Option<UnfinishedInvocation>,
    /// The failure.
    pub error: Option<SvcError>,
}

impl ToolAnswer {
    /// The value of a success, for frameworks that take an error as an error.
    ///
    /// # Errors
    ///
    /// The failure, if there is one.
    pub fn into_result(self) -> Result<Value, SvcError> {
        self.error.map_or(Ok(self.value), Err)
    }

    fn of_failure(error: SvcError, max_chars: usize) -> Self {
        Self {
            value: json!({ "error": error }),
            content: to_error_text(&error, max_chars),
            error: Some(error),
            ..Self::of_value(Value::Null)
        }
    }

    fn of_result(result: ModelResult, payment: Option<CallPayment>) -> Self {
        let ModelResult { value, text, blocks, .. } = result;
        Self { value, content: text, media: model_media(&blocks), blocks, payment, unfinished: None, error: None }
    }

    fn of_value(value: Value) -> Self {
        Self { content: to_model_text(&value), value, blocks: Vec::new(), media: Vec::new(), payment: None, unfinished: None, error: None }
    }
}

/// A tool call that runs when it is awaited: [`Tools::answer_tool`](super::Tools::answer_tool). A failure is an answer too.
#[must_use = "a tool call runs when it is awaited"]
pub struct AnswerTool<'a> {
    client: &'a ServiceClient,
    name: String,
    arguments: Value,
    tool_call_id: Option<String>,
    idempotency_key: Option<String>,
    max_payment: Option<String>,
    action_version: Option<String>,
    by_program: bool,
    ask: Option<CallerAsk>,
    on_progress: Option<ProgressListener<'a>>,
    cancel_token: Option<CancellationToken>,
    questions: Arc<Questions>,
}

impl<'a> AnswerTool<'a> {
    pub(super) fn new(client: &'a ServiceClient, name: String, arguments: Value) -> Self {
        Self {
            client,
            name,
            arguments,
            tool_call_id: None,
            idempotency_key: None,
            max_payment: None,
            action_version: None,
            by_program: false,
            ask: None,
            on_progress: None,
            cancel_token: None,
            questions: Arc::default(),
        }
    }

    /// The model's id of the call. With a globally unique id the same call runs once, even if another process makes it again.
    pub fn tool_call_id(mut self, id: impl Into<String>) -> Self {
        self.tool_call_id = Some(id.into());
        self
    }

    /// 1 to 255 visible ASCII characters, in place of a key made from the tool call id. A search takes none and runs again.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency_key = Some(key.into());
        self
    }

    /// The most that this call may cost, such as `0.05`. The lower limit counts, of this and of the client's.
    pub fn max_payment(mut self, amount: impl Into<String>) -> Self {
        self.max_payment = Some(amount.into());
        self
    }

    /// The [`version`](super::ResolveResponse::version) of a resolved call: the call runs this version of the action, or is refused with
    /// `ACTION_CHANGED`. `"none"`, after resolve was refused: the call runs nothing, and returns the outcome that an earlier call with its key left, if
    /// there is one.
    pub fn action_version(mut self, version: impl Into<String>) -> Self {
        self.action_version = Some(version.into());
        self
    }

    /// The calls that your user has to approve, in place of [`ToolsBuilder::ask`](super::ToolsBuilder::ask).
    pub fn ask(mut self, calls: CallerAsk) -> Self {
        self.ask = Some(calls);
        self
    }

    /// A program of the model's provider made the call. The service refuses one that such a program may not make with `CALL_DIRECTLY`. `content` of
    /// the answer is JSON for code.
    pub fn made_by_program(mut self) -> Self {
        self.by_program = true;
        self
    }

    /// Called with the progress of the handler.
    pub fn on_progress(mut self, listener: impl FnMut(Progress) + Send + 'a) -> Self {
        self.on_progress = Some(Box::new(listener));
        self
    }

    /// A token that cancels the call and its handler. The answer is then `INVOCATION_CANCELLED`.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    /// Shares the questions of calls that a model made together.
    pub(super) fn questions(mut self, questions: &Arc<Questions>) -> Self {
        self.questions = questions.clone();
        self
    }

    async fn answer(mut self) -> ToolAnswer {
        let max_chars = self.client.settings().max_result_chars;
        let cancel_token = self.cancel_token.take();
        unless_cancelled(cancel_token, self.run()).await.unwrap_or_else(|error| ToolAnswer::of_failure(error, max_chars))
    }

    async fn run(self) -> Result<ToolAnswer, SvcError> {
        let Self { client, name, .. } = self;
        let is_code = name == RUN_CODE_TOOL && client.settings().code;
        if name != SEARCH_TOOL && name != INVOKE_TOOL && !is_code && !is_action_id(&name) {
            let message = format!("There is no tool {name:?}. Find actions with {SEARCH_TOOL}, run one with {INVOKE_TOOL}.");
            return Err(SvcError::new(ErrorCode::UnknownTool, message));
        }
        let arguments = read_arguments(&name, self.arguments)?;
        if name == SEARCH_TOOL {
            let (query, limit) = read_search_arguments(&arguments)?;
            let value = search(client, query, limit, None).await?;
            return Ok(ToolAnswer { content: value.to_string(), ..ToolAnswer::of_value(value) });
        }
        let max_chars = client.settings().max_result_chars;
        let idempotency_key = idempotency_key_of(self.idempotency_key.as_deref(), self.tool_call_id.as_deref(), &name, &arguments)?;
        let ask = self.ask.or_else(|| client.settings().ask.clone());
        if is_code {
            let options = RunOptions {
                timeout: None,
                idempotency_key: Some(idempotency_key),
                max_payment: self.max_payment,
                ask,
                questions: self.questions,
            };
            let run = code_runs::run(client, read_run_arguments(&arguments)?, options).await?;
            return Ok(ToolAnswer::of_result(to_model_result(to_answer(run, client), max_chars), None));
        }
        let call = Call {
            idempotency_key: Some(idempotency_key),
            max_payment: self.max_payment,
            action_version: self.action_version,
            by_program: self.by_program,
            ask,
            max_result_chars: Some(max_chars).filter(|&chars| chars >= MIN_RESULT_CHARS),
            on_progress: self.on_progress,
            questions: self.questions,
            takes_handle: TakesHandle::Later,
            for_model: true,
            ..Call::default()
        };
        let answer = call.send(client, invoke_body(&name, arguments)).await?;
        if let Some(unfinished) = unfinished_in(&answer) {
            return Ok(ToolAnswer { unfinished: Some(unfinished.clone()), ..ToolAnswer::of_value(to_model_value(&unfinished)) });
        }
        let payment = CallPayment::deserialize(&answer["payment"]).ok();
        let mut result = to_model_result(answer, max_chars);
        if self.by_program {
            result.text = to_program_text(result.result.as_ref().unwrap_or(&result.value));
        }
        Ok(ToolAnswer::of_result(result, payment))
    }
}

impl<'a> IntoFuture for AnswerTool<'a> {
    type Output = ToolAnswer;
    type IntoFuture = BoxFuture<'a, ToolAnswer>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.answer())
    }
}
