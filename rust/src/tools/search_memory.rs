//! Remembers the recent searches of one conversation, to find the search that showed a called action.
//!
//! Shape: search ids, oldest first, each with the action ids that it showed; bounded.
//! Source: docs/protocol.md, section 4, "Search ids".
use serde_json::Value;
use std::collections::{HashSet, VecDeque};

const MAX_SEARCHES: usize = 20;

#[derive(Default)]
pub(super) struct SearchMemory {
    searches: VecDeque<(String, HashSet<String>)>,
}

impl SearchMemory {
    /// Remembers the actions of an answer to a search.
    pub fn add(&mut self, search_id: String, answer: &Value) {
        let lists = [&answer["actions"], &answer["more"]];
        let shown = lists.into_iter().filter_map(Value::as_array).flatten();
        let ids = shown.filter_map(|action| action["action"].as_str().map(str::to_owned));
        self.searches.push_back((search_id, ids.collect()));
        if self.searches.len() > MAX_SEARCHES {
            self.searches.pop_front();
        }
    }

    pub fn newest(&self) -> Option<String> {
        self.searches.back().map(|(id, _)| id.clone())
    }

    /// Id of the newest search that showed the action.
    pub fn that_showed(&self, action: &str) -> Option<String> {
        self.searches.iter().rev().find(|(_, shown)| shown.contains(action)).map(|(id, _)| id.clone())
    }
}
