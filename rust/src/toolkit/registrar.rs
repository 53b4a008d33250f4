//! Sends `register`: once on every connection, and again when the list of actions has changed. One request at a time.
use super::{
    action_list::ActionList,
    details::ToolkitDetails,
    erased_action::{DefinedAction, ErasedAction},
    frames::{PROTOCOL_VERSION, to_json},
    list_registration::{Actions, ListName, ListRegistration, Next},
    random::random_bits,
    wire::{Request, Wire},
};
use crate::SvcError;
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
    /// The list that is being registered.
    list: Option<ActionList>,
    /// The list of the last accepted registration.
    accepted: Option<ActionList>,
    /// The details of the last request.
    sent_details: ToolkitDetails,
    list_registration: ListRegistration,
    /// True while a request waits for its answer.
    under_way: bool,
    is_outdated: bool,
}

#[derive(Serialize)]
struct RegisterParams<'a> {
    protocol: u32,
    sdk: &'static str,
    instance: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    toolkit: Option<&'a ToolkitDetails>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<&'a ListName>,
    concurrency: usize,
    unfinished: &'a [&'a str],
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
            list: None,
            accepted: None,
            sent_details: ToolkitDetails::default(),
            list_registration: ListRegistration::default(),
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

    pub(crate) fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
        self.actions.retain(|each| each.name != name);
        self.is_outdated = true;
    }

    /// True if the list has changed and no request is open.
    pub(crate) fn should_register(&self) -> bool {
        self.is_outdated && !self.under_way
    }

    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way
    }

    /// Counts a new connection, whose first request is `register`.
    pub(crate) fn opened(&mut self) {
        self.connections += 1;
        self.registered_before = self.registered;
    }

    /// Counts a connection's first accepted registration.
    pub(crate) fn registered(&mut self) {
        self.registered += 1;
    }

    /// Handles a lost answer.
    pub(crate) fn disconnected(&mut self) {
        (self.under_way, self.list) = (false, None);
    }

    pub(crate) fn register(&mut self, details: ToolkitDetails, unfinished: &[&str], wire: &mut Wire) {
        (self.under_way, self.is_outdated) = (true, false);
        let list = ActionList::new(&self.actions);
        let actions = self.list_registration.start(&list, self.accepted.as_ref(), wire);
        self.send(&list, actions, details, unfinished, wire);
        self.list = Some(list);
    }

    /// Handles a refused part of the list.
    pub(crate) fn part_refused(&mut self, error: SvcError) {
        self.list_registration.part_refused(error);
    }

    /// Handles the error of an answer to `register`. `None` if the registration continues, otherwise its outcome.
    pub(crate) fn answered(
        &mut self,
        error: Option<SvcError>,
        details: ToolkitDetails,
        unfinished: &[&str],
        wire: &mut Wire,
    ) -> Option<Result<(), SvcError>> {
        let list = self.list.take()?;
        match self.list_registration.answered(error, &list, wire) {
            Next::Register(actions) => {
                self.send(&list, actions, details, unfinished, wire);
                self.list = Some(list);
                None
            }
            Next::Done(error) => {
                self.under_way = false;
                Some(match error {
                    Some(error) => {
                        // An update was refused in the meantime, and the service refused the list with it.
                        self.is_outdated |= details != self.sent_details;
                        Err(error)
                    }
                    None => {
                        self.accepted = Some(list);
                        Ok(())
                    }
                })
            }
        }
    }

    fn send(&mut self, list: &ActionList, actions: Actions, details: ToolkitDetails, unfinished: &[&str], wire: &mut Wire) {
        self.sent_details = details;
        let (whole, name) = match &actions {
            Actions::Whole => (Some(&*list.json), None),
            Actions::Named(name) => (None, Some(name)),
        };
        let params = RegisterParams {
            protocol: PROTOCOL_VERSION,
            sdk: SDK,
            instance: &self.instance,
            toolkit: (!self.sent_details.is_empty()).then_some(&self.sent_details),
            actions: whole,
            list: name,
            concurrency: self.concurrency,
            unfinished,
            connection: self.connections,
            registered: self.registered_before,
        };
        wire.request("register", &to_json(&params), Request::Register);
    }
}
