//! What can be wrong with a patch.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted, Span, Tag, Words};

use crate::patch::Op;

/// A patch that cannot be read, or that does not fit its file; nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line of the patch that is wrong.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The first line is no header.
    NoHeader {
        /// What stands there.
        got: String,
    },
    /// A header without a tag.
    NoTag {
        /// The file it names.
        path: String,
        /// What stands in the place of the tag.
        got: Option<String>,
    },
    /// One file with two tags.
    TagsDiffer {
        /// The file.
        path: String,
        /// The tag it had first.
        first: Tag,
        /// The tag it has here.
        second: Tag,
    },
    /// A header without operations.
    NoOperation {
        /// The file it names.
        path: String,
    },
    /// A row that belongs to no operation.
    StrayRow {
        /// The row.
        got: String,
    },
    /// A row that begins with `-`.
    MinusRow,
    /// An operation without the rows it needs.
    EmptyHunk {
        /// The operation.
        op: Op,
    },
    /// Rows, or a colon, behind an operation that takes none.
    DeleteWithBody {
        /// The operation.
        op: Op,
    },
    /// A range that ends before it starts.
    Reversed {
        /// Its first number.
        first: u64,
        /// Its last number.
        last: u64,
    },
    /// The language of another tool.
    Foreign {
        /// Which.
        what: Foreign,
        /// The row.
        got: String,
    },
    /// Line numbers that do not say what is to be done.
    NoVerb {
        /// The numbers.
        lines: Span,
        /// The row.
        got: String,
    },
    /// A row that begins as an operation and goes on otherwise.
    BadOperation {
        /// The row.
        got: String,
    },
    /// The patch says that it is not to be applied.
    Aborted,
    /// No block begins on the line that an operation names.
    NoBlock {
        /// The file.
        path: String,
        /// The operation.
        op: Op,
        /// The line it names.
        anchor: u64,
        /// What is known of the reason; may be empty.
        hint: String,
    },
    /// A line that the file does not have.
    NoLine {
        /// The file.
        path: String,
        /// The line.
        wanted: u64,
        /// How many it has.
        lines: u64,
    },
    /// Two operations on one line.
    Overlap {
        /// The line.
        anchor: u64,
        /// The line of the patch on which the other operation stands.
        other: u64,
    },
    /// A character that the encoding of the file does not have.
    Unencodable {
        /// The character.
        character: char,
        /// The encoding.
        encoding: String,
    },
    /// The file could not be read.
    Io {
        /// What the system said.
        cause: String,
    },
}

/// The language of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A line of `apply_patch`, such as `*** Update File: a.ts`.
    ApplyPatch,
    /// `@@ -1,2 +3,4 @@`.
    UnifiedDiff,
    /// Something else between `@@`.
    Brackets,
}

impl Error {
    pub(crate) const fn new(line: u64, problem: Problem) -> Self {
        Self { line, problem }
    }

