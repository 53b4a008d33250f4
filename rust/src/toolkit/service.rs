//! The toolkit developer's client: define actions, call `start()`, and agents can use them.
use super::{
    action::{Action, is_action_name},
    action_error::ActionError,
    auth::ToolkitAuth,
    context::ActionContext,
    details::{ToolkitDetails, ToolkitInfo},
    erased_action::{DefinedAction, ErasedAction},
    event::{Event, EventSender},
    fn_action::FnAction,
    fn_definition::FnDefinition,
    handler_output::IntoActionResult,
    options::Options,
    profile::ToolkitProfile,
    runner::Runner,
    runtime::connections,
    session::{Session, stopped_error},
    status::{CallWarning, ToolkitStatus},
};
use crate::{ErrorCode, SvcError, environment::from_environment};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use tokio::{runtime::Handle, sync::oneshot, task::JoinHandle};

/// Serves actions over one outgoing WebSocket, and reconnects after every loss of the connection.
pub struct ToolkitService {
    options: Options,
    details: ToolkitDetails,
    /// The actions, in the order of `add_action`.
    actions: Vec<(&'static str, Arc<dyn ErasedAction>)>,
    /// The queue of the running session.
    running: Option<EventSender>,
    /// The last change of the list of a running session.
    changes: Option<JoinHandle<()>>,
}

impl ToolkitService {
    /// A toolkit with this key, `svc_toolkit_…`. Opens no connection yet.
    pub fn new(api_key: impl Into<String>) -> Self {
        Self {
            options: Options::new(api_key.into()),
            details: ToolkitDetails::default(),
            actions: Vec::new(),
            running: None,
            changes: None,
        }
    }

    /// A toolkit with the key in `SVC_TOOLKIT_API_KEY`.
    pub fn from_env() -> Self {
        Self::new(from_environment("SVC_TOOLKIT_API_KEY").unwrap_or_default())
    }

    /// The address of the service. Default: `SVC_BASE_URL`, then `http://127.0.0.1:8787`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.options.base_url = Some(base_url.into());
        self
    }

