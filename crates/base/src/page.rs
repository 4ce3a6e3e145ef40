//! A page is what a view shows of one target: plain data, without a sentence in it.

use crate::reply::Image;
use crate::rows::Rows;
use crate::span::Span;
use crate::version::{Tag, Version};
use crate::visible::Marks;

/// One target, or the part of it that fits.
#[derive(Clone, Debug)]
pub struct Page {
    /// The tool that shows what its addresses name.
    pub tool: &'static str,
    /// The address as the caller gave it.
    pub address: String,
    /// What the target is.
    pub kind: Kind,
    /// The path that opens the target again, where it has one.
    pub path: Option<String>,
    /// The full hash of the target's bytes, where it was taken.
    pub version: Option<Version>,
    /// Whether the target can be edited under its tag.
    pub editable: bool,
    /// The name of the text encoding.
    pub encoding: Option<&'static str>,
    /// The missing path that a guess replaced.
    pub guess: Option<Guess>,
    /// What is shown.
    pub blocks: Vec<Block>,
    /// How much of the whole that is.
    pub coverage: Coverage,
    /// What must be said beside it.
    pub notes: Vec<Note>,
    /// Pictures that belong to it.
    pub images: Vec<Image>,
}

impl Page {
    /// The tag of the page's version.
    pub fn tag(&self) -> Option<Tag> {
        self.version.as_ref().map(Tag::of)
    }
}

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text in lines.
    Text,
    /// Bytes that are not text.
    Binary,
    /// A directory.
    Directory,
    /// An archive, or a directory in one.
    Archive,
    /// A database.
    Database,
    /// Rows of a table.
    Table,
    /// A notebook, as text.
    Notebook,
    /// Something that was not looked at.
    Unopened,
}

impl Kind {
    /// The word programs see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Directory => "directory",
            Self::Archive => "archive",
            Self::Database => "database",
            Self::Table => "table",
            Self::Notebook => "notebook",
            Self::Unopened => "unopened",
        }
    }
}

/// A missing path, and how the one opened in its place was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The path that does not exist.
    pub asked: String,
    /// The path that was opened.
    pub found: String,
    /// What they share: `suffix match`, `case match`, `Unicode match`, `spelling match`.
    pub how: &'static str,
}

/// A piece of a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// Numbered lines.
    Rows(Rows),
    /// Verbatim text.
    Raw(Raw),
    /// Bytes in hex.
    Dump(Vec<DumpRow>),
    /// Entries of a directory, an archive or a database.
    Tree(Vec<TreeRow>),
    /// Lines about what follows, such as the statement that made a table.
    Head(Vec<String>),
    /// Rows of a table, side by side.
    Grid(Grid),
    /// Rows of a table, one field below the other.
    Records(Vec<Record>),
}

/// Rows of a table, each cell made visible and cut to its width.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number in the result, where several are shown.
    pub number: Option<u64>,
    /// Its cells.
    pub fields: Vec<Field>,
}

/// One cell of a row.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the column.
    pub name: String,
    /// The value, made visible, line by line.
    pub lines: Vec<String>,
    /// The bytes that are not shown, and the address that shows the whole value.
    pub rest: Option<(u64, String)>,
}

/// Verbatim text: the decoded characters, and the bytes where the characters cannot stand for them.
#[derive(Clone, Debug)]
pub struct Raw {
    /// The decoded text.
    pub text: String,
    /// The source bytes, when they differ from the UTF-8 of the text.
    pub bytes: Option<Vec<u8>>,
}

/// Up to sixteen bytes in hex.
#[derive(Clone, Debug)]
pub struct DumpRow {
    /// The offset of the first byte.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A row of a directory tree.
#[derive(Clone, Debug)]
pub struct TreeRow {
    /// 0 for a child of the directory itself, 1 for its children.
    pub depth: usize,
    /// The name, shown so that it can be read back.
    pub name: String,
    /// What the entry is.
    pub size: TreeSize,
    /// When it was changed.
    pub when: When,
    /// What is odd about it.
    pub marks: Vec<Mark>,
}

/// When an entry was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// That is not known.
    Unknown,
    /// So many seconds ago; negative for a time in the future.
    Ago(i64),
    /// At this moment, in seconds since the epoch, by the clock of whoever made the entry.
    At(i64),
}