    /// The line of the file around which the caller should look: where no block begins.
    pub const fn anchor(&self) -> Option<u64> {
        match &self.problem {
            Problem::NoBlock { anchor, .. } => Some(*anchor),
            Problem::NoHeader { .. }
            | Problem::NoTag { .. }
            | Problem::TagsDiffer { .. }
            | Problem::NoOperation { .. }
            | Problem::StrayRow { .. }
            | Problem::MinusRow
            | Problem::EmptyHunk { .. }
            | Problem::DeleteWithBody { .. }
            | Problem::Reversed { .. }
            | Problem::Foreign { .. }
            | Problem::NoVerb { .. }
            | Problem::BadOperation { .. }
            | Problem::Aborted
            | Problem::NoLine { .. }
            | Problem::Overlap { .. }
            | Problem::Unencodable { .. }
            | Problem::Io { .. } => None,
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self.problem {
            Problem::NoHeader { .. } => "edit.no_header",
            Problem::NoTag { .. } => "edit.no_tag",
            Problem::TagsDiffer { .. } => "edit.tags_differ",
            Problem::NoOperation { .. } => "edit.no_operation",
            Problem::StrayRow { .. } => "edit.stray_row",
            Problem::MinusRow => "edit.minus_row",
            Problem::EmptyHunk { .. } => "edit.empty_hunk",
            Problem::DeleteWithBody { .. } => "edit.delete_with_body",
            Problem::Reversed { .. } => "edit.reversed_range",
            Problem::Foreign { .. } => "edit.foreign",
            Problem::NoVerb { .. } => "edit.no_verb",
            Problem::BadOperation { .. } => "edit.bad_operation",
            Problem::Aborted => "edit.aborted",
            Problem::NoBlock { .. } => "edit.no_block",
            Problem::NoLine { .. } => "edit.no_line",
            Problem::Overlap { .. } => "edit.overlap",
            Problem::Unencodable { .. } => "edit.unencodable",
            Problem::Io { .. } => "edit.io",
        }
    }

    fn class(&self) -> Class {
        if matches!(self.problem, Problem::Io { .. }) { Class::Broken } else { Class::Request }
    }

    fn next(&self) -> Vec<Next> {
        match &self.problem {
            Problem::NoTag { path, .. } | Problem::TagsDiffer { path, .. } | Problem::NoLine { path, lines: 0, .. } => {
                vec![Next::read(path.clone())]
            }
            Problem::NoLine { path, lines, .. } => vec![Next::read(format!("{path}:{lines}"))],
            Problem::NoBlock { path, anchor, .. } => {
                vec![Next::read(format!("{path}:{anchor}-{}", anchor.saturating_add(39)))]
            }
            Problem::NoHeader { .. }
            | Problem::NoOperation { .. }
            | Problem::StrayRow { .. }
            | Problem::MinusRow
            | Problem::EmptyHunk { .. }
            | Problem::DeleteWithBody { .. }
            | Problem::Reversed { .. }
            | Problem::Foreign { .. }
            | Problem::NoVerb { .. }
            | Problem::BadOperation { .. }
            | Problem::Aborted
            | Problem::Overlap { .. }
            | Problem::Unencodable { .. }
            | Problem::Io { .. } => Vec::new(),
        }
    }
}

/// The operations there are, for messages.
const OPERATIONS: &str =
    "`replace N..M:`, `delete N..M`, `insert before N:`, `insert after N:`, `insert head:` or `insert tail:`";

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::NoHeader { got } if got.is_empty() => {
                f.write_str("the patch is empty; it must begin with a header `¶PATH#TAG`, as `read` shows it")
            }
            Problem::NoHeader { got } => {
                write!(f, "a patch must begin with a header `¶PATH#TAG`, as `read` shows it, not with {}", Quoted(got))
            }
            Problem::NoTag { path, got: None } => {
                write!(f, "the header names {} without a tag; copy `¶PATH#TAG` from the latest reply", Quoted(path))
            }
            Problem::NoTag { path, got: Some(got) } => write!(
                f,
                "{} behind {} is no tag, which has four hex digits; copy `¶PATH#TAG` from the latest reply",
                Quoted(got),
                Quoted(path)
            ),
            Problem::TagsDiffer { path, first, second } => write!(
                f,
                "{} stands here with the tag {second} and above with {first}: a patch knows one version of a file",
                Quoted(path)
            ),
            Problem::NoOperation { path } => write!(f, "nothing is to be done to {}; write {OPERATIONS}", Quoted(path)),
            Problem::Foreign { what, got } => foreign(f, *what, got),
            Problem::Aborted => f.write_str("the patch says `*** Abort`; nothing of it was applied"),
            Problem::NoBlock { op, anchor, hint, .. } => no_block(f, *op, *anchor, hint),
            Problem::NoLine { path, wanted, lines } => no_line(f, path, *wanted, *lines),
            Problem::Overlap { anchor, other } => write!(
                f,
                "line {anchor} of the file is already the target of the operation on line {other} of the patch; write \
                 one operation for each range, with the final text alone"
            ),
            Problem::Unencodable { character, encoding } => write!(
                f,
                "{} (U+{:04X}) does not exist in {encoding}, the encoding of the file",
                Quoted(&character.to_string()),
                u32::from(*character)
            ),
            Problem::Io { cause } => write!(f, "the file could not be read: {}", Words(cause)),
            Problem::StrayRow { .. }
            | Problem::MinusRow
            | Problem::EmptyHunk { .. }
            | Problem::DeleteWithBody { .. }
            | Problem::Reversed { .. }
            | Problem::NoVerb { .. }
            | Problem::BadOperation { .. } => row_words(f, &self.problem),
        }
    }
}

