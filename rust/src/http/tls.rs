//! The configuration of TLS by rustls. It names its provider of cryptography, so that none is installed for the whole process, and that of the
//! program does not matter.
use rustls::{ClientConfig, Error, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::{Arc, OnceLock};

/// One for the process: the authorities of the system are 100 kB, and reading them takes milliseconds.
pub(super) fn tls_config() -> Result<ClientConfig, Error> {
    static CONFIG: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = builder.with_safe_default_protocol_versions()?.with_platform_verifier()?.with_no_client_auth();
    Ok(CONFIG.get_or_init(|| config).clone())
}
