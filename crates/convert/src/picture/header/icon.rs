//! Bitmaps of Windows and the icons made of them.

use super::number::{long_le, place, short_le};
use super::{Header, cut, png};
use crate::Refusal;
use crate::picture::kind::Kind;

const FILE_HEADER: usize = 14;
const ENTRY: usize = 16;

/// Reads the header of a bitmap in a file of its own.
pub(super) fn bitmap(bytes: &[u8]) -> Result<Header, Refusal> {
    let mut header = bitmap_info(bytes.get(FILE_HEADER..).unwrap_or_default()).ok_or_else(cut)?;
    header.kind = Kind::Bmp;
    Ok(header)
}

/// Reads the header of the picture that is shown of an icon.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let entry = best(bytes)?;
    let mut header = if entry.starts_with(b"\x89PNG") {
        png::read(entry)?
    } else {
        let mut header = bitmap_info(entry).ok_or_else(cut)?;
        // Under the pixels lies a mask of the same height.
        header.height /= 2;
        header.channels = Some(4);
        header.alpha = Some(true);
        header
    };
    header.kind = Kind::Ico;
    header.frames = Some(1);
    Ok(header)
}

/// The bytes of the largest picture of an icon, and of those the one with most colours.
pub(in crate::picture) fn best(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let count = short_le(bytes, 4).map_or(0, usize::from);
    let table = bytes.get(6..6 + count * ENTRY).ok_or_else(cut)?;
    let side = |byte: Option<&u8>| byte.map_or(0, |side| if *side == 0 { 256 } else { u32::from(*side) });
    let entry = table
        .chunks_exact(ENTRY)
        .max_by_key(|entry| (side(entry.first()) * side(entry.get(1)), short_le(entry, 6)))
        .ok_or_else(cut)?;
    let (length, start) = long_le(entry, 8).zip(long_le(entry, 12)).ok_or_else(cut)?;
    let end = place(start).saturating_add(place(length));
    bytes.get(place(start)..end).ok_or_else(|| Refusal::Damaged("it points behind its own end".to_owned()))
}

fn bitmap_info(info: &[u8]) -> Option<Header> {
    let size = long_le(info, 0)?;
    let (width, height, bits) = if size == 12 {
        (u32::from(short_le(info, 4)?), u32::from(short_le(info, 6)?), short_le(info, 10)?)
    } else {
        // A negative height says that the rows begin at the top.
        let height = long_le(info, 8)?.cast_signed().unsigned_abs();
        (long_le(info, 4)?.cast_signed().unsigned_abs(), height, short_le(info, 14)?)
    };
    let alpha = bits == 32 && size >= 56 && long_le(info, 52)? != 0;
    let mut header = Header::sized(Kind::Bmp, width, height);
    header.channels = Some(3 + u8::from(alpha));
    header.alpha = Some(alpha);
    header.frames = Some(1);
    Some(header)
}
