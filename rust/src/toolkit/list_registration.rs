//! One registration of a long list: by its name, then with the parts that the service lacks.
//!
//! Shape:  `register` with the list's name; after LIST_NOT_FOUND the whole list in `actions` requests, then `register` again. When the
//!         service has an earlier list, its changes come first, as `actions` requests. An older service without lists answers
//!         INVALID_REQUEST and then gets the actions inside `register`.
//!
//! Source: docs/protocol.md section 6, "Long lists".
use super::{
    action_list::ActionList,
    wire::{Request, Wire},
};
use crate::{ErrorCode, SvcError};
use serde::Serialize;

/// The name of a list, and its changes to an earlier list.
#[derive(Serialize)]
pub(crate) struct ListName {
    id: String,
    size: usize,
    #[serde(flatten)]
    change: Option<Change>,
}

#[derive(Serialize)]
struct Change {
    base: String,
    remove: Vec<&'static str>,
}

/// The actions of a `register` request.
pub(crate) enum Actions {
    Whole,
    Named(ListName),
}

/// The next step after an answer to `register`.
pub(crate) enum Next {
    Register(Actions),
    Done(Option<SvcError>),
}

#[derive(Debug, Default)]
pub(crate) struct ListRegistration {
    /// The error of a refused part of the list.
    refused_part: Option<SvcError>,
    /// True after all parts were sent.
    is_last: bool,
}

impl ListRegistration {
    /// Sends the changes if the service has an earlier list of this instance, and returns the first `register`.
    pub(crate) fn start(&mut self, list: &ActionList, base: Option<&ActionList>, wire: &mut Wire) -> Actions {
        *self = Self { refused_part: None, is_last: list.is_short() };
        match base {
            _ if list.is_short() => Actions::Whole,
            Some(base) if base.id != list.id => {
                send_parts(list.parts_since(Some(base)), wire);
                named(list, Some(Change { base: base.id.clone(), remove: list.removed_since(base) }))
            }
            _ => named(list, None),
        }
    }

    pub(crate) fn part_refused(&mut self, error: SvcError) {
        self.refused_part.get_or_insert(error);
    }

    pub(crate) fn answered(&mut self, error: Option<SvcError>, list: &ActionList, wire: &mut Wire) -> Next {
        let Some(error) = error else { return Next::Done(None) };
        // A refused part is the reason why the list is not complete.
        if let Some(reason) = self.refused_part.take() {
            return Next::Done(Some(reason));
        }
        match error.code {
            ErrorCode::ListNotFound if !self.is_last => {
                send_parts(list.parts_since(None), wire);
                self.is_last = true;
                Next::Register(named(list, None))
            }
            ErrorCode::InvalidRequest if !self.is_last => {
                self.is_last = true;
                Next::Register(Actions::Whole)
            }
            _ => Next::Done(Some(error)),
        }
    }
}

fn named(list: &ActionList, change: Option<Change>) -> Actions {
    Actions::Named(ListName { id: list.id.clone(), size: list.size(), change })
}

fn send_parts(parts: Vec<String>, wire: &mut Wire) {
    for part in parts {
        wire.request("actions", &format!(r#"{{"actions":{part}}}"#), Request::ListPart);
    }
}
