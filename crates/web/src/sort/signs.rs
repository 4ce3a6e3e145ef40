//! Beginnings that tell what bytes are, whatever anybody says.

use super::Sort;

/// What a beginning tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    at: usize,
    bytes: &'static [u8],
    pub(super) sort: Sort,
    pub(super) extension: &'static str,
    pub(super) what: &'static str,
}

impl Sign {
    /// Whether documents of several kinds begin so.
    pub(super) fn is_package(self) -> bool {
        matches!(self.extension, "zip" | "doc")
    }
}

const fn sign(bytes: &'static [u8], sort: Sort, extension: &'static str, what: &'static str) -> Sign {
    Sign { at: 0, bytes, sort, extension, what }
}

const SIGNS: &[Sign] = &[
    sign(b"\x89PNG\r\n\x1A\n", Sort::Image, "png", "a PNG picture"),
    sign(b"\xFF\xD8\xFF", Sort::Image, "jpg", "a JPEG picture"),
    sign(b"GIF87a", Sort::Image, "gif", "a GIF picture"),
    sign(b"GIF89a", Sort::Image, "gif", "a GIF picture"),
    sign(b"II*\0", Sort::Image, "tif", "a TIFF picture"),
    sign(b"MM\0*", Sort::Image, "tif", "a TIFF picture"),
    sign(b"\0\0\x01\0", Sort::Image, "ico", "an icon"),
    Sign { at: 8, ..sign(b"WEBP", Sort::Image, "webp", "a WebP picture") },
    Sign { at: 4, ..sign(b"ftypavif", Sort::Image, "avif", "an AVIF picture") },
    Sign { at: 4, ..sign(b"ftyp", Sort::Binary, "mp4", "a film") },
    sign(b"%PDF-", Sort::Document, "pdf", "a PDF"),
    sign(b"{\\rtf", Sort::Document, "rtf", "rich text"),
    sign(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Sort::Document, "doc", "an old Office document"),
    sign(b"PK\x03\x04", Sort::Archive, "zip", "a ZIP archive"),
    sign(b"PK\x05\x06", Sort::Archive, "zip", "a ZIP archive"),
    sign(b"SQLite format 3\0", Sort::Database, "sqlite", "a SQLite database"),
    sign(b"\x1F\x8B\x08", Sort::Archive, "gz", "compressed with gzip"),
    sign(b"BZh", Sort::Archive, "bz2", "compressed with bzip2"),
    sign(b"\xFD7zXZ\0", Sort::Archive, "xz", "compressed with xz"),
    sign(b"\x28\xB5\x2F\xFD", Sort::Archive, "zst", "compressed with zstd"),
    sign(b"7z\xBC\xAF\x27\x1C", Sort::Archive, "7z", "a 7z archive"),
    Sign { at: 257, ..sign(b"ustar", Sort::Archive, "tar", "a tar archive") },
    sign(b"\x7FELF", Sort::Binary, "elf", "a program"),
    sign(b"\0asm", Sort::Binary, "wasm", "a program"),
];

/// What the first bytes tell.
pub(super) fn of(bytes: &[u8]) -> Option<Sign> {
    let fits = |sign: &&Sign| bytes.get(sign.at..).is_some_and(|rest| rest.starts_with(sign.bytes));
    // Three letters may begin a text; nine of its levels make the fourth sign a digit.
    let sure = |sign: &&Sign| sign.extension != "bz2" || bytes.get(3).is_some_and(u8::is_ascii_digit);
    SIGNS.iter().find(|sign| fits(sign) && sure(sign)).copied()
}

/// What the signs tell, in words.
pub(super) fn whats() -> impl Iterator<Item = &'static str> {
    SIGNS.iter().map(|sign| sign.what)
}
