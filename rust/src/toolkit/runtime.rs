//! The runtime of all connections of the process: one thread of its own. A handler that blocks its thread stops no heartbeat, no deadline
//! and no cancel.
use std::{future::pending, io, sync::OnceLock, thread};
use tokio::runtime::{Builder, Handle};

static HANDLE: OnceLock<Handle> = OnceLock::new();

/// The runtime, started by the first toolkit.
pub(crate) fn connections() -> io::Result<&'static Handle> {
    if let Some(handle) = HANDLE.get() {
        return Ok(handle);
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    thread::Builder::new().name("svc-sdk".into()).spawn(move || runtime.block_on(pending::<()>()))?;
    // Two threads may start at the same time: one is used, the other one sleeps.
    Ok(HANDLE.get_or_init(|| handle))
}
