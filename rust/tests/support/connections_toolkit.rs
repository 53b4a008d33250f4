//! The toolkit of test/vectors/toolkit-connections.json, with handlers of this SDK.
use super::fixture_toolkit::{Fixture, annotations, definition};
use serde_json::{Map, Value, json};
use std::time::UNIX_EPOCH;
use svc_sdk::{
    Action, ActionAuth, ActionConnection, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations, ErrorCode,
    SvcError, ToolkitService,
};

const FILE: &str = "toolkit-connections";

/// Adds the actions.
pub fn add_connections(service: &mut ToolkitService) {
    service.add_action(Show).add_action(Renew).add_action(Refuse).add_action(Relay).add_action(Open);
}

macro_rules! connected_action {
    ($type:ident, $name:literal, |$ctx:ident| $body:expr) => {
        struct $type;

        impl Action for $type {
            const NAME: &'static str = $name;
            type Error = ActionError;
            type Args = Value;
            type Output = Value;

            async fn definition(&self) -> ActionDefinition {
                definition(FILE, $name)
            }

            fn annotations(&self) -> Annotations {
                annotations(FILE, $name)
            }

            fn auth(&self) -> ActionAuth {
                match &Fixture::of(FILE).action($name)["auth"] {
                    Value::Null => ActionAuth::Toolkit,
                    Value::Bool(false) => ActionAuth::NotNeeded,
                    auth => ActionAuth::Scopes(serde_json::from_value(auth["scopes"].clone()).unwrap()),
                }
            }

            async fn call(&self, $ctx: ActionContext, _: ActionParams<Value>) -> Result<ActionResult<Value>, ActionError> {
                $body
            }
        }
    };
}

connected_action!(Show, "show", |ctx| Ok(shown(&ctx).into()));
connected_action!(Renew, "renew", |ctx| {
    let renewed = ctx.connection().unwrap().refused().await?;
    assert_eq!(renewed.token(), ctx.connection().unwrap().token());
    Ok(shown(&ctx).into())
});
connected_action!(Refuse, "refuse", |_ctx| Err(ActionError::new("CONNECTION_REQUIRED", "This account may not read")));
connected_action!(Relay, "relay", |_ctx| Err(SvcError::new(ErrorCode::ConnectionRequired, "Connect elsewhere").into()));
connected_action!(Open, "open", |ctx| Ok(json!({ "connected": ctx.connection().is_some() }).into()));

fn shown(ctx: &ActionContext) -> Value {
    ctx.connection().map_or_else(|| json!({}), |connection| members_of(&connection))
}

fn members_of(connection: &ActionConnection) -> Value {
    let kinds = [("bearer", connection.token()), ("basic", connection.username()), ("apiKey", connection.api_key())];
    let kind = kinds.into_iter().find(|(_, text)| text.is_some()).map(|(kind, _)| kind);
    let end = connection.expires_at().map(|time| time.duration_since(UNIX_EPOCH).unwrap().as_millis() as u64);
    let headers = connection.headers();
    let headers: Map<_, _> = headers.iter().map(|(name, value)| (wire_name(name.as_str()), value.to_str().unwrap().into())).collect();
    let mut shown = json!({
        "id": connection.id(), "type": kind, "token": connection.token(), "username": connection.username(), "password": connection.password(),
        "apiKey": connection.api_key(), "expiresAtMs": end, "account": connection.account(), "headers": headers,
        "printed": format!("{connection:?}"),
    });
    shown.as_object_mut().unwrap().retain(|_, member| !member.is_null());
    shown
}

/// `x-vault-key` is `X-Vault-Key` in the vectors.
fn wire_name(name: &str) -> String {
    let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect::<Vec<_>>().join("-")
}
