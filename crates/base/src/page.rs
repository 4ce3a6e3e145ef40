//! A page is what a view shows of one target: plain data, without a sentence in it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::change::Change;
use crate::found::Hits;
use crate::listing::TreeRow;
use crate::note::Note;
use crate::reply::Image;
use crate::rows::Rows;
use crate::span::Span;
use crate::table::{Grid, Record};
use crate::version::{Tag, Version};
use crate::web::Web;

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
    /// Where it came from, when it was fetched.
    pub web: Option<Web>,
    /// The address under which the session keeps the whole text, when not all of it is shown.
    pub artifact: Option<String>,
    /// What was done to it.
    pub change: Option<Change>,
    /// What a session keeps of it once it is shown.
    pub backing: Option<Backing>,
}

/// The text behind the tag of a page.
#[derive(Clone, Debug)]
pub struct Backing {
    /// The path of the file, without links.
    pub path: PathBuf,
    /// Its bytes, where they are not too many to be kept.
    pub bytes: Option<Arc<Vec<u8>>>,
    /// Lines that the caller knows beside those on the page.
    pub known: Vec<Span>,
}

impl Page {
    /// A page of which nothing else is known yet.
    pub fn bare(kind: Kind) -> Self {
        Self {
            tool: "read",
            address: String::new(),
            kind,
            path: None,
            version: None,
            editable: false,
            encoding: None,
            guess: None,
            blocks: Vec::new(),
            coverage: Coverage::default(),
            notes: Vec::new(),
            images: Vec::new(),
            web: None,
            artifact: None,
            change: None,
            backing: None,
        }
    }

    /// Lets what is not shown be read under another address.
    pub fn readdress(&mut self, from: &str, to: &str) {
        if let Some(rest) = self.coverage.next.as_ref().and_then(|next| next.argument.strip_prefix(from)) {
            self.coverage.next = Some(Next::read(format!("{to}{rest}")));
        }
        for block in &mut self.blocks {
            if let Block::Rows(rows) = block {
                rows.readdress(from, to);
            }
        }
    }

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
    /// A document, as text.
    Document,
    /// A picture.
    Image,
    /// A page of the web, as text.
    Web,
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
            Self::Document => "document",
            Self::Image => "image",
            Self::Web => "web",
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
    /// What is declared in files.
    Files(Vec<FileRows>),
    /// Lines or values that a search found.
    Hits(Hits),
}

impl Block {
    /// Its numbered lines, when it has some.
    pub fn rows(&self) -> Option<&Rows> {
        match self {
            Self::Rows(rows) => Some(rows),
            Self::Raw(_)
            | Self::Dump(_)
            | Self::Tree(_)
            | Self::Head(_)
            | Self::Grid(_)
            | Self::Records(_)
            | Self::Files(_)
            | Self::Hits(_) => None,
        }
    }

    /// What a search found, when it holds that.
    pub fn hits(&self) -> Option<&Hits> {
        match self {
            Self::Hits(hits) => Some(hits),
            Self::Rows(_)
            | Self::Raw(_)
            | Self::Dump(_)
            | Self::Tree(_)
            | Self::Head(_)
            | Self::Grid(_)
            | Self::Records(_)
            | Self::Files(_) => None,
        }
    }
}

/// What is declared in a file.
#[derive(Clone, Debug, Default)]
pub struct FileRows {
    /// The file's name, from the directory on that is shown.
    pub name: String,
    /// How many lines it has, where they were counted.
    pub lines: Option<u64>,
    /// Rows that stand for the declarations; none where there is only room for their names.
    pub rows: Rows,
    /// What is declared at the top, where there are no rows.
    pub names: Vec<String>,
    /// How many more declarations there are.
    pub more: u64,
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
    /// Set when the lines between those shown are elided.
    pub summary: Option<Summary>,
}

/// How much of a text a summary shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Lines that are shown verbatim.
    pub lines: u64,
    /// Runs of lines that are not.
    pub elided_spans: u64,
    /// How many lines these are.
    pub elided_lines: u64,
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
    /// Pages of a document, from 1.
    Pages,
    /// Slides of a deck, from 1.
    Slides,
    /// Sheets of a workbook, from 1.
    Sheets,
    /// Chapters of a book, from 1.
    Chapters,
}

impl Unit {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Bytes => "bytes",
            Self::Entries => "entries",
            Self::Rows => "rows",
            Self::Pages => "pages",
            Self::Slides => "slides",
            Self::Sheets => "sheets",
            Self::Chapters => "chapters",
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
    /// Pages, slides, sheets or chapters of a document.
    pub sections: Option<(Unit, u64)>,
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
