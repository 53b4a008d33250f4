//! The tools as tools of [rig](https://docs.rs/rig) 0.44: `AgentBuilder::new(model).tool(search_tools).tool(call_tool)`.
use crate::{
    SvcError,
    tools::{CallTool, CodeTool, SearchTools, Tools},
};
use rig_core::tool::{PortableTool, ToolExecutionError, ToolOutput};
use serde_json::{Value, json};

macro_rules! portable_tool {
    ($tool:ty) => {
        impl PortableTool for $tool {
            const NAME: &'static str = <$tool>::NAME;
            type Args = Value;
            type Output = ToolOutput;
            type Error = SvcError;

            fn description(&self) -> String {
                self.definition().description
            }

            fn parameters(&self) -> Value {
                self.definition().parameters
            }

            fn map_error(&self, error: SvcError) -> ToolExecutionError {
                for_model(error)
            }

            async fn call(&self, arguments: Value) -> Result<ToolOutput, SvcError> {
                answer(self.tools(), Self::NAME, arguments).await
            }
        }
    };
}

portable_tool!(SearchTools);
portable_tool!(CallTool);
portable_tool!(CodeTool);

async fn answer(tools: &Tools, name: &str, arguments: Value) -> Result<ToolOutput, SvcError> {
    let answer = tools.answer_tool(name, arguments).await;
    answer.error.map_or(Ok(ToolOutput::text(answer.content)), Err)
}

/// The model reads the same error as in any other loop; rig's own text would omit the details.
fn for_model(error: SvcError) -> ToolExecutionError {
    let (feedback, code, retryable) = (json!({ "error": error }).to_string(), error.code.to_string(), error.retryable);
    ToolExecutionError::from_error(error).with_model_feedback(feedback).with_code(code).with_retryable(retryable)
}
