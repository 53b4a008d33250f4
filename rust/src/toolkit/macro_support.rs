//! The names that the code of the macro `action` uses, besides the public ones.
pub use super::handler_output::HandlerOutput;
pub use serde_json::Value;
