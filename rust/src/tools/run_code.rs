//! Runs of programs for your own code.
use super::{
    code_run::CodeRun,
    code_runs::{Program, RunOptions, run},
    idempotency_key::own_or_fresh_key,
    options::unless_cancelled,
    service_client::ServiceClient,
};
use crate::SvcError;
use futures_util::future::BoxFuture;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A program that starts when it is awaited: [`Tools::run_code`](super::Tools::run_code).
#[must_use = "a program starts when it is awaited"]
pub struct RunCode<'a> {
    client: &'a ServiceClient,
    code: String,
    options: RunOptions,
    cancel_token: Option<CancellationToken>,
}

impl<'a> RunCode<'a> {
    pub(super) fn new(client: &'a ServiceClient, code: String) -> Self {
        Self { client, code, options: RunOptions::default(), cancel_token: None }
    }

    /// The time to wait for the end. The run goes on after it. Default: `timeout` of the client.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.timeout = Some(time);
        self
    }

    /// 1 to 255 visible ASCII characters, which name the run: the same key attaches to it.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// The most that each call of the program may cost, such as `0.05`. The lower limit counts, of this and of the client's.
    pub fn max_payment(mut self, amount: impl Into<String>) -> Self {
        self.options.max_payment = Some(amount.into());
        self
    }

    /// A token that ends the wait. The run goes on: [`Tools::cancel`](super::Tools::cancel) ends it.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn send(mut self) -> Result<CodeRun, SvcError> {
        let key = own_or_fresh_key(self.options.idempotency_key.as_deref())?;
        self.options.idempotency_key = Some(key);
        send(self.client, Program::Code(self.code), self.options, self.cancel_token).await
    }
}

/// A request for a run, sent when it is awaited: [`Tools::code_run`](super::Tools::code_run).
#[must_use = "a request is sent when it is awaited"]
pub struct ReadRun<'a> {
    client: &'a ServiceClient,
    run: String,
    options: RunOptions,
    cancel_token: Option<CancellationToken>,
}

impl<'a> ReadRun<'a> {
    pub(super) fn new(client: &'a ServiceClient, run: String) -> Self {
        Self { client, run, options: RunOptions::default(), cancel_token: None }
    }

    /// As [`RunCode::timeout`].
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.timeout = Some(time);
        self
    }

    /// As [`RunCode::cancel_token`].
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn send(self) -> Result<CodeRun, SvcError> {
        send(self.client, Program::Run(self.run), self.options, self.cancel_token).await
    }
}

async fn send(
    client: &ServiceClient,
    program: Program,
    options: RunOptions,
    cancel_token: Option<CancellationToken>,
) -> Result<CodeRun, SvcError> {
    client.read(unless_cancelled(cancel_token, run(client, program, options)).await?)
}

impl<'a> IntoFuture for RunCode<'a> {
    type Output = Result<CodeRun, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<'a> IntoFuture for ReadRun<'a> {
    type Output = Result<CodeRun, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
