//! `ToolkitService` on the wire, in addition to the transcripts of test/vectors.

use crate::support::{
    socket_service::{SocketService, ToolkitSocket},
    waiting::{soon, until},
};
use serde_json::{Value, json, value::RawValue};
use std::{
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};
use svc_sdk::{
    Attachment, CancelReason, ErrorCode, Progress, SvcError, ToolkitInfo, ToolkitService,
    toolkit::{Runner, ToolkitStatus},
};
use tokio::{task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

const KEY: &str = "svc_toolkit_wire";

action!(Echo, "echo", Box<RawValue> => Box<RawValue>, |_this, _ctx, params| Ok(params.payload.into()));
action!(Gate(CancellationToken), "gate", () => &'static str, |this, _ctx, _params| {
    this.0.cancelled().await;
    Ok("passed".into())
});
action!(Wait, "wait", () => String, |_this, ctx, _params| {
    ctx.cancellation.cancelled().await;
    Ok(format!("{:?}", ctx.cancel_reason().unwrap()).into())
});
action!(Block, "block", () => (), |_this, _ctx, _params| {
    thread::sleep(Duration::from_millis(1_500));
    Ok(().into())
});
action!(Tell, "tell", () => Value, |_this, ctx, _params| {
    let left = ctx.deadline.saturating_duration_since(tokio::time::Instant::now()).as_secs();
    Ok(json!([ctx.action, ctx.invocation_id, ctx.agent_id, ctx.user_id, ctx.traceparent, ctx.tracestate, left]).into())
});
action!(Image, "image", () => (), |_this, ctx, _params| {
    ctx.attach(Attachment::image(vec![], "image/png"));
    Ok(().into())
});
action!(Report, "report", () => (), |_this, ctx, _params| {
    ctx.progress(Progress::new(f64::NAN));
    ctx.progress(Progress::new(1.0).total(f64::INFINITY).message("x".repeat(2_000)));
    Ok(().into())
});
action!(Huge, "huge", () => (), |_this, _ctx, _params| {
    Err(svc_sdk::ActionError::new("HUGE", "x".repeat(5_000)).data(json!("y".repeat(9 * 1024 * 1024))).retry_after(Duration::from_secs(1)))
});
action!(Renew, "renew", () => Value, |_this, ctx, _params| {
    let first = ctx.connection().unwrap();
    let (one, two) = tokio::join!(first.refused(), first.refused());
    let late = first.refused().await?;
    Ok(json!([one?.token(), two?.token(), late.token(), ctx.connection().unwrap().token(), first.token()]).into())
});
action!(One, "one", () => u8, |_this, _ctx, _params| Ok(1.into()));
action!(Two, "two", () => u8, |_this, _ctx, _params| Ok(2.into()));

/// A toolkit that runs until the end of the test.
struct Running {
    toolkit: ToolkitService,
    runner: Option<Runner>,
    gate: CancellationToken,
    statuses: Arc<Mutex<Vec<ToolkitStatus>>>,
}

impl Running {
    fn statuses(&self) -> Vec<String> {
        self.statuses.lock().unwrap().iter().map(|status| format!("{status:?}")).collect()
    }

    fn run(&mut self) -> JoinHandle<Result<(), SvcError>> {
        tokio::spawn(self.runner.take().unwrap())
    }
}

fn toolkit(service: &SocketService) -> (ToolkitService, CancellationToken) {
    let gate = CancellationToken::new();
    let mut toolkit = ToolkitService::new(KEY).base_url(&service.url).on_status(|_| {});
    toolkit.add_action(Echo).add_action(Gate(gate.clone())).add_action(Wait).add_action(Block).add_action(Tell).add_action(Image);
    toolkit.add_action(Report).add_action(Huge);
    (toolkit, gate)
}

/// A registered toolkit; `members` are further members of the answer.
async fn serving(service: &mut SocketService, concurrency: usize, members: Value) -> (ToolkitSocket, Running) {
    let (toolkit, gate) = toolkit(service);
    let statuses = Arc::<Mutex<Vec<ToolkitStatus>>>::default();
    let recorded = statuses.clone();
    let mut toolkit = toolkit.concurrency(concurrency).on_status(move |status| recorded.lock().unwrap().push(status));
    let starting = tokio::spawn(async move {
        let runner = toolkit.start().await.unwrap();
        (toolkit, Some(runner))
    });
    let mut socket = service.socket().await;
    socket.accept(members).await;
    let (toolkit, runner) = soon("the start", starting).await.unwrap();
    (socket, Running { toolkit, runner, gate, statuses })
}

