//! Connections of `Tools` and `ToolkitService` with the real service.

use crate::{
    support::{connect_page::connect_by_form, example::Example, service::Service, waiting::soon},
    tools_support::wire_server::{Reply, WireServer},
};
use serde_json::{Value, json};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use svc_sdk::{
    ActionAuth, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, ConnectionSource, Credential, ErrorCode,
    ToolkitAuth, ToolkitService, Tools, toolkit::Action, tools::ToolsBuilder,
};

/// The header and the user of each call.
type Seen = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// Returns the token, as an API that echoes requests does.
struct List(Seen);

impl Action for List {
    const NAME: &'static str = "list";
    type Error = ActionError;
    type Args = ();
    type Output = Value;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "Lists the issues of an account".into(), ..Default::default() }
    }

    async fn call(&self, ctx: ActionContext, _: ActionParams<()>) -> Result<ActionResult<Value>, ActionError> {
        let connection = ctx.connection().unwrap();
        let sent = connection.headers()["authorization"].to_str().unwrap().to_owned();
        assert!(format!("{ctx:?}").contains("[connection]") && !format!("{ctx:?}").contains(&sent[7..]));
        self.0.lock().unwrap().push((sent.clone(), ctx.user_id.clone()));
        Ok(json!({ "sent": sent }).into())
    }
}

action!(Renew(Arc<AtomicUsize>), "renew", () => (), |this, ctx, _params| {
    this.0.fetch_add(1, Ordering::SeqCst);
    ctx.connection().unwrap().refused().await?;
    Ok(().into())
});

struct Version;

impl Action for Version {
    const NAME: &'static str = "version";
    type Error = ActionError;
    type Args = ();
    type Output = bool;

    async fn definition(&self) -> ActionDefinition {
        ActionDefinition { description: "The version of the API".into(), ..Default::default() }
    }

    fn auth(&self) -> ActionAuth {
        ActionAuth::NotNeeded
    }

    async fn call(&self, ctx: ActionContext, _: ActionParams<()>) -> Result<ActionResult<bool>, ActionError> {
        Ok(ctx.connection().is_some().into())
    }
}

async fn toolkit(service: &Service, auth: ToolkitAuth) -> ToolkitService {
    let mut toolkit = ToolkitService::new(service.create_key("toolkit", "github", &[]).await).base_url(&service.url).on_status(|_| {});
    toolkit.update_auth(Some(auth)).await.unwrap();
    toolkit
}

