//! The stop of a toolkit: drains the service's invocations, waits for the handlers, has their results confirmed, and ends.
use std::time::Duration;
use tokio::time::Instant;

/// The time between the end of the last handler and the arrival of its result. The service keeps the place of a lost instance for 5 s.
const DELIVERY_TIME: Duration = Duration::from_secs(10);
/// The time of handlers to end after their cancellation.
const GIVE_UP_TIME: Duration = Duration::from_secs(1);

/// Starts the shutdown once; call `advance` after every change.
#[derive(Debug, Default)]
pub(crate) struct Shutdown {
    pub(crate) begun: bool,
    pub(crate) drained: bool,
    deliver_by: Option<Instant>,
    handlers: Option<(Instant, Step)>,
}

/// The next step of the shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Wait,
    /// Request the confirmation of results.
    Confirm,
    CancelHandlers,
    GiveUpHandlers,
    End,
}

impl Shutdown {
    /// Returns true if the shutdown starts now; may be called again with another timeout.
    pub(crate) fn begin(&mut self, timeout: Option<Duration>, now: Instant) -> bool {
        if let Some(at) = timeout.and_then(|timeout| now.checked_add(timeout)) {
            self.handlers = Some((at, Step::CancelHandlers));
        }
        !std::mem::replace(&mut self.begun, true)
    }

    /// Handles a lost connection, which also ends the drain.
    pub(crate) fn suspend(&mut self) {
        self.drained = false;
    }

    /// Ends as soon as every handler has ended, every result is confirmed, and the drain is confirmed.
    pub(crate) fn advance(&mut self, is_busy: bool, is_owing: bool, is_registered: bool, now: Instant) -> Step {
        if is_busy {
            self.deliver_by = None;
            return Step::Wait;
        }
        // A connected service that has not confirmed the drain may send more.
        if !is_owing && (self.drained || !is_registered) {
            return Step::End;
        }
        self.deliver_by.get_or_insert(now + DELIVERY_TIME);
        if is_owing { Step::Confirm } else { Step::Wait }
    }

    pub(crate) fn next_time(&self) -> Option<Instant> {
        self.deliver_by.into_iter().chain(self.handlers.map(|(at, _)| at)).min()
    }

    pub(crate) fn tick(&mut self, now: Instant) -> Step {
        if self.deliver_by.is_some_and(|at| at <= now) {
            return Step::End;
        }
        let Some((_, step)) = self.handlers.filter(|(at, _)| *at <= now) else { return Step::Wait };
        self.handlers = (step == Step::CancelHandlers).then(|| (now + GIVE_UP_TIME, Step::GiveUpHandlers));
        step
    }
}