// Registration

#[tokio::test]
async fn rejected_actions_end_the_start_and_can_be_skipped() {
    let rejected = json!({ "rejected": [{ "action": "echo", "message": "Too short" }, { "action": "gate", "message": "Too long" }] });
    let mut service = SocketService::start().await;
    let (mut strict, _) = toolkit(&service);
    let starting = tokio::spawn(async move { strict.start().await });
    let mut socket = service.socket().await;
    socket.accept(rejected.clone()).await;
    let error = soon("the end", starting).await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidAction);
    assert_eq!(error.message, r#"The service rejected 2 of the actions. "echo": Too short; "gate": Too long"#);
    assert_eq!(socket.closed().await, 1000);

    let (lenient, _) = toolkit(&service);
    let mut lenient = lenient.skip_rejected();
    let starting = tokio::spawn(async move { lenient.start().await });
    service.socket().await.accept(rejected).await;
    let _runner = soon("the start", starting).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_registration_that_is_too_large_ends_the_start() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let starting = tokio::spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    assert_eq!(socket.next().await["method"], "register");
    socket.close(1009, "");
    let error = soon("the end", starting).await.unwrap().unwrap_err();
    assert_eq!(error.code, ErrorCode::RequestTooLarge);
    assert!(error.message.contains("shorten their payload descriptions"), "{error}");
}

#[tokio::test]
async fn a_temporary_refusal_is_retried_after_its_wait() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let starting = tokio::spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    let register = socket.next().await;
    let refused = Instant::now();
    let data = json!({ "code": "SERVICE_UNAVAILABLE", "retryable": true, "retryAfterMs": 700 });
    socket.refuse(&register, json!({ "code": -32000, "message": "No database", "data": data }));
    service.socket().await.accept(json!({})).await;
    assert!(refused.elapsed() >= Duration::from_millis(700));
    let _runner = soon("the start", starting).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_answer_of_another_protocol_breaks_the_connection_off() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let _starting = tokio::spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    socket.accept(json!({ "heartbeatMs": "soon" })).await;
    assert_eq!(socket.closed().await, 4400);
    service.socket().await.accept(json!({})).await;
}

#[tokio::test]
async fn a_dropped_start_disconnects_from_the_service() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let starting = tokio::spawn(async move { toolkit.start().await.map(drop) });
    let mut socket = service.socket().await;
    socket.next().await;
    starting.abort();
    assert_eq!(socket.closed().await, 1000);
}

#[tokio::test]
async fn a_second_start_is_refused() {
    let mut service = SocketService::start().await;
    let (_socket, mut running) = serving(&mut service, 100, json!({})).await;
    assert_eq!(running.toolkit.start().await.unwrap_err().code, ErrorCode::InvalidRequest);
}

#[tokio::test]
async fn changes_of_the_list_are_registered_and_a_refused_change_has_no_effect() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    running.toolkit.add_action(One);
    let params = socket.accept(json!({})).await;
    assert_eq!(params["actions"].as_array().unwrap().last().unwrap()["action"], "one");
    assert_eq!(params["connection"], 1);
    socket.invoke("inv_1", "one", json!({}));
    assert_eq!(socket.next().await["result"], 1);

    running.toolkit.add_action(Two);
    let register = socket.next().await;
    socket.refuse(&register, json!({ "code": -32000, "message": "Too many", "data": { "code": "INVALID_ACTION" } }));
    until("the status", || running.statuses().last().unwrap().contains("Too many")).await;
    socket.invoke("inv_2", "echo", json!({ "payload": { "n": 1 } }));
    assert_eq!(socket.next().await["result"], json!({ "n": 1 }));
}

