//! The agent developer's client: two tools that find and run every action, in any agent loop.
use super::{
    answer_tool::AnswerTool,
    call_tools::CallTools,
    definitions::{ToolDefinition, invoke_definition, search_definition},
    invoke::Invoke,
    options::ToolsBuilder,
    resolve::{ResolveResponse, resolve},
    search::Search,
    search_memory::SearchMemory,
    selection::ToolSelection,
    static_tools::static_tools,
};
use crate::{
    ErrorCode, SvcError,
    http::{Answer, AnswerTest, HttpClient, ServiceRequest},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Finds and runs actions. Cheap to clone; clones share their connections and belong to one conversation.
///
/// ```no_run
/// # async fn ask(messages: &[serde_json::Value], tools: &[serde_json::Value]) -> serde_json::Value { serde_json::Value::Null }
/// # async fn turn() -> Result<(), svc_sdk::SvcError> {
/// use svc_sdk::tools::{ToolSelection, Tools};
///
/// let tools = Tools::new("svc_agent_…");
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
    inner: Arc<Inner>,
}

struct Inner {
    settings: Settings,
    connection: Connection,
    /// The service's ranking uses only calls that name the search that found their action.
    searches: Mutex<SearchMemory>,
}

/// The shared state of one client's requests.
pub(super) struct Settings {
    pub timeout: Duration,
    pub concurrency: usize,
    pub max_result_chars: usize,
    pub max_search_tokens: Option<u32>,
    pub max_payment: Option<String>,
}

pub(super) enum Connection {
    Open(HttpClient),
    /// `SVC_BASE_URL` is wrong; the first call returns this error.
    Refused(SvcError),
}

impl Tools {
    /// A client with default options, for the service at `SVC_BASE_URL`. Makes no network call.
    ///
    /// A wrong key or address fails the first call that needs it.
    pub fn new(api_key: impl Into<String>) -> Self {
        let builder = Self::builder().api_key(api_key);
        builder.build().unwrap_or_else(|error| Self::from_parts(Self::builder().settings(), Connection::Refused(error)))
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

    /// `search_services` and `invoke_service`, always the same bytes.
    pub fn definitions(&self) -> [ToolDefinition; 2] {
        [search_definition(), invoke_definition()]
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
        let mut definitions = if selection.dynamic_tools { self.definitions().to_vec() } else { Vec::new() };
        definitions.extend(static_tools(self, &selection).await?);
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
        CallTools::new(self, tool_calls)
    }

    /// Runs one tool call of a model. Returns the text for the model, also of a failure.
    ///
    /// `name` is `search_services`, `invoke_service` or an action id; `arguments` is the JSON text that the model wrote.
    pub async fn call(&self, name: &str, arguments: &str) -> String {
        self.answer_tool(name, arguments).await.content
    }

    /// Answers one tool call, with media, payment and error beside the text. A failure is an answer too.
    ///
    /// `arguments` are the model's, as an object or as JSON text.
    pub fn answer_tool(&self, name: impl Into<String>, arguments: impl Into<Value>) -> AnswerTool<'_> {
        AnswerTool::new(self, name.into(), arguments.into())
    }

    /// Returns the action, the payload and the price of a tool call without running it, for a decision before the call.
    ///
    /// `name` is `invoke_service` or an action id; `arguments` are the model's, as an object or as JSON text.
    ///
    /// # Errors
    ///
    /// The same error as the call for this action and payload.
    pub async fn resolve(&self, name: &str, arguments: impl Into<Value>) -> Result<ResolveResponse, SvcError> {
        resolve(self, name, arguments.into()).await
    }

    /// Finds actions for a need in plain words, best first: the best few in full, the others by name.
    ///
    /// `query` is the wanted action in plain words, or an exact action or toolkit id.
    pub fn search(&self, query: impl Into<String>) -> Search<'_> {
        Search::new(self, query.into())
    }

    /// Runs an action. The payload is JSON, or a type that serializes to a JSON object; `()` is `{}`.
    ///
    /// ```no_run
    /// # async fn forecast() -> Result<(), svc_sdk::SvcError> {
    /// # let tools = svc_sdk::tools::Tools::new("svc_agent_…");
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
        Invoke::new(self, action, payload)
    }

    pub(super) fn from_parts(settings: Settings, connection: Connection) -> Self {
        Self { inner: Arc::new(Inner { settings, connection, searches: Mutex::default() }) }
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    pub(super) fn searches(&self) -> MutexGuard<'_, SearchMemory> {
        self.inner.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, path: String, is_answer: AnswerTest) -> ServiceRequest<'static> {
        ServiceRequest {
            path,
            body: None,
            is_answer,
            timeout: self.settings().timeout,
            idempotency_key: None,
            max_result_chars: None,
            max_payment: None,
            action_version: None,
            search_id: None,
            on_progress: None,
        }
    }

    pub(super) fn post<'a>(&self, path: &str, body: Value, is_answer: AnswerTest) -> ServiceRequest<'a> {
        ServiceRequest { body: Some(body), ..self.get(path.into(), is_answer) }
    }

    pub(super) async fn request(&self, request: ServiceRequest<'_>) -> Result<Answer, SvcError> {
        match &self.inner.connection {
            Connection::Open(http) => http.request(request).await,
            Connection::Refused(error) => Err(error.clone()),
        }
    }

    /// The answer as a type.
    pub(super) fn read<T: DeserializeOwned>(&self, answer: Value) -> Result<T, SvcError> {
        serde_json::from_value(answer).map_err(|error| {
            let mut unreadable =
                SvcError::new(ErrorCode::ServiceUnreachable, format!("The answer is not that of an svc-sdk service: {error}"));
            unreadable.retryable = false;
            unreadable
        })
    }
}

/// The key is never part of the output.
impl fmt::Debug for Tools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Tools");
        if let Connection::Open(http) = &self.inner.connection {
            shown.field("base_url", &http.base_url);
        }
        shown.finish_non_exhaustive()
    }
}
