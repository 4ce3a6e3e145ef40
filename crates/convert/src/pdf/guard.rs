//! What is looked at before a file is loaded, because loading would overflow the stack, run for ever or fail for
//! nothing.

use memchr::memmem;
use unpdf::parser::raw::tokenizer::{PdfObject, PdfStream, parse_object};

use super::unpack::{Unpacked, unpack};
use crate::{Bounds, Refusal};

/// How far from its beginning the header of a file is searched for.
const HEADER_BYTES: usize = 1 << 20;
/// Bytes of packed objects, unpacked; in memory they take about ten times as many.
const OBJECTS_BYTES: usize = 32 << 20;
/// Bytes that a field of a cross-reference stream can have: those of the largest number.
const FIELD_BYTES: i64 = 8;

/// The file from its header on and without what follows its end.
///
/// Repair of `unpdf`: it refuses a file with anything before its header. Shown by:
/// `fault_junk_before_a_file_makes_it_unreadable`, `tests/all/pdf.rs`.
pub(super) fn body(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let head = bytes.get(..HEADER_BYTES).unwrap_or(bytes);
    let Some(start) = memmem::find(head, b"%PDF-") else {
        return Err(Refusal::Damaged("it has no %PDF- header".to_owned()));
    };
    let bytes = bytes.get(start..).unwrap_or_default();
    if bytes.len() < 32 {
        return Err(Refusal::Damaged("there is nothing behind its header".to_owned()));
    }
    let end = memmem::rfind(bytes, b"%%EOF").map_or(bytes.len(), |at| at.saturating_add(6).min(bytes.len()));
    Ok(bytes.get(..end).unwrap_or(bytes))
}

/// Refuses what is nested too deep, and cross-reference streams of fields that no number has.
///
/// Repair of `unpdf`: deep nesting overflows its stack, and wide fields of a table of objects ask
/// for terabytes. Shown by: `tests/all/pdf_hostile.rs`.
pub(super) fn check(bytes: &[u8], bounds: &Bounds) -> Result<(), Refusal> {
    let deepest = usize::try_from(bounds.depth).unwrap_or(usize::MAX);
    let mut unpacked = 0_usize;
    for found in (Walk { bytes, at: 0, open: Vec::new(), start: 0 }) {
        match found {
            Found::Depth(depth) if depth > deepest => return Err(too_deep(bounds)),
            Found::Depth(_) => {}
            Found::Stream { object, dictionary } => {
                unpacked = unpacked.saturating_add(check_stream(bytes, object, dictionary, bounds)?);
            }
        }
        if unpacked > OBJECTS_BYTES {
            return Err(too_much());
        }
    }
    Ok(())
}

/// Whether arrays and dictionaries in some unpacked bytes are nested deeper than a number of levels.
pub(super) fn deeper(bytes: &[u8], deepest: usize) -> bool {
    for found in (Walk { bytes, at: 0, open: Vec::new(), start: 0 }) {
        if matches!(found, Found::Depth(depth) if depth > deepest) {
            return true;
        }
    }
    false
}

fn too_much() -> Refusal {
    let value = u64::try_from(OBJECTS_BYTES).unwrap_or(u64::MAX);
    Refusal::TooLarge { limit: "parts_bytes".to_owned(), value }
}

fn too_deep(bounds: &Bounds) -> Refusal {
    Refusal::TooLarge { limit: "depth".to_owned(), value: bounds.depth }
}

