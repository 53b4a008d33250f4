//! Tools for AI agents, and toolkits that serve them. The wire: `docs/protocol.md` of svc-sdk.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
mod calendar;
mod content;
mod credential;
mod environment;
mod error;
mod error_text;
mod hexadecimal;
mod http;
mod invisible_text;
mod json_text;
mod number_digits;
#[cfg(feature = "openai")]
mod openai;
#[cfg(any(test, doctest))]
mod pages;
mod payment;
mod progress;
#[cfg(feature = "rig")]
mod rig;
mod timestamp_json;
pub mod toolkit;
pub mod tools;
mod unicode_ranges;
mod utf16;

pub use content::{BlockDetails, ContentBlock, Resource, ResourceBody};
pub use credential::Credential;
pub use error::{ErrorCode, SvcError};
pub use payment::Payment;
pub use progress::Progress;
#[cfg(feature = "macros")]
pub use toolkit::action;
pub use toolkit::{
    Action, ActionAuth, ActionConnection, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, Annotations,
    Attachment, CancelReason, ConnectionSource, FnDefinition, IntoActionResult, Runner, ToolkitAuth, ToolkitInfo, ToolkitProfile,
    ToolkitService,
};
#[cfg(feature = "schemars")]
pub use toolkit::{schema_for, schema_for_result};
pub use tools::{CallTool, CodeTool, SearchTools, ToolDefinition, Tools, get_tools};

// Tests inside of the crate share helpers with the integration tests.
#[cfg(test)]
extern crate self as svc_sdk;

/// The code blocks of this page are doc tests.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../README.md")]
struct Readme;
