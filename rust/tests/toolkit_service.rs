//! `ToolkitService` with the real service.

use crate::support::{
    example::Example,
    service::Service,
    waiting::{soon, until},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use svc_sdk::{
    Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations, Attachment, CancelReason, ErrorCode,
    Payment, ToolkitInfo, ToolkitService, Tools, toolkit::ToolkitStatus,
};
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;

type Statuses = Arc<Mutex<Vec<&'static str>>>;

fn record(statuses: &Statuses) -> impl Fn(ToolkitStatus) + Send + Sync + 'static {
    let statuses = statuses.clone();
    move |status| {
        statuses.lock().unwrap().push(match status {
            ToolkitStatus::Connecting => "connecting",
            ToolkitStatus::Connected { .. } => "connected",
            ToolkitStatus::Disconnected { .. } => "disconnected",
            _ => "stopped",
        });
    }
}

#[derive(serde::Deserialize)]
struct Text {
    text: String,
}

action!(Size, "size", Text => usize, |_this, _ctx, params| Ok(params.payload.text.len().into()));
action!(Double, "double", Text => String, |_this, _ctx, params| Ok(params.payload.text.repeat(2).into()));
action!(Big, "big", () => Value, |_this, _ctx, _params| Ok(json!([9_007_199_254_740_993_u64, 1.0]).into()));
action!(Panics, "panics", () => (), |_this, _ctx, _params| panic!("out of luck"));
action!(Block(Duration), "block", () => &'static str, |this, _ctx, _params| {
    thread::sleep(this.0);
    Ok("done".into())
});
action!(Gate(Runs), "gate", () => &'static str, |this, ctx, _params| {
    this.0.begun.fetch_add(1, Ordering::SeqCst);
    tokio::select! {
        () = this.0.gate.cancelled() => Ok("passed".into()),
        () = ctx.cancellation.cancelled() => Err(ActionError::new("STOPPED", format!("{:?}", ctx.cancel_reason()))),
    }
});
action!(Wait(mpsc::UnboundedSender<Option<CancelReason>>), "wait", () => (), |this, ctx, _params| {
    let _ = this.0.send(None);
    ctx.cancellation.cancelled().await;
    let _ = this.0.send(ctx.cancel_reason());
    Ok(().into())
});
action!(Who(u32), "who", () => u32, |this, _ctx, _params| {
    sleep(Duration::from_millis(50)).await;
    Ok(this.0.into())
});
action!(Tidy, "tidy", () => &'static str, |_this, _ctx, _params| Ok("tidied".into()));
action!(Moon, "moon", () => &'static str, |_this, _ctx, _params| Ok("full".into()));

#[derive(Clone, Default)]
struct Runs {
    begun: Arc<AtomicUsize>,
    gate: CancellationToken,
}

impl Runs {
    async fn have_begun(&self, count: usize) {
        until("the handler", || self.begun.load(Ordering::SeqCst) == count).await;
    }
}

async fn toolkit(service: &Service, name: &str) -> ToolkitService {
    ToolkitService::new(service.create_key("toolkit", name, &[]).await).base_url(&service.url).on_status(|_| {})
}

/// A later version of `Tidy`.
struct TidyForGood;

impl Action for TidyForGood {
    const NAME: &'static str = "tidy";
    type Error = ActionError;
    type Args = ();
    type Output = &'static str;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "The action tidy".into(), ..Default::default() }
    }

    fn annotations(&self) -> Annotations {
        Annotations { destructive: Some(true), ..Default::default() }
    }

    async fn call(&self, _ctx: ActionContext, _params: ActionParams<()>) -> Result<ActionResult<&'static str>, ActionError> {
        Ok("erased".into())
    }
}

struct Sell;

