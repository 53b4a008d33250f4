//! The echo of `npm run bench:languages`: `echo_toolkit [connections]`.
mod processor_time;
mod serve_toolkit;

use processor_time::processor_ms;
use serde_json::Value;
use serve_toolkit::serve_toolkit;
use std::{convert::Infallible, env};
use svc_sdk::{SvcError, toolkit::*};

struct Echo;

impl Action for Echo {
    const NAME: &'static str = "echo";
    type Error = Infallible;
    type Args = Value;
    type Output = Value;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "Echoes".into(), ..ActionDefinition::default() }
    }

    async fn call(&self, _ctx: ActionContext, params: ActionParams<Value>) -> Result<ActionResult<Value>, Infallible> {
        Ok(params.payload.into())
    }
}

struct Cpu;

impl Action for Cpu {
    const NAME: &'static str = "cpu";
    type Error = Infallible;
    type Args = Value;
    type Output = f64;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "Milliseconds of processor time of this process".into(), ..ActionDefinition::default() }
    }

    async fn call(&self, _ctx: ActionContext, _params: ActionParams<Value>) -> Result<ActionResult<f64>, Infallible> {
        Ok(processor_ms().into())
    }
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let connections = env::args().nth(1).map_or(1, |count| count.parse().expect("a number of connections"));
    serve_toolkit(connections, |service| {
        service.add_action(Echo).add_action(Cpu);
    })
    .await
}
