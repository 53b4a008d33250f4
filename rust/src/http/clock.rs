//! The clock of retries, which a test replaces.
use futures_util::future::BoxFuture;
use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

pub(crate) trait Clock: Send + Sync {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()>;
    /// A number from 0 to 1.
    fn random(&self) -> f64;
}

pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(time))
    }

    fn random(&self) -> f64 {
        getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
    }
}
