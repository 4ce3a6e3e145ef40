//! What could not be fetched, where the address only led there.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted};
use readstone_net::{Error, WebUrl};

/// Something that an address led to could not be fetched.
#[derive(Debug)]
pub(crate) struct LedThere {
    asked: String,
    cause: Error,
}

impl LedThere {
    /// The failure of asking for an address: it must say when it is another place that failed.
    pub(crate) fn fault(asked: &WebUrl, cause: Error) -> Fault {
        let own = |host: &str, port: u16| host == asked.host() && port == asked.port();
        let elsewhere = match &cause {
            Error::Blocked { host, port, .. } | Error::Port { host, port } | Error::Unreachable { host, port, .. } => {
                !own(host, *port)
            }
            Error::BadUrl { url, .. } => url != asked.as_str(),
            Error::Header { host, .. }
            | Error::Timeout { host }
            | Error::Tls { host, .. }
            | Error::NoHost { host, .. }
            | Error::Io { host, .. } => host != asked.host(),
            Error::BadAllow { .. } | Error::Redirects { .. } | Error::Cancelled { .. } => false,
        };
        if elsewhere { Box::new(Self { asked: asked.as_str().to_owned(), cause }) } else { Box::new(cause) }
    }
}

impl fmt::Display for LedThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} redirects elsewhere: {}", Quoted(&self.asked), self.cause)
    }
}

impl std::error::Error for LedThere {}

impl Failure for LedThere {
    fn code(&self) -> &'static str {
        self.cause.code()
    }

    fn class(&self) -> Class {
        self.cause.class()
    }

    fn next(&self) -> Vec<Next> {
        self.cause.next()
    }
}
