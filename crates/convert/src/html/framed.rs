//! Headings in frames of their own: whoever looks for the main text takes such a frame for a menu and leaves it out.
//!
//! Repair of `legible`: it takes a frame around a heading for a menu, and the heading is lost.
//! Shown by: `fault_headings_in_frames_are_lost`, `tests/all/article.rs`.

use super::scan::{Piece, Scan, Tag};

/// Pieces that a frame around a heading may have.
const MOST_PIECES: usize = 60;
/// Letters that may stand in it beside the heading, such as a link to edit it.
const MOST_LETTERS: usize = 24;

/// A page whose headings stand without the frames that hold nothing else.
pub(crate) fn taken_out(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut scan = Scan::new(html);
    while let Some(piece) = scan.next() {
        match heading_in(piece, &scan) {
            Some((heading, rest)) => {
                for piece in &heading {
                    push(&mut out, piece);
                }
                scan = rest;
            }
            None => push(&mut out, &piece),
        }
    }
    out
}

/// The heading in a frame that a piece opens, and what comes behind the frame.
fn heading_in<'a>(opens: Piece<'a>, behind: &Scan<'a>) -> Option<(Vec<Piece<'a>>, Scan<'a>)> {
    if !matches!(opens, Piece::Open(tag) if tag.is("div") && !tag.closed) {
        return None;
    }
    let mut rest = behind.clone();
    let mut near = rest.by_ref().take(MOST_PIECES);
    let first = near.find(|piece| !is_blank(piece))?;
    let name = match first {
        Piece::Open(tag) if is_heading(&tag) => tag.name,
        Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => return None,
    };
    let is_end = |piece: &Piece<'_>, name: &str| matches!(piece, Piece::Close(end) if end.eq_ignore_ascii_case(name));
    let holds =
        |piece: &Piece<'_>| matches!(piece, Piece::Open(tag) if tag.is("div") || is_heading(tag) || tag.is("img"));
    let mut heading = vec![first];
    while !heading.last().is_some_and(|last| is_end(last, name)) {
        heading.push(near.next()?);
    }
    let mut beside = 0;
    loop {
        let piece = near.next()?;
        if is_end(&piece, "div") {
            return Some((heading, rest));
        }
        beside += letters(&piece);
        if beside > MOST_LETTERS || holds(&piece) {
            return None;
        }
    }
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
