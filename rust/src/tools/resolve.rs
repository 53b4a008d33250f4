//! Resolves a tool call to its action, payload and price without running it.
use super::{
    call::Call,
    caller_ask::CallerAsk,
    model_arguments::{invoke_body, read_arguments},
    options::unless_cancelled,
    resolve_response::ResolveResponse,
    service_client::ServiceClient,
};
use crate::SvcError;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A request that is sent when it is awaited, and runs nothing: [`Tools::resolve`](super::Tools::resolve).
#[must_use = "a request is sent when it is awaited"]
pub struct Resolve<'a> {
    client: &'a ServiceClient,
    name: String,
    arguments: Value,
    ask: Option<CallerAsk>,
    cancel_token: Option<CancellationToken>,
}

impl<'a> Resolve<'a> {
    pub(super) fn new(client: &'a ServiceClient, name: String, arguments: Value) -> Self {
        Self { client, name, arguments, ask: None, cancel_token: None }
    }

    /// The calls that your user has to approve. The service makes the question about such a call, for a decision later.
    pub fn ask(mut self, calls: CallerAsk) -> Self {
        self.ask = Some(calls);
        self
    }

    /// A token that ends the request.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn send(self) -> Result<ResolveResponse, SvcError> {
        let Self { client, name, arguments, ask, cancel_token } = self;
        let body = invoke_body(&name, read_arguments(&name, arguments)?);
        let call = Call { resolves: true, ask, ..Call::default() };
        client.read(unless_cancelled(cancel_token, call.send(client, body)).await?)
    }
}

impl<'a> IntoFuture for Resolve<'a> {
    type Output = Result<ResolveResponse, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
