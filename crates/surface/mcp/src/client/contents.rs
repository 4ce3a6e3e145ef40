//! What a resource holds, as bytes under a name that says what they are.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use rmcp::model::ResourceContents;

/// Bytes of a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    /// A name with the extension that says what the bytes are.
    pub(super) name: String,
    pub(super) mime: Option<String>,
}

/// Why there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// There are more than allowed.
    TooBig,
    /// They are not in the encoding they should be in.
    Broken,
}

/// Some servers leave the padding away.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// One part of a resource.
struct Part {
    uri: String,
    mime: Option<String>,
    bytes: Vec<u8>,
}

/// The bytes of a resource; the parts of one that has several stand below headings.
pub(super) fn make(contents: Vec<ResourceContents>, uri: &str, most: u64) -> Result<Made, Unfit> {
    let size: usize = contents.iter().map(bytes_of).sum();
    if size as u64 > most {
        return Err(Unfit::TooBig);
    }
    let mut parts = contents.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    if parts.len() > 1 {
        let bytes = parts.iter().flat_map(section).collect();
        return Ok(Made { bytes, name: "resource.md".to_owned(), mime: None });
    }
    let none = || Part { uri: uri.to_owned(), mime: None, bytes: Vec::new() };
    let Part { mime, bytes, .. } = parts.pop().unwrap_or_else(none);
    let name = name_of(uri, mime.as_deref());
    Ok(Made { bytes, name, mime })
}

fn bytes_of(contents: &ResourceContents) -> usize {
    match contents {
        ResourceContents::TextResourceContents { text, .. } => text.len(),
        ResourceContents::BlobResourceContents { blob, .. } => blob.len() / 4 * 3,
        // The kit may learn of further forms.
        _ => 0,
    }
}

fn part(contents: ResourceContents) -> Result<Part, Unfit> {
    match contents {
        ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            Ok(Part { uri, mime: mime_type, bytes: text.into_bytes() })
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let bytes = BASE64.decode(blob.trim_ascii()).map_err(|_| Unfit::Broken)?;
            Ok(Part { uri, mime: mime_type, bytes })
        }
        _ => Err(Unfit::Broken),
    }
}

/// A part below its heading; of bytes that are no text only their number is told.
fn section(part: &Part) -> Vec<u8> {
    let uri: String = part.uri.chars().filter(|letter| !letter.is_control()).collect();
    let mut made = format!("## {uri}\n\n").into_bytes();
    if let Ok(text) = std::str::from_utf8(&part.bytes) {
        made.extend_from_slice(text.trim_end_matches('\n').as_bytes());
    } else {
        let mime = part.mime.as_deref().unwrap_or("application/octet-stream").replace(char::is_control, " ");
        made.extend_from_slice(format!("[{} bytes, {mime}]", part.bytes.len()).as_bytes());
    }
    made.extend_from_slice(b"\n\n");
    made
}

/// The last part of a resource's name, with an extension: its own, or that of its media type.
fn name_of(uri: &str, mime: Option<&str>) -> String {
    let behind = uri.split_once("://").map_or(uri, |(_, behind)| behind);
    let path = behind.split(['?', '#']).next().unwrap_or(behind);
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let last = if last.is_empty() { "resource" } else { last };
    let own = last.rsplit_once('.').map(|(stem, extension)| (stem, extension.len()));
    match mime.and_then(readstone_base::ending_of_type) {
        Some(extension) if !own.is_some_and(|(stem, length)| !stem.is_empty() && (1..=8).contains(&length)) => {
            format!("{last}.{extension}")
        }
        Some(_) | None => last.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(uri: &str, mime: &str, text: &str) -> ResourceContents {
        ResourceContents::text(text, uri).with_mime_type(mime)
    }

    #[test]
    fn a_name_gets_the_extension_of_its_media_type_unless_it_has_one() {
        assert_eq!(name_of("demo://a/b.md", Some("text/plain")), "b.md");
        assert_eq!(name_of("demo://a/1", Some("text/markdown; charset=utf-8")), "1.md");
        assert_eq!(name_of("demo://a/", Some("application/vnd.api+json")), "a.json");
        assert_eq!(name_of("x://", Some("image/png")), "resource.png");
        assert_eq!(name_of("x://v1.2 of something", Some("image/png")), "v1.2 of something.png");
        assert_eq!(name_of("x://q?a=1", None), "q");
    }

    #[test]
    fn base64_is_decoded_with_and_without_padding() {
        for blob in ["aGVsbG8=", "aGVsbG8"] {
            let made = make(vec![ResourceContents::blob(blob, "x://a")], "x://a", 100).expect("bytes");
            assert_eq!(made.bytes, b"hello");
        }
        let broken = make(vec![ResourceContents::blob("§", "x://a")], "x://a", 100);
        assert_eq!(broken, Err(Unfit::Broken));
    }

    #[test]
    fn several_contents_stand_below_headings() {
        let png = ResourceContents::blob("iVBORw==", "x://p").with_mime_type("image/png");
        let made = make(vec![text("x://a", "text/plain", "one\n"), png], "x://dir", 100).expect("text");
        assert_eq!(String::from_utf8_lossy(&made.bytes), "## x://a\n\none\n\n## x://p\n\n[4 bytes, image/png]\n\n");
    }

    #[test]
    fn contents_larger_than_allowed_are_refused_before_they_are_decoded() {
        assert_eq!(make(vec![text("x://a", "text/plain", "12345")], "x://a", 4), Err(Unfit::TooBig));
    }
}
