//! The definition of an action that is a function.
use super::{action::Annotations, auth::ActionAuth};
use crate::Payment;
use serde_json::Value;

/// The definition of an action that is a function: its description, which alone can be a text, and what else agents see.
///
/// ```
/// use svc_sdk::toolkit::{Annotations, FnDefinition};
///
/// let definition = FnDefinition::new("Deletes a city and its forecasts").annotations(Annotations { destructive: Some(true), ..Default::default() });
/// ```
#[derive(Debug, Clone, Default)]
pub struct FnDefinition {
    pub(super) description: String,
    pub(super) result: Value,
    pub(super) annotations: Annotations,
    pub(super) auth: ActionAuth,
    pub(super) long: bool,
    pub(super) payment: Option<Payment>,
}

impl FnDefinition {
    /// The effect of the action and when to use it: models choose by this text.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), ..Self::default() }
    }

    /// The shape of the result, as that of [`Action::result`](super::Action::result): a JSON Schema, the short form, or a text.
    #[must_use]
    pub fn result(mut self, description: impl Into<Value>) -> Self {
        self.result = description.into();
        self
    }

    /// Promises about the action.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// The connection that the action needs, where it differs from its toolkit's.
    #[must_use]
    pub fn auth(mut self, auth: ActionAuth) -> Self {
        self.auth = auth;
        self
    }

    /// Lets calls take up to a day. A caller gets a handle when it does not wait for the result.
    #[must_use]
    pub fn long(mut self) -> Self {
        self.long = true;
        self
    }

    /// The most that one call costs. Default: free.
    #[must_use]
    pub fn payment(mut self, most: Payment) -> Self {
        self.payment = Some(most);
        self
    }
}

impl From<&str> for FnDefinition {
    fn from(description: &str) -> Self {
        Self::new(description)
    }
}

impl From<String> for FnDefinition {
    fn from(description: String) -> Self {
        Self::new(description)
    }
}
