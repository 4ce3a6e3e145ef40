//! Fonts whose map to characters is worse than none, or says less than it means.

use memchr::memmem;
use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject};

use super::unpack::unpack;

/// Glyphs that are several letters.
const LIGATURES: [&[u8]; 5] = [b"ff", b"fi", b"fl", b"ffi", b"ffl"];

/// Whether a font names ligatures of its glyphs and maps none of them to a letter f: then the names are right and the
/// map is wrong, as in what the system of one maker writes when it saves a file again.
///
/// Repair of `unpdf`: it believes a map to characters that hides ligatures. Shown by:
/// `fault_a_wrong_map_hides_ligatures`, `tests/all/pdf.rs`.
pub(super) fn has_wrong_map(file: &RawDocument, font: &PdfDict) -> bool {
    let Some(map) = font.get(b"ToUnicode".as_slice()).and_then(|map| file.resolve(map).as_stream()) else {
        return false;
    };
    let encoding = font.get(b"Encoding".as_slice()).and_then(|encoding| file.resolve(encoding).as_dict());
    let names = encoding.and_then(|encoding| encoding.get(b"Differences".as_slice()));
    let names = names.and_then(|names| file.resolve(names).as_array()).unwrap_or_default();
    if !names.iter().filter_map(PdfObject::as_name).any(|name| LIGATURES.contains(&name)) {
        return false;
    }
    let Some(mut map) = unpack(map).bytes() else {
        return false;
    };
    map.make_ascii_lowercase();
    memmem::find(&map, b"0066").is_none() && memmem::find(&map, b"fb0").is_none()
}

/// The encoding of Windows with the codes it does not use, which are bullets by definition, up to its list of changes.
///
/// Repair of `unpdf`: it does not read the unused codes of the Windows encoding, which are bullets.
/// Shown by: `fault_unused_codes_of_windows_are_no_bullets`, `tests/all/pdf.rs`.
pub(super) const WITH_BULLETS: &str = "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences\
    [127/bullet 129/bullet 141/bullet 143/bullet/bullet 157/bullet ";

/// The changes that a font makes to the encoding of Windows; nothing if it has another encoding, or a map.
pub(super) fn windows<'a>(file: &'a RawDocument, font: &'a PdfDict) -> Option<&'a [PdfObject]> {
    let kind = font.get(b"Type".as_slice()).and_then(PdfObject::as_name);
    if kind != Some(b"Font") || font.contains_key(b"ToUnicode".as_slice()) {
        return None;
    }
    let encoding = file.resolve(font.get(b"Encoding".as_slice())?);
    let entries = encoding.as_dict();
    let base = entries.and_then(|entries| entries.get(b"BaseEncoding".as_slice())).unwrap_or(encoding);
    if file.resolve(base).as_name() != Some(b"WinAnsiEncoding") {
        return None;
    }
    let changes = entries.and_then(|entries| entries.get(b"Differences".as_slice()));
    Some(changes.and_then(|changes| file.resolve(changes).as_array()).unwrap_or_default())
}
