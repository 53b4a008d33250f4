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
mod frames;
mod generational_cache;
mod invocation;
mod invocations;
mod link;
mod list_registration;
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
pub use profile::ToolkitProfile;
pub use registration::{Finding, RegisteredToolkit, Registration, RejectedAction};
pub use runner::{Runner, StopHandle};
#[cfg(feature = "schemars")]
pub use schema::{schema_for, schema_for_result};
pub use service::ToolkitService;
pub use status::{CallWarning, ToolkitStatus};
