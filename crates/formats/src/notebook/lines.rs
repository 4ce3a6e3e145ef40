//! The lines of an output, cut where there are too many.

use std::borrow::Cow;

use readstone_base::size_text;

use super::form::push_escaped;
use super::output::Whole;

/// Which end of a text is kept when it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Its beginning.
    Head,
    /// Its end.
    Tail,
}

/// Writes the lines of a text behind `# `, as many as there is room for: so many lines, so many bytes.
pub(super) fn push_lines(out: &mut String, text: &str, keep: Keep, room: (u64, u64)) -> Whole {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() {
        return Whole::Yes;
    }
    let lines = text.split('\n');
    let kept = match keep {
        Keep::Head => fitting(lines, room),
        Keep::Tail => fitting(lines.rev(), room),
    };
    if kept == text.len() + 1 {
        text.split('\n').for_each(|line| push_line(out, line));
        return Whole::Yes;
    }
    match keep {
        Keep::Head => push_head(out, text, kept, room.1),
        Keep::Tail => push_tail(out, text, kept, room.1),
    }
    Whole::No
}

/// How many bytes of these lines fit, each with its line feed.
fn fitting<'a>(lines: impl Iterator<Item = &'a str>, room: (u64, u64)) -> usize {
    let most = usize::try_from(room.0).unwrap_or(usize::MAX);
    let mut bytes = 0;
    for line in lines.take(most) {
        if (bytes + line.len()) as u64 > room.1 {
            break;
        }
        bytes += line.len() + 1;
    }
    bytes
}

fn push_head(out: &mut String, text: &str, kept: usize, bytes: u64) {
    let most = usize::try_from(bytes).unwrap_or(usize::MAX);
    // One line that is too long by itself is shown in part.
    let end = if kept == 0 { text.floor_char_boundary(most) } else { kept };
    let (head, rest) = text.split_at(end.min(text.len()));
    head.strip_suffix('\n').unwrap_or(head).split('\n').for_each(|line| push_line(out, line));
    push_line(out, &words(rest, kept, Keep::Head));
}

fn push_tail(out: &mut String, text: &str, kept: usize, bytes: u64) {
    let most = usize::try_from(bytes).unwrap_or(usize::MAX);
    let start =
        if kept == 0 { text.ceil_char_boundary(text.len().saturating_sub(most)) } else { text.len() + 1 - kept };
    let (rest, tail) = text.split_at(start.min(text.len()));
    push_line(out, &words(rest.strip_suffix('\n').unwrap_or(rest), kept, Keep::Tail));
    tail.split('\n').for_each(|line| push_line(out, line));
}

/// What was left out; where nothing was kept whole, one line is shown in part.
fn words(rest: &str, kept: usize, keep: Keep) -> String {
    let feeds = memchr::memchr_iter(b'\n', rest.as_bytes()).count();
    let bytes = size(rest.len());
    let lines = |count: usize| if count == 1 { "1 more line".to_owned() } else { format!("{count} more lines") };
    match (keep, kept, feeds) {
        (Keep::Head, 0, 0) => format!("… the rest of this line, {bytes}"),
        (Keep::Head, 0, feeds) => format!("… the rest of this line and {}, {bytes}", lines(feeds)),
        (Keep::Head, _, feeds) => format!("… {}, {bytes}", lines(feeds + 1)),
        (Keep::Tail, 0, 0) => format!("… the beginning of this line, {bytes}"),
        (Keep::Tail, 0, feeds) => format!("… {} before and the beginning of this one, {bytes}", lines(feeds)),
        (Keep::Tail, _, feeds) => format!("… {} before, {bytes}", lines(feeds + 1)),
    }
}

fn push_line(out: &mut String, line: &str) {
    // A line end of two characters is one of the output, not of this text.
    match line.strip_suffix('\r').unwrap_or(line) {
        "" => out.push_str("#\n"),
        line => push_escaped(out, &format!("# {line}")),
    }
}

/// A size in the unit that suits it.
pub(super) fn size(count: usize) -> String {
    size_text(count as u64)
}

/// The text without the sequences that colour it in a terminal.
pub(super) fn without_colours(text: &str) -> Cow<'_, str> {
    if memchr::memchr(0x1B, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split("\u{1B}[");
    plain.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|character: char| !matches!(character, '0'..='9' | ';' | ':'));
        match end.and_then(|end| piece.get(end..)).and_then(|rest| rest.strip_prefix('m')) {
            Some(rest) => plain.push_str(rest),
            None => plain.extend(["\u{1B}[", piece]),
        }
    }
    Cow::Owned(plain)
}
