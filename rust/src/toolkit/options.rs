//! The developer's options of a toolkit, checked and completed from the environment.
//!
//! Errors: INVALID_KEY and WRONG_KEY_KIND for the key, INVALID_REQUEST for the rest. No message contains the key.
use super::{
    socket::Target,
    status::{StatusListener, WarningListener},
};
use crate::{
    ErrorCode, SvcError,
    environment::read_base_url,
    http::{build_client, client_builder},
};
use reqwest::Client;
use std::sync::OnceLock;

const MAX_CONCURRENCY: usize = 10_000;
const DEFAULT_CONCURRENCY: usize = 100;
const TOOLKIT_PATH: &str = "/v1/toolkit";

#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) api_key: String,
    pub(crate) base_url: Option<String>,
    pub(crate) concurrency: usize,
    pub(crate) skips_rejected: bool,
    pub(crate) on_status: Option<StatusListener>,
    pub(crate) on_warning: Option<WarningListener>,
}

impl Options {
    pub(crate) fn new(api_key: String) -> Self {
        Self { api_key, base_url: None, concurrency: DEFAULT_CONCURRENCY, skips_rejected: false, on_status: None, on_warning: None }
    }

    /// The address of the socket.
    pub(crate) fn target(&self) -> Result<Target, SvcError> {
        if !(1..=MAX_CONCURRENCY).contains(&self.concurrency) {
            let message = format!("concurrency is a number from 1 to {MAX_CONCURRENCY}, not {}", self.concurrency);
            return Err(SvcError::new(ErrorCode::InvalidRequest, message));
        }
        let api_key = check_key(&self.api_key)?;
        let url = format!("{}{TOOLKIT_PATH}", read_base_url(self.base_url.clone())?);
        Ok(Target { client: shared_client()?, url, api_key })
    }
}

/// One for all toolkits of the process, because their connections live in one runtime. It opens a connection for each request.
fn shared_client() -> Result<Client, SvcError> {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client.clone());
    }
    let client = build_client(client_builder()?.http1_only().pool_max_idle_per_host(0))?;
    Ok(CLIENT.get_or_init(|| client).clone())
}

fn check_key(text: &str) -> Result<String, SvcError> {
    let text = text.trim();
    if text.is_empty() {
        let message = "A toolkit needs a toolkit key: set SVC_TOOLKIT_API_KEY, or give it to ToolkitService::new";
        return Err(SvcError::new(ErrorCode::InvalidKey, message));
    }
    for kind in ["agent", "admin"] {
        if text.starts_with(&format!("svc_{kind}_")) {
            let message = format!("A toolkit needs a toolkit key (svc_toolkit_…); this is an {kind} key");
            return Err(SvcError::new(ErrorCode::WrongKeyKind, message));
        }
    }
    match text.strip_prefix("svc_toolkit_") {
        Some(secret) if !secret.is_empty() && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Ok(text.into()),
        _ => {
            let message = "The key is mistyped: a toolkit key is svc_toolkit_ and then letters and digits";
            Err(SvcError::new(ErrorCode::InvalidKey, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_key_is_refused_before_it_is_sent() {
        assert_eq!(check_key(" svc_toolkit_abc\n").unwrap(), "svc_toolkit_abc");
        let wrong = [
            ("", ErrorCode::InvalidKey),
            ("svc_toolkit_", ErrorCode::InvalidKey),
            ("svc_agent_s3cret", ErrorCode::WrongKeyKind),
            ("svc_admin_s3cret", ErrorCode::WrongKeyKind),
            ("svc_toolkit_s3-cret", ErrorCode::InvalidKey),
            ("sk-s3cret", ErrorCode::InvalidKey),
        ];
        for (key, code) in wrong {
            let error = check_key(key).unwrap_err();
            assert_eq!(error.code, code, "{key}");
            assert!(!error.message.contains("s3"), "{error}");
        }
    }

    #[test]
    fn the_socket_is_below_the_path_of_the_base_url() {
        let mut options = Options::new("svc_toolkit_abc".into());
        options.base_url = Some("https://example.com/svc/".into());
        assert_eq!(options.target().unwrap().url, "https://example.com/svc/v1/toolkit");
        options.base_url = Some("ftp://example.com".into());
        assert_eq!(options.target().unwrap_err().code, ErrorCode::InvalidRequest);
    }

    #[test]
    fn concurrency_is_1_to_10_000() {
        let mut options = Options::new("svc_toolkit_abc".into());
        for concurrency in [0, 10_001] {
            options.concurrency = concurrency;
            assert_eq!(options.target().unwrap_err().code, ErrorCode::InvalidRequest);
        }
        options.concurrency = 10_000;
        options.target().unwrap();
    }
}
