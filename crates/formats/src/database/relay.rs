//! Rows, notes and failures on their way from one process to another.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Guess, Instead, Next, Note, TreeSize, Visible};
use readstone_source::{CellAddress, TableRow, Value};
use serde::{Deserialize, Serialize};

use crate::database::count::WHY;
use crate::database::write::SHUT_OUT;

/// The kinds of values, as bytes.
const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const BLOB: u8 = 4;

/// Adds a row to bytes.
pub(super) fn write_row(row: &TableRow, out: &mut Vec<u8>) {
    write_run(out, row.cell.before.as_bytes());
    write_run(out, row.cell.behind.as_bytes());
    write_number(out, row.cells.len() as u64);
    for value in &row.cells {
        match value {
            Value::Null => out.push(NULL),
            Value::Integer(number) => {
                out.push(INTEGER);
                write_number(out, number.cast_unsigned());
            }
            // The bits of a number, which may be none.
            Value::Real(number) => {
                out.push(REAL);
                write_number(out, number.to_bits());
            }
            Value::Text { head, length } | Value::Bare { head, length } => write_head(out, TEXT, head, *length),
            Value::Blob { head, length } => write_head(out, BLOB, head, *length),
        }
    }
}

fn write_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn write_run(out: &mut Vec<u8>, bytes: &[u8]) {
    write_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn write_head(out: &mut Vec<u8>, kind: u8, head: &[u8], length: u64) {
    out.push(kind);
    write_number(out, length);
    write_run(out, head);
}

/// All rows in some bytes; `None` for bytes that are none.
pub(super) fn read_rows(mut bytes: &[u8]) -> Option<Vec<TableRow>> {
    let mut rows = Vec::new();
    while !bytes.is_empty() {
        rows.push(read_row(&mut bytes)?);
    }
    Some(rows)
}

fn read_row(bytes: &mut &[u8]) -> Option<TableRow> {
    let before = String::from_utf8(read_run(bytes)?.to_vec()).ok()?;
    let behind = String::from_utf8(read_run(bytes)?.to_vec()).ok()?;
    let count = read_number(bytes)?;
    // Each value has a byte at least.
    let count = usize::try_from(count).ok().filter(|count| *count <= bytes.len())?;
    let cells = (0..count).map(|_| read_value(bytes)).collect::<Option<Vec<_>>>()?;
    Some(TableRow { cells, cell: CellAddress { before, behind } })
}

fn read_value(bytes: &mut &[u8]) -> Option<Value> {
    let (kind, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match *kind {
        NULL => Value::Null,
        INTEGER => Value::Integer(read_number(bytes)?.cast_signed()),
        REAL => Value::Real(f64::from_bits(read_number(bytes)?)),
        TEXT => {
            let length = read_number(bytes)?;
            Value::Text { head: read_run(bytes)?.to_vec(), length }
        }
        BLOB => {
            let length = read_number(bytes)?;
            Value::Blob { head: read_run(bytes)?.to_vec(), length }
        }
        _ => return None,
    })
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

fn read_run<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = usize::try_from(read_number(bytes)?).ok()?;
    let (run, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(run)
}

/// How many rows a table has.
#[derive(Serialize, Deserialize)]
pub(super) enum SizeForm {
    Rows(u64),
    AtLeast(u64),
    Uncounted(String),
    View,
}

impl From<&TreeSize> for SizeForm {
    #[expect(clippy::wildcard_enum_match_arm, reason = "tables have these sizes, files have others")]
    fn from(size: &TreeSize) -> Self {
        match size {
            TreeSize::Rows(count) => Self::Rows(*count),
            TreeSize::AtLeast(count) => Self::AtLeast(*count),
            TreeSize::Uncounted(why) => Self::Uncounted((*why).to_owned()),
            _ => Self::View,
        }
    }
}

impl From<SizeForm> for TreeSize {
    fn from(size: SizeForm) -> Self {
        match size {
            SizeForm::Rows(count) => Self::Rows(count),
            SizeForm::AtLeast(count) => Self::AtLeast(count),
            SizeForm::Uncounted(why) => {
                Self::Uncounted(WHY.into_iter().find(|known| *known == why).unwrap_or("not readable"))
            }
            SizeForm::View => Self::View,
        }
    }
}

/// A note on what was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Said {
    RolledBack,
    Changed,
    Decoded,
    Impaired(String),
    Clamped(u64),
    NoSample(String),
}

impl Said {
    /// The notes that reading a database has; others do not come up.
    #[expect(clippy::wildcard_enum_match_arm, reason = "there are many notes, and databases have these")]
    pub(super) fn all(notes: &[Note]) -> Vec<Self> {
        let one = |note: &Note| {
            Some(match note {
                Note::RolledBack => Self::RolledBack,
                Note::Changed => Self::Changed,
                Note::Decoded => Self::Decoded,
                Note::Impaired { what } => Self::Impaired(what.clone()),
                Note::Clamped { value, .. } => Self::Clamped(*value),
                Note::NoSample { why } => Self::NoSample(why.clone()),
                _ => return None,
            })
        };
        notes.iter().filter_map(one).collect()
    }

    /// The notes that were meant.
    pub(super) fn notes(said: Vec<Self>) -> Vec<Note> {
        said.into_iter().map(Note::from).collect()
    }
}

impl From<Said> for Note {
    fn from(said: Said) -> Self {
        match said {
            Said::RolledBack => Self::RolledBack,
            Said::Changed => Self::Changed,
            Said::Decoded => Self::Decoded,
            Said::Impaired(what) => Self::Impaired { what },
            Said::Clamped(value) => Self::Clamped { limit: "query_max_rows", value },
            Said::NoSample(why) => Self::NoSample { why },
        }
    }
}

/// A failure that happened in another process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Relayed {
    code: String,
    class: String,
    message: String,
    next: Vec<String>,
    instead: Option<Replacement>,
}

