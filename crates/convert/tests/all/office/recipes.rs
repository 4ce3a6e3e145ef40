//! Packages and compound files of a few lines.

use std::io::{Cursor, Write as _};

use readstone_convert::{Bounds, Form, Made, Refusal, Wish, document};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Bounds as they are in use.
pub(crate) const BOUNDS: Bounds = Bounds { text_bytes: 16 << 20, parts_bytes: 256 << 20, depth: 256 };

const MAIN: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "application/vnd.openxmlformats-officedocument";

/// Converts on a thread with the stack that conversions have.
pub(crate) fn convert(form: Form, bytes: Vec<u8>, wish: Wish, bounds: Bounds) -> Result<Made, Refusal> {
    let run = move || document(form, &bytes, &wish, &bounds);
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap().join().expect("no conversion panics")
}

/// Converts everything.
pub(crate) fn all(form: Form, bytes: Vec<u8>) -> Result<Made, Refusal> {
    convert(form, bytes, Wish::ALL, BOUNDS)
}

/// The text of the only section.
pub(crate) fn text(form: Form, bytes: Vec<u8>) -> String {
    let made = all(form, bytes).expect("it can be read");
    assert_eq!(made.sections.len(), 1, "one section: {made:?}");
    made.sections[0].text.clone()
}

