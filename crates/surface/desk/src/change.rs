//! The wire form of a change.

use readstone_base::{Change, Outcome, Resolved, Shift};
use serde::Serialize;

/// What a program needs to know of a change; the lines themselves stand in the text and are not said twice.
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

impl<'a> ChangeForm<'a> {
    pub(crate) fn of(change: &'a Change) -> Self {
        Self {
            op: change.done.name(),
            applied: change.effect == Outcome::Applied,
            before: change.before.map(|version| version.to_string()),
            summary: change.told.as_deref(),
            first_changed_line: change.first_changed,
            added: change.added,
            removed: change.removed,
            shifts: change.shifts.iter().map(|Shift { after, by }| ShiftForm { after: *after, by: *by }).collect(),
            blocks: change.blocks.iter().map(BlockForm::of).collect(),
        }
    }
}

impl<'a> BlockForm<'a> {
    fn of(block: &'a Resolved) -> Self {
        Self { operation: &block.operation, lines: [block.lines.first, block.lines.last] }
    }
}