/// What is odd about an entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Several entries have this name; this one opens by this address.
    SameName(String),
    /// The name leads out of the archive; the entry opens by this address.
    UnsafeName(String),
    /// It is encrypted.
    Encrypted,
    /// It is packed in a way that cannot be read.
    Unsupported(String),
    /// Its bytes are those of another entry too.
    Overlaps,
    /// It cannot be read.
    Damaged,
}

/// What an entry of a directory tree is, as far as it is shown.
#[derive(Clone, Debug)]
pub enum TreeSize {
    /// A directory.
    Directory,
    /// A directory that was not opened, and why.
    Closed(&'static str),
    /// A regular file of this many bytes.
    File(u64),
    /// A symbolic link to this target.
    Link(String),
    /// A table with so many rows.
    Rows(u64),
    /// A table with at least so many rows.
    AtLeast(u64),
    /// A table whose rows were not counted, and why.
    Uncounted(&'static str),
    /// A stored query.
    View,
    /// Something else: `fifo`, `socket`, `character device`, `block device`.
    Special(&'static str),
    /// An entry that cannot be looked at, and why.
    Unreadable(&'static str),
    /// Entries that are not shown here, and the address that shows them.
    More {
        /// How many there are.
        count: u64,
        /// The address that shows them.
        address: String,
    },
}

/// How much of the target a page shows.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// What is counted.
    pub unit: Unit,
    /// What was asked for and is shown.
    pub shown: Vec<Span>,
    /// What is shown beside it.
    pub context: Vec<Span>,
    /// How much there is.
    pub total: Totals,
    /// True when the page shows everything there is.
    pub complete: bool,
    /// The limit that ended the page.
    pub cut_by: Option<&'static str>,
    /// What comes next.
    pub next: Option<Next>,
    /// The offset at which the next window starts.
    pub next_start_byte: Option<u64>,
    /// Entries left out, by reason.
    pub hidden: Vec<Hidden>,
}

/// What a coverage counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Lines, from 1.
    #[default]
    Lines,
    /// Bytes, from 0.
    Bytes,
    /// Rows of a listing, from 1.
    Entries,
    /// Rows of a table, from 1.
    Rows,
}

impl Unit {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Bytes => "bytes",
            Self::Entries => "entries",
            Self::Rows => "rows",
        }
    }
}

/// How much there is; what was not counted is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines.
    pub lines: Option<u64>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Entries of a listing.
    pub entries: Option<u64>,
    /// Rows of a table.
    pub rows: Option<u64>,
}

/// Entries left out of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Why: `ignored`, `denied`, `unreadable`.
    pub reason: &'static str,
    /// How many.
    pub count: u64,
    /// The address that shows them, where there is one.
    pub address: Option<String>,
}

/// A call that can be made as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The tool to call.
    pub tool: &'static str,
    /// Its main argument.
    pub argument: String,
}

impl Next {
    /// A call of `read`.
    pub fn read(address: impl Into<String>) -> Self {
        Self { tool: "read", argument: address.into() }
    }
}

