//! Runs the calls of the jobs on stdin; prints the figures of each job as a line of JSON. bench/languages/caller-job.ts has the shapes.
mod processor_time;

use processor_time::processor_ms;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    error::Error,
    io,
    time::{Duration, Instant},
};
use svc_sdk::tools::Tools;
use tokio::task::JoinSet;

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    kind: String,
    base_url: String,
    api_key: String,
    action: String,
    payload: Value,
    concurrency: usize,
    warm_up_ms: f64,
    measure_ms: f64,
}

#[derive(Clone)]
enum Caller {
    /// The same POST request as `Tools::invoke` sends.
    Bare(reqwest::Client),
    Invoke(Tools),
    Call(Tools),
}

impl Caller {
    fn new(job: &Job) -> Result<Self, Box<dyn Error>> {
        let tools = Tools::builder().api_key(&job.api_key).base_url(&job.base_url).build()?;
        Ok(match job.kind.as_str() {
            "bare" => Self::Bare(reqwest::Client::new()),
            "invoke" => Self::Invoke(tools),
            _ => Self::Call(tools),
        })
    }

    async fn call(&self, job: &Job) -> Result<Value, Box<dyn Error>> {
        let Job { action, payload, .. } = job;
        match self {
            Self::Bare(client) => {
                let request = client.post(format!("{}/v1/invoke", job.base_url)).bearer_auth(&job.api_key);
                let request = request.header("accept", "application/json").header("svc-timeout-ms", "60000");
                let request = request.header("idempotency-key", fresh_key()).json(&json!({ "action": action, "payload": payload }));
                let mut answer: Value = request.send().await?.error_for_status()?.json().await?;
                Ok(answer["result"].take())
            }
            Self::Invoke(tools) => Ok(tools.invoke(action, payload).await?.result),
            Self::Call(tools) => {
                let arguments = json!({ "action": action, "payload": payload }).to_string();
                Ok(serde_json::from_str(&tools.call("invoke_service", &arguments).await)?)
            }
        }
    }
}

fn fresh_key() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).unwrap();
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// The number of calls.
async fn call_for(milliseconds: f64, caller: &Caller, job: &Job) -> usize {
    let until = Instant::now() + Duration::from_secs_f64(milliseconds / 1_000.0);
    let mut callers = JoinSet::new();
    for _ in 0..job.concurrency {
        let (caller, job) = (caller.clone(), job.clone());
        callers.spawn(async move {
            let mut calls = 0;
            while Instant::now() < until {
                caller.call(&job).await.unwrap();
                calls += 1;
            }
            calls
        });
    }
    callers.join_all().await.iter().sum()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    for line in io::stdin().lines() {
        let job: Job = serde_json::from_str(&line?)?;
        let caller = Caller::new(&job)?;
        let answer = caller.call(&job).await?;
        assert!(answer == job.payload, "{answer} is not the echo");
        call_for(job.warm_up_ms, &caller, &job).await;
        let (started_at, before) = (Instant::now(), processor_ms());
        let calls = call_for(job.measure_ms, &caller, &job).await as f64;
        let per_second = calls / started_at.elapsed().as_secs_f64();
        println!("{}", json!({ "calls": calls, "perSecond": per_second, "cpuMsPerCall": (processor_ms() - before) / calls }));
    }
    Ok(())
}
