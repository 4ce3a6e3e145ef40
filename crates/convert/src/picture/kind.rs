//! Which kind of picture some bytes are, by how they begin.

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Jpeg,
    Gif,
    Webp,
    Bmp,
    Tiff,
    Ico,
    Avif,
    Heic,
    Heif,
    Jxl,
}

/// The media type of a picture, by its first bytes; 512 are enough.
pub fn picture_type(head: &[u8]) -> Option<&'static str> {
    Kind::of(head).map(Kind::mime)
}

impl Kind {
    /// The kind of picture that begins so.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if head.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if is_gif(head) {
            Some(Self::Gif)
        } else if is_webp(head) {
            Some(Self::Webp)
        } else if is_tiff(head) {
            Some(Self::Tiff)
        } else if is_bmp(head) {
            Some(Self::Bmp)
        } else if is_ico(head) {
            Some(Self::Ico)
        } else if is_jxl(head) {
            Some(Self::Jxl)
        } else {
            of_boxes(head)
        }
    }

    /// Its media type.
    pub(super) fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::Ico => "image/x-icon",
            Self::Avif => "image/avif",
            Self::Heic => "image/heic",
            Self::Heif => "image/heif",
            Self::Jxl => "image/jxl",
        }
    }
}

fn is_gif(head: &[u8]) -> bool {
    if !head.starts_with(b"GIF87a") && !head.starts_with(b"GIF89a") {
        return false;
    }
    // A text about this format goes on with letters; a picture with its size, which is never that large.
    head.get(6..13).is_none_or(|screen| !screen.iter().all(|byte| is_text(*byte)))
}

fn is_webp(head: &[u8]) -> bool {
    head.starts_with(b"RIFF")
        && head.get(8..12) == Some(b"WEBP".as_slice())
        && head.get(12..15).is_none_or(|chunk| chunk == b"VP8")
}

fn is_tiff(head: &[u8]) -> bool {
    [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].iter().any(|magic| head.starts_with(*magic))
}

fn is_bmp(head: &[u8]) -> bool {
    let Some(size) = long(head, 14) else { return false };
    let planes = if size == 12 { short(head, 22) } else { short(head, 26) };
    head.starts_with(b"BM")
        && matches!(size, 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124)
        && long(head, 10).is_some_and(|pixels| pixels >= 14 + size)
        && planes == Some(1)
}

fn is_ico(head: &[u8]) -> bool {
    let Some(count) = short(head, 4) else { return false };
    head.starts_with(b"\0\0\x01\0")
        && (1..=1024).contains(&count)
        && matches!(head.get(9), Some(0 | 255))
        && short(head, 10).is_some_and(|planes| planes <= 256)
        && short(head, 12).is_some_and(|bits| matches!(bits, 0 | 1 | 2 | 4 | 8 | 15 | 16 | 24 | 32))
        && long(head, 14).is_some_and(|bytes| bytes >= 16)
        && long(head, 18).is_some_and(|start| start >= 6 + 16 * u32::from(count))
}

fn is_jxl(head: &[u8]) -> bool {
    let bare = head.starts_with(b"\xff\x0a") && head.get(2..12).is_some_and(|rest| !rest.iter().all(|b| is_text(*b)));
    bare || head.starts_with(b"\0\0\0\x0cJXL \r\n\x87\n")
}

/// Formats made of the boxes of MPEG-4 name what they are in the first one.
fn of_boxes(head: &[u8]) -> Option<Kind> {
    if head.get(4..8) != Some(b"ftyp".as_slice()) {
        return None;
    }
    let size = usize::try_from(u32::from_be_bytes(*head.first_chunk()?)).ok()?;
    if !(16..=4096).contains(&size) {
        return None;
    }
    let main: &[u8] = head.get(8..12)?;
    let others = head.get(16..size.min(head.len())).unwrap_or_default();
    let brands = || std::iter::once(main).chain(others.chunks_exact(4));
    let general = brands().any(|brand| matches!(brand, b"mif1" | b"msf1" | b"mif2" | b"miaf"));
    if brands().any(|brand| matches!(brand, b"avif" | b"avis")) {
        Some(Kind::Avif)
    } else if brands().any(is_heic) {
        Some(Kind::Heic)
    } else {
        general.then_some(Kind::Heif)
    }
}

fn is_heic(brand: &[u8]) -> bool {
    matches!(brand, b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs")
}

fn is_text(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r' || byte == b'\t' || (b' '..0x7f).contains(&byte)
}

fn short(head: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?))
}

fn long(head: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?))
}
