//! The settings of every HTTP client of the crate: no redirects, and TLS with the authorities of the system.
#[cfg(feature = "rustls")]
use super::tls::tls_config;
use crate::{ErrorCode, SvcError};
use reqwest::{Client, ClientBuilder, redirect::Policy};

/// A client without redirects: only the service may get the key.
///
/// Errors: INTERNAL if the system has no authorities.
pub(crate) fn client_builder() -> Result<ClientBuilder, SvcError> {
    let builder = Client::builder().redirect(Policy::none());
    #[cfg(feature = "rustls")]
    let builder = builder.tls_backend_preconfigured(tls_config().map_err(tls_failed)?);
    Ok(builder)
}

pub(crate) fn build_client(builder: ClientBuilder) -> Result<Client, SvcError> {
    builder.build().map_err(tls_failed)
}

fn tls_failed(error: impl std::fmt::Display) -> SvcError {
    SvcError::new(ErrorCode::Internal, format!("TLS cannot start: {error}"))
}
