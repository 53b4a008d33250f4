//! Options, keys, foreign answers, cancellation and deadlines of `Tools`, against a server with scripted answers.

use crate::tools_support::wire_server::{Reply, WireServer};
use serde_json::{Value, json};
use std::{
    future::poll_fn,
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::{Duration, Instant},
};
use svc_sdk::{
    ErrorCode,
    tools::{CallerAsk, ToolSelection, Tools, ToolsBuilder, get_tools},
};
use tokio_util::sync::CancellationToken;

const KEY: &str = "svc_agent_secret";

fn done() -> Reply {
    Reply::json(200, &json!({ "invocationId": "inv_1", "result": "done" }))
}

fn problem(status: u16, code: &str, members: Value) -> Reply {
    let mut body = json!({ "code": code, "detail": format!("It is {code}") });
    body.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap_or_default());
    Reply::json(status, &body)
}

fn client(server: &WireServer) -> ToolsBuilder {
    Tools::builder().api_key(KEY).base_url(&server.url)
}

fn tool_call(name: &str, arguments: &str, id: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

/// Waits for a condition, at most five seconds.
async fn eventually(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(5), "it did not happen");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[test]
fn an_invalid_option_is_refused_with_what_to_write() {
    let builder = || Tools::builder();
    let refused = [
        (builder().base_url("tools.example.com"), "is not an http(s) URL; write one such as http://127.0.0.1:8787"),
        (builder().base_url("http://me:pass@example.com"), "example.com may have no user, password, query or fragment"),
        (builder().timeout(Duration::ZERO), "timeout must be above 0"),
        (builder().timeout(Duration::from_secs(86_401)), "at most 86400 s"),
        (builder().concurrency(0), "concurrency must be a whole number from 1 to 1000, not 0"),
        (builder().max_result_chars(0), "max_result_chars must be a whole number of 1 or more, not 0"),
        (builder().max_payment("1e3"), "max_payment must be a decimal text"),
        (builder().ask(CallerAsk::default().above("much")), "above must be a decimal text"),
        (builder().user_id("two words"), "user_id must be 1 to 200 visible ASCII characters"),
        (builder().session_id("x".repeat(201)), "session_id must be 1 to 200"),
        (builder().session_id("é"), "session_id must be 1 to 200"),
    ];
    for (builder, message) in refused {
        let error = builder.build().unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest);
        assert!(error.message.contains(message), "{error}");
    }
}

/// The test runs in a second process, because the address is a variable of the process.
#[test]
fn tools_new_reports_a_wrong_address_at_once() {
    const WRONG: &str = "tools.example.com:8787";
    if std::env::var("SVC_BASE_URL").is_ok_and(|url| url == WRONG) {
        let error = Tools::new(KEY).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest);
        let words = "base_url (or SVC_BASE_URL) is not an http(s) URL; write one such as http://127.0.0.1:8787";
        assert_eq!(error.to_string(), words);
        // The two tools have no place for an error: a model reads it.
        let (search_tools, _) = get_tools(KEY);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(search_tools.call(r#"{ "query": "x" }"#));
        assert!(answer.contains(words), "{answer}");
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "tools_http::tools_new_reports_a_wrong_address_at_once"]).env("SVC_BASE_URL", WRONG);
    let output = String::from_utf8(again.output().unwrap().stdout).unwrap();
    assert!(output.contains("1 passed"), "{output}");
}

#[tokio::test]
async fn the_key_is_in_no_debug_output_and_no_error() {
    let server = WireServer::start(|_| Reply::none());
    let tools = client(&server).build().unwrap();
    let error = tools.search("x").await.unwrap_err();
    let shown = format!("{tools:?} {error:?} {error}");
    assert!(shown.contains(&server.url) && !shown.contains("secret"), "{shown}");
}

#[tokio::test]
async fn a_function_returns_a_new_key_for_a_refused_key_once_for_all_callers() {
    let server = WireServer::start(|request| {
        let is_old = request.headers["authorization"] == "Bearer svc_token_0";
        if is_old { problem(401, "KEY_EXPIRED", json!({})) } else { done() }
    });
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let give = move || {
        let number = counter.fetch_add(1, Ordering::SeqCst);
        async move { Ok::<_, std::io::Error>(format!("svc_token_{number}")) }
    };
    let tools = Tools::builder().api_key_function(give).base_url(&server.url).build().unwrap();
    let calls = (0..5).map(|_| async { tools.invoke("a__b", ()).await.unwrap().result });
    assert_eq!(futures_util::future::join_all(calls).await, vec![json!("done"); 5]);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    let keys: Vec<String> = server.received().iter().map(|request| request.headers["idempotency-key"].clone()).collect();
    let distinct: std::collections::HashSet<_> = keys.iter().collect();
    assert_eq!((keys.len(), distinct.len()), (10, 5));
}

