//! The options of a `Tools`, checked so that a wrong option does not surface later as another error.
use super::{
    approvals::{ApprovalMode, Approvals},
    caller::Caller,
    caller_ask::CallerAsk,
    connections::Connections,
    max_payment::lowest_amount,
    required_approval::{ApprovalAnswer, ApprovalQuestion},
    required_connection::RequiredConnection,
    service_client::{Access, ServiceClient, Settings},
};
use crate::{
    Credential, ErrorCode, SvcError,
    environment::read_base_url,
    http::{ApiKey, Clock, HttpClient, SystemClock},
};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// The minimum of `svc-max-result-chars`: the note about the cut needs some characters.
pub(super) const MIN_RESULT_CHARS: usize = 1_000;
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
const MAX_CONCURRENCY: usize = 1_000;

/// Options of a [`Tools`](super::Tools): [`Tools::builder`](super::Tools::builder).
pub struct ToolsBuilder {
    api_key: ApiKey,
    base_url: Option<String>,
    timeout: Duration,
    concurrency: usize,
    max_result_chars: usize,
    max_search_tokens: Option<u32>,
    max_payment: Option<String>,
    code: bool,
    ask: Option<CallerAsk>,
    caller: Caller,
    connections: Connections,
    approvals: Approvals,
    clock: Arc<dyn Clock>,
}

impl Default for ToolsBuilder {
    fn default() -> Self {
        Self {
            api_key: ApiKey::Environment,
            base_url: None,
            timeout: Duration::from_secs(60),
            concurrency: 10,
            max_result_chars: 40_000,
            max_search_tokens: None,
            max_payment: None,
            code: false,
            ask: None,
            caller: Caller::default(),
            connections: Connections::default(),
            approvals: Approvals::default(),
            clock: Arc::new(SystemClock),
        }
    }
}

