//! A report as a PDF: headings, justified prose, lists and ruled tables, compressed, in standard fonts.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::made::Document;
use crate::made::prose::Prose;

/// How the report ends.
pub const LAST_WORDS: &str = "These are the last words of the report.";

/// Characters of a line, and how low the last paragraph of a page may begin.
const LINE: usize = 92;
const LOW: usize = 150;
/// Pages below one node of the tree.
const FAN: usize = 16;

/// As many pages as so many bytes of text need.
pub fn by_text(bytes: usize) -> Result<Document, Box<dyn Error>> {
    write(|text, _| text < bytes)
}

/// So many pages.
pub fn by_pages(pages: usize) -> Result<Document, Box<dyn Error>> {
    write(|_, made| made < pages)
}

fn write(more: impl Fn(usize, usize) -> bool) -> Result<Document, Box<dyn Error>> {
    let mut prose = Prose::new();
    let (mut pages, mut text) = (Vec::new(), 0);
    while more(text, pages.len()) {
        let mut page = Page::new();
        page.fill(&mut prose, pages.len() + 1)?;
        if !more(text + page.text, pages.len() + 1) {
            page.line("F1", LAST_WORDS)?;
        }
        text += page.text;
        pages.push(page.content);
    }
    assemble(&pages, text)
}

/// One page as it is filled from above.
struct Page {
    content: String,
    y: usize,
    text: usize,
}

impl Page {
    fn new() -> Self {
        Self { content: String::new(), y: 760, text: 0 }
    }

    fn fill(&mut self, prose: &mut Prose, number: usize) -> Result<(), Box<dyn Error>> {
        let heading = format!("{number}. {}", prose.words(4));
        self.large(&heading)?;
        if number.is_multiple_of(4) {
            self.table(prose)?;
        }
        if number % 4 == 2 {
            for _ in 0..5 {
                let item = format!("\u{2022} {}", prose.words(9));
                self.line("F1", &item)?;
            }
            self.y -= 8;
        }
        while self.y > LOW {
            self.paragraph(&prose.paragraph())?;
        }
        Ok(())
    }

    /// A heading.
    fn large(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        writeln!(self.content, "BT /F2 16 Tf 1 0 0 1 72 {} Tm ({}) Tj ET", self.y, literal(text))?;
        self.text += text.len() + 1;
        self.y -= 26;
        Ok(())
    }

    /// A line of prose, a word at a time with the small shifts that typesetting makes.
    fn line(&mut self, font: &str, text: &str) -> Result<(), Box<dyn Error>> {
        write!(self.content, "BT /{font} 10 Tf 1 0 0 1 72 {} Tm [", self.y)?;
        for (at, word) in text.split(' ').enumerate() {
            if at > 0 {
                self.content.push_str("( )-12");
            }
            let middle = word.char_indices().nth(word.chars().count() / 2).map_or(0, |(at, _)| at);
            let (left, right) = word.split_at(middle);
            write!(self.content, "({})8({})", literal(left), literal(right))?;
        }
        writeln!(self.content, "] TJ ET")?;
        self.text += text.len() + 1;
        self.y -= 14;
        Ok(())
    }

    fn paragraph(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        let mut line = String::new();
        for word in text.split(' ') {
            if line.chars().count() + word.chars().count() >= LINE {
                self.line("F1", &line)?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line("F1", &line)?;
        self.y -= 8;
        Ok(())
    }

    /// Four columns with rules between all cells.
    fn table(&mut self, prose: &mut Prose) -> Result<(), Box<dyn Error>> {
        let (columns, rows, width, height) = (4, 8, 112, 18);
        let top = self.y + 12;
        for row in 0..=rows {
            let y = top - row * height;
            writeln!(self.content, "0.5 w 72 {y} m {} {y} l S", 72 + columns * width)?;
        }
        for column in 0..=columns {
            let x = 72 + column * width;
            writeln!(self.content, "{x} {top} m {x} {} l S", top - rows * height)?;
        }
        for row in 0..rows {
            for column in 0..columns {
                let cell = prose.words(2);
                let (x, y) = (76 + column * width, top - row * height - 13);
                writeln!(self.content, "BT /F1 9 Tf 1 0 0 1 {x} {y} Tm ({}) Tj ET", literal(&cell))?;
                self.text += cell.len() + 1;
            }
        }
        self.y = top - rows * height - 20;
        Ok(())
    }
}

/// A string as the standard fonts' encoding spells it.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '(' | ')' | '\\' => out.extend(['\\', sign]),
            '\u{2022}' => out.push_str("\\225"),
            ' '..='~' => out.push(sign),
            '\u{A0}'..='\u{FF}' => out += &octal(sign),
            _ => out.push('?'),
        }
    }
    out
}

fn octal(sign: char) -> String {
    format!("\\{:03o}", u32::from(sign))
}

/// The objects: catalog, root of the pages, two fonts, nodes of the tree, then every page and what it shows.
fn objects(contents: &[String]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let nodes = contents.len().div_ceil(FAN);
    let node = |at: usize| 5 + at;
    let page = |at: usize| 5 + nodes + at * 2;
    let kids = |of: std::ops::Range<usize>, number: &dyn Fn(usize) -> usize| {
        of.map(|at| format!("{} 0 R", number(at))).collect::<Vec<_>>().join(" ")
    };
    let mut all = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{}]/Count {}>>", kids(0..nodes, &node), contents.len()).into_bytes(),
    ];
    for font in ["Times-Roman", "Helvetica-Bold"] {
        all.push(format!("<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding/WinAnsiEncoding>>").into_bytes());
    }
    for at in 0..nodes {
        let below = at * FAN..((at + 1) * FAN).min(contents.len());
        let (count, kids) = (below.len(), kids(below, &page));
        all.push(format!("<</Type/Pages/Parent 2 0 R/Kids[{kids}]/Count {count}>>").into_bytes());
    }
    for (at, content) in contents.iter().enumerate() {
        let resources = "/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>";
        let (parent, shown) = (node(at / FAN), page(at) + 1);
        all.push(
            format!("<</Type/Page/Parent {parent} 0 R/MediaBox[0 0 595 842]{resources}/Contents {shown} 0 R>>")
                .into_bytes(),
        );
        all.push(stream(content)?);
    }
    Ok(all)
}

fn stream(content: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut writer = ZlibEncoder::new(Vec::new(), Compression::default());
    writer.write_all(content.as_bytes())?;
    let packed = writer.finish()?;
    let head = format!("<</Length {}/Filter/FlateDecode>>stream\n", packed.len());
    Ok([head.as_bytes(), &packed, b"\nendstream"].concat())
}

/// The file: the objects and a table of where they are. A comment has a byte that means nothing.
fn assemble(contents: &[String], text: usize) -> Result<Document, Box<dyn Error>> {
    let objects = objects(contents)?;
    let count = objects.len() + 1;
    let mut bytes = b"%PDF-1.5\n%\xE2\xE3\xCF\xD3 -\n".to_vec();
    let spare = bytes.len() - 2;
    let mut table = format!("xref\n0 {count}\n0000000000 65535 f \n");
    for (at, object) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", bytes.len())?;
        bytes.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let place = bytes.len();
    bytes.extend(table.into_bytes());
    bytes.extend(format!("trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{place}\n%%EOF\n").into_bytes());
    Ok(Document { bytes, spare, text })
}