/// What is wrong with one row.
fn row_words(f: &mut fmt::Formatter<'_>, problem: &Problem) -> fmt::Result {
    match problem {
        Problem::StrayRow { got } => {
            write!(f, "no operation stands above {}; write {OPERATIONS} first", Quoted(got))
        }
        Problem::MinusRow => f.write_str(
            "rows with `-` are not part of the language: the range already names what goes. A line that begins \
             with `-` is written `+-…`",
        ),
        Problem::EmptyHunk { op } => empty_hunk(f, *op),
        Problem::DeleteWithBody { op } => {
            let instead = match op.block() {
                Some(line) => format!("replace block {line}:"),
                None => op.to_string().replacen("delete", "replace", 1) + ":",
            };
            write!(f, "`{op}` takes no colon and no rows; leave them out, or write `{instead}`")
        }
        Problem::Reversed { first, last } => write!(f, "the range {first}..{last} ends before it starts"),
        Problem::NoVerb { lines: Span { first, last }, got } => {
            let delete = if first == last { first.to_string() } else { format!("{first}..{last}") };
            write!(
                f,
                "{} does not say what is to be done; write `replace {first}..{last}:` or `delete {delete}`, or \
                 `+` before a line of text",
                Quoted(got)
            )
        }
        Problem::BadOperation { got } => {
            write!(f, "{} is no operation; write {OPERATIONS}, or `+` before a line of text", Quoted(got))
        }
        Problem::NoHeader { .. }
        | Problem::NoTag { .. }
        | Problem::TagsDiffer { .. }
        | Problem::NoOperation { .. }
        | Problem::Foreign { .. }
        | Problem::Aborted
        | Problem::NoBlock { .. }
        | Problem::NoLine { .. }
        | Problem::Overlap { .. }
        | Problem::Unencodable { .. }
        | Problem::Io { .. } => Ok(()),
    }
}

fn empty_hunk(f: &mut fmt::Formatter<'_>, op: Op) -> fmt::Result {
    write!(f, "`{op}:` needs at least one row `+TEXT`")?;
    match op {
        Op::Replace(span) => write!(f, "; to delete the lines, write `delete {}..{}`", span.first, span.last),
        Op::ReplaceBlock(line) => write!(f, "; to delete the block, write `delete block {line}`"),
        Op::Delete(_) | Op::DeleteBlock(_) | Op::Before(_) | Op::After(_) | Op::AfterBlock(_) | Op::Head | Op::Tail => {
            Ok(())
        }
    }
}

fn foreign(f: &mut fmt::Formatter<'_>, what: Foreign, got: &str) -> fmt::Result {
    match what {
        Foreign::ApplyPatch => write!(
            f,
            "{} belongs to apply_patch; here a file begins with `¶PATH#TAG`, and what is done to it is {OPERATIONS}",
            Quoted(got)
        ),
        Foreign::UnifiedDiff => write!(f, "{} belongs to a unified diff; write {OPERATIONS}", Quoted(got)),
        Foreign::Brackets => {
            write!(f, "{}: leave out the `@@` and say what is to be done, as in `replace N..M:`", Quoted(got))
        }
    }
}

fn no_block(f: &mut fmt::Formatter<'_>, op: Op, anchor: u64, hint: &str) -> fmt::Result {
    write!(f, "`{op}` finds no block that begins on line {anchor}")?;
    if !hint.is_empty() {
        write!(f, ": {}", Words(hint))?;
    }
    let instead = match op {
        Op::AfterBlock(_) => "insert after M:",
        Op::DeleteBlock(_) => "delete N..M",
        Op::Replace(_) | Op::ReplaceBlock(_) | Op::Delete(_) | Op::Before(_) | Op::After(_) | Op::Head | Op::Tail => {
            "replace N..M:"
        }
    };
    write!(f, ". Name the lines yourself: `{instead}`")
}

fn no_line(f: &mut fmt::Formatter<'_>, path: &str, wanted: u64, lines: u64) -> fmt::Result {
    let plural = if lines == 1 { "" } else { "s" };
    // Every larger number was read as this one, which no caller writes.
    if wanted == u64::MAX {
        return write!(f, "the number is larger than that of any line; {} has {lines} line{plural}", Quoted(path));
    }
    write!(f, "line {wanted} does not exist; {} has {lines} line{plural}", Quoted(path))?;
    if wanted == 0 {
        f.write_str(", counted from 1; to insert before all of them, write `insert head:`")?;
    }
    Ok(())
}
