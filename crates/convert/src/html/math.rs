//! Formulas of web pages as text.
//!
//! Repair of `html-to-markdown-rs`: the TeX that a formula carries is lost. Shown by:
//! `fault_formulas_lose_their_tex`, `tests/all/article.rs`.

use super::links::resolved;
use super::scan::{Piece, Scan, Tag};

/// Elements whose text is one sign, name or number of a formula.
const TOKENS: [&str; 5] = ["mi", "mn", "mo", "mtext", "ms"];
/// Levels that a formula may have; deeper ones are given without their form.
const MOST_LEVELS: usize = 64;

/// The page with its formulas written out: in TeX where they have it, otherwise in one line.
pub(crate) fn page(html: &str) -> String {
    if !html.contains("<math") {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len());
    let mut scan = Scan::new(html);
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Open(tag) if tag.is("math") && !tag.closed => {
                let text = formula(tag, &mut scan);
                out.extend([" ", &text.replace('&', "&amp;").replace('<', "&lt;"), " "]);
            }
            Piece::Text(text) | Piece::Raw(text) => out.push_str(text),
            Piece::Data(text) => out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Open(tag) => out.push_str(tag.source),
            Piece::Close(name) => out.extend(["</", name, ">"]),
        }
    }
    out
}

/// The text of the formula whose tag was just read.
fn formula(tag: Tag<'_>, scan: &mut Scan<'_>) -> String {
    let mut line = Line::default();
    let mut tex = String::new();
    let mut noted: Option<bool> = None;
    for piece in scan.by_ref() {
        match piece {
            Piece::Close(name) if name.eq_ignore_ascii_case("math") => break,
            Piece::Open(inner) if inner.is("annotation") || inner.is("annotation-xml") => {
                noted = (!inner.closed).then(|| inner.get("encoding").unwrap_or_default().contains("tex"));
            }
            Piece::Close(name) if name.to_ascii_lowercase().starts_with("annotation") => noted = None,
            Piece::Text(text) if noted == Some(true) => tex.push_str(&resolved(text)),
            Piece::Open(inner) if noted.is_none() => line.open(inner),
            Piece::Close(name) if noted.is_none() => line.close(name),
            Piece::Text(text) if noted.is_none() => line.text(text),
            Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    let tex = if tex.trim().is_empty() { resolved(tag.get("alttext").unwrap_or_default()) } else { tex };
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    if tex.is_empty() { line.out.split_whitespace().collect::<Vec<_>>().join(" ") } else { format!("${tex}$") }
}

/// A formula in one line.
#[derive(Default)]
struct Line<'a> {
    out: String,
    /// The open elements, and how many parts of each there were.
    open: Vec<(&'a str, usize)>,
}

impl<'a> Line<'a> {
    fn open(&mut self, tag: Tag<'a>) {
        if tag.closed {
            return;
        }
        if let Some((outer, count)) = self.open.last_mut() {
            let between = match (outer.to_ascii_lowercase().as_str(), *count) {
                ("mfrac", 1) => " / ",
                ("msup" | "mover", 1) | ("msubsup" | "munderover", 2) => " ^ ",
                ("msub" | "munder" | "msubsup" | "munderover", 1) => " _ ",
                ("mtr", 1..) => " , ",
                ("mtable", 1..) => " ; ",
                _ => " ",
            };
            *count += 1;
            self.out.push_str(between);
        }
        if tag.is("msqrt") || tag.is("mroot") {
            self.out.push_str(" √ ( ");
        } else if self.is_group(tag.name) {
            self.out.push_str(" ( ");
        }
        if self.open.len() < MOST_LEVELS {
            self.open.push((tag.name, 0));
        }
    }

    /// Whether an element stands for one thing of several signs: a part of a fraction, or something raised.
    fn is_group(&self, name: &str) -> bool {
        let parts = ["mfrac", "msup", "msub", "msubsup", "munder", "munderover"];
        let within = self.open.last().is_some_and(|(outer, _)| parts.iter().any(|p| outer.eq_ignore_ascii_case(p)));
        within && !TOKENS.iter().any(|token| name.eq_ignore_ascii_case(token))
    }

    fn close(&mut self, name: &str) {
        if !self.open.last().is_some_and(|(open, _)| open.eq_ignore_ascii_case(name)) {
            return;
        }
        self.open.pop();
        let root = name.eq_ignore_ascii_case("msqrt") || name.eq_ignore_ascii_case("mroot");
        if root || self.is_group(name) {
            self.out.push_str(" ) ");
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(&resolved(text));
    }
}
