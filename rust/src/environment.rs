//! The environment variables and the address of the service.
//!
//! Errors: INVALID_REQUEST, INVALID_KEY, WRONG_KEY_KIND. No message quotes a value: by mistake it may be a key.
use crate::{ErrorCode, SvcError};
use reqwest::Url;

const DEFAULT_BASE_URL: &str = "http://127.0.0.1:8787";
const HAS_TLS: bool = cfg!(any(feature = "rustls", feature = "native-tls"));

/// `None` for an empty variable too.
pub(crate) fn from_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The address of the service, without a slash at its end. A path stays, for services behind a proxy.
pub(crate) fn read_base_url(option: Option<String>) -> Result<String, SvcError> {
    let text = option.or_else(|| from_environment("SVC_BASE_URL")).unwrap_or_else(|| DEFAULT_BASE_URL.into());
    let Some(url) = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
        let message = format!("base_url (or SVC_BASE_URL) is not an http(s) URL; write one such as {DEFAULT_BASE_URL}");
        return Err(SvcError::new(ErrorCode::InvalidRequest, message));
    };
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        let host = url.host_str().unwrap_or_default();
        let message = format!("base_url for {host} may have no user, password, query or fragment; the key is an option of its own");
        return Err(SvcError::new(ErrorCode::InvalidRequest, message));
    }
    if url.scheme() == "https" && !HAS_TLS {
        let message = "base_url has https, and svc-sdk was built without TLS: turn on its feature rustls or native-tls";
        return Err(SvcError::new(ErrorCode::InvalidRequest, message));
    }
    Ok(url.as_str().trim_end_matches('/').into())
}

/// An agent key or an agent token.
pub(crate) fn read_agent_key(option: Option<String>) -> Result<String, SvcError> {
    let key = option.or_else(|| from_environment("SVC_AGENT_API_KEY")).unwrap_or_default();
    let key = key.trim();
    if key.is_empty() {
        return Err(SvcError::new(
            ErrorCode::InvalidKey,
            "No agent key. Set SVC_AGENT_API_KEY or pass one; the operator of the service makes one with `npx svc-service keys create`",
        ));
    }
    for (kind, owner) in [("svc_toolkit_", "a toolkit"), ("svc_admin_", "an administrator")] {
        if key.starts_with(kind) {
            let message = format!("This is a key for {owner}; Tools needs an agent key, svc_agent_…");
            return Err(SvcError::new(ErrorCode::WrongKeyKind, message));
        }
    }
    // The wrong variable may hold another vendor's secret, which must not be sent.
    let secret = key.strip_prefix("svc_agent_").or_else(|| key.strip_prefix("svc_token_")).unwrap_or_default();
    if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(SvcError::new(
            ErrorCode::InvalidKey,
            "This is not an agent key: an agent key begins with svc_agent_, an agent token with svc_token_",
        ));
    }
    Ok(key.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_path_and_loses_its_slash() {
        assert_eq!(read_base_url(Some("http://localhost:8787/".into())).unwrap(), "http://localhost:8787");
        let with_tls = read_base_url(Some("https://example.com/svc/".into()));
        if HAS_TLS {
            assert_eq!(with_tls.unwrap(), "https://example.com/svc");
        } else {
            assert!(with_tls.unwrap_err().message.contains("turn on its feature rustls or native-tls"));
        }
    }

    #[test]
    fn a_wrong_address_is_refused_and_not_quoted() {
        for text in ["svc_agent_secret", "ftp://secret", "http://u:secret@h", "http://h?secret", "http://h#secret", "", "http:// secret"] {
            let error = read_base_url(Some(text.into())).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidRequest, "{text}");
            assert!(!error.message.contains("secret"), "{error}");
        }
    }
}
