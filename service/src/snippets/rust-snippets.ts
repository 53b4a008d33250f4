/**
 * Snippets in Rust.
 *
 * Source: rust/README.md. Its blocks are doc tests, and `service/test/unit/console/snippets.test.ts` compares them with these.
 */
import { mcpConfiguration, QUESTION, type Snippet, type SnippetAbout, toTitleCase } from './snippet';

const TOOLKIT_CRATES = 'svc-sdk schemars serde serde_json tokio --features svc-sdk/macros,serde/derive,tokio/full';
const AGENT_CRATES = 'svc-sdk reqwest serde_json tokio --features reqwest/json,tokio/full';

export const RUST_TOOLKIT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'paste',
    label: 'Quick start (terminal)',
    sdk: 'rust',
    language: 'sh',
    note: 'Paste it into a terminal. It creates a package, adds svc-sdk, writes src/main.rs and runs it. Needs Rust 1.88 or newer.',
    code: (url, key, about) => `mkdir -p svc-weather && cd svc-weather
test -f Cargo.toml || cargo init --quiet --vcs none
cargo add --quiet ${TOOLKIT_CRATES}
cat > src/main.rs <<'END'
${weatherToolkit(url, key, about)}END
cargo run --quiet`,
  },
  {
    id: 'toolkit',
    label: 'Your own program',
    sdk: 'rust',
    language: 'rs',
    note: 'Save it as src/main.rs. It connects to the service, so it needs no open port.',
    install: `cargo add ${TOOLKIT_CRATES}`,
    code: weatherToolkit,
    run: 'cargo run',
  },
];

export const RUST_AGENT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    sdk: 'rust',
    language: 'rs',
    note: 'The plain loop, which works with every server of that API. Save it as src/main.rs. Set OPENAI_API_KEY to the API key of your model.',
    install: `cargo add ${AGENT_CRATES}`,
    code: (url, key) => `use serde_json::{Value, json};
use std::{env, error::Error};
use svc_sdk::tools::{ToolSelection, Tools};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = Tools::builder()
        .base_url("${url}")
        .api_key("${key}")
        .build()?;
    let mut messages = vec![json!({ "role": "user", "content": "${QUESTION}" })];
    loop {
        let message = complete(&messages, tools.get_tools(ToolSelection::default()).await?).await?;
        let answers = tools.call_tools(&message["tool_calls"]).await?;
        if answers.is_empty() {
            println!("{}", message["content"].as_str().unwrap_or_default());
            return Ok(());
        }
        messages.push(message);
        messages.extend(answers);
    }
}

async fn complete(messages: &[Value], tools: Vec<Value>) -> Result<Value, Box<dyn Error>> {
    let request = reqwest::Client::new().post("https://api.openai.com/v1/chat/completions");
    let request = request.bearer_auth(env::var("OPENAI_API_KEY")?);
    let body = json!({ "model": "gpt-5-mini", "messages": messages, "tools": tools });
    let completion: Value = request.json(&body).send().await?.error_for_status()?.json().await?;
    Ok(completion["choices"][0]["message"].clone())
}
`,
    run: 'cargo run',
  },
  {
    id: 'mcp-stdio',
    label: 'MCP over stdio',
    sdk: 'rust',
    language: 'json',
    note: 'For MCP clients that start a program: Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json). It needs Node 22.13 or newer. Restart the client afterwards.',
    code: (url, key) => mcpConfiguration('npx', ['-y', '-p', 'svc-sdk', 'svc-tools-mcp'], url, key),
  },
];

function weatherToolkit(url: string, key: string, { name = 'weather' }: SnippetAbout = {}): string {
  return `use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use svc_sdk::{SvcError, toolkit::*};

#[derive(Deserialize, JsonSchema)]
struct City {
    /// Name of the city
    city: String,
}

/// Today's weather in a city: degrees Celsius and a word for the sky
#[action(read_only)]
async fn today(City { city }: City) -> Result<Value, ActionError> {
    if city == "Atlantis" {
        return Err(ActionError::new("CITY_UNKNOWN", "Atlantis has no weather station"));
    }
    Ok(json!({ "city": city, "celsius": 21, "sky": "clear" }))
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::new("${key}")
        .base_url("${url}");
    let info = ToolkitInfo { name: ${literal(name)}.into(), description: "Weather of today, by city".into() };
    service.update_info(info).await?;
    service.add_action(today);
    service.start().await?.await
}
`;
}

/** `"Weather"` for the key `weather`, as a literal of Rust. */
function literal(name: string): string {
  return `"${toTitleCase(name).replace(/["\\]/g, '\\$&')}"`;
}
