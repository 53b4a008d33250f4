//! Waits for conditions, never for a guessed time.
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The longest wait for one condition.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The value of a future that must complete.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("waited {} s for {what}", PATIENCE.as_secs()))
}

/// Returns when the condition is true.
pub async fn until(what: &str, condition: impl Fn() -> bool) {
    soon(what, async {
        while !condition() {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}
