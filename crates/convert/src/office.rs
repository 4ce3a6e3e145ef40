//! The documents of Microsoft Office, old and new.

mod blocks;
mod bullets;
mod equations;
mod failure;
mod flow;
mod grid;
mod guard;
mod inline;
mod left;
mod levels;
mod marker;
mod natures;
mod notes;
mod number;
mod pattern;
mod places;
mod sheets;
mod slides;
mod table;
mod workbook;
mod workbook_old;

use std::io::Cursor;

use office_oxide::cfb::CfbReader;
use office_oxide::options::ParseOptions;
use office_oxide::{Document, DocumentFormat};

use crate::made::{Bounds, Made, Parts, Remark, Section, Wish};
use crate::{Form, Refusal};

/// How compound files begin: everything of Office before 2007, and what it encrypts since.
const COMPOUND: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Makes text of a document of Office; `form` is a claim, which the bytes may correct.
pub(crate) fn document(form: Form, bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let format = format_of(form, bytes)?;
    if is_package(format) {
        guard::check(bytes, bounds)?;
    }
    let mended = if format == DocumentFormat::Docx { equations::mended(bytes) } else { None };
    let whole = mended.unwrap_or_else(|| bytes.to_vec());
    let document = Document::from_reader_with(Cursor::new(whole), format, &options(bounds))
        .map_err(|error| failure::refusal(&error, bounds))?;
    // Where the claim failed, the library itself looks what a compound file holds.
    match document.format() {
        DocumentFormat::Docx | DocumentFormat::Doc => flow::made(&document, bytes, bounds),
        DocumentFormat::Pptx | DocumentFormat::Ppt => slides::made(&document, wish, bounds),
        DocumentFormat::Xlsx => workbook::made(&document, wish, bounds),
        DocumentFormat::Xls => workbook_old::made(&document, wish, bounds),
    }
}

fn is_package(format: DocumentFormat) -> bool {
    matches!(format, DocumentFormat::Docx | DocumentFormat::Pptx | DocumentFormat::Xlsx)
}

/// The format to read: a package by any old name is the new one, a compound file by a new name is encrypted or old.
fn format_of(form: Form, bytes: &[u8]) -> Result<DocumentFormat, Refusal> {
    let pair = match form {
        Form::Docx | Form::Doc => (DocumentFormat::Docx, DocumentFormat::Doc),
        Form::Pptx | Form::Ppt => (DocumentFormat::Pptx, DocumentFormat::Ppt),
        Form::Xlsx | Form::Xls => (DocumentFormat::Xlsx, DocumentFormat::Xls),
        Form::Pdf | Form::Rtf | Form::Epub | Form::Odt | Form::Odp | Form::Ods => {
            return Err(Refusal::Unsupported { what: form.name().to_owned() });
        }
    };
    if bytes.is_empty() {
        return Err(Refusal::Damaged("it has no bytes".to_owned()));
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Ok(pair.0);
    }
    if !bytes.starts_with(&COMPOUND) {
        // Workbooks of the very first versions are bare records.
        return if form == Form::Xls {
            Ok(DocumentFormat::Xls)
        } else {
            Err(Refusal::Damaged("it is neither a package nor a compound file".to_owned()))
        };
    }
    let compound = CfbReader::new(Cursor::new(bytes)).map_err(|error| failure::damaged(&error.to_string()))?;
    if compound.has_stream("EncryptedPackage") {
        return Err(Refusal::Encrypted);
    }
    Ok(pair.1)
}

fn options(bounds: &Bounds) -> ParseOptions {
    let mut options = ParseOptions::default();
    options.include_hidden_text = false;
    options.include_deleted_text = false;
    let limits = &mut options.limits;
    limits.package_entries = guard::ENTRIES;
    limits.package_bytes = bounds.parts_bytes;
    limits.part_bytes = bounds.parts_bytes;
    limits.inflate_ratio = guard::RATIO;
    limits.embedded_depth = 1;
    limits.embedded_packages = 32;
    // Markdown adds marks to the text, so the library may go a little beyond what is shown.
    limits.text_chars = usize::try_from(bounds.text_bytes.saturating_mul(2)).unwrap_or(usize::MAX);
    limits.memory_bytes = 128 << 20;
    options
}

/// Puts sections together as far as they are asked for and fit.
struct Gathering<'a> {
    made: Made,
    used: u64,
    /// Whether no further section fits.
    full: bool,
    wish: &'a Wish,
    bounds: &'a Bounds,
}

impl<'a> Gathering<'a> {
    fn new(parts: Parts, count: usize, wish: &'a Wish, bounds: &'a Bounds) -> Self {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let (names, sections, remarks) = (Vec::new(), Vec::new(), Vec::new());
        let made = Made { parts, count, names, first: wish.first.max(1), sections, remarks };
        Self { made, used: 0, full: false, wish, bounds }
    }

    /// Whether the section with this index, from 0, is asked for and still to be made.
    fn wants(&self, index: usize) -> bool {
        let number = u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1);
        number >= self.made.first && number <= self.wish.last && self.used < self.wish.enough && !self.full
    }

    /// Takes a section. The text of the first is cut where it is too long; a later one that does not fit is not taken,
    /// because a section reads the same whichever others are asked for. It is left for another wish, and nothing is
    /// lost by that.
    fn take(&mut self, mut section: Section) {
        let most = self.bounds.text_bytes;
        let length = u64::try_from(section.text.len()).unwrap_or(u64::MAX);
        if self.used.saturating_add(length) > most {
            self.full = true;
            if !self.made.sections.is_empty() {
                return;
            }
            self.made.remarks.push(Remark::Cut { limit: "text_bytes".to_owned() });
            cut(&mut section.text, usize::try_from(most).unwrap_or(usize::MAX));
        }
        self.used = self.used.saturating_add(u64::try_from(section.text.len()).unwrap_or(u64::MAX));
        self.made.sections.push(section);
    }

    fn done(self) -> Made {
        self.made
    }
}

/// Cuts a text after the last whole line that fits, or after the last character of a longer line.
fn cut(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    if let Some(line) = text.rfind('\n') {
        text.truncate(line);
    }
    let kept = text.trim_end().len();
    text.truncate(kept);
}
