//! Transcripts: what was said and done, one short row for every call and its result.
//!
//! Nobody agrees on the shape of a line, so whatever has a role and a content is shown, wherever it stands in it, and
//! anything else is one short row.

use std::io;

use readstone_base::{Blob, Visible};
use readstone_source::Opening;
use serde_json::Value;

use crate::list::{bytes, one_line};

/// Bytes that are read at a time.
const STEP: u64 = 256 * 1024;
/// Bytes of a line that is taken apart; a longer one is shown by its beginning.
const MOST_LINE: usize = 4 * 1024 * 1024;
/// Bytes of what somebody said that are shown.
const MOST_SAID: usize = 16 * 1024;
/// Characters of a call, of a result and of a line that is not understood.
const MOST_CALL: usize = 200;
/// Parts of a message that are shown.
const MOST_PARTS: usize = 1_000;

/// What may stand before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where in a line what it says may stand.
const INNER: [&str; 3] = ["message", "payload", "data"];

/// A transcript.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    /// Its text.
    pub(crate) text: String,
    /// The limit that ended it, when it is longer.
    pub(crate) cut: Option<&'static str>,
    /// The address of the transcript.
    address: String,
    /// The address of the line that is told, with what is shown in short there whole.
    whole: String,
}

/// The transcript at an address, in a file of one JSON value a line.
pub(crate) fn transcript(address: String, blob: &dyn Blob, opening: &Opening<'_>) -> io::Result<Transcript> {
    let mut made = Transcript { address, ..Transcript::default() };
    let (mut offset, mut number) = (0_u64, 0_u64);
    let mut open: Vec<u8> = Vec::new();
    let mut skipped = 0_u64;
    let most = usize::try_from(opening.limits.document_text).unwrap_or(usize::MAX);
    let stopped = |_| io::Error::from(io::ErrorKind::TimedOut);
    loop {
        opening.budget.check_heavy().map_err(stopped)?;
        let chunk = blob.read_range(offset, offset.saturating_add(STEP))?;
        let ended = (chunk.len() as u64) < STEP;
        let mark = if offset == 0 && chunk.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        offset += chunk.len() as u64;
        let mut lines = chunk.get(mark..).unwrap_or_default().split(|byte| *byte == b'\n').peekable();
        while let Some(part) = lines.next() {
            let room = MOST_LINE.saturating_sub(open.len()).min(part.len());
            open.extend_from_slice(part.get(..room).unwrap_or_default());
            skipped += (part.len() - room) as u64;
            if lines.peek().is_some() || ended {
                number += 1;
                made.line(&open, skipped, number);
                open.clear();
                skipped = 0;
            }
        }
        if ended {
            return Ok(made);
        }
        if made.text.len() > most {
            made.cut = Some("document_text");
            return Ok(made);
        }
    }
}