impl Action for Sell {
    const NAME: &'static str = "sell";
    type Error = ActionError;
    type Args = Value;
    type Output = &'static str;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition {
            description: "Sells a report".into(),
            payload: json!({ "title": { "type": "string", "required": true } }),
            payment: Some(Payment::new("0.05")),
        }
    }

    async fn call(&self, ctx: ActionContext, params: ActionParams<Value>) -> Result<ActionResult<&'static str>, ActionError> {
        let hold = params.payment.ok_or_else(|| ActionError::new("FREE", "The call has no hold"))?;
        assert_eq!((hold.amount.as_str(), hold.currency.as_deref()), ("0.05", Some("USD")));
        ctx.attach(Attachment::file("report.txt", "text/plain", "It rains"));
        Ok(ActionResult { payload: "sold", payment: Some(Payment::new("0.03")) })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_calls_actions() {
    let service = Service::start("calls", &[]).await;
    let agent = service.agent().await;
    let mut toolkit = toolkit(&service, "shop").await;
    toolkit.add_action(Sell).add_action(Big).add_action(Panics).add_action(Size);
    toolkit.update_info(ToolkitInfo { name: "Shop".into(), description: "Reports".into() }).await.unwrap();
    let runner = toolkit.start().await.unwrap();
    assert_eq!(runner.registration().toolkit.name, "Shop");
    assert_eq!(runner.registration().accepted, ["shop__sell", "shop__big", "shop__panics", "shop__size"]);
    let stop = runner.stop_handle();
    let running = tokio::spawn(runner);

    let sold = agent.invoke("shop__sell", json!({ "title": "Rain" })).await;
    assert_eq!(sold["result"], "sold");
    assert_eq!(sold["payment"], json!({ "authorised": "0.05", "charged": "0.03", "currency": "USD" }));
    assert_eq!(sold["content"][0]["resource"]["text"], "It rains");
    assert_eq!(agent.invoke("shop__sell", json!({})).await["issues"][0]["path"], "/title");

    // Numbers keep their digits.
    assert_eq!(agent.invoke("shop__big", json!({})).await["result"].to_string(), "[9007199254740993,1.0]");

    let panicked = agent.invoke("shop__panics", json!({})).await;
    assert_eq!(panicked["cause"]["code"], "HANDLER_PANICKED");
    assert_eq!(panicked["cause"]["message"], "The handler panicked: out of luck");
    assert_eq!(agent.invoke("shop__size", json!({ "text": "abc" })).await["result"], 3);
    // The service has no schema for this action, so only the type of the arguments is checked.
    let misfit = agent.invoke("shop__size", json!({ "text": 7 })).await;
    assert_eq!(misfit["cause"]["code"], "INVALID_PAYLOAD");
    assert_eq!(misfit["cause"]["data"]["issues"][0]["path"], "/text");

    // The details and the actions of a running toolkit can change.
    toolkit.update_info(ToolkitInfo { description: "Many reports".into(), ..ToolkitInfo::default() }).await.unwrap();
    toolkit.add_action(Moon);
    soon("the new action", async {
        while agent.invoke("shop__moon", json!({})).await["result"] != "full" {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;

    stop.stop();
    soon("the end", running).await.unwrap().unwrap();
    assert_eq!(agent.invoke("shop__size", json!({ "text": "" })).await["code"], "TOOLKIT_OFFLINE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_service_finds_its_toolkit_and_the_result_again() {
    let mut service = Service::start("killed", &[]).await;
    let agent = service.agent().await;
    let (statuses, runs) = (Statuses::default(), Runs::default());
    let mut toolkit = toolkit(&service, "kept").await.on_status(record(&statuses));
    toolkit.add_action(Gate(runs.clone()));
    let _running = tokio::spawn(toolkit.start().await.unwrap());

    let call = tokio::spawn({
        let agent = agent.clone();
        async move { agent.invoke_with("kept__gate", json!({}), 60_000, Some("order-1")).await }
    });
    runs.have_begun(1).await;
    service.kill().await;
    call.await.unwrap().unwrap_err();
    until("the loss", || statuses.lock().unwrap().contains(&"disconnected")).await;
    runs.gate.cancel();
    service.restart().await;
    until("the return", || statuses.lock().unwrap().last() == Some(&"connected")).await;
    let kept = agent.invoke_with("kept__gate", json!({}), 60_000, Some("order-1")).await.unwrap();
    assert_eq!((&kept["result"], &kept["replayed"]), (&json!("passed"), &json!(true)));
    assert_eq!(runs.begun.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_runs_only_the_decided_version_of_its_action() {
    let service = Service::start("versions", &[]).await;
    let tools = Tools::builder().api_key(service.create_key("agent", "agent", &[]).await).base_url(&service.url).build().unwrap();
    let key = service.create_key("toolkit", "house", &[]).await;
    let replica = || ToolkitService::new(&key).base_url(&service.url).on_status(|_| {});
    let mut before = replica();
    before.add_action(Tidy);
    let runner = before.start().await.unwrap();
    let version = tools.resolve("house__tidy", "{}").await.unwrap().version.unwrap();
    let first = tools.invoke("house__tidy", ()).idempotency_key("first").action_version(&version).await.unwrap();
    assert_eq!(first.result, "tidied");
    drop(runner);

    let mut after = replica();
    after.add_action(TidyForGood);
    let _runner = after.start().await.unwrap();
    for stale in [version.as_str(), "none"] {
        let error = tools.invoke("house__tidy", ()).action_version(stale).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ActionChanged, "{error}");
        let answer = tools.answer_tool("house__tidy", "{}").action_version(stale).await;
        assert_eq!(answer.error.unwrap().code, ErrorCode::ActionChanged);
        let kept = tools.invoke("house__tidy", ()).idempotency_key("first").action_version(stale).await.unwrap();
        assert!(kept.replayed, "{kept:?}");
    }
    let now = tools.resolve("house__tidy", "{}").await.unwrap().version.unwrap();
    assert_eq!(tools.invoke("house__tidy", ()).action_version(now).await.unwrap().result, "erased");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_share_the_calls() {
    let service = Service::start("replicas", &[]).await;
    let agent = service.agent().await;
    let key = service.create_key("toolkit", "twins", &[]).await;
    let mut runners = Vec::new();
    for number in [1, 2] {
        let mut toolkit = ToolkitService::new(&key).base_url(&service.url).concurrency(1).on_status(|_| {});
        toolkit.add_action(Who(number));
        runners.push(toolkit.start().await.unwrap());
    }
    let calls: Vec<_> = (0..6).map(|_| agent.invoke("twins__who", json!({}))).collect();
    let answers = futures_util::future::join_all(calls).await;
    for number in [1, 2] {
        assert!(answers.iter().any(|answer| answer["result"] == number), "{answers:?}");
    }
    // A dropped runner ends its toolkit at once.
    drop(runners.remove(0));
    soon("the other replica", async { while agent.invoke("twins__who", json!({})).await["result"] != 2 {} }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_toolkit_that_stops_delivers_the_running_calls() {
    let service = Service::start("stops", &[]).await;
    let agent = service.agent().await;
    let runs = Runs::default();
    let mut toolkit = toolkit(&service, "stops").await;
    toolkit.add_action(Gate(runs.clone())).add_action(Moon);
    let runner = toolkit.start().await.unwrap();
    let stop = runner.stop_handle();
    let running = tokio::spawn(runner);

    let calls: Vec<_> = (0..5)
        .map(|_| {
            let agent = agent.clone();
            tokio::spawn(async move { agent.invoke("stops__gate", json!({})).await })
        })
        .collect();
    runs.have_begun(5).await;
    stop.stop();
    soon("the drain", async { while agent.invoke("stops__moon", json!({})).await["code"] != "TOOLKIT_OFFLINE" {} }).await;
    assert!(!running.is_finished());
    runs.gate.cancel();
    for call in calls {
        assert_eq!(soon("the result", call).await.unwrap()["result"], "passed");
    }
    soon("the end", running).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_that_block_every_thread_stop_no_heartbeat() {
    let service = Service::start("blocking", &["--limit", "heartbeatMs=1000"]).await;
    let agent = service.agent().await;
    let statuses = Statuses::default();
    // The service drops a connection that is silent for 2.5 heartbeats. The handlers of this test have a separate runtime with two threads.
    let handlers = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut toolkit = toolkit(&service, "blocking").await.on_status(record(&statuses));
    toolkit.add_action(Block(Duration::from_millis(3_500)));
    let runner = handlers.spawn(async move { toolkit.start().await }).await.unwrap().unwrap();
    let calls: Vec<_> = (0..2).map(|_| agent.invoke("blocking__block", json!({}))).collect();
    for answer in futures_util::future::join_all(calls).await {
        assert_eq!(answer["result"], "done", "{answer}");
    }
    assert_eq!(*statuses.lock().unwrap(), ["connecting", "connected"]);
    drop(runner);
    handlers.shutdown_background();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_payloads_and_results_pass() {
    const MIB: usize = 1024 * 1024;
    let limits = ["payloadBytes=8388608", "resultBytes=8388608", "requestBodyBytes=8388608", "frameBytes=16777216"];
    let service = Service::start("large", &limits.map(|limit| ["--limit", limit]).concat()).await;
    let agent = service.agent().await;
    let mut toolkit = toolkit(&service, "large").await;
    toolkit.add_action(Size).add_action(Double);
    let _running = tokio::spawn(toolkit.start().await.unwrap());
    let size = 8 * MIB - 2_000;
    assert_eq!(agent.invoke("large__size", json!({ "text": "x".repeat(size) })).await["result"], size);
    let doubled = agent.invoke("large__double", json!({ "text": "é".repeat(size / 4) })).await;
    assert_eq!(doubled["result"].as_str().map(str::len), Some(size));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disconnected_caller_and_a_deadline_cancel_the_handler() {
    let service = Service::start("leaves", &[]).await;
    let agent = service.agent().await;
    let (sender, mut reasons) = mpsc::unbounded_channel();
    let mut toolkit = toolkit(&service, "slow").await;
    toolkit.add_action(Wait(sender));
    let _running = tokio::spawn(toolkit.start().await.unwrap());

    let tools = Tools::builder().api_key(service.create_key("agent", "leaves", &[]).await).base_url(&service.url).build().unwrap();
    let call = tokio::spawn(async move { tools.invoke("slow__wait", ()).await });
    assert_eq!(soon("the handler", reasons.recv()).await, Some(None));
    // The abort drops the future of the call.
    call.abort();
    assert_eq!(soon("the cancel", reasons.recv()).await, Some(Some(CancelReason::Cancelled)));
    let late = agent.invoke_with("slow__wait", json!({}), 300, None).await.unwrap();
    assert_eq!(late["code"], "INVOCATION_TIMEOUT");
    assert_eq!(soon("the handler", reasons.recv()).await, Some(None));
    assert_eq!(soon("the deadline", reasons.recv()).await, Some(Some(CancelReason::Timeout)));
}

#[tokio::test]
async fn a_wrong_key_ends_the_start() {
    let service = Service::start("keys", &[]).await;
    let agent_key = service.create_key("agent", "agent", &[]).await;
    let mut wrong = ToolkitService::new(&agent_key).base_url(&service.url);
    assert_eq!(wrong.start().await.unwrap_err().code, ErrorCode::WrongKeyKind);
    let last = if agent_key.ends_with('0') { "1" } else { "0" };
    let unknown = format!("{}{last}", agent_key[..agent_key.len() - 1].replace("agent", "toolkit"));
    let mut unknown = ToolkitService::new(unknown).base_url(&service.url);
    assert_eq!(unknown.start().await.unwrap_err().code, ErrorCode::InvalidKey);
}

/// Calls `action` of an example with each payload; the answer must contain the text.
async fn assert_serves(example: &str, action: &str, calls: &[(Value, &str)]) {
    let service = Service::start(example, &[]).await;
    let agent = service.agent().await;
    let key = service.create_key("toolkit", example, &[]).await;
    let mut running = Example::start(example, &service.url, &key, &[]).await;
    for (payload, words) in calls {
        let answer = agent.invoke(action, payload.clone()).await.to_string();
        assert!(answer.contains(words), "{answer}");
    }
    assert!(running.interrupt().await.success());
}

#[tokio::test]
async fn the_echo_example_serves_until_an_interrupt() {
    assert_serves("echo", "echo__echo", &[(json!({ "content": "hi" }), r#"you said \"hi\""#)]).await;
}

#[cfg(feature = "schemars")]
#[tokio::test]
async fn the_weather_example_has_the_schema_of_its_type() {
    let calls = [
        (json!({ "city": "Rome", "days": 2 }), r#""celsius":21"#),
        (json!({ "city": "Rome" }), "forecast.csv"),
        (json!({ "city": "Oslo" }), "ask for Rome"),
        (json!({ "city": "Rome", "days": 9 }), r#""path":"/days""#),
    ];
    assert_serves("weather", "weather__forecast", &calls).await;
}
