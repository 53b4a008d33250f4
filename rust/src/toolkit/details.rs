//! The toolkit's name, its description, its page for people and the connection that it asks for: sent with every registration, and as `update` requests while
//! the toolkit runs.
use super::{
    auth::ToolkitAuth,
    frames::to_json,
    profile::ToolkitProfile,
    wire::{Request, Wire},
};
use crate::SvcError;
use serde::Serialize;
use std::collections::BTreeMap;
use tokio::sync::oneshot;

/// The name and the description of a toolkit, for agents. An empty text keeps the service's value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ToolkitInfo {
    /// A name for people, such as `Weather`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A sentence about the purpose of the actions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// The details on the wire, or a change of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ToolkitDetails {
    #[serde(flatten)]
    pub(crate) info: ToolkitInfo,
    #[serde(flatten)]
    pub(crate) profile: ToolkitProfile,
    /// `Some(None)`: the toolkit asks for no connection any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) auth: Option<Option<ToolkitAuth>>,
}

impl ToolkitDetails {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn merge(&mut self, Self { info, profile, auth }: Self) {
        for (text, newer) in [(&mut self.info.name, info.name), (&mut self.info.description, info.description)] {
            if !newer.is_empty() {
                *text = newer;
            }
        }
        self.profile.merge(profile);
        if auth.is_some() {
            self.auth = auth;
        }
    }
}

/// Updates that the service has not accepted yet, in order.
#[derive(Debug)]
pub(crate) struct Details {
    /// The details that the service has, or receives with the first registration.
    accepted: ToolkitDetails,
    pending: BTreeMap<u64, Update>,
    last_number: u64,
    is_registered: bool,
}

#[derive(Debug)]
struct Update {
    details: ToolkitDetails,
    done: oneshot::Sender<Result<(), SvcError>>,
}

impl Details {
    pub(crate) fn new(accepted: ToolkitDetails) -> Self {
        Self { accepted, pending: BTreeMap::new(), last_number: 0, is_registered: false }
    }

    /// The details for a registration, with every update, so that the registration undoes none.
    pub(crate) fn current(&self) -> ToolkitDetails {
        let mut current = self.accepted.clone();
        for update in self.pending.values() {
            current.merge(update.details.clone());
        }
        current
    }

    /// True if the calls of this toolkit need a connection.
    pub(crate) fn asks_for_connection(&self) -> bool {
        let newest = self.pending.values().rev().find_map(|update| update.details.auth.as_ref());
        matches!(newest.or(self.accepted.auth.as_ref()), Some(Some(_)))
    }

    /// `done` receives the answer of the service, which may follow the next registration.
    pub(crate) fn update(&mut self, details: ToolkitDetails, done: oneshot::Sender<Result<(), SvcError>>, wire: &mut Wire) {
        self.last_number += 1;
        if self.is_registered {
            request(self.last_number, &details, wire);
        }
        self.pending.insert(self.last_number, Update { details, done });
    }

    /// Sends the waiting updates after a registration.
    pub(crate) fn resume(&mut self, wire: &mut Wire) {
        self.is_registered = true;
        self.pending.retain(|_, update| !update.done.is_closed());
        for (number, update) in &self.pending {
            request(*number, &update.details, wire);
        }
    }

    pub(crate) fn suspend(&mut self) {
        self.is_registered = false;
    }

    pub(crate) fn answered(&mut self, number: u64, answer: Result<(), SvcError>) {
        let Some(update) = self.pending.remove(&number) else { return };
        if answer.is_ok() {
            self.accepted.merge(update.details);
        }
        let _ = update.done.send(answer);
    }

    pub(crate) fn fail(&mut self, error: &SvcError) {
        for update in std::mem::take(&mut self.pending).into_values() {
            let _ = update.done.send(Err(error.clone()));
        }
    }
}

fn request(number: u64, details: &ToolkitDetails, wire: &mut Wire) {
    wire.request("update", &to_json(details), Request::Update { number });
}
