//! Runs a handler to its outcome.
use super::{
    action_error::ActionError,
    context::ActionContext,
    erased_action::{ErasedAction, Output},
    frames::{FAILED, OUTCOME_UNKNOWN, to_json},
};
use crate::{ContentBlock, Payment, payment};
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::{Value, json};
use std::{any::Any, panic::AssertUnwindSafe, sync::Arc};

/// The default of the service's limit `frameBytes`, without the rest of the frame: id, method, member names.
const MAX_RESULT_BYTES: usize = 8 * 1024 * 1024 - 1024;
/// The number of characters kept of the message of an oversized error.
const MAX_KEPT_CHARS: usize = 2_000;

/// Members of the answer's JSON text: `"result":…` with its attachments and charge, or `"error":…`.
pub(crate) type Outcome = Arc<str>;

/// Runs a handler. A panic is an outcome too.
pub(crate) async fn run_action(action: &dyn ErasedAction, ctx: ActionContext, payload: &str, hold: Option<Payment>) -> Outcome {
    let attached = ctx.attached();
    let run = AssertUnwindSafe(async { action.call(ctx, payload, hold.clone()).await });
    let ended = run.catch_unwind().await.unwrap_or_else(|panic| Err(ActionError::new("HANDLER_PANICKED", panic_message(&*panic))));
    let outcome = ended.and_then(|output| {
        let content = attached.take().map_err(|problem| ActionError::new("INVALID_RESULT", problem))?;
        if let Some(problem) = output.charge.as_ref().and_then(|charge| charge_problem(charge, hold.as_ref())) {
            return Err(ActionError::new("INVALID_REQUEST", problem));
        }
        Ok(result_outcome(output, &content))
    });
    outcome.unwrap_or_else(|error| error_outcome(&error))
}

/// An error of the SDK itself, not of a handler. `code` is the code of JSON-RPC, `reason` is for programs.
pub(crate) fn plain_error_outcome(code: i32, reason: &str, message: &str) -> Outcome {
    error_member(code, message, ErrorData { code: reason, message, data: None, retryable: None, retry_after_ms: None })
}

/// The error of a run with an unknown outcome.
pub(crate) fn unknown_outcome(message: &str) -> Outcome {
    plain_error_outcome(OUTCOME_UNKNOWN, "OUTCOME_UNKNOWN", &format!("{message}. Check before you call it again"))
}

/// The error in place of a result that is too large for a frame.
pub(crate) fn too_large_outcome(bytes: usize) -> Outcome {
    let message = format!(
        "The result has {bytes} bytes as JSON, more than one frame may have: return a part, a page, a smaller image, \
         or attach Attachment::link(…) to where all of it is"
    );
    plain_error_outcome(FAILED, "RESULT_TOO_LARGE", &message)
}

fn result_outcome(output: Output, content: &[ContentBlock]) -> Outcome {
    let mut text = format!(r#""result":{}"#, output.json);
    if !content.is_empty() {
        text.push_str(&format!(r#","content":{}"#, to_json(&content)));
    }
    if let Some(charge) = output.charge {
        text.push_str(&format!(r#","payment":{}"#, json!({ "amount": charge.amount })));
    }
    if text.len() > MAX_RESULT_BYTES { too_large_outcome(text.len()) } else { text.into() }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorData<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retryable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u128>,
}

fn error_outcome(error: &ActionError) -> Outcome {
    let ActionError { code, message, data, retryable, retry_after } = error;
    let retry_after_ms = retry_after.map(|time| time.as_millis());
    let outcome = error_member(FAILED, message, ErrorData { code, message, data: data.as_deref(), retryable: *retryable, retry_after_ms });
    if outcome.len() <= MAX_RESULT_BYTES {
        return outcome;
    }
    // The oversized part is the handler's `data` or a very long message.
    let kept: String = message.chars().take(MAX_KEPT_CHARS).collect();
    plain_error_outcome(FAILED, "INVALID_RESULT", &kept)
}

fn error_member(code: i32, message: &str, data: ErrorData<'_>) -> Outcome {
    format!(r#""error":{{"code":{code},"message":{},"data":{}}}"#, to_json(&message), to_json(&data)).into()
}

/// A sentence that names the correction; `None` for a valid charge.
fn charge_problem(charge: &Payment, hold: Option<&Payment>) -> Option<String> {
    let Some(hold) = hold else {
        return Some("The call is free: give the action a payment to charge for its calls".into());
    };
    if let Some(currency) = &charge.currency
        && Some(currency) != hold.currency.as_ref()
    {
        let held = hold.currency.as_deref().unwrap_or_default();
        return Some(format!("The charge is in {currency}, but the call holds {held}: leave out the currency"));
    }
    payment::amount_problem("The charge", &charge.amount).or_else(|| {
        (payment::to_millionths(&charge.amount) > payment::to_millionths(&hold.amount)).then(|| {
            format!(
                "The charge {} is more than params.payment.amount, {}: charge less, or raise the payment of the action",
                charge.amount, hold.amount
            )
        })
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.map_or_else(|| "The handler panicked".into(), |text| format!("The handler panicked: {text}"))
}
