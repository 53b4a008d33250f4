//! `wss://`: the real service behind a proxy that ends TLS, with its own authority. The feature `native-tls` is tested by
//! `cargo test --no-default-features --features native-tls,macros --test sdk toolkit_tls`.

use crate::support::{repository::path, service::Service, waiting::soon};
use serde_json::{Value, json};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader},
    process::{Child, Command},
};

struct TlsProxy {
    url: String,
    ca_file: PathBuf,
    folder: PathBuf,
    _process: Child,
}

impl TlsProxy {
    async fn start(service: &Service) -> Self {
        let folder = env::temp_dir().join(format!("svc-sdk-rust-tls-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut process = Command::new(path("node_modules/.bin/node"))
            .arg("--import")
            .arg(path("scripts/source-imports.ts"))
            .arg(path("rust/tests/support/tls-proxy.mjs"))
            .arg(&folder)
            .arg(service.url.rsplit(':').next().unwrap())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let ready: Value = serde_json::from_str(&first_line(process.stdout.take().unwrap()).await).unwrap();
        let url = format!("https://localhost:{}", ready["port"]);
        Self { url, ca_file: ready["caFile"].as_str().unwrap().into(), folder, _process: process }
    }
}

impl Drop for TlsProxy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The example `echo`, with the authorities of a file instead of those of the system.
fn echo(url: &str, key: &str, authorities: &Path) -> Child {
    let tests = env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/echo");
    Command::new(&program)
        .env("SVC_BASE_URL", url)
        .env("SVC_TOOLKIT_API_KEY", key)
        .env("SSL_CERT_FILE", authorities)
        .env_remove("SSL_CERT_DIR")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}; run cargo build --examples", program.display()))
}

async fn first_line(output: impl AsyncRead + Unpin) -> String {
    soon("a line", BufReader::new(output).lines().next_line()).await.unwrap().unwrap_or_default()
}

#[tokio::test]
async fn a_toolkit_serves_over_tls_and_only_with_a_trusted_authority() {
    let service = Service::start("tls", &[]).await;
    let proxy = TlsProxy::start(&service).await;
    let key = service.create_key("toolkit", "echo", &[]).await;

    let other_authority = proxy.folder.join("client.pem");
    let mut refused = echo(&proxy.url, &key, &other_authority);
    let problem = first_line(refused.stderr.take().unwrap()).await;
    assert!(problem.contains("certificate"), "{problem}");

    let mut trusted = echo(&proxy.url, &key, &proxy.ca_file);
    let line = first_line(trusted.stdout.take().unwrap()).await;
    assert!(line.starts_with("Agents can use "), "{line}");
    let answer = service.agent().await.invoke("echo__echo", json!({ "content": "hello" })).await;
    assert!(answer["result"]["text"].as_str().unwrap().ends_with("you said \"hello\"."), "{answer}");
}
