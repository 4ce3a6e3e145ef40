//! Documents, books, pages, tables and notebooks made to do harm: the rows D01 to D10 and D20 to D24.

use std::fmt::Write as _;

use serde_json::json;

use super::Trap;
use crate::archives::{Archive, Bomb, ZipItem};
use crate::documents::Office;

const OK: &[&str] = &["ok"];
const DAMAGED: &[&str] = &["document.corrupt"];
/// Markup that declares entities of its own.
const DECLARED: &[&str] = &["document.unsupported"];
const FIRST_TEXT: &str = r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row>"#;

pub(super) const TRAPS: &[Trap] = &[
    Trap::of("docs/billion_laughs.docx", || Office::docx(&laughs(), "", &Office::paragraph("&a9;"), &[]))
        .wants(DECLARED),
    Trap::of("docs/billion_laughs.xlsx", || {
        Office::xlsx("", FIRST_TEXT, &format!("{}<sst><si><t>&a9;</t></si></sst>", laughs()))
    })
    .wants(DECLARED)
    .asks(&[":S"]),
    Trap::of("docs/xxe.docx", || {
        let entities = "<!DOCTYPE z SYSTEM \"http://127.0.0.1:9/x\" [<!ENTITY x SYSTEM \"file:///etc/passwd\">\
                        <!ENTITY % p SYSTEM \"http://127.0.0.1:9/x\">%p;]>";
        Office::docx(entities, "", &Office::paragraph("&x;"), &[])
    })
    .wants(DECLARED),
    Trap::of("docs/external.docx", external).wants(OK),
    Trap::of("docs/quadratic.docx", || {
        let declaration = format!("<!DOCTYPE z [<!ENTITY a \"{}\">]>", "a".repeat(50_000));
        Office::docx(&declaration, "", &Office::paragraph(&"&a;".repeat(50_000)), &[])
    })
    .wants(DECLARED),
    Trap::of("docs/part_bomb.docx", || bomb(&Office::paragraph("x").repeat(4_000), 520))
        .wants(&["ok", "document.limit"]),
    Trap::of("docs/blank.docx", || bomb(&" ".repeat(1 << 20), 130)).wants(&["ok", "document.limit"]),
    Trap::of("docs/dimension.xlsx", || {
        let far = Office::row("1", &[("A1", "first")]) + &Office::row("1048576", &[("XFD1048576", "last")]);
        Office::xlsx(r#"<dimension ref="A1:XFD1048576"/>"#, &far, "<sst/>")
    })
    .wants(OK)
    .asks(&[":S"]),
    Trap::of("docs/dimension_zero.xlsx", || {
        let cells = Office::row("1", &[("A1", "first"), ("B1", "last")]);
        Office::xlsx(r#"<dimension ref="A0:ZZZZ99999999"/>"#, &cells, "<sst/>")
    })
    .wants(OK),
    Trap::of("docs/badref.xlsx", || {
        let cells = Office::row("99999999999999999999", &[("A0", "first"), ("ZZZZZZ99999999999", "last")]);
        Office::xlsx("", &cells, "<sst/>")
    })
    .wants(OK),
    Trap::of("docs/unique_count.xlsx", || {
        let texts = r#"<sst count="4294967295" uniqueCount="4294967295"><si><t>only</t></si></sst>"#;
        Office::xlsx("", FIRST_TEXT, texts)
    })
    .wants(OK),
    Trap::of("docs/attrs.docx", || {
        Office::word(&format!("<w:p{}><w:r><w:t>hello</w:t></w:r></w:p>", many(" a", "=\"v\"")))
    })
    .wants(&["ok", "document.corrupt"]),
    Trap::of("docs/xmlns.docx", || Office::docx("", &many(" xmlns:n", "=\"urn:n\""), &Office::paragraph("hello"), &[]))
        .wants(&["ok", "document.corrupt"]),
    Trap::of("docs/missing_part.docx", || related("word/document.xml")).wants(DAMAGED),
    Trap::of("docs/slip.docx", || related("../../../../../etc/passwd")).wants(DAMAGED),
    Trap::of("docs/slip.epub", || {
        let item = "<item id=\"a\" href=\"../../../../../../etc/passwd\" media-type=\"application/xhtml+xml\"/>";
        epub(
            "content.opf",
            &format!("<package><manifest>{item}</manifest><spine><itemref idref=\"a\"/></spine></package>"),
        )
    })
    .wants(DAMAGED),
    Trap::of("docs/root.epub", || epub("../../../../etc/passwd", "<package/>")).wants(DAMAGED),
    Trap::of("docs/fat_count.xls", || {
        with(with(Office::compound("Workbook", &[0; 8192]), 0x2C, 0x7FFF_FFFF), 0x48, 0x7FFF_FFFF)
    })
    .wants(DAMAGED),
    Trap::of("docs/fat_loop.doc", || with(Office::compound("WordDocument", &[0; 8192]), 1024 + 8, 2)).wants(DAMAGED),
    Trap::of("docs/fat_loop.xls", || with(Office::compound("Workbook", &[0; 8192]), 1024 + 8, 2)).wants(DAMAGED),
    Trap::of("docs/fat_loop.ppt", || with(Office::compound("PowerPoint Document", &[0; 8192]), 1024 + 8, 2))
        .wants(DAMAGED),
    Trap::of("docs/entities.html", || page(&"&amp;".repeat(1_000_000))),
    Trap::of("docs/marks.html", || page(&"&".repeat(2_000_000))),
    Trap::of("docs/less.html", || page(&"<".repeat(1_000_000))),
    Trap::of("docs/comments.html", || page(&"<!--".repeat(250_000))),
    Trap::of("docs/external.html", || {
        page("text</p><img src=\"http://127.0.0.1:9/x\"><iframe src=\"file:///etc/passwd\"></iframe>")
    })
    .wants(OK),
    Trap::of("docs/huge_field.csv", || {
        let field = "x".repeat(64 << 20);
        format!("a,b\n\"{field}\",1\n=1+1,\"=HYPERLINK(\"\"http://127.0.0.1:9\"\")\"\n").into_bytes()
    })
    .wants(OK)
    .asks(&["?limit=5", "?row=1&column=a"]),
    Trap::of("docs/no_end.csv", || format!("a,b\n\"{}", "x,\n".repeat(10 << 20)).into_bytes())
        .wants(OK)
        .asks(&["?limit=5"]),
    // As large as notebooks may be, and read whole.
    Trap::of("docs/huge_outputs.ipynb", outputs).megabytes(96).wants(OK).asks(&[":cell0", ":cell1", ":cell2"]),
    Trap::of("docs/bad.ipynb", || b"{\"cells\": [ {\"cell_type\": \"code\", \"source\": [".to_vec())
        .wants(OK)
        .asks(&[":cell0"]),
    Trap::of("docs/odd.ipynb", || b"{\"nbformat\": 4, \"cells\": {\"not\": \"a list\"}}".to_vec()).wants(OK),
    Trap::of("docs/v3.ipynb", || {
        let old = json!({ "cell_type": "code", "language": "python", "input": "x = 1",
            "outputs": [{ "output_type": "pyout", "text": "1", "prompt_number": 1 }] });
        json!({ "nbformat": 3, "metadata": {}, "worksheets": [{ "cells": [old] }] }).to_string().into_bytes()
    })
    .wants(OK)
    .asks(&[":cell0"]),
    Trap::of("docs/big_number.json", || {
        format!("{{\"n\": 1{}, \"e\": 1e999999, \"m\": -0.10000000000000000001}}\n", "0".repeat(400)).into_bytes()
    })
    .wants(OK)
    .asks(&[":/n", ":/e", ":/m"]),
    Trap::of("docs/dup_keys.json", || b"{\"a\": 1, \"a\": 2,   \"a\": 3}\n".to_vec()).wants(OK).asks(&[":/a"]),
];

/// A declaration of entities of which the last is a billion times the first.
fn laughs() -> String {
    let level = |level: u8| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    format!("<!DOCTYPE z [<!ENTITY a0 \"ha\">{}]>", (1..10).map(level).collect::<String>())
}

/// A document that refers to what it must not have.
fn external() -> Vec<u8> {
    let there = "http://127.0.0.1:9/x";
    let blip = "<w:p><w:r><w:drawing><a:blip xmlns:a=\"urn:a\" r:link=\"rId1\"/></w:drawing></w:r></w:p>";
    let field =
        "<w:p><w:fldSimple w:instr=\" INCLUDETEXT /etc/passwd \"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>";
    let body = [&Office::paragraph("text"), blip, field].concat();
    let related = [("image", there), ("attachedTemplate", there), ("image", "file:///etc/passwd")];
    Office::docx("", "", &body, &related)
}

/// A document whose main part holds a piece so often, at the cost of packing it once.
fn bomb(piece: &str, times: u64) -> Vec<u8> {
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let head = format!("<w:document xmlns:w=\"{space}\"><w:body><w:p><w:r><w:t>head</w:t></w:r></w:p>");
    let main = Bomb::default().then(head.as_bytes(), 1).then(piece.as_bytes(), times);
    let main = main.then(b"</w:body></w:document>", 1);
    let types = Office::types("word/document.xml", "wordprocessingml.document.main");
    let root = Office::relations(&[("officeDocument", "word/document.xml")]);
    Archive::zip(&[
        ZipItem::deflated("[Content_Types].xml", types.as_bytes()),
        ZipItem::deflated("_rels/.rels", root.as_bytes()),
        ZipItem::packed("word/document.xml", 8, main.deflated(), main.real()),
    ])
}

/// Very many attributes, each with its number between these.
fn many(before: &str, behind: &str) -> String {
    let mut text = String::new();
    for number in 0..150_000 {
        let _ = write!(text, "{before}{number}{behind}");
    }
    text
}

/// A document whose main part is said to be there.
fn related(target: &str) -> Vec<u8> {
    let types = Office::types("word/document.xml", "wordprocessingml.document.main");
    let root = Office::relations(&[("officeDocument", target)]);
    Office::package(&[("[Content_Types].xml", &*types), ("_rels/.rels", &root), ("word/styles.xml", "<styles/>")])
}

/// A book whose list of files is said to be at `path`.
fn epub(path: &str, book: &str) -> Vec<u8> {
    let container = format!("<container><rootfiles><rootfile full-path=\"{path}\"/></rootfiles></container>");
    let parts = [("mimetype", "application/epub+zip"), ("META-INF/container.xml", &*container), ("content.opf", book)];
    Office::package(&parts)
}

/// Bytes with another number at this place.
fn with(mut bytes: Vec<u8>, at: usize, value: u32) -> Vec<u8> {
    bytes.iter_mut().skip(at).zip(value.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    bytes
}

fn page(body: &str) -> Vec<u8> {
    format!("<!doctype html><html><body><p>{body}").into_bytes()
}

fn outputs() -> Vec<u8> {
    let printed = (0..1_500_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    let picture = format!("iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAIAAAC{}A", "A".repeat(3_999_960));
    let display = json!({ "image/png": picture, "text/html": "<b>x</b>".repeat(1_000) });
    let code = json!({ "cell_type": "code", "metadata": {}, "execution_count": 1,
        "source": ["one()\n", "# %% [code] cell:7\n", "forged()\n", "# %% [output] cell:0\n", "#\\ %% x"],
        "outputs": [
            { "output_type": "stream", "name": "stdout", "text": printed },
            { "output_type": "display_data", "metadata": {}, "data": display },
            { "output_type": "stream", "name": "stdout", "text": "# %% [code] cell:5\nevil\n%% x\n" } ] });
    let last = json!({ "cell_type": "markdown", "metadata": {}, "source": "last\n# %% [markdown] cell:9" });
    json!({ "nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [code, last] }).to_string().into_bytes()
}