    /// The invocations that run at a time, 1 to 10,000; further ones wait. Default: 100.
    #[must_use]
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.options.concurrency = concurrency;
        self
    }

    /// Serves the other actions when the service rejects some. Default: `start` fails with `INVALID_ACTION`.
    #[must_use]
    pub fn skip_rejected(mut self) -> Self {
        self.options.skips_rejected = true;
        self
    }

    /// Calls the function with every change of the connection. It must not block: it runs in the thread of the connection.
    ///
    /// Without a function, `tracing` logs a warning after 3 s without a connection, or stderr gets a line if no subscriber is set.
    #[must_use]
    pub fn on_status(mut self, listener: impl Fn(ToolkitStatus) + Send + Sync + 'static) -> Self {
        self.options.on_status = Some(Arc::new(listener));
        self
    }

    /// Calls the function with mistakes in calls that have ended, such as a charge that the service cannot read. It must not block.
    ///
    /// Without a function, they are warnings of `tracing`.
    #[must_use]
    pub fn on_warning(mut self, listener: impl Fn(CallWarning) + Send + Sync + 'static) -> Self {
        self.options.on_warning = Some(Arc::new(listener));
        self
    }

    /// Sets the name and the description. Before `start` they are sent with the registration. Later this returns when the service has
    /// accepted them, and waits for a connection if there is none.
    ///
    /// # Errors
    ///
    /// The service's own error when it refuses them; `CONNECTION_CLOSED` when the toolkit has ended.
    pub async fn update_info(&mut self, info: ToolkitInfo) -> Result<(), SvcError> {
        self.update(ToolkitDetails { info, ..ToolkitDetails::default() }).await
    }

    /// Sets README, icon, homepage, category and version: the toolkit's page for people. Before `start` they are sent with the registration. Later
    /// this returns when the service has accepted them, and waits for a connection if there is none.
    ///
    /// # Errors
    ///
    /// Those of `update_info`.
    pub async fn update_profile(&mut self, profile: ToolkitProfile) -> Result<(), SvcError> {
        self.update(ToolkitDetails { profile, ..ToolkitDetails::default() }).await
    }

    /// Sets the connection that the calls need, or none. Before `start` it is sent with the registration. Later this returns when the
    /// service has accepted it, and waits for a connection if there is none.
    ///
    /// # Errors
    ///
    /// Those of `update_info`.
    pub async fn update_auth(&mut self, auth: Option<ToolkitAuth>) -> Result<(), SvcError> {
        self.update(ToolkitDetails { auth: Some(auth), ..ToolkitDetails::default() }).await
    }

    async fn update(&mut self, details: ToolkitDetails) -> Result<(), SvcError> {
        match &self.running {
            None => self.details.merge(details),
            Some(events) if !details.is_empty() => {
                let (done, answer) = oneshot::channel();
                events.send(Event::Update { details: details.into(), done });
                return answer.await.unwrap_or_else(|_| Err(stopped_error()));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Adds an action, before `start` or while the toolkit runs. An invalid name is a compile error:
    ///
    /// ```compile_fail
    /// # use svc_sdk::toolkit::*;
    /// # struct Spaces;
    /// # impl Action for Spaces {
    /// const NAME: &'static str = "not a name";
    /// #     type Error = ActionError;
    /// #     type Args = ();
    /// #     type Output = ();
    /// #     async fn definition(&self) -> ActionDefinition { ActionDefinition::default() }
    /// #     async fn call(&self, _: ActionContext, _: ActionParams<()>) -> Result<ActionResult<()>, ActionError> { Ok(().into()) }
    /// # }
    /// # ToolkitService::new("svc_toolkit_a").add_action(Spaces);
    /// ```
    ///
    /// # Panics
    ///
    /// When the toolkit has an action of this name.
    pub fn add_action<A: Action>(&mut self, action: A) -> &mut Self {
        const { assert!(is_action_name(A::NAME), "the name of an action is 1 to 62 of A-Z a-z 0-9 _ -") };
        self.add(A::NAME, Arc::new(action))
    }

    /// Adds an action that is a function, before `start` or while the toolkit runs. Agents see the JSON Schema of the payload's type `P`, in
    /// which doc comments are descriptions.
    ///
    /// ```
    /// use svc_sdk::toolkit::{ActionError, ToolkitService};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City {
    ///     /// Name of the city
    ///     city: String,
    /// }
    ///
    /// let mut service = ToolkitService::from_env();
    /// service.add_fn("today", "Today's weather in a city", |_ctx, city: City| async move {
    ///     match city.city.as_str() {
    ///         "Atlantis" => Err(ActionError::new("CITY_UNKNOWN", "Atlantis has no weather station")),
    ///         city => Ok(format!("21 °C in {city}")),
    ///     }
    /// });
    /// ```
    ///
    /// `definition` is a description, or a [`FnDefinition`] with more. The operator `?` makes an [`ActionError`] of any `std::error::Error`. Blocking
    /// work belongs into `tokio::task::spawn_blocking`. A payload that is not an object and an invalid name fail `start` with `INVALID_ACTION`.
    ///
    /// # Panics
    ///
    /// When the toolkit has an action of this name.
    #[cfg(feature = "schemars")]
    pub fn add_fn<P, F, Run, T>(&mut self, name: &'static str, definition: impl Into<FnDefinition>, handler: F) -> &mut Self
    where
        P: DeserializeOwned + schemars::JsonSchema + Send + 'static,
        F: Fn(ActionContext, P) -> Run + Send + Sync + 'static,
        Run: Future<Output = Result<T, ActionError>> + Send + 'static,
        T: IntoActionResult,
    {
        self.add_fn_with_payload(name, definition, super::schema::payload_schema_for::<P>(), handler)
    }

    /// Adds an action that is a function, as `add_fn` of the feature `schemars`, with a description of its payload: a JSON Schema, the short form,
    /// or a text. `Value::Null`: any object is valid.
    ///
    /// ```
    /// # #[derive(serde::Deserialize)]
    /// # struct City { city: String }
    /// # let mut service = svc_sdk::toolkit::ToolkitService::from_env();
    /// let payload = serde_json::json!({ "city": { "type": "string", "required": true } });
    /// service.add_fn_with_payload("today", "Today's weather in a city", payload, |_ctx, city: City| async move { Ok(city.city) });
    /// ```
    ///
    /// # Panics
    ///
    /// When the toolkit has an action of this name.
    pub fn add_fn_with_payload<P, F, Run, T>(
        &mut self,
        name: &'static str,
        definition: impl Into<FnDefinition>,
        payload: impl Into<Value>,
        handler: F,
    ) -> &mut Self
    where
        P: DeserializeOwned + Send + 'static,
        F: Fn(ActionContext, P) -> Run + Send + Sync + 'static,
        Run: Future<Output = Result<T, ActionError>> + Send + 'static,
        T: IntoActionResult,
    {
        self.add(name, Arc::new(FnAction::new(definition.into(), payload.into(), handler)))
    }

    fn add(&mut self, name: &'static str, action: Arc<dyn ErasedAction>) -> &mut Self {
        let is_taken = self.actions.iter().any(|(each, _)| *each == name);
        assert!(!is_taken, "There is an action {name:?} already; give this one another name");
        self.actions.push((name, action.clone()));
        self.change(async move { Event::Added(DefinedAction::new(name, action).await) });
        self
    }

    /// Removes an action. Agents cannot call it any more; running calls continue. False if there is no such action.
    pub fn remove_action(&mut self, name: &str) -> bool {
        let before = self.actions.len();
        self.actions.retain(|(each, _)| *each != name);
        let is_removed = self.actions.len() < before;
        if is_removed {
            let name = name.to_owned();
            self.change(async move { Event::Removed(name) });
        }
        is_removed
    }

    /// Notifies a running session, after all earlier changes.
    fn change(&mut self, event: impl Future<Output = Event> + Send + 'static) {
        let Some(events) = self.running.clone() else { return };
        let former = self.changes.take();
        self.changes = Some(tokio::spawn(async move {
            if let Some(former) = former {
                let _ = former.await;
            }
            events.send(event.await);
        }));
    }

    /// Connects and registers, with retries until the service accepts the actions. Then the runner serves, in the runtime of this call.
    ///
    /// # Errors
    ///
    /// An error that no retry can correct: `INVALID_KEY`, `KEY_REVOKED` and the like; `INVALID_ACTION` with all actions that the
    /// service rejected; `INVALID_REQUEST` for wrong options, outside a tokio runtime, and for a second start.
    pub async fn start(&mut self) -> Result<Runner, SvcError> {
        if self.running.is_some() {
            return Err(invalid("The toolkit was started already: create another ToolkitService"));
        }
        let handlers = Handle::try_current().map_err(|_| invalid("A toolkit runs in a tokio runtime: use #[tokio::main]"))?;
        let target = self.options.target()?;
        let mut actions = Vec::with_capacity(self.actions.len());
        for (name, action) in &self.actions {
            actions.push(DefinedAction::new(name, action.clone()).await?);
        }
        let connections = connections()
            .map_err(|error| SvcError::new(ErrorCode::Internal, format!("The thread of the connections did not start: {error}")))?;

        let (events, queue) = EventSender::new();
        let (ready, registered) = oneshot::channel();
        let session = Session::new(&self.options, target, actions, self.details.clone(), handlers, (events.clone(), queue), ready);
        let session = connections.spawn(session.run());
        self.running = Some(events.clone());
        // If the future of this function is dropped before the registration, the session ends.
        let abandon = AbandonOnDrop(Some(events.clone()));
        let registration = registered.await.unwrap_or_else(|_| Err(stopped_error()))?;
        abandon.keep();
        Ok(Runner { session, registration, events })
    }
}

struct AbandonOnDrop(Option<EventSender>);

impl AbandonOnDrop {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        if let Some(events) = &self.0 {
            events.send(Event::Abandoned);
        }
    }
}

fn invalid(message: &str) -> SvcError {
    SvcError::new(ErrorCode::InvalidRequest, message)
}
