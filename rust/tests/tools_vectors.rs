//! The transcripts of agents, played by `Tools` against a server with scripted answers.

use crate::tools_support::{
    Bindings, KEY, assert_match, assert_message, cases,
    playing::{play, with_options},
    vector,
    vector_service::{VectorService, assert_request, reply_of},
    wire_server::{Reply, WireServer},
};
use serde_json::{Value, json};
use svc_sdk::tools::{ToolSelection, Tools};

fn client(url: &str, options: &Value) -> Tools {
    with_options(Tools::builder().api_key(KEY).base_url(url), options).build().unwrap()
}

fn exchanges_of(case: &Value) -> &[Value] {
    case["exchanges"].as_array().unwrap()
}

fn name_of(case: &Value) -> &str {
    case["name"].as_str().unwrap()
}

#[tokio::test]
async fn tools_plays_the_requests_of_an_agent() {
    let exchanges: Vec<Value> = cases("agent-http").into_iter().filter(|each| each["call"].is_object()).collect();
    assert!(!exchanges.is_empty());
    for exchange in &exchanges {
        let (call, outcome) = (&exchange["call"], &exchange["outcome"]);
        let has_listener = outcome["progress"].is_array();
        let mut service = VectorService::start(std::slice::from_ref(exchange));
        let said = play(&client(&service.url, &call["options"]), call, has_listener).await;
        service.assert_each_came_once(call["method"].as_str().unwrap(), has_listener, name_of(exchange));
        assert_match(&said, outcome, &mut service.bindings, name_of(exchange));
    }
}

#[tokio::test]
async fn one_client_sends_the_search_ids_of_the_transcript() {
    let exchanges: Vec<Value> = cases("search-ids").into_iter().filter(|each| each["call"].is_object()).collect();
    assert!(!exchanges.is_empty());
    let mut bindings = Bindings::new();
    let replies = exchanges.iter().map(|each| reply_of(&each["response"], &mut bindings)).collect();
    let server = WireServer::with_replies(replies);
    let tools = client(&server.url, &Value::Null);
    for exchange in &exchanges {
        play(&tools, &exchange["call"], false).await;
        let received = server.received();
        let method = exchange["call"]["method"].as_str().unwrap();
        assert_request(received.last().unwrap(), exchange, &mut bindings, method, false, name_of(exchange));
    }
}

#[tokio::test]
async fn get_tools_makes_no_request_and_gives_exactly_these_bytes() {
    let mut service = VectorService::start(&[]);
    let tools = client(&service.url, &Value::Null).get_tools(ToolSelection::default()).await.unwrap();
    assert_eq!(Value::from(tools).to_string(), vector("tools").to_string());
    service.assert_each_came_once("getTools", false, "tools.json");
    let (search_tools, call_tool) = svc_sdk::tools::get_tools(KEY);
    let definitions = [search_tools.definition(), call_tool.definition()].map(|each| each.to_chat_completion_tool());
    assert_eq!(json!(definitions).to_string(), vector("tools").to_string());
}

#[tokio::test]
async fn the_third_tool_has_exactly_these_bytes() {
    let mut service = VectorService::start(&[]);
    let tools = client(&service.url, &json!({ "code": true }));
    let mut wanted = cases("tools");
    wanted.push(vector("run-code")["tool"].clone());
    let offered = tools.get_tools(ToolSelection::default()).await.unwrap();
    assert_eq!(Value::from(offered).to_string(), Value::from(wanted.clone()).to_string());
    service.assert_each_came_once("getTools", false, "run-code.json");
    assert_eq!(tools.code_tool().unwrap().definition().to_chat_completion_tool(), wanted[2]);
    assert!(client(&service.url, &Value::Null).code_tool().is_none());
}

#[tokio::test]
async fn call_tools_plays_the_messages_for_a_model() {
    let cases = cases("call-tools");
    assert!(!cases.is_empty());
    for case in &cases {
        let mut service = VectorService::start(exchanges_of(case));
        let tools = client(&service.url, &case["options"]);
        let mut calls = tools.call_tools(&case["toolCalls"]);
        if let Some(key) = case["callOptions"]["idempotencyKey"].as_str() {
            calls = calls.idempotency_key(key);
        }
        let said = calls.await.unwrap();
        service.assert_each_came_once("callTools", false, name_of(case));
        let wanted = case["messages"].as_array().unwrap();
        assert_eq!(said.len(), wanted.len(), "{}", name_of(case));
        for (message, wanted) in said.into_iter().zip(wanted) {
            assert_message(message, wanted, &mut service.bindings, name_of(case));
        }
    }
}

