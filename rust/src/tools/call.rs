//! A call at the service, with the connection that its action needs.
//!
//! Source: docs/protocol.md, section 11, "Clients".
use super::{
    approved_call::ApprovedCall,
    caller::add_id,
    caller_ask::{CallerAsk, ask_header},
    connection_headers::credential_header,
    ids::{MAX_CALLER_ID_CHARS, check_header_text, toolkit_of},
    max_payment::lowest_amount,
    options::check_timeout,
    questions::Questions,
    required_connection::{Cure, without_page},
    resolve_response::is_resolved,
    service_client::ServiceClient,
    unfinished::is_invocation,
};
use crate::{
    Credential, ErrorCode, SvcError,
    http::{
        CONNECTION_NAMES_HEADER, CONNECTIONS_HEADER, INVOKE_PATH, ProgressListener, RESOLVE_PATH, ServiceRequest, TakesHandle,
        USER_ID_HEADER,
    },
};
use serde_json::Value;
use std::{sync::Arc, time::Duration};

/// The parts of a call in addition to its body.
#[derive(Default)]
pub(super) struct Call<'a> {
    pub timeout: Option<Duration>,
    /// The service resolves the call, and runs nothing.
    pub resolves: bool,
    pub idempotency_key: Option<String>,
    pub max_payment: Option<String>,
    pub action_version: Option<String>,
    pub by_program: bool,
    pub ask: Option<CallerAsk>,
    pub max_result_chars: Option<usize>,
    pub on_progress: Option<ProgressListener<'a>>,
    /// Replaces that of the client.
    pub user_id: Option<String>,
    pub connection: Option<Credential>,
    pub connection_name: Option<String>,
    pub questions: Arc<Questions>,
    pub takes_handle: TakesHandle,
    /// A model reads the outcome.
    pub for_model: bool,
}

impl<'a> Call<'a> {
    /// The answer as the service wrote it.
    pub async fn send(mut self, client: &ServiceClient, body: Value) -> Result<Value, SvcError> {
        let connections = client.connections();
        let user_id = self.user_id.clone().or_else(|| client.caller().user_id.clone());
        let toolkit = body["action"].as_str().and_then(toolkit_of).map(str::to_owned);
        let (own, questions, for_model) = (self.connection.take(), self.questions.clone(), self.for_model);
        let mut request = self.request(client, body, toolkit.as_deref())?;

        let (mut has_credential, mut was_asked) = (own.is_some(), false);
        if let Some(credential) = own {
            add_credential(&mut request, toolkit.as_deref().ok_or_else(|| no_toolkit("connection"))?, &credential)?;
        } else if let Some(toolkit) = toolkit.as_deref().filter(|toolkit| connections.is_receiver(toolkit)) {
            has_credential = true;
            if let Some(credential) = connections.credential(toolkit, user_id.as_deref()).await? {
                add_credential(&mut request, toolkit, &credential)?;
            }
        }
        let approved = ApprovedCall { client, user_id: user_id.as_deref(), for_model, questions: &questions.approvals };
        loop {
            let error = match approved.send(&mut request).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            match Cure::of(&error, user_id.as_deref()) {
                Some(Cure::Page(required)) if connections.has_listener() => {
                    let toolkit = required.toolkit.clone();
                    if std::mem::replace(&mut was_asked, true) || !questions.connections.ask(connections, required).await {
                        return Err(without_page(error, &toolkit));
                    }
                }
                Some(Cure::Credential(toolkit)) => {
                    connections.remember(&toolkit);
                    if std::mem::replace(&mut has_credential, true) {
                        return Err(error);
                    }
                    let Some(credential) = connections.credential(&toolkit, user_id.as_deref()).await? else { return Err(error) };
                    add_credential(&mut request, &toolkit, &credential)?;
                }
                _ => return Err(error),
            }
        }
    }

    fn request(self, client: &ServiceClient, body: Value, toolkit: Option<&str>) -> Result<ServiceRequest<'a>, SvcError> {
        let search_id = body["action"].as_str().and_then(|action| client.searches().that_showed(action));
        let mut request =
            if self.resolves { client.post(RESOLVE_PATH, body, is_resolved) } else { client.post(INVOKE_PATH, body, is_invocation) };
        if let Some(timeout) = self.timeout {
            check_timeout(timeout)?;
            request.timeout = timeout;
        }
        if let Some(version) = &self.action_version {
            check_header_text("action_version", version, MAX_CALLER_ID_CHARS)?;
        }
        if let Some(id) = &self.user_id {
            add_id(&mut request.headers, "user_id", USER_ID_HEADER, id)?;
        }
        let own_name = match self.connection_name {
            Some(name) => Some((toolkit.ok_or_else(|| no_toolkit("connection_name"))?, name)),
            None => None,
        };
        if let Some(names) = client.connections().names_header(own_name)? {
            request.headers.insert(CONNECTION_NAMES_HEADER, names);
        }
        if !self.resolves {
            request.max_payment = lowest_amount(client.settings().max_payment.iter().chain(&self.max_payment))?;
        }
        request.idempotency_key = self.idempotency_key;
        request.max_result_chars = self.max_result_chars;
        request.on_progress = self.on_progress;
        request.action_version = self.action_version;
        request.by_program = self.by_program;
        request.ask = ask_header(self.ask.as_ref())?;
        request.takes_handle = self.takes_handle;
        // The call runs by the question that a resolve with `ask` makes.
        request.search_id = search_id.filter(|_| !self.resolves || request.ask.is_some());
        Ok(request)
    }
}

fn add_credential(request: &mut ServiceRequest<'_>, toolkit: &str, credential: &Credential) -> Result<(), SvcError> {
    let header = credential_header(toolkit, credential)?;
    request.headers.insert(CONNECTIONS_HEADER, header.value);
    request.secrets = header.secrets;
    Ok(())
}

fn no_toolkit(option: &str) -> SvcError {
    let message = format!("{option} is for the toolkit of an action id, such as weather of weather__today");
    SvcError::new(ErrorCode::InvalidRequest, message)
}
