//! Equations in Word documents: the library hands over their letters alone, `12` for a half. The signs that say how
//! the letters belong together are put between them before it reads the document.
//!
//! Repair of `office_oxide`: it gives the letters of an equation without their form. Shown by:
//! `fault_equations_come_as_letters_alone`, `tests/all/office/flow.rs`.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const MAIN: &str = "word/document.xml";

/// A longer document is read as it is: two more copies of it would take too much.
const LONGEST: u64 = 32 << 20;

/// The package with signs in its equations; nothing where there are none to put.
pub(super) fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut xml = String::new();
    let main = archive.by_name(MAIN).ok().filter(|main| main.size() < LONGEST)?;
    main.take(LONGEST).read_to_string(&mut xml).ok()?;
    let built = ["<m:f>", "<m:sSu", "<m:sPre>", "<m:d>", "<m:rad>", "<m:nary>"].iter().any(|tag| xml.contains(tag));
    if !built {
        return None;
    }
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).ok()?;
        if file.name_raw() == MAIN.as_bytes() {
            let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            out.start_file(MAIN, packed).ok()?;
            out.write_all(signed(&xml).as_bytes()).ok()?;
        } else {
            out.raw_copy_file(file).ok()?;
        }
    }
    Some(out.finish().ok()?.into_inner())
}

/// A part of an equation that is open: where it begins, and the signs around it.
struct Open<'a> {
    name: &'a str,
    start: usize,
    before: &'a str,
    behind: &'a str,
}

/// The markup with signs as further letters.
fn signed(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len() + xml.len() / 8);
    let mut open: Vec<Open<'_>> = Vec::new();
    for piece in xml.split_inclusive('>') {
        let tag = piece.get(piece.rfind('<').unwrap_or(0)..).unwrap_or_default();
        if let Some(name) = tag.strip_prefix("</m:").and_then(|tag| tag.strip_suffix('>')) {
            close(&mut out, &mut open, piece, name);
            continue;
        }
        out.push_str(piece);
        let Some(name) = tag.strip_prefix("<m:") else { continue };
        let start = out.len();
        let name = name.split([' ', '/', '>']).next().unwrap_or_default();
        let last = open.last_mut();
        match name {
            "begChr" => set(last.filter(|open| open.name == "d").map(|open| &mut open.before), tag),
            "endChr" => set(last.filter(|open| open.name == "d").map(|open| &mut open.behind), tag),
            "chr" => set(last.filter(|open| open.name == "naryPr").map(|open| &mut open.before), tag),
            _ if tag.ends_with("/>") => {}
            "num" | "den" | "sup" | "sub" | "rad" | "deg" => open.push(Open { name, start, before: "", behind: "" }),
            "d" => open.push(Open { name, start, before: "(", behind: ")" }),
            "naryPr" => open.push(Open { name, start, before: "∫", behind: "" }),
            _ => {}
        }
    }
    out
}

/// Takes over the sign that a tag names.
fn set<'a>(place: Option<&mut &'a str>, tag: &'a str) {
    if let Some(place) = place {
        *place = tag.split_once("m:val=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(sign, _)| sign);
    }
}

/// Ends a part of an equation and puts its signs.
fn close(out: &mut String, open: &mut Vec<Open<'_>>, piece: &str, name: &str) {
    if !matches!(name, "num" | "den" | "sup" | "sub" | "rad" | "deg" | "d" | "naryPr") {
        out.push_str(piece);
        return;
    }
    let end = piece.rfind('<').unwrap_or(piece.len());
    out.push_str(piece.get(..end).unwrap_or_default());
    let Some(part) = open.pop_if(|part| part.name == name) else {
        out.push_str(piece.get(end..).unwrap_or_default());
        return;
    };
    let inner = out.split_off(part.start);
    let plain = plain(&inner);
    let (before, behind) = match (name, plain) {
        ("num", Plain::One) => ("", "/"),
        ("num", Plain::Several) => ("(", ")/"),
        ("den", Plain::Several) => ("(", ")"),
        ("sup", Plain::One) => ("^", ""),
        ("sup", Plain::Several) => ("^(", ")"),
        ("sub", Plain::One) => ("_", ""),
        ("sub", Plain::Several) => ("_(", ")"),
        ("rad", _) => ("√(", ")"),
        ("deg", Plain::One | Plain::Several) => ("", ";"),
        ("d" | "naryPr", _) => (part.before, part.behind),
        _ => ("", ""),
    };
    push_sign(out, before);
    out.push_str(&inner);
    push_sign(out, behind);
    out.push_str(piece.get(end..).unwrap_or_default());
}

fn push_sign(out: &mut String, sign: &str) {
    if !sign.is_empty() {
        out.push_str("<m:t>");
        out.push_str(sign);
        out.push_str("</m:t>");
    }
}

enum Plain {
    Nothing,
    /// One word or number, which needs no brackets.
    One,
    Several,
}

fn plain(markup: &str) -> Plain {
    let letters = markup.split_inclusive('>').filter_map(|piece| {
        let (text, tag) = piece.rsplit_once('<')?;
        tag.starts_with("/m:t>").then_some(text)
    });
    let mut found = Plain::Nothing;
    for text in letters.filter(|text| !text.is_empty()) {
        if !text.chars().all(|sign| sign.is_alphanumeric() || sign == '.') {
            return Plain::Several;
        }
        found = Plain::One;
    }
    found
}
