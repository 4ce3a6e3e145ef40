//! `read_file` of the profile `lines`: numbered lines within hard bounds, as JSON.

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Fault, Limits, Part, Receipt, Reply, Shown, Span, Status, Target, TargetError, Unit};
use readstone_source::{Head, LineIndex, Lines, Loaded};
use readstone_view::{Ask, Bounds, Numbered, Room, Text};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{Call, Effect, Tool};
use crate::error::{Error, fault};
use crate::file;
use crate::profile::FILE_READ;
use crate::target::room_for;

/// The tool.
#[derive(Debug)]
pub(crate) struct ReadLines;

/// The same read for programs, which may move its bounds.
#[derive(Debug)]
pub(crate) struct BoundedRead;

/// What the tool takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinesInput {
    /// The absolute path of the file.
    path: String,
    /// The first line to read, from 1.
    #[serde(default)]
    offset: Option<u64>,
    /// How many lines to read: 2000 unless given.
    #[serde(default)]
    limit: Option<u64>,
}

/// What programs may say beside it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoundedInput {
    path: String,
    #[serde(default)]
    offset: Option<u64>,
    #[serde(default)]
    limit: Option<u64>,
    /// Size of the largest file that is read without `offset` and `limit`.
    #[serde(default)]
    max_file_size: Option<u64>,
    /// Bytes of a line before it is truncated.
    #[serde(default)]
    max_line_bytes: Option<u64>,
    /// Lines of the answer.
    #[serde(default)]
    max_response_lines: Option<u64>,
    /// Bytes of the answer's content.
    #[serde(default)]
    max_response_bytes: Option<u64>,
}

impl Tool for ReadLines {
    const NAME: &'static str = FILE_READ;
    const TITLE: &'static str = "Read lines of a file";
    const ABOUT: &'static str = "\
        Reads lines of a text file by its absolute path.\n\
        - `offset` is the first line (from 1), `limit` the number of lines (2000 unless given).\n\
        - The answer is JSON: `content` holds NUMBER<tab>TEXT lines, `total_lines` says how many there are.\n\
        - An answer over 2000 lines or 32768 bytes, or a file over 1048576 bytes without `offset` or `limit`, is an \
        error: read a part with `offset` and `limit`.\n\
        - A line longer than 1024 bytes ends with `... [truncated]`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = LinesInput;

    fn run(call: &Call<'_>, input: LinesInput) -> Reply {
        let LinesInput { path, offset, limit } = input;
        BoundedRead::run(call, BoundedInput { path, offset, limit, ..BoundedInput::default() })
    }

    fn refuse(error: &TargetError) -> Reply {
        failed(error, &Facts::default())
    }
}

impl Tool for BoundedRead {
    const NAME: &'static str = ReadLines::NAME;
    const TITLE: &'static str = ReadLines::TITLE;
    const ABOUT: &'static str = ReadLines::ABOUT;
    const EFFECT: Effect = Effect::Reads;
    type Input = BoundedInput;

    fn run(call: &Call<'_>, input: BoundedInput) -> Reply {
        let mut facts = Facts::default();
        match read(call, &input, &mut facts) {
            Ok(lines) => fitted(call, &input.path, lines, &facts),
            Err(fault) => failed(&TargetError::of(&*fault), &facts),
        }
    }

    fn refuse(error: &TargetError) -> Reply {
        ReadLines::refuse(error)
    }
}

/// The lines that were read.
#[derive(Debug)]
struct Answer {
    rows: Numbered,
    first: u64,
}

/// What came to be known of the file, also where no lines are read.
#[derive(Debug, Default)]
struct Facts {
    file_size: Option<u64>,
    total_lines: Option<u64>,
    /// How many credentials are masked.
    masked: u64,
}

fn read(call: &Call<'_>, input: &BoundedInput, facts: &mut Facts) -> Result<Answer, Fault> {
    let limits = raised(call.limits, input).map_err(|what| fault(Error::BadInput(what)))?;
    let first = input.offset.unwrap_or(1);
    // How many lines are read unless a number is given is a number of its own, whatever the call says of the bounds.
    let count = input.limit.unwrap_or(call.limits.lines_reply_lines);
    let (blob, _) = file::open(call, &input.path)?;
    let size = blob.len().unwrap_or(0);
    facts.file_size = Some(size);
    facts.masked = blob.masked();
    let ranged = input.offset.is_some() || input.limit.is_some();
    if size > limits.lines_file_bytes && !ranged {
        return Err(fault(Error::TooLarge { size, most: limits.lines_file_bytes }));
    }
    let failed = |cause| fault(readstone_host::Error::from_io(&input.path, cause));
    let most = call.limits.edit_bytes.min(call.limits.lines_file_bytes);
    let _room = room_for(call, &*blob, (&input.path, most))?;
    let loaded = readstone_source::load(blob, most).map_err(failed)?;
    let rows = rows(call, &loaded, ((first, count), &input.path, &limits), facts)?;
    Ok(Answer { rows, first })
}

