//! Merge conflicts that were shown get addresses of their own.

use readstone_base::{Note, Page, Span, conflict_marker};
use readstone_resource::ConflictRecord;
use readstone_source::{Drawer, Drawers as _};

use crate::call::Call;

/// Keeps the conflicts of a text that a page shows whole, and names their addresses on the page.
pub(crate) fn keep(call: &Call<'_>, path: &str, text: &str, page: &mut Page) {
    let shown = |span: &Span| {
        let held = |part: &Span| part.first <= span.first && span.last <= part.last;
        page.coverage.shown.iter().any(held)
    };
    let mut numbers = Vec::new();
    for (span, region) in regions(text).into_iter().filter(|(span, _)| shown(span)) {
        let record = ConflictRecord::of(path, (span.first, span.last), region);
        numbers.extend(record.and_then(|record| call.session.add(Drawer::Conflicts, &record.to_bytes())));
    }
    for note in &mut page.notes {
        if let Note::Conflicts { addresses, .. } = note {
            *addresses = numbers.iter().map(|number| format!("conflict://{number}")).collect();
        }
    }
}

/// The names of those that are kept.
pub(crate) fn names(call: &Call<'_>) -> Vec<String> {
    call.session.names(Drawer::Conflicts)
}

/// Forgets those of a page that nobody gets to see, but for the ones that had these names before.
pub(crate) fn take_back(call: &Call<'_>, page: &Page, before: &[String]) {
    for note in &page.notes {
        let Note::Conflicts { addresses, .. } = note else { continue };
        let named = addresses.iter().filter_map(|address| address.strip_prefix("conflict://"));
        for name in named.filter(|name| before.iter().all(|other| other != name)) {
            call.session.put(Drawer::Conflicts, name, b"");
        }
    }
}

/// The regions between the markers of a text, with their lines.
pub(crate) fn regions(text: &str) -> Vec<(Span, &str)> {
    let (mut found, mut begun, mut at) = (Vec::new(), None, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = at + line.len();
        match (conflict_marker(line), begun) {
            (Some('<'), _) => begun = Some((number, at)),
            (Some('>'), Some((first, start))) => {
                found.extend(text.get(start..end).map(|region| (Span::new(first, number), region)));
                begun = None;
            }
            _ => {}
        }
        at = end;
    }
    found
}
