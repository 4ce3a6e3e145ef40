//! The wire form of a reply, the same on every surface.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use readstone_base::{
    Count, Cut, Found, Hidden, Part, Receipt, Reply, Span, Status, Summary, Target, TargetError, Web,
};
use serde::Serialize;
use serde_json::Value;

use crate::change::ChangeForm;

/// A reply as JSON text.
pub fn reply_text(reply: &Reply) -> String {
    // Room for the parts with some escapes, and for the receipt.
    let size: usize = reply.parts.iter().map(|part| part.text().len()).sum();
    let mut text = Vec::with_capacity(size + size / 8 + 1_024);
    // Neither the form nor memory refuses to be written.
    drop(serde_json::to_writer(&mut text, &ReplyForm::of(reply)));
    String::from_utf8(text).unwrap_or_default()
}

/// A reply as JSON text with more fields.
pub fn reply_text_with(reply: &Reply, more: &Value) -> String {
    serde_json::to_string(&WithMore { reply: ReplyForm::of(reply), more }).unwrap_or_default()
}

#[derive(Serialize)]
struct WithMore<'a> {
    #[serde(flatten)]
    reply: ReplyForm<'a>,
    #[serde(flatten)]
    more: &'a Value,
}

/// A reply as JSON.
pub fn reply_form(reply: &Reply) -> Value {
    serde_json::to_value(ReplyForm::of(reply)).unwrap_or_default()
}

/// A receipt as JSON.
pub fn receipt_form(receipt: &Receipt) -> Value {
    serde_json::to_value(ReceiptForm::of(receipt)).unwrap_or_default()
}

/// Bytes as JSON carries them.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

#[derive(Serialize)]
struct ReplyForm<'a> {
    status: &'static str,
    parts: Vec<PartForm<'a>>,
    receipt: ReceiptForm<'a>,
}

impl<'a> ReplyForm<'a> {
    fn of(reply: &'a Reply) -> Self {
        let status = match reply.status {
            Status::Ok => "ok",
            Status::Error(_) => "error",
        };
        let parts = reply.parts.iter().map(PartForm::of).collect();
        Self { status, parts, receipt: ReceiptForm::of(&reply.receipt) }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum PartForm<'a> {
    Text {
        text: &'a str,
        /// The bytes where they are not those of the text.
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<String>,
    },
    Image {
        mime: &'static str,
        data: String,
    },
}

impl<'a> PartForm<'a> {
    fn of(part: &'a Part) -> Self {
        match part {
            Part::Text(text) => Self::Text { text, data: None },
            Part::Verbatim(raw) => Self::Text { text: &raw.text, data: raw.bytes.as_ref().map(|bytes| base64(bytes)) },
            Part::Image(image) => Self::Image { mime: image.mime, data: base64(&image.bytes) },
        }
    }
}

#[derive(Serialize)]
struct ReceiptForm<'a> {
    tool: &'static str,
    targets: Vec<TargetForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<FoundForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorForm<'a>>,
}

impl<'a> ReceiptForm<'a> {
    fn of(receipt: &'a Receipt) -> Self {
        let targets = receipt.targets.iter().map(TargetForm::of).collect();
        let found = receipt.found.as_ref().map(FoundForm::of);
        Self { tool: receipt.tool, targets, found, error: receipt.error.as_ref().map(ErrorForm::of) }
    }
}

#[derive(Serialize)]
struct FoundForm<'a> {
    scope: &'a [String],
    paths: &'a [String],
    shown: Option<[u64; 2]>,
    #[serde(flatten)]
    total: CountForm,
    matches: u64,
    missing: &'a [String],
    hidden: Vec<HiddenForm<'a>>,
    unsearched: Vec<HiddenForm<'a>>,
    cut_by: Option<&'static str>,
    next_skip: Option<u64>,
    notes: Vec<NoteForm<'a>>,
}

impl<'a> FoundForm<'a> {
    fn of(found: &'a Found) -> Self {
        Self {
            scope: &found.scope,
            paths: &found.paths,
            shown: found.shown.map(|shown| [shown.first, shown.last]),
            total: CountForm::of(found.total),
            matches: found.matches,
            missing: &found.missing,
            hidden: found.hidden.iter().map(HiddenForm::of).collect(),
            unsearched: found.unsearched.iter().map(HiddenForm::of).collect(),
            cut_by: found.cut_by,
            next_skip: found.next_skip,
            notes: found.told.iter().map(|(code, text)| NoteForm { code, text }).collect(),
        }
    }
}

/// A number that is right, or one that may be too low under a name that says so.
#[derive(Serialize)]
struct CountForm {
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u64>,
}

impl CountForm {
    fn of(count: Count) -> Self {
        match count {
            Count::Exactly(number) => Self { total: Some(number), at_least: None },
            Count::AtLeast(number) => Self { total: None, at_least: Some(number) },
        }
    }
}

#[derive(Serialize)]
struct MatchesForm {
    shown: u64,
    #[serde(flatten)]
    total: CountForm,
}

