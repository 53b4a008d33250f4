//! `Tools` against the real service.

use crate::tools_support::{playing::report, world::World};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{sync::Mutex, time::Duration};
use svc_sdk::{
    ErrorCode,
    tools::{CallTool, SearchTools, ToolSelection, Tools, ToolsBuilder},
};

fn client() -> ToolsBuilder {
    let world = World::get();
    Tools::builder().api_key(world.text("/keys/agent")).base_url(world.text("/service/url"))
}

#[tokio::test]
async fn the_two_tools_find_and_run_an_action_and_an_error_names_the_correction() {
    let (search_tools, call_tool): (SearchTools, CallTool) = client().build().unwrap().into();
    let found = search_tools.call(r#"{ "query": "gives back its payload" }"#).await;
    assert_eq!(serde_json::from_str::<Value>(&found).unwrap()["actions"][0]["action"], "vector__echo", "{found}");
    assert_eq!(call_tool.call(r#"{ "action": "vector__echo", "payload": { "text": "é" } }"#).await, r#"{"text":"é"}"#);

    let misspelt: Value = serde_json::from_str(&call_tool.call(r#"{ "action": "vector__ecco", "payload": {} }"#).await).unwrap();
    assert_eq!(misspelt["error"]["code"], "ACTION_NOT_FOUND");
    assert_eq!(misspelt["error"]["didYouMean"][0], "vector__echo");
    let misfit: Value = serde_json::from_str(&call_tool.call(r#"{ "action": "vector__echo", "payload": { "txt": "x" } }"#).await).unwrap();
    assert_eq!(misfit["error"]["issues"][0]["path"], "/text");
    let failed: Value = serde_json::from_str(&call_tool.call(r#"{ "action": "vector__fail", "payload": {} }"#).await).unwrap();
    assert_eq!(failed["error"]["cause"], json!({ "code": "NO_LUCK", "message": "It failed", "data": { "dice": 1 } }));
}

#[tokio::test]
async fn payloads_and_results_are_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Echo {
        text: String,
        times: u32,
    }
    let echo = Echo { text: "hello".into(), times: 3 };
    let answer = client().build().unwrap().invoke("vector__echo", &echo).await.unwrap();
    assert_eq!(answer.json::<Echo>().unwrap(), echo);
    assert_eq!(answer.json::<Vec<u8>>().unwrap_err().code, ErrorCode::InvalidRequest);
}

#[tokio::test]
async fn the_service_keeps_the_deadline() {
    let call = client().timeout(Duration::from_millis(200)).build().unwrap();
    let error = call.invoke("vector__hang", ()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvocationTimeout, "{error:?}");
    assert!(error.details.contains_key("invocationId"), "{error:?}");
}

#[test]
fn a_call_continues_when_another_runtime_without_calls_ends() {
    let [first, second] = [(), ()].map(|()| tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap());
    first.block_on(async { client().build().unwrap().invoke("vector__report", ()).await.unwrap() });
    let error = second.block_on(async {
        let tools = client().timeout(Duration::from_secs(1)).build().unwrap();
        let call = tokio::spawn(async move { tools.invoke("vector__hang", ()).await.unwrap_err() });
        tokio::time::sleep(Duration::from_millis(500)).await;
        first.shutdown_background();
        call.await.unwrap()
    });
    assert_eq!(error.code, ErrorCode::InvocationTimeout, "{error:?}");
    assert!(error.details.contains_key("invocationId"), "{error:?}");
}

#[tokio::test]
async fn progress_arrives_while_the_call_runs() {
    let seen = Mutex::new(Vec::new());
    let tools = client().build().unwrap();
    let answer = tools.invoke("vector__report", ()).on_progress(|progress| seen.lock().unwrap().push(report(progress))).await.unwrap();
    assert_eq!(answer.result, "done");
    let reports = seen.into_inner().unwrap();
    assert_eq!(reports[0], json!({ "progress": 1.0, "total": 2.0, "message": "half" }));
    assert_eq!(reports[1], json!({ "progress": 2.0, "total": 2.0, "message": null }));
    let named = Mutex::new(Vec::new());
    let calls = json!([{ "id": "call_7", "function": { "name": "vector__report", "arguments": "" } }]);
    tools.call_tools(calls).on_progress(|id, progress| named.lock().unwrap().push((id.to_owned(), progress.progress))).await.unwrap();
    assert_eq!(named.into_inner().unwrap(), [("call_7".into(), 1.0), ("call_7".into(), 2.0)]);
}

#[tokio::test]
async fn a_result_with_a_picture_is_words_and_media() {
    let answer = client().build().unwrap().answer_tool("vector__show", "").await;
    let wanted = "{\"result\":{\"width\":1},\"content\":[\"[image image/png, 70 bytes]\",\"[file table.csv, text/csv]\\na,b\",\
                  \"[link picture.png: https://example.com/picture.png]\"]}";
    assert_eq!(answer.content, wanted);
    assert_eq!(answer.media[0].media_type, "image/png");
    assert_eq!(answer.blocks.len(), 4);
}

#[tokio::test]
async fn a_paid_call_has_its_payment_and_a_limit_below_the_price_refuses_it() {
    let tools = client().api_key(World::get().text("/keys/buyer")).build().unwrap();
    let resolved = tools.resolve("vector__sell", "{}").await.unwrap();
    assert_eq!(resolved.action.payment.unwrap().amount, "0.05");
    let error = tools.invoke("vector__sell", ()).max_payment("0.049999").await.unwrap_err();
    assert_eq!((error.code, &error.details["payment"]["price"]), (ErrorCode::PaymentRequired, &json!("0.05")));
    let answer = tools.answer_tool("vector__sell", "{}").max_payment("0.05").await;
    assert_eq!(answer.payment.unwrap().charged, "0.03");
}

#[tokio::test]
async fn the_same_globally_unique_tool_call_runs_once_also_from_another_client() {
    let call = || async {
        let tools = client().build().unwrap();
        tools.answer_tool("counting__count", r#"{"label":"once"}"#).tool_call_id("call_9fKq2LmZ7xTb4vWnR1sYc8Hd").await.content
    };
    assert_eq!(call().await, r#"{"label":"once","run":1}"#);
    assert_eq!(call().await, r#"{"label":"once","run":1}"#);
}

#[tokio::test]
async fn static_tools_are_the_actions_of_a_toolkit() {
    let tools = client().build().unwrap();
    let offered = tools.get_tools(ToolSelection::default().static_toolkits(["counting"])).await.unwrap();
    let names: Vec<&str> = offered.iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search_services", "invoke_service", "counting__count", "counting__destroy"]);
    let error = tools.get_tools(ToolSelection::default().static_toolkits(["vectr"])).await.unwrap_err();
    assert_eq!((error.code, &error.details["didYouMean"][0]), (ErrorCode::ToolkitNotFound, &json!("vector")));
}

#[tokio::test]
async fn a_key_of_a_toolkit_is_refused_by_its_name() {
    let tools = client().api_key(World::get().text("/keys/toolkit")).build().unwrap();
    let error = tools.search("x").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::WrongKeyKind);
    assert!(error.message.contains("This is a key for a toolkit; Tools needs an agent key"), "{error}");
}
