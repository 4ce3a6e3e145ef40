//! A small file with some pages of a large one.
//!
//! It has what text needs: operators, fonts, the forms that are painted and the links, but no bytes of pictures, no
//! colours, no outline and no encryption.

use std::collections::BTreeMap;
use std::rc::Rc;

use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream};

use super::unpack::{Unpacked, unpack};
use super::weight::{Content, Forms, OPERATORS, form, painted, with_own};
use super::write::Writer;
use super::{Id, tree};

/// The numbers of the catalog and of the page tree in an excerpt.
const CATALOG: u32 = 1;
const PAGES: u32 = 2;
/// After so many bytes no further page is taken.
const BLOCK_BYTES: usize = 24 << 20;
/// Bytes of operators that a page may have.
const CONTENT_BYTES: usize = 32 << 20;
/// Links of a page that are taken at most.
const LINKS: usize = 10_000;

/// Some pages as a file of their own.
pub(super) struct Excerpt {
    pub(super) bytes: Vec<u8>,
    /// What is known of each page that was taken; at least one was, if any was given.
    pub(super) pages: Vec<Drawn>,
}

/// What is known of a page before it is laid out.
pub(super) struct Drawn {
    /// Whether anything but text is drawn on it.
    pub(super) draws: bool,
    /// What of its operators is not in the excerpt.
    pub(super) lack: Lack,
}

/// What of a page is not in an excerpt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// Everything is.
    Nothing,
    /// Operators that it refers to are not in the file.
    Missing,
    /// It was left out because it is too large to be laid out.
    TooLarge,
}

/// Copies pages as far as there is room.
pub(super) fn excerpt(file: &RawDocument, pages: &[Id]) -> Excerpt {
    let mut copy = Copy { file, writer: Writer::new(file, PAGES), forms: Forms::new(file), waiting: Vec::new() };
    let mut drawn = Vec::new();
    let mut kids = Vec::new();
    for &page in pages {
        if copy.writer.out.len() > BLOCK_BYTES {
            break;
        }
        let number = copy.writer.number();
        kids.push(number);
        drawn.push(copy.page(page, number));
        copy.painted();
        copy.writer.follow();
    }
    copy.catalog(&kids);
    Excerpt { bytes: copy.writer.finish(CATALOG), pages: drawn }
}

struct Copy<'a> {
    file: &'a RawDocument,
    writer: Writer<'a>,
    forms: Forms<'a>,
    /// What is painted and not written yet, with the resources around it.
    waiting: Vec<(Id, u32, Rc<Vec<&'a PdfDict>>)>,
}

/// Bytes that nothing at all may be packed in.
const NOTHING_PACKED: usize = 16;

impl<'a> Copy<'a> {
    fn catalog(&mut self, kids: &[u32]) {
        self.writer.begin(CATALOG);
        self.writer.text(&format!("<</Type/Catalog/Pages {PAGES} 0 R"));
        let base = self.file.catalog().ok().and_then(|catalog| catalog.get(b"URI".as_slice()));
        if let Some(base) = base.map(|base| self.file.resolve(base)).filter(|base| base.as_dict().is_some()) {
            self.writer.text("/URI ");
            self.writer.object(base);
        }
        self.writer.text(">>");
        self.writer.end();
        self.writer.begin(PAGES);
        self.writer.text(&format!("<</Type/Pages/Count {}/Kids", kids.len()));
        self.writer.references(kids);
        self.writer.text(">>");
        self.writer.end();
    }

