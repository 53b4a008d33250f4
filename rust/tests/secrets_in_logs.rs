//! No log line has a credential, whatever its level: neither this crate's, nor those of the libraries below it.

use crate::{
    support::{socket_service::SocketService, waiting::soon},
    tools_support::wire_server::{Reply, WireServer},
};
use log::{LevelFilter, Log, Metadata, Record};
use serde_json::{Value, json};
use std::{
    fmt::{self, Write},
    sync::{Arc, Mutex},
    thread,
};
use svc_sdk::{ConnectionSource, Credential, ToolkitAuth, ToolkitService, Tools};
use tracing::{Event, Metadata as Callsite, Subscriber, dispatcher, field::Field, span, subscriber::NoSubscriber};

const SECRET: &str = "tok-canary";

/// Lines of `log`, in the thread of toolkits, where a subscriber of `tracing` gets them. `tracing-log` works so.
struct Bridge(Mutex<String>);

static LINES: Bridge = Bridge(Mutex::new(String::new()));

impl Log for Bridge {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if thread::current().name() == Some("svc-sdk") && !dispatcher::get_default(|current| current.is::<NoSubscriber>()) {
            writeln!(self.0.lock().unwrap(), "{} {}", record.target(), record.args()).unwrap();
        }
    }

    fn flush(&self) {}
}

/// The subscriber of the program. It takes nothing, so that it disturbs no other test.
struct Program;

impl Subscriber for Program {
    fn enabled(&self, _: &Callsite<'_>) -> bool {
        false
    }

    fn max_level_hint(&self) -> Option<tracing::level_filters::LevelFilter> {
        Some(tracing::level_filters::LevelFilter::OFF)
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

action!(Echo, "echo", () => Option<String>, |_this, ctx, _params| Ok(ctx.connection().unwrap().token().map(str::to_owned).into()));

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_frames_of_a_toolkit_are_in_no_log_line() {
    tracing::subscriber::set_global_default(Program).unwrap();
    log::set_logger(&LINES).unwrap();
    log::set_max_level(LevelFilter::Trace);
    let mut service = SocketService::start().await;
    let mut toolkit = ToolkitService::new("svc_toolkit_logs").base_url(&service.url).on_status(|_| {});
    toolkit.update_auth(Some(ToolkitAuth::bearer(ConnectionSource::Caller))).await.unwrap();
    toolkit.add_action(Echo);
    let running = tokio::spawn(async move { toolkit.start().await.unwrap().await });
    let mut socket = service.upgrade().await.accept().await;
    socket.accept(json!({ "accepted": ["wire__echo"] })).await;
    socket.invoke("inv_1", "echo", json!({ "connection": { "type": "bearer", "token": SECRET } }));
    assert_eq!(socket.next().await["result"], SECRET);
    running.abort();
    soon("the end", socket.closed()).await;
    log::set_max_level(LevelFilter::Off);

    let lines = LINES.0.lock().unwrap();
    let hexadecimal: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    let logged = lines.lines().find(|line| line.contains(SECRET) || line.contains(&hexadecimal));
    assert_eq!(logged, None);
}

/// Writes all events and spans.
#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

impl Everything {
    fn write(&self, name: &str, value: &dyn fmt::Debug) {
        writeln!(self.0.lock().unwrap(), "{name}={value:?}").unwrap();
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _: &Callsite<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        span.record(&mut |field: &Field, value: &dyn fmt::Debug| self.write(field.name(), value));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        values.record(&mut |field: &Field, value: &dyn fmt::Debug| self.write(field.name(), value));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut |field: &Field, value: &dyn fmt::Debug| self.write(field.name(), value));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[tokio::test]
async fn a_credential_is_in_no_event_and_no_error() {
    let echo = |request: &Value| json!({ "code": "ACTION_FAILED", "detail": format!("It failed with {request}") });
    let server = WireServer::start(move |request| Reply::json(502, &echo(&json!(request.headers))));
    let tools = Tools::builder().api_key("svc_agent_logs").base_url(&server.url).build().unwrap();
    let lines = Everything::default();
    let written = lines.0.clone();
    let guard = tracing::subscriber::set_default(lines);
    let error = tools.invoke("github__list", ()).connection(Credential::basic("ada", SECRET)).await.unwrap_err();
    drop(guard);

    let header = server.received()[0].headers["svc-connections"].clone();
    let secret = header.rsplit(' ').next().unwrap();
    let shown = format!("{} {error:?} {error}", written.lock().unwrap());
    assert!(shown.contains("/v1/invoke") && shown.contains("[connection]"), "{shown}");
    assert!(!shown.contains(secret) && !shown.contains(SECRET), "{shown}");
}
