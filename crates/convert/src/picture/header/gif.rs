//! The blocks of a GIF.

use super::number::short_le;
use super::{Header, cut};
use crate::Refusal;
use crate::picture::kind::Kind;

/// Reads the screen and walks the blocks, of which every frame is one.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let (width, height) = short_le(bytes, 6).zip(short_le(bytes, 8)).ok_or_else(cut)?;
    let packed = *bytes.get(10).ok_or_else(cut)?;
    let (frames, transparent) = walk(bytes, 13 + palette(packed));
    let mut header = Header::sized(Kind::Gif, u32::from(width), u32::from(height));
    header.channels = Some(3 + u8::from(transparent));
    header.alpha = Some(transparent);
    header.frames = Some(frames.max(1));
    Ok(header)
}

/// How many frames there are, and whether the first has transparent pixels.
fn walk(bytes: &[u8], start: usize) -> (u64, bool) {
    let mut frames = 0;
    let mut transparent = false;
    let mut at = start;
    while let Some(sign) = bytes.get(at) {
        let blocks = match sign {
            0x21 => {
                if frames == 0 && bytes.get(at + 1) == Some(&0xf9) {
                    transparent = bytes.get(at + 3).is_some_and(|flags| flags & 1 == 1);
                }
                at + 2
            }
            0x2c => {
                let Some(packed) = bytes.get(at + 9) else { break };
                frames += 1;
                // Behind the colours stands the width of the codes.
                at + 10 + palette(*packed) + 1
            }
            _ => break,
        };
        let Some(next) = behind(bytes, blocks) else { break };
        at = next;
    }
    (frames, transparent)
}

/// Bytes of the table of colours that follows.
fn palette(packed: u8) -> usize {
    if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) }
}

/// Where the blocks that begin here end.
fn behind(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}
