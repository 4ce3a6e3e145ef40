//! The caller of a request: the name of its client and the session it belongs to.

use readstone_desk::SessionName;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

/// In the `_meta` of a request: the session of an agent, which it keeps when it is resumed.
const CLIENT_SESSION: &str = "agent-session-id";

/// The name that a client gives itself, at the start or with each request.
pub(crate) fn name_of_client(context: &RequestContext<RoleServer>) -> String {
    context.client_info().map(|client| client.name).unwrap_or_default()
}

/// True for a session name that can be stored: short, printable ASCII.
fn is_session_name(name: &str) -> bool {
    (1..=200).contains(&name.len()) && name.chars().all(|sign| sign.is_ascii_graphic())
}

/// The session that a client names in the `_meta` of a request.
pub(crate) fn session_of_client(context: &RequestContext<RoleServer>) -> Option<String> {
    session_named(context.meta.get(CLIENT_SESSION)?.as_str()?)
}

/// The session of a client's own name; `None` for a name that cannot be stored.
pub(crate) fn session_named(name: &str) -> Option<String> {
    is_session_name(name).then(|| format!("client {name}"))
}

/// The session that the transport names.
pub(crate) fn session_of_transport(context: &RequestContext<RoleServer>) -> Option<String> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.extensions.get::<SessionName>().map(|name| name.0.clone())
}