#[tokio::test]
async fn the_error_of_a_failed_key_function_names_it_and_a_refused_fixed_key_is_not_sent_again() {
    let server = WireServer::start(|_| problem(401, "KEY_REVOKED", json!({})));
    let tools = Tools::builder().api_key_function(|| async { Err::<String, _>("no vault") }).base_url(&server.url).build().unwrap();
    let error = tools.search("x").await.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::InvalidKey, "The api_key function failed: no vault"));
    assert_eq!(server.received().len(), 0);
    let error = client(&server).build().unwrap().search("x").await.unwrap_err();
    assert_eq!((error.code, server.received().len()), (ErrorCode::KeyRevoked, 1));
}

#[tokio::test]
async fn a_refused_key_is_not_sent_again_when_the_function_returns_no_new_key() {
    let server = WireServer::start(|_| problem(401, "KEY_EXPIRED", json!({})));
    let tools = Tools::builder().api_key_function(|| async { Ok::<_, String>(KEY.into()) }).base_url(&server.url).build().unwrap();
    assert_eq!(tools.search("x").await.unwrap_err().code, ErrorCode::KeyExpired);
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn the_error_for_a_foreign_answer_describes_the_answer() {
    let answers = [
        (Reply::raw(200, "text/html", "<html>"), "answered 200 (text/html), which is", false),
        (Reply::json(200, &json!({ "hello": "world" })), "answered 200", false),
        (Reply::json(404, &json!({ "error": "not found" })), "answered 404", false),
        (Reply::raw(502, "text/plain", "bad gateway"), "answered 502", true),
        (Reply::raw(301, "text/html", ""), "redirects. The key is not sent", false),
        (Reply::raw(200, "application/json", "{"), "answered 200 (application/json, broken JSON:", false),
        (Reply { cut: true, ..Reply::json(200, &json!({ "actions": [] })) }, "the connection broke within the answer", true),
    ];
    for (reply, message, retryable) in answers {
        let server = WireServer::start(move |_| reply.clone());
        let error = client(&server).timeout(Duration::from_secs(5)).build().unwrap().search("x").await.unwrap_err();
        assert_eq!((&error.code, error.retryable), (&ErrorCode::ServiceUnreachable, retryable), "{error}");
        assert!(error.message.contains(message) && !error.message.contains("secret"), "{error}");
        assert_eq!(server.received().len(), if retryable { 3 } else { 1 }, "{error}");
    }
}

#[tokio::test]
async fn an_unreachable_service_is_named_with_the_next_step() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let tools = Tools::builder().api_key(KEY).base_url(format!("http://{address}")).build().unwrap();
    let error = tools.search("x").await.unwrap_err();
    assert!(error.message.contains(&format!("No answer from http://{address}: Connection refused")), "{error}");
    assert!(error.message.contains("npx svc-service serve") && error.retryable, "{error}");
}

#[tokio::test]
async fn a_stream_without_a_result_is_an_error() {
    let streams = [
        ("event: progress\ndata: {}\n\n", "the stream ended before the result"),
        ("event: error\ndata: {\"code\":\"ACTION_FAILED\",\"detail\":\"It failed\"}\n\n", "It failed"),
        ("event: result\ndata: 7\n\n", "sent something that is not a result"),
        ("event: result\ndata: {\"invocationId\":\"inv_1\"}\n", "the stream ended before the result"),
    ];
    for (stream, message) in streams {
        let server = WireServer::start(|_| Reply::raw(200, "text/event-stream", stream));
        let error = client(&server).build().unwrap().invoke("a__b", ()).on_progress(|_| ()).await.unwrap_err();
        assert!(error.message.contains(message), "{error}");
    }
}

#[tokio::test]
async fn a_silent_service_is_a_timeout_and_the_request_is_closed() {
    let server = WireServer::start(|_| Reply::silent());
    let tools = client(&server).build().unwrap();
    let error = tools.invoke("a__b", ()).timeout(Duration::from_millis(100)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvocationTimeout);
    assert!(error.message.contains("to POST /v1/invoke in 0.1 s: it may still be at work"), "{error}");
    eventually(|| server.left() == 1).await;
}

#[tokio::test]
async fn a_dropped_future_closes_its_request() {
    let server = WireServer::start(|_| Reply::silent());
    let tools = client(&server).build().unwrap();
    let mut call = Box::pin(tools.call("a__b", "{}"));
    poll_fn(|context| {
        assert!(call.as_mut().poll(context).is_pending());
        Poll::Ready(())
    })
    .await;
    tokio::select! {
        _ = &mut call => panic!("an answer of a silent server"),
        () = eventually(|| server.received().len() == 1) => {}
    }
    drop(call);
    eventually(|| server.left() == 1).await;
}

