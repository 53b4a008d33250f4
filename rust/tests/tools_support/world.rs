//! `node test/world.ts`: the real service with the toolkits of the vectors, and a scripted model.
use super::repository::path;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

pub struct World {
    /// Addresses and keys: test/vectors/README.md, "The world".
    pub line: Value,
    /// The world ends when its stdin closes, with this process.
    _process: Child,
}

impl World {
    /// One world for all tests of a program.
    pub fn get() -> &'static Self {
        static WORLD: OnceLock<World> = OnceLock::new();
        WORLD.get_or_init(|| {
            let mut command = Command::new(path("node_modules/.bin/node"));
            command.arg("test/world.ts").current_dir(path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut process = command.spawn().expect("node: run `npm ci`");
            let mut line = String::new();
            BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
            Self { line: serde_json::from_str(&line).expect("the world: run `npm run build`"), _process: process }
        })
    }

    /// A text of the line, such as `/service/url`.
    pub fn text(&self, pointer: &str) -> &str {
        self.line.pointer(pointer).and_then(Value::as_str).unwrap()
    }
}