    fn page(&mut self, page: Id, number: u32) -> Drawn {
        let line = tree::line(self.file, page);
        let own =
            |node: &&'a PdfDict| node.get(b"Resources".as_slice()).and_then(|found| self.file.resolve(found).as_dict());
        let scopes: Rc<Vec<&PdfDict>> = Rc::new(line.iter().filter_map(own).collect());
        let whole = self.content(line.first().copied());
        let beyond = whole.is_none();
        let (content, broken, lack) = whole.unwrap_or_else(|| (Content::new(Vec::new()), Vec::new(), Lack::Nothing));
        let too_large =
            beyond || !content.is_bearable() || self.forms.weight(&content, &scopes, &mut Vec::new()) > OPERATORS;
        let parts = if too_large { Vec::new() } else { self.operators(&content.bytes, &broken) };
        self.writer.begin(number);
        self.writer.text(&format!("<</Type/Page/Parent {PAGES} 0 R/Contents"));
        self.writer.references(&parts);
        for key in [b"MediaBox".as_slice(), b"CropBox", b"Rotate", b"UserUnit"] {
            if let Some(value) = line.iter().find_map(|node| node.get(key)) {
                self.writer.name(key);
                self.writer.object(value);
            }
        }
        self.resources(&scopes, &content, &scopes);
        self.links(line.first().copied());
        self.writer.text(">>");
        self.writer.end();
        Drawn { draws: content.draws, lack: if too_large { Lack::TooLarge } else { lack } }
    }

    /// The operators of a page as one, those of its streams that cannot be unpacked, and whether any are missing;
    /// nothing if there are too many.
    ///
    /// Repair of `unpdf`: a page whose content is missing from the file comes as blank. Shown by:
    /// `fault_a_page_without_its_content_is_blank`, `tests/all/pdf.rs`.
    fn content(&self, page: Option<&'a PdfDict>) -> Option<(Content, Vec<&'a PdfStream>, Lack)> {
        let mut bytes = Vec::new();
        let mut broken = Vec::new();
        let mut lack = Lack::Nothing;
        let contents = page.and_then(|page| page.get(b"Contents".as_slice()));
        let parts = match contents {
            Some(one) => self.file.resolve(one).as_array().unwrap_or(std::slice::from_ref(one)),
            None => &[],
        };
        for part in parts {
            let Some(part) = self.file.resolve(part).as_stream() else {
                if !self.is_nothing(part) {
                    lack = Lack::Missing;
                }
                continue;
            };
            match unpack(part) {
                Unpacked::Bytes(unpacked) => {
                    // Of what was cut off nothing may be left.
                    if unpacked.trim_ascii().is_empty() && part.raw_data.len() > NOTHING_PACKED {
                        lack = Lack::Missing;
                    }
                    bytes.extend_from_slice(&unpacked);
                }
                Unpacked::Broken => broken.push(part),
                Unpacked::TooLarge => return None,
            }
            bytes.push(b'\n');
            if bytes.len() > CONTENT_BYTES {
                return None;
            }
        }
        // Text that begins and never ends was cut off.
        if memchr::memmem::find(&bytes, b"BT").is_some() && memchr::memmem::find(&bytes, b"ET").is_none() {
            lack = Lack::Missing;
        }
        Some((Content::new(bytes), broken, lack))
    }

    /// Whether a file says itself that there is nothing, in place or in an object of its own.
    fn is_nothing(&self, part: &PdfObject) -> bool {
        let there = part.as_reference().is_none_or(|id| self.file.get_object(id).is_some());
        there && matches!(self.file.resolve(part), PdfObject::Null)
    }

