//! The row that stands for the inside of a declaration.

use std::ops::Range;

use tree_sitter::Point;

/// What stands for what is left out.
pub const GAP: &str = "…";
/// Characters of what stands behind a body that a row shows.
const MOST_TAIL: usize = 24;

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Starts {
    starts: Vec<usize>,
    end: usize,
}

impl Starts {
    /// Looks through a text.
    pub fn of(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        Self { starts, end: text.len() }
    }

    /// How many lines there are.
    pub fn count(&self) -> u64 {
        let open = self.starts.last().is_some_and(|start| *start < self.end);
        (self.starts.len() - usize::from(!open)) as u64
    }

    /// The text of a line, from 1, without its end.
    pub fn line<'t>(&self, text: &'t str, number: u64) -> &'t str {
        let at = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(at).copied() else {
            return "";
        };
        let end = self.starts.get(at.saturating_add(1)).copied().unwrap_or(self.end);
        let line = text.get(start..end).unwrap_or_default();
        line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
    }

    /// Where a line begins.
    pub fn offset(&self, number: u64) -> usize {
        let at = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        self.starts.get(at).copied().unwrap_or(self.end)
    }

    /// Bytes as a parser wants to know them.
    pub(crate) fn range(&self, bytes: Range<usize>) -> tree_sitter::Range {
        let point = |byte| {
            let line = self.line_of(byte);
            Point::new(usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1), byte - self.offset(line))
        };
        tree_sitter::Range {
            start_byte: bytes.start,
            end_byte: bytes.end,
            start_point: point(bytes.start),
            end_point: point(bytes.end),
        }
    }

    /// The line that holds a byte.
    pub fn line_of(&self, byte: usize) -> u64 {
        self.starts.partition_point(|start| *start <= byte) as u64
    }
}

/// Where the body of a declaration stands.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    /// Where what stands before it ends, without the comments between.
    pub(crate) behind: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Body {
    /// What stands between two bytes.
    pub(crate) fn between((start, end): (usize, usize)) -> Self {
        Self { behind: start, start, end }
    }
}

/// The last line of what stands before a body, and the row that stands for it and all that follows of a declaration
/// which ends at `end`. Without a body the line of the name stands for those behind it.
pub(crate) fn fold(
    text: &str,
    starts: &Starts,
    (first, name, end): (usize, usize, usize),
    body: Option<Body>,
) -> (u64, Option<String>) {
    let last = starts.line_of(end.saturating_sub(1).max(first));
    let whole = body.as_ref().map_or((first, end), |body| (body.start, body.end));
    let signs = signs(text, whole).filter(|signs| match &body {
        // Signs further on belong to the head only where they stand on its last line: `= listOf(` and not a statement.
        Some(body) => signs.from == body.start || signs.opener.len() == 1 && is_on_line(text, body.behind, signs.from),
        None => signs.from > first,
    });
    let Some(body) = signs.map_or(body, |signs| Some(signs.body(body))) else {
        let named = starts.line_of(name.max(first)).min(last);
        let row = (last > named).then(|| format!("{} {GAP}", starts.line(text, named).trim_end()));
        return (named, row);
    };
    let before = text.get(first..body.behind).unwrap_or_default();
    let head_end = first + before.trim_end().len();
    let head = starts.line_of(head_end.saturating_sub(1).max(first));
    if last <= head {
        return (head, None);
    }
    let closer = signs.map_or("", |signs| signs.closer);
    let tail = text.get((body.end - closer.len()).min(end)..end).unwrap_or_default().trim();
    let is_long = tail.contains('\n') || tail.chars().count() > MOST_TAIL;
    let tail = if is_long { closer } else { tail };
    let mut row = text.get(starts.offset(head)..head_end).unwrap_or_default().trim_end().to_owned();
    match (signs, text.get(body.start..).and_then(|inside| inside.chars().next())) {
        (Some(signs), _) => {
            row.push_str(if head_end < body.start { " " } else { "" });
            row.push_str(signs.opener);
        }
        // What introduces a body without signs around it.
        (None, Some('=')) => row.push_str(" ="),
        (None, Some(':')) => row.push(':'),
        (None, _) => {}
    }
    row.push(' ');
    row.push_str(GAP);
    if !tail.is_empty() {
        // A comma or a semicolon stands close.
        row.push_str(if tail.starts_with([';', ',']) { "" } else { " " });
        row.push_str(tail);
    }
    (head, Some(row))
}

/// Whether a byte stands on the line of what comes before another.
fn is_on_line(text: &str, behind: usize, byte: usize) -> bool {
    let end = text.get(..behind).unwrap_or_default().trim_end().len();
    text.get(end..byte).is_some_and(|between| !between.contains('\n'))
}

/// The signs that a body stands between, and where it begins and ends with them.
#[derive(Clone, Copy)]
struct Signs {
    opener: &'static str,
    closer: &'static str,
    from: usize,
    to: usize,
}

impl Signs {
    /// The body with its signs; what stands before it is that of the body as it was given, where they begin it.
    fn body(self, given: Option<Body>) -> Body {
        let behind = given.filter(|body| body.start == self.from).map_or(self.from, |body| body.behind);
        Body { behind, start: self.from, end: self.to }
    }
}

/// Signs that bodies stand between.
const PAIRS: [(&str, &str); 4] = [("{", "}"), ("(", ")"), ("[", "]"), ("do", "end")];

/// The signs that what stands in these bytes is between: they begin it, or end its first line, or are all of its second.
fn signs(text: &str, (from, to): (usize, usize)) -> Option<Signs> {
    let inside = text.get(from..to)?;
    let plain = inside.trim_end_matches(';');
    let (opener, closer) = PAIRS.iter().copied().find(|(_, closer)| plain.ends_with(closer))?;
    let mut lines = inside.lines();
    let first = lines.next()?.trim_end();
    let at = if inside.starts_with(opener) {
        0
    } else if first.ends_with(opener) {
        first.len() - opener.len()
    } else {
        lines.next().filter(|line| line.trim() == opener)?;
        inside.find('\n')? + inside.get(inside.find('\n')?..)?.find(opener)?
    };
    Some(Signs { opener, closer, from: from + at, to: from + plain.len() })
}
