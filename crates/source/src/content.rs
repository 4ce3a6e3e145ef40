//! The shapes that things can take: a new format must bring one of them.

use std::borrow::Cow;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Hidden, Kind, Lack, Limits, Next, Note, Span, TreeRow, Unit};

/// What is shown as it is, and not as the bytes of a file.
#[derive(Debug)]
pub enum Content {
    /// Text that was made from the bytes of a file, such as a notebook's.
    Converted(Converted),
    /// A list of things that have addresses of their own.
    Listing(Box<dyn Listing>),
    /// Rows of values.
    Table(Box<dyn Table>),
    /// Text in pages, slides, sheets or chapters.
    Document(Box<dyn Document>),
    /// A picture; what there is to say of it and to see stands beside it.
    Picture,
}

/// Text in sections that have numbers: the pages of a document, the slides of a deck, the sheets of a workbook.
pub trait Document: Send + Sync + std::fmt::Debug {
    /// What the sections are.
    fn unit(&self) -> Unit;

    /// How many there are.
    fn count(&self) -> u64;

    /// Which of them are asked for.
    fn window(&self) -> Span;

    /// Sections from this number on, in order and at least one; when their texts have so many bytes, no more are made.
    fn sections(&self, first: u64, enough: u64, budget: &Budget) -> Result<Vec<Arc<Section>>, Fault>;

    /// The address of some of the sections.
    fn address(&self, sections: Span) -> String;

    /// What must be said of the whole.
    fn notes(&self) -> Vec<Note>;
}

/// A page, slide, sheet or chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its number, from 1.
    pub number: u64,
    /// Its text with the mark that says which it is, in whole lines; empty when there is none.
    pub text: String,
    /// What it lacks.
    pub lack: Option<Lack>,
}

/// Text that was made from the bytes of a file.
#[derive(Clone, Debug)]
pub struct Converted {
    /// What the file is.
    pub kind: Kind,
    /// The text, in UTF-8 with LF.
    pub text: Arc<Vec<u8>>,
    /// The bytes it was made from, where it can be edited in their place.
    pub original: Option<Arc<Vec<u8>>>,
    /// Makes the text of other bytes of the same kind, so that two versions can be compared.
    pub convert: fn(&[u8], &Limits) -> Option<Vec<u8>>,
}

impl Converted {
    /// Text that stands for itself and cannot be turned back.
    pub fn text(kind: Kind, text: impl Into<Arc<Vec<u8>>>) -> Self {
        Self { kind, text: text.into(), original: None, convert: |_, _| None }
    }
}

/// A list of things that have addresses of their own, such as the entries of a directory in an archive.
pub trait Listing: Send + Sync + std::fmt::Debug {
    /// What it lists.
    fn kind(&self) -> Kind;

    /// How many rows there are, where that is known.
    fn total(&self) -> Option<u64>;

    /// Whether this text behind the listing's address would be taken as the name of something in it.
    fn is_name(&self, _tail: &str) -> bool {
        false
    }

    /// The address of an entry that is shown by this name; `path` is that of the listing.
    fn address(&self, path: &str, name: &str) -> String {
        if path.ends_with('/') { format!("{path}{name}") } else { format!("{path}/{name}") }
    }

    /// The rows of a window, from 1.
    fn rows(&self, window: Span, budget: &Budget) -> Result<Vec<TreeRow>, Fault>;

    /// Entries left out.
    fn hidden(&self) -> Vec<Hidden>;
}

/// Rows of values: a table of a database, a result.
pub trait Table: Send + Sync + std::fmt::Debug {
    /// Lines to be shown above the rows, such as the statement that made the table.
    fn head(&self) -> &[String];

    /// The call that shows these lines whole, where they are too long for a page.
    fn head_rest(&self) -> Option<Next>;

    /// Whether the rows are shown side by side or field by field.
    fn shape(&self) -> Shape;

    /// The number of the first row, from 1.
    fn first(&self) -> u64;

    /// Passes the names of the columns and then rows in their order, until there are no more or `take` wants none; true
    /// when more follow.
    fn pull(&self, take: &mut dyn Take, budget: &Budget) -> Result<bool, Fault>;

    /// The call that shows the rows from this number on, in the same order and under the same conditions.
    fn from(&self, number: u64) -> Next;

    /// How many rows there are, where that is known.
    fn total(&self) -> Option<u64>;

    /// What must be said once the rows were read.
    fn notes(&self) -> Vec<Note>;
}

/// How rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Side by side where they fit, else field by field.
    Any,
    /// Field by field: one row was asked for.
    Record,
}

/// Takes what a table passes.
pub trait Take {
    /// The names of the columns; they come once and first.
    fn columns(&mut self, names: &[String]);

    /// A row; false when it did not fit and no more are wanted.
    fn row(&mut self, row: &TableRow) -> bool;
}

/// One row.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its values.
    pub cells: Vec<Value>,
    /// The address that shows one of its cells whole, up to the name of the column.
    pub cell: CellAddress,
}

/// How the cells of a row are called.
#[derive(Clone, Debug)]
pub struct CellAddress {
    /// What stands before the name of the column.
    pub before: String,
    /// What stands behind it.
    pub behind: String,
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, in bytes that should be UTF-8; perhaps only the beginning of it.
    Text {
        /// The bytes.
        head: Vec<u8>,
        /// How many bytes there are in all.
        length: u64,
    },
    /// Text where everything is: a number in it is the text of one. Perhaps only the beginning of it.
    Bare {
        /// The bytes.
        head: Vec<u8>,
        /// How many bytes there are in all.
        length: u64,
    },
    /// Bytes; perhaps only the beginning of them.
    Blob {
        /// The bytes.
        head: Vec<u8>,
        /// How many bytes there are in all.
        length: u64,
    },
}

