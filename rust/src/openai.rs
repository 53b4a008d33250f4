//! Tools in the types of [async-openai](https://docs.rs/async-openai) 0.43. `call_tools` accepts its tool calls unchanged.
use crate::tools::ToolDefinition;
use async_openai::types::chat::{ChatCompletionTool, ChatCompletionTools, FunctionObject};

impl From<ToolDefinition> for ChatCompletionTools {
    fn from(definition: ToolDefinition) -> Self {
        Self::Function(ChatCompletionTool {
            function: FunctionObject {
                name: definition.name,
                description: Some(definition.description),
                parameters: Some(definition.parameters),
                strict: None,
            },
        })
    }
}
