//! From the bytes of a picture to what is shown of it.

use super::decode::decode;
use super::encode::{encode, fitted};
use super::header::Header;
use super::kind::Kind;
use crate::{Copy, Facts, Frame, Look, Refusal, Region};

/// Tells what a picture is and, unless only that is asked for, makes a copy of it or of a part.
pub fn picture(bytes: &[u8], look: &Look, frame: &Frame) -> Result<(Facts, Option<Copy>), Refusal> {
    let header = Header::read(bytes)?;
    let facts = header.facts();
    let whole = Region { x: 0, y: 0, width: facts.width, height: facts.height };
    let copy = match look {
        Look::Facts => None,
        Look::Whole => Some(copy(bytes, &header, whole, frame)?),
        Look::Crop(wanted) => Some(copy(bytes, &header, within(*wanted, whole)?, frame)?),
    };
    Ok((facts, copy))
}

/// The part of a region that is in the picture.
fn within(wanted: Region, whole: Region) -> Result<Region, Refusal> {
    let width = wanted.width.min(whole.width.saturating_sub(wanted.x));
    let height = wanted.height.min(whole.height.saturating_sub(wanted.y));
    if width == 0 || height == 0 {
        return Err(Refusal::Outside { width: whole.width, height: whole.height });
    }
    Ok(Region { width, height, ..wanted })
}

fn copy(bytes: &[u8], header: &Header, region: Region, frame: &Frame) -> Result<Copy, Refusal> {
    let flat = decode(bytes, header, frame)?;
    let all = (region.width, region.height) == header.upright();
    if all && serves_as_it_is(bytes, header, frame) {
        let (mime, bytes) = (header.kind.mime().to_owned(), bytes.to_vec());
        return Ok(Copy { mime, width: region.width, height: region.height, region, original: true, bytes });
    }
    // Turning comes last, when there is least to turn.
    let small = fitted(flat, stored(region, header), frame.side).turned(header.turn)?;
    let made = encode(&small, frame)?;
    let mime = made.mime.to_owned();
    Ok(Copy { mime, width: made.width, height: made.height, region, original: false, bytes: made.bytes })
}

/// Whether its own bytes are the best copy of it: small, upright, and of a kind that models take.
fn serves_as_it_is(bytes: &[u8], header: &Header, frame: &Frame) -> bool {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let taken = match header.kind {
        Kind::Png | Kind::Gif | Kind::Webp => true,
        // Four values are ink, which few can show.
        Kind::Jpeg => matches!(header.channels, Some(1 | 3)),
        Kind::Bmp | Kind::Tiff | Kind::Ico | Kind::Avif | Kind::Heic | Kind::Heif | Kind::Jxl => false,
    };
    taken
        && header.turn == 1
        && !header.laden
        && header.frames == Some(1)
        && header.width.max(header.height) <= frame.side
        && length <= (frame.target_bytes / 4).min(frame.most_bytes)
}

/// Where a region of the upright picture lies in the picture as it is stored.
fn stored(region: Region, header: &Header) -> Region {
    let (wide, high) = header.upright();
    let right = wide - region.x - region.width;
    let bottom = high - region.y - region.height;
    let Region { x, y, width, height } = region;
    let (x, y) = match header.turn {
        2 => (right, y),
        3 => (right, bottom),
        4 => (x, bottom),
        5 => (y, x),
        6 => (y, right),
        7 => (bottom, right),
        8 => (bottom, x),
        _ => (x, y),
    };
    if header.on_its_side() { Region { x, y, width: height, height: width } } else { Region { x, y, width, height } }
}
