//! What the header of a picture says, read without decoding a pixel and without allocating by what it claims.

mod boxes;
mod gif;
mod icon;
mod jpeg;
mod number;
mod png;
mod tiff;
mod webp;

use crate::picture::kind::Kind;
use crate::{Facts, Refusal};

pub(super) use icon::best as best_of_icon;

/// What is known of a picture before it is decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    /// Its width as stored.
    pub(super) width: u32,
    /// Its height as stored.
    pub(super) height: u32,
    pub(super) channels: Option<u8>,
    pub(super) alpha: Option<bool>,
    pub(super) frames: Option<u64>,
    /// How it must be turned to stand upright: an orientation of EXIF, from 1 to 8.
    pub(super) turn: u8,
    /// Whether more than a few packed bytes that are no pixels come with it.
    pub(super) laden: bool,
    /// Bytes that its decoder needs beside the pixels.
    pub(super) scratch: u64,
}

impl Header {
    /// Reads the header of a picture.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let Some(kind) = Kind::of(bytes) else {
            return Err(Refusal::Unsupported { what: "this is not a picture of a known kind".to_owned() });
        };
        let header = match kind {
            Kind::Png => png::read(bytes),
            Kind::Jpeg => jpeg::read(bytes),
            Kind::Gif => gif::read(bytes),
            Kind::Webp => webp::read(bytes),
            Kind::Bmp => icon::bitmap(bytes),
            Kind::Tiff => tiff::read(bytes),
            Kind::Ico => icon::read(bytes),
            Kind::Avif | Kind::Heic | Kind::Heif => boxes::read(kind, bytes),
            Kind::Jxl => jxl(bytes),
        }?;
        if header.width == 0 || header.height == 0 {
            return Err(Refusal::Damaged("its width or its height is zero".to_owned()));
        }
        Ok(header)
    }

    /// A header of which no more than the size is known.
    fn sized(kind: Kind, width: u32, height: u32) -> Self {
        Self { kind, width, height, channels: None, alpha: None, frames: None, turn: 1, laden: false, scratch: 0 }
    }

    /// Whether width and height change places when it is turned upright.
    pub(super) fn on_its_side(&self) -> bool {
        self.turn >= 5
    }

    /// Its size standing upright.
    pub(super) fn upright(&self) -> (u32, u32) {
        if self.on_its_side() { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// What is told of it.
    pub(super) fn facts(&self) -> Facts {
        let (width, height) = self.upright();
        Facts {
            mime: self.kind.mime().to_owned(),
            width,
            height,
            channels: self.channels,
            alpha: self.alpha,
            frames: self.frames,
            turned: self.turn != 1,
        }
    }
}

/// The header ends before what it must say.
fn cut() -> Refusal {
    Refusal::Damaged("its header is cut off".to_owned())
}

fn jxl(bytes: &[u8]) -> Result<Header, Refusal> {
    let size = imagesize::blob_size(bytes).map_err(|_| cut())?;
    let (Ok(width), Ok(height)) = (u32::try_from(size.width), u32::try_from(size.height)) else { return Err(cut()) };
    Ok(Header::sized(Kind::Jxl, width, height))
}
