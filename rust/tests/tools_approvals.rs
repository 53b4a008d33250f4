//! Calls that wait for a person, calls that go on without their caller, and runs of code, played by `Tools` against a server with scripted answers.

use crate::tools_support::{
    client_steps::play_clients,
    vector,
    wire_server::{Reply, WireServer},
};
use serde_json::{Value, json};
use std::time::Duration;
use svc_sdk::{
    ErrorCode,
    tools::{ApprovalMode, Tools},
};

/// This SDK writes whole seconds without their milliseconds.
fn cases(cases: &Value) -> Vec<Value> {
    let text = cases.to_string().replace(".000Z", "Z");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn tools_waits_for_people_like_the_vectors() {
    play_clients(&cases(&vector("approvals"))).await;
}

#[tokio::test]
async fn tools_takes_handles_like_the_vectors() {
    play_clients(&cases(&vector("long-calls"))).await;
}

#[tokio::test]
async fn tools_follows_runs_of_code_like_the_vectors() {
    play_clients(&cases(&vector("run-code")["clients"])).await;
}

#[tokio::test]
async fn tools_that_waits_for_people_ends_in_time_when_the_service_does_not_answer() {
    let approval = json!({ "id": "apr_1", "status": "pending", "decidedBy": "people", "expiresAt": "2027-01-01T00:00:00Z" });
    let refusal = Reply::json(403, &json!({ "code": "APPROVAL_REQUIRED", "detail": "A rule asks", "approval": approval }));
    let server = WireServer::start(move |received| if received.method == "GET" { Reply::silent() } else { refusal.clone() });
    let tools = Tools::builder().api_key("svc_agent_x").base_url(&server.url).approvals(ApprovalMode::Wait).build().unwrap();
    let call = tools.invoke("shop__refund", json!({})).timeout(Duration::from_millis(1_300));
    let error = tokio::time::timeout(Duration::from_secs(5), async { call.await }).await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::ApprovalRequired);
}
