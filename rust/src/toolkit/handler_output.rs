//! The values that functions may return.
use super::action::ActionResult;
#[cfg(feature = "macros")]
use super::action_error::ActionError;
use serde::Serialize;

/// The result of an action that is a function: any value that serializes, or an [`ActionResult`] with a charge.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be the result of an action", note = "derive `serde::Serialize` for the result")]
pub trait IntoActionResult {
    /// The value.
    type Output: Serialize + Send;

    /// The value, and its charge if there is one.
    fn into_action_result(self) -> ActionResult<Self::Output>;
}

impl<T: Serialize + Send> IntoActionResult for T {
    type Output = T;

    fn into_action_result(self) -> ActionResult<T> {
        self.into()
    }
}

impl<T: Serialize + Send> IntoActionResult for ActionResult<T> {
    type Output = T;

    fn into_action_result(self) -> Self {
        self
    }
}

/// The types in what a function with the attribute `action` returns.
#[cfg(feature = "macros")]
#[diagnostic::on_unimplemented(
    message = "an action cannot return `{Self}`",
    note = "return `Result<T, ActionError>`, or a `Result` with any `std::error::Error`; `T` derives `serde::Serialize`"
)]
pub trait HandlerOutput {
    /// The value.
    type Output: Serialize + Send;
    /// The error.
    type Error: Into<ActionError> + Send;

    /// The value with its charge, or the error.
    fn into_result(self) -> Result<ActionResult<Self::Output>, Self::Error>;
}

#[cfg(feature = "macros")]
impl<T: IntoActionResult, E: Into<ActionError> + Send> HandlerOutput for Result<T, E> {
    type Output = T::Output;
    type Error = E;

    fn into_result(self) -> Result<ActionResult<T::Output>, E> {
        self.map(T::into_action_result)
    }
}