#[tokio::test]
async fn an_update_waits_for_the_connection_and_a_refused_update_is_an_error() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    let info = |name: &str, description: &str| ToolkitInfo { name: name.into(), description: description.into() };
    let _run = running.run();
    let mut toolkit = running.toolkit;
    let updating = tokio::spawn(async move {
        let first = toolkit.update_info(info("", "New words")).await;
        let second = toolkit.update_info(info("Bad", "")).await;
        (first, second, toolkit)
    });
    assert_eq!(socket.next().await["params"], json!({ "description": "New words" }));
    socket.cut();
    let mut socket = service.socket().await;
    assert_eq!(socket.accept(json!({})).await["toolkit"], json!({ "description": "New words" }));
    let update = socket.next().await;
    assert_eq!((&update["method"], &update["params"]), (&json!("update"), &json!({ "description": "New words" })));
    socket.answer(&update, json!({}));
    let update = socket.next().await;
    socket.refuse(&update, json!({ "code": -32000, "message": "Too long", "data": { "code": "INVALID_REQUEST" } }));
    let (first, second, _toolkit) = soon("the updates", updating).await.unwrap();
    first.unwrap();
    assert_eq!(second.unwrap_err().message, "Too long");
    socket.cut();
    assert_eq!(service.socket().await.accept(json!({})).await["toolkit"], json!({ "description": "New words" }));
}

fn long_name() -> ToolkitInfo {
    ToolkitInfo { name: "Long".into(), ..ToolkitInfo::default() }
}

fn too_long() -> Value {
    json!({ "code": -32000, "message": "Too long", "data": { "code": "INVALID_REQUEST" } })
}

#[tokio::test]
async fn a_list_that_is_refused_for_an_update_is_sent_again_without_it() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    let _run = running.run();
    let update = tokio::select! {
        _ = running.toolkit.update_info(long_name()) => panic!("it has no answer yet"),
        update = socket.next() => update,
    };
    running.toolkit.add_action(One);
    let register = socket.next().await;
    assert_eq!(register["params"]["toolkit"], json!({ "name": "Long" }));
    socket.refuse(&update, too_long());
    socket.refuse(&register, too_long());
    let again = socket.accept(json!({})).await;
    assert_eq!(again.get("toolkit"), None);
    assert_eq!(again["actions"].as_array().unwrap().last().unwrap()["action"], "one");
}

#[tokio::test]
async fn an_update_for_which_a_reconnect_is_refused_is_refused_too() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    let _run = running.run();
    let mut toolkit = running.toolkit;
    let updating = tokio::spawn(async move { (toolkit.update_info(long_name()).await, toolkit) });
    assert_eq!(socket.next().await["method"], "update");
    socket.cut();
    let mut socket = service.socket().await;
    let register = socket.next().await;
    assert_eq!(register["params"]["toolkit"], json!({ "name": "Long" }));
    socket.refuse(&register, too_long());
    let (refused, _toolkit) = soon("the update", updating).await.unwrap();
    assert_eq!(refused.unwrap_err().message, "Too long");
    assert_eq!(service.socket().await.accept(json!({})).await.get("toolkit"), None);
}

// The connection

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let mut service = SocketService::start().await;
    let mut other = SocketService::start().await;
    let (toolkit, _) = toolkit(&service);
    let reasons = Arc::<Mutex<Vec<String>>>::default();
    let recorded = reasons.clone();
    let mut toolkit = toolkit.on_status(move |status| {
        if let ToolkitStatus::Disconnected { reason, .. } = status {
            recorded.lock().unwrap().push(reason.message);
        }
    });
    let _starting = tokio::spawn(async move { toolkit.start().await });
    let location = format!("Location: {}/v1/toolkit\r\n", other.url);
    service.upgrade().await.refuse(307, &location, &json!({})).await;
    service.upgrade().await.refuse(307, &location, &json!({})).await;
    until("the statuses", || reasons.lock().unwrap().len() == 2).await;
    assert!(reasons.lock().unwrap()[0].contains("answered 307; is the base URL right?"));
    assert!(!other.has_upgrade());
}

