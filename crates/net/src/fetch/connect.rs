//! From a URL to a stream: resolve once, judge, connect to what was judged, through the proxy if there is one, and TLS.

use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::plain_words;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use rustls_platform_verifier::BuilderVerifierExt;

use super::line::{Line, Watch};
use super::{Means, head};
use crate::error::Error;
use crate::url::WebUrl;

/// How many addresses of a host are tried.
const ADDRESSES: usize = 6;
/// How long the last address of a host has to take the connection.
const PATIENT: Duration = Duration::from_secs(10);
/// How long an address has when there is another one to try.
const BRISK: Duration = Duration::from_secs(3);

/// A stream on which HTTP is spoken.
#[derive(Debug)]
pub(super) enum Stream {
    /// As it is.
    Plain(Line),
    /// Inside TLS.
    Tls(Box<StreamOwned<ClientConnection, Line>>),
}

impl Means {
    /// Connects to the host of a URL.
    pub(super) fn connect(&self, url: &WebUrl, watch: &Watch) -> Result<Stream, Error> {
        let judged = self.judged(url)?;
        watch.check().map_err(|stopped| Error::stopped(url, stopped))?;
        let line = match &self.proxy {
            Some(proxy) => self.tunnel(proxy, url, &judged, watch)?,
            None => open_any(url, &judged, watch)?,
        };
        if url.is_secure() { self.secure(url, line, watch) } else { Ok(Stream::Plain(line)) }
    }

    /// The addresses of the host that may be connected to; an error when there are none.
    fn judged(&self, url: &WebUrl) -> Result<Vec<SocketAddr>, Error> {
        self.policy.judge_name(url)?;
        let mut refused = None;
        let mut judged = Vec::new();
        for address in self.addresses(url)? {
            // The port is the one of the URL, whatever a resolver says.
            match self.policy.judge(url, address.ip()) {
                Ok(()) => judged.push(SocketAddr::new(address.ip(), url.port())),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        judged.truncate(ADDRESSES);
        match refused {
            Some(error) if judged.is_empty() => Err(error),
            Some(_) | None => Ok(judged),
        }
    }

    fn addresses(&self, url: &WebUrl) -> Result<Vec<SocketAddr>, Error> {
        if let Some(ip) = url.ip() {
            return Ok(vec![SocketAddr::new(ip, url.port())]);
        }
        let no_host = |why: String| Error::NoHost { host: url.host().to_owned(), why };
        let found = self.resolver.resolve(url.host(), url.port()).map_err(|cause| no_host(cause.to_string()))?;
        if found.is_empty() { Err(no_host("the name has no address".to_owned())) } else { Ok(found) }
    }

    /// Has the proxy connect to an address that was judged, so that it resolves nothing itself.
    fn tunnel(&self, proxy: &WebUrl, url: &WebUrl, judged: &[SocketAddr], watch: &Watch) -> Result<Line, Error> {
        let hosts = self.addresses(proxy)?;
        let mut why = String::new();
        for address in judged {
            let mut line = open_any(proxy, &hosts, watch)?;
            let ask = format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n");
            line.write_all(ask.as_bytes()).map_err(|cause| failed(proxy, &cause, watch))?;
            let status = head::status_of_tunnel(&mut line, proxy, watch)?;
            if (200..300).contains(&status) {
                return Ok(line);
            }
            why = format!("the proxy {} refuses with status {status}", proxy.host());
        }
        Err(Error::Unreachable { host: url.host().to_owned(), port: url.port(), why })
    }

    fn secure(&self, url: &WebUrl, mut line: Line, watch: &Watch) -> Result<Stream, Error> {
        let tls = |why: String| Error::Tls { host: url.host().to_owned(), why };
        let config = self.tls.get_or_init(tls_config).as_ref().map_err(|why| tls(why.clone()))?;
        let name = match url.ip() {
            Some(ip) => ServerName::from(ip),
            None => ServerName::try_from(url.plain_host().to_owned()).map_err(|cause| tls(cause.to_string()))?,
        };
        let mut talk = ClientConnection::new(Arc::clone(config), name).map_err(|cause| tls(cause.to_string()))?;
        while talk.is_handshaking() {
            talk.complete_io(&mut line).map_err(|cause| {
                if cause.kind() == ErrorKind::TimedOut { failed(url, &cause, watch) } else { tls(plain_words(&cause)) }
            })?;
        }
        Ok(Stream::Tls(Box::new(StreamOwned::new(talk, line))))
    }
}

fn tls_config() -> Result<Arc<ClientConfig>, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier);
    let mut config = config.map_err(|cause| cause.to_string())?.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // A ticket would let a host know that it is the same program that comes back.
    config.resumption = Resumption::disabled();
    Ok(Arc::new(config))
}

fn open_any(url: &WebUrl, addresses: &[SocketAddr], watch: &Watch) -> Result<Line, Error> {
    let mut why = "it has no address".to_owned();
    for (at, address) in addresses.iter().enumerate() {
        watch.check().map_err(|stopped| Error::stopped(url, stopped))?;
        let usual = if at + 1 == addresses.len() { PATIENT } else { BRISK };
        match Line::open(*address, usual, watch) {
            Ok(line) => return Ok(line),
            Err(cause) => why = plain_words(&cause),
        }
    }
    watch.check().map_err(|stopped| Error::stopped(url, stopped))?;
    Err(Error::Unreachable { host: url.host().to_owned(), port: url.port(), why })
}

/// What an error of a stream means before anything of a body came.
pub(super) fn failed(url: &WebUrl, cause: &io::Error, watch: &Watch) -> Error {
    if cause.kind() == ErrorKind::TimedOut {
        return watch
            .check()
            .map_or_else(|stopped| Error::stopped(url, stopped), |()| Error::Timeout { host: url.host().to_owned() });
    }
    Error::io(url, plain_words(cause))
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(line) => line.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(line) => line.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(line) => line.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