#[tokio::test]
async fn get_tools_plays_the_static_tools() {
    let cases = cases("static-tools");
    assert!(!cases.is_empty());
    for case in &cases {
        let mut service = VectorService::start(exchanges_of(case));
        let call = json!({ "method": "getTools", "args": [case["options"]] });
        let said = play(&client(&service.url, &Value::Null), &call, false).await;
        service.assert_each_came_once("getTools", false, name_of(case));
        if case["value"].is_array() {
            assert_eq!(said["value"].to_string(), case["value"].to_string(), "{}", name_of(case));
        } else if case["names"].is_array() {
            let names: Vec<&Value> = said["value"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
            assert_eq!(json!(names), case["names"], "{}", name_of(case));
        } else {
            assert_match(&said, &json!({ "error": case["error"] }), &mut service.bindings, name_of(case));
        }
    }
}

#[tokio::test]
async fn a_tool_call_has_the_idempotency_key_of_the_vectors() {
    let cases = cases("idempotency-keys");
    assert!(!cases.is_empty());
    let server = WireServer::start(|_| Reply::json(200, &json!({ "invocationId": "inv_1", "result": 1 })));
    for (number, case) in cases.iter().enumerate() {
        for _ in 0..2 {
            client(&server.url, &Value::Null).call_tools([&case["toolCall"]]).await.unwrap();
        }
        let received = server.received();
        let [first, second] = [0, 1].map(|call| &received[number * 2 + call].headers["idempotency-key"]);
        match case["key"].as_str() {
            Some(key) => assert_eq!([first, second], [key, key], "{}", name_of(case)),
            None => {
                assert!((16..=255).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_graphic()), "{first}");
                assert_ne!(first, second);
            }
        }
    }
}

#[tokio::test]
async fn a_key_of_another_kind_is_refused_before_the_first_request() {
    let keys = vector("keys");
    let server = WireServer::start(|_| Reply::json(200, &json!({ "actions": [] })));
    for each in keys["good"].as_array().unwrap() {
        let key = each["key"].as_str().unwrap();
        let tools = Tools::builder().api_key(key).base_url(&server.url).build().unwrap();
        let said = play(&tools, &json!({ "method": "search", "args": ["anything"] }), false).await;
        if each["kind"] == "agent" {
            assert_eq!(said, json!({ "value": { "actions": [] } }));
        } else {
            assert_eq!(said["error"]["code"], "WRONG_KEY_KIND");
            assert!(!said.to_string().contains(key), "{said}");
        }
    }
    for key in ["", "nonsense", "sk-secret", "svc_agent_", "svc_agent_with space", "svc_agent_é"] {
        let tools = Tools::builder().api_key(key).base_url(&server.url).build().unwrap();
        let error = tools.search("anything").await.unwrap_err();
        assert_eq!(error.code, svc_sdk::ErrorCode::InvalidKey, "{key}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn errors_have_the_texts_of_the_vectors() {
    let cases = cases("error-texts");
    assert!(!cases.is_empty());
    for case in &cases {
        let mut bindings = Bindings::new();
        bindings.insert("agentKey".into(), KEY.into());
        let reply = reply_of(&json!({ "status": 400, "body": case["body"] }), &mut bindings);
        let server = WireServer::with_replies(vec![reply]);
        let said = json!(client(&server.url, &Value::Null).search("x").await.unwrap_err());
        assert_match(&said, &case["error"], &mut bindings, name_of(case));
        for pointer in case["cut"].as_array().into_iter().flatten() {
            let text = said.pointer(pointer.as_str().unwrap()).and_then(Value::as_str);
            assert!(text == Some(&format!("{}…", "x".repeat(4_095))), "{}", name_of(case));
        }
    }
}

#[tokio::test]
async fn numbers_that_lose_digits_send_no_request_and_a_model_reads_all_digits_of_a_result() {
    let numbers = vector("numbers");
    for case in numbers["payloads"].as_array().unwrap() {
        let server = WireServer::with_replies(vec![Reply::raw(200, "application/json", r#"{"invocationId":"inv_1","result":1}"#)]);
        let answer = client(&server.url, &Value::Null).answer_tool("vector__echo", case["json"].clone()).await;
        let error = answer.error.map(|error| error.details["issues"].clone()).unwrap_or_default();
        assert_eq!(error, case["issues"], "{}", name_of(case));
        assert_eq!(server.received().len(), usize::from(case["issues"].is_null()), "{}", name_of(case));
    }
    for case in numbers["results"].as_array().unwrap() {
        let body = format!(r#"{{"invocationId":"inv_1","result":{}}}"#, case["json"].as_str().unwrap());
        let server = WireServer::with_replies(vec![Reply::raw(200, "application/json", &body)]);
        let answer = client(&server.url, &Value::Null).answer_tool("vector__echo", json!({})).await;
        assert_eq!(answer.content, case["text"].as_str().unwrap());
    }
}
