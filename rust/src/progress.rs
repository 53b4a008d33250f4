use serde::{Deserialize, Serialize};

/// A report of progress: `Progress::new(1.0).total(2.0).message("half")`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// Grows with every report.
    pub progress: f64,
    /// The value of `progress` at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A message for people, at most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Progress {
    /// A report without a total.
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// Adds the value of `progress` at the end.
    #[must_use]
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Adds a message for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}
