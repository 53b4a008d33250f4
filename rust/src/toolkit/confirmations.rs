//! The heartbeats of a registered connection, one at a time. Each answer confirms the results that were sent before it.
use super::{
    invocations::Invocations,
    wire::{Request, Wire},
};
use std::time::Duration;
use tokio::time::Instant;

/// The time from a result to the heartbeat that confirms it: an idle toolkit has no result to confirm.
const CONFIRM_TIME: Duration = Duration::from_millis(500);
/// A busy process runs its timers before it reads its sockets, so an answer that has already arrived must count.
const READ_TIME: Duration = Duration::from_millis(100);

/// Heartbeats, early ones while results are not confirmed.
#[derive(Debug, Default)]
pub(crate) struct Confirmations(Option<Heartbeat>);

#[derive(Debug)]
struct Heartbeat {
    every: Duration,
    /// The next heartbeat, or the end of the wait for an answer.
    at: Instant,
    in_flight: bool,
    wanted_again: bool,
    is_soon: bool,
}

impl Confirmations {
    pub(crate) fn start(&mut self, every: Duration, now: Instant) {
        self.0 = Some(Heartbeat { every, at: now + every, in_flight: false, wanted_again: false, is_soon: false });
    }

    pub(crate) fn stop(&mut self) {
        self.0 = None;
    }

    pub(crate) fn next_time(&self) -> Option<Instant> {
        self.0.as_ref().map(|heartbeat| heartbeat.at)
    }

    /// Sends a heartbeat if it is time. Returns the time without an answer if the connection is lost.
    pub(crate) fn tick(&mut self, invocations: &mut Invocations, wire: &mut Wire, now: Instant) -> Option<Duration> {
        let heartbeat = self.0.as_ref().filter(|heartbeat| heartbeat.at <= now)?;
        if heartbeat.in_flight {
            return Some(heartbeat.every);
        }
        self.confirm(invocations, wire, now);
        None
    }

    /// Sends an early heartbeat: now, or as soon as the open one is answered.
    pub(crate) fn confirm(&mut self, invocations: &mut Invocations, wire: &mut Wire, now: Instant) {
        let Some(heartbeat) = &mut self.0 else { return };
        if heartbeat.in_flight {
            heartbeat.wanted_again = true;
            return;
        }
        (heartbeat.in_flight, heartbeat.is_soon, heartbeat.wanted_again) = (true, false, false);
        heartbeat.at = now + heartbeat.every + READ_TIME;
        wire.request("heartbeat", "{}", Request::Heartbeat { sent: invocations.take_sent() });
    }

    pub(crate) fn answered(&mut self, invocations: &mut Invocations, wire: &mut Wire, now: Instant) {
        let Some(heartbeat) = &mut self.0 else { return };
        heartbeat.in_flight = false;
        heartbeat.at = now + heartbeat.every;
        if heartbeat.wanted_again {
            self.confirm(invocations, wire, now);
        }
    }

    /// Plans an early heartbeat for sent results.
    pub(crate) fn invocations_changed(&mut self, invocations: &mut Invocations, wire: &mut Wire, now: Instant) {
        if invocations.has_much_unconfirmed() {
            self.confirm(invocations, wire, now);
        } else if let Some(heartbeat) = &mut self.0
            && invocations.has_unconfirmed()
            && !heartbeat.in_flight
            && !heartbeat.is_soon
        {
            heartbeat.is_soon = true;
            heartbeat.at = now + CONFIRM_TIME.min(heartbeat.every);
        }
    }
}
