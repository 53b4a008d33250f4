//! `report_usage`: the tokens of models, on the next request of their session.

use crate::{
    support::{
        service::Service,
        waiting::{soon, until},
    },
    tools_support::wire_server::{Received, Reply, WireServer},
};
use serde_json::{Value, json};
use std::time::Duration;
use svc_sdk::{
    ErrorCode,
    tools::{ReportedUsage, Tools, ToolsBuilder},
};

fn answer(request: &Received) -> Reply {
    match request.path.as_str() {
        "/v1/usage" => Reply { headers: Vec::new(), body: Vec::new(), ..Reply::json(204, &Value::Null) },
        "/v1/invoke" => Reply::json(200, &json!({ "invocationId": "inv_1", "result": 1 })),
        "/v1/resolve" => {
            Reply::json(200, &json!({ "action": { "action": "a__b", "description": "", "payloadSchema": {} }, "payload": {} }))
        }
        _ => Reply::json(200, &json!({ "actions": [] })),
    }
}

fn client(server: &WireServer) -> ToolsBuilder {
    Tools::builder().api_key("svc_agent_secret").base_url(&server.url).session_id("chat")
}

/// Path and `Svc-Usage` of each request, without the ids of the reports.
fn sent(server: &WireServer) -> Vec<(String, Option<String>)> {
    let usage = |request: &Received| {
        let reports = request.headers.get("svc-usage")?.split(", ");
        let without_id = reports.map(|report| report.split(';').filter(|part| !part.starts_with("id=")).collect::<Vec<_>>().join(";"));
        Some(without_id.collect::<Vec<_>>().join(", "))
    };
    server.received().iter().map(|request| (request.path.clone(), usage(request))).collect()
}

