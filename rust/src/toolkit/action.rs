//! The trait for a developer's action.
use super::{action_error::ActionError, auth::ActionAuth, context::ActionContext};
use crate::Payment;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// One thing that a toolkit can do. Write `definition` and `call` as `async fn`; no macro is needed.
///
/// A `call` runs as a task of the runtime in which [`ToolkitService::start`](super::ToolkitService::start) was called, concurrently with
/// other calls. A panic in it fails that call alone. Blocking work belongs into `tokio::task::spawn_blocking`.
pub trait Action: Send + Sync + 'static {
    /// The name: 1 to 62 of `A-Z a-z 0-9 _ -`, unique within the toolkit. Agents see `<toolkit id>__<name>`.
    const NAME: &'static str;
    /// Any `std::error::Error`, or [`ActionError`] for your own code and data.
    type Error: Into<ActionError> + Send;
    /// The payload. A payload of another type fails the call with `INVALID_PAYLOAD`.
    type Args: DeserializeOwned + Send;
    /// The result: any JSON.
    type Output: Serialize + Send;

    /// The texts and the schema that agents see. Called once.
    fn definition(&self) -> impl Future<Output = ActionDefinition> + Send;

    /// The shape of the result: a JSON Schema of any root, the short form, or a text. `Value::Null`: unknown. With the feature `schemars`:
    /// `schema_for_result::<Self::Output>()`. The service drops a shape that it cannot read, with a warning.
    fn result(&self) -> Value {
        Value::Null
    }

    /// Promises about the action. The service may run `idempotent` and `read_only` calls again after a process is lost.
    fn annotations(&self) -> Annotations {
        Annotations::default()
    }

    /// The connection that the action needs, where it differs from its toolkit's.
    fn auth(&self) -> ActionAuth {
        ActionAuth::Toolkit
    }

    /// True for an action whose calls may take up to a day. A caller gets a handle when it does not wait for the result.
    fn long(&self) -> bool {
        false
    }

    /// Runs the action.
    fn call(
        &self,
        ctx: ActionContext,
        params: ActionParams<Self::Args>,
    ) -> impl Future<Output = Result<ActionResult<Self::Output>, Self::Error>> + Send;
}

/// The texts and the schema of an action.
#[derive(Debug, Clone, Default)]
pub struct ActionDefinition {
    /// The effect of the action and when to use it: models choose by this text.
    pub description: String,
    /// A JSON Schema, the short form `{"city": {"type": "string", "required": true}}`, or a text. `Value::Null`: any object is valid.
    pub payload: Value,
    /// The most that one call costs. `None`: free.
    pub payment: Option<Payment>,
}

/// Promises about an action, as in MCP. `None`: no promise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// The action changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// The action may destroy or overwrite data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// A second call with the same payload has no further effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// The action uses systems outside of the toolkit's own data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// The parameters of a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct ActionParams<T> {
    /// The payload, checked by the service. An absent payload is `{}`.
    pub payload: T,
    /// The hold: the most that the call may cost. `None` for a free call.
    pub payment: Option<Payment>,
}

impl<T> ActionParams<T> {
    /// The parameters of a call, for tests of your action.
    pub fn new(payload: T, payment: Option<Payment>) -> Self {
        Self { payload, payment }
    }
}

/// The result of a call: `Ok(value.into())`, or with a charge.
#[derive(Debug, Clone)]
pub struct ActionResult<T> {
    /// The result.
    pub payload: T,
    /// The cost of the call, at most its hold. `None`: the whole hold. A failed call costs nothing.
    pub payment: Option<Payment>,
}

impl<T> From<T> for ActionResult<T> {
    fn from(payload: T) -> Self {
        Self { payload, payment: None }
    }
}

/// The longest name that fits into an action id of 64 characters with the `__` of `<toolkit id>__<name>`.
const MAX_NAME_CHARS: usize = 62;

/// True if the text can be the name of an action.
pub(crate) const fn is_action_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if !(bytes[index].is_ascii_alphanumeric() || bytes[index] == b'_' || bytes[index] == b'-') {
            return false;
        }
        index += 1;
    }
    !bytes.is_empty() && bytes.len() <= MAX_NAME_CHARS
}
