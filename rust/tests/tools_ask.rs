//! The caller's own rules about calls that its user approves.

use crate::tools_support::{
    wire_server::{Reply, WireServer},
    world::World,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use svc_sdk::{
    ErrorCode,
    tools::{ApprovalAnswer, CallerAsk, ResolvedApproval, Tools, ToolsBuilder, describe_call},
};

fn client() -> ToolsBuilder {
    let world = World::get();
    Tools::builder().api_key(world.text("/keys/agent")).base_url(world.text("/service/url"))
}

fn count(label: &str, id: &str) -> Value {
    let arguments = json!({ "label": label }).to_string();
    json!({ "id": id, "type": "function", "function": { "name": "counting__count", "arguments": arguments } })
}

#[tokio::test]
async fn the_user_approves_one_call_of_a_model_and_denies_another() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let tools = client().ask(CallerAsk::default().always()).on_approval_required(move |question| {
        let label = question.payload["label"].as_str().unwrap().to_owned();
        let may = label == "asked-yes";
        seen.lock().unwrap().push(label);
        async move { Some(if may { ApprovalAnswer::approve() } else { ApprovalAnswer::deny().reason("not today") }) }
    });
    let tools = tools.build().unwrap();
    let answers = tools.call_tools([count("asked-yes", "1"), count("asked-no", "2")]).await.unwrap();
    assert_eq!(answers[0]["content"], r#"{"label":"asked-yes","run":1}"#);
    let denied: Value = serde_json::from_str(answers[1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(denied["error"]["code"], "APPROVAL_DENIED", "{denied}");
    let mut asked = asked.lock().unwrap().clone();
    asked.sort_unstable();
    assert_eq!(asked, ["asked-no", "asked-yes"]);
    // The rule is for a model: the program itself is not asked.
    assert_eq!(tools.invoke("counting__count", json!({ "label": "unasked" })).await.unwrap().result["run"], 1);
}

#[tokio::test]
async fn a_resolve_makes_the_question_that_a_later_decision_answers() {
    let tools = client().build().unwrap();
    let arguments = r#"{ "label": "asked-later" }"#;
    assert_eq!(tools.resolve("counting__count", arguments).await.unwrap().approval, None);
    let ask = CallerAsk::default().always();
    let would_run = tools.resolve("counting__count", arguments).ask(ask.clone()).await.unwrap();
    assert_eq!(describe_call(&would_run), r#"counting__count {"label":"asked-later"}"#);
    let Some(ResolvedApproval::Question(question)) = would_run.approval else { panic!("no question") };

    let call = || tools.answer_tool("counting__count", arguments).ask(ask.clone());
    let error = call().await.error.unwrap();
    assert_eq!((error.code, &error.details["approval"]["id"]), (ErrorCode::ApprovalRequired, &json!(question.id)));
    tools.decide_approval(&question.id, ApprovalAnswer::approve()).await.unwrap();
    assert_eq!(call().await.content, r#"{"label":"asked-later","run":1}"#);
}

#[tokio::test]
async fn calls_of_a_model_have_the_header_and_those_of_programs_have_json() {
    let server = WireServer::start(|received| match received.path.as_str() {
        "/v1/search" => Reply::json(200, &json!({ "actions": [] })),
        _ => Reply::json(200, &json!({ "invocationId": "inv_1", "result": "done", "repaired": ["One."] })),
    });
    let rules = CallerAsk::default().destructive().above("0.50");
    let tools = Tools::builder().api_key("svc_agent_secret").base_url(&server.url).ask(rules).build().unwrap();
    tools.call("search_services", r#"{ "query": "x" }"#).await;
    tools.call("a__b", "{}").await;
    tools.answer_tool("a__b", "{}").ask(CallerAsk::default()).await;
    tools.invoke("a__b", ()).await.unwrap();
    let by_program = json!({ "id": "1", "function": { "name": "a__b", "arguments": "{}" }, "madeBy": "program" });
    let answers = tools.call_tools([by_program]).await.unwrap();
    assert_eq!(answers[0]["content"], r#""done""#);
    let received = server.received();
    let sent: Vec<_> = received.iter().map(|each| each.headers.get("svc-ask").map(String::as_str)).collect();
    let rules = Some("destructive, above=0.50");
    assert_eq!(sent, [None, rules, None, None, rules]);
    assert_eq!(received[4].headers["svc-caller"], "program");
}
