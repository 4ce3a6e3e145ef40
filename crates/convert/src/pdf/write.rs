//! Objects written back as a file has them.

use std::collections::{BTreeMap, HashMap, VecDeque};

use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream};

use super::unpack::{Unpacked, unpack};
use super::{Id, font};

/// Levels of nesting that are written.
const LEVELS: usize = 512;

/// A file in the making: objects are written under new numbers, and whatever they refer to follows.
pub(super) struct Writer<'a> {
    file: &'a RawDocument,
    pub(super) out: Vec<u8>,
    offsets: BTreeMap<u32, usize>,
    numbers: HashMap<Id, u32>,
    waiting: VecDeque<(u32, &'a PdfObject)>,
    last: u32,
}

impl<'a> Writer<'a> {
    /// Begins a file; the numbers up to `reserved` are the caller's.
    pub(super) fn new(file: &'a RawDocument, reserved: u32) -> Self {
        Self {
            file,
            out: b"%PDF-1.7\n".to_vec(),
            offsets: BTreeMap::new(),
            numbers: HashMap::new(),
            waiting: VecDeque::new(),
            last: reserved,
        }
    }

    /// A number for an object that is written later.
    pub(super) fn number(&mut self) -> u32 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    /// The number of an object of the old file that is written once, and whether it is a new one.
    pub(super) fn number_of(&mut self, id: Id) -> (u32, bool) {
        if let Some(&number) = self.numbers.get(&id) {
            return (number, false);
        }
        let number = self.number();
        self.numbers.insert(id, number);
        (number, true)
    }

    /// Begins an object.
    pub(super) fn begin(&mut self, number: u32) {
        self.offsets.insert(number, self.out.len());
        self.text(&format!("{number} 0 obj\n"));
    }

    /// Ends an object.
    pub(super) fn end(&mut self) {
        self.out.extend_from_slice(b"\nendobj\n");
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes a key or another name.
    pub(super) fn name(&mut self, name: &[u8]) {
        self.out.push(b'/');
        for &byte in name {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'*') {
                self.out.push(byte);
            } else {
                self.text(&format!("#{byte:02x}"));
            }
        }
        self.out.push(b' ');
    }

    /// Writes the bytes of a stream behind its dictionary, which ends with its length.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.text(&format!("/Length {}>>\nstream\n", bytes.len()));
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(b"\nendstream");
    }

    /// Writes an array of references to objects of this file.
    pub(super) fn references(&mut self, numbers: &[u32]) {
        self.out.push(b'[');
        for number in numbers {
            self.text(&format!("{number} 0 R "));
        }
        self.out.push(b']');
    }

    /// Writes an object and makes what it refers to follow.
    pub(super) fn object(&mut self, object: &'a PdfObject) {
        self.value(object, 0);
    }

    fn value(&mut self, object: &'a PdfObject, level: usize) {
        if level > LEVELS {
            return self.text("null ");
        }
        match object {
            // Streams are always objects of their own.
            PdfObject::Null | PdfObject::Stream(_) => self.text("null "),
            PdfObject::Bool(value) => self.text(if *value { "true " } else { "false " }),
            PdfObject::Integer(value) => self.text(&format!("{value} ")),
            PdfObject::Real(value) if value.is_finite() => self.text(&format!("{value} ")),
            PdfObject::Real(_) => self.text("0 "),
            PdfObject::Name(name) => self.name(name),
            PdfObject::Str(bytes) => self.string(bytes),
            PdfObject::Array(items) => {
                self.out.push(b'[');
                for item in items {
                    self.value(item, level.saturating_add(1));
                }
                self.out.push(b']');
            }
            PdfObject::Dict(entries) => {
                self.text("<<");
                self.entries(entries, level);
                self.text(">>");
            }
            PdfObject::Reference(number, generation) => self.reference((*number, *generation)),
        }
    }

    fn entries(&mut self, entries: &'a PdfDict, level: usize) {
        let unmapped = font::has_wrong_map(self.file, entries);
        let windows = font::windows(self.file, entries);
        for (key, value) in entries {
            if unmapped && key.as_slice() == b"ToUnicode" {
                continue;
            }
            self.name(key);
            match windows.filter(|_| key.as_slice() == b"Encoding") {
                Some(changes) => self.with_bullets(changes, level),
                None => self.value(value, level.saturating_add(1)),
            }
        }
    }

    fn with_bullets(&mut self, changes: &'a [PdfObject], level: usize) {
        self.text(font::WITH_BULLETS);
        for change in changes {
            self.value(change, level.saturating_add(1));
        }
        self.text("]>>");
    }

    fn string(&mut self, bytes: &[u8]) {
        self.out.push(b'<');
        for byte in bytes {
            self.text(&format!("{byte:02x}"));
        }
        self.text("> ");
    }

    fn reference(&mut self, id: Id) {
        let target = self.file.get_object(id).map(|object| self.file.resolve(object));
        let Some(target) = target.filter(|object| !is_structure(object)) else {
            return self.text("null ");
        };
        let (number, new) = self.number_of(id);
        if new {
            self.waiting.push_back((number, target));
        }
        self.text(&format!("{number} 0 R "));
    }

    /// Writes everything that was referred to.
    pub(super) fn follow(&mut self) {
        while let Some((number, object)) = self.waiting.pop_front() {
            self.begin(number);
            match object.as_stream() {
                Some(found) => self.stream(found),
                None => self.object(object),
            }
            self.end();
        }
    }

    /// Writes a stream unpacked, or as it is if it cannot be unpacked.
    pub(super) fn stream(&mut self, found: &'a PdfStream) {
        let (unpacked, raw) = match unpack(found) {
            Unpacked::Bytes(bytes) => (Some(bytes), found.raw_data.as_slice()),
            Unpacked::Broken => (None, found.raw_data.as_slice()),
            // The library would unpack it.
            Unpacked::TooLarge => (None, &[][..]),
        };
        self.text("<<");
        for (key, value) in &found.dict {
            let packing = matches!(key.as_slice(), b"Filter" | b"DecodeParms");
            if key.as_slice() != b"Length" && !(packing && unpacked.is_some()) {
                self.name(key);
                self.value(value, 1);
            }
        }
        self.bytes(unpacked.as_deref().unwrap_or(raw));
    }

    /// Ends the file.
    pub(super) fn finish(mut self, root: u32) -> Vec<u8> {
        self.follow();
        let table = self.out.len();
        self.text("xref\n");
        for (number, offset) in std::mem::take(&mut self.offsets) {
            self.text(&format!("{number} 1\n{offset:010} 00000 n\r\n"));
        }
        let size = self.last.saturating_add(1);
        self.text(&format!("trailer\n<</Size {size}/Root {root} 0 R>>\nstartxref\n{table}\n%%EOF\n"));
        self.out
    }
}

/// Whether an object leads from a page to the rest of the file.
fn is_structure(object: &PdfObject) -> bool {
    let kind = object.as_dict().and_then(|entries| entries.get(b"Type".as_slice())).and_then(PdfObject::as_name);
    matches!(kind, Some(b"Page" | b"Pages" | b"Catalog" | b"StructElem" | b"StructTreeRoot"))
}
