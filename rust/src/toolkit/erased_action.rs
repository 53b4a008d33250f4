//! An action without its types: it reads and returns JSON text, so that a toolkit can store all actions in one map.
use super::{
    action::{Action, ActionDefinition, ActionParams, ActionResult, is_action_name},
    action_error::ActionError,
    auth::ActionAuth,
    context::ActionContext,
    frames::to_json,
    payload::read_payload,
};
use crate::{Annotations, ErrorCode, Payment, SvcError, payment::amount_problem};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use std::{pin::Pin, sync::Arc};

pub(super) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub(crate) trait ErasedAction: Send + Sync {
    fn definition(&self) -> BoxFuture<'_, ActionDefinition>;

    fn result(&self) -> Value;

    fn annotations(&self) -> Annotations;

    fn auth(&self) -> ActionAuth;

    fn long(&self) -> bool;

    fn call<'a>(&'a self, ctx: ActionContext, payload: &'a str, hold: Option<Payment>) -> BoxFuture<'a, Result<Output, ActionError>>;
}

/// The result of a handler.
pub(crate) struct Output {
    pub(crate) json: String,
    pub(crate) charge: Option<Payment>,
}

impl Output {
    pub(super) fn new<T: Serialize>(result: ActionResult<T>) -> Result<Self, ActionError> {
        let json = serde_json::to_string(&result.payload)
            .map_err(|error| ActionError::new("INVALID_RESULT", format!("The result cannot be written as JSON: {error}")))?;
        Ok(Self { json, charge: result.payment })
    }
}

impl<A: Action> ErasedAction for A {
    fn definition(&self) -> BoxFuture<'_, ActionDefinition> {
        Box::pin(Action::definition(self))
    }

    fn result(&self) -> Value {
        Action::result(self)
    }

    fn annotations(&self) -> Annotations {
        Action::annotations(self)
    }

    fn auth(&self) -> ActionAuth {
        Action::auth(self)
    }

    fn long(&self) -> bool {
        Action::long(self)
    }

    fn call<'a>(&'a self, ctx: ActionContext, payload: &'a str, hold: Option<Payment>) -> BoxFuture<'a, Result<Output, ActionError>> {
        Box::pin(async move {
            let params = ActionParams { payload: read_payload(payload)?, payment: hold };
            Output::new(Action::call(self, ctx, params).await.map_err(Into::into)?)
        })
    }
}

/// An action's registration and its handler.
#[derive(Clone)]
pub(crate) struct DefinedAction {
    pub(crate) name: &'static str,
    pub(crate) registration: Arc<RawValue>,
    pub(crate) action: Arc<dyn ErasedAction>,
}

impl std::fmt::Debug for DefinedAction {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("DefinedAction").field(&self.name).finish()
    }
}

/// An action of `register`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ActionRegistration {
    action: &'static str,
    action_description: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    payload_description: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    result_description: Value,
    #[serde(skip_serializing_if = "is_default")]
    annotations: Annotations,
    #[serde(skip_serializing_if = "is_default")]
    auth: ActionAuth,
    #[serde(skip_serializing_if = "is_default")]
    long: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Payment>,
}

impl DefinedAction {
    /// Asks the action for its definition. An invalid definition is `INVALID_ACTION`, whose message names the correction.
    pub(crate) async fn new(name: &'static str, action: Arc<dyn ErasedAction>) -> Result<Self, SvcError> {
        if !is_action_name(name) {
            return Err(invalid(format!("{name:?} is not a name of an action, which is 1 to 62 of A-Z a-z 0-9 _ -")));
        }
        let ActionDefinition { description, payload, payment } = action.definition().await;
        if description.trim().is_empty() {
            return Err(invalid(format!("Action {name:?} needs a description: models choose an action by it")));
        }
        if let Some(price) = &payment
            && let Some(problem) = amount_problem(&format!("payment.amount of action {name:?}"), &price.amount)
        {
            return Err(invalid(problem));
        }
        let registration = ActionRegistration {
            action: name,
            action_description: description,
            payload_description: payload,
            result_description: action.result(),
            annotations: action.annotations(),
            auth: action.auth(),
            long: action.long(),
            payment,
        };
        let registration = RawValue::from_string(to_json(&registration)).map_err(|error| invalid(error.to_string()))?;
        Ok(Self { name, registration: registration.into(), action })
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn invalid(message: String) -> SvcError {
    SvcError::new(ErrorCode::InvalidAction, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolkit::ActionResult;
    use serde_json::{from_str, json};

    struct Tags(Value);

    impl Action for Tags {
        const NAME: &'static str = "tags";
        type Error = ActionError;
        type Args = ();
        type Output = Vec<String>;

        async fn definition(&self) -> ActionDefinition {
            ActionDefinition { description: "Lists tags".into(), ..Default::default() }
        }

        fn result(&self) -> Value {
            self.0.clone()
        }

        async fn call(&self, _ctx: ActionContext, _params: ActionParams<()>) -> Result<ActionResult<Vec<String>>, ActionError> {
            Ok(vec![].into())
        }
    }

    async fn registration(result: Value) -> Value {
        let defined = DefinedAction::new("tags", Arc::new(Tags(result))).await.unwrap();
        from_str(defined.registration.get()).unwrap()
    }

    #[tokio::test]
    async fn a_registration_has_the_shape_of_the_result_if_it_is_known() {
        let cases: Vec<Value> = from_str(include_str!("../../../test/vectors/result-descriptions.json")).unwrap();
        for case in cases {
            assert_eq!(registration(case["written"].clone()).await["resultDescription"], case["written"]);
        }
        assert_eq!(registration(Value::Null).await, json!({ "action": "tags", "actionDescription": "Lists tags" }));
    }
}
