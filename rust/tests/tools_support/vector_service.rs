//! Requests of an agent's client and the service's answers, from test/vectors, and a server that returns the answers.
use super::{
    Bindings, KEY, assert_absent, assert_match, compare, fill_in,
    wire_server::{Received, Reply, WireServer},
};
use reqwest::Url;
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

/// The tolerance below a `svc-timeout-ms`: the time until the request is sent.
const TIMEOUT_TOLERANCE_MS: i64 = 1_000;

/// Answers with each exchange once, to the first matching request, in any order.
pub struct VectorService {
    pub url: String,
    pub bindings: Bindings,
    server: WireServer,
    exchanges: Vec<Value>,
    taken: Arc<Taken>,
}

#[derive(Default)]
struct Taken {
    /// The number of an exchange -> the request that received its answer.
    requests: Mutex<HashMap<usize, Received>>,
    changed: Condvar,
}

impl VectorService {
    pub fn start(exchanges: &[Value]) -> Self {
        let mut bindings = Bindings::new();
        let replies: Vec<Reply> = exchanges.iter().map(|each| reply_of(&each["response"], &mut bindings)).collect();
        let (exchanges, taken) = (exchanges.to_vec(), Arc::new(Taken::default()));
        let server = {
            let (exchanges, taken) = (exchanges.clone(), taken.clone());
            WireServer::start(move |received| taken.answer(received, &exchanges, &replies))
        };
        Self { url: server.url.clone(), bindings, server, exchanges, taken }
    }

    /// Each request with its headers, and no other request.
    #[track_caller]
    pub fn assert_each_came_once(&mut self, method: &str, has_listener: bool, case: &str) {
        let received = self.server.received();
        assert_eq!(received.len(), self.exchanges.len(), "{case}: {received:?}");
        let requests = self.taken.requests.lock().unwrap();
        for (number, exchange) in self.exchanges.iter().enumerate() {
            let received = requests.get(&number).unwrap_or_else(|| panic!("{case}: no request {}", exchange["request"]));
            assert_request(received, exchange, &mut self.bindings, method, has_listener, case);
        }
    }
}

impl Taken {
    fn answer(&self, received: &Received, exchanges: &[Value], replies: &[Reply]) -> Reply {
        let mut requests = self.requests.lock().unwrap();
        let free = (0..exchanges.len()).filter(|number| !requests.contains_key(number));
        let Some(number) = free.into_iter().find(|&number| is_like(received, &exchanges[number]["request"])) else {
            return Reply::json(400, &Value::Null);
        };
        requests.insert(number, received.clone());
        self.changed.notify_all();
        let others: Vec<usize> = serde_json::from_value(exchanges[number]["after"].clone()).unwrap_or_default();
        let waits = |requests: &mut HashMap<usize, Received>| !others.iter().all(|other| requests.contains_key(&(other - 1)));
        let (_requests, time) = self.changed.wait_timeout_while(requests, Duration::from_secs(5), waits).unwrap();
        assert!(!time.timed_out(), "the calls do not run side by side");
        replies[number].clone()
    }
}

/// An answer of the vectors; `null` is none.
pub fn reply_of(response: &Value, bindings: &mut Bindings) -> Reply {
    if response.is_null() {
        return Reply::none();
    }
    let filled = fill_in(response, bindings);
    let status = filled["status"].as_u64().unwrap() as u16;
    let mut reply = Reply::json(status, &filled["body"]);
    if status == 204 {
        reply.headers.clear();
        reply.body.clear();
    }
    if let Some(text) = filled["text"].as_str() {
        reply.headers.clear();
        reply.body = text.into();
    }
    if let Some(events) = filled["events"].as_array() {
        reply.headers = vec![("content-type".into(), "text/event-stream".into())];
        let events = events.iter().map(|each| format!("event: {}\ndata: {}\n\n", each["event"].as_str().unwrap(), each["data"]));
        reply.body = events.collect::<String>().into();
    }
    for (name, value) in filled["headers"].as_object().into_iter().flatten() {
        reply.headers.extend(value.as_str().map(|value| (name.clone(), value.into())));
    }
    reply
}

/// The request with exactly its query, its `svc-` headers and no absent member.
#[track_caller]
pub fn assert_request(received: &Received, exchange: &Value, bindings: &mut Bindings, method: &str, has_listener: bool, case: &str) {
    let request = &exchange["request"];
    let parts = parts_of(received);
    let expected: Map<_, _> = request.as_object().unwrap().iter().filter(|(name, _)| *name != "headers").map(own).collect();
    assert_match(&parts, &expected.into(), bindings, case);
    assert_eq!(parts["query"], request.get("query").cloned().unwrap_or(json!({})), "{case}");
    assert_absent(&received.body, &exchange["absent"], case);
    let mut headers = headers_of(request, method);
    headers.extend(request["headers"].as_object().into_iter().flatten().map(own));
    // Each client has its own key.
    headers.insert("authorization".into(), format!("Bearer {KEY}").into());
    if has_listener {
        headers.insert("accept".into(), "text/event-stream".into());
    }
    for (name, expected) in &headers {
        let sent = received.headers.get(name);
        if name == "svc-timeout-ms" && !expected.is_null() {
            let less = expected.as_str().unwrap().parse::<i64>().unwrap() - sent.unwrap().parse::<i64>().unwrap();
            assert!((0..TIMEOUT_TOLERANCE_MS).contains(&less), "{case}: {name}: {sent:?}");
            continue;
        }
        assert_match(&json!(sent), expected, bindings, &format!("{case}: {name}"));
    }
    let surplus: Vec<_> = received.headers.keys().filter(|name| name.starts_with("svc-") && !headers.contains_key(*name)).collect();
    assert_eq!(surplus, Vec::<&String>::new(), "{case}");
}

/// The headers of every client; test/vectors/README.md has the list.
fn headers_of(request: &Value, method: &str) -> Map<String, Value> {
    let mut headers = Map::from_iter([("svc-timeout-ms".into(), "60000".into())]);
    if request["method"] == "POST" {
        headers.insert("content-type".into(), "application/json".into());
    }
    if request["path"] == "/v1/invoke" {
        headers.insert("idempotency-key".into(), "$string".into());
        if method == "callTools" {
            headers.insert("svc-max-result-chars".into(), "40000".into());
            headers.insert("prefer".into(), "respond-async, wait=59".into());
        }
    }
    headers
}

fn parts_of(received: &Received) -> Value {
    let url = Url::parse(&format!("http://host{}", received.path)).unwrap();
    let query: Map<_, _> = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect();
    json!({ "method": received.method, "path": url.path(), "query": query, "body": received.body })
}

fn is_like(received: &Received, request: &Value) -> bool {
    let wanted: Map<_, _> =
        ["method", "path", "body"].iter().filter_map(|name| Some(own((&name.to_string(), request.get(*name)?)))).collect();
    let parts = parts_of(received);
    let query = request.get("query").cloned().unwrap_or(json!({}));
    compare(&parts, &wanted.into(), &mut Bindings::new()).is_ok() && parts["query"] == query
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}
