//! Calls of the vectors, in the names of the TypeScript client, as calls of `Tools`.
use serde_json::{Value, json};
use std::{sync::Mutex, time::Duration};
use svc_sdk::{
    Credential, Progress, SvcError,
    tools::{ApprovalAnswer, ApprovalMode, ToolSelection, Tools, ToolsBuilder},
};

/// Options of a client in the names of TypeScript.
pub fn with_options(mut builder: ToolsBuilder, options: &Value) -> ToolsBuilder {
    for (name, value) in options.as_object().into_iter().flatten() {
        let text = || value.as_str().unwrap();
        let number = || value.as_u64().unwrap();
        builder = match name.as_str() {
            "timeoutMs" => builder.timeout(Duration::from_millis(number())),
            "maxResultChars" => builder.max_result_chars(number() as usize),
            "maxSearchTokens" => builder.max_search_tokens(number() as u32),
            "maxPayment" => builder.max_payment(text()),
            "userId" => builder.user_id(text()),
            "sessionId" => builder.session_id(text()),
            "concurrency" => builder.concurrency(number() as usize),
            "approvals" => builder.approvals(if text() == "wait" { ApprovalMode::Wait } else { ApprovalMode::Report }),
            "code" => builder.code(value == true),
            "connectionNames" => builder.connection_names(names_of(value)),
            other => panic!("no option {other}"),
        };
    }
    builder
}

/// The outcome of a call: `{"value"}` or `{"error"}`; with a listener, `progress` too.
pub async fn play(tools: &Tools, call: &Value, with_listener: bool) -> Value {
    let (method, args) = (call["method"].as_str().unwrap(), &call["args"]);
    let reports = Mutex::new(Vec::new());
    let text = |index: usize| args[index].as_str().unwrap().to_owned();
    let outcome = match method {
        "search" => {
            let (mut search, options) = (tools.search(text(0)), &args[1]);
            if let Some(limit) = options["limit"].as_u64() {
                search = search.limit(limit as u32);
            }
            if let Some(tokens) = options["maxTokens"].as_u64() {
                search = search.max_tokens(tokens as u32);
            }
            search.await.map(|found| json!(found))
        }
        "invoke" => {
            let (mut invoke, options) = (tools.invoke(&text(0), &args[1]), &args[2]);
            if let Some(key) = options["idempotencyKey"].as_str() {
                invoke = invoke.idempotency_key(key);
            }
            if let Some(amount) = options["maxPayment"].as_str() {
                invoke = invoke.max_payment(amount);
            }
            if let Some(version) = options["actionVersion"].as_str() {
                invoke = invoke.action_version(version);
            }
            if options["madeBy"] == "program" {
                invoke = invoke.made_by_program();
            }
            if let Some(id) = options["userId"].as_str() {
                invoke = invoke.user_id(id);
            }
            if let Some(credential) = credential_of(&options["connection"]) {
                invoke = invoke.connection(credential);
            }
            if let Some(name) = options["connectionName"].as_str() {
                invoke = invoke.connection_name(name);
            }
            if let Some(milliseconds) = options["timeoutMs"].as_u64() {
                invoke = invoke.timeout(Duration::from_millis(milliseconds));
            }
            if with_listener {
                invoke = invoke.on_progress(|progress| reports.lock().unwrap().push(report(progress)));
            }
            if options["wait"] == false {
                invoke.without_waiting().await.map(|answer| json!(answer))
            } else {
                invoke.await.map(|answer| json!(answer))
            }
        }
        "result" => {
            let mut result = tools.result(text(0));
            if let Some(seconds) = args[1]["wait"].as_u64() {
                result = result.wait(Duration::from_secs(seconds));
            }
            result.await.map(|found| json!(found))
        }
        "cancel" => tools.cancel(&text(0)).await.map(Value::from),
        "decideApproval" => tools.decide_approval(&text(0), answer_of(&args[1]).unwrap()).await.map(|decided| json!(decided)),
        "resolve" => tools.resolve(text(0), args[1].clone()).await.map(|resolved| json!(resolved)),
        "callTools" => tools.call_tools(&args[0]).await.map(Value::from),
        "getTools" => tools.get_tools(selection_of(&args[0])).await.map(Value::from),
        "connectUrl" => {
            let toolkits: Vec<String> = serde_json::from_value(args[0]["toolkits"].clone()).unwrap();
            let mut page = tools.connect_url(toolkits);
            if let Some(id) = args[0]["userId"].as_str() {
                page = page.user_id(id);
            }
            if let Some(name) = args[0]["name"].as_str() {
                page = page.name(name);
            }
            page.await.map(|session| json!(session))
        }
        "confirmConnection" => {
            let mut confirmation = tools.confirm_connection(args[0]["code"].as_str().unwrap());
            if let Some(id) = args[0]["userId"].as_str() {
                confirmation = confirmation.user_id(id);
            }
            confirmation.await.map(|confirmed| json!(confirmed))
        }
        other => panic!("no method {other}"),
    };
    let mut outcome = outcome_of(outcome);
    if with_listener {
        outcome["progress"] = reports.into_inner().unwrap().into();
    }
    outcome
}

/// `None` for a decision later.
pub fn answer_of(answer: &Value) -> Option<ApprovalAnswer> {
    let decision = answer.as_str().or(answer["decision"].as_str())?;
    let mut decided = if decision == "approve" { ApprovalAnswer::approve() } else { ApprovalAnswer::deny() };
    if let Some(reason) = answer["reason"].as_str() {
        decided = decided.reason(reason);
    }
    if let Some(seconds) = answer["sessionSeconds"].as_u64() {
        decided = decided.session_seconds(seconds as u32);
    }
    Some(decided)
}

/// `None` for a credential that this SDK cannot write.
pub fn credential_of(credential: &Value) -> Option<Credential> {
    let members = credential.as_object().filter(|members| members.len() == 1)?;
    let (kind, value) = members.iter().next()?;
    match kind.as_str() {
        "bearer" => value.as_str().map(Credential::bearer),
        "apiKey" => value.as_str().map(Credential::api_key),
        "basic" => Some(Credential::basic(value["username"].as_str()?, value["password"].as_str()?)),
        _ => None,
    }
}

pub fn names_of(names: &Value) -> Vec<(String, String)> {
    names.as_object().into_iter().flatten().map(|(toolkit, name)| (toolkit.clone(), name.as_str().unwrap().into())).collect()
}

pub fn report(Progress { progress, total, message, .. }: Progress) -> Value {
    json!({ "progress": progress, "total": total, "message": message })
}

fn outcome_of(outcome: Result<Value, SvcError>) -> Value {
    match outcome {
        Ok(value) => json!({ "value": value }),
        Err(error) => json!({ "error": error }),
    }
}

fn selection_of(options: &Value) -> ToolSelection {
    let ids = |name: &str| options[name].as_array().into_iter().flatten().map(|id| id.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    ToolSelection::default()
        .dynamic_tools(options["dynamicTools"].as_bool().unwrap_or(true))
        .static_toolkits(ids("staticToolkits"))
        .static_actions(ids("staticActions"))
}
