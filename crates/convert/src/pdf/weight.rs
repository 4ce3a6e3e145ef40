//! What a page draws with, and how much there is of it.
//!
//! A page paints forms, and these paint others: a few hundred bytes can ask for more operators than there is memory. So
//! the operators of every form are counted as often as it is painted, before anything is laid out.
//!
//! Repair of `unpdf`: it paints forms that multiply without a bound on their operators. Shown by:
//! `tests/all/pdf_hostile.rs`.

use std::collections::HashMap;
use std::rc::Rc;

use memchr::memmem;
use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream};

use crate::hex::hex_pair;

use super::unpack::{Unpacked, unpack};
use super::{Id, guard};

/// Operators that a page may have, with the forms it paints as often as it paints them; the library takes half a
/// kilobyte for each.
pub(super) const OPERATORS: u64 = 400_000;
/// Pieces of text that a page may show: laying them out takes more time than there are.
const SHOWN: u64 = 60_000;
/// Operators, and lines among them, after which only those are kept that text needs.
const DRAWING: (u64, u64) = (150_000, 15_000);
/// Levels that arrays in operators may be nested. Pictures among the operators look like brackets by chance.
const CONTENT_LEVELS: usize = 4096;
/// Levels that forms may be nested; the library paints as many.
const FORM_LEVELS: usize = 32;

/// Operators, and what they paint.
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// The names that are painted, and how often.
    pub(super) paints: Vec<(Vec<u8>, u64)>,
    /// Whether anything but text is drawn.
    pub(super) draws: bool,
    operators: u64,
    lines: u64,
    shown: u64,
}

impl Content {
    /// Reads operators; of a large drawing only those that text needs.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let content = Self::read(bytes);
        if content.operators <= DRAWING.0 && content.lines <= DRAWING.1 {
            return content;
        }
        Self { draws: content.draws, ..Self::read(without_drawing(&content.bytes)) }
    }

    fn read(bytes: Vec<u8>) -> Self {
        let mut content =
            Self { bytes: Vec::new(), paints: Vec::new(), draws: false, operators: 0, lines: 0, shown: 0 };
        let mut counts: HashMap<&[u8], u64> = HashMap::new();
        let mut name: &[u8] = b"";
        for token in Tokens(&bytes) {
            if let Some(rest) = token.strip_prefix(b"/") {
                name = rest;
                continue;
            }
            if token == b"Do" {
                let count = counts.entry(name).or_default();
                *count = count.saturating_add(1);
            }
            let painting = is_painting(token);
            content.draws |= painting;
            content.operators = content.operators.saturating_add(1);
            content.lines = content.lines.saturating_add(u64::from(painting));
            content.shown = content.shown.saturating_add(u64::from(matches!(token, b"Tj" | b"TJ")));
        }
        content.paints = counts.into_iter().map(|(name, count)| (unescaped(name), count)).collect();
        content.paints.sort_unstable();
        content.bytes = bytes;
        content
    }

    /// Whether it can be laid out by itself.
    pub(super) fn is_bearable(&self) -> bool {
        self.operators <= OPERATORS && self.shown <= SHOWN && !guard::deeper(&self.bytes, CONTENT_LEVELS)
    }
}

/// Some content without its paths and colours.
fn without_drawing(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = 0_usize;
    let mut tokens = Tokens(bytes);
    while let Some(token) = tokens.next() {
        if token.starts_with(b"/") {
            continue;
        }
        let end = bytes.len().saturating_sub(tokens.0.len());
        if !is_drawing(token) {
            out.extend_from_slice(bytes.get(from..end).unwrap_or_default());
        }
        from = end;
    }
    out
}

fn is_drawing(token: &[u8]) -> bool {
    let path = matches!(token, b"m" | b"l" | b"c" | b"v" | b"y" | b"h" | b"re" | b"n" | b"W" | b"W*" | b"w" | b"d");
    let colour = matches!(token, b"g" | b"G" | b"rg" | b"RG" | b"k" | b"K" | b"sc" | b"SC" | b"scn" | b"SCN");
    path || colour || (is_painting(token) && token != b"Do")
}

fn is_painting(token: &[u8]) -> bool {
    matches!(token, b"S" | b"s" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"sh" | b"Do" | b"BI")
}

/// A name with its `#20` made bytes.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| byte == b'#').and_then(hex_pair);
        out.push(code.unwrap_or(byte));
        rest = if code.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    out
}

