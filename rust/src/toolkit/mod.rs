//! The developer's side: actions, served over one outgoing WebSocket. Needs no inbound port.
//!
//! ```no_run
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//! use svc_sdk::toolkit::{Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, ToolkitInfo, ToolkitService};
//!
//! struct Today;
//!
//! #[derive(Deserialize)]
//! struct City {
//!     city: String,
//! }
//!
//! #[derive(Serialize)]
//! struct Weather {
//!     sky: &'static str,
//! }
//!
//! impl Action for Today {
//!     const NAME: &'static str = "today";
//!     type Error = ActionError;
//!     type Args = City;
//!     type Output = Weather;
//!
//!     async fn definition(&self) -> ActionDefinition {
//!         ActionDefinition {
//!             description: "Weather of today for a city".into(),
//!             payload: json!({ "city": { "type": "string", "required": true } }),
//!             payment: None,
//!         }
//!     }
//!
//!     async fn call(&self, _ctx: ActionContext, params: ActionParams<City>) -> Result<ActionResult<Weather>, ActionError> {
//!         match params.payload.city.as_str() {
//!             "Rome" => Ok(Weather { sky: "clear" }.into()),
//!             city => Err(ActionError::new("CITY_UNKNOWN", format!("No weather for {city}: ask for Rome"))),
//!         }
//!     }
//! }
//!
//! # async fn serve() -> Result<(), svc_sdk::SvcError> {
//! let mut service = ToolkitService::from_env();
//! service.update_info(ToolkitInfo { name: "Weather".into(), description: "Weather reports".into() }).await?;
//! service.add_action(Today);
//! service.start().await?.await
//! # }
//! ```
mod action;
mod action_connection;
mod action_error;
mod action_list;
mod attachment;
mod auth;
mod backoff;
mod cancellation;
mod confirmations;
mod connection;
mod connection_values;
mod context;
mod details;
mod erased_action;
mod event;
mod fault;
mod fn_action;
mod fn_definition;
mod frames;
mod generational_cache;
mod handler_output;
mod invocation;
mod invocations;
mod link;
mod list_registration;
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod macro_support;
mod options;
mod outcome;
mod payload;
mod profile;
mod random;
mod registrar;
mod registration;
mod runner;
mod runtime;
#[cfg(feature = "schemars")]
mod schema;
mod service;
mod service_link;
mod session;
mod shutdown;
mod socket;
mod status;
mod status_reporter;
mod wire;

pub use crate::{ContentBlock, Credential, Payment, Progress};
pub use action::{Action, ActionDefinition, ActionParams, ActionResult, Annotations};
pub use action_connection::ActionConnection;
pub use action_error::ActionError;
pub use attachment::{Attachment, Link};
pub use auth::{ActionAuth, ConnectionSource, ToolkitAuth};
pub use cancellation::CancelReason;
pub use context::ActionContext;
pub use details::ToolkitInfo;
pub use fn_definition::FnDefinition;
pub use handler_output::IntoActionResult;
pub use profile::ToolkitProfile;
pub use registration::{Finding, RegisteredToolkit, Registration, RejectedAction};
pub use runner::{Runner, StopHandle};
#[cfg(feature = "schemars")]
pub use schema::{schema_for, schema_for_result};
pub use service::ToolkitService;
pub use status::{CallWarning, ToolkitStatus};
/// Makes an action of an `async fn`: `add_action` takes the name of the function. Needs the feature `macros`.
///
/// The doc comment of the function is the description of the action. Its parameters are the [`ActionContext`] and the payload, a type with
/// `serde::Deserialize` and `schemars::JsonSchema`, or only one of them, or none. It returns a `Result` with any value that serializes, or with an
/// [`ActionResult`], and with an [`ActionError`] or any `std::error::Error`.
///
/// ```
/// use svc_sdk::toolkit::*;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct City {
///     /// Name of the city
///     city: String,
/// }
///
/// /// Today's weather in a city: degrees Celsius and a word for the sky
/// #[action(read_only)]
/// async fn today(city: City) -> Result<String, ActionError> {
///     Ok(format!("21, clear in {}", city.city))
/// }
///
/// ToolkitService::from_env().add_action(today);
/// ```
///
/// | option | meaning |
/// | --- | --- |
/// | `name = "…"` | the name of the action. Default: that of the function |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | promises, as in [`Annotations`]; `destructive = false` is one too |
/// | `result` | agents see the shape of the result, which derives `schemars::JsonSchema` |
/// | `long` | calls may take up to a day |
/// | `payment = "0.05"` | the most that one call costs |
/// | `auth = ActionAuth::NotNeeded` | the connection that the action needs, where it differs from its toolkit's |
///
/// An action with state, and one that reads the payment that is held, implements [`Action`]. A function without a description is an error:
///
/// ```compile_fail
/// # use svc_sdk::toolkit::*;
/// #[action]
/// async fn today() -> Result<(), ActionError> {
///     Ok(())
/// }
/// ```
///
/// So is a function that does not return a `Result`:
///
/// ```compile_fail
/// # use svc_sdk::toolkit::*;
/// /// The number of cities
/// #[action]
/// async fn cities() -> usize {
///     3
/// }
/// ```
#[cfg(feature = "macros")]
pub use svc_sdk_macros::action;
