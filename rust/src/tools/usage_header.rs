//! The tokens that a model used, in the header `Svc-Usage`: `"gpt-6";id="u1";input=1200;cached=1024;output=86`.
//!
//! Source: docs/protocol.md, section 5, "Tokens of the model"; RFC 9651.
use crate::{ErrorCode, SvcError};

pub(super) const MAX_USAGE_CHARS: usize = 1_024;
pub(super) const MAX_USAGE_REPORTS: usize = 8;
const MAX_MODEL_CHARS: usize = 128;
const MAX_USAGE_TOKENS: u64 = 1_000_000_000;

/// Tokens that a model used: [`Tools::report_usage`](super::Tools::report_usage).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedUsage {
    model: String,
    input_tokens: u64,
    output_tokens: u64,
    cached_tokens: Option<u64>,
}

impl ReportedUsage {
    /// `model` is the model's name, as you want to see it in the records. `input_tokens` are all tokens of the input, those of the cache too.
    pub fn new(model: impl Into<String>, input_tokens: u64, output_tokens: u64) -> Self {
        Self { model: model.into(), input_tokens, output_tokens, cached_tokens: None }
    }

    /// The part of the input that the provider read from its cache.
    pub fn cached_tokens(mut self, tokens: u64) -> Self {
        self.cached_tokens = Some(tokens);
        self
    }

    /// One item of the header. `id` is unique for each report: a repeated one counts once.
    ///
    /// Errors: INVALID_REQUEST
    pub(super) fn to_item(&self, id: &str) -> Result<String, SvcError> {
        let Self { model, input_tokens, output_tokens, cached_tokens } = self;
        if model.is_empty() {
            return Err(invalid("model is the name of the model"));
        }
        let counts = [("input_tokens", *input_tokens), ("output_tokens", *output_tokens), ("cached_tokens", cached_tokens.unwrap_or(0))];
        if let Some((name, tokens)) = counts.into_iter().find(|(_, tokens)| *tokens > MAX_USAGE_TOKENS) {
            return Err(invalid(&format!("{name} is a whole number from 0 to {MAX_USAGE_TOKENS}, not {tokens}")));
        }
        if cached_tokens.is_some_and(|cached| cached > *input_tokens) {
            return Err(invalid("cached_tokens is a part of input_tokens, so it cannot be more"));
        }
        let mut item = String::from("\"");
        for char in model.chars().take(MAX_MODEL_CHARS) {
            if matches!(char, '"' | '\\') {
                item.push('\\');
            }
            item.push(if matches!(char, ' '..='~') { char } else { '?' });
        }
        let cached = cached_tokens.map(|tokens| format!(";cached={tokens}")).unwrap_or_default();
        Ok(format!("{item}\";id=\"{id}\";input={input_tokens}{cached};output={output_tokens}"))
    }
}

fn invalid(problem: &str) -> SvcError {
    SvcError::new(ErrorCode::InvalidRequest, format!("report_usage: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_headers_of_the_vectors_are_written() {
        let vector: Value = serde_json::from_str(include_str!("../../../test/vectors/usage.json")).unwrap();
        let written = vector["written"].as_array().unwrap();
        assert!(!written.is_empty());
        for case in written {
            let items = case["usage"].as_array().unwrap().iter().map(|report| {
                let tokens = |name: &str| report[name].as_u64();
                let model = report["model"].as_str().unwrap();
                let usage = ReportedUsage {
                    cached_tokens: tokens("cachedTokens"),
                    ..ReportedUsage::new(model, tokens("inputTokens").unwrap(), tokens("outputTokens").unwrap())
                };
                usage.to_item(report["id"].as_str().unwrap()).unwrap()
            });
            assert_eq!(items.collect::<Vec<_>>().join(", "), case["header"].as_str().unwrap());
        }
    }

    #[test]
    fn a_name_is_cut_and_loses_what_a_header_cannot_hold() {
        let item = ReportedUsage::new("größer 🚀\n", 1, 2).to_item("x").unwrap();
        assert_eq!(item, r#""gr??er ??";id="x";input=1;output=2"#);
        let long = ReportedUsage::new("m".repeat(200), 0, 0).to_item("x").unwrap();
        assert_eq!(long, format!(r#""{}";id="x";input=0;output=0"#, "m".repeat(128)));
    }

    #[test]
    fn a_wrong_report_says_what_is_wrong() {
        let refused = [
            (ReportedUsage::new("", 1, 1), "report_usage: model is the name of the model"),
            (
                ReportedUsage::new("m", 1_000_000_001, 1),
                "report_usage: input_tokens is a whole number from 0 to 1000000000, not 1000000001",
            ),
            (ReportedUsage::new("m", 1, u64::MAX), "output_tokens is a whole number from 0 to 1000000000"),
            (ReportedUsage::new("m", 1, 1).cached_tokens(2), "cached_tokens is a part of input_tokens, so it cannot be more"),
        ];
        for (usage, words) in refused {
            let error = usage.to_item("x").unwrap_err();
            assert!(error.code == ErrorCode::InvalidRequest && error.message.contains(words), "{error}");
        }
    }
}
