//! A report as Word writes it.

use std::error::Error;
use std::fmt::Write as _;

use crate::made::Document;
use crate::made::package::{OFFICE, XML, pack, relations, types};
use crate::made::prose::Prose;

/// How the report ends.
pub const LAST_WORDS: &str = "These are the last words of the report.";

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const BULLET: &str = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";

/// A report with headings, lists, tables and bold words, and about so many bytes of text.
pub fn docx(bytes: usize) -> Result<Document, Box<dyn Error>> {
    let mut prose = Prose::new();
    let mut body = Body::default();
    let mut section = 0;
    while body.text < bytes {
        section += 1;
        let level = if section % 4 == 1 { 1 } else { 2 };
        let heading = format!("Section {section} {}", prose.words(4));
        body.paragraph(&format!("Heading{level}"), "", &[(&heading, false)])?;
        for _ in 0..4 {
            body.prose(&mut prose)?;
        }
        match section % 3 {
            0 => body.table(&mut prose)?,
            1 => body.list(&mut prose)?,
            _ => body.prose(&mut prose)?,
        }
    }
    body.paragraph("Normal", "", &[(LAST_WORDS, false)])?;
    let xml = &body.xml;
    let parts = [
        (
            "[Content_Types].xml",
            types(
                "wordprocessingml",
                &[("word/document", "document.main"), ("word/styles", "styles"), ("word/numbering", "numbering")],
            ),
        ),
        ("_rels/.rels", relations(&[("officeDocument", "word/document.xml")])),
        ("word/_rels/document.xml.rels", relations(&[("styles", "styles.xml"), ("numbering", "numbering.xml")])),
        ("word/styles.xml", styles()),
        ("word/numbering.xml", numbering()),
        (
            "word/document.xml",
            format!(
                "{XML}<w:document xmlns:w=\"{WORD}\" xmlns:r=\"{OFFICE}\"><w:body>{xml}<w:sectPr/>\
                 </w:body></w:document>"
            ),
        ),
    ];
    pack(&parts, body.text)
}

/// The paragraphs of the report.
#[derive(Default)]
struct Body {
    xml: String,
    text: usize,
    paragraphs: usize,
}

impl Body {
    /// A paragraph of runs, some of them bold, with the marks of who wrote it when.
    fn paragraph(&mut self, style: &str, more: &str, runs: &[(&str, bool)]) -> Result<(), Box<dyn Error>> {
        self.paragraphs += 1;
        let id = 0x00A1_0000 + self.paragraphs;
        write!(
            self.xml,
            "<w:p w:rsidR=\"{id:08X}\" w:rsidRDefault=\"{id:08X}\"><w:pPr><w:pStyle w:val=\"{style}\"/>{more}</w:pPr>"
        )?;
        for (text, bold) in runs {
            self.text += text.len();
            let bold = if *bold { "<w:b/>" } else { "" };
            write!(
                self.xml,
                "<w:r w:rsidR=\"{id:08X}\"><w:rPr>{bold}<w:sz w:val=\"22\"/></w:rPr><w:t \
                 xml:space=\"preserve\">{text}</w:t></w:r>"
            )?;
        }
        self.xml.push_str("</w:p>");
        Ok(())
    }

    /// A paragraph of prose: one sentence in four stands in bold.
    fn prose(&mut self, prose: &mut Prose) -> Result<(), Box<dyn Error>> {
        let sentences: Vec<(String, bool)> = (0..4).map(|_| (prose.sentence() + " ", prose.below(4) == 0)).collect();
        let runs: Vec<(&str, bool)> = sentences.iter().map(|(text, bold)| (text.as_str(), *bold)).collect();
        self.paragraph("Normal", "", &runs)
    }

    fn list(&mut self, prose: &mut Prose) -> Result<(), Box<dyn Error>> {
        (0..6).try_for_each(|_| self.paragraph("ListParagraph", BULLET, &[(&prose.sentence(), false)]))
    }

    fn table(&mut self, prose: &mut Prose) -> Result<(), Box<dyn Error>> {
        self.xml.push_str("<w:tbl><w:tblPr><w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr><w:tblGrid>");
        self.xml.push_str(&"<w:gridCol w:w=\"2300\"/>".repeat(4));
        self.xml.push_str("</w:tblGrid>");
        for _ in 0..8 {
            self.xml.push_str("<w:tr>");
            for _ in 0..4 {
                self.xml.push_str("<w:tc><w:tcPr><w:tcW w:w=\"2300\" w:type=\"dxa\"/></w:tcPr>");
                self.paragraph("Normal", "", &[(&prose.words(3), false)])?;
                self.xml.push_str("</w:tc>");
            }
            self.xml.push_str("</w:tr>");
        }
        self.xml.push_str("</w:tbl>");
        Ok(())
    }
}

fn styles() -> String {
    let names = [
        ("Normal", "Normal"),
        ("Heading1", "heading 1"),
        ("Heading2", "heading 2"),
        ("ListParagraph", "List Paragraph"),
    ];
    let all = names
        .iter()
        .map(|(id, name)| {
            format!("<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/></w:style>")
        })
        .collect::<Vec<_>>()
        .concat();
    format!("{XML}<w:styles xmlns:w=\"{WORD}\">{all}</w:styles>")
}

fn numbering() -> String {
    format!(
        "{XML}<w:numbering xmlns:w=\"{WORD}\"><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start \
         w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"•\"/></w:lvl></w:abstractNum><w:num \
         w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>"
    )
}
