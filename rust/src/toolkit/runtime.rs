//! The runtime of all connections of the process: a separate thread, so that a handler that blocks its own thread delays no heartbeat,
//! deadline or cancellation.
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
    // Two threads may start at the same time: one runtime is used, the other stays idle.
    Ok(HANDLE.get_or_init(|| handle))
}
