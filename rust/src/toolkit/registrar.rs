//! Sends `register`: once on every connection, and again when the list of actions has changed. One request at a time.
use super::{
    details::ToolkitInfo,
    erased_action::{DefinedAction, ErasedAction},
    frames::{PROTOCOL_VERSION, to_json},
    random::random_bits,
    wire::{Request, Wire},
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::{collections::HashMap, sync::Arc};

const SDK: &str = concat!("svc-sdk-rs/", env!("CARGO_PKG_VERSION"));

/// The registrations of one instance.
pub(crate) struct Registrar {
    instance: String,
    concurrency: usize,
    actions: Vec<DefinedAction>,
    by_name: HashMap<&'static str, Arc<dyn ErasedAction>>,
    connections: u64,
    registered: u64,
    registered_before: u64,
    /// A request waits for its answer.
    under_way: bool,
    is_outdated: bool,
}

#[derive(Serialize)]
struct RegisterParams<'a> {
    protocol: u32,
    sdk: &'static str,
    instance: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    toolkit: Option<&'a ToolkitInfo>,
    actions: Vec<&'a RawValue>,
    concurrency: usize,
    unfinished: Vec<&'a str>,
    connection: u64,
    registered: u64,
}

impl Registrar {
    pub(crate) fn new(actions: Vec<DefinedAction>, concurrency: usize) -> Self {
        Self {
            instance: format!("{:016x}{:016x}", random_bits(), random_bits()),
            concurrency,
            by_name: actions.iter().map(|each| (each.name, each.action.clone())).collect(),
            actions,
            connections: 0,
            registered: 0,
            registered_before: 0,
            under_way: false,
            is_outdated: false,
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<dyn ErasedAction>> {
        self.by_name.get(name)
    }

    pub(crate) fn add(&mut self, action: DefinedAction) {
        self.by_name.insert(action.name, action.action.clone());
        self.actions.push(action);
        self.is_outdated = true;
    }

    /// The list has changed, and no request is under way.
    pub(crate) fn should_register(&self) -> bool {
        self.is_outdated && !self.under_way
    }

    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way
    }

    /// `register` is the first request of a new connection.
    pub(crate) fn opened(&mut self) {
        self.connections += 1;
        self.registered_before = self.registered;
    }

    /// The first registration on a connection was accepted.
    pub(crate) fn registered(&mut self) {
        self.registered += 1;
    }

    pub(crate) fn answered(&mut self) {
        self.under_way = false;
    }

    pub(crate) fn register(&mut self, info: &ToolkitInfo, unfinished: Vec<&str>, wire: &mut Wire) {
        (self.under_way, self.is_outdated) = (true, false);
        let params = RegisterParams {
            protocol: PROTOCOL_VERSION,
            sdk: SDK,
            instance: &self.instance,
            toolkit: (!info.is_empty()).then_some(info),
            actions: self.actions.iter().map(|each| &*each.registration).collect(),
            concurrency: self.concurrency,
            unfinished,
            connection: self.connections,
            registered: self.registered_before,
        };
        wire.request("register", &to_json(&params), Request::Register);
    }
}
