//! A call of an action.
use super::{
    call::Call,
    idempotency_key::own_or_fresh_key,
    invoke_response::InvokeResponse,
    options::{check_timeout, unless_cancelled},
    service_client::ServiceClient,
    unfinished::Invocation,
};
use crate::{Credential, ErrorCode, Progress, SvcError, http::TakesHandle};
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A call that is sent when it is awaited: [`Tools::invoke`](super::Tools::invoke). A dropped future cancels the handler.
#[must_use = "a call is sent when it is awaited"]
pub struct Invoke<'a> {
    client: &'a ServiceClient,
    body: Result<Value, SvcError>,
    idempotency_key: Option<String>,
    call: Call<'a>,
    cancel_token: Option<CancellationToken>,
}

impl<'a> Invoke<'a> {
    pub(super) fn new(client: &'a ServiceClient, action: &str, payload: impl Serialize) -> Self {
        let body = match serde_json::to_value(payload) {
            Ok(Value::Null) => Ok(json!({ "action": action })),
            Ok(payload) => Ok(json!({ "action": action, "payload": payload })),
            Err(error) => Err(SvcError::new(ErrorCode::InvalidRequest, format!("The payload cannot be written as JSON: {error}"))),
        };
        Self { client, body, idempotency_key: None, call: Call::default(), cancel_token: None }
    }

    /// The time that this call may take, retries included. Default: `timeout` of the client.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.call.timeout = Some(timeout);
        self
    }

    /// 1 to 255 visible ASCII characters: within 24 hours the same key and payload return the first result and run nothing.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency_key = Some(key.into());
        self
    }

    /// The most that this call may cost, such as `0.05`. The lower limit counts, of this and of the client's.
    pub fn max_payment(mut self, amount: impl Into<String>) -> Self {
        self.call.max_payment = Some(amount.into());
        self
    }

    /// The [`version`](super::ResolveResponse::version) of a resolved call: the call runs this version of the action, or is refused with
    /// `ACTION_CHANGED`. `"none"`, after resolve was refused: the call runs nothing, and returns the outcome that an earlier call with its key left, if
    /// there is one.
    pub fn action_version(mut self, version: impl Into<String>) -> Self {
        self.call.action_version = Some(version.into());
        self
    }

    /// A program of the model's provider made the call. The service refuses one that such a program may not make with `CALL_DIRECTLY`.
    pub fn made_by_program(mut self) -> Self {
        self.call.by_program = true;
        self
    }

    /// Your id of the end user, in place of that of the client.
    pub fn user_id(mut self, id: impl Into<String>) -> Self {
        self.call.user_id = Some(id.into());
        self
    }

    /// The credential with which this call acts at the API behind its toolkit.
    pub fn connection(mut self, credential: Credential) -> Self {
        self.call.connection = Some(credential);
        self
    }

    /// The name of the connection with which this call acts, if the user has several.
    pub fn connection_name(mut self, name: impl Into<String>) -> Self {
        self.call.connection_name = Some(name.into());
        self
    }

    /// Called with the progress of the handler.
    pub fn on_progress(mut self, listener: impl FnMut(Progress) + Send + 'a) -> Self {
        self.call.on_progress = Some(Box::new(listener));
        self
    }

    /// A token that cancels the call and its handler.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    /// Takes a handle for [`Tools::result`](super::Tools::result), and the call goes on without its caller. `timeout` is then the deadline of the
    /// call; default: the longest of the service.
    pub fn without_waiting(self) -> StartInvoke<'a> {
        StartInvoke(self)
    }

    async fn send(self) -> Result<InvokeResponse, SvcError> {
        let call = Call { idempotency_key: Some(own_or_fresh_key(self.idempotency_key.as_deref())?), ..self.call };
        let answer = unless_cancelled(self.cancel_token, call.send(self.client, self.body?)).await?;
        self.client.read(answer)
    }
}

/// A call that is sent when it is awaited, and goes on without its caller: [`Invoke::without_waiting`].
#[must_use = "a call is sent when it is awaited"]
pub struct StartInvoke<'a>(Invoke<'a>);

impl StartInvoke<'_> {
    async fn send(self) -> Result<Invocation, SvcError> {
        let Invoke { client, body, idempotency_key, call, cancel_token } = self.0;
        if let Some(deadline) = call.timeout {
            check_timeout(deadline)?;
        }
        let call = Call {
            idempotency_key: Some(own_or_fresh_key(idempotency_key.as_deref())?),
            takes_handle: TakesHandle::Now(call.timeout),
            timeout: None,
            ..call
        };
        client.read(unless_cancelled(cancel_token, call.send(client, body?)).await?)
    }
}

impl<'a> IntoFuture for StartInvoke<'a> {
    type Output = Result<Invocation, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<'a> IntoFuture for Invoke<'a> {
    type Output = Result<InvokeResponse, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
