//! test/vectors/retries.json, with a fake clock.
use super::{
    Tools,
    tools_support::{
        Bindings, KEY, assert_match, cases,
        playing::{play, with_options},
        vector_service::reply_of,
        wire_server::WireServer,
        world::World,
    },
};
use crate::{
    Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Payment, ToolkitService, http::Clock,
    toolkit::Annotations,
};
use futures_util::future::{BoxFuture, ready};
use serde_json::{Value, json};
use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

#[derive(Default)]
struct FakeClock {
    waits: Mutex<Vec<Duration>>,
    random: Mutex<VecDeque<f64>>,
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.waits.lock().unwrap().iter().sum()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()> {
        self.waits.lock().unwrap().push(time);
        Box::pin(ready(()))
    }

    fn random(&self) -> f64 {
        self.random.lock().unwrap().pop_front().expect("a number that the vectors give")
    }
}

impl FakeClock {
    /// Draws the numbers of the case.
    fn of(case: &Value) -> Arc<Self> {
        let random = case["random"].as_array().into_iter().flatten().map(|number| number.as_f64().unwrap()).collect();
        Arc::new(Self { random: Mutex::new(random), ..Default::default() })
    }

    fn waits_ms(&self) -> Value {
        self.waits.lock().unwrap().iter().map(|wait| json!(wait.as_millis() as u64)).collect()
    }
}

#[tokio::test]
async fn tools_waits_between_its_tries_like_the_vectors() {
    let cases = cases("retries");
    assert!(!cases.is_empty());
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let clock = FakeClock::of(case);
        let answers = case["answers"].as_array().unwrap();
        let server = WireServer::with_replies(answers.iter().map(|answer| reply_of(answer, &mut Bindings::new())).collect());
        let builder = Tools::builder().api_key(KEY).base_url(&server.url).clock(clock.clone());
        let tools = with_options(builder, &case["call"]["options"]).build().unwrap();

        let said = play(&tools, &case["call"], false).await;
        assert_match(&said, &case["outcome"], &mut Bindings::new(), name);
        assert_eq!(clock.waits_ms(), case["waitsMs"], "{name}");
        let received = server.received();
        assert_eq!(received.len(), answers.len(), "{name}");
        if case["timeoutsMs"].is_array() {
            let timeouts: Vec<u64> = received.iter().map(|each| each.headers["svc-timeout-ms"].parse().unwrap()).collect();
            assert_eq!(json!(timeouts), case["timeoutsMs"], "{name}");
        }
        let keys: HashSet<_> = received.iter().map(|each| each.headers.get("idempotency-key")).collect();
        assert_eq!(keys.len(), 1, "{name}");
    }
}

/// An action that follows the script of a case.
struct Scripted {
    action: Value,
    outcomes: Mutex<VecDeque<Value>>,
    /// Invocation id and idempotency key of each run.
    runs: Arc<Mutex<Vec<(String, String)>>>,
}

impl Action for Scripted {
    const NAME: &'static str = "echo";
    type Error = ActionError;
    type Args = Value;
    type Output = Value;

    async fn definition(&self) -> ActionDefinition {
        let payment = self.action["payment"]["amount"].as_str().map(Payment::new);
        ActionDefinition { description: "Does what a case says".into(), payment, ..Default::default() }
    }

    fn annotations(&self) -> Annotations {
        Annotations { destructive: self.action["annotations"]["destructive"].as_bool(), ..Annotations::default() }
    }

    async fn call(&self, ctx: ActionContext, _: ActionParams<Value>) -> Result<ActionResult<Value>, ActionError> {
        self.runs.lock().unwrap().push((ctx.invocation_id.clone(), ctx.idempotency_key.clone()));
        let outcome = self.outcomes.lock().unwrap().pop_front().expect("no further run");
        let Some(error) = outcome.get("error") else { return Ok(outcome["result"].clone().into()) };
        let text = |name: &str| error[name].as_str().unwrap();
        let failure = ActionError::new(text("code"), text("message")).retryable(error["retryable"].as_bool().unwrap());
        Err(match error["retryAfterMs"].as_u64() {
            Some(milliseconds) => failure.retry_after(Duration::from_millis(milliseconds)),
            None => failure,
        })
    }
}

/// An agent key with a budget of 0.01 per call and per day.
async fn agent_key(world: &World) -> String {
    let budget = json!({ "perCall": "0.01", "perDay": "0.01" });
    let request = reqwest::Client::new().post(format!("{}/v1/keys", world.text("/service/url"))).bearer_auth(world.text("/keys/admin"));
    let answer = request.json(&json!({ "kind": "agent", "name": "agent", "budget": budget })).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["key"].as_str().unwrap().into()
}

#[tokio::test]
async fn tools_retries_at_the_real_service_like_the_vectors() {
    let world = World::get();
    let cases = cases("retries");
    for case in cases.iter().filter(|case| case["handler"].is_array()) {
        let name = case["name"].as_str().unwrap();
        let handler = case["handler"].as_array().unwrap();
        let runs = Arc::<Mutex<Vec<(String, String)>>>::default();
        let action =
            Scripted { action: case["action"].clone(), outcomes: Mutex::new(handler.iter().cloned().collect()), runs: runs.clone() };
        let mut toolkit = ToolkitService::new(world.text("/keys/toolkit")).base_url(world.text("/service/url")).on_status(|_| {});
        toolkit.add_action(action);
        let runner = toolkit.start().await.unwrap();
        let stop = runner.stop_handle();
        let id = runner.registration().accepted[0].clone();
        let running = tokio::spawn(runner);

        let clock = FakeClock::of(case);
        let builder = Tools::builder().api_key(agent_key(world).await).base_url(world.text("/service/url")).clock(clock.clone());
        let tools = with_options(builder, &case["call"]["options"]).build().unwrap();
        let mut call = case["call"].clone();
        call["args"][0] = id.into();
        let said = play(&tools, &call, false).await;
        assert_match(&said, &case["outcome"], &mut Bindings::new(), name);
        assert_eq!(clock.waits_ms(), case["waitsMs"], "{name}");
        let runs = std::mem::take(&mut *runs.lock().unwrap());
        let distinct = |of: fn(&(String, String)) -> &String| runs.iter().map(of).collect::<HashSet<_>>().len();
        assert_eq!((runs.len(), distinct(|run| &run.0), distinct(|run| &run.1)), (handler.len(), handler.len(), 1), "{name}");

        stop.stop();
        running.await.unwrap().unwrap();
    }
}
