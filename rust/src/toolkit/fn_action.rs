//! An action that is a function.
use super::{
    action::{ActionDefinition, Annotations},
    action_error::ActionError,
    auth::ActionAuth,
    context::ActionContext,
    erased_action::{BoxFuture, ErasedAction, Output},
    fn_definition::FnDefinition,
    handler_output::IntoActionResult,
    payload::read_payload,
};
use crate::Payment;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{future::ready, marker::PhantomData};

pub(super) struct FnAction<P, F> {
    definition: FnDefinition,
    payload: Value,
    handler: F,
    types: PhantomData<fn(P)>,
}

impl<P, F> FnAction<P, F> {
    pub(super) fn new(definition: FnDefinition, payload: Value, handler: F) -> Self {
        Self { definition, payload, handler, types: PhantomData }
    }
}

impl<P, F, Run, T> ErasedAction for FnAction<P, F>
where
    P: DeserializeOwned + Send + 'static,
    F: Fn(ActionContext, P) -> Run + Send + Sync + 'static,
    Run: Future<Output = Result<T, ActionError>> + Send + 'static,
    T: IntoActionResult,
{
    fn definition(&self) -> BoxFuture<'_, ActionDefinition> {
        let FnDefinition { description, payment, .. } = self.definition.clone();
        Box::pin(ready(ActionDefinition { description, payload: self.payload.clone(), payment }))
    }

    fn result(&self) -> Value {
        self.definition.result.clone()
    }

    fn annotations(&self) -> Annotations {
        self.definition.annotations
    }

    fn auth(&self) -> ActionAuth {
        self.definition.auth.clone()
    }

    fn long(&self) -> bool {
        self.definition.long
    }

    fn call<'a>(&'a self, ctx: ActionContext, payload: &'a str, _hold: Option<Payment>) -> BoxFuture<'a, Result<Output, ActionError>> {
        Box::pin(async move { Output::new((self.handler)(ctx, read_payload(payload)?).await?.into_action_result()) })
    }
}
