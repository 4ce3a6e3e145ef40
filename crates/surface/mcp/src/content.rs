//! Replies as content blocks.

use readstone_base::{Class, LARGEST_REPLY_BYTES, Part, Raw, Reply, Status, TargetError};
use readstone_desk::{Block, Receipts, base64, blocks, receipt_form};
use readstone_tools::{Access, Effect, ToolInfo};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorCode, JsonObject, MetaObject, ReadResourceResult, ResourceContents, Tool,
    ToolAnnotations,
};
use serde_json::{Value, json};

/// A tool as the protocol describes it, where addresses lead as far as `access`.
pub(crate) fn tool(info: &ToolInfo, access: Access) -> Tool {
    let reads = info.effect == Effect::Reads;
    let open = info.access == Access::Remote && access == Access::Remote;
    let mut annotations = ToolAnnotations::new().read_only(reads).destructive(!reads).open_world(open);
    // To repeat a call that only reads is harmless anyway.
    annotations.idempotent_hint = (!reads).then_some(false);
    Tool::new(info.name, info.about, object(info.schema()))
        .with_title(info.title)
        .with_annotations(annotations)
        .with_meta(MetaObject(object(hints(info))))
}

/// Hints for Claude Code: which tools are listed from the start, by which words the others are found, and how long a
/// reply may be before it is put in a file instead. Other clients ignore them.
fn hints(info: &ToolInfo) -> Value {
    let words = match info.name {
        "find" => Some("find files by glob"),
        "write" => Some("create or replace a file"),
        "undo" => Some("revert the last edit"),
        _ => None,
    };
    let mut hints = match words {
        Some(words) => json!({ "anthropic/searchHint": words }),
        None => json!({ "anthropic/alwaysLoad": true }),
    };
    if let Some(hints) = hints.as_object_mut().filter(|_| info.effect == Effect::Reads) {
        let most = LARGEST_REPLY_BYTES + LARGEST_REPLY_BYTES / 10;
        hints.insert("anthropic/maxResultSizeChars".to_owned(), Value::from(most));
    }
    hints
}

/// The result of a call: the content blocks for the model.
pub(crate) fn result(reply: Reply, receipts: Receipts) -> CallToolResult {
    let receipt = (receipts == Receipts::Included).then(|| receipt_form(&reply.receipt));
    let blocks = blocks(reply.parts, &reply.receipt).into_iter().map(block).collect();
    let mut result = match reply.status {
        Status::Ok => CallToolResult::success(blocks),
        Status::Error(_) => CallToolResult::error(blocks),
    };
    result.structured_content = receipt;
    result
}

/// The contents of a resource, or why there are none.
pub(crate) fn resource(uri: &str, reply: &Reply) -> Result<ReadResourceResult, ErrorData> {
    if let Some(error) = &reply.receipt.error {
        return Err(no_resource(uri, error, &reply.text()));
    }
    let mut all: Vec<ResourceContents> = reply.parts.iter().map(|part| contents(uri, part)).collect();
    // The last line of a partial verbatim page follows as a second text.
    let page = reply.parts.first().zip(reply.receipt.targets.first()).filter(|(_, target)| target.next.is_some());
    let beside = page.and_then(|(part, target)| readstone_render::beside(reply.receipt.tool, part, target));
    all.extend(beside.map(|line| ResourceContents::text(line, uri)));
    Ok(ReadResourceResult::new(all))
}

fn block(block: Block) -> ContentBlock {
    match block {
        Block::Text(text) => ContentBlock::text(text),
        Block::Image(image) => ContentBlock::image(base64(&image.bytes), image.mime),
    }
}

fn contents(uri: &str, part: &Part) -> ResourceContents {
    match part {
        Part::Text(text) | Part::Verbatim(Raw { text, bytes: None }) => ResourceContents::text(text.clone(), uri),
        Part::Verbatim(Raw { bytes: Some(bytes), .. }) => ResourceContents::blob(base64(bytes), uri),
        Part::Image(image) => ResourceContents::blob(base64(&image.bytes), uri).with_mime_type(image.mime),
    }
}

fn no_resource(uri: &str, error: &TargetError, text: &str) -> ErrorData {
    let code = match error.class {
        Class::Missing | Class::Denied => ErrorCode::RESOURCE_NOT_FOUND,
        Class::Request | Class::TooBig | Class::Stale | Class::Broken => ErrorCode::INVALID_PARAMS,
        Class::Outside | Class::Stopped | Class::Bug => ErrorCode::INTERNAL_ERROR,
    };
    let data = json!({ "uri": uri, "code": error.code, "class": error.class.name() });
    ErrorData::new(code, text.trim_end().to_owned(), Some(data))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use readstone_base::{Image, Receipt};

    use super::*;

    #[test]
    fn a_picture_is_an_image_block_and_a_blob() {
        let parts = vec![Part::Image(Image { mime: "image/png", bytes: vec![0, 255] })];
        let receipt = Receipt { tool: "read", targets: Vec::new(), found: None, error: None };
        let reply = Reply { status: Status::Ok, parts, receipt };
        let read = serde_json::to_value(resource("file:///a.png", &reply).unwrap()).unwrap();
        assert_eq!(read["contents"], json!([{ "uri": "file:///a.png", "mimeType": "image/png", "blob": "AP8=" }]));
        let form = readstone_desk::reply_form(&reply);
        let called = serde_json::to_value(result(reply, Receipts::Omitted)).unwrap();
        assert!(called.get("structuredContent").is_none() && called.get("_meta").is_none());
        assert_eq!(called["content"], json!([{ "type": "image", "data": "AP8=", "mimeType": "image/png" }]));
        assert_eq!(form["parts"], json!([{ "type": "image", "mime": "image/png", "data": "AP8=" }]));
    }
}