    /// Writes the operators of a page, and gives the numbers of their objects.
    fn operators(&mut self, bytes: &[u8], broken: &[&'a PdfStream]) -> Vec<u32> {
        let number = self.writer.number();
        self.writer.begin(number);
        self.writer.text("<<");
        self.writer.bytes(bytes);
        self.writer.end();
        let mut parts = vec![number];
        // They stay as they are, so that the library counts them.
        for part in broken {
            let number = self.writer.number();
            self.writer.begin(number);
            self.writer.stream(part);
            self.writer.end();
            parts.push(number);
        }
        parts
    }

    /// Writes the fonts and what is painted.
    fn resources(&mut self, scopes: &[&'a PdfDict], content: &Content, inner: &Rc<Vec<&'a PdfDict>>) {
        let mut fonts: BTreeMap<&[u8], &'a PdfObject> = BTreeMap::new();
        for scope in scopes {
            let found = scope.get(b"Font".as_slice()).and_then(|found| self.file.resolve(found).as_dict());
            for (name, font) in found.into_iter().flatten() {
                fonts.entry(name).or_insert(font);
            }
        }
        self.writer.text("/Resources<</Font<<");
        for (name, font) in fonts {
            self.writer.name(name);
            self.writer.object(font);
        }
        self.writer.text(">>/XObject<<");
        for (name, _) in &content.paints {
            if let Some(id) = painted(self.file, inner, name) {
                let (number, new) = self.writer.number_of(id);
                if new {
                    self.waiting.push((id, number, Rc::clone(inner)));
                }
                self.writer.name(name);
                self.writer.text(&format!("{number} 0 R "));
            }
        }
        self.writer.text(">>>>");
    }

    /// Writes what is painted, and what that paints.
    fn painted(&mut self) {
        while let Some((id, number, scopes)) = self.waiting.pop() {
            self.writer.begin(number);
            if let Some(found) = form(self.file, id) {
                self.form(id, found, &scopes);
            } else {
                // All that matters of a picture is that there is one.
                self.writer.text("<</Type/XObject/Subtype/Image/Width 1/Height 1");
                self.writer.bytes(b"");
            }
            self.writer.end();
        }
    }

    fn form(&mut self, id: Id, found: &'a PdfStream, scopes: &[&'a PdfDict]) {
        self.writer.text("<</Type/XObject/Subtype/Form");
        for key in [b"BBox".as_slice(), b"Matrix"] {
            self.entry(&found.dict, key);
        }
        let Some(content) = self.forms.content(id, found) else {
            // It cannot be unpacked, and is kept so that the library counts it.
            for key in [b"Filter".as_slice(), b"DecodeParms"] {
                self.entry(&found.dict, key);
            }
            return self.writer.bytes(&found.raw_data);
        };
        let inner = Rc::new(with_own(self.file, found, scopes));
        let own = inner.get(..inner.len().saturating_sub(scopes.len())).unwrap_or_default();
        self.resources(own, &content, &inner);
        self.writer.bytes(&content.bytes);
    }

    /// Writes the links to addresses, and what is struck out.
    fn links(&mut self, page: Option<&'a PdfDict>) {
        let found = page.and_then(|page| page.get(b"Annots".as_slice())).map(|found| self.file.resolve(found));
        let Some(found) = found.and_then(PdfObject::as_array) else {
            return;
        };
        self.writer.text("/Annots[");
        for item in found.iter().take(LINKS) {
            let Some(item) = self.file.resolve(item).as_dict() else {
                continue;
            };
            let kind = item.get(b"Subtype".as_slice()).and_then(PdfObject::as_name);
            if !matches!(kind, Some(b"Link" | b"StrikeOut")) {
                continue;
            }
            self.writer.text("<</Type/Annot");
            for key in [b"Subtype".as_slice(), b"Rect", b"QuadPoints", b"F", b"Border"] {
                self.entry(item, key);
            }
            if self.leads_out(item) {
                self.entry(item, b"A");
            }
            self.writer.text(">>");
        }
        self.writer.text("]");
    }

    fn leads_out(&self, link: &PdfDict) -> bool {
        let action = link.get(b"A".as_slice()).and_then(|action| self.file.resolve(action).as_dict());
        action.and_then(|action| action.get(b"S".as_slice())).and_then(PdfObject::as_name) == Some(b"URI")
    }

    fn entry(&mut self, from: &'a PdfDict, key: &[u8]) {
        if let Some(value) = from.get(key) {
            self.writer.name(key);
            self.writer.object(value);
        }
    }
}
