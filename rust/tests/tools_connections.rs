//! test/vectors/connections.json, played by `Tools` against a server with scripted answers.

use crate::{
    tools_support::{
        Bindings, KEY, assert_absent, assert_match, fill_in,
        playing::{credential_of, names_of, play, with_options},
        vector,
        vector_service::{assert_request, reply_of},
        wire_server::{Reply, WireServer},
    },
    tools_vectors::assert_message,
};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};
use svc_sdk::{
    Credential, ErrorCode,
    tools::{ConnectSession, RequiredConnection, Tools, ToolsBuilder},
};

fn done() -> Reply {
    Reply::json(200, &json!({ "invocationId": "inv_1", "result": "done" }))
}

fn client(server: &WireServer) -> ToolsBuilder {
    Tools::builder().api_key(KEY).base_url(&server.url)
}

fn name_of(case: &Value) -> &str {
    case["name"].as_str().unwrap()
}

#[tokio::test]
async fn a_credential_has_the_header_of_the_vectors() {
    let vectors = vector("connections");
    let cases = vectors["credentials"].as_array().unwrap();
    let mut played = 0;
    for case in cases {
        let filled = fill_in(&case["credential"], &mut Bindings::new());
        let Some(credential) = credential_of(&filled) else { continue };
        played += 1;
        let server = WireServer::start(|_| done());
        let tools = client(&server).build().unwrap();
        let action = format!("{}__list", case["toolkit"].as_str().unwrap());
        let outcome = tools.invoke(&action, ()).connection(credential).await;
        let received = server.received();
        match case["header"].as_str() {
            Some(header) => assert_eq!(received[0].headers["svc-connections"], header, "{}", name_of(case)),
            None => {
                let error = outcome.unwrap_err();
                assert_eq!((error.code, received.len()), (ErrorCode::InvalidRequest, 0), "{}", name_of(case));
                assert!(!error.message.contains("secr"), "{}", error.message);
            }
        }
    }
    assert!(played > 12);
}

#[tokio::test]
async fn names_of_connections_have_the_header_of_the_vectors() {
    for case in vector("connections")["choices"].as_array().unwrap() {
        let server = WireServer::start(|_| done());
        let names = names_of(&fill_in(&case["connectionNames"], &mut Bindings::new()));
        match client(&server).connection_names(names).build() {
            Ok(tools) => {
                tools.invoke("github__list", ()).await.unwrap();
                let received = server.received();
                let header = received[0].headers.get("svc-connection-names").map(String::as_str);
                assert_eq!(header, case["header"].as_str(), "{}", name_of(case));
                assert_eq!(case["error"], Value::Null, "{}", name_of(case));
            }
            Err(error) => assert_eq!((error.code, &case["error"]), (ErrorCode::InvalidRequest, &json!(true)), "{}", name_of(case)),
        }
    }
}

/// Calls of one function of the application that are still expected.
type Script = Arc<Mutex<VecDeque<Value>>>;

fn script_of(calls: &Value) -> Option<Script> {
    let calls = calls.as_array()?.iter().cloned().collect();
    Some(Arc::new(Mutex::new(calls)))
}

fn next_call(script: &Script) -> Value {
    script.lock().unwrap().pop_front().expect("a call of the function that the vectors have")
}

fn with_application(mut builder: ToolsBuilder, connections: &Option<Script>, required: &Option<Script>) -> ToolsBuilder {
    if let Some(script) = connections.clone() {
        builder = builder.connections(move |toolkit, user_id| {
            let call = next_call(&script);
            assert_eq!(json!([toolkit, user_id]), json!([call["toolkit"], call["userId"]]));
            async move { Ok::<_, String>(credential_of(&call["gives"])) }
        });
    }
    if let Some(script) = required.clone() {
        builder = builder.on_connection_required(move |required| {
            let call = next_call(&script);
            assert_required(&required, &call["required"]);
            async move { call["answers"] == true }
        });
    }
    builder
}

fn assert_required(required: &RequiredConnection, expected: &Value) {
    let session = json!({ "url": required.url, "expiresAt": expected["expiresAt"] });
    assert_eq!(required.expires_at, serde_json::from_value::<ConnectSession>(session).ok().map(|session| session.expires_at));
    let members = json!({ "toolkit": required.toolkit, "help": required.help, "url": required.url, "confirm": required.confirm,
        "userId": required.user_id });
    let mut expected = expected.clone();
    expected.as_object_mut().unwrap().remove("expiresAt");
    assert_match(&members, &expected, &mut Bindings::new(), "required");
}

