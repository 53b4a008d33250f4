//! An agent of rig with the two tools.
//!
//! `OPENAI_API_KEY=… SVC_AGENT_API_KEY=… cargo run --example rig_agent --features rig-example -- "What time is it in Tokyo?"`
use rig_agent::prelude::*;
use rig_core::providers::openai::OpenAI;
use std::{env, error::Error};
use svc_sdk::tools::get_tools;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| "What time is it in Tokyo?".into());
    let model = env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".into());
    let (search_tools, call_tool) = get_tools(env::var("SVC_AGENT_API_KEY")?);

    let agent = AgentBuilder::new(OpenAI::from_env()?.chat(model)).tool(search_tools).tool(call_tool).default_max_turns(20).build();
    println!("{}", agent.prompt(question).await?);
    Ok(())
}
