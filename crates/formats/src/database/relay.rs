//! Rows, notes and failures on their way from one process to another.

use std::fmt;

use readstone_base::{Class, Failure, Next, Note, Words};
use readstone_source::{CellAddress, TableRow, Value};
use serde::{Deserialize, Serialize};

/// A row, without the bytes of its values.
#[derive(Serialize, Deserialize)]
pub(super) struct RowForm {
    cells: Vec<CellForm>,
    before: String,
    behind: String,
}

/// A value; of text and bytes, how many stand here and how many there are.
#[derive(Serialize, Deserialize)]
enum CellForm {
    Null,
    Integer(i64),
    /// The bits of a number, which may be none.
    Real(u64),
    Text(usize, u64),
    Blob(usize, u64),
}

impl RowForm {
    /// A row whose bytes are added to `bytes`.
    pub(super) fn write(row: &TableRow, bytes: &mut Vec<u8>) -> Self {
        let mut add = |head: &[u8]| {
            bytes.extend_from_slice(head);
            head.len()
        };
        let cells = row.cells.iter().map(|value| match value {
            Value::Null => CellForm::Null,
            Value::Integer(number) => CellForm::Integer(*number),
            Value::Real(number) => CellForm::Real(number.to_bits()),
            Value::Text { head, length } | Value::Bare { head, length } => CellForm::Text(add(head), *length),
            Value::Blob { head, length } => CellForm::Blob(add(head), *length),
        });
        Self { cells: cells.collect(), before: row.cell.before.clone(), behind: row.cell.behind.clone() }
    }

    /// The row, whose bytes are taken from `bytes`.
    pub(super) fn read(self, bytes: &mut &[u8]) -> Option<TableRow> {
        let mut take = |count: usize| {
            let (head, rest) = bytes.split_at_checked(count)?;
            *bytes = rest;
            Some(head.to_vec())
        };
        let cells = self.cells.into_iter().map(|cell| {
            Some(match cell {
                CellForm::Null => Value::Null,
                CellForm::Integer(number) => Value::Integer(number),
                CellForm::Real(bits) => Value::Real(f64::from_bits(bits)),
                CellForm::Text(count, length) => Value::Text { head: take(count)?, length },
                CellForm::Blob(count, length) => Value::Blob { head: take(count)?, length },
            })
        });
        let cells = cells.collect::<Option<Vec<_>>>()?;
        Some(TableRow { cells, cell: CellAddress { before: self.before, behind: self.behind } })
    }
}

/// What is said of rows and cells of a query.
#[derive(Serialize, Deserialize)]
pub(super) enum Said {
    RolledBack,
    Changed,
    Decoded,
    Impaired(String),
    Clamped(u64),
}

impl Said {
    /// A note that queries have; others do not come up.
    #[expect(clippy::wildcard_enum_match_arm, reason = "there are many notes, and queries have these")]
    pub(super) fn of(note: &Note) -> Option<Self> {
        Some(match note {
            Note::RolledBack => Self::RolledBack,
            Note::Changed => Self::Changed,
            Note::Decoded => Self::Decoded,
            Note::Impaired { what } => Self::Impaired(what.clone()),
            Note::Clamped { value, .. } => Self::Clamped(*value),
            _ => return None,
        })
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
        }
    }
}

/// A failure that happened in another process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Relayed {
    pub(super) code: String,
    pub(super) class: String,
    pub(super) message: String,
    pub(super) next: Vec<String>,
}

/// The failures that queries have.
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
];

impl fmt::Display for Relayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Words(&self.message))
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

    fn next(&self) -> Vec<Next> {
        self.next.iter().map(Next::read).collect()
    }
}
