//! The real service as a process on a free port, with its own data.
use super::{repository::path, waiting::soon};
use reqwest::Client;
use serde_json::{Value, json};
use std::{path::PathBuf, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// A running service.
pub struct Service {
    /// The same after a restart.
    pub url: String,
    options: Vec<String>,
    data: PathBuf,
    process: Option<Child>,
    client: Client,
}

impl Service {
    /// `options` are those of `svc-service serve`.
    pub async fn start(name: &str, options: &[&str]) -> Self {
        let data = std::env::temp_dir().join(format!("svc-sdk-rust-{}-{name}", std::process::id()));
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let client = Client::builder().no_proxy().build().unwrap();
        let mut service = Self { url: String::new(), options, data, process: None, client };
        service.restart().await;
        service
    }

    /// Restarts the service on the same port and data.
    pub async fn restart(&mut self) {
        let port = self.url.rsplit(':').next().filter(|port| !port.is_empty()).unwrap_or("0");
        let mut process = command()
            .args(["serve", "--json", "--log-level", "silent", "--port", port, "--data"])
            .arg(&self.data)
            .args(&self.options)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("the service did not start: {error}; run npm ci"));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut printed = String::new();
        let ready: Value = loop {
            let line = soon("the service", lines.next_line()).await.unwrap();
            printed.push_str(&line.unwrap_or_else(|| panic!("the service did not start; run npm run build:js. {printed}")));
            if let Ok(ready) = serde_json::from_str(&printed) {
                break ready;
            }
        };
        self.url = ready["url"].as_str().unwrap().into();
        self.process = Some(process);
    }

    /// Kills the service like a crash. The data stay.
    pub async fn kill(&mut self) {
        self.process.take().unwrap().kill().await.unwrap();
    }

    /// A new key. The name of a toolkit key is also the id of its toolkit.
    pub async fn create_key(&self, kind: &str, name: &str, options: &[&str]) -> String {
        let made = command()
            .args(["keys", "create", "--kind", kind, "--name", name, "--data"])
            .arg(&self.data)
            .args(options)
            .output()
            .await
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        String::from_utf8(made.stdout).unwrap().trim().into()
    }

    /// An agent of this service.
    pub async fn agent(&self) -> Agent {
        let key = self.create_key("agent", "agent", &["--budget-per-call", "1", "--budget-per-day", "10"]).await;
        Agent { url: self.url.clone(), key, client: self.client.clone() }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.start_kill();
        }
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

/// Reads and calls actions like an agent, over plain HTTP.
#[derive(Clone)]
pub struct Agent {
    url: String,
    key: String,
    client: Client,
}

impl Agent {
    /// The action in the catalogue.
    pub async fn action(&self, id: &str) -> Value {
        let request = self.client.get(format!("{}/v1/actions/{id}", self.url)).bearer_auth(&self.key);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// The body of the answer, also of an error.
    pub async fn invoke(&self, action: &str, payload: Value) -> Value {
        self.invoke_with(action, payload, 60_000, None).await.unwrap()
    }

    /// Fails if the service has ended.
    pub async fn invoke_with(&self, action: &str, payload: Value, timeout_ms: u64, key: Option<&str>) -> reqwest::Result<Value> {
        let request = self.client.post(format!("{}/v1/invoke", self.url)).bearer_auth(&self.key).header("svc-timeout-ms", timeout_ms);
        let request = match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        };
        request.json(&json!({ "action": action, "payload": payload })).send().await?.json().await
    }
}

fn command() -> Command {
    // The system's Node may be older.
    let mut command = Command::new(path("node_modules/.bin/node"));
    command.arg(path("service/dist/cli.js"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
        command.env_remove(name);
    }
    command
}
