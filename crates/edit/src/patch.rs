//! A patch is what it says of each file: operations on numbered lines, and the rows they bring.

use std::fmt;

use readstone_base::{Span, Tag};

/// A patch as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The files it names, each once, in the order in which it names them.
    pub sections: Vec<Section>,
    /// How many rows without a `+` were taken for body rows.
    pub bare_rows: u64,
}

/// What a patch says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The file, as the header spells it; a selector stays with it.
    pub path: String,
    /// The version its line numbers mean.
    pub tag: Tag,
    /// Its operations, in the order of the patch.
    pub hunks: Vec<Hunk>,
    /// The line of the patch on which its first header stands.
    pub line: u64,
}

/// An operation and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The line of the patch on which the operation stands; the rows stand on the lines behind it.
    pub line: u64,
    /// What is done.
    pub op: Op,
    /// The lines that come, without their sign.
    pub body: Vec<String>,
}

/// What is done to the lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Other lines come in the place of these.
    Replace(Span),
    /// Other lines come in the place of the block that begins on this line.
    ReplaceBlock(u64),
    /// These lines go.
    Delete(Span),
    /// The block that begins on this line goes.
    DeleteBlock(u64),
    /// Lines come before this one.
    Before(u64),
    /// Lines come behind this one.
    After(u64),
    /// Lines come behind the block that begins on this line.
    AfterBlock(u64),
    /// Lines come before all others.
    Head,
    /// Lines come behind all others.
    Tail,
}

impl Op {
    /// Whether rows belong to it.
    pub const fn takes_rows(self) -> bool {
        match self {
            Self::Delete(_) | Self::DeleteBlock(_) => false,
            Self::Replace(_)
            | Self::ReplaceBlock(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::AfterBlock(_)
            | Self::Head
            | Self::Tail => true,
        }
    }

    /// The line on which the block begins that it names.
    pub const fn block(self) -> Option<u64> {
        match self {
            Self::ReplaceBlock(line) | Self::DeleteBlock(line) | Self::AfterBlock(line) => Some(line),
            Self::Replace(_) | Self::Delete(_) | Self::Before(_) | Self::After(_) | Self::Head | Self::Tail => None,
        }
    }
}

/// As it is written, without the colon.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace(span) => write!(f, "replace {}..{}", span.first, span.last),
            Self::ReplaceBlock(line) => write!(f, "replace block {line}"),
            Self::Delete(span) => write!(f, "delete {}..{}", span.first, span.last),
            Self::DeleteBlock(line) => write!(f, "delete block {line}"),
            Self::Before(line) => write!(f, "insert before {line}"),
            Self::After(line) => write!(f, "insert after {line}"),
            Self::AfterBlock(line) => write!(f, "insert after block {line}"),
            Self::Head => f.write_str("insert head"),
            Self::Tail => f.write_str("insert tail"),
        }
    }
}
