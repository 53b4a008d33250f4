//! The transcripts of toolkits, played by `ToolkitService` against a scripted service.

use crate::support::{
    connections_toolkit::add_connections,
    fixture_toolkit::{Fixture, Gate, add_fixture},
    matching::{Bindings, compare, compare_absent, fill_in},
    more_actions::add_more,
    repository::vector,
    socket_service::{SocketService, ToolkitSocket},
    waiting::soon,
};
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::{panic::AssertUnwindSafe, time::Duration};
use svc_sdk::{
    SvcError,
    toolkit::{StopHandle, ToolkitAuth, ToolkitInfo, ToolkitService},
};
use tokio::{
    sync::oneshot,
    task::{JoinHandle, JoinSet},
};

/// 64 Ki characters of actions, and the frame around them.
const MAX_PART_CHARS: usize = 66_000;
const KEY: &str = "svc_toolkit_vectors";

/// Plays the service's part of one transcript.
struct Player {
    service: SocketService,
    sockets: Vec<ToolkitSocket>,
    gate: Gate,
    fixture: Fixture,
    bindings: Bindings,
    started: Option<oneshot::Receiver<(ToolkitService, StopHandle)>>,
    running: Option<(ToolkitService, StopHandle)>,
    ended: Option<JoinHandle<Result<(), SvcError>>>,
    updates: JoinSet<(ToolkitService, StopHandle)>,
}

impl Player {
    async fn new(fixture: Fixture, add: impl FnOnce(&mut ToolkitService) -> Gate, options: &Value, more: usize) -> Self {
        let service = SocketService::start().await;
        let mut toolkit = ToolkitService::new(KEY).base_url(&service.url).on_status(|_| {});
        if let Some(concurrency) = options["concurrency"].as_u64() {
            toolkit = toolkit.concurrency(concurrency as usize);
        }
        let gate = add(&mut toolkit);
        let mut actions = fixture.actions.clone();
        actions.as_array_mut().unwrap().extend(add_more(&mut toolkit, more));
        update(&mut toolkit, &fixture.toolkit).await;
        let (sender, started) = oneshot::channel();
        let ended = tokio::spawn(async move {
            let runner = toolkit.start().await?;
            let _ = sender.send((toolkit, runner.stop_handle()));
            runner.await
        });
        let mut bindings = Bindings::new();
        bindings.insert("actions".into(), actions);
        bindings.insert("toolkitKey".into(), KEY.into());
        let (started, ended) = (Some(started), Some(ended));
        Self { service, sockets: vec![], gate, fixture, bindings, started, running: None, ended, updates: JoinSet::new() }
    }

    async fn play(&mut self, steps: &[Value]) -> Result<(), String> {
        if steps[0].get("upgrade").is_none() {
            self.upgraded(&json!({})).await?;
        }
        for (number, step) in steps.iter().enumerate() {
            if step["optional"] != true {
                self.step(step).await.map_err(|problem| format!("step {}: {problem}", number + 1))?;
            }
        }
        let left: Vec<Value> = self.sockets.iter_mut().flat_map(ToolkitSocket::take_left).filter(|frame| !is_heartbeat(frame)).collect();
        if !left.is_empty() {
            return Err(format!("frames that the transcript does not have: {left:?}"));
        }
        if self.service.has_upgrade() {
            return Err("connected again".into());
        }
        Ok(())
    }

    async fn step(&mut self, step: &Value) -> Result<(), String> {
        let socket = step["socket"].as_u64().map_or(self.sockets.len(), |number| number as usize).wrapping_sub(1);
        if step.get("upgrade").is_some() {
            self.upgraded(step).await
        } else if let Some(action) = step["do"].as_str() {
            self.act(action, step, socket).await
        } else if let Some(expected) = step.get("toolkit") {
            let socket = &mut self.sockets[socket];
            // The toolkit chooses the times of other heartbeats.
            let frame = if is_heartbeat(expected) { socket.next_of_all().await } else { socket.next().await };
            compare(&frame, expected, &mut self.bindings)?;
            compare_absent(&frame, &step["absent"])
        } else if let Some(frame) = step.get("service") {
            self.sockets[socket].send(&fill_in(frame, &mut self.bindings));
            Ok(())
        } else if let Some(closing) = step.get("serviceCloses") {
            let code = closing["code"].as_u64().unwrap() as u16;
            self.sockets[socket].close(code, closing["reason"].as_str().unwrap_or_default());
            Ok(())
        } else if let Some(code) = step["close"].as_u64() {
            let closed = self.sockets[socket].closed().await;
            if u64::from(closed) == code { Ok(()) } else { Err(format!("closed with {closed} instead of {code}")) }
        } else if let Some(expected) = step.get("ends") {
            let ended = soon("the end", self.ended.take().unwrap()).await.unwrap();
            let error = ended.err().map(|error| json!({ "code": error.code, "message": error.message, "retryable": error.retryable }));
            compare(&json!(error), expected, &mut self.bindings)
        } else if ["agent", "agentGets", "agentGetsText"].iter().any(|name| step.get(name).is_some()) {
            Ok(())
        } else {
            Err(format!("no such step: {step}"))
        }
    }

