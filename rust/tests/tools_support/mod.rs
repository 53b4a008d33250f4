//! What the tests of `Tools` share.
// Each test program uses a part of it.
#![allow(dead_code)]
#[path = "../support/matching.rs"]
mod matching;
pub mod playing;
#[path = "../support/repository.rs"]
pub mod repository;
pub mod typescript;
pub mod vector_service;
pub mod wire_server;
pub mod world;

use serde_json::Value;

pub use matching::{Bindings, compare, compare_absent, fill_in};
pub use repository::vector;

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
