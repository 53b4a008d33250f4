//! Tools for AI agents, and toolkits that serve them. The wire: `docs/protocol.md` of svc-sdk.
#![forbid(unsafe_code)]
mod content;
mod error;
mod http;
mod payment;
pub mod toolkit;
pub mod tools;

pub use content::{ContentBlock, Resource, ResourceBody};
pub use error::{ErrorCode, SvcError};
pub use payment::Payment;
#[cfg(feature = "schemars")]
pub use toolkit::schema_for;
pub use toolkit::{
    Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations, Attachment, CancelReason, Progress,
    Runner, ToolkitInfo, ToolkitService,
};
pub use tools::{CallTool, SearchTools, ToolDefinition, Tools, get_tools};
