//! What can go wrong with the resources of other servers.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted, Stopped, Words};

/// A resource of another server that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    /// No server is called so.
    UnknownServer {
        /// The address.
        address: String,
        /// The servers there are.
        known: Vec<String>,
    },
    /// Several servers hold what an address without a server names.
    Several {
        /// The address.
        address: String,
        /// These servers.
        servers: Vec<String>,
        /// The resource.
        uri: String,
    },
    /// The server has no such resource.
    NotFound {
        /// The address.
        address: String,
        /// The servers that were asked.
        servers: Vec<String>,
        /// What the server said, where it said something.
        words: String,
        /// Addresses of resources that are called like it.
        near: Vec<String>,
    },
    /// The server failed.
    Failed {
        /// Its name.
        server: String,
        /// What is wrong, up to its own words.
        what: &'static str,
        /// Its words.
        words: String,
    },
    /// The time of the call ended before the server answered.
    Timeout {
        /// Its name.
        server: String,
        /// Which end it was.
        stopped: Stopped,
    },
    /// The server sent more than the limit allows.
    TooBig {
        /// The address.
        address: String,
        /// The limit.
        most: u64,
    },
    /// The server could not be started.
    NoStart {
        /// Its name.
        server: String,
        /// Why.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownServer { address, known } if known.is_empty() => {
                write!(
                    f,
                    "{} names no MCP server: none is configured ([mcp.NAME] with a command or a url)",
                    Quoted(address)
                )
            }
            Self::UnknownServer { address, known } => {
                write!(f, "{} names no MCP server; there are {}", Quoted(address), known.join(", "))
            }
            Self::Several { address, servers, .. } => {
                write!(f, "{} is a resource of several MCP servers: {}", Quoted(address), servers.join(", "))
            }
            Self::NotFound { address, servers, words, .. } => {
                write!(f, "{} is no resource of the MCP server {}", Quoted(address), servers.join(", "))?;
                said(f, words)
            }
            Self::Failed { server, what, words } => {
                write!(f, "the MCP server {} {what}", Quoted(server))?;
                said(f, words)
            }
            Self::Timeout { server, stopped: Stopped::Deadline } => {
                write!(f, "the time of the call ended before the MCP server {} answered", Quoted(server))
            }
            Self::Timeout { server, stopped: Stopped::Cancelled } => {
                write!(f, "the call was cancelled before the MCP server {} answered", Quoted(server))
            }
            Self::TooBig { address, most } => {
                write!(f, "{} is larger than the {most} bytes that fetch_bytes allows", Quoted(address))
            }
            Self::NoStart { server, why } => {
                write!(f, "the MCP server {} cannot be started: {}", Quoted(server), Words(why))
            }
        }
    }
}

fn said(f: &mut fmt::Formatter<'_>, words: &str) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, ": {}", Words(words)) }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::UnknownServer { .. } | Self::Several { .. } => "mcp.unknown_server",
            Self::NotFound { .. } => "mcp.not_found",
            Self::Failed { .. } => "mcp.failed",
            Self::Timeout { .. } => "mcp.timeout",
            Self::TooBig { .. } => "mcp.too_big",
            Self::NoStart { .. } => "mcp.no_start",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::UnknownServer { .. } | Self::Several { .. } => Class::Request,
            Self::NotFound { .. } => Class::Missing,
            Self::Failed { .. } | Self::NoStart { .. } => Class::Outside,
            Self::Timeout { .. } => Class::Stopped,
            Self::TooBig { .. } => Class::TooBig,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::UnknownServer { known, .. } if !known.is_empty() => vec![Next::read("mcp://")],
            Self::Several { servers, uri, .. } => {
                servers.iter().take(3).map(|server| Next::read(format!("mcp://{server}/{uri}"))).collect()
            }
            Self::NotFound { servers, near, .. } if near.is_empty() => {
                servers.iter().take(1).map(|server| Next::read(format!("mcp://{server}"))).collect()
            }
            Self::NotFound { near, .. } => near.iter().map(Next::read).collect(),
            Self::UnknownServer { .. }
            | Self::Failed { .. }
            | Self::Timeout { .. }
            | Self::TooBig { .. }
            | Self::NoStart { .. } => Vec::new(),
        }
    }
}