    async fn act(&mut self, action: &str, step: &Value, socket: usize) -> Result<(), String> {
        match action {
            "register" => self.answer_register(socket, &step["heartbeatMs"]).await,
            "cut" => {
                self.sockets[socket].cut();
                self.upgraded(&json!({})).await
            }
            "move" => {
                self.upgraded(&json!({ "open": [self.sockets.len()] })).await?;
                let closed = self.sockets[socket].closed().await;
                if closed == 1000 { Ok(()) } else { Err(format!("left the former socket with {closed}")) }
            }
            "open the gate" => {
                self.gate.cancel();
                Ok(())
            }
            "stop" => {
                let (_, stop) = self.running().await;
                match step["timeoutMs"].as_u64() {
                    Some(timeout) => stop.stop_within(Duration::from_millis(timeout)),
                    None => stop.stop(),
                }
                Ok(())
            }
            "update" => {
                self.running().await;
                let (mut toolkit, stop) = self.running.take().unwrap();
                let details = step["details"].clone();
                self.updates.spawn(async move {
                    update(&mut toolkit, &details).await;
                    (toolkit, stop)
                });
                Ok(())
            }
            "take the list" => self.take_list(socket, step).await,
            "remove an action" => {
                let (toolkit, _) = self.running().await;
                let name = step["action"].as_str().unwrap();
                if toolkit.remove_action(name) { Ok(()) } else { Err(format!("there is no action {name}")) }
            }
            "ask to reconnect" | "revoke the key" => Ok(()),
            other => Err(format!("no such step: {other}")),
        }
    }

    async fn running(&mut self) -> &mut (ToolkitService, StopHandle) {
        if let Some(started) = self.started.take() {
            self.running = Some(soon("the start", started).await.unwrap());
        }
        if self.running.is_none() {
            self.running = Some(soon("the update", self.updates.join_next()).await.unwrap().unwrap());
        }
        self.running.as_mut().unwrap()
    }

    async fn upgraded(&mut self, step: &Value) -> Result<(), String> {
        let upgrade = self.service.upgrade().await;
        let default = json!({ "path": "/v1/toolkit", "headers": { "authorization": "Bearer $toolkitKey" } });
        let expected = fill_in(step.get("upgrade").unwrap_or(&default), &mut self.bindings);
        if expected["path"] != upgrade.path.as_str() {
            return Err(format!("the path is {}", upgrade.path));
        }
        for (name, value) in expected["headers"].as_object().unwrap() {
            if value.as_str() != upgrade.headers.get(name).map(String::as_str) {
                return Err(format!("{name} is {:?} instead of {value}", upgrade.headers.get(name)));
            }
        }
        for number in step["open"].as_array().into_iter().flatten() {
            if self.sockets[number.as_u64().unwrap() as usize - 1].is_closed() {
                return Err(format!("socket {number} was closed before the next one is open"));
            }
        }
        match step.get("refused") {
            Some(refused) => {
                let body = fill_in(&refused["body"], &mut self.bindings);
                upgrade.refuse(refused["status"].as_u64().unwrap(), "", &body).await;
            }
            None => self.sockets.push(upgrade.accept().await),
        }
        Ok(())
    }