#[tokio::test]
async fn a_token_cancels_calls_and_closes_their_requests() {
    let server = WireServer::start(|_| Reply::silent());
    let tools = client(&server).build().unwrap();
    let token = CancellationToken::new();
    let calls = [tool_call("a__b", "{}", "1"), tool_call("a__b", "{}", "2")];
    let calls = tools.call_tools(&calls).cancel_token(token.clone());
    let cancel = async {
        eventually(|| server.received().len() == 2).await;
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(calls.into_future(), cancel);
    assert_eq!(outcome.unwrap_err().code, ErrorCode::InvocationCancelled);
    eventually(|| server.left() == 2).await;
    let answer = tools.answer_tool("a__b", "{}").cancel_token(token).await;
    assert_eq!(answer.value["error"]["code"], "INVOCATION_CANCELLED");
}

#[tokio::test]
async fn calls_run_concurrently_up_to_the_limit_and_a_slow_call_delays_no_other() {
    let running = Arc::new(Mutex::new((0, 0, 0)));
    let server = {
        let running = running.clone();
        WireServer::start(move |request| {
            let mut counts = running.lock().unwrap();
            counts.0 += 1;
            counts.1 = counts.1.max(counts.0);
            drop(counts);
            // The first call ends last.
            let is_first = request.body["payload"]["n"] == 0;
            let start = Instant::now();
            while is_first && running.lock().unwrap().2 < 7 && start.elapsed() < Duration::from_secs(5) {
                std::thread::sleep(Duration::from_millis(1));
            }
            let mut counts = running.lock().unwrap();
            counts.0 -= 1;
            counts.2 += 1;
            Reply::json(200, &json!({ "invocationId": "inv_1", "result": [counts.2, request.body["payload"]["n"]] }))
        })
    };
    let tools = client(&server).concurrency(2).build().unwrap();
    let calls: Vec<Value> = (0..8).map(|n| tool_call("a__b", &format!("{{\"n\":{n}}}"), &n.to_string())).collect();
    let answers = tools.call_tools(&calls).await.unwrap();
    let ids: Vec<&str> = answers.iter().map(|answer| answer["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(answers[0]["content"], "[8,0]");
    assert_eq!(running.lock().unwrap().1, 2);
}

#[tokio::test]
async fn an_answer_has_blocks_media_and_payment_and_its_content_has_words() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let image = json!({ "type": "image", "data": png, "mimeType": "image/png" });
    let payment = json!({ "authorised": "0.05", "charged": "0.03", "currency": "USD" });
    let body = json!({ "invocationId": "inv_1", "result": { "width": 1 }, "content": [image, { "type": "hologram" }], "payment": payment });
    let server = WireServer::start(move |_| Reply::json(200, &body));
    let tools = client(&server).build().unwrap();
    let answer = tools.answer_tool("a__b", json!({})).await;
    assert_eq!(answer.content, r#"{"result":{"width":1},"content":["[image image/png, 70 bytes]"]}"#);
    assert_eq!(answer.value.to_string(), answer.content);
    assert_eq!(json!(answer.blocks), json!([{ "type": "text", "text": r#"{"width":1}"# }, image]));
    assert_eq!((answer.media[0].media_type, answer.media[0].data.as_str(), answer.media.len()), ("image/png", png, 1));
    assert_eq!(json!(answer.payment), payment);
    let paid = Mutex::new(Vec::new());
    let calls = tools.call_tools([tool_call("a__b", "{}", "1")]);
    calls.on_payment(|id, payment| paid.lock().unwrap().push((id.to_owned(), payment.charged))).await.unwrap();
    assert_eq!(paid.into_inner().unwrap(), [("1".into(), "0.03".into())]);
}

#[tokio::test]
async fn the_lower_limit_of_a_payment_counts() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).max_payment("0.05").build().unwrap();
    tools.invoke("a__b", ()).await.unwrap();
    tools.invoke("a__b", ()).max_payment("0.1").await.unwrap();
    tools.answer_tool("a__b", "{}").max_payment("0.010").await;
    let error = tools.invoke("a__b", ()).max_payment("1e3").await.unwrap_err();
    assert!(error.message.contains("max_payment must be a decimal text"), "{error}");
    let sent: Vec<String> = server.received().iter().map(|request| request.headers["svc-max-payment"].clone()).collect();
    assert_eq!(sent, ["0.05", "0.05", "0.010"]);
}

#[tokio::test]
async fn the_arguments_of_a_model_are_read_as_models_write_them() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).build().unwrap();
    let written = [
        (json!(""), json!({})),
        (json!("  "), json!({})),
        (Value::Null, json!({})),
        (json!("\"{\\\"n\\\": 1}\""), json!({ "n": 1 })),
        (json!({ "n": 1 }), json!({ "n": 1 })),
        (json!("{\"half\":\"x\\ud83d\"}"), json!({ "half": "x\u{fffd}" })),
        (json!("{\"n\":9007199254740991,\"f\":0.1}"), json!({ "n": 9007199254740991u64, "f": 0.1 })),
    ];
    for (arguments, sent) in written {
        tools.answer_tool("invoke_service", arguments).await;
        assert_eq!(server.received().last().unwrap().body, sent);
    }
    for (name, arguments, code) in [
        ("a__b", "{broken", "INVALID_REQUEST"),
        ("no tool", "{}", "UNKNOWN_TOOL"),
        ("search_services", "{\"query\":\" \"}", "INVALID_REQUEST"),
    ] {
        let text = tools.call(name, arguments).await;
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["error"]["code"], code, "{text}");
    }
    assert_eq!(server.received().len(), 7);
}

#[tokio::test]
async fn a_payload_that_json_cannot_hold_is_refused_before_anything_is_sent() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).build().unwrap();
    let error = tools.invoke("a__b", std::collections::HashMap::from([((1, 2), 3)])).await.unwrap_err();
    assert!(error.message.contains("The payload cannot be written as JSON"), "{error}");
    let error = tools.call_tools(json!({ "tool_calls": [] })).await.unwrap_err();
    assert!(error.message.contains("takes the list `message.tool_calls`, not the message"), "{error}");
    let error = tools.call_tools(json!([])).idempotency_key("x".repeat(251)).await.unwrap_err();
    assert!(error.message.contains("idempotency_key must be 1 to 250 visible"), "{error}");
    assert_eq!(server.received().len(), 0);
}

