//! The servers of a page: the same calls over both transports of MCP and over HTTP.

use std::ffi::OsString;
use std::path::Path;

use readstone_base::{Reply, Status};
use serde_json::{Value, json};

use super::call::Call;
use super::compare::diff;
use super::driver::{Answer, roots};
use super::surface::{STATE, Surface};
use crate::served::{Served, Spoken};
use crate::world::World;

/// The servers that run beside a page.
pub(super) struct Servers {
    spoken: Spoken,
    rest: Served,
    posted: Served,
}

impl Servers {
    /// Starts them in the world of the page.
    pub(super) fn start(world: &World, home: &Path) -> Self {
        let roots: Vec<OsString> = roots(world, home);
        let command = |surface: Surface| {
            let mut command = world.command();
            command.env("HOME", home).env(STATE, surface.state(home));
            command
        };
        let mut spoken = Spoken::spawn(command(Surface::Spoken).args(["mcp", "--receipts"]).args(&roots));
        spoken.open("2025-11-25");
        let serve = |surface| Served::spawn(command(surface).args(["serve", "--listen", "127.0.0.1:0"]).args(&roots));
        Self { spoken, rest: serve(Surface::Rest), posted: serve(Surface::Posted) }
    }

    /// Makes a call over REST and says where the answer differs from the library's.
    pub(super) fn rest(&self, call: &Call, reply: &Reply, answer: &Answer) -> Result<(), String> {
        let rest = self.rest.call(&call.tool, &call.input);
        let status = match reply.status {
            Status::Ok => 200,
            Status::Error(class) => class.http_status(),
        };
        if rest.status != status {
            return Err(format!("REST answers with {} instead of {status}: {}", rest.status, rest.text()));
        }
        same("REST", &answer.wire, &rest.json())
    }

    /// The same over MCP on standard input and output, with receipts.
    pub(super) fn spoken(&mut self, call: &Call, reply: &Reply, answer: &Answer) -> Result<(), String> {
        let spoken = self.spoken.call(&call.tool, &call.input);
        let mut expected = as_result(reply, answer);
        let receipt = answer.wire.get("receipt").cloned().unwrap_or_default();
        expected.as_object_mut().map(|result| result.insert("structuredContent".to_owned(), receipt));
        same("MCP on standard input and output", &expected, &without_type(&spoken))
    }

    /// The same over MCP by HTTP, as clients do it, that ask for no receipts.
    pub(super) fn posted(&self, call: &Call, reply: &Reply, answer: &Answer) -> Result<(), String> {
        let params = json!({ "name": call.tool, "arguments": call.input });
        let posted = self.posted.plain_mcp("tools/call", params).json();
        same("MCP over HTTP", &as_result(reply, answer), &without_type(&posted))
    }
}

/// A reply as the result of an MCP call: its text, what is said beside verbatim text, and whether it failed.
fn as_result(reply: &Reply, answer: &Answer) -> Value {
    let text = |text: &Value| json!({ "type": "text", "text": text });
    let mut content = Vec::new();
    let mut targets = reply.receipt.targets.iter();
    let forms = answer.wire.get("parts").and_then(Value::as_array);
    for (part, form) in reply.parts.iter().zip(forms.into_iter().flatten()) {
        if let Some(mime) = form.get("mime") {
            content.push(json!({ "type": "image", "data": form.get("data"), "mimeType": mime }));
            continue;
        }
        content.push(text(form.get("text").unwrap_or(&Value::Null)));
        let beside = targets.next().and_then(|target| readstone_render::beside(reply.receipt.tool, part, target));
        content.extend(beside.map(|line| text(&Value::from(line))));
    }
    let failed = answer.wire.get("status").is_some_and(|status| status == "error");
    json!({ "content": content, "isError": failed })
}

/// A result without what only the newest revision says of it.
fn without_type(message: &Value) -> Value {
    let mut result = message.get("result").unwrap_or(message).clone();
    if let Some(object) = result.as_object_mut() {
        object.retain(|name, _| !["resultType", "_meta", "ttlMs", "cacheScope"].contains(&name.as_str()));
    }
    result
}

fn same(surface: &str, expected: &Value, got: &Value) -> Result<(), String> {
    if expected == got {
        return Ok(());
    }
    Err(format!(
        "{surface} gives another answer than the library\n{}",
        diff(&format!("{expected:#}"), &format!("{got:#}"))
    ))
}