/// Something that must be said beside the text; `render` words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The file is empty.
    Empty,
    /// The selection lies behind the end.
    PastEnd {
        /// The first line, byte or row asked for.
        asked: u64,
    },
    /// The text is not in UTF-8.
    Encoding(&'static str),
    /// A byte order mark was left out of the text.
    ByteOrderMark,
    /// Every line end shown is CRLF.
    Crlf,
    /// Some line ends shown are CRLF.
    MixedEnds {
        /// How many are CRLF.
        crlf: u64,
        /// How many are LF.
        lf: u64,
    },
    /// The last line has no newline.
    NoFinalNewline,
    /// Bytes that are not valid in the encoding are shown as U+FFFD.
    Replaced {
        /// How many replacement characters are shown.
        count: u64,
        /// The offsets of the first few of them.
        offsets: Vec<u64>,
    },
    /// Dangerous characters are spelled out.
    Marks(Marks),
    /// The file is too large for a tag.
    NoTag {
        /// The limit.
        limit: u64,
    },
    /// Rows are labelled with byte offsets because the lines before them were not counted.
    NotNumbered,
    /// The file changed while it was read.
    Changed,
    /// A stream went on past what was kept of it.
    Endless {
        /// How many bytes were kept.
        kept: u64,
        /// The limit.
        limit: &'static str,
    },
    /// Reading stopped early on an error of the system.
    Partial {
        /// The offset at which it stopped.
        offset: u64,
        /// What the system said.
        cause: String,
    },
    /// The address was taken as a literal name although it ends like a selector.
    Literal,
    /// The file matches a rule for secrets.
    Secret {
        /// The rule.
        rule: String,
    },
    /// A number of the call was lowered to a limit.
    Clamped {
        /// The limit.
        limit: &'static str,
        /// The number in force.
        value: u64,
    },
    /// The bytes are not text.
    Binary {
        /// What they seem to be.
        what: &'static str,
    },
    /// Nothing changed since the version asked about.
    Unchanged {
        /// That version's tag.
        tag: Tag,
    },
    /// Only what changed since a version is shown.
    Changes {
        /// That version's tag.
        tag: Tag,
        /// How many places changed.
        hunks: u64,
        /// Lines taken away.
        removed: u64,
        /// Lines added.
        added: u64,
    },
    /// The line ends changed since the version asked about.
    EndsChanged {
        /// How many were CRLF and LF then.
        then: (u64, u64),
        /// How many are CRLF and LF now.
        now: (u64, u64),
    },
    /// The session does not hold the version asked about.
    Forgotten {
        /// That version's tag.
        tag: Tag,
    },
    /// How many merge conflicts there are.
    Conflicts {
        /// Their number.
        count: u64,
    },
    /// The file holds no conflict with all its markers.
    NoConflicts,
    /// A directory is empty.
    EmptyDirectory,
    /// A limit of directory reading was met.
    ManyEntries {
        /// The limit.
        limit: u64,
    },
    /// Directories below the one listed were not opened.
    Unopened {
        /// How many.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// There was no room for the target in the shared budget.
    NoRoom,
    /// An archive or a directory in it is empty.
    EmptyArchive,
    /// A database or a result has nothing in it.
    NoRows,
    /// The entry is a link, which is not followed; what is shown is where it leads.
    Link,
    /// Several entries have the name; this is the one with this number.
    SameName {
        /// Its number in the archive.
        number: u64,
        /// How many have the name.
        count: u64,
        /// The address of another one.
        other: String,
    },
    /// The archive was read up to this entry only: what follows, a second entry of the name or a checksum, was not seen.
    NotReadOn,
    /// The checksum of a large entry was not checked, because only a part of the entry was read.
    Unchecked,
    /// Entries share bytes with others.
    Overlapping {
        /// How many do.
        count: u64,
    },
    /// Bytes that do not belong to the archive stand before or behind it.
    Foreign {
        /// How many before it.
        before: u64,
        /// How many behind it.
        behind: u64,
    },
    /// The archive calls an entry so in its directory and otherwise at its place.
    OtherName {
        /// The name at its place.
        name: String,
    },
    /// The archive is whole up to this byte only.
    Damaged {
        /// The offset.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// A notebook is shown as the text it is stored as.
    NotNotebook {
        /// What is wrong with it.
        why: String,
    },
    /// Outputs of a notebook are shown in part.
    Outputs {
        /// How many are cut or only named.
        count: u64,
        /// The address that shows the first of them.
        address: String,
    },
    /// Cells of a table are cut.
    CutCells {
        /// How many.
        count: u64,
        /// The address that shows the first of them whole.
        address: String,
    },
    /// A query was taken with its percent signs decoded.
    Decoded,
    /// An unfinished transaction was undone before reading, in memory.
    RolledBack,
    /// The bytes are those of the file inside a compressed one.
    Unpacked {
        /// How it is compressed.
        how: &'static str,
    },
}
