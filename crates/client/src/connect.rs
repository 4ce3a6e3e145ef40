//! Connections to a server.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::builder::Scheme;
use crate::error::Error;

/// The HTTP client below ours: connections and the protocol, and nothing that is decided for us.
pub(crate) type Http = legacy::Client<Connector, Full<Bytes>>;

/// A server closes a connection that says nothing for 10 seconds; one that is about to be closed is not used any more.
const IDLE: Duration = Duration::from_secs(5);

/// Connections that are kept while nobody calls.
const MOST_IDLE: usize = 32;

pub(crate) fn client(scheme: Scheme) -> Result<Http, Error> {
    let mut plain = HttpConnector::new();
    plain.set_nodelay(true);
    let connector = connector(plain, scheme)?;
    let mut builder = legacy::Client::builder(TokioExecutor::new());
    builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).pool_max_idle_per_host(MOST_IDLE);
    Ok(builder.build(connector))
}

#[cfg(not(feature = "tls"))]
pub(crate) type Connector = HttpConnector;

#[cfg(not(feature = "tls"))]
#[expect(clippy::unnecessary_wraps, reason = "with TLS it can fail")]
fn connector(plain: HttpConnector, scheme: Scheme) -> Result<Connector, Error> {
    match scheme {
        Scheme::Http => Ok(plain),
    }
}

#[cfg(feature = "tls")]
pub(crate) type Connector = hyper_rustls::HttpsConnector<HttpConnector>;

#[cfg(feature = "tls")]
fn connector(mut plain: HttpConnector, scheme: Scheme) -> Result<Connector, Error> {
    use hyper_rustls::HttpsConnectorBuilder;
    use rustls::{ClientConfig, RootCertStore};

    plain.enforce_http(false);
    let failed = |what: &dyn std::fmt::Display| Error::Invalid(format!("TLS cannot be set up: {what}"));
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let builder = HttpsConnectorBuilder::new();
    let builder = match scheme {
        Scheme::Https => {
            builder.with_provider_and_platform_verifier(provider).map_err(|error| failed(&error))?.https_only()
        }
        // Trusts nobody and needs no roots of the system: it is never asked for TLS.
        Scheme::Http => {
            let config = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .map_err(|error| failed(&error))?
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth();
            builder.with_tls_config(config).https_or_http()
        }
    };
    Ok(builder.enable_http1().wrap_connector(plain))
}
