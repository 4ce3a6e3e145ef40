//! A package: a zip whose parts are looked up by name and read into memory, within bounds.
//!
//! A name is only ever compared with the names in the package. It is never a path, so there is no way out of it.

use std::io::{Cursor, Read};

use encoding_rs::Encoding;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::{Bounds, Refusal};

/// How much larger than its packed form a part may be once it is larger than [`RATIO_FREE`].
const RATIO: u64 = 200;
/// Up to here a part may be as well packed as it likes: a small sheet of equal rows is.
const RATIO_FREE: u64 = 16 << 20;

/// An open package.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
    limit: u64,
}

/// A part of a package.
pub(crate) struct Part<T> {
    /// What it holds, or as much of that as could be unpacked.
    pub(crate) content: T,
    /// Whether it was unpacked to its end and its checksum is right.
    pub(crate) sound: bool,
}

impl<'a> Package<'a> {
    /// Reads the directory of a package.
    pub(crate) fn open(bytes: &'a [u8], bounds: &Bounds) -> Result<Self, Refusal> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged("the package", &error))?;
        Ok(Self { archive, left: bounds.parts_bytes, limit: bounds.parts_bytes })
    }

    /// The bytes of a part, or nothing where there is no such part. All parts read count against one bound.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Part<Vec<u8>>>, Refusal> {
        let Some(index) = self.archive.index_for_name(name) else { return Ok(None) };
        let entry = match self.archive.by_index(index) {
            Ok(entry) => entry,
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => return Err(Refusal::Encrypted),
            Err(error) => return Err(damaged(name, &error)),
        };
        let most = self.left.min(entry.compressed_size().saturating_mul(RATIO).max(RATIO_FREE));
        let mut content = Vec::new();
        let sound = entry.take(most.saturating_add(1)).read_to_end(&mut content).is_ok();
        let size = content.len() as u64;
        if size > most {
            let dense = most < self.left;
            let (limit, value) = if dense { ("ratio", RATIO) } else { ("parts_bytes", self.limit) };
            return Err(Refusal::TooLarge { limit: limit.to_owned(), value });
        }
        self.left -= size;
        Ok(Some(Part { content, sound }))
    }

    /// The first name that ends so.
    pub(crate) fn first_ending(&self, end: &str) -> Option<String> {
        self.archive.file_names().flatten().find(|name| name.ends_with(end)).map(std::borrow::Cow::into_owned)
    }

    /// A part as text, whatever its encoding.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<Part<String>>, Refusal> {
        let part = self.part(name)?;
        Ok(part.map(|part| Part { content: decode(part.content), sound: part.sound }))
    }
}

fn damaged(what: &str, error: &ZipError) -> Refusal {
    Refusal::Damaged(format!("{what}: {error}"))
}

/// Text of markup: by its byte order mark, then by what it says of itself, then as UTF-8.
fn decode(bytes: Vec<u8>) -> String {
    if let Some((encoding, skip)) = Encoding::for_bom(&bytes) {
        let rest = bytes.get(skip..).unwrap_or_default();
        return encoding.decode_without_bom_handling(rest).0.into_owned();
    }
    let encoding = match bytes.get(..2) {
        Some(b"<\0") => Some(encoding_rs::UTF_16LE),
        Some(b"\0<") => Some(encoding_rs::UTF_16BE),
        Some(_) | None => declared(&bytes),
    };
    match encoding {
        Some(encoding) if encoding != encoding_rs::UTF_8 => encoding.decode_without_bom_handling(&bytes).0.into_owned(),
        Some(_) | None => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
    }
}

/// The encoding that an XML declaration or a web page names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(1024))?).to_ascii_lowercase();
    let after = head.split_once("encoding=").or_else(|| head.split_once("charset="))?.1;
    let after = after.trim_start_matches(['"', '\'', ' ']);
    let end = after.find(|sign: char| !sign.is_ascii_alphanumeric() && !"-_:.".contains(sign)).unwrap_or(after.len());
    // Markup that could be read so far is not UTF-16 whatever it says.
    Encoding::for_label(after.get(..end)?.as_bytes()).filter(|found| found.is_ascii_compatible())
}
