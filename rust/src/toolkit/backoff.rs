//! Waits before the next try: "full jitter", a random time between 0 and a limit that grows with the total wait, so that thousands of
//! toolkits do not reconnect at the same moment.
//!
//! Source: docs/protocol.md, section 6, "Close codes".
use super::random::random_fraction;
use std::time::Duration;

const FIRST_LIMIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The waits since the last connection.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    waited: Duration,
}

impl Backoff {
    /// The next wait: at least `wish`, which is cut to the longest wait.
    pub(crate) fn next(&mut self, wish: Option<Duration>) -> Duration {
        self.next_of(wish, random_fraction())
    }

    pub(crate) fn reset(&mut self) {
        self.waited = Duration::ZERO;
    }

    fn next_of(&mut self, wish: Option<Duration>, fraction: f64) -> Duration {
        let limit = LONGEST_WAIT.min(FIRST_LIMIT.saturating_add(self.waited));
        let wait = limit.mul_f64(fraction).max(wish.unwrap_or_default().min(LONGEST_WAIT));
        self.waited = self.waited.saturating_add(wait);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_grows_with_the_time_waited() {
        let mut backoff = Backoff::default();
        let waits: Vec<u128> = (0..9).map(|_| backoff.next_of(None, 1.0).as_millis()).collect();
        assert_eq!(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
        backoff.reset();
        assert_eq!(backoff.next_of(None, 0.5), Duration::from_millis(125));
    }

    #[test]
    fn the_wait_of_the_service_counts_up_to_the_longest_wait() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.next_of(Some(Duration::from_secs(2)), 0.0), Duration::from_secs(2));
        assert_eq!(backoff.next_of(Some(Duration::from_secs(2_000)), 0.0), LONGEST_WAIT);
        assert_eq!(backoff.next_of(Some(Duration::from_millis(1)), 1.0), LONGEST_WAIT);
    }

    #[test]
    fn waits_are_random() {
        let waits: std::collections::HashSet<Duration> = (0..50).map(|_| Backoff::default().next(None)).collect();
        assert!(waits.len() > 40 && waits.iter().all(|wait| *wait < FIRST_LIMIT));
    }
}
