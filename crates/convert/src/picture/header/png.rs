//! The chunks of a PNG.

use super::number::{long_be, place};
use super::{Header, cut, tiff};
use crate::Refusal;
use crate::picture::kind::Kind;

const SIGNATURE: usize = 8;
/// Bytes of a packed text or profile that are usual.
const PACKED: u32 = 8192;

/// Reads the header and walks the chunks behind it, none of which is unpacked.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let head = bytes.get(SIGNATURE + 4..SIGNATURE + 21).ok_or_else(cut)?;
    if !head.starts_with(b"IHDR") || long_be(bytes, SIGNATURE) != Some(13) {
        return Err(Refusal::Damaged("its header chunk is missing".to_owned()));
    }
    if long_be(bytes, SIGNATURE + 21).ok_or_else(cut)? != checksum(head) {
        return Err(Refusal::Damaged("the checksum of its header is wrong".to_owned()));
    }
    let (width, height) = long_be(head, 4).zip(long_be(head, 8)).ok_or_else(cut)?;
    if width > i32::MAX.cast_unsigned() || height > i32::MAX.cast_unsigned() {
        return Err(Refusal::Damaged("its width or its height is larger than the format allows".to_owned()));
    }
    let mut header = Header::sized(Kind::Png, width, height);
    let seen = walk(bytes, &mut header);
    let (channels, alpha) = match head.get(13) {
        Some(0) => (1 + u8::from(seen.transparency), seen.transparency),
        Some(2 | 3) => (3 + u8::from(seen.transparency), seen.transparency),
        Some(4) => (2, true),
        Some(6) => (4, true),
        _ => return Err(Refusal::Damaged("it has a kind of colour that does not exist".to_owned())),
    };
    header.channels = Some(channels);
    header.alpha = Some(alpha);
    header.frames = Some(seen.frames());
    Ok(header)
}

#[derive(Default)]
struct Seen {
    transparency: bool,
    pixels: bool,
    /// Frames, where it is animated.
    frames: Option<u64>,
    /// Frames before the picture itself: the one that it is, or none.
    before: u64,
}

impl Seen {
    fn frames(&self) -> u64 {
        // A picture that is not the first frame is what is shown where nothing moves.
        self.frames.map_or(1, |frames| if self.before == 0 { frames + 1 } else { frames })
    }
}

fn walk(bytes: &[u8], header: &mut Header) -> Seen {
    let mut seen = Seen::default();
    let mut at = SIGNATURE;
    while let (Some(length), Some(name)) = (long_be(bytes, at), bytes.get(at + 4..at + 8)) {
        let data = at + 8;
        match name {
            b"IDAT" => seen.pixels = true,
            b"tRNS" => seen.transparency = !seen.pixels,
            b"acTL" if !seen.pixels => seen.frames = Some(0),
            b"fcTL" => {
                seen.before += u64::from(!seen.pixels);
                seen.frames = seen.frames.map(|frames| frames + 1);
            }
            b"eXIf" => {
                let exif = bytes.get(data..data.saturating_add(place(length))).unwrap_or_default();
                header.turn = tiff::turn(exif);
            }
            b"zTXt" | b"iTXt" | b"iCCP" => header.laden |= length > PACKED,
            b"IEND" => break,
            _ => {}
        }
        let Some(next) = data.checked_add(place(length)).and_then(|end| end.checked_add(4)) else { break };
        at = next;
    }
    seen
}

/// The cyclic redundancy check of PNG; a table would not pay for seventeen bytes.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}
