//! What the tests of `Tools` share.
#![allow(dead_code)]
pub mod matching;
pub mod playing;
pub mod typescript;
pub mod vector_service;
pub mod wire_server;
pub mod world;

use serde_json::Value;
use std::path::PathBuf;

pub const KEY: &str = "svc_agent_vectors";

/// A file of test/vectors.
pub fn vector(name: &str) -> Value {
    let path = repository().join(format!("test/vectors/{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// The cases of a file.
pub fn cases(name: &str) -> Vec<Value> {
    vector(name).as_array().unwrap().clone()
}
