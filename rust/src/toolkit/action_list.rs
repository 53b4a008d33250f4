//! The list of a toolkit's actions on the wire. A short list is inside `register`. A long list has a name: it is sent once, in frames that
//! the service parses quickly, and later only its changes are sent.
//!
//! Source: docs/protocol.md section 6, "Long lists".
use super::erased_action::DefinedAction;
use crate::hexadecimal::hexadecimal;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Characters that the service parses in about a millisecond.
const MAX_FRAME_CHARS: usize = 64 * 1024;

/// A snapshot of the list.
#[derive(Debug, Clone)]
pub(crate) struct ActionList {
    actions: Vec<(&'static str, Arc<RawValue>)>,
    /// The JSON array of all registrations.
    pub(crate) json: Box<RawValue>,
    /// Equal for equal lists, also in other processes.
    pub(crate) id: String,
}

impl ActionList {
    pub(crate) fn new(actions: &[DefinedAction]) -> Self {
        let actions: Vec<_> = actions.iter().map(|each| (each.name, each.registration.clone())).collect();
        let json = array(actions.iter().map(|(_, text)| text.get()));
        Self { id: hexadecimal(&Sha256::digest(&json)), json: RawValue::from_string(json).unwrap_or_default(), actions }
    }

    /// True if one frame holds the list.
    pub(crate) fn is_short(&self) -> bool {
        self.json.get().len() <= MAX_FRAME_CHARS
    }

    pub(crate) fn size(&self) -> usize {
        self.actions.len()
    }

    /// JSON arrays, each for one frame, of the actions that are new or changed compared with the other list; of all actions without another
    /// list.
    pub(crate) fn parts_since(&self, base: Option<&Self>) -> Vec<String> {
        let is_new = |name: &str, text: &RawValue| base.and_then(|base| base.text_of(name)).is_none_or(|former| former != text.get());
        let mut parts: Vec<Vec<&str>> = Vec::new();
        let mut room = 0;
        for text in self.actions.iter().filter(|(name, text)| is_new(name, text)).map(|(_, text)| text.get()) {
            match parts.last_mut() {
                Some(part) if text.len() <= room => part.push(text),
                _ => {
                    parts.push(vec![text]);
                    room = MAX_FRAME_CHARS;
                }
            }
            room = room.saturating_sub(text.len() + 1);
        }
        parts.into_iter().map(array).collect()
    }

    /// Names of the actions that only the other list has.
    pub(crate) fn removed_since(&self, base: &Self) -> Vec<&'static str> {
        base.actions.iter().map(|(name, _)| *name).filter(|name| self.text_of(name).is_none()).collect()
    }

    fn text_of(&self, name: &str) -> Option<&str> {
        self.actions.iter().find(|(each, _)| *each == name).map(|(_, text)| text.get())
    }
}

fn array<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    format!("[{}]", texts.into_iter().collect::<Vec<_>>().join(","))
}