impl ToolsBuilder {
    /// Agent key, `svc_agent_…`, or agent token, `svc_token_…`. Default: `SVC_AGENT_API_KEY`.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = ApiKey::Fixed(key.into());
        self
    }

    /// A function that is called when the key is first needed, and again when the service refuses an expired key.
    pub fn api_key_function<F, Given, E>(mut self, function: F) -> Self
    where
        F: Fn() -> Given + Send + Sync + 'static,
        Given: Future<Output = Result<String, E>> + Send + 'static,
        E: std::fmt::Display,
    {
        self.api_key = ApiKey::from_function(function);
        self
    }

    /// Address of the service. Default: `SVC_BASE_URL`, then `http://127.0.0.1:8787`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The time that one call may take, retries included. The service has a limit of its own. Default: 60 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Tool calls of one `call_tools` that run at a time. Default: 10.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls;
        self
    }

    /// Characters (UTF-16 code units) of one result that a model gets at once. A longer result says how to read on. Default: 40,000.
    pub fn max_result_chars(mut self, chars: usize) -> Self {
        self.max_result_chars = chars;
        self
    }

    /// Tokens (o200k_base) of the answer to one search, 100 to 20,000. Default: 1,200.
    pub fn max_search_tokens(mut self, tokens: u32) -> Self {
        self.max_search_tokens = Some(tokens);
        self
    }

    /// The most that one call may cost, such as `0.05`, in the service's currency. Default: the budget of the key.
    pub fn max_payment(mut self, amount: impl Into<String>) -> Self {
        self.max_payment = Some(amount.into());
        self
    }

    /// Your id of the end user, 1 to 200 visible ASCII characters. Handlers get the id as `user_id` of their context, handlers of other
    /// owners an id for their toolkit only. The service records the id with searches and calls.
    pub fn user_id(mut self, id: impl Into<String>) -> Self {
        self.caller.user_id = Some(id.into());
        self
    }

    /// Your id of the conversation, as `user_id`, for a view of the session.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.caller.session_id = Some(id.into());
        self
    }

    /// The credentials of your users for the APIs behind toolkits.
    ///
    /// The function is called with a toolkit and the user of the call when the toolkit needs the credential of its caller, and then for
    /// every call of that toolkit. Without a credential, and after an error, the call ends with `CONNECTION_REQUIRED`. The error itself is not
    /// shown, because it may have secrets: log it in the function.
    ///
    /// ```
    /// # async fn token_of(user: &str, toolkit: &str) -> Result<Option<String>, std::io::Error> { Ok(None) }
    /// use svc_sdk::{Credential, tools::Tools};
    ///
    /// let tools = Tools::builder().user_id("u_81").connections(|toolkit, user| async move {
    ///     let token = token_of(&user.unwrap_or_default(), &toolkit).await?;
    ///     Ok::<_, std::io::Error>(token.map(Credential::bearer))
    /// });
    /// ```
    pub fn connections<F, Given, E>(mut self, function: F) -> Self
    where
        F: Fn(String, Option<String>) -> Given + Send + Sync + 'static,
        Given: Future<Output = Result<Option<Credential>, E>> + Send + 'static,
    {
        self.connections.set_function(function);
        self
    }

    /// The names of the connections to use, by toolkit, if the user has several: `[("github", "work")]`.
    pub fn connection_names(mut self, names: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        self.connections.set_names(names);
        self
    }

    /// Called when the user of a call has to connect an account on a page.
    ///
    /// Returns true when the user has connected it: the same call is made again. Otherwise the model reads that the user was asked. The
    /// model never reads the address of the page.
    pub fn on_connection_required<F, Given>(mut self, listener: F) -> Self
    where
        F: Fn(RequiredConnection) -> Given + Send + Sync + 'static,
        Given: Future<Output = bool> + Send + 'static,
    {
        self.connections.set_listener(listener);
        self
    }

    /// The way of calls that a person has to approve first. Default: [`ApprovalMode::Report`].
    pub fn approvals(mut self, mode: ApprovalMode) -> Self {
        self.approvals.mode = mode;
        self
    }

    /// Called when a rule lets your application decide about a call. Returns the decision of your user, or `None` for a decision later.
    ///
    /// The decision needs an agent key; a token decides nothing. The model never reads the address of the page.
    ///
    /// ```
    /// # async fn ask(text: String) -> bool { true }
    /// use svc_sdk::tools::{ApprovalAnswer, Tools};
    ///
    /// let tools = Tools::builder().on_approval_required(|question| async move {
    ///     let yes = ask(format!("{} {:?}", question.action, question.payload)).await;
    ///     Some(if yes { ApprovalAnswer::approve() } else { ApprovalAnswer::deny().reason("not today") })
    /// });
    /// ```
    pub fn on_approval_required<F, Given>(mut self, listener: F) -> Self
    where
        F: Fn(ApprovalQuestion) -> Given + Send + Sync + 'static,
        Given: Future<Output = Option<ApprovalAnswer>> + Send + 'static,
    {
        self.approvals.set_listener(listener);
        self
    }

    /// The calls of a model that your user has to approve, in addition to the rules of the key. The service checks each call when it runs, and
    /// lets your application decide: [`on_approval_required`](Self::on_approval_required). Default: none.
    ///
    /// ```
    /// use svc_sdk::tools::{CallerAsk, Tools};
    ///
    /// let tools = Tools::builder().ask(CallerAsk::default().destructive().above("0.50"));
    /// ```
    pub fn ask(mut self, calls: CallerAsk) -> Self {
        self.ask = Some(calls);
        self
    }

    /// True adds a third tool, `run_code`: the service runs a program of the model, whose calls are calls of this key. The service must run
    /// code, and the key may. docs/code.md. Default: false.
    pub fn code(mut self, wanted: bool) -> Self {
        self.code = wanted;
        self
    }

    #[cfg(test)]
    pub(crate) fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// INVALID_REQUEST for an invalid option.
    pub(super) fn into_client(self) -> Result<ServiceClient, SvcError> {
        check_timeout(self.timeout)?;
        check_whole_number("concurrency", self.concurrency, MAX_CONCURRENCY)?;
        check_whole_number("max_result_chars", self.max_result_chars, usize::MAX)?;
        lowest_amount(&self.max_payment)?;
        self.ask.as_ref().map(CallerAsk::header).transpose()?;
        let settings = self.settings().into();
        let http = HttpClient::new(read_base_url(self.base_url)?, self.api_key, self.clock)?;
        ServiceClient::new(settings, Access::Open(http.into()), self.caller, self.connections, self.approvals)
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            timeout: self.timeout,
            concurrency: self.concurrency,
            max_result_chars: self.max_result_chars,
            max_search_tokens: self.max_search_tokens,
            max_payment: self.max_payment.clone(),
            code: self.code,
            ask: self.ask.clone(),
        }
    }
}

pub(super) fn check_timeout(timeout: Duration) -> Result<(), SvcError> {
    if !timeout.is_zero() && timeout <= MAX_TIMEOUT {
        return Ok(());
    }
    let message = format!("timeout must be above 0 and at most {} s, not {timeout:?}", MAX_TIMEOUT.as_secs());
    Err(SvcError::new(ErrorCode::InvalidRequest, message))
}

/// The outcome of the work, or INVOCATION_CANCELLED if the token is cancelled first.
pub(super) async fn unless_cancelled<T>(
    token: Option<CancellationToken>,
    work: impl Future<Output = Result<T, SvcError>>,
) -> Result<T, SvcError> {
    let Some(token) = token else { return work.await };
    let cancelled = || Err(SvcError::new(ErrorCode::InvocationCancelled, "The caller cancelled the call"));
    token.run_until_cancelled(work).await.unwrap_or_else(cancelled)
}

fn check_whole_number(name: &str, value: usize, most: usize) -> Result<(), SvcError> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    let limits = if most == usize::MAX { "of 1 or more".into() } else { format!("from 1 to {most}") };
    Err(SvcError::new(ErrorCode::InvalidRequest, format!("{name} must be a whole number {limits}, not {value}")))
}
