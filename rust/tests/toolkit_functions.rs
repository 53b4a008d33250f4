//! Actions that are functions, with the real service: `add_fn`, and the attribute `action`.

use crate::support::{service::Service, waiting::soon};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    num::ParseIntError,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};
use svc_sdk::toolkit::{
    ActionContext, ActionError, ActionResult, Annotations, FnDefinition, Payment, ToolkitService, action, schema_for_result,
};

#[derive(Deserialize, JsonSchema)]
struct City {
    /// Name of the city
    city: String,
    #[serde(default)]
    unit: Unit,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    /// Word for the sky
    sky: &'static str,
    degrees: i32,
}

/// Today's weather in a city
#[action(read_only, result)]
async fn today(city: City) -> Result<Weather, ActionError> {
    match (city.city.as_str(), city.unit) {
        ("Rome", Unit::Celsius) => Ok(Weather { sky: "clear", degrees: 21 }),
        ("Rome", Unit::Fahrenheit) => Ok(Weather { sky: "clear", degrees: 70 }),
        (city, _) => Err(ActionError::new("CITY_UNKNOWN", format!("{city} has no weather station"))),
    }
}

/// Reads a number
#[action(name = "read-number", idempotent, destructive = false)]
async fn read_number(payload: Value, ctx: ActionContext) -> Result<i64, ParseIntError> {
    assert_eq!(ctx.action, "read-number");
    payload["text"].as_str().unwrap_or_default().parse()
}

/// Sells a report
#[action(payment = "0.05")]
async fn sell() -> Result<ActionResult<&'static str>, ActionError> {
    Ok(ActionResult { payload: "sold", payment: Some(Payment::new("0.03")) })
}