async fn client(service: &Service) -> ToolsBuilder {
    Tools::builder().api_key(service.create_key("agent", "app", &[]).await).base_url(&service.url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_user_of_an_app_acts_with_an_own_token_which_only_the_handler_has() {
    let service = Service::start("connections", &[]).await;
    let seen = Seen::default();
    let mut toolkit = toolkit(&service, ToolkitAuth::bearer(ConnectionSource::Caller).help("A GitHub token")).await;
    toolkit.add_action(List(seen.clone())).add_action(Version);
    let _running = tokio::spawn(toolkit.start().await.unwrap());
    let builder = client(&service).await.user_id("ann").connections(|toolkit, user| async move {
        let user = user.unwrap();
        Ok::<_, String>(if user == "eve" { None } else { Some(Credential::bearer(format!("tok-{toolkit}-{user}"))) })
    });
    let ann = builder.build().unwrap();
    let bob = ann.for_user("bob").build().unwrap();

    for tools in [&ann, &bob, &ann] {
        // The service hides the token that the handler returns.
        assert_eq!(tools.invoke("github__list", ()).await.unwrap().result, json!({ "sent": "Bearer [connection]" }));
    }
    let own = ann.invoke("github__list", ()).user_id("cid").connection(Credential::bearer("tok-own")).await.unwrap();
    assert_eq!(own.result, json!({ "sent": "Bearer [connection]" }));
    let user = |id: &str| Some(id.to_owned());
    let wanted = [("tok-github-ann", "ann"), ("tok-github-bob", "bob"), ("tok-github-ann", "ann"), ("tok-own", "cid")];
    assert_eq!(*seen.lock().unwrap(), wanted.map(|(token, id)| (format!("Bearer {token}"), user(id))));

    let error = ann.for_user("eve").build().unwrap().invoke("github__list", ()).await.unwrap_err();
    assert_eq!((&error.code, error.retryable), (&ErrorCode::ConnectionRequired, false), "{error}");
    assert_eq!(error.details["connect"], json!({ "toolkit": "github", "help": "A GitHub token" }));
    let error = ann.invoke("github__list", ()).connection(Credential::api_key("key")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionRequired, "{error}");
    assert_eq!(seen.lock().unwrap().len(), 4);
    assert_eq!(ann.invoke("github__version", ()).await.unwrap().result, false);

    // A toolkit that runs can change what it asks for.
    soon("the update", toolkit.update_auth(Some(ToolkitAuth::api_key(ConnectionSource::Caller)))).await.unwrap();
    let error = bob.invoke("github__list", ()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionRequired, "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_api_refuses_the_callers_token_ends_as_connection_required_and_frees_its_key() {
    let service = Service::start("refused", &[]).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let mut toolkit = toolkit(&service, ToolkitAuth::bearer(ConnectionSource::Caller)).await;
    toolkit.add_action(Renew(runs.clone()));
    let _running = tokio::spawn(toolkit.start().await.unwrap());
    let tools = client(&service).await.build().unwrap();
    for run in [1, 2] {
        let call = tools.invoke("github__renew", ()).connection(Credential::bearer("tok-old")).idempotency_key("order-1");
        let error = call.await.unwrap_err();
        assert_eq!((&error.code, &error.details["connect"]["toolkit"]), (&ErrorCode::ConnectionRequired, &json!("github")), "{error}");
        assert!(!format!("{error:?}").contains("tok-old"), "{error:?}");
        assert_eq!(runs.load(Ordering::SeqCst), run);
    }
}

#[tokio::test]
async fn the_issues_example_acts_with_the_account_of_each_user() {
    let api = WireServer::start(|request| match request.headers.get("authorization").map(String::as_str) {
        Some("Bearer tok-ann") => Reply::json(200, &json!(["Rain in Rome"])),
        Some("Bearer tok-bob") => Reply::json(200, &json!([])),
        _ => Reply::json(401, &json!({ "message": "Bad credentials" })),
    });
    let service = Service::start("issues", &[]).await;
    let key = service.create_key("toolkit", "issues", &[]).await;
    let mut running = Example::start("issues", &service.url, &key, &[("GITHUB_API", &api.url)]).await;
    let connections = |_, user: Option<String>| async move { Ok::<_, String>(user.map(|user| Credential::bearer(format!("tok-{user}")))) };
    let tools = client(&service).await.connections(connections).build().unwrap();
    for (user, issues) in [("ann", json!(["Rain in Rome"])), ("bob", json!([]))] {
        assert_eq!(tools.for_user(user).build().unwrap().invoke("issues__list", ()).await.unwrap().result, issues);
    }
    let error = tools.for_user("eve").build().unwrap().invoke("issues__list", ()).await.unwrap_err();
    assert_eq!((error.code, &error.details["connect"]["toolkit"]), (ErrorCode::ConnectionRequired, &json!("issues")));
    assert!(running.interrupt().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_the_service_cannot_make_is_refused_with_what_to_write() {
    let service = Service::start("asks", &[]).await;
    let without_endpoints = || ToolkitAuth::oauth2(ConnectionSource::User).scopes(["repo"]);
    let mut wrong = toolkit(&service, without_endpoints()).await;
    wrong.add_action(Version);
    let error = wrong.start().await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest, "{error}");
    assert!(error.message.contains("oauth2 needs authorizationUrl and tokenUrl, or server"), "{error}");

    let mut running = ToolkitService::new(service.create_key("toolkit", "maps", &[]).await).base_url(&service.url).on_status(|_| {});
    running.add_action(Version);
    let _runner = running.start().await.unwrap();
    let error = soon("the answer", running.update_auth(Some(without_endpoints()))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest, "{error}");
    soon("the answer", running.update_auth(Some(ToolkitAuth::api_key(ConnectionSource::Caller).in_query("key")))).await.unwrap();
    let tools = client(&service).await.build().unwrap();
    assert_eq!(tools.invoke("maps__version", ()).await.unwrap().result, false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_connects_an_account_on_the_page_and_the_call_goes_on() {
    let service = Service::start("page", &[]).await;
    let seen = Seen::default();
    let mut toolkit = toolkit(&service, ToolkitAuth::bearer(ConnectionSource::User).help("A GitHub token")).await;
    toolkit.add_action(List(seen.clone()));
    let _running = tokio::spawn(toolkit.start().await.unwrap());
    let app = client(&service).await.build().unwrap();
    let confirming = app.clone();
    let tools = app.for_user("ann").on_connection_required(move |required| {
        let app = confirming.clone();
        async move {
            assert_eq!((required.toolkit.as_str(), required.help.as_deref(), required.confirm), ("github", Some("A GitHub token"), true));
            let code = connect_by_form(&required.url, "github", "tok-ann").await;
            let confirmed = app.confirm_connection(code).user_id(required.user_id.unwrap()).await.unwrap();
            confirmed.name == "default"
        }
    });
    let tools = tools.build().unwrap();
    assert_eq!(tools.call("github__list", "{}").await, r#"{"sent":"Bearer [connection]"}"#);
    assert_eq!(*seen.lock().unwrap(), [("Bearer tok-ann".to_owned(), Some("ann".to_owned()))]);

    // Another user has no account, and the code of another user's page is not confirmed.
    let answer = app.for_user("bob").build().unwrap().answer_tool("github__list", "{}").await;
    assert_eq!(answer.error.unwrap().code, ErrorCode::ConnectionRequired);
    let page = app.connect_url(["github"]).user_id("bob").await.unwrap();
    let code = connect_by_form(&page.url, "github", "tok-eve").await;
    app.confirm_connection(code).user_id("ann").await.unwrap_err();
    let error = app.invoke("github__list", ()).user_id("bob").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionRequired, "{error}");
    assert_eq!(seen.lock().unwrap().len(), 1);
}
