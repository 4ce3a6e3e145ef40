//! What an edit or a write did to one thing.

use std::ops::Range;

use crate::span::Span;
use crate::version::Version;

/// Bytes that take the place of a range of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go; an empty range is a place between two bytes.
    pub range: Range<u64>,
    /// The bytes that come.
    pub bytes: Vec<u8>,
}

/// What was done, or would be.
#[derive(Clone, Debug)]
pub struct Change {
    /// What became of the thing.
    pub done: Done,
    /// Whether it was really done.
    pub effect: Outcome,
    /// The version it had before.
    pub before: Option<Version>,
    /// What is said of it where there are no lines to show: `Inserted row 7 into users`.
    pub summary: Option<String>,
    /// Blocks that operations named by their first line, as they were found.
    pub blocks: Vec<Resolved>,
    /// The lines that went and came.
    pub rows: Vec<DiffRow>,
    /// How the lines between and behind the changes moved.
    pub shifts: Vec<Shift>,
    /// The first line that changed, by its new number.
    pub first_changed: Option<u64>,
    /// How many lines came.
    pub added: u64,
    /// How many lines went.
    pub removed: u64,
    /// What the caller must know.
    pub warnings: Vec<Warning>,
}

impl Change {
    /// A change of which nothing else is known yet.
    pub const fn new(done: Done) -> Self {
        Self {
            done,
            effect: Outcome::Applied,
            before: None,
            summary: None,
            blocks: Vec::new(),
            rows: Vec::new(),
            shifts: Vec::new(),
            first_changed: None,
            added: 0,
            removed: 0,
            warnings: Vec::new(),
        }
    }
}

/// What became of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is new.
    Create,
    /// It has another content.
    Update,
    /// It is gone.
    Delete,
    /// It is as it was before the last change.
    Restore,
}

impl Done {
    /// The word programs see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Restore => "restore",
        }
    }
}

/// Whether a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was.
    Applied,
    /// It would be, had the caller not asked only to see it.
    Shown,
    /// It was not: something else in the same call failed.
    Withheld,
}

/// A block that an operation named by its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The operation: `replace block 12`.
    pub operation: String,
    /// The lines it was found to be.
    pub lines: Span,
}

/// From one line on, the lines have other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The last line, by its old number, that still has the number it had before this shift.
    pub after: u64,
    /// What is added to the old numbers of the lines behind it, up to the next shift.
    pub by: i64,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffRow {
    /// Which line it is.
    pub sign: DiffSign,
    /// Its text, made visible.
    pub text: String,
    /// Whether something of the line is left out.
    pub cut: bool,
}

/// Which line a row of a diff shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffSign {
    /// A line that went, by its old number.
    Gone(u64),
    /// A line that came, by its new number.
    New(u64),
    /// A line beside a change, by its new number.
    Same(u64),
    /// A line that an operation names, where it was refused, by its number now.
    Named(u64),
    /// So many more lines went than are shown.
    MoreGone(u64),
    /// So many more lines came than are shown.
    MoreNew(u64),
}

/// What the caller must know beside the change; `render` words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Rows without their sign were taken for body rows.
    BareRows {
        /// How many.
        count: u64,
    },
    /// The file had changed since the tag; the operations were carried over to lines that had not.
    Recovered {
        /// The tag that was named.
        tag: crate::version::Tag,
        /// Who changed it.
        by: Hand,
    },
    /// The file has other names, which keep what it was.
    LinksBroken {
        /// How many.
        count: u64,
    },
    /// Hard links of the archive lead to the entry, and to what it holds now.
    LinkedEntries {
        /// How many.
        count: u64,
    },
    /// The file says that it was made by a program.
    Generated {
        /// The words that say so.
        marker: String,
    },
    /// Prefixes of pasted lines were taken away.
    Stripped {
        /// How many lines had one.
        lines: u64,
    },
    /// The file was made executable, for it begins with `#!`.
    Executable,
    /// Directories were made.
    Folders {
        /// How many.
        count: u64,
    },
    /// Triggers changed further rows.
    Triggered {
        /// How many.
        rows: u64,
        /// In which tables, and how many in each, as far as that is known.
        tables: Vec<(String, u64)>,
    },
    /// Too much was replaced to be kept: the change cannot be undone.
    NotKept {
        /// The limit.
        limit: &'static str,
    },
    /// What was replaced is of a secret, of which nothing is kept: the change cannot be undone.
    SecretNotKept,
}

/// Who changed a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// An earlier edit or write of the same session.
    Session,
    /// Somebody else.
    Other,
}
