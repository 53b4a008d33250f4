//! A replica that the chaos harness kills: `chaos_toolkit <ledger file> <actions as JSON>`.
//!
//! Behaves like bench/chaos/toolkit.ts: logs each run before and after its effect; SIGUSR2 makes it slow for a while.
mod serve_toolkit;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serve_toolkit::serve_toolkit;
use std::{
    collections::HashMap,
    env,
    fs::{File, OpenOptions},
    io::Write,
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use svc_sdk::{SvcError, toolkit::*};
use tokio::signal::unix::{SignalKind, signal};

const SLOW_FOR: Duration = Duration::from_millis(3_000);
const SLOW_BY: Duration = Duration::from_millis(2_500);

/// The part of `ACTIONS` in bench/chaos/actions.ts that agents see.
#[derive(Deserialize)]
struct ActionFacts {
    description: String,
    #[serde(default)]
    annotations: Annotations,
    payment: Option<Payment>,
    #[serde(default)]
    long: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChaosPayload {
    call: u64,
    work_ms: f64,
}

#[derive(Serialize)]
struct ChaosResult {
    call: u64,
    token: String,
}

/// The work of all handlers.
struct Work {
    actions: HashMap<String, ActionFacts>,
    ledger: Mutex<File>,
    slow_until: Mutex<Instant>,
}

impl Work {
    fn slow_down(&self) {
        *self.slow_until.lock().unwrap() = Instant::now() + SLOW_FOR;
    }

    fn duration(&self, work_ms: f64) -> Duration {
        let is_slow = Instant::now() < *self.slow_until.lock().unwrap();
        Duration::from_secs_f64(work_ms / 1_000.0) + if is_slow { SLOW_BY } else { Duration::ZERO }
    }

    /// The line is on disk before the run continues.
    fn write(&self, event: &str, mut line: Value) {
        line["event"] = event.into();
        line["at"] = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap().into();
        let mut ledger = self.ledger.lock().unwrap();
        ledger.write_all(format!("{line}\n").as_bytes()).unwrap();
        ledger.sync_data().unwrap();
    }

    async fn run(&self, ctx: ActionContext, payload: ChaosPayload) -> Result<ActionResult<ChaosResult>, ActionError> {
        let ActionContext { action, invocation_id: invocation, idempotency_key: key, attempt, .. } = &ctx;
        let ChaosPayload { call, work_ms } = payload;
        self.write("begin", json!({ "call": call, "key": key, "invocation": invocation, "attempt": attempt, "action": action }));
        tokio::time::sleep(self.duration(work_ms)).await;
        let token = fresh_token();
        let failed = action == "fails";
        let charged = self.actions[action].payment.as_ref().map(|_| format!("0.0{}", call % 6));
        let mut line = json!({ "call": call, "invocation": invocation, "token": token, "failed": failed });
        if let Some(amount) = &charged {
            line["charged"] = amount.as_str().into();
        }
        self.write("end", line);
        if failed {
            return Err(ActionError::new("FAILED", token));
        }
        Ok(ActionResult { payload: ChaosResult { call, token }, payment: charged.map(Payment::new) })
    }
}

fn fresh_token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).unwrap();
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// The name of an action is a constant of its type.
macro_rules! chaos_action {
    ($type:ident, $name:literal) => {
        struct $type(Arc<Work>);

        impl Action for $type {
            const NAME: &'static str = $name;
            type Error = ActionError;
            type Args = ChaosPayload;
            type Output = ChaosResult;

            async fn definition(&self) -> ActionDefinition {
                let ActionFacts { description, payment, .. } = &self.0.actions[$name];
                ActionDefinition { description: description.clone(), payload: Value::Null, payment: payment.clone() }
            }

            fn annotations(&self) -> Annotations {
                self.0.actions[$name].annotations
            }

            fn long(&self) -> bool {
                self.0.actions[$name].long
            }

            async fn call(&self, ctx: ActionContext, params: ActionParams<ChaosPayload>) -> Result<ActionResult<ChaosResult>, ActionError> {
                self.0.run(ctx, params.payload).await
            }
        }
    };
}

chaos_action!(Charge, "charge");
chaos_action!(Buy, "buy");
chaos_action!(Read, "read");
chaos_action!(Put, "put");
chaos_action!(Slow, "slow");
chaos_action!(Long, "long");
chaos_action!(Fails, "fails");

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let arguments: Vec<String> = env::args().collect();
    let ledger = OpenOptions::new().append(true).create(true).open(&arguments[1]).unwrap();
    let actions = serde_json::from_str(&arguments[2]).unwrap();
    let work = Arc::new(Work { actions, ledger: Mutex::new(ledger), slow_until: Mutex::new(Instant::now()) });
    let mut slowdowns = signal(SignalKind::user_defined2()).expect("a runtime with signals");
    let slowed = work.clone();
    tokio::spawn(async move {
        while slowdowns.recv().await.is_some() {
            slowed.slow_down();
        }
    });
    serve_toolkit(1, |service| {
        service.add_action(Charge(work.clone())).add_action(Buy(work.clone())).add_action(Read(work.clone()));
        service.add_action(Put(work.clone())).add_action(Slow(work.clone())).add_action(Long(work.clone()));
        service.add_action(Fails(work.clone()));
    })
    .await
}
