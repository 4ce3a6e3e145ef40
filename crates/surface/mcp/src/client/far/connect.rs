//! Connections to servers at URLs. They are of the operator's own configuration: any address will do.

use bytes::Bytes;
use http::{HeaderValue, Uri};
use http_body_util::Full;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::super::connection::Trouble;

/// The HTTP client below ours: no cookies, and no redirects.
pub(super) type Http = legacy::Client<Connector, Full<Bytes>>;

/// How we call ourselves.
pub(super) const AGENT: HeaderValue = HeaderValue::from_static(concat!("readstone/", env!("CARGO_PKG_VERSION")));

/// A client for a URL.
pub(super) fn client(uri: &Uri) -> Result<Http, Trouble> {
    let mut plain = HttpConnector::new();
    plain.set_nodelay(true);
    let connector = match uri.scheme_str() {
        Some("http") => without_tls(plain)?,
        Some("https") => with_tls(plain)?,
        Some(_) | None => return Err(Trouble::Unreachable("its URL is neither http:// nor https://".to_owned())),
    };
    Ok(legacy::Client::builder(TokioExecutor::new()).build(connector))
}

#[cfg(not(feature = "tls"))]
type Connector = HttpConnector;

#[cfg(not(feature = "tls"))]
#[expect(clippy::unnecessary_wraps, reason = "with TLS it can fail")]
fn without_tls(plain: HttpConnector) -> Result<Connector, Trouble> {
    Ok(plain)
}

#[cfg(not(feature = "tls"))]
fn with_tls(_: HttpConnector) -> Result<Connector, Trouble> {
    Err(Trouble::Unreachable("this program was built without TLS for MCP servers".to_owned()))
}

#[cfg(feature = "tls")]
type Connector = hyper_rustls::HttpsConnector<HttpConnector>;

/// Trusts nobody and needs no roots of the system: it is never asked for TLS.
#[cfg(feature = "tls")]
fn without_tls(plain: HttpConnector) -> Result<Connector, Trouble> {
    let config = rustls::ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(&error))?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let builder = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(config).https_or_http();
    Ok(builder.enable_http1().wrap_connector(plain))
}

#[cfg(feature = "tls")]
fn with_tls(mut plain: HttpConnector) -> Result<Connector, Trouble> {
    plain.enforce_http(false);
    let builder = hyper_rustls::HttpsConnectorBuilder::new();
    let builder = builder.with_provider_and_platform_verifier(provider()).map_err(|error| failed(&error))?;
    Ok(builder.https_only().enable_http1().wrap_connector(plain))
}

#[cfg(feature = "tls")]
fn provider() -> std::sync::Arc<rustls::crypto::CryptoProvider> {
    std::sync::Arc::new(rustls::crypto::ring::default_provider())
}

#[cfg(feature = "tls")]
fn failed(what: &dyn std::fmt::Display) -> Trouble {
    Trouble::Unreachable(format!("TLS cannot be set up: {what}"))
}
