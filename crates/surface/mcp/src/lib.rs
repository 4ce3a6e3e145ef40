//! Readstone as an MCP server, on standard input and output or behind an HTTP server; and the resources of other MCP
//! servers as addresses.
//!
//! Everything here is translation: tools come from the desk's toolbox, replies become content blocks with the receipt
//! beside them, addresses are resources. The kit behind it speaks every revision of the protocol.

#![expect(deprecated, reason = "the newest revision drops logging and roots, older clients still use them")]

mod caller;
mod client;
mod content;
mod http;
mod lines;
mod roots;
mod rpc;
mod server;
mod sessions;
mod stdio;
mod watch;

pub use client::{McpScheme, McpServer};
pub use http::{HttpAnswer, HttpService, http_service};
pub use roots::{Advice, Finder, OpenDesk, Surroundings};
pub use rpc::{BadMessage, check_message};
pub use stdio::{StdioSession, serve_stdio};
