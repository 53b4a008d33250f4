//! Clients of the vectors: each step is a call, played by `Tools` against a server with scripted answers.
use super::{
    Bindings, KEY, assert_absent, assert_match, assert_message,
    playing::{answer_of, credential_of, play, with_options},
    vector_service::{assert_request, reply_of},
    wire_server::WireServer,
};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};
use svc_sdk::tools::{ConnectSession, RequiredConnection, Tools, ToolsBuilder};

pub async fn play_clients(cases: &[Value]) {
    assert!(!cases.is_empty());
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let steps = case["steps"].as_array().unwrap();
        let mut bindings = Bindings::new();
        let exchanges = steps.iter().flat_map(|step| step["exchanges"].as_array().unwrap());
        let replies = exchanges.map(|exchange| reply_of(&exchange["response"], &mut bindings)).collect();
        let server = WireServer::with_replies(replies);
        let application = Application::of(case);
        let builder = with_application(Tools::builder().api_key(KEY).base_url(&server.url), &application);
        let tools = with_options(builder, &case["options"]).build().unwrap();
        for step in steps.iter().filter(|step| is_writable(step)) {
            play_step(step, &tools, &server, &mut bindings, name).await;
        }
        application.assert_all_called(name);
    }
}

/// A `Duration` is never negative.
fn is_writable(step: &Value) -> bool {
    step["call"]["args"][1]["wait"].as_f64().is_none_or(|wait| wait >= 0.0)
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

/// The functions of the application.
struct Application {
    connections: Option<Script>,
    connection_required: Option<Script>,
    approval_required: Option<Script>,
}

impl Application {
    fn of(case: &Value) -> Self {
        Self {
            connections: script_of(&case["connections"]),
            connection_required: script_of(&case["onConnectionRequired"]),
            approval_required: script_of(&case["onApprovalRequired"]),
        }
    }

    fn assert_all_called(self, case: &str) {
        for script in [self.connections, self.connection_required, self.approval_required].into_iter().flatten() {
            assert!(script.lock().unwrap().is_empty(), "{case}");
        }
    }
}

fn with_application(mut builder: ToolsBuilder, application: &Application) -> ToolsBuilder {
    if let Some(script) = application.connections.clone() {
        builder = builder.connections(move |toolkit, user_id| {
            let call = next_call(&script);
            assert_eq!(json!([toolkit, user_id]), json!([call["toolkit"], call["userId"]]));
            async move { Ok::<_, String>(credential_of(&call["gives"])) }
        });
    }
    if let Some(script) = application.connection_required.clone() {
        builder = builder.on_connection_required(move |required| {
            let call = next_call(&script);
            assert_required(&required, &call["required"]);
            async move { call["answers"] == true }
        });
    }
    if let Some(script) = application.approval_required.clone() {
        builder = builder.on_approval_required(move |question| {
            let call = next_call(&script);
            let mut asked = json!(question.approval);
            asked["action"] = question.action.into();
            asked["payload"] = question.payload.into();
            asked["userId"] = question.user_id.into();
            assert_eq!(asked, call["required"]);
            async move { answer_of(&call["answers"]) }
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
