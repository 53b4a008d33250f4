//! The examples, as programs, with the real service and a scripted model.

use crate::tools_support::world::World;
use std::{path::PathBuf, process::Command};

/// `cargo test` builds the examples beside the tests; with `--test`, run `cargo build --examples` first.
fn example(name: &str) -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("examples");
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn assert_counts(name: &str) {
    let world = World::get();
    let output = Command::new(example(name))
        .arg(format!("count 2,1 as {name}"))
        .env("OPENAI_API_KEY", "any")
        .env("OPENAI_BASE_URL", world.text("/model/baseUrl"))
        .env("SVC_AGENT_API_KEY", world.text("/keys/agent"))
        .env("SVC_BASE_URL", world.text("/service/url"))
        .output()
        .expect("cargo build --examples");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("Counted {name}\n"));
}

#[test]
fn the_loop_with_plain_requests_counts() {
    assert_counts("chat_loop");
}

#[cfg(feature = "openai")]
#[test]
fn the_loop_with_async_openai_counts() {
    assert_counts("openai_loop");
}

#[cfg(feature = "rig-example")]
#[test]
fn the_agent_of_rig_counts() {
    assert_counts("rig_agent");
}
