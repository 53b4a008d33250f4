//! Shared parts of the tests of `Tools`.
// The tests inside of the crate use a part of it.
#![allow(dead_code, unused_imports)]
pub mod client_steps;
pub mod playing;
pub mod typescript;
pub mod vector_service;
pub mod wire_server;
pub mod world;

use serde_json::Value;

pub use super::support::{
    matching::{Bindings, compare, compare_absent, fill_in},
    repository::{self, vector},
};

pub const KEY: &str = "svc_agent_vectors";

/// The cases of a file of test/vectors.
pub fn cases(name: &str) -> Vec<Value> {
    vector(name).as_array().unwrap().clone()
}

#[track_caller]
pub fn assert_match(actual: &Value, expected: &Value, bindings: &mut Bindings, case: &str) {
    if let Err(difference) = compare(actual, expected, bindings) {
        panic!("{case}: {difference}");
    }
}

#[track_caller]
pub fn assert_absent(actual: &Value, absent: &Value, case: &str) {
    if let Err(difference) = compare_absent(actual, absent) {
        panic!("{case}: {difference}");
    }
}

/// An expected object is the JSON of the text; an expected text is the text itself.
#[track_caller]
pub fn assert_message(mut message: Value, wanted: &Value, bindings: &mut Bindings, case: &str) {
    if wanted["content"].is_object() {
        message["content"] = serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
    }
    let absent = &wanted["absent"];
    let mut wanted = wanted.clone();
    wanted.as_object_mut().unwrap().remove("absent");
    assert_match(&message, &wanted, bindings, case);
    assert_absent(&message, absent, case);
}
