use reqwest::header::HeaderName;

pub(super) const IDEMPOTENCY_KEY_HEADER: HeaderName = HeaderName::from_static("idempotency-key");
pub(super) const TIMEOUT_HEADER: HeaderName = HeaderName::from_static("svc-timeout-ms");
/// RFC 7240.
pub(super) const PREFER_HEADER: HeaderName = HeaderName::from_static("prefer");
pub(super) const MAX_RESULT_CHARS_HEADER: HeaderName = HeaderName::from_static("svc-max-result-chars");
pub(super) const MAX_PAYMENT_HEADER: HeaderName = HeaderName::from_static("svc-max-payment");
pub(super) const ACTION_VERSION_HEADER: HeaderName = HeaderName::from_static("svc-action-version");
pub(super) const CALLER_HEADER: HeaderName = HeaderName::from_static("svc-caller");
pub(super) const ASK_HEADER: HeaderName = HeaderName::from_static("svc-ask");
pub(super) const SEARCH_ID_HEADER: HeaderName = HeaderName::from_static("svc-search-id");
pub(crate) const USER_ID_HEADER: HeaderName = HeaderName::from_static("svc-user-id");
pub(crate) const SESSION_ID_HEADER: HeaderName = HeaderName::from_static("svc-session-id");
pub(crate) const USAGE_HEADER: HeaderName = HeaderName::from_static("svc-usage");
pub(crate) const CONNECTIONS_HEADER: HeaderName = HeaderName::from_static("svc-connections");
pub(crate) const CONNECTION_NAMES_HEADER: HeaderName = HeaderName::from_static("svc-connection-names");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_header_is_in_the_protocol() {
        let protocol = include_str!("../../../docs/protocol.md").to_ascii_lowercase();
        let headers = [
            IDEMPOTENCY_KEY_HEADER,
            TIMEOUT_HEADER,
            PREFER_HEADER,
            MAX_RESULT_CHARS_HEADER,
            MAX_PAYMENT_HEADER,
            ACTION_VERSION_HEADER,
            SEARCH_ID_HEADER,
            CALLER_HEADER,
            ASK_HEADER,
            USER_ID_HEADER,
            SESSION_ID_HEADER,
            USAGE_HEADER,
            CONNECTIONS_HEADER,
            CONNECTION_NAMES_HEADER,
        ];
        for header in headers {
            assert!(protocol.contains(&format!("`{header}`")), "{header}");
        }
    }
}
