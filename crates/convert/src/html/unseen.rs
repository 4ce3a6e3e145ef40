//! Text that a page holds and does not show.
//!
//! Repair of `html-to-markdown-rs`: text that styles hide is shown, and a page that a script would
//! show is lost. Shown by: `fault_text_that_styles_hide_is_shown`,
//! `fault_a_page_that_a_script_would_show_is_lost`, `tests/all/html.rs`.
//!
//! Repair of `legible`: text that styles hide stays in the main text. Shown by:
//! `fault_text_that_styles_hide_is_kept`, `tests/all/article.rs`.

use super::scan::{Piece, Scan, Tag, is_void};

/// How many pieces of an element are looked at for something in it that is shown all the same.
const NEAR: usize = 64;
/// From here on to the left or above, nothing is on the screen.
const FAR: f64 = -900.0;

/// The page with everything marked as hidden that its styles keep from being seen.
pub(crate) fn marked(html: &str) -> String {
    rewritten(html, is_unseen)
}

/// The page as it is when its scripts have shown it.
#[cfg(feature = "open")]
pub(crate) fn opened(html: &str) -> String {
    rewritten(html, |_, _| false)
}

/// A part of a page with its menus marked as hidden.
pub(crate) fn without_menus(html: &str) -> String {
    rewritten(html, |tag, _| {
        let role = tag.get("role").unwrap_or_default();
        tag.is("nav") || role.eq_ignore_ascii_case("navigation") || role.eq_ignore_ascii_case("search")
    })
}

fn rewritten(html: &str, hides: impl Fn(Tag<'_>, &Scan<'_>) -> bool) -> String {
    let mut out = String::with_capacity(html.len() + 64);
    let mut scan = Scan::new(html);
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Text(text) | Piece::Raw(text) => out.push_str(text),
            Piece::Data(text) => out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Close(name) => out.extend(["</", name, ">"]),
            Piece::Open(tag) if tag.is_hidden_page() => out.extend(["<", tag.name, ">"]),
            Piece::Open(tag) if !is_void(tag.name) && hides(tag, &scan) => {
                let rest = tag.source.get(1 + tag.name.len()..).unwrap_or_default();
                out.extend(["<", tag.name, " hidden", rest]);
            }
            Piece::Open(tag) => out.push_str(tag.source),
        }
    }
    out
}

/// Whether the style of an element keeps its text from being seen.
fn is_unseen(tag: Tag<'_>, behind: &Scan<'_>) -> bool {
    let Some(style) = tag.get("style").filter(|style| !style.is_empty()) else { return false };
    if tag.is_page() {
        return false;
    }
    let style = style.to_ascii_lowercase();
    let value = |name: &str| declared(&style, name);
    let away = |name: &str| value(name).and_then(pixels).is_some_and(|size| size <= FAR);
    let none = |name: &str| value(name).and_then(pixels).is_some_and(|size| size.abs() < 1.5);
    let placed = value("position").is_some_and(|position| matches!(position, "absolute" | "fixed"));
    let clipped = value("clip").is_some_and(|clip| clip.starts_with("rect(") && !clip.contains(['2', '3', '4', '5']));
    let cut = value("overflow").is_some_and(|overflow| overflow == "hidden");
    away("text-indent")
        || (placed && (away("left") || away("top") || clipped))
        || (cut && (none("height") || none("max-height") || none("width")))
        || (value("color") == Some("transparent"))
        || (value("opacity").and_then(pixels).is_some_and(|part| part == 0.0) && is_text(tag, behind))
        || (value("font-size").and_then(pixels).is_some_and(|size| size.abs() < 1.5) && is_text(tag, behind))
}

/// The value of a property of a style.
fn declared<'a>(style: &'a str, name: &str) -> Option<&'a str> {
    let one = |part: &'a str| part.split_once(':').filter(|(key, _)| key.trim() == name).map(|(_, value)| value);
    let value = style.split(';').filter_map(one).next_back()?;
    Some(value.trim().trim_end_matches("!important").trim_end())
}

/// A length as a number; units are as good as pixels here.
fn pixels(value: &str) -> Option<f64> {
    let end = value.find(|sign: char| !sign.is_ascii_digit() && !"+-.".contains(sign)).unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    let size = number.parse::<f64>().ok()?;
    Some(match unit.trim() {
        "em" | "rem" | "vw" | "vh" | "%" => size * 16.0,
        _ => size,
    })
}

/// Whether an element is a piece of text only: what has parts with styles or pictures of their own may be shown again.
fn is_text(tag: Tag<'_>, behind: &Scan<'_>) -> bool {
    let mut open = 1_usize;
    for piece in behind.clone().take(NEAR) {
        match piece {
            Piece::Open(inner) => {
                let media = ["img", "picture", "video", "svg"].iter().any(|name| inner.is(name));
                if media || inner.get("class").or_else(|| inner.get("style")).is_some() {
                    return false;
                }
                open += usize::from(inner.is(tag.name));
            }
            Piece::Close(name) if name.eq_ignore_ascii_case(tag.name) => {
                open -= 1;
                if open == 0 {
                    return true;
                }
            }
            Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    false
}
