//! Headings in frames of their own: whoever looks for the main text takes such a frame for a menu and leaves it out.

use super::scan::{Piece, Scan, Tag};

/// Pieces that a frame around a heading may have.
const MOST_PIECES: usize = 60;
/// Letters that may stand in it beside the heading, such as a link to edit it.
const MOST_LETTERS: usize = 24;

/// A page whose headings stand without the frames that hold nothing else.
pub(crate) fn taken_out(html: &str) -> String {
    let pieces: Vec<Piece<'_>> = Scan::new(html).collect();
    let mut out = String::with_capacity(html.len());
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let rest = pieces.get(at + 1..).unwrap_or_default();
        match heading_in(*piece, rest) {
            Some((heading, size)) => {
                for piece in heading {
                    push(&mut out, piece);
                }
                at += size;
            }
            None => push(&mut out, piece),
        }
        at += 1;
    }
    out
}

/// The heading in a frame that a piece opens, and how many pieces the frame has behind that one.
fn heading_in<'a, 'b>(opens: Piece<'a>, rest: &'b [Piece<'a>]) -> Option<(&'b [Piece<'a>], usize)> {
    let is_frame = matches!(opens, Piece::Open(tag) if tag.is("div") && !tag.closed);
    let near = rest.get(..MOST_PIECES.min(rest.len())).filter(|_| is_frame)?;
    let first = near.iter().position(|piece| !is_blank(piece))?;
    let name = match near.get(first)? {
        Piece::Open(tag) if is_heading(tag) => tag.name,
        Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => return None,
    };
    let is_end = |piece: &Piece<'_>, name: &str| matches!(piece, Piece::Close(end) if end.eq_ignore_ascii_case(name));
    let last = near.iter().position(|piece| is_end(piece, name))?;
    let behind = near.get(last + 1..)?;
    let end = behind.iter().position(|piece| is_end(piece, "div"))?;
    let beside = behind.get(..end)?;
    let holds =
        |piece: &Piece<'_>| matches!(piece, Piece::Open(tag) if tag.is("div") || is_heading(tag) || tag.is("img"));
    let letters: usize = beside.iter().map(letters).sum();
    let alone = letters <= MOST_LETTERS && !beside.iter().any(holds);
    near.get(first..=last).filter(|_| alone).map(|heading| (heading, last + 1 + end + 1))
}

fn is_heading(tag: &Tag<'_>) -> bool {
    matches!(tag.name.as_bytes(), [b'h' | b'H', b'1'..=b'6'])
}

fn is_blank(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Text(text) if text.trim().is_empty())
}

fn letters(piece: &Piece<'_>) -> usize {
    match piece {
        Piece::Text(text) | Piece::Data(text) => text.chars().filter(|sign| sign.is_alphanumeric()).count(),
        Piece::Open(_) | Piece::Close(_) | Piece::Raw(_) => 0,
    }
}

fn push(out: &mut String, piece: &Piece<'_>) {
    match piece {
        Piece::Text(text) | Piece::Raw(text) => out.push_str(text),
        Piece::Data(text) => out.extend(["<![CDATA[", text, "]]>"]),
        Piece::Open(tag) => out.push_str(tag.source),
        Piece::Close(name) => out.extend(["</", name, ">"]),
    }
}
