//! A toolkit that acts at an API with the account of each caller. Start the service (`npx svc-service serve`), then:
//! `SVC_TOOLKIT_API_KEY=svc_toolkit_… cargo run --example issues`
//!
//! `Tools` sends the token of a user: `tools.invoke("issues__list", ()).connection(Credential::bearer(token))`.
use reqwest::{Response, StatusCode};
use serde_json::Value;
use std::env;
use svc_sdk::{SvcError, toolkit::*};

struct List {
    api: String,
}

impl Action for List {
    const NAME: &'static str = "list";
    type Error = ActionError;
    type Args = ();
    type Output = Value;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "Lists the open issues of the user's GitHub account".into(), ..Default::default() }
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: Some(true), ..Annotations::default() }
    }

    async fn call(&self, ctx: ActionContext, _params: ActionParams<()>) -> Result<ActionResult<Value>, ActionError> {
        let connection = ctx.connection().ok_or_else(|| ActionError::new("NO_ACCOUNT", "The call has no account"))?;
        let mut response = self.issues(&connection).await?;
        if response.status() == StatusCode::UNAUTHORIZED {
            response = self.issues(&connection.refused().await?).await?;
        }
        Ok(response.error_for_status()?.json::<Value>().await?.into())
    }
}

impl List {
    async fn issues(&self, connection: &ActionConnection) -> Result<Response, reqwest::Error> {
        let request = reqwest::Client::new().get(format!("{}/issues", self.api)).header("user-agent", "svc-sdk");
        request.headers(connection.headers()).send().await
    }
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::from_env();
    service.update_info(ToolkitInfo { name: "Issues".into(), description: "Issues on GitHub".into() }).await?;
    let auth = ToolkitAuth::bearer(ConnectionSource::Caller).help("A GitHub token that may read issues");
    service.update_auth(Some(auth)).await?;
    service.add_action(List { api: env::var("GITHUB_API").unwrap_or_else(|_| "https://api.github.com".into()) });

    let runner = service.start().await?;
    println!("Agents can use {}", runner.registration().accepted.join(", "));
    let stop = runner.stop_handle();
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        stop.stop();
    });
    runner.await
}
