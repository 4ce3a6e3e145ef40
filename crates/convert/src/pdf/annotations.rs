//! What is written on a page beside its content: filled fields and comments.
//!
//! Repair of `unpdf`: filled fields and comments are lost. Shown by:
//! `fault_fields_and_comments_are_lost`, `tests/all/pdf.rs`.

use std::collections::HashSet;

use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject};

use super::Id;

/// Notes of a page that are shown at most.
const NOTES: usize = 10_000;
/// Levels of fields above a field.
const LEVELS: usize = 32;

/// The filled fields and the comments of a page as two lists.
pub(super) fn notes(file: &RawDocument, page: Id) -> String {
    let found = file.get_dict(page).ok().and_then(|page| page.get(b"Annots".as_slice()));
    let Some(found) = found.and_then(|found| file.resolve(found).as_array()) else {
        return String::new();
    };
    let mut fields = Vec::new();
    let mut comments = Vec::new();
    for item in found.iter().take(NOTES) {
        let Some(item) = file.resolve(item).as_dict() else {
            continue;
        };
        match item.get(b"Subtype".as_slice()).and_then(PdfObject::as_name) {
            Some(b"Widget") => fields.extend(field(file, item)),
            Some(b"Link" | b"Popup") | None => {}
            Some(_) => comments.extend(comment(file, item)),
        }
    }
    // The buttons of one choice are several notes with one value.
    fields.dedup();
    let mut out = String::new();
    push_list(&mut out, "Fields", &fields);
    push_list(&mut out, "Comments", &comments);
    out
}

fn push_list(out: &mut String, head: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push_str("\n\n");
    }
    out.extend(["**", head, "**\n"]);
    for item in items {
        out.push_str("\n- ");
        out.push_str(item);
    }
}

/// A field and its value, if it has one.
fn field(file: &RawDocument, widget: &PdfDict) -> Option<String> {
    let mut names = Vec::new();
    let mut value = None;
    let mut node = Some(widget);
    let mut seen = HashSet::new();
    while let Some(entries) = node.filter(|_| seen.len() < LEVELS) {
        names.extend(entries.get(b"T".as_slice()).and_then(|name| words(file, name)));
        value = value.or_else(|| entries.get(b"V".as_slice()));
        let above = entries.get(b"Parent".as_slice()).and_then(PdfObject::as_reference);
        node = above.filter(|&above| seen.insert(above)).and_then(|above| file.get_dict(above).ok());
    }
    names.reverse();
    let value = words(file, value?)?;
    (value != "Off").then(|| format!("{}: {value}", names.join(".")))
}

/// What a comment says, if it says something.
fn comment(file: &RawDocument, item: &PdfDict) -> Option<String> {
    let said = words(file, item.get(b"Contents".as_slice())?)?;
    let author = item.get(b"T".as_slice()).and_then(|author| words(file, author));
    Some(author.map_or(said.clone(), |author| format!("{author}: {said}")))
}

/// A text on one line.
fn words(file: &RawDocument, object: &PdfObject) -> Option<String> {
    let text = match file.resolve(object) {
        PdfObject::Str(bytes) => text(bytes),
        PdfObject::Name(name) => String::from_utf8_lossy(name).into_owned(),
        PdfObject::Array(items) => {
            let items = items.iter().filter_map(|item| file.resolve(item).as_str_bytes()).map(text);
            items.collect::<Vec<_>>().join(", ")
        }
        PdfObject::Null
        | PdfObject::Bool(_)
        | PdfObject::Integer(_)
        | PdfObject::Real(_)
        | PdfObject::Dict(_)
        | PdfObject::Stream(_)
        | PdfObject::Reference(..) => String::new(),
    };
    let line = text.split(|sign: char| sign.is_whitespace() || sign.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

/// The text of a string: UTF-16 or UTF-8 with a mark, or one byte a character.
fn text(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return wide(rest, u16::from_be_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return wide(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    bytes.iter().map(|&byte| letter(byte)).collect()
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair));
    char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// A character of the encoding that texts beside the content have; it is Latin-1 but for these.
fn letter(byte: u8) -> char {
    const SPECIAL: [char; 31] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž',
    ];
    match byte {
        0xA0 => '€',
        0x80..=0x9E => SPECIAL.get(usize::from(byte & 0x1F)).copied().unwrap_or(' '),
        _ => char::from(byte),
    }
}
