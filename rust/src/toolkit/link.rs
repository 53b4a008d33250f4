//! The attempts to open connections: after every loss, and a second connection beside the first when the service asks to move.
//!
//! Source: docs/protocol.md, section 6, "Close codes" and "Moving".
use super::{
    backoff::Backoff,
    event::{Event, EventSender},
    random::random_fraction,
    socket::{Target, open},
};
use crate::SvcError;
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// The limit for a time that the service asks for, which may be any number.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The purpose of an attempt that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Connect,
    Move,
    /// The attempt is not awaited any more.
    None,
}

#[derive(Debug)]
pub(crate) struct Link {
    target: Arc<Target>,
    events: EventSender,
    last_attempt: u64,
    connecting: Option<u64>,
    retry_at: Option<Instant>,
    backoff: Backoff,
    moving: Option<Moving>,
    moves: bool,
}

#[derive(Debug)]
struct Moving {
    backoff: Backoff,
    step: MoveStep,
}

#[derive(Debug)]
enum MoveStep {
    Wait(Instant),
    Open(u64),
}

impl Link {
    pub(crate) fn new(target: Target, events: EventSender) -> Self {
        Self {
            target: target.into(),
            events,
            last_attempt: 0,
            connecting: None,
            retry_at: None,
            backoff: Backoff::default(),
            moving: None,
            moves: true,
        }
    }

    pub(crate) fn url(&self) -> &str {
        &self.target.url
    }

    /// Opens a connection; `Event::Opened` follows.
    pub(crate) fn connect(&mut self) {
        self.retry_at = None;
        self.connecting = Some(self.open());
    }

    /// Plans the next try, and returns the time until then.
    pub(crate) fn retry_later(&mut self, reason: &SvcError, now: Instant) -> Duration {
        let retry_in = self.backoff.next(reason.retry_after());
        self.retry_at = Some(now + retry_in);
        retry_in
    }

    /// Handles a registered connection.
    pub(crate) fn settled(&mut self) {
        self.backoff.reset();
    }

    /// Handles the service's request to move within that time.
    pub(crate) fn plan_move(&mut self, within_ms: f64, now: Instant) {
        if self.moves && self.moving.is_none() && within_ms.is_finite() && within_ms >= 0.0 {
            let within = Duration::from_secs_f64((within_ms / 1_000.0).min(LONGEST_TIME.as_secs_f64()));
            self.moving = Some(Moving { backoff: Backoff::default(), step: MoveStep::Wait(now + within.mul_f64(random_fraction())) });
        }
    }

    /// The connection was lost, which ends a move too.
    pub(crate) fn cancel_move(&mut self) {
        self.moving = None;
    }

    /// Stays on this node, also when the service asks to move: another node would send new work.
    pub(crate) fn stop_moving(&mut self) {
        self.moves = false;
        self.moving = None;
    }

    /// Handles a second connection that could not be opened: the first connection continues, and a retry follows, also after a refused key,
    /// because the first connection receives that error itself.
    pub(crate) fn move_failed(&mut self, reason: &SvcError, now: Instant) {
        if let Some(moving) = &mut self.moving {
            moving.step = MoveStep::Wait(now + moving.backoff.next(reason.retry_after()));
        }
    }

    /// The purpose of a try, which has ended.
    pub(crate) fn ended(&mut self, attempt: u64) -> Purpose {
        if self.connecting == Some(attempt) {
            self.connecting = None;
            return Purpose::Connect;
        }
        match self.moving {
            Some(Moving { step: MoveStep::Open(current), .. }) if current == attempt => Purpose::Move,
            _ => Purpose::None,
        }
    }

    pub(crate) fn next_time(&self) -> Option<Instant> {
        let move_at = self.moving.as_ref().and_then(|moving| match moving.step {
            MoveStep::Wait(at) => Some(at),
            MoveStep::Open(_) => None,
        });
        self.retry_at.into_iter().chain(move_at).min()
    }

    /// Opens the second connection of a move if it is time. Returns whether to connect again.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        if let Some(Moving { step: MoveStep::Wait(at), .. }) = self.moving
            && at <= now
        {
            let attempt = self.open();
            if let Some(moving) = &mut self.moving {
                moving.step = MoveStep::Open(attempt);
            }
        }
        self.retry_at.is_some_and(|at| at <= now)
    }

    fn open(&mut self) -> u64 {
        self.last_attempt += 1;
        let (attempt, target, events) = (self.last_attempt, self.target.clone(), self.events.clone());
        tokio::spawn(async move {
            let result = open(target, attempt, events.clone()).await;
            events.send(Event::Opened { attempt, result });
        });
        attempt
    }
}
