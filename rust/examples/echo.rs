//! A toolkit with one action. Start the service (`npx svc-service serve`), then:
//! `SVC_TOOLKIT_API_KEY=svc_toolkit_… cargo run --example echo`
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::convert::Infallible;
use svc_sdk::{SvcError, toolkit::*};

struct Echo;

#[derive(Deserialize)]
struct EchoArgs {
    content: String,
}

#[derive(Serialize)]
struct EchoOutput {
    text: String,
}

impl Action for Echo {
    const NAME: &'static str = "echo";
    type Error = Infallible;
    type Args = EchoArgs;
    type Output = EchoOutput;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition {
            description: "Echo the message".into(),
            payload: json!({ "content": { "type": "string", "description": "The content to echo", "required": true } }),
            payment: None,
        }
    }

    async fn call(&self, ctx: ActionContext, params: ActionParams<EchoArgs>) -> Result<ActionResult<EchoOutput>, Infallible> {
        let text = format!("You are agent <{}>, you said \"{}\".", ctx.agent_id, params.payload.content);
        Ok(ActionResult { payload: EchoOutput { text }, payment: None })
    }
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::from_env();
    service.update_info(ToolkitInfo { name: "Echo".into(), description: "Repeats its message".into() }).await?;
    service.add_action(Echo);

    let runner = service.start().await?;
    println!("Agents can use {}", runner.registration().accepted.join(", "));
    let stop = runner.stop_handle();
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        stop.stop();
    });
    runner.await
}
