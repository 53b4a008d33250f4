//! Serves toolkits as a process of a bench.
use svc_sdk::{SvcError, toolkit::ToolkitService};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};

/// More than the concurrent calls of any bench, so that the service never queues.
const CONCURRENCY: usize = 1_000;

/// Serves the actions that `define` adds until SIGTERM, over that many connections; prints `ready` when all are registered. Reads the
/// service and the key from the environment, as `serveToolkit` of bench/svc/sdk.ts does.
pub async fn serve_toolkit(connections: usize, define: impl Fn(&mut ToolkitService)) -> Result<(), SvcError> {
    let mut terminate = signal(SignalKind::terminate()).expect("a runtime with signals");
    let mut running = JoinSet::new();
    let mut stops = Vec::new();
    for _ in 0..connections {
        let mut service = ToolkitService::from_env().concurrency(CONCURRENCY);
        define(&mut service);
        let runner = tokio::select! {
            runner = service.start() => runner?,
            _ = terminate.recv() => return Ok(()),
        };
        stops.push(runner.stop_handle());
        running.spawn(runner);
    }
    println!("ready");
    tokio::spawn(async move {
        terminate.recv().await;
        stops.iter().for_each(|stop| stop.stop());
    });
    while let Some(ended) = running.join_next().await {
        ended.expect("a runner never panics")?;
    }
    Ok(())
}
