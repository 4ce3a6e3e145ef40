//! Readstone as an HTTP server: tools under `/v1`, the line endpoints under `/api/v0`, MCP at `/mcp`, and at `/` a page
//! that shows in a browser what a model sees.
//!
//! Every path stands behind the same guard: `Host` and `Origin` against pages that rebind names, then the token. What
//! gets through is a call at the desk.

mod answer;
mod bytes;
mod clients;
mod guard;
mod hosts;
mod lines;
mod mcp;
mod openapi;
mod owners;
mod page;
mod patience;
mod query;
mod routes;
mod server;
mod tokens;
mod tools;
mod types;

pub use server::{BindError, Options, Server};
pub use tokens::{TokenError, Tokens};
