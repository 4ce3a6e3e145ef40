//! An excerpt: a line as it is shown, or the part of a long one around its first match.

use std::ops::Range;

use readstone_base::Visible;

/// A line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, made visible; `…` stands where something is left out.
    pub text: String,
    /// Whether something is.
    pub cut: bool,
}

/// Characters shown on each side of a match in a long line.
const AROUND: usize = 200;
/// A character of UTF-8 has at most this many bytes.
const CHARACTER: usize = 4;

/// A line of up to `most` characters whole; of a longer one the part around a match, or else its beginning.
pub fn excerpt(line: &[u8], found: Option<Range<usize>>, most: usize) -> Excerpt {
    let whole = first_chars(line, most);
    match found {
        Some(found) if whole.cut => around(line, found, most),
        Some(_) | None => Excerpt::of(&whole.text, Side::Kept, whole.side()),
    }
}

/// The part of a long line around a match.
pub(super) fn around(line: &[u8], found: Range<usize>, most: usize) -> Excerpt {
    let part = |range: Range<usize>| line.get(range).unwrap_or_default();
    let before = last_chars(part(0..found.start), AROUND.min(most / 2));
    let mut room = most - before.text.chars().count();
    let body = first_chars(part(found.clone()), room);
    room -= body.text.chars().count();
    let after = first_chars(part(found.end..line.len()), AROUND.min(if body.cut { 0 } else { room }));
    let text = [before.text.as_str(), &body.text, &after.text].concat();
    let right = if body.cut { Side::Cut } else { after.side() };
    Excerpt::of(&text, before.side(), right)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Kept,
    Cut,
}

impl Excerpt {
    fn of(text: &str, left: Side, right: Side) -> Self {
        let dots = |side: Side| if side == Side::Cut { "…" } else { "" };
        let shown = Visible::of(text).text;
        Self { text: [dots(left), &*shown, dots(right)].concat(), cut: left == Side::Cut || right == Side::Cut }
    }
}

/// Some of the characters of a text.
struct Share {
    text: String,
    /// Whether there are more.
    cut: bool,
}

impl Share {
    fn side(&self) -> Side {
        if self.cut { Side::Cut } else { Side::Kept }
    }
}

/// The first characters of some bytes.
fn first_chars(bytes: &[u8], most: usize) -> Share {
    let near = bytes.len().min((most + 1) * CHARACTER);
    let mut text = String::from_utf8_lossy(bytes.get(..near).unwrap_or_default()).into_owned();
    let Some((at, _)) = text.char_indices().nth(most) else {
        return Share { text, cut: false };
    };
    text.truncate(at);
    Share { text, cut: true }
}

/// The last characters of some bytes.
fn last_chars(bytes: &[u8], most: usize) -> Share {
    let far = bytes.len().saturating_sub((most + 1) * CHARACTER);
    let near = bytes.get(far..).unwrap_or_default();
    let rest = if far == 0 { 0 } else { near.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count() };
    let text = String::from_utf8_lossy(near.get(rest..).unwrap_or_default());
    let count = text.chars().count();
    let shown = text.char_indices().nth(count.saturating_sub(most)).map_or("", |(at, _)| text.get(at..).unwrap_or(""));
    Share { text: shown.to_owned(), cut: count > most }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_match_stays_in_view_however_little_is_shown() {
        let line = format!("{}needle{}", "x".repeat(300), "y".repeat(300));
        for most in [16, 40, 399, 512] {
            let shown = excerpt(line.as_bytes(), Some(300..306), most);
            assert!(shown.cut && shown.text.contains("needle"), "{most}: {}", shown.text);
            assert!(shown.text.chars().filter(|sign| *sign != '…').count() <= most);
        }
    }
}