/// The address to open for a table that does not exist.
#[derive(Debug, Serialize, Deserialize)]
struct Replacement {
    address: String,
    asked: String,
    found: String,
    how: String,
}

/// Ways in which two names agree.
const HOW: [&str; 4] = ["suffix match", "case match", "Unicode match", "spelling match"];

/// The failures that a worker has.
const CODES: &[&str] = &[
    "database.corrupt",
    "database.unreadable",
    "database.no_table",
    "database.no_row",
    "database.no_column",
    "database.bad_query",
    "database.read_only",
    "database.limit",
    "database.too_big",
    "database.timeout",
    "database.cancelled",
    "database.locked",
    "database.bad_row",
    "database.unwritable",
    "database.constraint",
    "database.no_space",
    "database.failed",
    "database.replaced",
];

impl Relayed {
    /// A failure as it is sent.
    pub(super) fn of(failure: &dyn Failure) -> Self {
        let replacement = |instead: Instead| {
            let Instead { address, guess: Guess { asked, found, how } } = instead;
            Replacement { address, asked, found, how: how.to_owned() }
        };
        Self {
            code: failure.code().to_owned(),
            class: failure.class().name().to_owned(),
            message: failure.to_string(),
            next: failure.next().into_iter().map(|Next { argument, .. }| argument).collect(),
            instead: failure.instead().map(replacement),
        }
    }

    /// Whether SQLite could not open its journal or its log.
    pub(super) fn is_shut_out(&self) -> bool {
        self.code == "database.read_only" && self.message.contains(SHUT_OUT)
    }

    /// Whether the database can be read, and only what the address names in it is not there.
    pub(super) fn is_of_place(&self) -> bool {
        ["database.no_table", "database.no_row", "database.no_column"].contains(&self.code.as_str())
    }
}

/// The most characters of a message.
const MESSAGE_CHARS: usize = 4_000;

impl From<Relayed> for Fault {
    fn from(relayed: Relayed) -> Self {
        Box::new(relayed)
    }
}

impl fmt::Display for Relayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.message.char_indices().nth(MESSAGE_CHARS).map_or(self.message.len(), |(at, _)| at);
        f.write_str(&Visible::of(self.message.get(..end).unwrap_or_default()).text)
    }
}

impl std::error::Error for Relayed {}

impl Failure for Relayed {
    fn code(&self) -> &'static str {
        CODES.iter().find(|code| **code == self.code).copied().unwrap_or("database.crashed")
    }

    fn class(&self) -> Class {
        Class::ALL.into_iter().find(|class| class.name() == self.class).unwrap_or(Class::Bug)
    }

    fn instead(&self) -> Option<Instead> {
        let Replacement { address, asked, found, how } = self.instead.as_ref()?;
        let how = HOW.into_iter().find(|known| known == how)?;
        let guess = Guess { asked: asked.clone(), found: found.clone(), how };
        Some(Instead { address: address.clone(), guess })
    }

    fn next(&self) -> Vec<Next> {
        self.next.iter().map(Next::read).collect()
    }
}
