//! A run of code as a tool call of a model: its arguments and its answer.
use super::{code_runs::Program, definitions::RUN_CODE_TOOL, service_client::ServiceClient};
use crate::{ErrorCode, SvcError};
use serde_json::{Value, json};

/// Errors: INVALID_PAYLOAD for arguments with neither a program nor a run.
pub(super) fn read_run_arguments(arguments: &Value) -> Result<Program, SvcError> {
    let text = |name: &str| arguments[name].as_str().filter(|text| !text.trim().is_empty());
    if let Some(code) = text("code") {
        return Ok(Program::Code(code.into()));
    }
    if let Some(run) = text("run") {
        return Ok(Program::Run(run.trim().into()));
    }
    let message = format!("{RUN_CODE_TOOL} needs `code`, the text of a program; or `run`, to go on with an unfinished one");
    Err(SvcError::new(ErrorCode::InvalidPayload, message))
}

/// The run as the answer to a call. A link is left out that the application shows to its user itself.
pub(super) fn to_answer(mut run: Value, client: &ServiceClient) -> Value {
    let content = run.as_object_mut().and_then(|members| members.shift_remove("content"));
    let go_on = format!("{RUN_CODE_TOOL} {}", json!({ "run": run["run"] }));
    match run["status"].as_str() {
        Some("running") => run["message"] = format!("Still running. Read on with {go_on}").into(),
        Some("waiting") => {
            run["asks"].as_array_mut().into_iter().flatten().for_each(|ask| remove_links(ask, client));
            run["message"] =
                format!("The program waits for the calls in asks. Tell the user what is needed, then read on with {go_on}").into();
        }
        _ => {}
    }
    json!({ "result": run, "content": content })
}

fn remove_links(ask: &mut Value, client: &ServiceClient) {
    let asks_about_approvals = client.approvals().has_listener() && ask["approval"]["decidedBy"] == "app";
    let hidden = [("approval", asks_about_approvals), ("connect", client.connections().has_listener())];
    for (name, _) in hidden.into_iter().filter(|(_, is_hidden)| *is_hidden) {
        if let Some(members) = ask.get_mut(name).and_then(Value::as_object_mut) {
            members.shift_remove("url");
        }
    }
}
