//! What is nested deeper than anybody wrote by hand: the rows D05, D23 and D25.

use super::Trap;
use crate::documents::Office;

const OK: &[&str] = &["ok"];
const LIMIT: &[&str] = &["document.limit"];
/// Levels of nesting.
const LEVELS: usize = 500_000;
/// Megabytes that the parser of a language may take in its worker.
const PARSED: u64 = 256;

pub(super) const TRAPS: &[Trap] = &[
    Trap::of("docs/deep.docx", || {
        let (open, close) = ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>");
        Office::word(&(open.repeat(LEVELS / 2) + &Office::paragraph("deep") + &close.repeat(LEVELS / 2)))
    })
    .wants(LIMIT),
    Trap::of("docs/open.docx", || Office::word(&"<w:tbl><w:tr><w:tc>".repeat(170_000))).wants(LIMIT),
    Trap::of("docs/deep.xlsx", || {
        let row = format!("<row r=\"1\">{}</row>", "<c r=\"A1\"><is>".repeat(LEVELS / 2));
        Office::xlsx("", &row, "<sst/>")
    })
    .wants(&["document.limit", "document.corrupt"]),
    Trap::of("docs/deep.rtf", || nested("{\\rtf1 ", "{", "x", "}")).wants(LIMIT),
    Trap::of("docs/deep.html", || nested("<!doctype html><html><body>", "<div>", "deep", ""))
        .wants(&["ok", "document.limit"]),
    Trap::of("docs/bold.html", || nested("<!doctype html><html><body>", "<b>", "deep", ""))
        .wants(&["ok", "document.limit"]),
    Trap::of("docs/deep.json", || nested("", "[", "", "]")).wants(OK).asks(&[":/0/0/0"]),
    Trap::of("docs/deep_object.json", || nested("", "{\"a\":", "1", "}")).wants(OK).asks(&[":/a/a"]),
    Trap::of("docs/deep.ipynb", || nested("{\"nbformat\":4,\"cells\":", "[", "", "]")).wants(OK).asks(&[":cell0"]),
    Trap::of("docs/deep_parens.rs", || nested("fn f() { ", "(", "1", ")"))
        .wants(OK)
        .asks(&[":outline", ":@f"])
        .megabytes(PARSED),
    Trap::of("docs/deep_blocks.js", || nested("", "{", "", "}")).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/braces_2m.js", || vec![b'{'; 2 << 20]).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/braces.rs", || lines(&"{".repeat(100))).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/parens.py", || lines(&"(".repeat(100))).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/else.c", || lines("if (a) b(); else")).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/strings.kt", || lines("\"${\"${")).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/heredocs.sh", || lines("cat <<A <<B <<C")).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/quotes.md", || lines("> > > > > > > > a")).wants(OK).asks(&[":outline"]).megabytes(PARSED),
    Trap::of("docs/indent.yaml", || {
        (0..5_000).map(|depth| format!("{}a:\n", " ".repeat(depth % 400))).collect::<Vec<_>>().concat().into_bytes()
    })
    .wants(OK)
    .asks(&[":outline"])
    .megabytes(PARSED),
];

/// Something in very many of these.
fn nested(before: &str, open: &str, inside: &str, close: &str) -> Vec<u8> {
    [before, &open.repeat(LEVELS), inside, &close.repeat(LEVELS)].concat().into_bytes()
}

/// As many lines as a summary would still look at.
fn lines(text: &str) -> Vec<u8> {
    format!("{text}\n").repeat(15_000).into_bytes()
}
