//! Pictures: what they are, and a copy that a model can take.

use serde::{Deserialize, Serialize};

mod kind;

pub use kind::picture_type;

#[cfg(feature = "pictures")]
mod decode;
#[cfg(feature = "pictures")]
mod encode;
#[cfg(feature = "pictures")]
mod flat;
#[cfg(feature = "pictures")]
mod header;
#[cfg(feature = "pictures")]
mod look;
#[cfg(feature = "pictures")]
mod shrink;

#[cfg(feature = "pictures")]
pub use look::picture;

/// What of a picture is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    /// What it is, from its header, without decoding it.
    Facts,
    /// The whole of it.
    Whole,
    /// A part of its pixels, as it stands upright.
    Crop(Region),
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Pixels left of it.
    pub x: u32,
    /// Pixels above it.
    pub y: u32,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

/// How large a picture may be when it is decoded, and when it is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Pixels that are decoded at most.
    pub pixels: u64,
    /// Bytes of memory that decoding may take.
    pub memory: u64,
    /// The longest side of what is handed out.
    pub side: u32,
    /// The bytes that are aimed at.
    pub target_bytes: u64,
    /// The bytes that are never exceeded.
    pub most_bytes: u64,
}

/// What a picture is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Its media type, by its bytes.
    pub mime: String,
    /// Its width, standing upright.
    pub width: u32,
    /// Its height, standing upright.
    pub height: u32,
    /// How many values a pixel has, where that is known.
    pub channels: Option<u8>,
    /// Whether pixels can be transparent, where that is known.
    pub alpha: Option<bool>,
    /// How many frames or pages it has, where they were counted; of more than one only the first is shown.
    pub frames: Option<u64>,
    /// Whether its camera held it otherwise than it is shown: width and height are those after turning.
    pub turned: bool,
}

/// A copy of a picture, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    /// Its media type.
    pub mime: String,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The part of the upright picture that it shows.
    pub region: Region,
    /// Whether these are the bytes of the file itself.
    pub original: bool,
    /// Its bytes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}