#[tokio::test]
async fn a_toolkit_waits_for_a_service_that_starts_later() {
    let service = SocketService::start().await;
    let port = service.url.rsplit(':').next().unwrap().parse().unwrap();
    let (toolkit, _) = toolkit(&service);
    drop(service);
    sleep(Duration::from_millis(50)).await;
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let recorded = seen.clone();
    let mut toolkit = toolkit.on_status(move |status| recorded.lock().unwrap().push(format!("{status:?}")));
    let starting = tokio::spawn(async move { toolkit.start().await });
    until("a try", || seen.lock().unwrap().iter().any(|status| status.contains("ServiceUnreachable"))).await;
    assert!(seen.lock().unwrap()[1].contains("refused"), "{:?}", seen.lock().unwrap());
    SocketService::start_on(port).await.socket().await.accept(json!({})).await;
    let _runner = soon("the start", starting).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_panicking_listener_disturbs_nothing() {
    let mut service = SocketService::start().await;
    let (toolkit, _) = toolkit(&service);
    let mut toolkit = toolkit.on_status(|_| panic!("no")).on_warning(|_| panic!("no"));
    let starting = tokio::spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    socket.accept(json!({})).await;
    let _runner = soon("the start", starting).await.unwrap().unwrap();
    socket.notify("warning", json!({ "invocationId": "inv_0", "message": "Wrong charge" }));
    socket.invoke("inv_1", "echo", json!({}));
    assert_eq!(socket.next().await["result"], json!({}));
}

#[tokio::test]
async fn warnings_reach_the_developer() {
    let mut service = SocketService::start().await;
    let (toolkit, _) = toolkit(&service);
    let warnings = Arc::<Mutex<Vec<(String, String)>>>::default();
    let recorded = warnings.clone();
    let mut toolkit = toolkit.on_warning(move |warning| recorded.lock().unwrap().push((warning.invocation_id, warning.message)));
    let starting = tokio::spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    socket.accept(json!({})).await;
    let _runner = soon("the start", starting).await.unwrap().unwrap();
    for params in [json!(null), json!([]), json!({ "invocationId": 1 }), json!({ "invocationId": "inv_0", "message": "Wrong charge" })] {
        socket.notify("warning", params);
    }
    until("the warning", || !warnings.lock().unwrap().is_empty()).await;
    assert_eq!(*warnings.lock().unwrap(), [("inv_0".to_owned(), "Wrong charge".to_owned())]);
}

#[tokio::test]
async fn a_dropped_runner_closes_the_connection_and_ends_its_handlers() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    socket.invoke("inv_1", "gate", json!({}));
    socket.read().await;
    drop(running.runner.take());
    assert_eq!(socket.closed().await, 1000);
    let error = running.toolkit.update_info(ToolkitInfo { name: "Late".into(), ..ToolkitInfo::default() }).await.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::ConnectionClosed, "The toolkit was stopped"));
}

// Invocations

#[tokio::test]
async fn a_handler_knows_its_call() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    socket.invoke("inv_1", "tell", json!({ "userId": "ada", "traceparent": "00-a", "tracestate": "b=1" }));
    assert_eq!(socket.next().await["result"], json!(["tell", "inv_1", "key_agent", "ada", "00-a", "b=1", 9]));
    socket.invoke("inv_2", "tell", json!({ "userId": 7, "tracestate": "b=1", "timeoutMs": 1e300 }));
    let told = socket.next().await["result"].clone();
    assert_eq!(told.as_array().unwrap()[..6], json!(["tell", "inv_2", "key_agent", null, null, null]).as_array().unwrap()[..]);
}

#[tokio::test]
async fn numbers_keep_their_digits() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    let call = r#"{"jsonrpc":"2.0","id":"inv_1","method":"invoke","params":{"action":"echo","agentId":"a","timeoutMs":9000,
        "payload":{"big":9007199254740993,"one":1.0}}}"#;
    socket.send(&json!(call));
    assert_eq!(socket.next().await["result"].to_string(), r#"{"big":9007199254740993,"one":1.0}"#);
}

#[tokio::test]
async fn an_invoke_without_its_members_is_refused() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    for params in [json!({ "timeoutMs": "1" }), json!({ "agentId": null }), json!({ "action": 1 })] {
        socket.invoke("inv_1", "echo", params);
        let error = socket.next().await["error"].clone();
        assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32602), &json!("INVALID_REQUEST")));
    }
}

#[tokio::test]
async fn more_calls_than_the_concurrency_wait_in_their_order() {
    let mut service = SocketService::start().await;
    let (mut socket, running) = serving(&mut service, 1, json!({})).await;
    socket.invoke("inv_1", "gate", json!({}));
    socket.invoke("inv_2", "echo", json!({}));
    socket.invoke("inv_4", "echo", json!({}));
    socket.notify("cancel", json!({ "invocationId": "inv_2", "reason": "cancelled" }));
    let cancelled = socket.next().await;
    assert_eq!((&cancelled["id"], &cancelled["error"]["data"]["code"]), (&json!("inv_2"), &json!("INVOCATION_CANCELLED")));
    socket.invoke("inv_3", "echo", json!({ "timeoutMs": 1 }));
    let late = socket.next().await;
    assert_eq!((&late["id"], &late["error"]["data"]["code"]), (&json!("inv_3"), &json!("INVOCATION_TIMEOUT")));
    running.gate.cancel();
    for id in ["inv_1", "inv_4"] {
        assert_eq!(socket.next().await["id"], id);
    }
}

