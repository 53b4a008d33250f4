//! Promises about an action, as in MCP.
use serde::{Deserialize, Serialize};

/// Hints for people and programs that decide whether to ask before a call, and for the service, which may run `idempotent` and
/// `read_only` calls again after a process is lost. `None`: no promise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ActionAnnotations {
    /// Changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// May destroy or overwrite something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// A second run with the same payload changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Reaches things outside of the toolkit's own data, such as the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}
