//! The agent's side: two tools that find and use every action.
use crate::{
    ErrorCode, SvcError,
    http::{Http, base_url},
};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// `search_services` and `invoke_service`, each with `definition()` and `call(arguments)`.
pub fn get_tools(api_key: impl Into<String>) -> (SearchTools, CallTool) {
    let tools = Tools::new(api_key);
    (SearchTools { tools: tools.clone() }, CallTool { tools })
}

#[derive(Debug, Clone, Serialize)]
pub struct ToolDefinition {
    pub name: &'static str,
    pub description: &'static str,
    pub parameters: Value,
}

impl ToolDefinition {
    /// The element of `tools` in a chat-completions request.
    pub fn to_chat_completions(&self) -> Value {
        json!({ "type": "function", "function": self })
    }
}

#[derive(Clone)]
pub struct Tools {
    http: Http,
}

impl Tools {
    pub fn new(api_key: impl Into<String>) -> Self {
        Self::with_base_url(api_key, base_url())
    }
    pub fn with_base_url(api_key: impl Into<String>, base_url: impl Into<String>) -> Self {
        Self { http: Http::new(api_key.into(), base_url.into()) }
    }

    /// One tool call of a model, by name, its arguments as the text that the model wrote. The text for the tool-result message: never an error.
    pub async fn call(&self, name: &str, arguments: &str) -> String {
        self.call_with_id(name, arguments, None).await
    }

    /// With the model's id of the call: when it is plainly unique, the same call runs once, also when another process makes it again.
    pub async fn call_with_id(&self, name: &str, arguments: &str, tool_call_id: Option<&str>) -> String {
        match self.run(name, arguments, tool_call_id).await {
            Ok(Value::String(text)) => text,
            Ok(value) => value.to_string(),
            Err(error) => json!({ "error": error }).to_string(),
        }
    }

    async fn run(&self, name: &str, arguments: &str, tool_call_id: Option<&str>) -> Result<Value, SvcError> {
        let input: Value = serde_json::from_str(if arguments.trim().is_empty() { "{}" } else { arguments })
            .map_err(|error| SvcError::new(ErrorCode::InvalidRequest, format!("The arguments of {name} are not valid JSON ({error})")))?;
        match name {
            "search_services" => self.http.post("/v1/search", &input, None).await,
            "invoke_service" => self.invoke(&input, tool_call_id, name).await,
            action if action.contains("__") => self.invoke(&json!({ "action": action, "payload": input }), tool_call_id, name).await,
            other => Err(SvcError::new(ErrorCode::UnknownTool, format!("There is no tool {other:?}"))),
        }
    }

    async fn invoke(&self, body: &Value, tool_call_id: Option<&str>, name: &str) -> Result<Value, SvcError> {
        let key = tool_call_id.map(|id| format!("{:x}", Sha256::digest(json!([id, name, body.to_string()]).to_string())));
        let mut answer = self.http.post("/v1/invoke", body, key.as_deref()).await?;
        Ok(answer["result"].take())
    }
}

macro_rules! tool {
    ($type:ident, $name:literal, $description:literal, $parameters:expr) => {
        #[derive(Clone)]
        pub struct $type {
            tools: Tools,
        }

        impl $type {
            pub const NAME: &'static str = $name;
            pub fn definition(&self) -> ToolDefinition {
                ToolDefinition { name: $name, description: $description, parameters: $parameters }
            }
            pub async fn call(&self, arguments: &str) -> String {
                self.tools.call($name, arguments).await
            }
        }

        #[cfg(feature = "rig")]
        impl rig_core::tool::PortableTool for $type {
            const NAME: &'static str = $name;
            type Args = Value;
            type Output = Value;
            type Error = SvcError;
            fn description(&self) -> String {
                $description.into()
            }
            fn parameters(&self) -> Value {
                $parameters
            }
            async fn call(&self, arguments: Value) -> Result<Value, SvcError> {
                self.tools.run($name, &arguments.to_string(), None).await
            }
        }
    };
}
// Texts of the draft; the real ones come from a file that all languages share.
tool!(
    SearchTools,
    "search_services",
    "Find actions that invoke_service can run …",
    json!({ "type": "object", "properties": { "query": { "type": "string" }, "limit": { "type": "integer" } }, "required": ["query"] })
);
tool!(
    CallTool,
    "invoke_service",
    "Run an action found with search_services …",
    json!({ "type": "object", "properties": { "action": { "type": "string" }, "payload": { "type": "object", "additionalProperties": true } }, "required": ["action", "payload"] })
);
