//! The whole loop around a model, with async-openai.
//!
//! `OPENAI_API_KEY=… SVC_AGENT_API_KEY=… cargo run --example openai_loop --features openai -- "What time is it in Tokyo?"`
use async_openai::{
    Client,
    types::chat::{ChatCompletionRequestMessage, ChatCompletionTools, CreateChatCompletionRequestArgs},
};
use serde_json::{from_value, json, to_value};
use std::{env, error::Error};
use svc_sdk::tools::Tools;

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
    let model = env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".into());
    let offered: Vec<ChatCompletionTools> = tools.definitions().into_iter().map(Into::into).collect();
    let mut messages: Vec<ChatCompletionRequestMessage> = vec![from_value(json!({ "role": "user", "content": question }))?];
    for _ in 0..MAX_ROUNDS {
        let request = CreateChatCompletionRequestArgs::default().model(&model).messages(messages.clone()).tools(offered.clone()).build()?;
        let completion = Client::new().chat().create(request).await?;
        let message = completion.choices.into_iter().next().ok_or("The model gave no message")?.message;
        let answers = tools.call_tools(&message.tool_calls).await?;
        if answers.is_empty() {
            return Ok(message.content.unwrap_or_default());
        }
        messages.push(from_value(to_value(message)?)?);
        messages.extend(answers.into_iter().map(from_value).collect::<Result<Vec<_>, _>>()?);
    }
    Err(format!("No answer after {MAX_ROUNDS} rounds of tool calls").into())
}
