//! What a package may hold before the library sees it: sizes, depth, and no declarations of entities.
//!
//! Repair of `office_oxide`: its limits cover sizes and not the depth of markup. Shown by:
//! `tests/all/office/hostile.rs`.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::failure;
use crate::Refusal;
use crate::made::Bounds;

/// Parts that a package may have.
pub(super) const ENTRIES: usize = 20_000;
/// How many times its packed size a large part may unpack to.
pub(super) const RATIO: u64 = 150;
/// Parts up to this size may unpack to any multiple.
const SLIGHT: u64 = 8 << 20;
/// Bytes of one tag from which its attributes are counted.
const LONG_TAG: usize = 64 << 10;
/// Attributes that one element may have.
const ATTRIBUTES: usize = 2048;

/// Refuses a package that is too large, too deep or not what it says.
pub(super) fn check(bytes: &[u8], bounds: &Bounds) -> Result<(), Refusal> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| failure::damaged(&error.to_string()))?;
    if archive.len() > ENTRIES {
        return Err(failure::too_large(bounds));
    }
    let mut declared = 0_u64;
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(|error| failure::damaged(&error.to_string()))?;
        declared = declared.saturating_add(part.size());
        if declared > bounds.parts_bytes {
            return Err(failure::too_large(bounds));
        }
        let packed = part.compressed_size();
        let name = String::from_utf8_lossy(part.name_raw()).to_ascii_lowercase();
        let kind = kind(&name);
        // What is read to its end is judged as it comes: a depth is then named as such.
        if kind != Kind::Nested && part.size() > SLIGHT && part.size() / RATIO > packed {
            return Err(failure::too_dense());
        }
        if kind != Kind::Other {
            scan(&mut part, packed, kind, bounds)?;
        }
    }
    Ok(())
}

/// What a part is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No markup.
    Other,
    /// Rows of cells or of texts: large, and read without recursion; only its head is looked at.
    Rows,
    /// Markup that may be nested.
    Nested,
}

fn kind(name: &str) -> Kind {
    if !name.rsplit('.').next().is_some_and(|end| matches!(end, "xml" | "rels" | "vml")) {
        return Kind::Other;
    }
    let rows = name.starts_with("xl/worksheets/sheet") || name == "xl/sharedstrings.xml" || name.contains("pivotcache");
    if rows { Kind::Rows } else { Kind::Nested }
}

fn scan(part: &mut impl Read, packed: u64, kind: Kind, bounds: &Bounds) -> Result<(), Refusal> {
    let mut tags = Tags::new(bounds.depth);
    let mut buffer = vec![0_u8; 32 << 10];
    let mut total = 0_u64;
    loop {
        // A part that cannot be unpacked is the library's to judge: it may be one that holds no text.
        let Ok(count) = part.read(&mut buffer) else { return Ok(()) };
        if count == 0 {
            return Ok(());
        }
        total = total.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        if total > bounds.parts_bytes {
            return Err(failure::too_large(bounds));
        }
        if total > SLIGHT && total / RATIO > packed {
            return Err(failure::too_dense());
        }
        tags.read(buffer.get(..count).unwrap_or_default())?;
        if kind == Kind::Rows {
            return Ok(());
        }
    }
}

/// Where in the markup the bytes are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Text,
    /// After `<`.
    Open,
    /// After `</`.
    Close,
    /// After `<!` or `<?`.
    Other,
    /// In a start tag; the byte is the quote that is open, or 0.
    Tag(u8),
}

/// Follows the tags of a part without keeping them.
struct Tags {
    at: At,
    depth: u64,
    deepest: u64,
    length: usize,
    attributes: usize,
    before: u8,
    word: Vec<u8>,
}

impl Tags {
    fn new(deepest: u64) -> Self {
        Self { at: At::Text, depth: 0, deepest, length: 0, attributes: 0, before: 0, word: Vec::new() }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if self.at == At::Text && byte != b'<' {
                // Text is long, and nothing in it matters here.
                let next = rest.iter().position(|&byte| byte == b'<').unwrap_or(rest.len());
                rest = rest.get(next..).unwrap_or_default();
                continue;
            }
            if let At::Tag(quote) = self.at {
                let skipped = rest.iter().position(|&byte| stops(quote, byte)).unwrap_or(rest.len());
                if skipped > 0 {
                    self.length += skipped;
                    self.before = rest.get(skipped - 1).copied().unwrap_or(0);
                    rest = rest.get(skipped..).unwrap_or_default();
                    continue;
                }
            }
            self.step(byte)?;
            rest = after;
        }
        Ok(())
    }

    fn step(&mut self, byte: u8) -> Result<(), Refusal> {
        self.at = match (self.at, byte) {
            (At::Text, _) => At::Open,
            (At::Open, b'/') => {
                self.depth = self.depth.saturating_sub(1);
                At::Close
            }
            (At::Open, b'!' | b'?') => {
                self.word.clear();
                At::Other
            }
            (At::Open, _) => {
                self.length = 0;
                self.attributes = 0;
                At::Tag(0)
            }
            (At::Close | At::Other, b'>') => At::Text,
            (At::Close, _) => At::Close,
            (At::Other, _) => self.other(byte)?,
            (At::Tag(0), b'>') => self.end_tag()?,
            (At::Tag(0), b'"' | b'\'') => At::Tag(byte),
            (At::Tag(quote), _) if quote == byte => At::Tag(0),
            (At::Tag(quote), _) => self.inside(quote, byte)?,
        };
        self.before = byte;
        Ok(())
    }

    fn other(&mut self, byte: u8) -> Result<At, Refusal> {
        if self.word.len() < 7 {
            self.word.push(byte.to_ascii_uppercase());
            if self.word == b"DOCTYPE" {
                return Err(Refusal::Unsupported { what: "a document type declaration".to_owned() });
            }
        }
        Ok(At::Other)
    }

    fn end_tag(&mut self) -> Result<At, Refusal> {
        if self.before != b'/' {
            self.depth += 1;
            if self.depth > self.deepest {
                return Err(Refusal::TooLarge { limit: "depth".to_owned(), value: self.deepest });
            }
        }
        Ok(At::Text)
    }

    /// A byte of a tag that matters.
    fn inside(&mut self, quote: u8, byte: u8) -> Result<At, Refusal> {
        self.length += 1;
        if quote == 0 && byte == b'=' {
            self.attributes += 1;
        }
        if self.length > LONG_TAG && self.attributes > ATTRIBUTES {
            return Err(failure::damaged("an element has too many attributes"));
        }
        Ok(At::Tag(quote))
    }
}

/// Whether a byte in a tag can end something or begin it.
fn stops(quote: u8, byte: u8) -> bool {
    if quote == 0 { matches!(byte, b'>' | b'"' | b'\'' | b'=') } else { byte == quote }
}