async fn toolkit(service: &Service, name: &str) -> ToolkitService {
    ToolkitService::new(service.create_key("toolkit", name, &[]).await).base_url(&service.url).on_status(|_| {})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_calls_functions() {
    let service = Service::start("functions", &[]).await;
    let agent = service.agent().await;
    let mut toolkit = toolkit(&service, "fns").await;
    let calls = Arc::new(AtomicU32::new(0));
    let definition = FnDefinition::new("Counts letters").annotations(Annotations { read_only: Some(true), ..Annotations::default() });
    toolkit.add_action(today).add_action(read_number).add_action(sell);
    toolkit.add_fn("length", definition.result(schema_for_result::<usize>()), move |_ctx, city: City| {
        let calls = calls.clone();
        async move { Ok(json!({ "letters": city.city.len(), "call": calls.fetch_add(1, Ordering::SeqCst) + 1 })) }
    });
    toolkit.add_fn("number", "Reads a number", |_ctx, payload: Value| async move {
        let number: i64 = payload["text"].as_str().unwrap_or_default().parse()?;
        Ok(ActionResult { payload: number, payment: None })
    });
    toolkit.add_fn("moon", "The moon", async |_ctx, ()| Ok("full"));
    let short = json!({ "city": { "type": "string", "required": true } });
    toolkit.add_fn_with_payload("shout", "Shouts", short, |_ctx, city: City| async move { Ok(city.city.to_uppercase()) });
    let runner = toolkit.start().await.unwrap();
    let names = ["today", "read-number", "sell", "length", "number", "moon", "shout"];
    assert_eq!(runner.registration().accepted, names.map(|name| format!("fns__{name}")));
    let stop = runner.stop_handle();
    let running = tokio::spawn(runner);

    let described = agent.action("fns__today").await;
    assert_eq!(described["description"], "Today's weather in a city");
    assert_eq!(described["payloadSchema"]["properties"]["city"], json!({ "type": "string", "description": "Name of the city" }));
    assert_eq!(described["payloadSchema"]["required"], json!(["city"]));
    assert_eq!(described["resultSchema"]["properties"]["sky"]["description"], "Word for the sky");
    assert_eq!(described["annotations"], json!({ "readOnly": true }));
    let annotations = &agent.action("fns__read-number").await["annotations"];
    assert_eq!(*annotations, json!({ "destructive": false, "idempotent": true }));
    let described = agent.action("fns__length").await;
    assert_eq!(described["payloadSchema"]["properties"]["city"]["description"], "Name of the city");
    assert_eq!(described["annotations"], json!({ "readOnly": true }));
    assert_eq!(agent.action("fns__moon").await["payloadSchema"], json!({ "type": "object", "properties": {} }));
    assert_eq!(agent.action("fns__number").await["payloadSchema"], json!({ "type": "object", "properties": {} }));
    assert_eq!(agent.action("fns__shout").await["payloadSchema"]["required"], json!(["city"]));

    let clear = |degrees| json!({ "sky": "clear", "degrees": degrees });
    assert_eq!(agent.invoke("fns__today", json!({ "city": "Rome" })).await["result"], clear(21));
    assert_eq!(agent.invoke("fns__today", json!({ "city": "Rome", "unit": "Fahrenheit" })).await["result"], clear(70));
    assert_eq!(agent.invoke("fns__today", json!({ "city": "Oz" })).await["cause"]["code"], "CITY_UNKNOWN");
    assert_eq!(agent.invoke("fns__today", json!({ "city": 7 })).await["issues"][0]["path"], "/city");
    assert_eq!(agent.invoke("fns__read-number", json!({ "text": "12" })).await["result"], 12);
    for action in ["fns__read-number", "fns__number"] {
        assert_eq!(agent.invoke(action, json!({ "text": "x" })).await["cause"]["message"], "invalid digit found in string");
    }
    let sold = agent.invoke("fns__sell", json!({})).await;
    assert_eq!((&sold["result"], &sold["payment"]["charged"]), (&json!("sold"), &json!("0.03")));
    for call in 1..=2 {
        assert_eq!(agent.invoke("fns__length", json!({ "city": "Rome" })).await["result"], json!({ "letters": 4, "call": call }));
    }
    assert_eq!(agent.invoke("fns__moon", json!({})).await["result"], "full");
    // The service checks the short form, and serde the type of the payload.
    assert_eq!(agent.invoke("fns__shout", json!({ "city": "Rome" })).await["result"], "ROME");
    let misfit = agent.invoke("fns__shout", json!({ "city": "Rome", "unit": "Kelvin" })).await;
    assert_eq!(misfit["cause"]["code"], "INVALID_PAYLOAD");
    assert_eq!(misfit["cause"]["data"]["issues"][0]["path"], "/unit");

    stop.stop();
    soon("the end", running).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_definition_that_no_service_accepts_fails_the_start() {
    let service = Service::start("wrong-functions", &[]).await;
    let mut list = toolkit(&service, "list").await;
    list.add_fn("cities", "Counts cities", |_ctx, cities: Vec<String>| async move { Ok(cities.len()) });
    let error = list.start().await.unwrap_err().to_string();
    assert!(error.contains("cities") && error.contains("the payload of an action is an object"), "{error}");

    let mut spaces = toolkit(&service, "spaces").await;
    spaces.add_fn("two words", "Nothing", |_ctx, ()| async { Ok(()) });
    let error = spaces.start().await.unwrap_err().to_string();
    assert!(error.contains(r#""two words" is not a name of an action"#), "{error}");
}

/// A tree, whose schema refers to itself.
#[derive(Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    parts: Vec<Tree>,
}

/// Counts the parts of a tree
#[action]
async fn count(tree: Tree) -> Result<usize, ActionError> {
    fn parts(tree: &Tree) -> usize {
        tree.name.len().min(1) + tree.parts.iter().map(parts).sum::<usize>()
    }
    Ok(parts(&tree))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payload_may_contain_itself() {
    let service = Service::start("recursion", &[]).await;
    let mut toolkit = toolkit(&service, "trees").await;
    let runner = toolkit.add_action(count).start().await.unwrap();
    let stop = runner.stop_handle();
    let running = tokio::spawn(runner);
    let agent = service.agent().await;
    let tree = json!({ "name": "a", "parts": [{ "name": "b", "parts": [{ "name": "c" }] }] });
    assert_eq!(agent.invoke("trees__count", tree).await["result"], 3);
    let misfit = agent.invoke("trees__count", json!({ "name": "a", "parts": [{ "parts": [] }] })).await;
    assert_eq!(misfit["issues"][0]["path"], "/parts/0/name");
    stop.stop();
    soon("the end", running).await.unwrap().unwrap();
}
