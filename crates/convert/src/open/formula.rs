//! Formulas on one line.

use super::xml::{Step, Walker};
use crate::Refusal;

/// A formula as its author wrote it, or else its signs in a row.
pub(crate) fn formula(text: &str, depth: u64) -> Result<String, Refusal> {
    let mut walker = Walker::new(text, depth);
    let mut out = String::new();
    let mut open: Vec<Piece> = Vec::new();
    loop {
        match walker.next()? {
            Step::Open(element) if element.local() == "annotation" => return walker.words(),
            Step::Open(element) => {
                let sign = open.last_mut().map_or("", Piece::next);
                out.truncate(if sign.is_empty() { out.len() } else { out.trim_end().len() });
                out.push_str(sign);
                let piece = Piece::new(element.local(), open.last());
                out.push_str(piece.begin);
                open.push(piece);
            }
            Step::Close => {
                out.truncate(out.trim_end().len());
                open.pop().into_iter().for_each(|piece| out.push_str(piece.end));
                out.push(' ');
            }
            Step::Text(text) => out.push_str(text.trim()),
            Step::End => return Ok(out.trim().to_owned()),
        }
    }
}

/// A part of a formula that is open.
struct Piece {
    /// What stands before its second part, and before its third.
    signs: &'static [&'static str],
    parts: usize,
    begin: &'static str,
    end: &'static str,
}

impl Piece {
    fn new(name: &str, around: Option<&Self>) -> Self {
        let signs: &[&str] = match name {
            "msup" | "mover" => &["^"],
            "msub" | "munder" => &["_"],
            "msubsup" | "munderover" => &["_", "^"],
            "mfrac" => &["/"],
            _ => &[],
        };
        let grouped = around.is_some_and(|around| !around.signs.is_empty());
        let (begin, end) = match name {
            "msqrt" | "mroot" => ("sqrt{", "}"),
            "mrow" | "mfrac" if grouped => ("{", "}"),
            "mtr" => ("", ";"),
            _ => ("", ""),
        };
        Self { signs, parts: 0, begin, end }
    }

    /// What stands before the part that begins.
    fn next(&mut self) -> &'static str {
        self.parts += 1;
        self.parts.checked_sub(2).and_then(|at| self.signs.get(at)).copied().unwrap_or_default()
    }
}