/// The names and operators of some content, past its strings.
struct Tokens<'a>(&'a [u8]);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let (&byte, rest) = self.0.split_first()?;
            if byte == b'(' {
                self.0 = guard::behind_string(self.0);
                continue;
            }
            if byte == b'/' || byte.is_ascii_alphabetic() {
                let end = rest.iter().position(|&byte| ends_token(byte)).unwrap_or(rest.len());
                let (token, behind) = self.0.split_at_checked(end.saturating_add(1))?;
                self.0 = if token == b"BI" { behind_image(behind) } else { behind };
                return Some(token);
            }
            self.0 = rest;
        }
    }
}

/// What follows a picture that stands among the operators.
fn behind_image(bytes: &[u8]) -> &[u8] {
    let ends = memmem::find_iter(bytes, b"EI");
    let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|&byte| byte <= b' ');
    let mut ends = ends.filter(|&at| blank(at.checked_sub(1)) && blank(at.checked_add(2)));
    ends.next().and_then(|at| bytes.get(at.saturating_add(2)..)).unwrap_or_default()
}

fn ends_token(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'/' | b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'%')
}

/// The forms of a file, as far as pages paint them.
pub(super) struct Forms<'a> {
    file: &'a RawDocument,
    read: HashMap<Id, Option<Rc<Content>>>,
    weights: HashMap<Id, u64>,
}

impl<'a> Forms<'a> {
    pub(super) fn new(file: &'a RawDocument) -> Self {
        Self { file, read: HashMap::new(), weights: HashMap::new() }
    }

    /// The operators of a form; nothing when they cannot be unpacked.
    pub(super) fn content(&mut self, id: Id, form: &PdfStream) -> Option<Rc<Content>> {
        if let Some(read) = self.read.get(&id) {
            return read.clone();
        }
        let read = match unpack(form) {
            Unpacked::Bytes(bytes) => Some(Rc::new(Content::new(bytes))),
            Unpacked::Broken => None,
            Unpacked::TooLarge => {
                self.weights.insert(id, u64::MAX);
                None
            }
        };
        self.read.insert(id, read.clone());
        read
    }

    /// The operators that some content comes to, with everything it paints.
    pub(super) fn weight(&mut self, content: &Content, scopes: &[&'a PdfDict], path: &mut Vec<Id>) -> u64 {
        let mut sum = content.operators;
        for (name, count) in &content.paints {
            let Some(id) = painted(self.file, scopes, name) else {
                continue;
            };
            sum = sum.saturating_add(self.weight_of(id, scopes, path).saturating_mul(*count));
        }
        sum
    }

    fn weight_of(&mut self, id: Id, scopes: &[&'a PdfDict], path: &mut Vec<Id>) -> u64 {
        if let Some(&weight) = self.weights.get(&id) {
            return weight;
        }
        if path.contains(&id) || path.len() >= FORM_LEVELS {
            return 0;
        }
        let Some(form) = form(self.file, id) else {
            return 0;
        };
        let Some(content) = self.content(id, form) else {
            return self.weights.get(&id).copied().unwrap_or(0);
        };
        if !content.is_bearable() {
            return u64::MAX;
        }
        let inner = with_own(self.file, form, scopes);
        path.push(id);
        let weight = self.weight(&content, &inner, path);
        path.pop();
        self.weights.insert(id, weight);
        weight
    }
}

/// The stream of an object, if that is a form.
pub(super) fn form(file: &RawDocument, id: Id) -> Option<&PdfStream> {
    let form = file.resolve(file.get_object(id)?).as_stream()?;
    let kind = form.dict.get(b"Subtype".as_slice()).map(|kind| file.resolve(kind))?;
    (kind.as_name() == Some(b"Form")).then_some(form)
}

/// The resources of a form before those around it.
pub(super) fn with_own<'a>(file: &'a RawDocument, form: &'a PdfStream, scopes: &[&'a PdfDict]) -> Vec<&'a PdfDict> {
    let own = form.dict.get(b"Resources".as_slice()).and_then(|own| file.resolve(own).as_dict());
    own.into_iter().chain(scopes.iter().copied()).collect()
}

/// The object that a name paints.
pub(super) fn painted(file: &RawDocument, scopes: &[&PdfDict], name: &[u8]) -> Option<Id> {
    scopes.iter().find_map(|scope| {
        let painted = file.resolve(scope.get(b"XObject".as_slice())?).as_dict()?;
        painted.get(name).and_then(PdfObject::as_reference)
    })
}
