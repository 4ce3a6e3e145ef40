//! Details: what a note says more closely.

use std::fmt;

/// Why there is no outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOutline {
    /// There is no grammar for what the file is called.
    Language,
    /// The grammar was left out of this build; this feature brings it.
    Feature(&'static str),
    /// Nothing is declared in it.
    Bare,
    /// It is larger than this limit allows.
    Large(&'static str),
    /// It took longer than this limit allows.
    Slow(&'static str),
    /// The parser needs more than this limit allows, however often it is asked.
    Costly(&'static str),
    /// It is nested deeper than any program is.
    Deep,
    /// The parser broke down.
    Failed,
}

impl fmt::Display for NoOutline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Language => f.write_str("there is no grammar for this kind of file"),
            Self::Feature(name) => {
                write!(f, "this program was built without the feature `{name}`, which brings the grammar for it")
            }
            Self::Bare => f.write_str("nothing is declared in it"),
            Self::Large(limit) => write!(f, "the file is too large ({limit})"),
            Self::Slow(limit) => write!(f, "parsing took too long ({limit})"),
            Self::Costly(limit) => write!(f, "parsing it needs too much ({limit})"),
            Self::Deep => f.write_str("it is nested too deeply"),
            Self::Failed => f.write_str("it could not be parsed"),
        }
    }
}

/// What a page, slide or sheet lacks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lack {
    /// Anything at all: it is blank.
    Content,
    /// Text: it shows pictures or drawings only.
    Text,
    /// Some of its text, for this reason.
    Some(String),
}

/// What a picture is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its media type.
    pub mime: &'static str,
    /// The size of its file.
    pub bytes: u64,
    /// Its width in pixels, standing upright.
    pub width: u32,
    /// Its height in pixels, standing upright.
    pub height: u32,
    /// How many values a pixel has.
    pub channels: Option<u8>,
    /// Whether pixels can be transparent.
    pub alpha: Option<bool>,
    /// Whether it was turned to stand upright.
    pub turned: bool,
}

/// What is shown of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The left, upper, width and height of the part that is shown, in pixels of the picture.
    pub part: (u32, u32, u32, u32),
    /// Width and height of what is shown.
    pub shown: (u32, u32),
    /// Its media type.
    pub mime: &'static str,
    /// Its bytes.
    pub bytes: u64,
    /// The address of the picture, to which a crop can be added.
    pub address: String,
}
