//! The caller's own rules about calls that its human approves, as the header `Svc-Ask`: `destructive, above=0.50`.
//!
//! The service asks about such a call as if a rule of the key did, with `decidedBy: "app"`.
//!
//! Source: docs/protocol.md, section 5.
use crate::{ErrorCode, SvcError, payment::amount_problem};

/// The calls that your user has to approve: `CallerAsk::default().destructive().above("0.50")`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallerAsk {
    always: bool,
    destructive: bool,
    above: Option<String>,
}

impl CallerAsk {
    /// Every call.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.always = true;
        self
    }

    /// Calls of actions that are declared destructive.
    #[must_use]
    pub fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    /// Calls of actions that may cost more than this amount, such as `0.50`.
    #[must_use]
    pub fn above(mut self, amount: impl Into<String>) -> Self {
        self.above = Some(amount.into());
        self
    }

    /// `None` for no rule.
    pub(super) fn header(&self) -> Result<Option<String>, SvcError> {
        if let Some(problem) = self.above.as_ref().and_then(|amount| amount_problem("above", amount)) {
            return Err(SvcError::new(ErrorCode::InvalidRequest, problem));
        }
        let above = self.above.as_ref().map(|amount| format!("above={amount}"));
        let words = [self.always.then(|| "always".into()), self.destructive.then(|| "destructive".into()), above];
        let words: Vec<String> = words.into_iter().flatten().collect();
        Ok((!words.is_empty()).then(|| words.join(", ")))
    }
}

/// The header of a request; `None` for a caller that asks about nothing.
///
/// Errors: INVALID_REQUEST for a text that is not an amount.
pub(super) fn ask_header(ask: Option<&CallerAsk>) -> Result<Option<String>, SvcError> {
    ask.map_or(Ok(None), CallerAsk::header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_a_word_for_each_rule() {
        let header = |ask: CallerAsk| ask.header().unwrap();
        assert_eq!(header(CallerAsk::default()), None);
        assert_eq!(header(CallerAsk::default().always()).as_deref(), Some("always"));
        assert_eq!(header(CallerAsk::default().above("0.50").destructive()).as_deref(), Some("destructive, above=0.50"));
        assert_eq!(CallerAsk::default().above("0,50").header().unwrap_err().code, ErrorCode::InvalidRequest);
    }
}