#[tokio::test]
async fn tools_finds_the_connections_of_its_calls_like_the_vectors() {
    let vectors = vector("connections");
    let cases = vectors["clients"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let steps = case["steps"].as_array().unwrap();
        let mut bindings = Bindings::new();
        let exchanges = steps.iter().flat_map(|step| step["exchanges"].as_array().unwrap());
        let replies = exchanges.map(|exchange| reply_of(&exchange["response"], &mut bindings)).collect();
        let server = WireServer::with_replies(replies);
        let (connections, required) = (script_of(&case["connections"]), script_of(&case["onConnectionRequired"]));
        let builder = with_application(client(&server), &connections, &required);
        let tools = with_options(builder, &case["options"]).build().unwrap();
        for step in steps {
            play_step(step, &tools, &server, &mut bindings, name_of(case)).await;
        }
        for script in [connections, required].into_iter().flatten() {
            assert!(script.lock().unwrap().is_empty(), "{}", name_of(case));
        }
    }
}

async fn play_step(step: &Value, tools: &Tools, server: &WireServer, bindings: &mut Bindings, case: &str) {
    let mut tools = tools.clone();
    if let Some(id) = step["for"]["userId"].as_str() {
        let mut view = tools.for_user(id);
        if let Some(session) = step["for"]["sessionId"].as_str() {
            view = view.session_id(session);
        }
        tools = view.build().unwrap();
    }
    let before = server.received().len();
    let method = step["call"]["method"].as_str().unwrap_or("callTools");
    let (mut said, mut messages) = (Value::Null, Vec::new());
    if step["toolCalls"].is_array() {
        messages = tools.call_tools(&step["toolCalls"]).await.unwrap();
    } else {
        said = play(&tools, &step["call"], false).await;
    }

    let (received, exchanges) = (server.received(), step["exchanges"].as_array().unwrap());
    assert_eq!(received.len() - before, exchanges.len(), "{case}");
    for (received, exchange) in received[before..].iter().zip(exchanges) {
        assert_request(received, exchange, bindings, method, false, case);
    }
    if let Some(wanted) = step["messages"].as_array() {
        assert_eq!(messages.len(), wanted.len(), "{case}");
        for (message, wanted) in messages.into_iter().zip(wanted) {
            assert_message(message, wanted, bindings, case);
        }
    } else {
        assert_match(&said, &step["outcome"], bindings, case);
        assert_absent(&said, &step["absent"], case);
    }
}

#[test]
fn a_credential_is_in_no_debug_output() {
    let credential = [Credential::bearer("s3cret"), Credential::basic("s3cret", "s3cret"), Credential::api_key("s3cret")];
    assert_eq!(format!("{credential:?}"), "[[connection], [connection], [connection]]");
}

#[tokio::test]
async fn the_error_of_a_failed_connections_function_names_the_toolkit_and_not_the_reason() {
    let body = json!({ "code": "CONNECTION_REQUIRED", "detail": "Connect", "connect": { "toolkit": "github" } });
    let server = WireServer::start(move |_| Reply::json(403, &body));
    let tools = client(&server).connections(|_, _| async { Err("no vault") }).build().unwrap();
    let error = tools.invoke("github__list", ()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionRequired);
    assert_eq!(error.message, "The application could not connect an account of \"github\": connections failed");
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn an_option_for_a_toolkit_needs_an_action_id_and_a_page_needs_a_user() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).build().unwrap();
    let refused = [
        tools.invoke("list", ()).connection(Credential::bearer("tok")).await.unwrap_err(),
        tools.invoke("list", ()).connection_name("work").await.unwrap_err(),
        tools.invoke("github__list", ()).user_id("two words").await.unwrap_err(),
        tools.connect_url(["github"]).await.unwrap_err(),
        tools.confirm_connection("K7Q2M9XW4T").await.unwrap_err(),
        tools.for_user("two words").build().unwrap_err(),
    ];
    assert!(refused.iter().all(|error| error.code == ErrorCode::InvalidRequest), "{refused:?}");
    assert_eq!(server.received().len(), 0);
}
