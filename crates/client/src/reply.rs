//! A reply is what a tool answers: parts for a model, a receipt for programs.
//!
//! Fields that this client does not know are passed over, and fields that are not there are empty, so that a newer
//! server can be read by an older client.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::change::Change;
use crate::failure::Failure;
use crate::found::{Found, Matches};

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Reply {
    /// Whether the call succeeded. It did in every reply that a call returns; one that did not is an error.
    pub status: Status,
    /// What a model reads.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// What a program reads.
    pub receipt: Receipt,
}

impl Reply {
    /// All text of the reply.
    pub fn text(&self) -> String {
        self.parts.iter().map(Part::text).collect()
    }

    /// The addresses of what comes next, target by target; none at the end.
    pub fn next(&self) -> impl Iterator<Item = &str> {
        self.receipt.targets.iter().filter_map(|target| target.next.as_deref())
    }
}

/// Whether a call succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It did, wholly or in part.
    Ok,
    /// It did not.
    Error,
}

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text {
        /// The characters.
        text: String,
        /// The bytes of the source, where the characters of a verbatim page cannot stand for them.
        #[serde(default, rename = "data", deserialize_with = "some_base64")]
        bytes: Option<Bytes>,
    },
    /// A picture.
    Image {
        /// Its media type.
        mime: String,
        /// The bytes of its file.
        #[serde(rename = "data", deserialize_with = "base64")]
        bytes: Bytes,
    },
    /// A kind that this client does not know.
    #[serde(other)]
    Other,
}

impl Part {
    /// The characters of the part; a picture has none.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text, .. } => text,
            Self::Image { .. } | Self::Other => "",
        }
    }

    /// The bytes of the part: those of the picture, those of the source where the server sent them, or else those of
    /// the text. Verbatim pages of a UTF-8 file, joined by their bytes, are the file.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text { bytes: Some(bytes), .. } | Self::Image { bytes, .. } => bytes,
            Self::Text { text, bytes: None } => text.as_bytes(),
            Self::Other => &[],
        }
    }
}

fn base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64_STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)
}

fn some_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Bytes>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| BASE64_STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)).transpose()
}

/// The account of a call, target by target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Receipt {
    /// The tool that was called.
    #[serde(default)]
    pub tool: String,
    /// What became of each target; of a search, each thing that holds matches.
    #[serde(default)]
    pub targets: Vec<Target>,
    /// What a find or a search came to.
    pub found: Option<Found>,
    /// Why the whole call failed.
    pub error: Option<Failure>,
}

/// The account of one target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Target {
    /// The address as it was given.
    pub address: String,
    /// What the target is: `text`, `binary`, `directory`, `unopened` and others to come.
    pub kind: Option<String>,
    /// The path that opens it again.
    pub path: Option<String>,
    /// Its tag, when it can be edited.
    pub tag: Option<String>,
    /// The full hash behind the tag.
    pub version: Option<String>,
    /// The text encoding.
    pub encoding: Option<String>,
    /// What is shown.
    pub shown: Option<Shown>,
    /// The matches of a search in it.
    pub matches: Option<Matches>,
    /// How much there is.
    #[serde(default)]
    pub total: Totals,
    /// The limit that ended the page.
    pub cut_by: Option<String>,
    /// The address of what comes next; `None` at the end.
    pub next: Option<String>,
    /// The offset at which the next byte window starts.
    pub next_start_byte: Option<u64>,
    /// Estimated tokens.
    #[serde(default)]
    pub tokens: Tokens,
    /// What was said beside the text.
    #[serde(default)]
    pub notes: Vec<Note>,
    /// The missing path that a guess replaced.
    pub resolved_from: Option<String>,
    /// Lines that are not shown whole.
    #[serde(default)]
    pub cuts: Vec<Cut>,
    /// Entries left out of a listing.
    #[serde(default)]
    pub hidden: Vec<Hidden>,
    /// How much of the text a summary shows.
    pub summary: Option<Summary>,
    /// The web address that was asked for.
    pub url: Option<String>,
    /// The web address that answered.
    pub final_url: Option<String>,
    /// The type that its server named.
    pub content_type: Option<String>,
    /// How its text was made; `failed` when the server refused.
    pub method: Option<String>,
    /// The address under which the whole text is kept, when not all of it is shown.
    pub artifact: Option<String>,
    /// What was done to it, or would be.
    pub change: Option<Change>,
    /// Why this target failed, where others did not.
    pub error: Option<Failure>,
}

/// How much of a text a summary shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// Lines that are shown verbatim.
    pub lines: u64,
    /// Runs of lines that are not.
    pub elided_spans: u64,
    /// How many lines these are.
    pub elided_lines: u64,
}

/// The ranges on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Shown {
    /// What is counted: `lines`, `bytes`, `entries`, `rows`, `pages`, `slides`, `sheets` or `chapters`, and others to come.
    pub unit: String,
    /// What was asked for.
    #[serde(default)]
    pub ranges: Vec<Span>,
    /// What is shown beside it.
    #[serde(default)]
    pub context: Vec<Span>,
}

/// A range, with both its ends in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(u64, u64)")]
pub struct Span {
    /// The first of them.
    pub first: u64,
    /// The last of them.
    pub last: u64,
}

impl From<(u64, u64)> for Span {
    fn from((first, last): (u64, u64)) -> Self {
        Self { first, last }
    }
}

/// How much there is of a target, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Totals {
    /// Lines.
    pub lines: Option<u64>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Entries.
    pub entries: Option<u64>,
    /// Rows of a table.
    pub rows: Option<u64>,
    /// Pages of a document.
    pub pages: Option<u64>,
    /// Slides of a deck.
    pub slides: Option<u64>,
    /// Sheets of a workbook.
    pub sheets: Option<u64>,
    /// Chapters of a book.
    pub chapters: Option<u64>,
}

/// Estimated tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Tokens {
    /// Of what is shown.
    #[serde(default)]
    pub shown: u64,
    /// Of the whole, where its size is known.
    pub total: Option<u64>,
}

/// Something said beside the text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Note {
    /// A word to branch on.
    pub code: String,
    /// The sentence.
    pub text: String,
}

/// A line that is not shown whole.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Cut {
    /// The file offset of the first byte shown, where it is known.
    pub start: Option<u64>,
    /// How many bytes are shown.
    pub shown: u64,
    /// How many bytes of the line stand before them, where that is known.
    pub before: Option<u64>,
    /// How many bytes of the line are left after them, where that is known.
    pub after: Option<u64>,
    /// The address of what is left.
    pub next: Option<String>,
}

/// Things left out: of a listing, of a find, of a search.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Hidden {
    /// Why: `ignored`, `denied`, `unreadable` and others to come.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The address that shows them, or one of them, where there is one.
    pub address: Option<String>,
}
