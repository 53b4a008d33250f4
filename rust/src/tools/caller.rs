//! The end user and the conversation of the calls, as headers.
use super::ids::{MAX_CALLER_ID_CHARS, check_header_text};
use crate::{
    SvcError,
    http::{SESSION_ID_HEADER, USER_ID_HEADER},
};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

#[derive(Clone, Default)]
pub(super) struct Caller {
    pub user_id: Option<String>,
    pub session_id: Option<String>,
}

impl Caller {
    /// Errors: INVALID_REQUEST for an id that a header cannot hold.
    pub fn headers(&self) -> Result<HeaderMap, SvcError> {
        let mut headers = HeaderMap::new();
        for (option, name, id) in [("user_id", USER_ID_HEADER, &self.user_id), ("session_id", SESSION_ID_HEADER, &self.session_id)] {
            if let Some(id) = id {
                add_id(&mut headers, option, name, id)?;
            }
        }
        Ok(headers)
    }
}

/// Replaces the header.
pub(super) fn add_id(headers: &mut HeaderMap, option: &str, name: HeaderName, id: &str) -> Result<(), SvcError> {
    check_header_text(option, id, MAX_CALLER_ID_CHARS)?;
    if let Ok(value) = HeaderValue::try_from(id) {
        headers.insert(name, value);
    }
    Ok(())
}
