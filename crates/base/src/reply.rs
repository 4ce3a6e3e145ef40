//! A reply is what a caller gets: parts for the model, a receipt for programs.

use crate::failure::Class;
use crate::page::Raw;
use crate::receipt::Receipt;

/// The answer to a call.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Whether the call as a whole succeeded.
    pub status: Status,
    /// What the model reads.
    pub parts: Vec<Part>,
    /// What a program reads.
    pub receipt: Receipt,
}

impl Reply {
    /// All text of the reply.
    pub fn text(&self) -> String {
        self.parts.iter().map(Part::text).collect()
    }
}

/// Whether a call succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did, wholly or in part.
    Ok,
    /// It did not, for this kind of reason.
    Error(Class),
}

/// A piece of a reply.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text in our frame: header, numbered lines, coverage.
    Text(String),
    /// Verbatim text, to which nothing may be added.
    Verbatim(Raw),
    /// A picture, as the bytes of a file.
    Image(Image),
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its media type.
    pub mime: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Part {
    /// The characters of the part; a picture has none.
    pub fn text(&self) -> &str {
        match self {
            Self::Image(_) => "",
            Self::Text(text) | Self::Verbatim(Raw { text, .. }) => text,
        }
    }
}
