//! The coverage line: how much is shown, what must be said, what comes next.

use readstone_base::{Hidden, Note, Page, Part, Span, Target, Totals, Unit, Visible, size_text};

use crate::{found, notes, size};

/// The one bracketed line at the end; `None` when all is shown and nothing need be said.
pub(crate) fn line(page: &Page) -> Option<String> {
    let coverage = &page.coverage;
    let mut parts = Vec::new();
    match coverage.summary {
        Some(summary) if summary.elided_lines > 0 => {
            parts.push(format!("{} elided", size::count(summary.elided_lines, "line")));
        }
        None if (!coverage.complete || is_made(page)) && !coverage.shown.is_empty() => parts.push(shown(page)),
        Some(_) | None => {}
    }
    let said = page.notes.iter().filter(|note| !crate::page::stands_for_rows(note));
    parts.extend(said.map(|note| notes::words(note, page).1));
    if let Some(limit) = coverage.cut_by {
        parts.push(format!("limit {limit}"));
    }
    if !coverage.hidden.is_empty() {
        let hidden: Vec<String> = coverage.hidden.iter().map(|hidden| left_out(page, hidden)).collect();
        parts.push(format!("left out: {}", hidden.join(", ")));
    }
    if let Some(next) = &coverage.next {
        parts.push(format!("next: {} {}", page.tool, Visible::of(&next.argument).text));
    }
    (!parts.is_empty()).then(|| format!("[{}]", parts.join("; ")))
}

/// How many were left out and why, with the call that shows them too.
fn left_out(page: &Page, hidden: &Hidden) -> String {
    let call = hidden.address.as_ref().map(|address| format!(" ({} {})", page.tool, Visible::of(address).text));
    format!("{} {}{}", hidden.count, found::reason(hidden), call.unwrap_or_default())
}

/// Whether the lines are those of a text that was made from something else.
fn is_made(page: &Page) -> bool {
    page.notes.iter().any(|note| matches!(note, Note::Made { .. }))
}

/// What is said of a verbatim page beside it; `None` when it is the whole and nothing need be said. The page carries
/// the bytes themselves, so how its characters were decoded is not worth a word.
pub fn aside(target: &Target) -> Option<String> {
    let decoding = ["text.replaced", "text.encoding", "text.bom"];
    said_beside("read", target, |code| !decoding.contains(&code))
}

/// The same line for a client that receives the characters alone. It is sent as a block of its own after the page.
/// `None` for framed pages, which contain the line.
pub fn beside(tool: &str, part: &Part, target: &Target) -> Option<String> {
    match part {
        Part::Verbatim(_) => said_beside(tool, target, |_| true),
        Part::Text(_) | Part::Image(_) => None,
    }
}

fn said_beside(tool: &str, target: &Target, counts: impl Fn(&str) -> bool) -> Option<String> {
    let mut parts = Vec::new();
    let partial = target.next.is_some() || target.cut_by.is_some();
    if let Some(shown) = target.shown.as_ref().filter(|shown| partial && !shown.ranges.is_empty()) {
        parts.push(covered(shown.unit, &shown.ranges, &shown.context, target.total));
    }
    parts.extend(target.notes.iter().filter(|(code, _)| counts(code)).map(|(_, words)| words.clone()));
    parts.extend(target.cut_by.map(|limit| format!("limit {limit}")));
    parts.extend(target.next.as_ref().map(|next| format!("next: {tool} {}", Visible::of(next).text)));
    (!parts.is_empty()).then(|| format!("[{}]\n", parts.join("; ")))
}

/// The line about a range that ends before the requested last line, because the client takes no more.
pub fn ends_early(tool: &str, lines: Span, total: Option<u64>, limit: &str) -> String {
    let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
    let (Span { first, last }, next) = (lines, lines.last + 1);
    format!("[lines {first}-{last}{total}; limit {limit}; next: {tool} offset={next}]\n")
}

/// The line about targets that the reply has no room to mention one by one.
pub fn unsaid(tool: &str, count: u64, (first, limit): (&str, &str)) -> String {
    let count = size::counted(count, "more address has", "more addresses have");
    format!("[{count} no room in this reply; limit {limit}; next: {tool} {}]\n", Visible::of(first).text)
}

fn shown(page: &Page) -> String {
    let coverage = &page.coverage;
    covered(coverage.unit, &coverage.shown, &coverage.context, coverage.total)
}

/// How much of the whole these ranges are.
fn covered(unit: Unit, shown: &[Span], context: &[Span], total: Totals) -> String {
    let ranges = spans(shown);
    let context = match context {
        [] => String::new(),
        context => format!(" with context {}", spans(context)),
    };
    let counted = match unit {
        Unit::Lines => total.lines,
        Unit::Bytes => total.bytes,
        Unit::Entries => total.entries,
        Unit::Rows => total.rows,
        Unit::Pages | Unit::Slides | Unit::Sheets | Unit::Chapters => total.sections.map(|(_, count)| count),
    };
    let noun = match (unit, single(shown)) {
        (Unit::Lines, true) => "line",
        (Unit::Lines, false) => "lines",
        (Unit::Bytes, _) => "bytes",
        (Unit::Rows, true) => "row",
        (Unit::Entries | Unit::Rows, _) => "rows",
        (Unit::Pages | Unit::Slides | Unit::Sheets | Unit::Chapters, alone) => section_noun(unit, alone.into()),
    };
    let whole = match (counted, total.bytes) {
        (Some(counted), _) => format!(" of {counted}"),
        (None, Some(bytes)) => format!(" of a file of {}", size_text(bytes)),
        (None, None) => String::new(),
    };
    format!("{noun} {ranges}{whole}{context}")
}

/// The word for one section or several.
pub(crate) fn section_noun(unit: Unit, count: Count) -> &'static str {
    let name = unit.name();
    match count {
        Count::One => name.strip_suffix('s').unwrap_or(name),
        Count::Many => name,
    }
}

/// One or several.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    One,
    Many,
}

impl From<bool> for Count {
    fn from(single: bool) -> Self {
        if single { Self::One } else { Self::Many }
    }
}

/// Ranges that a line names one by one; a receipt has them all.
const MOST_SPANS: usize = 12;

pub(crate) fn single(spans: &[Span]) -> bool {
    matches!(spans, [only] if only.first == only.last)
}

pub(crate) fn spans(spans: &[Span]) -> String {
    listed(spans, MOST_SPANS)
}

/// Ranges of which at most so many are named.
pub(crate) fn listed(spans: &[Span], most: usize) -> String {
    let one = |span: &Span| {
        if span.first == span.last { span.first.to_string() } else { format!("{}-{}", span.first, span.last) }
    };
    let told: Vec<String> = spans.iter().take(most).map(one).collect();
    let more = spans.len() - told.len();
    if more == 0 { told.join(", ") } else { format!("{}, … ({more} more)", told.join(", ")) }
}
