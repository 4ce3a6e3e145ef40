//! Replies as the clients of MCP get them, for callers that name one.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use readstone_base::{ClientLimits, Reply, ReplySize, estimate_tokens};
use readstone_desk::{Block, Desk, blocks};
use serde_json::{Value, json};

use crate::answer::{self, Refusal};

/// The header that names a client.
pub(crate) const CLIENT: &str = "readstone-client";
/// Characters of its value.
pub(crate) const MOST_NAME: usize = 128;

/// The client that a caller named.
#[derive(Clone, Debug)]
pub(crate) struct NamedClient {
    name: String,
    pub(crate) limits: ClientLimits,
}

impl NamedClient {
    /// The client that these headers name; none where they name none.
    pub(crate) fn of(headers: &HeaderMap, desk: &Desk) -> Result<Option<Self>, Refusal> {
        let mut named = headers.get_all(CLIENT).iter();
        let Some(name) = named.next() else {
            return Ok(None);
        };
        let printable = |byte| matches!(byte, b' '..=b'~');
        let sound = |name: &&str| (1..=MOST_NAME).contains(&name.len()) && name.bytes().all(printable);
        let name = name.to_str().ok().map(str::trim).filter(sound).filter(|_| named.next().is_none());
        match name {
            Some(name) => Ok(Some(Self { name: name.to_owned(), limits: desk.client_limits(name) })),
            None => Err(Refusal::Bad("Readstone-Client takes one name of up to 128 characters of ASCII".to_owned())),
        }
    }

    /// The answer to a call: the reply, the blocks that the client hands to its model, and what they take of its limits.
    pub(crate) fn answer(&self, reply: &Reply) -> Response {
        // JSON is measured whether it is limited or not.
        let size = readstone_render::reply_size(reply, ReplySize { json: 0, ..ReplySize::UNBOUNDED });
        let blocks = blocks(reply.parts.clone(), &reply.receipt);
        let client = json!({ "name": self.name, "limits": limits(&self.limits), "used": used(size, &blocks) });
        let content: Vec<Value> = blocks.iter().map(Block::form).collect();
        answer::reply_with(reply, &json!({ "content": content, "client": client }))
    }
}

/// `GET /v1/clients`.
pub(crate) async fn list(State(desk): State<Arc<Desk>>) -> Response {
    let one = |(name, client): (&str, ClientLimits)| json!({ "name": name, "limits": limits(&client) });
    let clients: Vec<Value> = desk.known_clients().into_iter().map(one).collect();
    answer::json(StatusCode::OK, &json!({ "clients": clients }))
}

/// Limits as JSON, in which `null` means that there is none.
fn limits(client: &ClientLimits) -> Value {
    let number = |number: u64| (number != u64::MAX).then_some(number);
    let ClientLimits { reply, picture_bytes, pictures, .. } = client;
    json!({
        "bytes": number(reply.bytes),
        "rows": number(reply.rows),
        "json": number(reply.json),
        "range_bytes": number(client.wide().bytes),
        "picture_bytes": number(*picture_bytes),
        "pictures": pictures,
    })
}

/// What these blocks take of the limits of a client.
fn used(size: ReplySize, blocks: &[Block]) -> Value {
    let (mut tokens, mut picture_bytes) = (0, 0);
    for block in blocks {
        match block {
            Block::Text(text) => tokens += estimate_tokens(text),
            Block::Image(image) => picture_bytes += image.bytes.len(),
        }
    }
    let ReplySize { bytes, rows, json } = size;
    json!({ "bytes": bytes, "rows": rows, "json": json, "picture_bytes": picture_bytes, "tokens": tokens })
}
