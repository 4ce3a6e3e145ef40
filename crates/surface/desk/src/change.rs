//! The wire form of a change.

use readstone_base::{Change, DiffRow, DiffSign, Outcome, Resolved, Shift};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct ChangeForm<'a> {
    op: &'static str,
    applied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    first_changed_line: Option<u64>,
    added: u64,
    removed: u64,
    shifts: Vec<ShiftForm>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<BlockForm<'a>>,
    diff: Vec<RowForm<'a>>,
}

#[derive(Serialize)]
struct ShiftForm {
    after: u64,
    by: i64,
}

#[derive(Serialize)]
struct BlockForm<'a> {
    operation: &'a str,
    lines: [u64; 2],
}

#[derive(Serialize)]
struct RowForm<'a> {
    sign: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<u64>,
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

impl<'a> ChangeForm<'a> {
    pub(crate) fn of(change: &'a Change) -> Self {
        Self {
            op: change.done.name(),
            applied: change.effect == Outcome::Applied,
            before: change.before.map(|version| version.to_string()),
            summary: change.summary.as_deref(),
            first_changed_line: change.first_changed,
            added: change.added,
            removed: change.removed,
            shifts: change.shifts.iter().map(|Shift { after, by }| ShiftForm { after: *after, by: *by }).collect(),
            blocks: change.blocks.iter().map(BlockForm::of).collect(),
            diff: change.rows.iter().map(RowForm::of).collect(),
        }
    }
}

impl<'a> BlockForm<'a> {
    fn of(block: &'a Resolved) -> Self {
        Self { operation: &block.operation, lines: [block.lines.first, block.lines.last] }
    }
}

impl<'a> RowForm<'a> {
    fn of(row: &'a DiffRow) -> Self {
        let (sign, line, more) = match row.sign {
            DiffSign::Gone(line) => ("-", Some(line), None),
            DiffSign::New(line) => ("+", Some(line), None),
            DiffSign::Same(line) => (" ", Some(line), None),
            DiffSign::Named(line) => ("*", Some(line), None),
            DiffSign::MoreGone(more) => ("-", None, Some(more)),
            DiffSign::MoreNew(more) => ("+", None, Some(more)),
        };
        Self { sign, line, more, text: &row.text, cut: row.cut }
    }
}