/// The rows of a text; how many lines it has becomes known with them.
fn rows(
    call: &Call<'_>,
    loaded: &Loaded,
    (lines, path, limits): ((u64, u64), &str, &Limits),
    facts: &mut Facts,
) -> Result<Numbered, Fault> {
    let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
    let Lines { blob, coding } = match readstone_formats::open(&head, &loaded.blob) {
        Ok(lines) => lines,
        Err(opaque) => return Err(fault(Error::NotText { path: path.to_owned(), what: opaque.what })),
    };
    let newline = coding.newline();
    let stamp = loaded.stamp.filter(|stamp| stamp.size == loaded.size);
    let mut index = match stamp {
        Some(stamp) => call.session.index(&*loaded.blob, stamp, newline),
        None => LineIndex::new(newline, loaded.size),
    };
    let mut text = Text { blob, coding: Arc::clone(&coding), size: loaded.size, index: &mut index };
    let selector = Selector::default();
    let ask = Ask { path, selector: &selector, limits, room: Room::default(), budget: call.budget };
    let rows = readstone_view::numbered(&mut text, &ask, lines, bounds(limits));
    facts.total_lines = match &rows {
        Ok(_) => text.count(&ask).map_err(fault)?,
        Err(_) => text.index.total(),
    };
    // What was found out about the lines counts, even if there is no answer.
    if let Some(stamp) = stamp {
        call.session.remember(&*loaded.blob, stamp, coding, index);
    }
    rows.map_err(fault)
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
fn raised(limits: &Limits, input: &BoundedInput) -> Result<Limits, String> {
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

/// The reply, with fewer lines when the client takes no more. A second block then says so and names the next call.
fn fitted(call: &Call<'_>, path: &str, mut answer: Answer, facts: &Facts) -> Reply {
    let most = call.client.reply;
    let mut limit = None;
    loop {
        let mut reply = told(path, &answer, facts);
        let last = answer.first + answer.rows.lines.saturating_sub(1);
        if let Some(limit) = limit {
            let lines = Span::new(answer.first, last);
            let line = readstone_render::ends_early(ReadLines::NAME, lines, facts.total_lines, limit);
            reply.parts.push(Part::Text(line));
        }
        let size = readstone_render::reply_size(&reply, most);
        let Some(exceeded) = size.exceeds(most).filter(|_| answer.rows.lines > 1) else {
            return reply;
        };
        limit = Some(exceeded);
        answer.rows.shorten(size.scale_down(answer.rows.lines, most).max(1));
    }
}

fn told(path: &str, answer: &Answer, facts: &Facts) -> Reply {
    let Answer { rows, first } = answer;
    let mut value = json!({
        "success": true,
        "file_size": facts.file_size,
        "total_lines": facts.total_lines,
        "lines_read": rows.lines,
        "content": rows.content,
        "error": Value::Null,
    });
    if facts.masked > 0
        && let Some(value) = value.as_object_mut()
    {
        value.insert("note".to_owned(), readstone_render::masked(facts.masked).into());
    }
    let ranges = if rows.lines == 0 { Vec::new() } else { vec![Span::new(*first, first + rows.lines - 1)] };
    let mut target = Target {
        address: path.to_owned(),
        kind: Some("text"),
        path: Some(path.to_owned()),
        shown: Some(Shown { unit: Unit::Lines, ranges, context: Vec::new() }),
        tokens_shown: readstone_base::estimate_tokens(&rows.content),
        ..Target::default()
    };
    target.total.lines = facts.total_lines;
    target.total.bytes = facts.file_size;
    let receipt = Receipt { tool: ReadLines::NAME, targets: vec![target], found: None, error: None };
    Reply { status: Status::Ok, parts: vec![Part::Text(value.to_string())], receipt }
}

/// A failure in the same form. It offers no other call: addresses are not what this tool takes.
fn failed(error: &TargetError, facts: &Facts) -> Reply {
    let value = json!({
        "success": false,
        "file_size": facts.file_size,
        "total_lines": facts.total_lines,
        "lines_read": 0,
        "content": "",
        "error": error.message,
    });
    let error = TargetError { next: Vec::new(), ..error.clone() };
    let status = Status::Error(error.class);
    let receipt = Receipt { tool: ReadLines::NAME, targets: Vec::new(), found: None, error: Some(error) };
    Reply { status, parts: vec![Part::Text(value.to_string())], receipt }
}
