//! One run of an action in this process: its stage, and the delivery of its outcome.
use super::{
    cancellation::{CancelReason, Cancellation},
    connection_values::ConnectionValues,
    context::CallParams,
    erased_action::ErasedAction,
    frames::Members,
    outcome::Outcome,
};
use crate::Payment;
use std::{sync::Arc, time::Duration};
use tokio::{task::AbortHandle, time::Instant};

/// The maximum timer, long enough for any call.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The delivery of an invocation's outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As the answer, on the connection of the invocation.
    Answer,
    /// As a request, on a later connection.
    Result,
    /// Unclear until the service lists the results that it awaits.
    Unclear,
    /// The result is not awaited any more.
    Nothing,
}

pub(crate) enum Stage {
    /// The invocation is queued.
    Waiting(Box<Start>),
    Running(AbortHandle),
    Ended(Outcome),
}

/// The input of a handler.
pub(crate) struct Start {
    pub(crate) action: Arc<dyn ErasedAction>,
    pub(crate) call: Call,
}

pub(crate) struct Invocation {
    pub(crate) delivery: Delivery,
    pub(crate) stage: Stage,
    pub(crate) cancellation: Cancellation,
    pub(crate) deadline: Instant,
}

impl Invocation {
    pub(crate) fn new(action: Arc<dyn ErasedAction>, call: Call, now: Instant) -> Self {
        let deadline = now + call.timeout;
        Self {
            delivery: Delivery::Answer,
            stage: Stage::Waiting(Start { action, call }.into()),
            cancellation: Cancellation::default(),
            deadline,
        }
    }

    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        match &self.stage {
            Stage::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.outcome().map_or(0, |outcome| outcome.len())
    }

    pub(crate) fn cancel(&self, reason: CancelReason) {
        if self.outcome().is_none() {
            self.cancellation.cancel(reason);
        }
    }
}

/// The call as the service sent it.
pub(crate) struct Call {
    pub(crate) params: CallParams,
    /// JSON.
    pub(crate) payload: String,
    pub(crate) hold: Option<Payment>,
    timeout: Duration,
}

impl Call {
    /// `None` for params that are not those of an `invoke`. An older service sends neither `idempotencyKey` nor `attempt`.
    pub(crate) fn read(invocation_id: &str, params: &Members<'_>) -> Option<Self> {
        let timeout_ms = params.number("timeoutMs")?;
        let traceparent = params.text("traceparent");
        let payload = params.get("payload").map_or("null", |payload| payload.get());
        Some(Self {
            payload: if payload == "null" { "{}".into() } else { payload.into() },
            hold: params.object("payment").and_then(|hold| {
                let currency = hold.text("currency")?;
                Some(Payment { amount: hold.text("amount")?, currency: Some(currency) })
            }),
            timeout: Duration::try_from_secs_f64(timeout_ms.max(0.0) / 1_000.0).unwrap_or(LONGEST_TIMEOUT).min(LONGEST_TIMEOUT),
            params: CallParams {
                action: params.text("action")?,
                agent_id: params.text("agentId")?,
                user_id: params.text("userId"),
                idempotency_key: params.text("idempotencyKey").filter(|key| !key.is_empty()).unwrap_or_else(|| invocation_id.into()),
                attempt: params.number("attempt").map_or(1, |attempt| attempt as u32),
                tracestate: params.text("tracestate").filter(|_| traceparent.is_some()),
                traceparent,
                connection: params.get("connection").and_then(ConnectionValues::read),
            },
        })
    }
}
