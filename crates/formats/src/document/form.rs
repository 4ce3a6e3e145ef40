//! Which document some bytes are: by their content, and by their name only where that leaves a doubt.

use readstone_convert::Form;
use readstone_source::{Opening, Piece};

use super::compound;

/// A PDF may begin with something else, such as the headers it was sent with, where it is called one.
const PDF_JUNK: u64 = 1024 * 1024;

/// The form of a document; `None` when it is none. `head` is the beginning of its bytes.
pub(super) fn of(head: &[u8], piece: &Piece, opening: &Opening<'_>) -> Option<Form> {
    let named = by_name(&extension(&piece.name));
    if head.starts_with(b"PK\x03\x04") {
        return packed(head, piece, named, opening);
    }
    if head.starts_with(compound::MAGIC) {
        return compound::form(head, piece, named);
    }
    let begin = trimmed(head);
    if begin.starts_with(b"{\\rtf1") || begin.starts_with(b"{\\rtf") && named == Some(Form::Rtf) {
        return Some(Form::Rtf);
    }
    if begin.starts_with(b"%PDF-") {
        return Some(Form::Pdf);
    }
    // Source code that speaks of PDF is no PDF.
    if named == Some(Form::Pdf) {
        let begin = piece.blob.read_range(0, PDF_JUNK).ok()?;
        return memchr::memmem::find(&begin, b"%PDF-").map(|_| Form::Pdf);
    }
    None
}

/// The beginning behind a byte order mark, zeros and blanks.
fn trimmed(head: &[u8]) -> &[u8] {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let blank = head.iter().take_while(|byte| **byte == 0 || byte.is_ascii_whitespace()).count();
    head.get(blank..).unwrap_or_default()
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
    let length = short(head, 26);
    let first = head.get(30..30 + length).unwrap_or_default();
    if first == b"mimetype" {
        let extra = short(head, 28);
        let says = head.get(30 + length + extra..).unwrap_or_default();
        return by_type(says).or(named);
    }
    let office = [b"[Content_Types].xml".as_slice(), b"_rels/", b"docProps/", b"word/", b"ppt/", b"xl/", b"customXml/"];
    if named.is_none() && !office.iter().any(|start| first.starts_with(start)) {
        return None;
    }
    let (mut typed, mut form) = (false, None);
    crate::archive::each_zip_name(piece, opening, |name| {
        typed |= name == b"[Content_Types].xml";
        let folders = [("word/", Form::Docx), ("ppt/", Form::Pptx), ("xl/", Form::Xlsx)];
        let here = folders.iter().find(|(folder, _)| name.starts_with(folder.as_bytes()));
        form = form.or(here.map(|(_, form)| *form));
    });
    form.filter(|_| typed).or(named)
}

/// A number of two bytes.
fn short(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| usize::from(u16::from_le_bytes(*bytes)))
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
