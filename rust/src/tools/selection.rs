//! The selection of tools for a model.

/// The tools for a model. By default `search_services` and `invoke_service`.
///
/// ```
/// use svc_sdk::tools::ToolSelection;
///
/// let selection = ToolSelection::default().static_actions(["weather__today"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSelection {
    pub(super) dynamic_tools: bool,
    pub(super) static_toolkits: Vec<String>,
    pub(super) static_actions: Vec<String>,
}

impl Default for ToolSelection {
    fn default() -> Self {
        Self { dynamic_tools: true, static_toolkits: Vec::new(), static_actions: Vec::new() }
    }
}

impl ToolSelection {
    /// `false` leaves out `search_services` and `invoke_service`.
    pub fn dynamic_tools(mut self, wanted: bool) -> Self {
        self.dynamic_tools = wanted;
        self
    }

    /// Toolkit ids, or `*` for all: each of their actions becomes a tool of its own.
    pub fn static_toolkits(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.static_toolkits = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Action ids that become tools of their own.
    pub fn static_actions(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.static_actions = ids.into_iter().map(Into::into).collect();
        self
    }
}
