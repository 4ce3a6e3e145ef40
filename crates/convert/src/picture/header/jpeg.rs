//! The segments of a JPEG.

use super::number::short_be;
use super::{Header, cut, tiff};
use crate::Refusal;
use crate::picture::kind::Kind;

/// Reads the segments up to the first scan.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let mut found: Option<Header> = None;
    let mut turn = 1;
    let mut at = 2;
    while let Some((marker, start)) = next_marker(bytes, at) {
        // The scan begins, or the picture ends.
        if matches!(marker, 0xda | 0xd9) {
            break;
        }
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            at = start;
            continue;
        }
        let Some(length) = short_be(bytes, start).map(usize::from).filter(|length| *length >= 2) else { break };
        let segment = bytes.get(start + 2..start + length).unwrap_or_default();
        match marker {
            // Between the frames of the several methods lie tables.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                found = Some(frame(marker, segment).ok_or_else(cut)?);
            }
            0xe1 => {
                if let Some(exif) = segment.strip_prefix(b"Exif\0\0") {
                    turn = tiff::turn(exif);
                }
            }
            _ => {}
        }
        at = start + length;
    }
    let mut header = found.ok_or_else(cut)?;
    header.turn = turn;
    Ok(header)
}

/// The next marker, and where what follows it begins.
fn next_marker(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let sign = at + bytes.get(at..)?.iter().position(|byte| *byte == 0xff)?;
    let fill = bytes.get(sign..)?.iter().position(|byte| *byte != 0xff)?;
    Some((*bytes.get(sign + fill)?, sign + fill + 1))
}

fn frame(marker: u8, segment: &[u8]) -> Option<Header> {
    let height = short_be(segment, 1)?;
    let width = short_be(segment, 3)?;
    let channels = *segment.get(5)?;
    let mut header = Header::sized(Kind::Jpeg, u32::from(width), u32::from(height));
    header.channels = Some(channels);
    header.alpha = Some(false);
    header.frames = Some(1);
    if matches!(marker, 0xc2 | 0xca) {
        // Every scan refines all the coefficients, two bytes each.
        header.scratch = 2 * u64::from(channels) * u64::from(width) * u64::from(height);
    }
    Some(header)
}
