//! The coverage line: how much is shown, what must be said, what comes next.

use readstone_base::{Note, Page, Span, Unit, Visible};

use crate::{notes, size};

/// The one bracketed line at the end; `None` when all is shown and nothing need be said.
pub(crate) fn line(page: &Page) -> Option<String> {
    let coverage = &page.coverage;
    let mut parts = Vec::new();
    if !coverage.complete && !coverage.shown.is_empty() {
        parts.push(shown(page));
    }
    let said = page.notes.iter().filter(|note| **note != Note::EmptyDirectory);
    parts.extend(said.map(|note| notes::words(note, page).1));
    if let Some(limit) = coverage.cut_by {
        parts.push(format!("limit {limit}"));
    }
    for hidden in &coverage.hidden {
        let address = hidden.address.as_ref().map(|address| format!(": read {}", Visible::of(address).text));
        parts.push(format!("{} {}{}", hidden.count, hidden.reason, address.unwrap_or_default()));
    }
    if let Some(next) = &coverage.next {
        parts.push(format!("next: {} {}", next.tool, Visible::of(&next.argument).text));
    }
    (!parts.is_empty()).then(|| format!("[{}]", parts.join("; ")))
}

fn shown(page: &Page) -> String {
    let coverage = &page.coverage;
    let ranges = spans(&coverage.shown);
    let context = match coverage.context.as_slice() {
        [] => String::new(),
        context => format!(" with context {}", spans(context)),
    };
    let total = match coverage.unit {
        Unit::Lines => coverage.total.lines.map(|lines| lines.to_string()),
        Unit::Bytes => coverage.total.bytes.map(|bytes| bytes.to_string()),
        Unit::Entries => coverage.total.entries.map(|entries| entries.to_string()),
    };
    let noun = match (coverage.unit, single(&coverage.shown)) {
        (Unit::Lines, true) => "line",
        (Unit::Lines, false) => "lines",
        (Unit::Bytes, _) => "bytes",
        (Unit::Entries, _) => "rows",
    };
    let whole = match (total, coverage.total.bytes) {
        (Some(total), _) => format!(" of {total}"),
        (None, Some(bytes)) => format!(" of a file of {}", size::bytes(bytes)),
        (None, None) => String::new(),
    };
    format!("{noun} {ranges}{whole}{context}")
}

fn single(spans: &[Span]) -> bool {
    matches!(spans, [only] if only.first == only.last)
}

fn spans(spans: &[Span]) -> String {
    let one = |span: &Span| {
        if span.first == span.last { span.first.to_string() } else { format!("{}-{}", span.first, span.last) }
    };
    spans.iter().map(one).collect::<Vec<_>>().join(", ")
}
