//! Bytes that are not text: named by their first bytes, shown in hex.

use readstone_source::Head;

/// What the bytes seem to be.
pub(crate) fn kind_of(head: &Head<'_>) -> &'static str {
    if head.bytes.iter().all(|byte| *byte == 0) {
        return if head.is_whole() { "only zeros" } else { "zeros wherever it was looked at" };
    }
    let known = infer::get(head.bytes).map(|kind| kind.mime_type());
    if cfg!(not(feature = "databases")) && is_database(head.bytes) {
        return "a SQLite database, and this program was built without the feature `databases`, which reads it";
    }
    if cfg!(not(feature = "pictures")) && known.is_some_and(|mime| mime.starts_with("image/") && mime != ICON) {
        return "a picture, and this program was built without the feature `pictures`, which shows it";
    }
    known.filter(|mime| *mime != ICON || is_picture(head)).unwrap_or("unknown data")
}

/// What four bytes make of anything, as of small numbers in a row.
const ICON: &str = "image/vnd.microsoft.icon";

#[cfg(feature = "pictures")]
fn is_picture(head: &Head<'_>) -> bool {
    readstone_convert::picture_type(head.bytes).is_some()
}

#[cfg(not(feature = "pictures"))]
const fn is_picture(_: &Head<'_>) -> bool {
    false
}

/// How a SQLite database begins.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Whether the bytes begin a SQLite database.
pub fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(DATABASE)
}

/// Beginnings that no text has, whatever follows them.
const SIGNATURES: &[&[u8]] = &[
    b"%PDF-",
    DATABASE,
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x7FELF",
    b"\x89PNG\r\n\x1A\n",
    b"\xFF\xD8\xFF",
    b"GIF87a",
    b"GIF89a",
    b"\x1F\x8B\x08",
    b"BZh9",
    b"\xFD7zXZ\0",
    b"\x28\xB5\x2F\xFD",
    b"7z\xBC\xAF\x27\x1C",
    b"\0asm",
];

/// Whether the bytes begin something that is no text, even if what follows looks like text or like nothing.
pub fn is_signed(bytes: &[u8]) -> bool {
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}
