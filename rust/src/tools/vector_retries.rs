//! test/vectors/retries.json, with a clock that costs no time.
use super::{
    Tools,
    tools_support::{
        Bindings, KEY, assert_match, cases,
        playing::{play, with_options},
        vector_service::reply_of,
        wire_server::WireServer,
    },
};
use crate::http::Clock;
use futures_util::future::{BoxFuture, ready};
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

#[tokio::test]
async fn tools_waits_between_its_tries_as_the_vectors_say() {
    let cases = cases("retries");
    assert!(!cases.is_empty());
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let random = case["random"].as_array().into_iter().flatten().map(|number| number.as_f64().unwrap()).collect();
        let clock = Arc::new(FakeClock { random: Mutex::new(random), ..Default::default() });
        let answers = case["answers"].as_array().unwrap();
        let server = WireServer::with_replies(answers.iter().map(|answer| reply_of(answer, &mut Bindings::new())).collect());
        let builder = Tools::builder().api_key(KEY).base_url(&server.url).clock(clock.clone());
        let tools = with_options(builder, &case["call"]["options"]).build().unwrap();

        let said = play(&tools, &case["call"], false).await;
        assert_match(&said, &case["outcome"], &mut Bindings::new(), name);
        let waits: Vec<u64> = clock.waits.lock().unwrap().iter().map(|wait| wait.as_millis() as u64).collect();
        assert_eq!(serde_json::json!(waits), case["waitsMs"], "{name}");
        let received = server.received();
        assert_eq!(received.len(), answers.len(), "{name}");
        if case["timeoutsMs"].is_array() {
            let timeouts: Vec<u64> = received.iter().map(|each| each.headers["svc-timeout-ms"].parse().unwrap()).collect();
            assert_eq!(serde_json::json!(timeouts), case["timeoutsMs"], "{name}");
        }
        let keys: HashSet<_> = received.iter().map(|each| each.headers.get("idempotency-key")).collect();
        assert_eq!(keys.len(), 1, "{name}");
    }
}
