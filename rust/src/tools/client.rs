//! The agent developer's client: two tools that find and run every action, in any agent loop.
use super::{
    answer_tool::AnswerTool,
    approved_call::decide,
    call_tools::CallTools,
    connect_page::{ConfirmConnection, ConnectUrl},
    definitions::{ToolDefinition, invoke_definition, run_code_definition, search_definition},
    for_user::ForUser,
    invoke::Invoke,
    options::ToolsBuilder,
    required_approval::{ApprovalAnswer, DecidedApproval},
    resolve::Resolve,
    run_code::{ReadRun, RunCode},
    search::Search,
    selection::ToolSelection,
    service_client::ServiceClient,
    static_tools::static_tools,
    unfinished::{ReadResult, cancel},
    usage_header::ReportedUsage,
};
use crate::{ErrorCode, SvcError};
use serde::Serialize;
use serde_json::Value;
use std::{fmt, sync::Arc};

/// Finds and runs actions. Cheap to clone; clones share their connections and belong to one conversation.
///
/// ```no_run
/// # async fn ask(messages: &[serde_json::Value], tools: &[serde_json::Value]) -> serde_json::Value { serde_json::Value::Null }
/// # async fn turn() -> Result<(), svc_sdk::SvcError> {
/// use svc_sdk::tools::{ToolSelection, Tools};
///
/// let tools = Tools::new("svc_agent_…")?;
/// let mut messages = vec![serde_json::json!({ "role": "user", "content": "Will it rain in Rome?" })];
/// let message = ask(&messages, &tools.get_tools(ToolSelection::default()).await?).await;
/// let answers = tools.call_tools(&message["tool_calls"]).await?;
/// messages.push(message);
/// messages.extend(answers);
/// # Ok(())
/// # }
/// ```
///
/// A dropped future of a call cancels its handler too.
#[derive(Clone)]
pub struct Tools {
    client: Arc<ServiceClient>,
}

impl Tools {
    /// A client with default options, for the service at `SVC_BASE_URL`. Makes no network call.
    ///
    /// A wrong key fails the first call.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for a wrong address.
    pub fn new(api_key: impl Into<String>) -> Result<Self, SvcError> {
        Self::builder().api_key(api_key).build()
    }

    /// A client whose calls fail with this error.
    pub(super) fn refused(error: SvcError) -> Self {
        Self::from_client(ServiceClient::refused(Self::builder().settings(), error))
    }

    /// Options of a client.
    ///
    /// ```
    /// use std::time::Duration;
    /// use svc_sdk::tools::Tools;
    ///
    /// let tools = Tools::builder().api_key("svc_agent_…").timeout(Duration::from_secs(10)).max_payment("0.05").build()?;
    /// # Ok::<(), svc_sdk::SvcError>(())
    /// ```
    pub fn builder() -> ToolsBuilder {
        ToolsBuilder::default()
    }

