//! What `edit`, `write` and `undo` are asked for, and what they did.

use serde::{Deserialize, Serialize};

use crate::reply::Span;

/// An edit by a patch of numbered lines: one or more sections, each a header `¶PATH#TAG` and operations below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "a request does nothing until it is sent"]
pub struct EditRequest {
    input: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
}

impl EditRequest {
    /// An edit by a patch as it stands.
    pub fn new(patch: impl Into<String>) -> Self {
        Self { input: patch.into(), dry_run: false }
    }

    /// An edit of one file by the tag that a reply gave for it, with operations such as `replace 4..5:` and rows
    /// `+TEXT`.
    pub fn of(path: &str, tag: &str, operations: &str) -> Self {
        Self::new("").and(path, tag, operations)
    }

    /// The same edit with operations on a further file; all are changed or none.
    pub fn and(self, path: &str, tag: &str, operations: &str) -> Self {
        let Self { mut input, dry_run } = self;
        if !input.is_empty() && !input.ends_with('\n') {
            input.push('\n');
        }
        input.extend(["¶", path, "#", tag, "\n", operations]);
        Self { input, dry_run }
    }

    /// Only shows what would be done.
    pub fn dry_run(self) -> Self {
        Self { dry_run: true, ..self }
    }
}

/// A write of a whole file, an entry of an archive, a row of a database, or the resolution of a merge conflict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "a request does nothing until it is sent"]
pub struct WriteRequest {
    path: String,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_tag: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
}

impl WriteRequest {
    /// A write of this content to a path, `archive.zip:entry`, `data.db:table`, `data.db:table:KEY`, `local://name` or
    /// `conflict://ID`.
    pub fn new(address: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: address.into(), content: content.into(), ..Self::default() }
    }

    /// Writes only if this is the tag, or the full version, of what is there.
    pub fn if_tag(self, tag: impl Into<String>) -> Self {
        Self { if_tag: Some(tag.into()), ..self }
    }

    /// Writes only if nothing is there.
    pub fn if_new(self) -> Self {
        self.if_tag("new")
    }

    /// Only shows what would be done.
    pub fn dry_run(self) -> Self {
        Self { dry_run: true, ..self }
    }
}

/// Takes back what the session changed last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "a request does nothing until it is sent"]
pub struct UndoRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
}

impl UndoRequest {
    /// All that the last call changed.
    pub fn last() -> Self {
        Self::default()
    }

    /// The last change of this file.
    pub fn of(path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }

    /// Only shows what would be done.
    pub fn dry_run(self) -> Self {
        Self { dry_run: true, ..self }
    }
}

/// What was done to one thing, or would be. The lines that went and came stand in the text of the reply; what must be known
/// beside them, in the [`notes`](crate::Target::notes) of the target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Change {
    /// What became of it: `create`, `update`, `delete`, `restore`, and others to come.
    pub op: String,
    /// Whether it was really done: not in a dry run, nor where something else in the same call was refused.
    pub applied: bool,
    /// The full hash of what it was before.
    pub before: Option<String>,
    /// What is said of it where there are no lines to show.
    pub summary: Option<String>,
    /// The first line that changed, by its new number.
    pub first_changed_line: Option<u64>,
    /// How many lines came.
    pub added: u64,
    /// How many lines went.
    pub removed: u64,
    /// How the lines between and behind the changes moved.
    pub shifts: Vec<Shift>,
    /// Blocks that operations named by their first line, as they were found.
    pub blocks: Vec<Resolved>,
}

impl Change {
    /// The number that a line has now, by the number it had before. It means nothing of a line that went.
    pub fn moved(&self, line: u64) -> u64 {
        let by = self.shifts.iter().rev().find(|shift| line > shift.after).map_or(0, |shift| shift.by);
        line.saturating_add_signed(by)
    }
}

/// From one line on, the lines have other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Shift {
    /// The last line, by its old number, that this shift leaves alone.
    pub after: u64,
    /// What is added to the old numbers of the lines behind it, up to the next shift.
    pub by: i64,
}

/// A block that an operation named by its first line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Resolved {
    /// The operation: `replace block 12`.
    pub operation: String,
    /// The lines it was found to be.
    pub lines: Span,
}
