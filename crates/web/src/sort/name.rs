//! What an answer is called.

use readstone_net::{Fetched, WebUrl};

/// Types of documents and packages, and what files of them are called.
const TYPES: &[(&str, &str)] = &[
    ("application/pdf", "pdf"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/epub+zip", "epub"),
    ("application/msword", "doc"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/rtf", "rtf"),
    ("text/rtf", "rtf"),
];

/// Packages that are no documents keep their own name.
const PACKAGES: &[&str] = &["jar", "war", "ear", "apk", "aab", "ipa", "whl", "egg", "nupkg", "vsix", "xpi", "zip"];
const DOCUMENTS: &[&str] =
    &["pdf", "docx", "docm", "xlsx", "xlsm", "pptx", "pptm", "odt", "ods", "odp", "epub", "doc", "xls", "ppt", "rtf"];

/// The name of an answer: the one it is to be saved under, or the end of its address.
pub(super) fn of(fetched: &Fetched) -> String {
    let saved = fetched.disposition.as_deref().and_then(saved_as);
    let own = last_segment(&fetched.url);
    saved.filter(|saved| extension(&own).is_empty() && !extension(saved).is_empty()).unwrap_or(own)
}

/// The last part of the path, without its escapes.
pub(crate) fn last_segment(url: &WebUrl) -> String {
    let segment = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    tame(&decoded(segment))
}

/// A name that a header gives.
fn saved_as(disposition: &str) -> Option<String> {
    let mut parameters = disposition.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("filename"))?;
    let value = value.trim().trim_matches('"');
    let own = value.rsplit(['/', '\\']).next().unwrap_or(value);
    (!own.is_empty()).then(|| tame(own))
}

/// A name without what a path or an address would read into it.
fn tame(name: &str) -> String {
    name.chars().filter(|character| !character.is_control() && !matches!(character, '/' | ':')).take(200).collect()
}

/// A text without its percent-encoding; bytes that are no text stay encoded.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The extension of a name, in small letters; empty when it has none.
pub(crate) fn extension(name: &str) -> String {
    let end = name.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    let sound = end.len() <= 12 && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if sound { end.to_ascii_lowercase() } else { String::new() }
}

/// Whether files called so are documents.
pub(super) fn is_document(extension: &str) -> bool {
    DOCUMENTS.contains(&extension)
}

/// So much of a package tells what is in it: its beginning, and the list of its entries at its end.
const LOOK: usize = 65_536;

/// What a package is by what it holds, if it is a document.
pub(super) fn office(body: &[u8]) -> Option<&'static str> {
    const TYPED: &[(&[u8], &str)] = &[
        (b"application/epub+zip", "epub"),
        (b"application/vnd.oasis.opendocument.text", "odt"),
        (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
        (b"application/vnd.oasis.opendocument.presentation", "odp"),
    ];
    const ENTRIES: &[(&[u8], &str)] =
        &[(b"word/document.xml", "docx"), (b"xl/workbook.xml", "xlsx"), (b"ppt/presentation.xml", "pptx")];
    let holds = |part: &[u8], wanted: &[u8]| part.windows(wanted.len()).any(|bytes| bytes == wanted);
    let begin = body.get(..body.len().min(200)).unwrap_or_default();
    if body.get(30..).is_some_and(|rest| rest.starts_with(b"mimetype")) {
        return TYPED.iter().find(|(kind, _)| holds(begin, kind)).map(|(_, extension)| *extension);
    }
    let end = body.get(body.len().saturating_sub(LOOK)..).unwrap_or_default();
    let office = holds(end, b"[Content_Types].xml");
    ENTRIES.iter().find(|(entry, _)| office && holds(end, entry)).map(|(_, extension)| *extension)
}

/// What a package is called, by its type or by its name.
pub(super) fn packed(kind: &str, name: &str) -> Option<&'static str> {
    let by_type = TYPES.iter().find(|(known, _)| *known == kind).map(|(_, extension)| *extension);
    let own = extension(name);
    by_type.or_else(|| PACKAGES.iter().chain(DOCUMENTS).find(|known| **known == own).copied())
}

/// The name with an extension, unless it has one that means the same.
pub(super) fn called(name: String, wanted: &str) -> String {
    let own = extension(&name);
    let same: &[&str] = match wanted {
        "jpg" => &["jpeg", "jpe"],
        "tif" => &["tiff"],
        "gz" => &["tgz"],
        "bz2" => &["tbz", "tbz2"],
        "xz" => &["txz"],
        "zst" => &["tzst"],
        "sqlite" => &["db", "sqlite3", "db3"],
        "html" => &["htm", "xhtml", "shtml"],
        "json" => &["geojson", "webmanifest", "map"],
        _ => &[],
    };
    if own == wanted || same.contains(&own.as_str()) {
        name
    } else if name.is_empty() {
        format!("page.{wanted}")
    } else {
        format!("{name}.{wanted}")
    }
}
