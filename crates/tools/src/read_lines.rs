//! `read_file` of the profile `lines`: numbered lines within hard bounds, as JSON.

use std::sync::{Arc, Mutex, PoisonError};

use readstone_address::Selector;
use readstone_base::{Fault, Limits, Part, Receipt, Reply, Shown, Span, Status, Target, TargetError, Unit};
use readstone_source::{Content, Head, LineIndex, Lines, Loaded};
use readstone_view::{Ask, Bounds, Numbered, Room, Text};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{Call, Effect, Tool};
use crate::error::{Error, fault};
use crate::file;

/// The tool.
#[derive(Debug)]
pub struct ReadLines;

/// What it takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinesInput {
    /// The absolute path of the file.
    pub path: String,
    /// The first line to read, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub offset: Option<u64>,
    /// How many lines to read: 2000 unless given.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<u64>,
    /// Size of the largest file that is read without `offset` and `limit`.
    #[serde(default)]
    #[schemars(skip)]
    pub max_file_size: Option<u64>,
    /// Bytes of a line before it is truncated.
    #[serde(default)]
    #[schemars(skip)]
    pub max_line_bytes: Option<u64>,
    /// Lines of the answer.
    #[serde(default)]
    #[schemars(skip)]
    pub max_response_lines: Option<u64>,
    /// Bytes of the answer's content.
    #[serde(default)]
    #[schemars(skip)]
    pub max_response_bytes: Option<u64>,
}

impl Tool for ReadLines {
    const NAME: &'static str = "read_file";
    const ABOUT: &'static str = "Reads lines of a text file by its absolute path. offset is the first line (from 1), \
        limit the number of lines (2000 unless given). The answer is JSON: content holds NUMBER<tab>TEXT lines, \
        total_lines tells how many there are. An answer that would exceed 2000 lines or 32768 bytes, or a file over \
        1048576 bytes without offset or limit, is an error: read a part with offset and limit. A line longer than \
        1024 bytes ends with `... [truncated]`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = LinesInput;

    fn run(call: &Call<'_>, input: LinesInput) -> Reply {
        match read(call, &input) {
            Ok(lines) => told(&input.path, &lines),
            Err(fault) => failed(&TargetError::of(&*fault)),
        }
    }
}

/// The lines that were read, and how many there are.
#[derive(Debug)]
struct Answer {
    rows: Numbered,
    first: u64,
    file_size: u64,
    total_lines: Option<u64>,
}

fn read(call: &Call<'_>, input: &LinesInput) -> Result<Answer, Fault> {
    let limits = raised(call.limits, input).map_err(|what| fault(Error::BadInput(what)))?;
    let first = input.offset.unwrap_or(1);
    let count = input.limit.unwrap_or(limits.lines_reply_lines);
    let (blob, _) = file::open(call, &input.path)?;
    let file_size = blob.len().unwrap_or(0);
    let ranged = input.offset.is_some() || input.limit.is_some();
    if file_size > limits.lines_file_bytes && !ranged {
        return Err(fault(Error::TooLarge { size: file_size, most: limits.lines_file_bytes }));
    }
    let failed = |cause| fault(readstone_host::Error::from_io(&input.path, cause));
    let most = call.limits.edit_bytes.min(call.limits.lines_file_bytes);
    let loaded = readstone_source::load(blob, most).map_err(failed)?;
    let (rows, total_lines) = rows(call, &loaded, (first, count), (&input.path, &limits))?;
    Ok(Answer { rows, first, file_size, total_lines })
}

