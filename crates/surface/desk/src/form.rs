//! The wire form of a reply, the same on every surface.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use readstone_base::{Cut, Hidden, Part, Receipt, Reply, Shown, Span, Status, Target, TargetError, Totals};
use serde_json::{Map, Value, json};

/// A reply as JSON.
pub fn reply(reply: &Reply) -> Value {
    let status = match reply.status {
        Status::Ok => "ok",
        Status::Error(_) => "error",
    };
    json!({
        "status": status,
        "parts": reply.parts.iter().map(part).collect::<Vec<_>>(),
        "receipt": receipt(&reply.receipt),
    })
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image(image) => json!({ "type": "image", "mime": image.mime, "data": base64(&image.bytes) }),
        Part::Verbatim(raw) => {
            // Where characters had to be replaced, the text alone would lose bytes.
            let lossy = raw.bytes.as_ref().filter(|_| raw.text.contains(char::REPLACEMENT_CHARACTER));
            let data = lossy.map(|bytes| ("data", json!(base64(bytes))));
            with(json!({ "type": "text", "text": raw.text }), data)
        }
    }
}

/// Bytes as JSON carries them.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A receipt as JSON.
pub fn receipt(receipt: &Receipt) -> Value {
    let value = json!({ "tool": receipt.tool, "targets": receipt.targets.iter().map(target).collect::<Vec<_>>() });
    with(value, receipt.error.as_ref().map(|failure| ("error", error(failure))))
}

fn target(target: &Target) -> Value {
    if let Some(failure) = &target.error {
        return json!({ "address": target.address, "error": error(failure) });
    }
    let value = json!({
        "address": target.address,
        "kind": target.kind,
        "path": target.path,
        "tag": target.tag,
        "version": target.version,
        "encoding": target.encoding,
        "shown": target.shown.as_ref().map(shown),
        "total": totals(target.total),
        "cut_by": target.cut_by,
        "next": target.next,
        "next_start_byte": target.next_start_byte,
        "tokens": { "shown": target.tokens_shown, "total": target.tokens_total },
        "notes": target.notes.iter().map(|(code, text)| json!({ "code": code, "text": text })).collect::<Vec<_>>(),
    });
    let hidden = |hidden: &Hidden| json!({ "reason": hidden.reason, "count": hidden.count, "address": hidden.address });
    let further = [
        target.resolved_from.as_ref().map(|asked| ("resolved_from", json!(asked))),
        (!target.cuts.is_empty()).then(|| ("cuts", target.cuts.iter().map(cut).collect())),
        (!target.hidden.is_empty()).then(|| ("hidden", target.hidden.iter().map(hidden).collect())),
    ];
    with(value, further.into_iter().flatten())
}

/// Adds fields that are there only where they apply.
fn with(mut value: Value, fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    if let Value::Object(object) = &mut value {
        object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    value
}

fn shown(shown: &Shown) -> Value {
    let spans = |spans: &[Span]| spans.iter().map(|span| json!([span.first, span.last])).collect::<Vec<_>>();
    json!({ "unit": shown.unit.name(), "ranges": spans(&shown.ranges), "context": spans(&shown.context) })
}

fn totals(totals: Totals) -> Value {
    let named = [("lines", totals.lines), ("bytes", totals.bytes), ("entries", totals.entries)];
    let known: Map<String, Value> =
        named.into_iter().filter_map(|(name, number)| Some((name.to_owned(), json!(number?)))).collect();
    Value::Object(known)
}

fn cut(cut: &Cut) -> Value {
    json!({ "start": cut.start, "shown": cut.shown, "before": cut.before, "after": cut.after, "next": cut.next })
}

fn error(error: &TargetError) -> Value {
    let next: Vec<Value> =
        error.next.iter().map(|next| json!({ "tool": next.tool, "argument": next.argument })).collect();
    json!({ "code": error.code, "class": error.class.name(), "message": error.message, "next": next })
}