impl Transcript {
    fn line(&mut self, line: &[u8], skipped: u64, number: u64) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        let parsed = if skipped == 0 { serde_json::from_slice::<Value>(line).ok() } else { None };
        // A value has a pointer, which counts lines from 0; any other line is shown as it stands.
        self.whole = match &parsed {
            Some(_) => format!("{}:/{}", self.address, number - 1),
            None => format!("{}:{number}-{number}:raw", self.address),
        };
        if let Some(value) = &parsed
            && self.told(value)
        {
            return;
        }
        let head = String::from_utf8_lossy(line.get(..line.len().min(MOST_CALL * 4)).unwrap_or(line));
        let size = line.len() as u64 + skipped;
        let kind = parsed.as_ref().and_then(|value| value.get("type")).and_then(Value::as_str);
        let what = kind.map_or_else(String::new, |kind| format!("{} ", one_line(kind, 40)));
        let shown = one_line(&head, MOST_CALL);
        let rest = if shown.ends_with('…') || size > head.len() as u64 { self.rest(size) } else { String::new() };
        self.push(&format!("[line {number}] {what}{shown}{rest}"));
    }

    /// Tells what a line holds; false when that is not understood.
    fn told(&mut self, line: &Value) -> bool {
        let before = self.text.len();
        let inner = INNER.iter().find_map(|key| line.get(key).filter(|inner| inner.is_object()));
        for holder in inner.into_iter().chain([line]) {
            if let Some(role) = holder.get("role").and_then(Value::as_str) {
                self.spoken(role, holder);
                return self.text.len() > before;
            }
        }
        let holder = inner.unwrap_or(line);
        // Some write who speaks as the type of the line, and some write calls and results as lines of their own.
        let kind = line.get("type").and_then(Value::as_str).unwrap_or("");
        if matches!(kind, "user" | "assistant" | "system" | "tool") {
            self.spoken(kind, holder);
        } else if is_action(holder) {
            self.part("", holder);
        }
        self.text.len() > before
    }

    /// What somebody said, and the calls beside it.
    fn spoken(&mut self, role: &str, holder: &Value) {
        let content = ["content", "text", "parts"].iter().find_map(|key| holder.get(key));
        let result = role.eq_ignore_ascii_case("tool") || role.eq_ignore_ascii_case("toolResult");
        match content {
            Some(content) if result => self.shortened("  ← result:", &plain(content)),
            Some(content) => self.message(role, content),
            None => {}
        }
        let calls = holder.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten().take(MOST_PARTS) {
            self.call(call.get("function").unwrap_or(call));
        }
    }

    /// A call, on one line.
    fn call(&mut self, call: &Value) {
        let name = words(call, &["name", "toolName", "tool"]).unwrap_or("");
        let input = ["input", "arguments", "args", "parameters"].iter().find_map(|key| call.get(key));
        let input = input.map(plain).unwrap_or_default();
        self.shortened(&format!("  → {}", one_line(name, 80)), &input);
    }

    fn push(&mut self, row: &str) {
        self.text.push_str(row);
        self.text.push('\n');
    }

    /// What somebody said and did.
    fn message(&mut self, role: &str, content: &Value) {
        let role = one_line(role, 40);
        match content {
            Value::Array(parts) => {
                for part in parts.iter().take(MOST_PARTS) {
                    self.part(&role, part);
                }
                if parts.len() > MOST_PARTS {
                    let row = format!("[{role}] … {} parts more ({})", parts.len() - MOST_PARTS, self.whole);
                    self.push(&row);
                }
            }
            Value::Object(_) => self.part(&role, content),
            Value::String(text) => self.said(&role, text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn part(&mut self, role: &str, part: &Value) {
        if let Value::String(text) = part {
            return self.said(role, text);
        }
        let kind = words(part, &["type"]).unwrap_or("");
        let folded = kind.to_ascii_lowercase();
        if folded.contains("result") || folded.contains("output") && !folded.contains("text") {
            let keys = ["content", "output", "result", "text"];
            let result = keys.iter().find_map(|key| part.get(key)).map(plain).unwrap_or_default();
            let failed = if part.get("is_error") == Some(&Value::Bool(true)) { " error" } else { "" };
            return self.shortened(&format!("  ← result{failed}:"), &result);
        }
        if is_action(part) {
            return self.call(part);
        }
        match words(part, &["text", "thinking", "reasoning"]) {
            Some(text) if kind.is_empty() || kind.contains("text") => self.said(role, text),
            Some(text) => self.shortened(&format!("  ({})", one_line(kind, 40)), text),
            None => self.shortened(&format!("  ({})", one_line(kind, 40)), &plain(part)),
        }
    }

    /// A text that is shown by its beginning.
    fn shortened(&mut self, before: &str, text: &str) {
        let shown = one_line(text, MOST_CALL);
        let rest = if shown.ends_with('…') { self.rest(text.len() as u64) } else { String::new() };
        self.push(format!("{before} {shown}{rest}").trim_end());
    }

    /// How much there is of what is shown in short, and where.
    fn rest(&self, size: u64) -> String {
        format!(" ({}: {})", bytes(size), self.whole)
    }

    fn said(&mut self, role: &str, text: &str) {
        let head = text.get(..text.floor_char_boundary(MOST_SAID)).unwrap_or(text);
        let mut before = format!("[{role}] ");
        for line in head.trim().lines() {
            // A line of what was said cannot pass for a row of ours.
            self.push(format!("{before}{}", Visible::of(line).text).trim_end());
            "    ".clone_into(&mut before);
        }
        if head.len() < text.len() {
            let row = format!("    … ({} more: {})", bytes((text.len() - head.len()) as u64), self.whole);
            self.push(&row);
        }
    }
}

/// The first of some members that is a string.
fn words<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value.get(key)?.as_str())
}

/// Whether a value is a call or a result.
fn is_action(value: &Value) -> bool {
    let kind = words(value, &["type"]).unwrap_or("").to_ascii_lowercase();
    let call = kind.contains("call") || kind.ends_with("use");
    let result = kind.contains("result") || kind.contains("call_output");
    call && words(value, &["name", "toolName", "tool"]).is_some() || result
}

/// A value as plain text: a string as it is, the texts of parts one behind the other, anything else as JSON.
fn plain(value: &Value) -> String {
    let texts = |parts: &Vec<Value>| -> Option<String> {
        let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
        parts.iter().take(MOST_PARTS).map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join("\n"))
    };
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) if !parts.is_empty() => texts(parts).unwrap_or_else(|| value.to_string()),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