/// The rows of a text, and how many lines it has.
fn rows(
    call: &Call<'_>,
    loaded: &Loaded,
    lines: (u64, u64),
    (path, limits): (&str, &Limits),
) -> Result<(Numbered, Option<u64>), Fault> {
    let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
    let Lines { blob, coding } = match readstone_formats::open(&head, &loaded.blob) {
        Content::Lines(lines) => lines,
        Content::Opaque(opaque) => return Err(fault(Error::NotText { path: path.to_owned(), what: opaque.what })),
    };
    let newline = coding.newline();
    let stamp = loaded.stamp.filter(|stamp| stamp.size == loaded.size);
    let index = match stamp {
        Some(stamp) => call.session.index(&*loaded.blob, stamp, newline),
        None => Arc::new(Mutex::new(LineIndex::new(newline, loaded.size))),
    };
    let mut known = index.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = Text { blob, coding: Arc::clone(&coding), size: loaded.size, index: &mut known };
    let selector = Selector::default();
    let ask = Ask { path, selector: &selector, limits, room: Room::default(), budget: call.budget };
    let rows = readstone_view::numbered(&mut text, &ask, lines, bounds(limits));
    let counted = rows.and_then(|rows| Ok((rows, text.count(&ask)?)));
    drop(known);
    // What was found out about the lines counts, even if there is no answer.
    if let Some(stamp) = stamp {
        call.session.remember(&*loaded.blob, stamp, coding, index);
    }
    counted.map_err(fault)
}

/// The limit that a parameter of a bounded line read replaces.
pub fn limit_of(parameter: &str) -> Option<&'static str> {
    match parameter {
        "max_file_size" => Some("lines_file_bytes"),
        "max_line_bytes" => Some("lines_line_bytes"),
        "max_response_lines" => Some("lines_reply_lines"),
        "max_response_bytes" => Some("lines_reply_bytes"),
        _ => None,
    }
}

/// The limits with what the call says instead; it may raise them, up to their ceilings.
fn raised(limits: &Limits, input: &LinesInput) -> Result<Limits, String> {
    let mut limits = limits.clone();
    let given = [
        ("max_file_size", input.max_file_size),
        ("max_line_bytes", input.max_line_bytes),
        ("max_response_lines", input.max_response_lines),
        ("max_response_bytes", input.max_response_bytes),
    ];
    for (name, value) in given {
        if let (Some(limit), Some(value)) = (limit_of(name), value) {
            limits.set(limit, value).map_err(|what| what.replace(limit, name))?;
        }
    }
    for (name, value) in [("offset", input.offset), ("limit", input.limit)] {
        if value == Some(0) {
            return Err(format!("{name} must be a positive integer"));
        }
    }
    Ok(limits)
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        line_bytes: limits.lines_line_bytes,
        reply_lines: limits.lines_reply_lines,
        reply_bytes: limits.lines_reply_bytes,
    }
}

fn told(path: &str, answer: &Answer) -> Reply {
    let Answer { rows, first, file_size, total_lines } = answer;
    let value = json!({
        "success": true,
        "file_size": file_size,
        "total_lines": total_lines,
        "lines_read": rows.lines,
        "content": rows.content,
        "error": Value::Null,
    });
    let ranges = if rows.lines == 0 { Vec::new() } else { vec![Span::new(*first, first + rows.lines - 1)] };
    let mut target = Target {
        address: path.to_owned(),
        kind: Some("text"),
        path: Some(path.to_owned()),
        shown: Some(Shown { unit: Unit::Lines, ranges, context: Vec::new() }),
        tokens_shown: readstone_base::estimate_tokens(&rows.content),
        ..Target::default()
    };
    target.total.lines = *total_lines;
    target.total.bytes = Some(*file_size);
    let receipt = Receipt { tool: ReadLines::NAME, targets: vec![target], error: None };
    Reply { status: Status::Ok, parts: vec![Part::Text(value.to_string())], receipt }
}

fn failed(error: &TargetError) -> Reply {
    let value = json!({
        "success": false,
        "file_size": Value::Null,
        "total_lines": Value::Null,
        "lines_read": 0,
        "content": "",
        "error": error.message,
    });
    let receipt = Receipt { tool: ReadLines::NAME, targets: Vec::new(), error: Some(error.clone()) };
    Reply { status: Status::Error(error.class), parts: vec![Part::Text(value.to_string())], receipt }
}
