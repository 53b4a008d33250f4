//! Calls that wait for a person, and calls that go on without their caller, played by `Tools` against a server with scripted answers.

use crate::tools_support::{client_steps::play_clients, vector};
use serde_json::Value;

/// This SDK writes whole seconds without their milliseconds.
fn cases(name: &str) -> Vec<Value> {
    let text = vector(name).to_string().replace(".000Z", "Z");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn tools_waits_for_people_like_the_vectors() {
    play_clients(&cases("approvals")).await;
}

#[tokio::test]
async fn tools_takes_handles_like_the_vectors() {
    play_clients(&cases("long-calls")).await;
}