#[tokio::test]
async fn a_cancel_right_behind_its_call_reaches_the_handler() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    let reasons =
        [(json!("timeout"), CancelReason::Timeout), (json!("cancelled"), CancelReason::Cancelled), (json!(1), CancelReason::Cancelled)];
    for (number, (sent, reason)) in reasons.into_iter().enumerate() {
        let id = format!("inv_{number}");
        socket.invoke(&id, "wait", json!({}));
        socket.notify("cancel", json!({ "invocationId": id, "reason": sent }));
        assert_eq!(socket.next().await["result"], format!("{reason:?}"));
    }
}

#[tokio::test]
async fn a_wrong_attachment_and_a_huge_error_are_invalid_results() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    socket.invoke("inv_1", "image", json!({}));
    let data = socket.next().await["error"]["data"].clone();
    assert_eq!((&data["code"], &data["message"]), (&json!("INVALID_RESULT"), &json!("An image has no bytes")));
    socket.invoke("inv_2", "huge", json!({}));
    let data = socket.next().await["error"]["data"].clone();
    assert_eq!((data["code"].as_str(), data["message"].as_str().map(str::len)), (Some("INVALID_RESULT"), Some(2_000)));
}

#[tokio::test]
async fn progress_is_cut_and_omits_values_that_are_not_numbers() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    socket.invoke("inv_1", "report", json!({}));
    let frame = socket.next().await;
    assert_eq!(frame["method"], "progress");
    assert_eq!((frame["params"].get("total"), frame["params"]["message"].as_str().map(str::len)), (None, Some(1_000)));
    assert_eq!(socket.next().await["id"], "inv_1");
}

#[tokio::test]
async fn a_handler_that_blocks_its_runtime_stops_no_heartbeat() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let end = CancellationToken::new();
    let ended = end.clone();
    // A runtime with one thread, which the handler blocks.
    let running = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let _runner = toolkit.start().await.unwrap();
            ended.cancelled().await;
        });
    });
    let mut socket = service.socket().await;
    socket.accept(json!({ "heartbeatMs": 100 })).await;
    socket.invoke("inv_1", "block", json!({}));
    let mut heartbeats = 0;
    loop {
        let frame = socket.next_of_all().await;
        if frame["id"] == "inv_1" {
            break;
        }
        assert_eq!(frame["method"], "heartbeat");
        socket.answer(&frame, json!({}));
        heartbeats += 1;
    }
    assert!(heartbeats >= 3, "{heartbeats} heartbeats");
    end.cancel();
    running.join().unwrap();
}

#[tokio::test]
async fn handlers_of_an_ended_runtime_have_an_unknown_outcome() {
    let mut service = SocketService::start().await;
    let (mut toolkit, _) = toolkit(&service);
    let handlers = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let starting = handlers.spawn(async move { toolkit.start().await });
    let mut socket = service.socket().await;
    socket.accept(json!({})).await;
    let _runner = soon("the start", starting).await.unwrap().unwrap();
    socket.invoke("inv_1", "gate", json!({}));
    socket.read().await;
    handlers.shutdown_background();
    let error = socket.next().await["error"].clone();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32001), &json!("OUTCOME_UNKNOWN")));
}

// Results

#[tokio::test]
async fn an_idle_toolkit_has_its_results_confirmed_soon() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 100, json!({})).await;
    socket.invoke("inv_1", "echo", json!({}));
    assert_eq!(socket.next().await["id"], "inv_1");
    // The regular heartbeat would be sent after a minute.
    let heartbeat = socket.next_of_all().await;
    assert_eq!(heartbeat["method"], "heartbeat");
    socket.answer(&heartbeat, json!({}));
    socket.read().await;
    socket.cut();
    assert_eq!(service.socket().await.accept(json!({})).await["unfinished"], json!([]));
}

#[tokio::test]
async fn many_results_are_confirmed_at_once() {
    let mut service = SocketService::start().await;
    let (mut socket, _running) = serving(&mut service, 1_000, json!({})).await;
    let sent = Instant::now();
    for number in 0..300 {
        socket.invoke(&format!("inv_{number}"), "echo", json!({}));
    }
    let mut results = 0;
    while socket.next_of_all().await["method"] != "heartbeat" {
        results += 1;
    }
    assert!(results > 256 || sent.elapsed() >= Duration::from_millis(500), "{results}");
}