/// Text in lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The bytes.
    pub blob: Arc<dyn Blob>,
    /// How they stand for characters.
    pub coding: Arc<dyn Coding>,
}

/// Bytes that are not text.
#[derive(Debug)]
pub struct Opaque {
    /// The bytes.
    pub blob: Arc<dyn Blob>,
    /// What they seem to be.
    pub what: &'static str,
}

/// A text encoding.
pub trait Coding: Send + Sync + std::fmt::Debug {
    /// Its name, in lower case.
    fn name(&self) -> &'static str;

    /// How many bytes at the beginning are a byte order mark.
    fn mark(&self) -> u64;

    /// How a line feed is written.
    fn newline(&self) -> Newline;

    /// Decodes bytes that begin at a character.
    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a>;

    /// The first offset in `bytes`, which may begin anywhere, at which a character is sure to begin; 0 when none is.
    fn resync(&self, bytes: &[u8]) -> usize;

    /// The largest length up to `most` at which `bytes`, which begin at a character, do not end inside one.
    fn boundary(&self, bytes: &[u8], most: usize) -> usize;

    /// The bytes of a text, without a byte order mark; the first character that has none is the error.
    fn encode(&self, text: &str) -> Result<Vec<u8>, char>;
}

/// Decoded text.
#[derive(Debug, Default)]
pub struct Decoded<'a> {
    /// The characters.
    pub text: Cow<'a, str>,
    /// The offsets of bytes that stand for no character, each shown as U+FFFD.
    pub replaced: Vec<u64>,
}

/// How a line feed is written in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newline {
    /// One byte.
    Byte,
    /// Two bytes, the low one first.
    Utf16Le,
    /// Two bytes, the high one first.
    Utf16Be,
    /// Four bytes, the low one first.
    Utf32Le,
    /// Four bytes, the high one first.
    Utf32Be,
}

impl Newline {
    /// How many bytes a line feed takes.
    pub const fn width(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// A line feed in bytes.
    pub const fn feed(self) -> &'static [u8] {
        match self {
            Self::Byte => b"\n",
            Self::Utf16Le => b"\n\0",
            Self::Utf16Be => b"\0\n",
            Self::Utf32Le => b"\n\0\0\0",
            Self::Utf32Be => b"\0\0\0\n",
        }
    }

    /// A carriage return in bytes.
    pub const fn carriage(self) -> &'static [u8] {
        match self {
            Self::Byte => b"\r",
            Self::Utf16Le => b"\r\0",
            Self::Utf16Be => b"\0\r",
            Self::Utf32Le => b"\r\0\0\0",
            Self::Utf32Be => b"\0\0\0\r",
        }
    }

    /// How many line feeds `bytes` hold; `bytes` begin at a character.
    pub fn count(self, bytes: &[u8]) -> u64 {
        match self {
            Self::Byte => memchr::memchr_iter(b'\n', bytes).count() as u64,
            Self::Utf16Le | Self::Utf16Be | Self::Utf32Le | Self::Utf32Be => self.feeds(bytes).count() as u64,
        }
    }

    /// The offset behind the `nth` line feed (from 0) in `bytes`.
    pub fn after_nth(self, bytes: &[u8], nth: u64) -> Option<usize> {
        let nth = usize::try_from(nth).ok()?;
        self.feeds(bytes).nth(nth).map(|at| at + self.width())
    }

    /// The offsets behind the line feeds in `bytes`, which begin at a character.
    pub fn ends(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        self.feeds(bytes).map(move |at| at + self.width())
    }

    /// How many bytes of a line, which may have a line end, are its text.
    pub fn text_length(self, line: &[u8]) -> usize {
        let Some(text) = line.strip_suffix(self.feed()).filter(|text| text.len().is_multiple_of(self.width())) else {
            return line.len();
        };
        let bare = text.strip_suffix(self.carriage()).filter(|bare| bare.len().is_multiple_of(self.width()));
        bare.unwrap_or(text).len()
    }

    /// The offset of the first line feed in `bytes`.
    pub fn find(self, bytes: &[u8]) -> Option<usize> {
        self.feeds(bytes).next()
    }

    /// The offset of the last line feed in `bytes`.
    pub fn rfind(self, bytes: &[u8]) -> Option<usize> {
        let whole = |at: &usize| self.at(bytes, *at).is_some();
        memchr::memrchr_iter(b'\n', bytes).filter_map(|at| self.start_of(at)).find(whole)
    }

    fn feeds(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        memchr::memchr_iter(b'\n', bytes).filter_map(move |at| self.at(bytes, self.start_of(at)?))
    }

    /// Where the character begins whose low byte stands at `at`.
    fn start_of(self, at: usize) -> Option<usize> {
        match self {
            Self::Byte | Self::Utf16Le | Self::Utf32Le => Some(at),
            Self::Utf16Be => at.checked_sub(1),
            Self::Utf32Be => at.checked_sub(3),
        }
    }

    fn at(self, bytes: &[u8], start: usize) -> Option<usize> {
        let feed = bytes.get(start..start + self.width())? == self.feed();
        (feed && start.is_multiple_of(self.width())).then_some(start)
    }
}
