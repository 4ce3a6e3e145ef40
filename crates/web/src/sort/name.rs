//! What an answer is called.

use readstone_base::{Holds, Percent, ending_of_type};
use readstone_net::{Fetched, WebUrl};

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
    Percent::of(text).loose().unwrap_or_else(|| text.to_owned())
}

/// The extension of a name, in small letters; empty when it has none.
pub(crate) fn extension(name: &str) -> String {
    let end = name.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    let sound = end.len() <= 12 && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if sound { end.to_ascii_lowercase() } else { String::new() }
}

/// Whether files called so are documents.
pub(super) fn is_document(extension: &str) -> bool {
    matches!(Holds::of_ending(extension), Some((_, Holds::Document)))
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
    let by_type = ending_of_type(kind).filter(|ending| is_document(ending));
    // Packages that are no documents keep their own name.
    let own = Holds::of_ending(&extension(name)).filter(|(_, holds)| matches!(holds, Holds::Package | Holds::Document));
    by_type.or_else(|| own.map(|(ending, _)| ending))
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
