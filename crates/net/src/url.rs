//! The address of a page: parsed once, as browsers do, and used as parsed for everything after.

use std::fmt;
use std::net::IpAddr;

use url::{Host, ParseError, Url};

use crate::error::Error;

/// An `http` or `https` URL without credentials and without its fragment, which is kept apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebUrl {
    url: Url,
    fragment: Option<String>,
}

impl WebUrl {
    /// Parses what a caller wrote; `www.` at its beginning stands for `https://www.`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let bare = text.trim_start();
        let www = bare.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("www."));
        let parsed = if www { Url::parse(&format!("https://{bare}")) } else { Url::parse(text) };
        let url = parsed.map_err(|cause| {
            let relative = cause == ParseError::RelativeUrlWithoutBase;
            let why =
                if relative { "it does not begin with http:// or https://".to_owned() } else { cause.to_string() };
            Error::bad_url(text, why)
        })?;
        Self::accept(url, text)
    }

    /// Parses what a page or a redirect wrote, relative to this URL.
    pub fn join(&self, text: &str) -> Result<Self, Error> {
        let url = self.url.join(text).map_err(|cause| Error::bad_url(text, cause.to_string()))?;
        Self::accept(url, text)
    }

    fn accept(mut url: Url, text: &str) -> Result<Self, Error> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::bad_url(text, format!("only http and https are fetched, not {}", url.scheme())));
        }
        let Some(host) = url.host_str() else {
            return Err(Error::bad_url(text, "it has no host".to_owned()));
        };
        if !url.username().is_empty() || url.password().is_some() {
            // The credentials themselves are not repeated: errors end up in logs.
            let why = "credentials are never sent; write it without what stands before the @".to_owned();
            return Err(Error::bad_url(&format!("{}://…@{host}", url.scheme()), why));
        }
        let fragment = url.fragment().map(str::to_owned);
        url.set_fragment(None);
        Ok(Self { url, fragment })
    }

    /// The whole URL without its fragment, in ASCII.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// What stood after `#`.
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Whether it is fetched over TLS.
    pub fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The host in ASCII: a name in punycode, an IPv4 address in four numbers, an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The address that is written as the host, if it is no name.
    pub fn ip(&self) -> Option<IpAddr> {
        match self.url.host() {
            Some(Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
            Some(Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
            Some(Host::Domain(_)) | None => None,
        }
    }

    /// The port that is connected to.
    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }

    /// The path, in ASCII; it begins with a slash.
    pub fn path(&self) -> &str {
        self.url.path()
    }

    /// What stands after `?`.
    pub fn query(&self) -> Option<&str> {
        self.url.query()
    }

    /// `scheme://host`, with the port when it is not the usual one.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.url.scheme(), self.authority())
    }

    /// `host`, with the port when it is not the usual one.
    pub(crate) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    /// The same URL with the fragment of the one that redirected to it, unless it has its own.
    pub(crate) fn inheriting(self, from: &Self) -> Self {
        let fragment = self.fragment.or_else(|| from.fragment.clone());
        Self { fragment, ..self }
    }

    /// The host as names are compared: without dots at its end.
    pub(crate) fn plain_host(&self) -> &str {
        self.host().trim_end_matches('.')
    }

    /// What a request asks the host for.
    pub(crate) fn target(&self) -> String {
        match self.query() {
            Some(query) => format!("{}?{query}", self.path()),
            None => self.path().to_owned(),
        }
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
