//! A client for another user, which shares the key and the network connections.
use super::{
    approvals::{ApprovalMode, Approvals},
    caller::Caller,
    connections::Connections,
    required_approval::{ApprovalAnswer, ApprovalQuestion},
    required_connection::RequiredConnection,
    service_client::ServiceClient,
};
use crate::{Credential, SvcError};

/// Options of a client for another user: [`Tools::for_user`](super::Tools::for_user). All others are those of the first client.
pub struct ForUser<'a> {
    client: &'a ServiceClient,
    caller: Caller,
    connections: Connections,
    approvals: Approvals,
}

impl<'a> ForUser<'a> {
    pub(super) fn new(client: &'a ServiceClient, user_id: String) -> Self {
        let caller = Caller { user_id: Some(user_id), ..client.caller().clone() };
        Self { client, caller, connections: client.connections().clone(), approvals: client.approvals().clone() }
    }

    /// Your id of the conversation, as [`ToolsBuilder::session_id`](super::ToolsBuilder::session_id).
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.caller.session_id = Some(id.into());
        self
    }

    /// As [`ToolsBuilder::connections`](super::ToolsBuilder::connections).
    pub fn connections<F, Given, E>(mut self, function: F) -> Self
    where
        F: Fn(String, Option<String>) -> Given + Send + Sync + 'static,
        Given: Future<Output = Result<Option<Credential>, E>> + Send + 'static,
    {
        self.connections.set_function(function);
        self
    }

    /// As [`ToolsBuilder::connection_names`](super::ToolsBuilder::connection_names).
    pub fn connection_names(mut self, names: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        self.connections.set_names(names);
        self
    }

    /// As [`ToolsBuilder::on_connection_required`](super::ToolsBuilder::on_connection_required).
    pub fn on_connection_required<F, Given>(mut self, listener: F) -> Self
    where
        F: Fn(RequiredConnection) -> Given + Send + Sync + 'static,
        Given: Future<Output = bool> + Send + 'static,
    {
        self.connections.set_listener(listener);
        self
    }

    /// As [`ToolsBuilder::approvals`](super::ToolsBuilder::approvals).
    pub fn approvals(mut self, mode: ApprovalMode) -> Self {
        self.approvals.mode = mode;
        self
    }

    /// As [`ToolsBuilder::on_approval_required`](super::ToolsBuilder::on_approval_required).
    pub fn on_approval_required<F, Given>(mut self, listener: F) -> Self
    where
        F: Fn(ApprovalQuestion) -> Given + Send + Sync + 'static,
        Given: Future<Output = Option<ApprovalAnswer>> + Send + 'static,
    {
        self.approvals.set_listener(listener);
        self
    }

    /// INVALID_REQUEST for an invalid option.
    pub(super) fn into_client(self) -> Result<ServiceClient, SvcError> {
        self.client.with_caller(self.caller, self.connections, self.approvals)
    }
}
