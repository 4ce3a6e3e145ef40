//! Crafted documents: packages, compound files and PDF files of a few lines, in which everything can be a lie.

use std::fmt::Write as _;

use crate::archives::{Archive, ZipItem};

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "application/vnd.openxmlformats-officedocument";
const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
/// Ends a chain of sectors.
const END: u32 = 0xFFFF_FFFE;
/// A sector that nobody uses.
const FREE: u32 = 0xFFFF_FFFF;

/// Recipes for documents of Office.
#[derive(Clone, Copy, Debug)]
pub struct Office;

impl Office {
    /// A package of parts.
    pub fn package(parts: &[(&str, &str)]) -> Vec<u8> {
        Archive::zip(&parts.iter().map(|(name, text)| ZipItem::deflated(name, text.as_bytes())).collect::<Vec<_>>())
    }

    /// The relations of a part: kind and target; what has a scheme lies outside.
    pub fn relations(list: &[(&str, &str)]) -> String {
        let mut out =
            String::from(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#);
        for (id, (kind, target)) in (1..).zip(list) {
            let mode = if target.contains("://") { r#" TargetMode="External""# } else { "" };
            let kind = format!("{RELATIONS}/{kind}");
            let _ = write!(out, r#"<Relationship Id="rId{id}" Type="{kind}" Target="{target}"{mode}/>"#);
        }
        out + "</Relationships>"
    }

    /// The types of the parts of a package whose main part is this one.
    pub fn types(path: &str, kind: &str) -> String {
        let head = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#;
        let relations = "application/vnd.openxmlformats-package.relationships+xml";
        format!(
            "{head}<Default Extension=\"rels\" ContentType=\"{relations}\"/><Default Extension=\"xml\" \
             ContentType=\"application/xml\"/><Override PartName=\"/{path}\" ContentType=\"{TYPES}.{kind}+xml\"/></Types>"
        )
    }

    /// A document of Word: what stands before its root, the attributes of that, its body, and what it is related to.
    pub fn docx(before: &str, attributes: &str, body: &str, related: &[(&str, &str)]) -> Vec<u8> {
        let spaces = format!("xmlns:w=\"{WORD}\" xmlns:r=\"{RELATIONS}\"{attributes}");
        let document = format!("{before}<w:document {spaces}><w:body>{body}</w:body></w:document>");
        let parts = [
            ("[Content_Types].xml", &*Self::types("word/document.xml", "wordprocessingml.document.main")),
            ("_rels/.rels", &Self::relations(&[("officeDocument", "word/document.xml")])),
            ("word/document.xml", &document),
            ("word/_rels/document.xml.rels", &Self::relations(related)),
        ];
        Self::package(&parts)
    }

    /// A document of Word with this body.
    pub fn word(body: &str) -> Vec<u8> {
        Self::docx("", "", body, &[])
    }

    /// A paragraph of Word.
    pub fn paragraph(text: &str) -> String {
        format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
    }

    /// A workbook of one sheet `S`: what stands before its rows, the rows, and the texts that cells share.
    pub fn xlsx(before: &str, rows: &str, texts: &str) -> Vec<u8> {
        let sheet = format!("<worksheet xmlns=\"{SHEET}\">{before}<sheetData>{rows}</sheetData></worksheet>");
        let book = format!(
            "<workbook xmlns=\"{SHEET}\" xmlns:r=\"{RELATIONS}\"><sheets>\
             <sheet name=\"S\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
        );
        let related = [("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")];
        let parts = [
            ("[Content_Types].xml", &*Self::types("xl/workbook.xml", "spreadsheetml.sheet.main")),
            ("_rels/.rels", &Self::relations(&[("officeDocument", "xl/workbook.xml")])),
            ("xl/workbook.xml", &book),
            ("xl/_rels/workbook.xml.rels", &Self::relations(&related)),
            ("xl/worksheets/sheet1.xml", &sheet),
            ("xl/sharedStrings.xml", texts),
        ];
        Self::package(&parts)
    }

    /// A row of cells: place and text.
    pub fn row(number: &str, cells: &[(&str, &str)]) -> String {
        let cell = |(place, text): &(&str, &str)| format!(r#"<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>"#);
        format!("<row r=\"{number}\">{}</row>", cells.iter().map(cell).collect::<String>())
    }

    /// A compound file of one stream, which begins in sector 2; sector 0 is the directory, sector 1 the table.
    pub fn compound(name: &str, stream: &[u8]) -> Vec<u8> {
        let sectors = u32::try_from(stream.len().div_ceil(512).max(8)).unwrap_or(8);
        let mut out = vec![0; 512];
        put(&mut out, 0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
        for (at, value) in [(0x18, 0x3E_u16), (0x1A, 3), (0x1C, 0xFFFE), (0x1E, 9), (0x20, 6)] {
            put(&mut out, at, &value.to_le_bytes());
        }
        for (at, value) in [(0x2C, 1), (0x38, 4096), (0x3C, END), (0x44, END), (0x4C, 1)] {
            put(&mut out, at, &u32::to_le_bytes(value));
        }
        put(&mut out, 0x50, &[0xFF; 512 - 0x50]);
        let mut table = vec![END, 0xFFFF_FFFD];
        table.extend((1..=sectors).map(|sector| if sector == sectors { END } else { sector + 2 }));
        table.resize(128, FREE);
        out.extend(entry("Root Entry", 5, (1, END, 0)));
        out.extend(entry(name, 2, (FREE, 2, sectors * 512)));
        out.extend([0; 256]);
        out.extend(table.iter().flat_map(|sector| sector.to_le_bytes()));
        out.extend(stream);
        out.resize(512 * (3 + sectors as usize), 0);
        out
    }
}

/// An entry of the directory of a compound file: its first child, its first sector and its size.
fn entry(name: &str, kind: u8, (child, start, size): (u32, u32, u32)) -> Vec<u8> {
    let mut out = vec![0; 128];
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    put(&mut out, 0, &units);
    put(&mut out, 0x40, &u16::try_from(units.len() + 2).unwrap_or(0).to_le_bytes());
    put(&mut out, 0x42, &[kind, 1]);
    put(&mut out, 0x44, &[0xFF; 8]);
    for (at, value) in [(0x4C, child), (0x74, start), (0x78, size)] {
        put(&mut out, at, &value.to_le_bytes());
    }
    out
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    for (place, byte) in bytes.iter_mut().skip(at).zip(field) {
        *place = *byte;
    }
}

/// A PDF file in the making: the objects one after the other, then a table of them.
#[derive(Clone, Debug)]
pub struct Pdf {
    /// Number and content of every object.
    pub objects: Vec<(u32, Vec<u8>)>,
    /// What the trailer says beside the size.
    pub trailer: String,
    /// The size that the trailer claims.
    pub size: String,
}

impl Pdf {
    /// A page.
    pub const PAGE: &str = "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>";

    /// One page (3) with operators (4) and Helvetica (5) below a page tree (2) and a catalog (1).
    pub fn page(operators: &str) -> Self {
        let mut file = Self { objects: Vec::new(), trailer: "/Root 1 0 R".to_owned(), size: "1000".to_owned() };
        file.add(1, "<</Type/Catalog/Pages 2 0 R>>");
        file.add(2, "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>");
        file.add(3, Self::PAGE);
        file.stream(4, "", operators.as_bytes());
        file.add(5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        file
    }

    /// One page with a line of text.
    pub fn of(text: &str) -> Self {
        Self::page(&Self::shown(text))
    }

    /// Operators that show a line in the middle of a page.
    pub fn shown(text: &str) -> String {
        format!("BT /F1 12 Tf 72 600 Td ({text}) Tj ET")
    }

    /// Sets an object.
    pub fn add(&mut self, number: u32, object: &str) -> &mut Self {
        self.set(number, object.as_bytes().to_vec())
    }

    /// Sets a stream with these entries beside its length.
    pub fn stream(&mut self, number: u32, entries: &str, bytes: &[u8]) -> &mut Self {
        let head = format!("<<{entries}/Length {}>>\nstream\n", bytes.len());
        self.set(number, [head.as_bytes(), bytes, b"\nendstream"].concat())
    }

    fn set(&mut self, number: u32, object: Vec<u8>) -> &mut Self {
        self.objects.retain(|(other, _)| *other != number);
        self.objects.push((number, object));
        self
    }

    /// The objects as they stand in the file, and where each is.
    fn body(&self) -> (Vec<u8>, Vec<(u32, usize)>) {
        let (mut out, mut table) = (b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec(), Vec::new());
        for (number, object) in &self.objects {
            table.push((*number, out.len()));
            out.extend(format!("{number} 0 obj\n").bytes());
            out.extend(object);
            out.extend(b"\nendobj\n");
        }
        (out, table)
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut out, table) = self.body();
        let start = out.len();
        out.extend(b"xref\n0 1\n0000000000 65535 f \n");
        for (number, offset) in table {
            out.extend(format!("{number} 1\n{offset:010} 00000 n \n").bytes());
        }
        let Self { trailer, size, .. } = self;
        out.extend(format!("trailer\n<</Size {size}{trailer}>>\nstartxref\n{start}\n%%EOF\n").bytes());
        out
    }

    /// The file with a table that is a stream; objects from 900 on lie in object streams: which, and at which place.
    pub fn packed(&self, inside: &[(u32, u16)]) -> Vec<u8> {
        let (mut out, table) = self.body();
        let row =
            |letter: u8, place: u32, index: u16| [&[letter][..], &place.to_be_bytes(), &index.to_be_bytes()].concat();
        let outside = table.iter().map(|(number, at)| (*number, row(1, u32::try_from(*at).unwrap_or(0), 0)));
        let inside = (900..).zip(inside.iter().map(|(stream, index)| row(2, *stream, *index)));
        let rows: Vec<(u32, Vec<u8>)> = outside.chain(inside).collect();
        let index = rows.iter().map(|(number, _)| format!("{number} 1 ")).collect::<Vec<_>>().concat();
        let data: Vec<u8> = rows.into_iter().flat_map(|(_, row)| row).collect();
        let (start, Self { trailer, size, .. }) = (out.len(), self);
        let entries = format!("/Type/XRef/Size {size}{trailer}/W[1 4 2]/Index[{index}]/Length {}", data.len());
        out.extend(format!("999 0 obj\n<<{entries}>>\nstream\n").bytes());
        out.extend(data);
        out.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
        out
    }
}
