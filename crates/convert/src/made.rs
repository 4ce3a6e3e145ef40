//! What a conversion is asked for, and what it gives.

use serde::{Deserialize, Serialize};

/// Which part of a document is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The first section, from 1.
    pub first: u64,
    /// The last section; `u64::MAX` for all there are.
    pub last: u64,
    /// After a section with which the text has so many bytes, no further one need be made.
    pub enough: u64,
}

impl Wish {
    /// Everything.
    pub const ALL: Self = Self { first: 1, last: u64::MAX, enough: u64::MAX };
}

/// What a conversion may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Bytes of text it gives at most; a longer one is cut, and [`Remark::Cut`] says so.
    pub text_bytes: u64,
    /// Bytes that the parts of a package may unpack to, all together.
    pub parts_bytes: u64,
    /// Levels that markup may be nested.
    pub depth: u64,
}

/// The text of a document, or of some of its sections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// What its sections are.
    pub parts: Parts,
    /// How many sections there are in the document.
    pub count: u64,
    /// The names of all sheets of a workbook, in order; empty for everything else.
    pub names: Vec<String>,
    /// The number of the first section given.
    pub first: u64,
    /// The sections asked for, in order and without a gap; at least one where the first asked for exists. A document
    /// that flows has exactly one.
    pub sections: Vec<Section>,
    /// What must be said of the whole.
    pub remarks: Vec<Remark>,
}

/// What the sections of a document are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parts {
    /// The document is one text without fixed pages.
    Flow,
    /// Pages.
    Pages,
    /// Slides.
    Slides,
    /// Sheets, each with a name.
    Sheets,
    /// Chapters: the files a book is made of, in reading order.
    Chapters,
}

/// One page, slide, sheet or chapter, or the whole text of a document that flows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// What it is called, where it has a name of its own: always for sheets.
    pub name: Option<String>,
    /// Its text in Markdown, with LF, no blank lines at either end, and no mark that says which section it is.
    pub text: String,
    /// How much of it the text is.
    pub state: State,
}

/// How much of a section its text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// All of it.
    Whole,
    /// There is nothing on it.
    Blank,
    /// It shows something, such as a scan, that has no text.
    NoText,
    /// Some of its text could not be had; the reason in a few words, such as `fonts without a Unicode map`.
    Lacking(String),
}

/// Something that must be said of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remark {
    /// The text was cut at a limit of [`Bounds`].
    Cut {
        /// The field of [`Bounds`].
        limit: String,
    },
    /// A part of the document is damaged and was left out; what, in a few words.
    Damaged(String),
    /// Something was left out on purpose; what, in a few words, such as `2 hidden sheets`.
    LeftOut(String),
}
