//! The chunks of a WebP.

use super::number::{long_le, place, short_le, three_le};
use super::{Header, cut, tiff};
use crate::Refusal;
use crate::picture::kind::Kind;

/// Reads the first chunk, and walks those behind it where there may be more.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let data = bytes.get(20..).ok_or_else(cut)?;
    match bytes.get(12..16) {
        Some(b"VP8 ") => lossy(data).ok_or_else(cut),
        Some(b"VP8L") => lossless(data).ok_or_else(cut),
        Some(b"VP8X") => extended(bytes, data).ok_or_else(cut),
        _ => Err(Refusal::Damaged("its first chunk is none that a picture begins with".to_owned())),
    }
}

fn lossy(data: &[u8]) -> Option<Header> {
    if data.get(3..6)? != b"\x9d\x01\x2a" {
        return None;
    }
    // The two high bits scale what is shown, which nobody does.
    Some(known(u32::from(short_le(data, 6)? & 0x3fff), u32::from(short_le(data, 8)? & 0x3fff), Alpha::No))
}

fn lossless(data: &[u8]) -> Option<Header> {
    let bits = long_le(data, 1).filter(|_| data.first() == Some(&0x2f))?;
    let alpha = if bits >> 28 & 1 == 1 { Alpha::Yes } else { Alpha::No };
    Some(known((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, alpha))
}

fn extended(bytes: &[u8], data: &[u8]) -> Option<Header> {
    let flags = *data.first()?;
    let alpha = if flags & 0x10 == 0 { Alpha::No } else { Alpha::Yes };
    let mut header = known(three_le(data, 4)? + 1, three_le(data, 7)? + 1, alpha);
    let mut frames = 0;
    let mut at = 12;
    while let (Some(name), Some(length)) = (bytes.get(at..at + 4), long_le(bytes, at + 4).map(place)) {
        let start = at + 8;
        if name == b"ANMF" {
            frames += 1;
        } else if name == b"EXIF" {
            let exif = bytes.get(start..start.saturating_add(length)).unwrap_or_default();
            header.turn = tiff::turn(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif));
        }
        // Chunks of an odd length are filled up.
        let Some(next) = start.checked_add(length).and_then(|end| end.checked_add(length & 1)) else { break };
        at = next;
    }
    header.frames = Some(frames.max(1));
    Some(header)
}

#[derive(Clone, Copy)]
enum Alpha {
    Yes,
    No,
}

fn known(width: u32, height: u32, alpha: Alpha) -> Header {
    let mut header = Header::sized(Kind::Webp, width, height);
    let (channels, alpha) = match alpha {
        Alpha::Yes => (4, true),
        Alpha::No => (3, false),
    };
    header.channels = Some(channels);
    header.alpha = Some(alpha);
    header.frames = Some(1);
    header
}
