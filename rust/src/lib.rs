//! Tools for AI agents, and toolkits that serve them. The wire: `docs/protocol.md` of svc-sdk.
mod environment;
mod error;
mod http;
mod json_text;
#[cfg(feature = "openai")]
mod openai;
#[cfg(feature = "rig")]
mod rig;
pub mod toolkit;
pub mod tools;

pub use error::{ErrorCode, SvcError};
pub use toolkit::{
    Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations, Payment, Progress, Runner, ToolkitInfo,
    ToolkitService,
};
pub use tools::{CallTool, SearchTools, ToolDefinition, Tools, get_tools};

// Tests inside of the crate share helpers with those outside.
#[cfg(test)]
extern crate self as svc_sdk;
