use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_sdk::*;

struct EchoSlam;

#[derive(Debug, Deserialize)]
struct EchoSlamArgs {
    content: String,
}

#[derive(Debug, Serialize)]
struct Said {
    text: String,
    agent: String,
}

#[derive(Debug)]
struct Empty;
impl std::fmt::Display for Empty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nothing to say")
    }
}
impl std::error::Error for Empty {}

impl Action for EchoSlam {
    const NAME: &'static str = "echo";
    type Error = Empty;
    type Args = EchoSlamArgs;
    type Output = Said;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition {
            description: "Echo the message".into(),
            payload: json!({ "content": { "type": "string", "description": "The content to echo", "required": true } }),
            payment: None,
        }
    }

    async fn call(&self, ctx: ActionContext, params: ActionParams<EchoSlamArgs>) -> Result<ActionResult<Said>, Empty> {
        if params.payload.content.is_empty() {
            return Err(Empty);
        }
        Ok(ActionResult {
            payload: Said {
                text: format!("You are agent <{}>, you said \"{}\".", ctx.agent_id, params.payload.content),
                agent: ctx.agent_id,
            },
            payment: None,
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::new(std::env::var("SVC_TOOLKIT_API_KEY").unwrap());
    service.update_info(ToolkitInfo { name: "Vector".into(), description: "Echo in Rust".into() }).await?;
    service.add_action(EchoSlam);
    let runner = service.start().await?;
    let stop = runner.stop_handle();

    let (search_tools, call_tool) = get_tools(std::env::var("SVC_AGENT_API_KEY").unwrap());
    println!("{}", search_tools.call(r#"{"query":"echo a message"}"#).await);
    println!("{}", call_tool.call(r#"{"action":"vector__echo","payload":{"content":"hi"}}"#).await);
    println!("{}", call_tool.call(r#"{"action":"vector__echo","payload":{"content":""}}"#).await);
    println!("{}", call_tool.call(r#"{"action":"vector__ecco","payload":{}}"#).await);
    stop.cancel();
    runner.await
}