#[tokio::test]
async fn a_queued_call_of_a_lost_connection_may_be_delivered_again() {
    let mut service = SocketService::start().await;
    let (mut socket, running) = serving(&mut service, 1, json!({})).await;
    socket.invoke("inv_1", "gate", json!({}));
    socket.invoke("inv_2", "echo", json!({}));
    socket.read().await;
    socket.cut();
    let mut socket = service.socket().await;
    let params = socket.accept(json!({ "awaiting": ["inv_1"] })).await;
    assert_eq!(params["unfinished"].as_array().map(Vec::len), Some(2));
    socket.invoke("inv_2", "echo", json!({}));
    running.gate.cancel();
    let (late, again) = (socket.next().await, socket.next().await);
    assert_eq!((&late["method"], &late["params"]["invocationId"]), (&json!("result"), &json!("inv_1")));
    assert_eq!((&again["id"], &again["result"]), (&json!("inv_2"), &json!({})));
}

// Stopping

#[tokio::test]
async fn a_stop_without_calls_ends_the_runner() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    let stop = running.runner.as_ref().unwrap().stop_handle();
    let run = running.run();
    stop.stop();
    let drain = socket.next().await;
    assert_eq!(drain["method"], "drain");
    socket.answer(&drain, json!({}));
    assert_eq!(socket.closed().await, 1000);
    soon("the end", run).await.unwrap().unwrap();
    let statuses = running.statuses();
    assert_eq!(statuses.len(), 3, "{statuses:?}");
    assert!(statuses[2].contains("Stopped { reason: None }"), "{statuses:?}");
    stop.stop();
}

#[tokio::test]
async fn handlers_are_cancelled_when_their_time_is_over() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 1, json!({})).await;
    let stop = running.runner.as_ref().unwrap().stop_handle();
    let run = running.run();
    socket.invoke("inv_1", "wait", json!({}));
    socket.invoke("inv_2", "gate", json!({}));
    socket.invoke("inv_3", "gate", json!({}));
    socket.read().await;
    stop.stop_within(Duration::from_millis(10));
    let drain = socket.next().await;
    socket.answer(&drain, json!({}));
    assert_eq!(socket.next().await["result"], "Stopped");
    // The second call begins, does not end, and is abandoned; the third call has not begun.
    let codes = [socket.next().await, socket.next().await].map(|frame| (frame["id"].clone(), frame["error"]["data"]["code"].clone()));
    assert!(codes.contains(&(json!("inv_2"), json!("OUTCOME_UNKNOWN"))), "{codes:?}");
    assert!(codes.contains(&(json!("inv_3"), json!("TOOLKIT_STOPPED"))), "{codes:?}");
    assert_eq!(socket.closed().await, 1000);
    soon("the end", run).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_toolkit_that_stops_does_not_move() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 100, json!({})).await;
    let stop = running.runner.as_ref().unwrap().stop_handle();
    let run = running.run();
    socket.invoke("inv_1", "gate", json!({}));
    socket.read().await;
    stop.stop();
    let drain = socket.next().await;
    socket.notify("reconnect", json!({ "withinMs": 0 }));
    socket.answer(&drain, json!({}));
    socket.read().await;
    running.gate.cancel();
    assert_eq!(socket.next().await["result"], "passed");
    assert_eq!(socket.closed().await, 1000);
    soon("the end", run).await.unwrap().unwrap();
    assert!(!service.has_upgrade());
}

// Connections

#[tokio::test]
async fn a_connection_is_refused_once_and_its_holders_share_the_answer() {
    let mut service = SocketService::start().await;
    let (mut socket, mut running) = serving(&mut service, 10, json!({})).await;
    running.toolkit.add_action(Renew);
    socket.accept(json!({})).await;
    socket.invoke("inv_1", "renew", json!({ "connection": { "type": "bearer", "token": "tok-1" } }));
    let question = socket.next().await;
    assert_eq!((&question["method"], &question["params"]), (&json!("connection"), &json!({ "invocationId": "inv_1" })));
    socket.answer(&question, json!({ "connection": { "type": "bearer", "token": "tok-2" } }));
    assert_eq!(socket.next().await["result"], json!(["tok-2", "tok-2", "tok-2", "tok-2", "tok-1"]));
    socket.read().await;
    assert_eq!(socket.take_left(), Vec::<Value>::new());
}
