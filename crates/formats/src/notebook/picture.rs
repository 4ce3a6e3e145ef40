//! Pictures in notebooks: base64 in JSON. Only their heads are decoded to say how large they are.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// So much base64 is decoded to find the dimensions.
const HEAD: usize = 64 * 1024;

/// What the head of a picture says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// The media type, by the bytes themselves.
    pub(super) mime: &'static str,
    /// Width and height, where they were found.
    pub(super) size: Option<(u32, u32)>,
}

/// How many bytes the base64 stands for.
pub(super) fn decoded_length(base64: &str) -> usize {
    base64.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').count() * 3 / 4
}

/// The bytes; `None` when it is no base64.
pub(super) fn decode(base64: &str) -> Option<Vec<u8>> {
    let clean: Vec<u8> = base64.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    STANDARD.decode(clean).ok()
}

/// What the picture looks like, by the beginning of its base64.
pub(super) fn look_at(base64: &str) -> Option<Look> {
    let mut clean: Vec<u8> = base64.bytes().filter(|byte| !byte.is_ascii_whitespace()).take(HEAD).collect();
    clean.truncate(clean.len() / 4 * 4);
    look(&STANDARD.decode(clean).ok()?)
}

/// What the picture looks like, by its first bytes.
pub(super) fn look(bytes: &[u8]) -> Option<Look> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', rest @ ..] => {
            Some(Look { mime: "image/png", size: rest.get(8..16).and_then(big_pair) })
        }
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] => {
            let size = match rest {
                [w0, w1, h0, h1, ..] => {
                    Some((u16::from_le_bytes([*w0, *w1]).into(), u16::from_le_bytes([*h0, *h1]).into()))
                }
                _ => None,
            };
            Some(Look { mime: "image/gif", size })
        }
        [0xFF, 0xD8, 0xFF, ..] => Some(Look { mime: "image/jpeg", size: jpeg_size(bytes) }),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            Some(Look { mime: "image/webp", size: None })
        }
        _ => None,
    }
}

fn big_pair(bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(*height.first_chunk::<4>()?)))
}

/// Steps from segment to segment until one begins a frame.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(2..)?;
    loop {
        let [0xFF, code, high, low, body @ ..] = rest else {
            return None;
        };
        if matches!(code, 0xC0..=0xCF) && !matches!(code, 0xC4 | 0xC8 | 0xCC) {
            let [_, h1, h0, w1, w0, ..] = body else {
                return None;
            };
            return Some((u16::from_be_bytes([*w1, *w0]).into(), u16::from_be_bytes([*h1, *h0]).into()));
        }
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        rest = rest.get(length.max(2) + 2..)?;
    }
}
