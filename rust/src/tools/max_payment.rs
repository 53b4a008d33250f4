//! The most that a call may cost.
use crate::{
    ErrorCode, SvcError,
    payment::{amount_problem, to_millionths},
};

/// The lowest of the amounts that are given.
///
/// Errors: INVALID_REQUEST for a text that is not an amount.
pub(super) fn lowest_amount<'a>(amounts: impl IntoIterator<Item = &'a String>) -> Result<Option<String>, SvcError> {
    let mut lowest: Option<&String> = None;
    for amount in amounts {
        if let Some(problem) = amount_problem("max_payment", amount) {
            return Err(SvcError::new(ErrorCode::InvalidRequest, problem));
        }
        if lowest.is_none_or(|least| to_millionths(amount) < to_millionths(least)) {
            lowest = Some(amount);
        }
    }
    Ok(lowest.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_amount_counts() {
        let lowest = |amounts: &[&str]| lowest_amount(&amounts.iter().map(|each| each.to_string()).collect::<Vec<_>>()).unwrap();
        assert_eq!(lowest(&[]), None);
        assert_eq!(lowest(&["0.05"]).as_deref(), Some("0.05"));
        assert_eq!(lowest(&["10", "9.5", "9.50"]).as_deref(), Some("9.5"));
        assert_eq!(lowest(&["0.000001", "999999999999.999999"]).as_deref(), Some("0.000001"));
    }

    #[test]
    fn texts_that_are_not_amounts_are_refused() {
        for text in ["", "1.", ".5", "01", "1e3", "-1", "+1", "0,05", "0.0000001", "1000000000000", " 1", "1\n", "0.05 USD", "١"] {
            assert_eq!(lowest_amount(&[text.to_owned()]).unwrap_err().code, ErrorCode::InvalidRequest, "{text:?}");
        }
    }
}
