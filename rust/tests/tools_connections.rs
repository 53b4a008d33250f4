//! test/vectors/connections.json, played by `Tools` against a server with scripted answers.

use crate::tools_support::{
    Bindings, KEY,
    client_steps::play_clients,
    fill_in,
    playing::{credential_of, names_of},
    vector,
    wire_server::{Reply, WireServer},
};
use serde_json::{Value, json};
use svc_sdk::{
    Credential, ErrorCode,
    tools::{Tools, ToolsBuilder},
};

fn done() -> Reply {
    Reply::json(200, &json!({ "invocationId": "inv_1", "result": "done" }))
}

fn client(server: &WireServer) -> ToolsBuilder {
    Tools::builder().api_key(KEY).base_url(&server.url)
}

fn name_of(case: &Value) -> &str {
    case["name"].as_str().unwrap()
}

#[tokio::test]
async fn a_credential_has_the_header_of_the_vectors() {
    let vectors = vector("connections");
    let cases = vectors["credentials"].as_array().unwrap();
    let mut played = 0;
    for case in cases {
        let filled = fill_in(&case["credential"], &mut Bindings::new());
        let Some(credential) = credential_of(&filled) else { continue };
        played += 1;
        let server = WireServer::start(|_| done());
        let tools = client(&server).build().unwrap();
        let action = format!("{}__list", case["toolkit"].as_str().unwrap());
        let outcome = tools.invoke(&action, ()).connection(credential).await;
        let received = server.received();
        match case["header"].as_str() {
            Some(header) => assert_eq!(received[0].headers["svc-connections"], header, "{}", name_of(case)),
            None => {
                let error = outcome.unwrap_err();
                assert_eq!((error.code, received.len()), (ErrorCode::InvalidRequest, 0), "{}", name_of(case));
                assert!(!error.message.contains("secr"), "{}", error.message);
            }
        }
    }
    assert!(played > 12);
}

#[tokio::test]
async fn names_of_connections_have_the_header_of_the_vectors() {
    for case in vector("connections")["choices"].as_array().unwrap() {
        let server = WireServer::start(|_| done());
        let names = names_of(&fill_in(&case["connectionNames"], &mut Bindings::new()));
        match client(&server).connection_names(names).build() {
            Ok(tools) => {
                tools.invoke("github__list", ()).await.unwrap();
                let received = server.received();
                let header = received[0].headers.get("svc-connection-names").map(String::as_str);
                assert_eq!(header, case["header"].as_str(), "{}", name_of(case));
                assert_eq!(case["error"], Value::Null, "{}", name_of(case));
            }
            Err(error) => assert_eq!((error.code, &case["error"]), (ErrorCode::InvalidRequest, &json!(true)), "{}", name_of(case)),
        }
    }
}

#[tokio::test]
async fn tools_finds_the_connections_of_its_calls_like_the_vectors() {
    play_clients(vector("connections")["clients"].as_array().unwrap()).await;
}

#[test]
fn a_credential_is_in_no_debug_output() {
    let credential = [Credential::bearer("s3cret"), Credential::basic("s3cret", "s3cret"), Credential::api_key("s3cret")];
    assert_eq!(format!("{credential:?}"), "[[connection], [connection], [connection]]");
}

#[tokio::test]
async fn the_error_of_a_failed_connections_function_names_the_toolkit_and_not_the_reason() {
    let body = json!({ "code": "CONNECTION_REQUIRED", "detail": "Connect", "connect": { "toolkit": "github" } });
    let server = WireServer::start(move |_| Reply::json(403, &body));
    let tools = client(&server).connections(|_, _| async { Err("no vault") }).build().unwrap();
    let error = tools.invoke("github__list", ()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionRequired);
    assert_eq!(error.message, "The application could not connect an account of \"github\": connections failed");
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn an_option_for_a_toolkit_needs_an_action_id_and_a_page_needs_a_user() {
    let server = WireServer::start(|_| done());
    let tools = client(&server).build().unwrap();
    let refused = [
        tools.invoke("list", ()).connection(Credential::bearer("tok")).await.unwrap_err(),
        tools.invoke("list", ()).connection_name("work").await.unwrap_err(),
        tools.invoke("github__list", ()).user_id("two words").await.unwrap_err(),
        tools.connect_url(["github"]).await.unwrap_err(),
        tools.confirm_connection("K7Q2M9XW4T").await.unwrap_err(),
        tools.for_user("two words").build().unwrap_err(),
    ];
    assert!(refused.iter().all(|error| error.code == ErrorCode::InvalidRequest), "{refused:?}");
    assert_eq!(server.received().len(), 0);
}