/// A zip of the parts.
pub(crate) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Relationships of a part: number, kind and target.
pub(crate) fn relations(list: &[(&str, &str)]) -> String {
    let mut out =
        String::from(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#);
    for (index, (kind, target)) in list.iter().enumerate() {
        let mode = if target.starts_with("http") { r#" TargetMode="External""# } else { "" };
        let id = index + 1;
        out.push_str(&format!(r#"<Relationship Id="rId{id}" Type="{MAIN}/{kind}" Target="{target}"{mode}/>"#));
    }
    out.push_str("</Relationships>");
    out
}

/// The types of parts: path and type.
pub(crate) fn types(list: &[(&str, &str)]) -> String {
    let mut out = String::from(concat!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
        r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
        r#"<Default Extension="xml" ContentType="application/xml"/>"#
    ));
    for (path, kind) in list {
        out.push_str(&format!(r#"<Override PartName="/{path}" ContentType="{TYPES}.{kind}+xml"/>"#));
    }
    out.push_str("</Types>");
    out
}

/// A Word document with this body and further parts, related to the body in their order.
pub(crate) fn docx(body: &str, parts: &[(&str, &str, &str)]) -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
         xmlns:r=\"{MAIN}\"><w:body>{body}</w:body></w:document>"
    );
    docx_of(&document, parts)
}

/// A Word document with this main part.
pub(crate) fn docx_of(document: &str, parts: &[(&str, &str, &str)]) -> Vec<u8> {
    let kinds = types(&[("word/document.xml", "wordprocessingml.document.main")]);
    let root = relations(&[("officeDocument", "word/document.xml")]);
    let related: Vec<(&str, &str)> = parts.iter().map(|(kind, path, _)| (*kind, *path)).collect();
    let related = relations(&related);
    let mut files = vec![
        ("[Content_Types].xml", kinds.as_str()),
        ("_rels/.rels", root.as_str()),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", related.as_str()),
    ];
    let paths: Vec<String> = parts.iter().map(|(_, path, _)| format!("word/{path}")).collect();
    for (path, (_, _, content)) in paths.iter().zip(parts) {
        if !content.is_empty() {
            files.push((path, content));
        }
    }
    package(&files)
}

/// A paragraph of Word.
pub(crate) fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

/// A workbook; a sheet is its name, its attributes in the workbook and its rows.
pub(crate) fn xlsx(sheets: &[(&str, &str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let mut names = String::new();
    for (index, (name, attributes, _)) in sheets.iter().enumerate() {
        let number = index + 1;
        names.push_str(&format!(r#"<sheet name="{name}" sheetId="{number}" r:id="rId{number}" {attributes}/>"#));
    }
    let book = format!(
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"{MAIN}\">\
         <sheets>{names}</sheets></workbook>"
    );
    xlsx_of(&book, sheets, parts)
}

/// A workbook with this main part; a sheet whose rows are `missing` has no part.
pub(crate) fn xlsx_of(book: &str, sheets: &[(&str, &str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let mut related = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    for (index, (_, _, rows)) in sheets.iter().enumerate() {
        let number = index + 1;
        related.push(("worksheet".to_owned(), format!("worksheets/sheet{number}.xml")));
        if *rows == "missing" {
            continue;
        }
        let space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let whole = if rows.starts_with('<') && !rows.starts_with("<row") {
            (*rows).to_owned()
        } else {
            format!("<worksheet xmlns=\"{space}\" xmlns:r=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
        };
        files.push((format!("xl/worksheets/sheet{number}.xml"), whole));
    }
    let related: Vec<(&str, &str)> = related.iter().map(|(kind, path)| (kind.as_str(), path.as_str())).collect();
    let kinds = types(&[("xl/workbook.xml", "spreadsheetml.sheet.main")]);
    let root = relations(&[("officeDocument", "xl/workbook.xml")]);
    let related = relations(&related);
    let mut all = vec![
        ("[Content_Types].xml", kinds.as_str()),
        ("_rels/.rels", root.as_str()),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", related.as_str()),
    ];
    all.extend(files.iter().map(|(path, content)| (path.as_str(), content.as_str())));
    all.extend(parts);
    package(&all)
}

/// A cell with a text.
pub(crate) fn cell(place: &str, text: &str) -> String {
    format!(r#"<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

/// A compound file with one stream, which begins in sector 2; sector 0 is the directory, sector 1 the table.
pub(crate) fn compound(name: &str, stream: &[u8]) -> Vec<u8> {
    let sectors = stream.len().div_ceil(512).max(8);
    let mut head = vec![0_u8; 512];
    head[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    for (at, value) in [(0x18, 0x3E_u16), (0x1A, 3), (0x1C, 0xFFFE), (0x1E, 9), (0x20, 6)] {
        head[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    for (at, value) in [(0x2C, 1_u32), (0x38, 4096), (0x3C, 0xFFFF_FFFE), (0x44, 0xFFFF_FFFE), (0x4C, 1)] {
        head[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    head[0x50..].fill(0xFF);
    let mut table: Vec<u32> = vec![0xFFFF_FFFE, 0xFFFF_FFFD];
    table.extend((0..sectors).map(|sector| if sector + 1 == sectors { 0xFFFF_FFFE } else { sector as u32 + 3 }));
    table.resize(128, 0xFFFF_FFFF);
    let mut out = head;
    out.extend(entry("Root Entry", 5, 1, 0xFFFF_FFFE, 0));
    out.extend(entry(name, 2, 0xFFFF_FFFF, 2, (sectors * 512) as u32));
    out.extend([0_u8; 256]);
    out.extend(table.iter().flat_map(|sector| sector.to_le_bytes()));
    out.extend(stream);
    out.resize(512 * (3 + sectors), 0);
    out
}

fn entry(name: &str, kind: u8, child: u32, start: u32, size: u32) -> Vec<u8> {
    let mut out = vec![0_u8; 128];
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    out[..units.len()].copy_from_slice(&units);
    out[0x40..0x42].copy_from_slice(&(units.len() as u16 + 2).to_le_bytes());
    out[0x42] = kind;
    out[0x43] = 1;
    out[0x44..0x4C].fill(0xFF);
    out[0x4C..0x50].copy_from_slice(&child.to_le_bytes());
    out[0x74..0x78].copy_from_slice(&start.to_le_bytes());
    out[0x78..0x7C].copy_from_slice(&size.to_le_bytes());
    out
}