    /// `search_services` and `invoke_service`, with [`code`](ToolsBuilder::code) also `run_code`; always the same bytes.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let code = self.offers_code().then(run_code_definition);
        [search_definition(), invoke_definition()].into_iter().chain(code).collect()
    }

    /// True if the model has the tool `run_code`.
    pub(super) fn offers_code(&self) -> bool {
        self.client.settings().code
    }

    /// Tools in the shape of OpenAI chat completions. Only static tools need a network call.
    ///
    /// # Errors
    ///
    /// `ACTION_NOT_FOUND`, `TOOLKIT_NOT_FOUND` for an id that the service does not have; `INVALID_REQUEST` when no tool is chosen.
    pub async fn get_tools(&self, selection: ToolSelection) -> Result<Vec<Value>, SvcError> {
        Ok(self.load_definitions(selection).await?.iter().map(ToolDefinition::to_chat_completion_tool).collect())
    }

    /// The tools of `get_tools` in a neutral shape, with the annotations of static actions.
    ///
    /// # Errors
    ///
    /// Those of `get_tools`.
    pub async fn load_definitions(&self, selection: ToolSelection) -> Result<Vec<ToolDefinition>, SvcError> {
        if selection == ToolSelection::default().dynamic_tools(false) {
            return Err(SvcError::new(
                ErrorCode::InvalidRequest,
                "dynamic_tools(false) leaves no tools; name some with static_toolkits or static_actions",
            ));
        }
        let mut definitions = if selection.dynamic_tools { self.definitions() } else { Vec::new() };
        definitions.extend(static_tools(&self.client, &selection).await?);
        Ok(definitions)
    }

    /// Answers a model's `message.tool_calls`: one message for each call, in order. A failure is an answer too.
    ///
    /// Accepts JSON, or any type that serializes to JSON, such as the types of async-openai; `null` and `[]` give `[]`.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for a value that is not a list of tool calls, or an invalid `idempotency_key`.
    pub fn call_tools(&self, tool_calls: impl Serialize) -> CallTools<'_> {
        CallTools::new(&self.client, tool_calls)
    }

    /// Runs one tool call of a model. Returns the text for the model, also of a failure.
    ///
    /// `name` is `search_services`, `invoke_service`, `run_code` or an action id; `arguments` is the JSON text that the model wrote.
    pub async fn call(&self, name: &str, arguments: &str) -> String {
        self.answer_tool(name, arguments).await.content
    }

    /// Answers one tool call, with media, payment and error beside the text. A failure is an answer too.
    ///
    /// `arguments` are the model's, as an object or as JSON text.
    pub fn answer_tool(&self, name: impl Into<String>, arguments: impl Into<Value>) -> AnswerTool<'_> {
        AnswerTool::new(&self.client, name.into(), arguments.into())
    }

    /// Returns the action, the payload and the price of a tool call without running it, for a decision before the call.
    ///
    /// `name` is `invoke_service` or an action id; `arguments` are the model's, as an object or as JSON text.
    ///
    /// # Errors
    ///
    /// The same error as the call for this action and payload.
    pub fn resolve(&self, name: impl Into<String>, arguments: impl Into<Value>) -> Resolve<'_> {
        Resolve::new(&self.client, name.into(), arguments.into())
    }

    /// Finds actions for a need in plain words, best first: the best few in full, the others by name.
    ///
    /// `query` is the wanted action in plain words, or an exact action or toolkit id.
    pub fn search(&self, query: impl Into<String>) -> Search<'_> {
        Search::new(&self.client, query.into())
    }

    /// Runs an action. The payload is JSON, or a type that serializes to a JSON object; `()` is `{}`.
    ///
    /// ```no_run
    /// # async fn forecast() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::new("svc_agent_…")?;
    /// #[derive(serde::Serialize)]
    /// struct Wish<'a> {
    ///     city: &'a str,
    /// }
    /// #[derive(serde::Deserialize)]
    /// struct Weather {
    ///     celsius: f64,
    /// }
    ///
    /// let weather: Weather = tools.invoke("weather__today", Wish { city: "Rome" }).await?.json()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Such as `INVALID_PAYLOAD`, `ACTION_FAILED`, `INVOCATION_TIMEOUT`.
    pub fn invoke(&self, action: &str, payload: impl Serialize) -> Invoke<'_> {
        Invoke::new(&self.client, action, payload)
    }

    /// A client for another user, with the key, the options and the network connections of this one, and its own memory of searches.
    ///
    /// ```
    /// # fn main() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::new("svc_agent_…")?;
    /// let hers = tools.for_user("u_82").session_id("chat-7").build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_user(&self, user_id: impl Into<String>) -> ForUser<'_> {
        ForUser::new(&self.client, user_id.into())
    }

    /// The page on which a user connects accounts of these toolkits. Only a backend may call this: it needs an agent key, not a token.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` without a user; `TOOLKIT_NOT_FOUND`.
    pub fn connect_url(&self, toolkits: impl IntoIterator<Item = impl Into<String>>) -> ConnectUrl<'_> {
        ConnectUrl::new(&self.client, toolkits.into_iter().map(Into::into).collect())
    }

    /// Confirms that the user in whose browser the connect page ended is this user. The connection cannot be used before.
    ///
    /// `code` is the one with which the page ended.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` without a user; the error of the service for a code of another user, or a code that has ended.
    pub fn confirm_connection(&self, code: impl Into<String>) -> ConfirmConnection<'_> {
        ConfirmConnection::new(&self.client, code.into())
    }

    /// The result of a call that goes on without its caller.
    ///
    /// `handle` is that of [`Invoke::without_waiting`], or the id of an approval.
    ///
    /// ```no_run
    /// # async fn render() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::new("svc_agent_…")?;
    /// use std::time::Duration;
    /// use svc_sdk::tools::Invocation;
    ///
    /// let mut call = tools.invoke("video__render", serde_json::json!({ "id": 3 })).without_waiting().await?;
    /// let answer = loop {
    ///     match call {
    ///         Invocation::Ended(answer) => break answer,
    ///         Invocation::Unfinished(running) => call = tools.result(running.invocation_id).wait(Duration::from_secs(60)).await?,
    ///     }
    /// };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the call; `APPROVAL_DENIED`; `NOT_FOUND` for a call of another key or user.
    pub fn result(&self, handle: impl Into<String>) -> ReadResult<'_> {
        ReadResult::new(&self.client, handle.into())
    }

    /// Runs a program at the service, the body of an async function in JavaScript, whose calls are calls of this key. docs/code.md.
    ///
    /// Returns its end, or how far it is when the time is over or it waits for a person.
    ///
    /// ```no_run
    /// # async fn count() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::new("svc_agent_…")?;
    /// use svc_sdk::tools::CodeRun;
    ///
    /// match tools.run_code("return (await tools.shop.list_orders({})).data.length").await? {
    ///     CodeRun::Done(run) => println!("{}", run.result),
    ///     CodeRun::Failed(run) => println!("{}, after {:?}", run.error.message, run.ran),
    ///     unfinished => println!("{:?}", tools.code_run(unfinished.id()).await?),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `ACTION_NOT_ALLOWED` when the service or the key runs no code. The failure of a program is not an error.
    pub fn run_code(&self, code: impl Into<String>) -> RunCode<'_> {
        RunCode::new(&self.client, code.into())
    }

    /// A run that has not ended, `run_…`, as [`run_code`](Self::run_code).
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` for a run of another key or user.
    pub fn code_run(&self, run: impl Into<String>) -> ReadRun<'_> {
        ReadRun::new(&self.client, run.into())
    }

    /// Cancels a call that goes on without its caller, or a run of code. Has no effect on one that has ended.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` for a call of another key or user.
    pub async fn cancel(&self, handle: &str) -> Result<(), SvcError> {
        cancel(&self.client, handle).await
    }

    /// Adds tokens that your model used to the records of the session.
    ///
    /// They go along with the next search or call, or alone after 2 s, while the runtime of this call lives.
    ///
    /// ```
    /// # fn main() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::builder().session_id("chat-7").build()?;
    /// use svc_sdk::tools::ReportedUsage;
    ///
    /// tools.report_usage(ReportedUsage::new("gpt-6", 1_200, 86).cached_tokens(1_024))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for an invalid number, or without `session_id`.
    pub fn report_usage(&self, usage: ReportedUsage) -> Result<(), SvcError> {
        self.client.report_usage(&usage)
    }

    /// Sends the reported tokens now, such as at the end of a conversation. Tokens whose request fails are kept.
    ///
    /// # Errors
    ///
    /// Such as `INVALID_KEY`, `SERVICE_UNREACHABLE`.
    pub async fn flush_usage(&self) -> Result<(), SvcError> {
        self.client.flush_usage().await
    }

    /// Decides about a call of this key, for an application that asks its own user. A rule has to allow it.
    ///
    /// # Errors
    ///
    /// `CONFLICT` if it was decided before; `NOT_PERMITTED` if only people may decide.
    pub async fn decide_approval(&self, id: &str, answer: ApprovalAnswer) -> Result<DecidedApproval, SvcError> {
        decide(&self.client, id, answer).await
    }

    fn from_client(client: ServiceClient) -> Self {
        Self { client: client.into() }
    }
}

/// The key is never part of the output.
impl fmt::Debug for Tools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Tools");
        if let Some(base_url) = self.client.base_url() {
            shown.field("base_url", &base_url);
        }
        shown.finish_non_exhaustive()
    }
}

impl ToolsBuilder {
    /// The client. Makes no network call. A missing or wrong key fails the first call that needs it.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for an invalid option.
    pub fn build(self) -> Result<Tools, SvcError> {
        self.into_client().map(Tools::from_client)
    }
}

impl ForUser<'_> {
    /// The client. Makes no network call.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for an invalid option.
    pub fn build(self) -> Result<Tools, SvcError> {
        self.into_client().map(Tools::from_client)
    }
}