    /// Reads `actions` requests until all actions of the list have arrived, each once.
    async fn take_list(&mut self, socket: usize, step: &Value) -> Result<(), String> {
        let size = step["size"].as_u64().unwrap() as usize;
        let mut taken: Vec<Value> = Vec::new();
        while taken.len() < size {
            let mut frame = self.sockets[socket].next().await;
            if frame["method"] != "actions" || frame.to_string().len() >= MAX_PART_CHARS {
                return Err(format!("no part of a list, or a long one: {:.200}", frame.to_string()));
            }
            match step.get("error") {
                Some(error) => self.sockets[socket].send(&json!({ "jsonrpc": "2.0", "id": frame["id"], "error": error })),
                None => self.sockets[socket].answer(&frame, json!({})),
            }
            taken.append(frame["params"]["actions"].as_array_mut().unwrap());
        }
        let all = self.bindings["actions"].as_array().unwrap();
        let expected: Vec<&Value> = all.iter().filter(|action| taken.contains(action)).collect();
        if taken.len() == size && taken.iter().collect::<Vec<_>>() == expected { Ok(()) } else { Err("other actions came".into()) }
    }

    async fn answer_register(&mut self, socket: usize, heartbeat_ms: &Value) -> Result<(), String> {
        let register = self.sockets[socket].next().await;
        let params = json!({ "protocol": 1, "instance": "$instance", "actions": "$actions", "unfinished": [] });
        compare(&register, &json!({ "method": "register", "params": params }), &mut self.bindings)?;
        let names = self.fixture.actions.as_array().unwrap();
        let accepted: Vec<String> = names.iter().map(|each| format!("vector__{}", each["action"].as_str().unwrap())).collect();
        let mut toolkit = self.fixture.toolkit.clone();
        toolkit["id"] = "vector".into();
        let result = json!({ "protocol": 1, "toolkit": toolkit, "accepted": accepted, "rejected": [], "awaiting": [],
            "heartbeatMs": heartbeat_ms.as_u64().unwrap_or(10_000) });
        self.sockets[socket].answer(&register, result);
        Ok(())
    }
}

fn is_heartbeat(frame: &Value) -> bool {
    frame["method"] == "heartbeat"
}

async fn update(toolkit: &mut ToolkitService, details: &Value) {
    let text = |name: &str| details[name].as_str().unwrap_or_default().to_owned();
    let _ = toolkit.update_info(ToolkitInfo { name: text("name"), description: text("description") }).await;
    if let Some(auth) = details.get("auth") {
        let _ = toolkit.update_auth(serde_json::from_value::<Option<ToolkitAuth>>(auth.clone()).unwrap()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_toolkit_plays_every_transcript() {
    play_all(vector("toolkit-socket"), Fixture::of("fixture"), add_fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_toolkit_plays_every_transcript_of_connections() {
    let transcripts = vector("toolkit-connections")["transcripts"].take();
    let add = |toolkit: &mut ToolkitService, _: &[String]| {
        add_connections(toolkit);
        Gate::new()
    };
    play_all(transcripts, Fixture::of("toolkit-connections"), add).await;
}

async fn play_all(transcripts: Value, fixture: Fixture, add: impl Fn(&mut ToolkitService, &[String]) -> Gate) {
    let wanted = std::env::var("SVC_TRANSCRIPT").ok();
    let mut results = Vec::new();
    // The transcripts run one at a time, because their times are real.
    for transcript in transcripts.as_array().unwrap() {
        let name = transcript["name"].as_str().unwrap();
        if transcript["only"] == "service" || wanted.as_ref().is_some_and(|wanted| !name.contains(wanted)) {
            continue;
        }
        let more = transcript["more"].as_u64().unwrap_or_default() as usize;
        let long: Vec<String> = serde_json::from_value(transcript["long"].clone()).unwrap_or_default();
        let add = |toolkit: &mut ToolkitService| add(toolkit, &long);
        let mut player = Player::new(fixture.clone().with_long(&long), add, &transcript["options"], more).await;
        let play = AssertUnwindSafe(player.play(transcript["steps"].as_array().unwrap()));
        let result = play.catch_unwind().await;
        results.push((name, result.unwrap_or_else(|_| Err("panicked, see above".into()))));
    }
    let failures: Vec<String> = results.iter().filter_map(|(name, result)| Some(format!("{name}: {}", result.as_ref().err()?))).collect();
    assert!(failures.is_empty(), "{} of {} transcripts fail\n{}", failures.len(), results.len(), failures.join("\n"));
    println!("{} transcripts", results.len());
    assert!(!results.is_empty() || wanted.is_some());
}
