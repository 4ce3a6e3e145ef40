//! What the web can refuse, and what is refused to it.

use std::fmt;
use std::net::IpAddr;

use readstone_base::{Class, Failure, Quoted, Stopped, Words};

use crate::place::Place;
use crate::url::WebUrl;

/// Why a page was not fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The host leads to an address that is not for pages.
    Blocked {
        /// The host, as connected to.
        host: String,
        /// The port.
        port: u16,
        /// The address it leads to; none when the name alone decides.
        address: Option<IpAddr>,
        /// What is there.
        place: Place,
        /// The URL that was asked for, when it redirected here.
        from: Option<String>,
    },
    /// Only what is listed may be fetched, and this is not.
    Unlisted {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// The URL that was asked for, when it redirected here.
        from: Option<String>,
    },
    /// The port is not one of the web.
    Port {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// The URL that was asked for, when it redirected here.
        from: Option<String>,
    },
    /// It is no URL that can be fetched.
    BadUrl {
        /// The URL.
        url: String,
        /// Why.
        why: String,
        /// The URL that was asked for, when it redirected here.
        from: Option<String>,
    },
    /// An entry of the list of allowed hosts is wrong.
    BadAllow {
        /// The entry.
        entry: String,
        /// Why.
        why: &'static str,
    },
    /// One redirect too many.
    Redirects {
        /// The URL that was asked for.
        url: String,
        /// Where the last one led.
        last: String,
        /// How many are followed.
        most: u32,
    },
    /// The head of the answer does not fit.
    Header {
        /// The host.
        host: String,
        /// What is too much.
        what: &'static str,
    },
    /// The time ended before anything of the page came.
    Timeout {
        /// The host.
        host: String,
    },
    /// The caller no longer wants it.
    Cancelled {
        /// The host.
        host: String,
    },
    /// No safe connection to the host.
    Tls {
        /// The host.
        host: String,
        /// What is wrong.
        why: String,
    },
    /// No connection to the host.
    Unreachable {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// What the system said.
        why: String,
    },
    /// Nothing has this name.
    NoHost {
        /// The host.
        host: String,
        /// What the system said.
        why: String,
    },
    /// The host answered wrongly or broke off.
    Io {
        /// The host.
        host: String,
        /// What happened.
        why: String,
    },
}

impl Error {
    pub(crate) fn bad_url(url: &str, why: String) -> Self {
        Self::BadUrl { url: url.to_owned(), why, from: None }
    }

    /// The same refusal of what a URL redirected to.
    pub(crate) fn redirected_from(mut self, asked: &WebUrl) -> Self {
        if let Self::Blocked { from, .. }
        | Self::Unlisted { from, .. }
        | Self::Port { from, .. }
        | Self::BadUrl { from, .. } = &mut self
        {
            *from = Some(asked.as_str().to_owned());
        }
        self
    }

    pub(crate) fn io(url: &WebUrl, why: impl Into<String>) -> Self {
        Self::Io { host: url.host().to_owned(), why: why.into() }
    }

    /// That nobody waits any longer for what a URL answers.
    pub fn stopped(url: &WebUrl, stopped: Stopped) -> Self {
        let host = url.host().to_owned();
        match stopped {
            Stopped::Cancelled => Self::Cancelled { host },
            Stopped::Deadline => Self::Timeout { host },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked { host, port, address, place, from } => {
                write!(f, "{}{} is not fetched: ", Quoted(host), Redirected(from.as_deref()))?;
                match address {
                    Some(address) if *host != bracketed(*address) => write!(f, "its address {address} is {place}")?,
                    Some(_) | None => write!(f, "it is {place}")?,
                }
                if *place == Place::Metadata {
                    return f.write_str(", which is never allowed");
                }
                // A name would allow whatever it leads to another time.
                let allow = address.map_or_else(|| host.clone(), bracketed);
                write!(f, "; whoever starts readstone can allow it with --allow-net {allow}:{port}")
            }
            Self::Unlisted { host, port, from } => write!(
                f,
                "{}{} is not fetched: only what is listed is; whoever starts readstone can list it with --allow-net \
                 {host}:{port}",
                Quoted(host),
                Redirected(from.as_deref())
            ),
            Self::Port { host, port, from } => write!(
                f,
                "port {port} of {}{} is not fetched: only 80 and 443 are; whoever starts readstone can allow it with \
                 --allow-net {host}:{port}",
                Quoted(host),
                Redirected(from.as_deref())
            ),
            Self::BadUrl { url, why, from } => {
                write!(f, "{}{} cannot be fetched: {}", Quoted(url), Redirected(from.as_deref()), Words(why))
            }
            Self::BadAllow { entry, why } => {
                write!(f, "{} is no host to allow: {why}; write {}", Quoted(entry), crate::allow::FORMS)
            }
            Self::Redirects { url, last, most } => {
                write!(f, "{} redirects more than {most} times, at last to {}", Quoted(url), Quoted(last))
            }
            Self::Header { host, what } => write!(f, "{} sends {what}", Quoted(host)),
            Self::Timeout { host } => write!(f, "{} sent nothing of the page in time", Quoted(host)),
            Self::Cancelled { host } => write!(f, "the call was cancelled while {} was asked", Quoted(host)),
            Self::Tls { host, why } => write!(f, "no safe connection to {}: {}", Quoted(host), Words(why)),
            Self::Unreachable { host, port, why } => {
                write!(f, "{} cannot be reached on port {port}: {}", Quoted(host), Words(why))
            }
            Self::NoHost { host, why } => write!(f, "the name {} leads to no address: {}", Quoted(host), Words(why)),
            Self::Io { host, why } => write!(f, "{} gave no usable answer: {}", Quoted(host), Words(why)),
        }
    }
}

/// Where a redirect began, behind what it led to.
struct Redirected<'a>(Option<&'a str>);

impl fmt::Display for Redirected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |from| write!(f, " (redirected from {})", Quoted(from)))
    }
}

/// An address as it stands in a URL.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Blocked { .. } => "net.blocked",
            Self::Unlisted { .. } => "net.unlisted",
            Self::Port { .. } => "net.port",
            Self::BadUrl { .. } => "net.bad_url",
            Self::BadAllow { .. } => "net.bad_allow",
            Self::Redirects { .. } => "net.redirects",
            Self::Header { .. } => "net.header",
            Self::Timeout { .. } => "net.timeout",
            Self::Cancelled { .. } => "net.cancelled",
            Self::Tls { .. } => "net.tls",
            Self::Unreachable { .. } => "net.unreachable",
            Self::NoHost { .. } => "net.no_host",
            Self::Io { .. } => "net.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Blocked { .. } | Self::Unlisted { .. } | Self::Port { .. } => Class::Denied,
            Self::BadUrl { .. } | Self::BadAllow { .. } => Class::Request,
            Self::Redirects { .. } | Self::Header { .. } => Class::TooBig,
            Self::Timeout { .. } | Self::Cancelled { .. } => Class::Stopped,
            Self::Tls { .. } | Self::Unreachable { .. } | Self::NoHost { .. } | Self::Io { .. } => Class::Outside,
        }
    }
}
