//! The TypeScript sources, run beside the tests.
use super::repository::path;
use serde_json::Value;
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// The JSON of a JavaScript expression with `given` and names of the TypeScript sources. Each import is a name and its file below src/.
pub fn from_typescript(expression: &str, imports: &[(&str, &str)], given: &Value) -> Value {
    let imports: String = imports.iter().map(|(name, file)| format!("import {{ {name} }} from './src/{file}';\n")).collect();
    let program = format!(
        "{imports}let text = ''; for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;\n\
         const given = JSON.parse(text);\nconsole.log(JSON.stringify(await ({expression})));"
    );
    let mut command = Command::new(path("node_modules/.bin/node"));
    command.args(["--import", "./scripts/source-imports.ts", "--input-type=module-typescript", "--eval", &program]);
    let mut process = command.current_dir(path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node: run `npm ci`");
    process.stdin.take().unwrap().write_all(given.to_string().as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "the program of the test failed");
    serde_json::from_slice(&output.stdout).unwrap()
}
