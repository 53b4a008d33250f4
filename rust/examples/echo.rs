//! A toolkit with one action. Start the service (`npx svc-service serve`), then:
//! `SVC_TOOLKIT_API_KEY=svc_toolkit_… cargo run --example echo`
use serde::Deserialize;
use serde_json::json;
use svc_sdk::{SvcError, toolkit::*};

#[derive(Deserialize)]
struct Message {
    content: String,
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::from_env();
    service.update_info(ToolkitInfo { name: "Echo".into(), description: "Repeats its message".into() }).await?;
    let payload = json!({ "content": { "type": "string", "description": "The content to echo", "required": true } });
    service.add_fn_with_payload("echo", "Echo the message", payload, |ctx, Message { content }| async move {
        Ok(json!({ "text": format!("You are agent <{}>, you said \"{content}\".", ctx.agent_id) }))
    });

    let runner = service.start().await?;
    println!("Agents can use {}", runner.registration().accepted.join(", "));
    let stop = runner.stop_handle();
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        stop.stop();
    });
    runner.await
}
