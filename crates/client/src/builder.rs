//! How a client is set up.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Uri};

use crate::client::Client;
use crate::connect;
use crate::error::Error;
use crate::retry::Retries;
use crate::send::Line;

/// Sets up a [`Client`].
#[derive(Clone)]
#[must_use = "a client is made by build()"]
pub struct Builder {
    base: String,
    token: Option<String>,
    session: Option<String>,
    timeout: Duration,
    retries: Retries,
    max_body_bytes: usize,
}

/// A server ends a call after 20 seconds unless it is configured otherwise; its answer should still arrive.
const TIMEOUT: Duration = Duration::from_secs(30);
/// More than any reply of a server has that is configured as usual.
const BODY_BYTES: usize = 32 * 1024 * 1024;

/// The token is never shown.
impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("base", &without_user(&self.base))
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("session", &self.session)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .field("max_body_bytes", &self.max_body_bytes)
            .finish()
    }
}

impl Builder {
    pub(crate) fn new(base_url: &str) -> Self {
        Self {
            base: base_url.to_owned(),
            token: None,
            session: None,
            timeout: TIMEOUT,
            retries: Retries::default(),
            max_body_bytes: BODY_BYTES,
        }
    }

    /// The token that the server asks for.
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// The session in which the server remembers what it showed: up to 128 characters of ASCII without spaces. Without
    /// one, all that use the same token share a session.
    pub fn session(self, session: impl Into<String>) -> Self {
        Self { session: Some(session.into()), ..self }
    }

    /// How long a call may take with all its attempts: 30 seconds unless set.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How often a request is sent again after 429 or 502: 3 times unless set. A tool that changes something could do
    /// so twice when a proxy before the server answers 502; 0 rules that out.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries.count = retries;
        self
    }

    /// The longest pause before a request is sent again, whatever `Retry-After` says: 10 seconds unless set.
    pub fn longest_pause(mut self, pause: Duration) -> Self {
        self.retries.longest = pause;
        self
    }

    /// How many bytes of an answer are held: 32 MiB unless set. A longer answer is [`Error::TooLong`]; of one with an
    /// error status the rest is left off, and the status decides.
    pub fn max_body_bytes(self, bytes: usize) -> Self {
        Self { max_body_bytes: bytes, ..self }
    }

    /// The client, unless something it was set up with cannot be sent.
    pub fn build(self) -> Result<Client, Error> {
        let (base, scheme) = base(&self.base)?;
        let mut authorization = self.token.map(|token| header("the token", &format!("Bearer {token}"))).transpose()?;
        if let Some(value) = &mut authorization {
            value.set_sensitive(true);
        }
        let session = self.session.map(|session| header("the session", &session)).transpose()?;
        let line = Line {
            http: connect::client(scheme)?,
            base,
            authorization,
            session,
            timeout: self.timeout,
            retries: self.retries,
            max_body_bytes: self.max_body_bytes,
        };
        Ok(Client { line: Arc::new(line) })
    }
}

/// Whether TLS is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// No.
    Http,
    /// Yes.
    #[cfg(feature = "tls")]
    Https,
}

/// The URL that paths are appended to. What is wrong with it is said without repeating it: it may hold a password.
fn base(url: &str) -> Result<(String, Scheme), Error> {
    let invalid = |what: &str| Error::Invalid(format!("the base URL {what}"));
    let uri: Uri = url.parse().map_err(|_| invalid("is not a URL"))?;
    let scheme = match uri.scheme_str() {
        Some("http") => Scheme::Http,
        #[cfg(feature = "tls")]
        Some("https") => Scheme::Https,
        #[cfg(not(feature = "tls"))]
        Some("https") => return Err(invalid("is https, for which readstone-client needs its feature tls")),
        Some(_) | None => return Err(invalid("must begin with http:// or https://")),
    };
    let authority = uri.authority().filter(|authority| !authority.host().is_empty());
    let authority = authority.ok_or_else(|| invalid("names no host"))?;
    if authority.as_str().contains('@') {
        return Err(invalid("names a user; a token is given by Builder::token"));
    }
    if uri.query().is_some() || url.contains('#') {
        return Err(invalid("must end with its path"));
    }
    let path = uri.path().trim_end_matches('/');
    let scheme_name = uri.scheme_str().unwrap_or_default();
    Ok((format!("{scheme_name}://{authority}{path}"), scheme))
}

fn header(what: &str, value: &str) -> Result<HeaderValue, Error> {
    let sound = value.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control());
    let value = HeaderValue::from_str(value).ok().filter(|_| sound);
    value.ok_or_else(|| Error::Invalid(format!("{what} has characters that a header cannot carry")))
}

/// A URL without the user and password in it.
fn without_user(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => url.to_owned(),
    }
}
