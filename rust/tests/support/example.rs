//! The programs of examples/, as processes.
use super::waiting::soon;
use std::{
    env,
    process::{ExitStatus, Stdio},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// A serving toolkit.
pub struct Example(Child);

impl Example {
    /// `cargo test` builds the examples beside the tests; with `--test`, run `cargo build --examples` first.
    pub async fn start(name: &str, base_url: &str, toolkit_key: &str, variables: &[(&str, &str)]) -> Self {
        let tests = env::current_exe().unwrap();
        let program = tests.ancestors().nth(2).unwrap().join("examples").join(name);
        let mut process = Command::new(&program)
            .env("SVC_BASE_URL", base_url)
            .env("SVC_TOOLKIT_API_KEY", toolkit_key)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}; run cargo build --examples", program.display()));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = soon("the example", lines.next_line()).await.unwrap().unwrap_or_default();
        assert!(line.starts_with("Agents can use "), "{line}");
        Self(process)
    }

    /// Presses Ctrl-C.
    pub async fn interrupt(&mut self) -> ExitStatus {
        let id = self.0.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
        soon("the end of the example", self.0.wait()).await.unwrap()
    }
}