#[derive(Serialize)]
#[serde(untagged)]
enum TargetForm<'a> {
    Failed(Box<FailedForm<'a>>),
    Read(Box<ReadForm<'a>>),
}

impl<'a> TargetForm<'a> {
    fn of(target: &'a Target) -> Self {
        match &target.error {
            Some(error) => Self::Failed(Box::new(FailedForm {
                address: &target.address,
                tag: target.tag.as_deref(),
                version: target.version.as_deref(),
                change: target.change.as_ref().map(ChangeForm::of),
                error: ErrorForm::of(error),
            })),
            None => Self::Read(Box::new(ReadForm::of(target))),
        }
    }
}

/// A target that failed; where it is there in another version, with that.
#[derive(Serialize)]
struct FailedForm<'a> {
    address: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeForm<'a>>,
    error: ErrorForm<'a>,
}

#[derive(Serialize)]
struct ReadForm<'a> {
    address: &'a str,
    kind: Option<&'static str>,
    path: Option<&'a str>,
    tag: Option<&'a str>,
    version: Option<&'a str>,
    encoding: Option<&'static str>,
    shown: Option<ShownForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<MatchesForm>,
    total: TotalForm,
    cut_by: Option<&'static str>,
    next: Option<&'a str>,
    next_start_byte: Option<u64>,
    tokens: TokensForm,
    notes: Vec<NoteForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_from: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<CutForm<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<HiddenForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryForm>,
    #[serde(flatten)]
    web: Option<WebForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeForm<'a>>,
}

#[derive(Serialize)]
struct WebForm<'a> {
    url: &'a str,
    final_url: &'a str,
    content_type: Option<&'a str>,
    method: &'static str,
}

impl<'a> WebForm<'a> {
    fn of(web: &'a Web) -> Self {
        let Web { url, final_url, content_type, method, .. } = web;
        Self { url, final_url, content_type: content_type.as_deref(), method }
    }
}

impl<'a> ReadForm<'a> {
    fn of(target: &'a Target) -> Self {
        let pairs = |spans: &[Span]| spans.iter().map(|span| [span.first, span.last]).collect();
        let shown = target.shown.as_ref().map(|shown| ShownForm {
            unit: shown.unit.name(),
            ranges: pairs(&shown.ranges),
            context: pairs(&shown.context),
        });
        Self {
            address: &target.address,
            kind: target.kind,
            path: target.path.as_deref(),
            tag: target.tag.as_deref(),
            version: target.version.as_deref(),
            encoding: target.encoding,
            shown,
            matches: target.matches.map(|(shown, total)| MatchesForm { shown, total: CountForm::of(total) }),
            total: TotalForm {
                lines: target.total.lines,
                bytes: target.total.bytes,
                entries: target.total.entries,
                rows: target.total.rows,
                sections: target.total.sections.map(|(unit, count)| (unit.name(), count)).into_iter().collect(),
            },
            cut_by: target.cut_by,
            next: target.next.as_deref(),
            next_start_byte: target.next_start_byte,
            tokens: TokensForm { shown: target.tokens_shown, total: target.tokens_total },
            notes: target.notes.iter().map(|(code, text)| NoteForm { code, text }).collect(),
            resolved_from: target.resolved_from.as_deref(),
            cuts: target.cuts.iter().map(CutForm::of).collect(),
            hidden: target.hidden.iter().map(HiddenForm::of).collect(),
            summary: target.summary.map(SummaryForm::of),
            web: target.web.as_ref().map(WebForm::of),
            artifact: target.artifact.as_deref(),
            change: target.change.as_ref().map(ChangeForm::of),
        }
    }
}

#[derive(Serialize)]
struct SummaryForm {
    lines: u64,
    elided_spans: u64,
    elided_lines: u64,
}

impl SummaryForm {
    fn of(summary: Summary) -> Self {
        let Summary { lines, elided_spans, elided_lines } = summary;
        Self { lines, elided_spans, elided_lines }
    }
}

#[derive(Serialize)]
struct ShownForm {
    unit: &'static str,
    ranges: Vec<[u64; 2]>,
    context: Vec<[u64; 2]>,
}

#[derive(Serialize)]
struct TotalForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    /// Pages, slides, sheets or chapters, under the name of what they are.
    #[serde(flatten)]
    sections: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct TokensForm {
    shown: u64,
    total: Option<u64>,
}

#[derive(Serialize)]
struct NoteForm<'a> {
    code: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct HiddenForm<'a> {
    reason: &'static str,
    count: u64,
    address: Option<&'a str>,
}

impl<'a> HiddenForm<'a> {
    fn of(hidden: &'a Hidden) -> Self {
        Self { reason: hidden.reason, count: hidden.count, address: hidden.address.as_deref() }
    }
}

#[derive(Serialize)]
struct CutForm<'a> {
    start: Option<u64>,
    shown: u64,
    before: Option<u64>,
    after: Option<u64>,
    next: Option<&'a str>,
}

impl<'a> CutForm<'a> {
    fn of(cut: &'a Cut) -> Self {
        let Cut { start, shown, before, after, next } = cut;
        Self { start: *start, shown: *shown, before: *before, after: *after, next: next.as_deref() }
    }
}

#[derive(Serialize)]
struct ErrorForm<'a> {
    code: &'static str,
    class: &'static str,
    message: &'a str,
    next: Vec<NextForm<'a>>,
}

#[derive(Serialize)]
struct NextForm<'a> {
    tool: &'a str,
    argument: &'a str,
}

impl<'a> ErrorForm<'a> {
    fn of(error: &'a TargetError) -> Self {
        let next = error.next.iter().map(|next| NextForm { tool: next.tool, argument: &next.argument }).collect();
        Self { code: error.code, class: error.class.name(), message: &error.message, next }
    }
}
