//! The tools as separate values, for loops that dispatch by tool.
use super::{
    client::Tools,
    definitions::{INVOKE_TOOL, RUN_CODE_TOOL, SEARCH_TOOL, ToolDefinition, invoke_definition, run_code_definition, search_definition},
};

/// `search_services` and `invoke_service`, for the service at `SVC_BASE_URL`. Makes no network call. A wrong key or address fails the first call.
///
/// ```no_run
/// # async fn search() {
/// let (search_tools, call_tool) = svc_sdk::tools::get_tools("svc_agent_…");
/// println!("{}", search_tools.call(r#"{ "query": "weather forecast for a city" }"#).await);
/// # }
/// ```
pub fn get_tools(api_key: impl Into<String>) -> (SearchTools, CallTool) {
    Tools::new(api_key).unwrap_or_else(Tools::refused).into()
}

/// The tool `search_services`: finds actions.
#[derive(Debug, Clone)]
pub struct SearchTools {
    tools: Tools,
}

/// The tool `invoke_service`: runs an action that a search found.
#[derive(Debug, Clone)]
pub struct CallTool {
    tools: Tools,
}

/// The tool `run_code`: runs a program of the model. [`Tools::code_tool`] returns it.
#[derive(Debug, Clone)]
pub struct CodeTool {
    tools: Tools,
}

impl SearchTools {
    /// The name that a model calls.
    pub const NAME: &'static str = SEARCH_TOOL;

    /// Name, description and parameters for a model.
    pub fn definition(&self) -> ToolDefinition {
        search_definition()
    }

    /// Runs the tool with the JSON text that a model wrote. Returns the text for the model, also of a failure.
    pub async fn call(&self, arguments: &str) -> String {
        self.tools.call(SEARCH_TOOL, arguments).await
    }

    /// The client of the tool.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }
}

impl CallTool {
    /// The name that a model calls.
    pub const NAME: &'static str = INVOKE_TOOL;

    /// Name, description and parameters for a model.
    pub fn definition(&self) -> ToolDefinition {
        invoke_definition()
    }

    /// Runs the tool with the JSON text that a model wrote. Returns the text for the model, also of a failure.
    pub async fn call(&self, arguments: &str) -> String {
        self.tools.call(INVOKE_TOOL, arguments).await
    }

    /// The client of the tool.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }
}

impl CodeTool {
    /// The name that a model calls.
    pub const NAME: &'static str = RUN_CODE_TOOL;

    /// Name, description and parameters for a model.
    pub fn definition(&self) -> ToolDefinition {
        run_code_definition()
    }

    /// Runs the tool with the JSON text that a model wrote. Returns the text for the model, also of a failure.
    pub async fn call(&self, arguments: &str) -> String {
        self.tools.call(RUN_CODE_TOOL, arguments).await
    }

    /// The client of the tool.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }
}

impl Tools {
    /// The tool `run_code` as a value beside [`SearchTools`] and [`CallTool`]; `None` without [`code`](super::ToolsBuilder::code).
    pub fn code_tool(&self) -> Option<CodeTool> {
        self.offers_code().then(|| CodeTool { tools: self.clone() })
    }
}

impl From<Tools> for (SearchTools, CallTool) {
    fn from(tools: Tools) -> Self {
        (SearchTools { tools: tools.clone() }, CallTool { tools })
    }
}
