//! Which document some bytes are: by their content, and by their name only where that leaves a doubt.

use readstone_convert::Form;
use readstone_source::{Opening, Piece};

/// What the old formats of one family begin with.
const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// A PDF may begin with something else, such as the headers it was sent with.
const PDF_JUNK: u64 = 1024 * 1024;
/// How much of a compound file is looked through for the names of its streams.
const COMPOUND_BYTES: u64 = 64 * 1024 * 1024;
/// How much of it is looked at in one go.
const STRIDE: u64 = 1024 * 1024;

/// The form of a document; `None` when it is none. `head` is the beginning of its bytes.
pub(super) fn of(head: &[u8], piece: &Piece, opening: &Opening<'_>) -> Option<Form> {
    if head.starts_with(b"{\\rtf") {
        return Some(Form::Rtf);
    }
    let named = extension(&piece.name);
    if head.starts_with(b"PK\x03\x04") {
        return packed(head, piece, by_name(&named), opening);
    }
    if head.starts_with(COMPOUND) {
        return compound(piece, by_name(&named));
    }
    if memchr::memmem::find(head, b"%PDF-").is_some() && !is_text_about(head) {
        return Some(Form::Pdf);
    }
    if by_name(&named) == Some(Form::Pdf) {
        let begin = piece.blob.read_range(0, PDF_JUNK).ok()?;
        return memchr::memmem::find(&begin, b"%PDF-").map(|_| Form::Pdf);
    }
    None
}

/// Whether `%PDF-` stands in the middle of a line of text, as in source code that looks for it.
fn is_text_about(head: &[u8]) -> bool {
    let at = memchr::memmem::find(head, b"%PDF-").unwrap_or(0);
    let before = head.get(..at).unwrap_or_default();
    !matches!(before.last(), None | Some(b'\n' | b'\r' | 0))
}

/// The extension of a name, in lower case.
pub(crate) fn extension(name: &str) -> String {
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

fn by_name(extension: &str) -> Option<Form> {
    Some(match extension {
        "pdf" => Form::Pdf,
        "docx" | "docm" | "dotx" | "dotm" => Form::Docx,
        "pptx" | "pptm" | "ppsx" | "ppsm" | "potx" | "potm" => Form::Pptx,
        "xlsx" | "xlsm" | "xltx" | "xltm" => Form::Xlsx,
        "doc" | "dot" => Form::Doc,
        "ppt" | "pps" | "pot" => Form::Ppt,
        "xls" | "xlt" => Form::Xls,
        "rtf" => Form::Rtf,
        "epub" => Form::Epub,
        "odt" | "ott" => Form::Odt,
        "odp" | "otp" => Form::Odp,
        "ods" | "ots" => Form::Ods,
        _ => return None,
    })
}

/// A package: the first entry often says what it is, else the names of its parts do.
fn packed(head: &[u8], piece: &Piece, named: Option<Form>, opening: &Opening<'_>) -> Option<Form> {
    let length = head.get(26..28).map_or(0, |length| usize::from(length[0]) | usize::from(length[1]) << 8);
    let first = head.get(30..30 + length).unwrap_or_default();
    if first == b"mimetype" {
        let extra = head.get(28..30).map_or(0, |length| usize::from(length[0]) | usize::from(length[1]) << 8);
        let says = head.get(30 + length + extra..).unwrap_or_default();
        return by_type(says).or(named);
    }
    let office = [b"[Content_Types].xml".as_slice(), b"_rels/", b"docProps/", b"word/", b"ppt/", b"xl/", b"customXml/"];
    if named.is_none() && !office.iter().any(|start| first.starts_with(start)) {
        return None;
    }
    let parts = crate::archive::zip_parts(piece, opening);
    let within = |folder: &str| parts.iter().any(|part| part.starts_with(folder.as_bytes()));
    let typed = parts.iter().any(|part| part == b"[Content_Types].xml");
    match () {
        () if typed && within("word/") => Some(Form::Docx),
        () if typed && within("ppt/") => Some(Form::Pptx),
        () if typed && within("xl/") => Some(Form::Xlsx),
        () => named,
    }
}

fn by_type(says: &[u8]) -> Option<Form> {
    let begins = |with: &str| says.starts_with(with.as_bytes());
    match () {
        () if begins("application/epub+zip") => Some(Form::Epub),
        () if begins("application/vnd.oasis.opendocument.text") => Some(Form::Odt),
        () if begins("application/vnd.oasis.opendocument.presentation") => Some(Form::Odp),
        () if begins("application/vnd.oasis.opendocument.spreadsheet") => Some(Form::Ods),
        () => None,
    }
}

/// A compound file: the names of its streams stand in it in UTF-16.
fn compound(piece: &Piece, named: Option<Form>) -> Option<Form> {
    let wide = |name: &str| name.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let streams = [
        (wide("WordDocument"), Form::Doc),
        (wide("PowerPoint Document"), Form::Ppt),
        (wide("Workbook"), Form::Xls),
        (wide("Book"), Form::Xls),
        // What is inside cannot be told; the name may.
        (wide("EncryptedPackage"), named.unwrap_or(Form::Docx)),
    ];
    let mut found = None;
    let mut start = 0;
    while start < COMPOUND_BYTES {
        // Pieces overlap, so that no name falls between two.
        let bytes = piece.blob.read_range(start, start + STRIDE + 64).ok()?;
        let here = streams.iter().position(|(name, _)| memchr::memmem::find(&bytes, name).is_some());
        found = found.into_iter().chain(here).min();
        if bytes.len() as u64 <= STRIDE {
            break;
        }
        start += STRIDE;
    }
    // A mail or an installer is compound as well.
    found.and_then(|at| streams.get(at)).map(|(_, form)| *form).or(named)
}