fn count(path: &str, reports: usize) -> (String, Option<String>) {
    (path.into(), Some(vec![r#""m";input=1;output=2"#; reports].join(", ")))
}

#[tokio::test]
async fn tokens_go_along_with_the_next_request_of_their_session_whatever_it_is() {
    let server = WireServer::start(answer);
    let tools = client(&server).build().unwrap();
    let report = || tools.report_usage(ReportedUsage::new("m", 1, 2)).unwrap();
    tools.report_usage(ReportedUsage::new("gpt-6", 1_200, 86).cached_tokens(1_024)).unwrap();
    tools.for_user("ada").session_id("other").build().unwrap().search("weather").await.unwrap();
    tools.search("weather").await.unwrap();
    tools.search("weather").await.unwrap();
    report();
    report();
    tools.invoke("a__b", ()).await.unwrap();
    report();
    tools.resolve("a__b", "{}").await.unwrap();
    report();
    tools.clone().flush_usage().await.unwrap();
    tools.flush_usage().await.unwrap();
    let wanted = [
        ("/v1/search".into(), None),
        ("/v1/search".into(), Some(r#""gpt-6";input=1200;cached=1024;output=86"#.into())),
        ("/v1/search".into(), None),
        count("/v1/invoke", 2),
        count("/v1/resolve", 1),
        count("/v1/usage", 1),
    ];
    assert_eq!(sent(&server), wanted);
    assert_eq!(server.received().last().unwrap().headers["svc-session-id"], "chat");
}

#[tokio::test]
async fn tokens_are_sent_alone_after_a_while_at_most_eight_at_a_time() {
    let server = WireServer::start(answer);
    let tools = client(&server).build().unwrap();
    for _ in 0..10 {
        tools.report_usage(ReportedUsage::new("m", 1, 2)).unwrap();
    }
    drop(tools);
    until("the reports", || server.received().len() == 2).await;
    assert_eq!(sent(&server), [count("/v1/usage", 8), count("/v1/usage", 2)]);
}

#[tokio::test]
async fn a_header_has_at_most_1024_characters() {
    let server = WireServer::start(answer);
    let tools = client(&server).build().unwrap();
    for _ in 0..8 {
        tools.report_usage(ReportedUsage::new("\"".repeat(128), 1_000_000_000, 1_000_000_000)).unwrap();
    }
    tools.flush_usage().await.unwrap();
    let lengths: Vec<usize> = server.received().iter().map(|request| request.headers["svc-usage"].len()).collect();
    assert_eq!(lengths.len(), 3);
    assert!(lengths.iter().all(|length| *length <= 1_024), "{lengths:?}");
}

#[tokio::test]
async fn the_report_of_a_request_that_failed_or_was_dropped_is_sent_again_with_its_id() {
    let refused = || Reply::json(400, &json!({ "code": "INVALID_REQUEST", "detail": "No" }));
    let found = || Reply::json(200, &json!({ "actions": [] }));
    let server = WireServer::with_replies(vec![refused(), refused(), Reply::silent(), found(), found()]);
    let tools = client(&server).build().unwrap();
    tools.report_usage(ReportedUsage::new("m", 1, 2)).unwrap();
    assert_eq!(tools.search("x").await.unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(tools.flush_usage().await.unwrap_err().code, ErrorCode::InvalidRequest);
    let same = tools.clone();
    let dropped = tokio::spawn(async move { same.search("x").await });
    until("the request", || server.received().len() == 3).await;
    dropped.abort();
    assert!(dropped.await.unwrap_err().is_cancelled());
    tools.search("x").await.unwrap();
    tools.search("x").await.unwrap();
    let usage: Vec<Option<String>> = server.received().iter().map(|request| request.headers.get("svc-usage").cloned()).collect();
    assert!(usage[0].is_some());
    assert_eq!(usage, [usage[0].clone(), usage[0].clone(), usage[0].clone(), usage[0].clone(), None]);
}

#[test]
fn a_report_outside_of_a_runtime_waits_for_the_next_request() {
    let server = WireServer::start(answer);
    let tools = client(&server).build().unwrap();
    tools.report_usage(ReportedUsage::new("m", 1, 2)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tools.search("x").await }).unwrap();
    assert_eq!(sent(&server), [count("/v1/search", 1)]);
}

#[test]
fn a_report_needs_a_session_and_whole_numbers() {
    let without = Tools::builder().api_key("svc_agent_secret").build().unwrap().report_usage(ReportedUsage::new("m", 1, 2)).unwrap_err();
    let words = "Tokens are reported for a session: Tools::builder().session_id(…), or tools.for_user(…).session_id(…)";
    assert_eq!((without.code, without.message.as_str()), (ErrorCode::InvalidRequest, words));
    let tools = Tools::builder().api_key("svc_agent_secret").session_id("chat").build().unwrap();
    let wrong = tools.report_usage(ReportedUsage::new("m", 1, 2).cached_tokens(2)).unwrap_err();
    assert_eq!((wrong.code, wrong.message.contains("cached_tokens is a part of input_tokens")), (ErrorCode::InvalidRequest, true));
}

#[tokio::test]
async fn the_real_service_counts_the_tokens_of_the_session() {
    let service = Service::start("usage", &[]).await;
    let (key, admin) = (service.create_key("agent", "agent", &[]).await, service.create_key("admin", "admin", &[]).await);
    let tools = Tools::builder().api_key(key).base_url(&service.url).session_id("chat").build().unwrap();
    tools.report_usage(ReportedUsage::new("gpt-6", 1_200, 86).cached_tokens(1_024)).unwrap();
    tools.search("weather").await.unwrap();
    tools.report_usage(ReportedUsage::new("größer", 10, 1)).unwrap();
    tools.flush_usage().await.unwrap();
    let wanted = json!({ "input": 1_210, "cached": 1_024, "output": 87 });
    soon("the sums of the session", async {
        loop {
            let request = reqwest::Client::new().get(format!("{}/v1/sessions/chat", service.url)).bearer_auth(&admin);
            let found: Value = request.send().await.unwrap().json().await.unwrap();
            if found["sums"][0]["tokens"] == wanted {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}
