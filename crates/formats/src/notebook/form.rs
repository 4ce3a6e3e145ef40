//! The text form of a notebook.
//!
//! A cell is a marker line, `# %% [code] cell:0`, and the lines of its source; the last line feed before the next
//! marker belongs to the form, so a source that ends in one shows an empty line. A line of a source that begins like a
//! marker gets a backslash behind its `#`, and one that begins like such an escaped line gets one more:
//! `#\ %% [code]` stands for `# %% [code]`. A cell without source is its marker alone. Outputs and attachments are
//! sections of their own whose lines all begin with `#`.

use std::fmt::Write as _;

use readstone_base::Span;

use super::book::CellKind;
use super::error::Error;

/// What a marker begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A cell, with its number in the notebook where it has one.
    Cell(CellKind, Option<usize>),
    /// The outputs of a cell.
    Outputs(usize),
    /// The attachments of a cell.
    Attachments(usize),
}

/// A marker and the lines that follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// The number of the marker's line, from 1.
    pub(super) line: usize,
    /// The marker.
    pub(super) marker: Marker,
    /// The lines, as they stand.
    pub(super) body: &'a str,
}

impl Marker {
    /// Writes the marker as a line.
    pub(super) fn write(self, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            Self::Cell(CellKind::Heading(level), Some(number)) => {
                writeln!(out, "# %% [heading {level}] cell:{number}")
            }
            Self::Cell(kind, Some(number)) => writeln!(out, "# %% [{}] cell:{number}", kind.word()),
            Self::Cell(kind, None) => writeln!(out, "# %% [{}]", kind.word()),
            Self::Outputs(number) => writeln!(out, "# %% [output] cell:{number}"),
            Self::Attachments(number) => writeln!(out, "# %% [attachments] cell:{number}"),
        };
    }

    fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("# %%")?.trim();
        let (word, rest) = match rest.strip_prefix('[') {
            Some(bracket) => bracket.split_once(']')?,
            None => ("code", rest),
        };
        let number = match rest.trim_start() {
            "" => None,
            number => Some(number.strip_prefix("cell:").filter(|digits| is_number(digits))?.parse().ok()?),
        };
        let kind = match (word, number) {
            ("output", number) => return Some(Self::Outputs(number?)),
            ("attachments", number) => return Some(Self::Attachments(number?)),
            ("code", _) => CellKind::Code,
            ("markdown", _) => CellKind::Markdown,
            ("raw", _) => CellKind::Raw,
            (heading, _) => match heading.strip_prefix("heading ")? {
                level if is_number(level) => {
                    CellKind::Heading(level.parse().ok().filter(|level| (1..=6).contains(level))?)
                }
                _ => return None,
            },
        };
        Some(Self::Cell(kind, number))
    }
}

pub(super) fn is_number(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line begins like a marker or like an escaped one.
fn is_reserved(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('#') else {
        return false;
    };
    let Some(behind) = rest.trim_start_matches('\\').strip_prefix(" %%") else {
        return false;
    };
    behind.chars().next().is_none_or(|next| next == '[' || next.is_whitespace())
}

/// Writes a line so that it cannot be taken for a marker.
pub(super) fn push_escaped(out: &mut String, line: &str) {
    match line.strip_prefix('#').filter(|_| is_reserved(line)) {
        Some(rest) => out.extend(["#\\", rest]),
        None => out.push_str(line),
    }
    out.push('\n');
}

/// Writes the lines of a source.
pub(super) fn push_source(out: &mut String, source: &str) {
    if !source.is_empty() {
        source.split('\n').for_each(|line| push_escaped(out, line));
    }
}

/// The source that the lines behind a marker stand for.
pub(super) fn source_of(body: &str) -> String {
    let body = body.strip_suffix('\n').unwrap_or(body);
    let mut source = String::with_capacity(body.len());
    for line in body.split_inclusive('\n') {
        let plain = line.strip_suffix('\n').unwrap_or(line);
        match line.strip_prefix("#\\").filter(|_| is_reserved(plain)) {
            Some(rest) => source.extend(["#", rest]),
            None => source.push_str(line),
        }
    }
    source
}

/// The blocks of a text.
pub(super) fn blocks(text: &str) -> Result<Vec<Block<'_>>, Error> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut at, mut start) = (0, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let plain = line.strip_suffix('\n').unwrap_or(line);
        let number = index + 1;
        if is_reserved(plain) && !plain.starts_with("#\\") {
            let marker = Marker::parse(plain);
            let marker = marker.ok_or_else(|| Error::BadMarker { line: number, text: plain.to_owned() })?;
            close(blocks.last_mut(), text, start..at);
            start = at + line.len();
            blocks.push(Block { line: number, marker, body: "" });
        } else if blocks.is_empty() && !plain.trim().is_empty() {
            return Err(Error::NoMarker { line: number });
        }
        at += line.len();
    }
    close(blocks.last_mut(), text, start..at);
    Ok(blocks)
}

fn close<'a>(block: Option<&mut Block<'a>>, text: &'a str, body: std::ops::Range<usize>) {
    if let Some(block) = block {
        block.body = text.get(body).unwrap_or_default();
    }
}

/// The cells of a notebook's text: what each is, its number, and its lines without its outputs.
pub fn notebook_cells(text: &str) -> Vec<NotebookCell> {
    let blocks = blocks(text).unwrap_or_default();
    let last = text.lines().count();
    let ends = blocks.iter().skip(1).map(|next| next.line - 1).chain([last]);
    let cell = |(block, end): (&Block<'_>, usize)| match block.marker {
        Marker::Cell(kind, number) => {
            let lines = Span::new(block.line as u64, end.max(block.line) as u64);
            Some(NotebookCell { number, kind: kind.word(), lines })
        }
        Marker::Outputs(_) | Marker::Attachments(_) => None,
    };
    blocks.iter().zip(ends).filter_map(cell).collect()
}

/// A cell in a notebook's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotebookCell {
    /// Its number in the notebook.
    pub number: Option<usize>,
    /// What it holds: `code`, `markdown`, `raw`.
    pub kind: &'static str,
    /// Its lines, from its marker on.
    pub lines: Span,
}