#[tokio::test]
async fn a_static_tool_keeps_its_annotations_and_its_price() {
    let action = json!({ "action": "a__b", "description": "Does", "payloadSchema": { "type": "object" },
        "annotations": { "readOnly": true }, "payment": { "amount": "0.05", "currency": "USD" } });
    let server = WireServer::start(move |_| Reply::json(200, &json!({ "actions": [action] })));
    let selection = ToolSelection::default().dynamic_tools(false).static_actions(["a__b"]);
    let definitions = client(&server).build().unwrap().load_definitions(selection).await.unwrap();
    assert_eq!(definitions[0].description, "Does. Costs up to 0.05 USD a call.");
    assert_eq!(definitions[0].annotations.unwrap().read_only, Some(true));
    assert_eq!(definitions[0].payment.as_ref().unwrap().amount, "0.05");
}

#[test]
fn one_client_serves_several_runtimes() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).build().unwrap();
    for _ in 0..3 {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let answer = runtime.block_on(async { tools.invoke("a__b", ()).await });
        assert_eq!(answer.unwrap().result, "done");
    }
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn an_endless_answer_ends_at_32_mib_and_the_error_names_the_limit() {
    let endless = [("application/json", "{\"result\":\"", "x"), ("text/event-stream", "event: result\ndata: \"", "x")];
    for (content_type, begin, unit) in endless {
        let server = WireServer::start(move |_| Reply::endless(content_type, begin, unit));
        let tools = client(&server).build().unwrap();
        let error = tools.invoke("a__b", json!({})).on_progress(|_| {}).await.unwrap_err();
        assert_eq!((&error.code, error.retryable), (&ErrorCode::ServiceUnreachable, false), "{error}");
        assert!(error.message.contains("more than 32 MiB"), "{error}");
        eventually(|| server.left() == 1).await;
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn a_result_of_31_mib_arrives() {
    let large = "x".repeat(31 << 20);
    let answer = json!({ "invocationId": "inv_1", "result": large });
    let server = WireServer::start(move |_| Reply::json(200, &answer));
    let result = client(&server).build().unwrap().invoke("a__b", json!({})).await.unwrap().result;
    assert!(result.as_str() == Some(&large));
}

#[tokio::test]
async fn a_content_type_with_the_key_and_terminal_codes_is_shown_without_either() {
    let content_type = format!("text/html; a=\"Bearer {KEY} {}\"", "x".repeat(8_000));
    let server = WireServer::start(move |_| Reply::raw(200, &content_type, "<html>"));
    let error = client(&server).build().unwrap().invoke("a__b", json!({})).await.unwrap_err();
    assert!(error.message.contains("(text/html; a=\"Bearer svc_agent_… x"), "{error}");
    assert!(error.message.len() < 4_400);
}
