//! The whole loop around a model, with plain requests.
//!
//! `OPENAI_API_KEY=… SVC_AGENT_API_KEY=… cargo run --example chat_loop -- "What time is it in Tokyo?"`
use serde_json::{Value, json};
use std::{env, error::Error};
use svc_sdk::tools::{ToolSelection, Tools};

const MAX_ROUNDS: usize = 20;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| "What time is it in Tokyo?".into());
    let tools = Tools::builder().build()?;
    println!("{}", ask(&question, &tools).await?);
    Ok(())
}

/// The model's answer after all its tool calls.
async fn ask(question: &str, tools: &Tools) -> Result<String, Box<dyn Error>> {
    let mut messages = vec![json!({ "role": "user", "content": question })];
    for _ in 0..MAX_ROUNDS {
        let message = complete(&messages, tools.get_tools(ToolSelection::default()).await?).await?;
        let answers = tools.call_tools(&message["tool_calls"]).await?;
        if answers.is_empty() {
            return Ok(message["content"].as_str().unwrap_or_default().into());
        }
        messages.push(message);
        messages.extend(answers);
    }
    Err(format!("No answer after {MAX_ROUNDS} rounds of tool calls").into())
}

async fn complete(messages: &[Value], tools: Vec<Value>) -> Result<Value, Box<dyn Error>> {
    let model = env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".into());
    let base_url = env::var("OPENAI_BASE_URL").unwrap_or_else(|_| "https://api.openai.com/v1".into());
    let request = reqwest::Client::new().post(format!("{base_url}/chat/completions")).bearer_auth(env::var("OPENAI_API_KEY")?);
    let response = request.json(&json!({ "model": model, "messages": messages, "tools": tools })).send().await?;
    let mut completion: Value = response.error_for_status()?.json().await?;
    Ok(completion["choices"][0]["message"].take())
}