/// Looks into the streams that loading unpacks.
fn check_stream(bytes: &[u8], object: usize, dictionary: &[u8], bounds: &Bounds) -> Result<usize, Refusal> {
    let packed = memmem::find(dictionary, b"ObjStm").is_some();
    let table = memmem::find(dictionary, b"XRef").is_some();
    if !packed && !table {
        return Ok(0);
    }
    let Ok((PdfObject::Stream(found), _)) = parse_object(bytes, object) else {
        return Ok(0);
    };
    if table && !fields_are_sound(&found) {
        return Err(Refusal::Damaged("its cross-reference stream declares fields of an impossible width".to_owned()));
    }
    match unpack(&found) {
        Unpacked::TooLarge => Err(too_much()),
        Unpacked::Bytes(unpacked) if packed => {
            let deepest = usize::try_from(bounds.depth).unwrap_or(usize::MAX);
            if deeper(&unpacked, deepest) { Err(too_deep(bounds)) } else { Ok(unpacked.len()) }
        }
        Unpacked::Bytes(unpacked) => Ok(unpacked.len()),
        // One that is encrypted looks broken too.
        Unpacked::Broken => Ok(0),
    }
}

fn fields_are_sound(table: &PdfStream) -> bool {
    let Some(PdfObject::Array(widths)) = table.dict.get(b"W".as_slice()) else {
        return true;
    };
    widths.iter().all(|width| width.as_i64().is_none_or(|width| (0..=FIELD_BYTES).contains(&width)))
}

/// What follows the string that some bytes begin with.
pub(super) fn behind_string(bytes: &[u8]) -> &[u8] {
    let (mut rest, mut level) = (bytes, 0_usize);
    while let Some((&byte, behind)) = rest.split_first() {
        rest = if byte == b'\\' { behind.get(1..).unwrap_or_default() } else { behind };
        match byte {
            b'(' => level = level.saturating_add(1),
            b')' => level = level.saturating_sub(1),
            _ => {}
        }
        if level == 0 {
            break;
        }
    }
    rest
}

/// A walk over the brackets of a file, past its strings, comments and streams.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the dictionaries and arrays that are open began; whoever walks stops when they are too many.
    open: Vec<usize>,
    /// Where the one that was closed last began.
    start: usize,
}

enum Found<'a> {
    Depth(usize),
    Stream { object: usize, dictionary: &'a [u8] },
}

impl<'a> Iterator for Walk<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            let next = self.bytes.get(self.at.saturating_add(1)).copied();
            match (byte, next) {
                (b'[', _) => return Some(self.open(1)),
                (b'<', Some(b'<')) => return Some(self.open(2)),
                (b']', _) => self.close(1),
                (b'>', Some(b'>')) => self.close(2),
                (b'(', _) => self.at = self.bytes.len().saturating_sub(behind_string(self.rest()).len()),
                (b'%', _) => self.skip_comment(),
                (b's', Some(b't')) if self.rest().starts_with(b"stream") => {
                    if let Some(found) = self.skip_stream() {
                        return Some(found);
                    }
                }
                // Whatever was left open belongs to an object that is over.
                (b'e', Some(b'n')) if self.rest().starts_with(b"endobj") => {
                    self.open.clear();
                    self.at = self.at.saturating_add(6);
                }
                _ => self.at = self.at.saturating_add(1),
            }
        }
    }
}

impl<'a> Walk<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn open(&mut self, length: usize) -> Found<'a> {
        self.open.push(self.at);
        self.at = self.at.saturating_add(length);
        Found::Depth(self.open.len())
    }

    fn close(&mut self, length: usize) {
        self.start = self.open.pop().unwrap_or(self.at);
        self.at = self.at.saturating_add(length);
    }

    fn skip_comment(&mut self) {
        let end = memchr::memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
        self.at = self.at.saturating_add(end.max(1));
    }

    /// Passes over the bytes of a stream, and says where it was when its dictionary is right before it.
    fn skip_stream(&mut self) -> Option<Found<'a>> {
        let before = self.bytes.get(self.start..self.at).unwrap_or_default();
        let rest = self.rest();
        let real = matches!(rest.get(6), Some(b'\r' | b'\n')) && before.trim_ascii_end().ends_with(b">>");
        if !real {
            self.at = self.at.saturating_add(6);
            return None;
        }
        let end = memmem::find(rest, b"endstream").map_or(rest.len(), |end| end.saturating_add(9));
        self.at = self.at.saturating_add(end);
        Some(Found::Stream { object: self.start, dictionary: before })
    }
}
