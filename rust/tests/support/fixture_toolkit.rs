//! The toolkit of the vectors, with handlers of this SDK.
use super::repository::vector;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use svc_sdk::{
    Payment,
    toolkit::{
        Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations, Attachment, Progress, ToolkitService,
    },
};
use tokio_util::sync::CancellationToken;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Handlers wait for the gate.
pub type Gate = CancellationToken;

/// A toolkit of the vectors: what it registers.
#[derive(Clone)]
pub struct Fixture {
    pub toolkit: Value,
    pub actions: Value,
}

impl Fixture {
    /// The toolkit and the actions in a file of test/vectors.
    pub fn of(file: &str) -> Self {
        let mut fixture = vector(file);
        let mut actions = fixture["actions"].take();
        for action in actions.as_array_mut().unwrap() {
            action.as_object_mut().unwrap().remove("handler");
        }
        Self { toolkit: fixture["toolkit"].take(), actions }
    }

    /// The same with some actions that take long.
    pub fn with_long(mut self, long: &[String]) -> Self {
        for action in self.actions.as_array_mut().unwrap() {
            if long.iter().any(|name| action["action"] == **name) {
                action["long"] = true.into();
            }
        }
        self
    }

    pub fn action(&self, name: &str) -> &Value {
        self.actions.as_array().unwrap().iter().find(|action| action["action"] == name).unwrap()
    }
}

/// Adds the actions, of which those in `long` take long. The gate releases `gate`.
pub fn add_fixture(service: &mut ToolkitService, long: &[String]) -> Gate {
    let gate = Gate::new();
    add(service, Echo, long);
    add(service, Fail, long);
    add(service, Report, long);
    add(service, Hang, long);
    add(service, Gated(gate.clone()), long);
    add(service, Tell, long);
    add(service, Show, long);
    add(service, Sell(gate.clone()), long);
    add(service, Erase, long);
    gate
}

fn add<A: Action>(service: &mut ToolkitService, action: A, long: &[String]) {
    if long.iter().any(|name| name == A::NAME) {
        service.add_action(Long(action))
    } else {
        service.add_action(action)
    };
}

/// An action that takes long.
struct Long<A>(A);

impl<A: Action> Action for Long<A> {
    const NAME: &'static str = A::NAME;
    type Error = A::Error;
    type Args = A::Args;
    type Output = A::Output;

    async fn definition(&self) -> ActionDefinition {
        self.0.definition().await
    }

    fn annotations(&self) -> Annotations {
        self.0.annotations()
    }

    fn long(&self) -> bool {
        true
    }

    async fn call(&self, ctx: ActionContext, params: ActionParams<A::Args>) -> Result<ActionResult<A::Output>, A::Error> {
        self.0.call(ctx, params).await
    }
}

/// Text, payload and price of an action of a file.
pub fn definition(file: &str, name: &str) -> ActionDefinition {
    let fixture = Fixture::of(file);
    let registration = fixture.action(name);
    ActionDefinition {
        description: registration["actionDescription"].as_str().unwrap().into(),
        payload: registration["payloadDescription"].clone(),
        payment: registration["payment"]["amount"].as_str().map(Payment::new),
    }
}

pub fn annotations(file: &str, name: &str) -> Annotations {
    let fixture = Fixture::of(file);
    let promise = |promise: &str| fixture.action(name)["annotations"][promise].as_bool();
    Annotations {
        read_only: promise("readOnly"),
        destructive: promise("destructive"),
        idempotent: promise("idempotent"),
        ..Annotations::default()
    }
}

macro_rules! fixture_action {
    ($type:ty, $name:literal, |$this:ident, $ctx:ident, $params:ident| $body:expr) => {
        impl Action for $type {
            const NAME: &'static str = $name;
            type Error = ActionError;
            type Args = Value;
            type Output = Value;

            async fn definition(&self) -> ActionDefinition {
                definition("fixture", $name)
            }

            fn annotations(&self) -> Annotations {
                annotations("fixture", $name)
            }

            async fn call(&self, $ctx: ActionContext, $params: ActionParams<Value>) -> Result<ActionResult<Value>, ActionError> {
                let $this = self;
                $body
            }
        }
    };
}

struct Echo;
struct Fail;
struct Report;
struct Hang;
struct Gated(Gate);
struct Tell;
struct Show;
struct Sell(Gate);
struct Erase;

fixture_action!(Echo, "echo", |_this, _ctx, params| Ok(params.payload.into()));
fixture_action!(Fail, "fail", |_this, _ctx, _params| Err(ActionError::new("NO_LUCK", "It failed").data(json!({ "dice": 1 }))));
fixture_action!(Report, "report", |_this, ctx, _params| {
    ctx.progress(Progress::new(1.0).total(2.0).message("half"));
    ctx.progress(Progress::new(2.0).total(2.0));
    Ok(json!("done").into())
});
fixture_action!(Hang, "hang", |_this, ctx, _params| {
    ctx.cancellation.cancelled().await;
    Ok(json!("stopped").into())
});
fixture_action!(Gated, "gate", |this, _ctx, _params| {
    this.0.cancelled().await;
    Ok(json!("passed").into())
});
fixture_action!(Tell, "tell", |_this, ctx, _params| Ok(json!({ "idempotencyKey": ctx.idempotency_key, "attempt": ctx.attempt }).into()));
fixture_action!(Show, "show", |_this, ctx, _params| {
    ctx.attach(Attachment::image(STANDARD.decode(PNG).unwrap(), "image/png"));
    ctx.attach(Attachment::file("table.csv", "text/csv", "a,b"));
    ctx.attach(Attachment::link("https://example.com/picture.png"));
    Ok(json!({ "width": 1 }).into())
});
fixture_action!(Sell, "sell", |this, _ctx, params| {
    if !params.payload["wait"].is_null() {
        this.0.cancelled().await;
    }
    Ok(ActionResult { payload: json!(params.payment), payment: Some(Payment::new("0.03")) })
});
fixture_action!(Erase, "erase", |_this, _ctx, _params| Ok(json!("erased").into()));
