//! What an edit or a write did to one thing.

use std::ops::Range;

use crate::span::Span;
use crate::version::{Tag, Version};

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
    /// What it came to, where lines do not say it all.
    pub summary: Option<Upshot>,
    /// The same in words; `render` fills it in.
    pub told: Option<String>,
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
            told: None,
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

/// What a change came to; `render` words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upshot {
    /// A whole thing was written.
    Written {
        /// Its size.
        size: u64,
        /// Its lines, where it has some.
        lines: Option<u64>,
        /// Its encoding, where that is not UTF-8.
        encoding: Option<&'static str>,
        /// Its line ends, where they were made those of the file.
        ends: Option<&'static str>,
    },
    /// An entry of an archive was written.
    Entry {
        /// Its size.
        size: u64,
        /// Its tag, which only a condition takes.
        tag: Tag,
        /// Whether the archive and the entry were there before.
        before: EntryBefore,
    },
    /// A row of a database was written, or not.
    Row(RowSummary),
    /// What was to be written is there already; nothing was done.
    Same,
    /// The last change was taken back.
    TakenBack,
    /// The making of something was taken back: it is gone.
    Unmade,
    /// Something that was made is gone already.
    GoneAlready,
}

/// What was there before an entry was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryBefore {
    /// No archive.
    Nothing,
    /// The archive without the entry.
    Archive,
    /// The entry, of this size.
    Entry(u64),
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSummary {
    /// What was done.
    pub act: RowAct,
    /// The address of the table.
    pub table: String,
    /// The key of the row.
    pub key: Option<String>,
    /// What a key of the table is, when no row had the one that was given.
    pub expected: Option<String>,
    /// The columns that changed.
    pub columns: Vec<String>,
    /// What the row was.
    pub before: Option<RowShot>,
    /// What the row is.
    pub after: Option<RowShot>,
}

/// What was done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAct {
    /// It is new.
    Inserted,
    /// It has other values.
    Updated,
    /// It is gone.
    Deleted,
    /// No row has the key.
    NoneUpdated,
    /// No row has the key.
    NoneDeleted,
    /// A trigger kept it from being written.
    Ignored,
}

/// A row at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowShot {
    /// Its values, as a JSON5 object.
    pub json: String,
    /// Whether nothing is left out.
    pub whole: bool,
    /// Its tag, which only a condition takes.
    pub tag: Tag,
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
        tag: Tag,
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
    /// Credentials in a git configuration are covered in what is shown.
    Masked {
        /// How many.
        count: u64,
    },
    /// What was replaced is not kept: the change cannot be undone.
    NotKept(NotKept),
}

/// Why what a change replaced is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// It is larger than this limit.
    Large(&'static str),
    /// It matches a rule for secrets.
    Secret,
    /// There is no room for it, or nothing that could keep it.
    NoRoom,
}

/// Who changed a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// An earlier edit or write of the same session.
    Session,
    /// Somebody else.
    Other,
}
