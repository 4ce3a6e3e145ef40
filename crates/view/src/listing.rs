//! Listings, a page at a time: directories, archives, the tables of a database.

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{
    Block, Coverage, Fault, Hidden, Kind, Mark, Next, Note, Span, TreeRow, TreeSize, Unit, When, push_number, push_size,
};
use readstone_source::{Listing, Tree};

use crate::room::{Ask, Left};
use crate::text::Sheet;

/// The window of rows that a page could show at most.
pub fn window(ask: &Ask<'_>) -> Option<Span> {
    let span = ask.selector.select.span()?;
    let most = ask.limits.range_lines.max(ask.limits.page_lines);
    Some(Span::new(span.first, span.last.min(span.first.saturating_add(most - 1))))
}

/// Shows the rows of a tree that fit.
pub fn listing(tree: Tree, ask: &Ask<'_>) -> Sheet {
    let span = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
    let limits = ask.limits;
    let lines =
        if span.last == u64::MAX { (limits.page_lines, "page_lines") } else { (limits.range_lines, "range_lines") };
    let left = Left::new(lines, (limits.page_bytes, "page_bytes"), ask.room);
    let Filled { rows, mut coverage, mut notes, next } = fill(tree.rows, span.first, left);
    if tree.total == 0 && tree.ignored + tree.denied == 0 {
        notes.push(Note::EmptyDirectory);
    } else if tree.total == 0 {
        // What there is, ignore rules hide; the count of it says so.
    } else if rows.is_empty() {
        notes.push(Note::PastEnd { asked: span.first });
        coverage.next = Some(ask.next(Select::From(tree.total)));
    } else if next <= tree.total {
        coverage.next = Some(ask.next(Select::From(next)));
    }
    if tree.more {
        notes.push(Note::ManyEntries { limit: limits.directory_entries });
    }
    coverage.total.entries = (!tree.more).then_some(tree.total);
    coverage.complete = span.first == 1 && coverage.next.is_none();
    if tree.unopened > 0 {
        notes.push(Note::Unopened { count: tree.unopened, limit: limits.tree_directories });
    }
    coverage.hidden = hidden((tree.ignored, tree.denied, tree.unreadable), ask);
    Sheet { blocks: vec![Block::Tree(rows)], coverage, notes }
}

/// Shows the rows of a container's listing that fit.
pub fn contents(list: &dyn Listing, ask: &Ask<'_>) -> Result<Sheet, Fault> {
    let limits = ask.limits;
    let span = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
    let window = Span::new(span.first, span.last.min(span.first.saturating_add(limits.listing_entries - 1)));
    let rows = list.rows(window, ask.budget)?;
    let left = Left::new((limits.listing_entries, "listing_entries"), (limits.page_bytes, "page_bytes"), ask.room);
    let total = list.total();
    let mut page = fill(rows, span.first, left);
    let behind = total.is_none_or(|total| page.next <= total);
    let hidden = list.hidden();
    if page.rows.is_empty() && !hidden.is_empty() {
        // What there is, the policy hides; the count of it says so.
    } else if page.rows.is_empty() && span.first == 1 {
        page.notes.push(if list.kind() == Kind::Archive { Note::EmptyArchive } else { Note::NoRows });
    } else if page.rows.is_empty() {
        page.notes.push(Note::PastEnd { asked: span.first });
        page.coverage.next = total.filter(|total| *total > 0).map(|total| onward(list, ask, total));
    } else if behind {
        page.coverage.next = Some(onward(list, ask, page.next));
        let full = page.rows.len() as u64 >= limits.listing_entries && span.last > window.last;
        page.coverage.cut_by = page.coverage.cut_by.or(full.then_some("listing_entries"));
    }
    page.coverage.total.entries = total;
    page.coverage.complete = span.first == 1 && page.coverage.next.is_none();
    page.coverage.hidden = hidden;
    Ok(Sheet { blocks: vec![Block::Tree(page.rows)], coverage: page.coverage, notes: page.notes })
}

/// The call that shows the rows from a number on; an entry may really be called like the selector for it.
fn onward(list: &dyn Listing, ask: &Ask<'_>, number: u64) -> Next {
    let next = ask.next(Select::From(number));
    let tail = next.argument.strip_prefix(ask.path).and_then(|tail| tail.strip_prefix(':'));
    match tail.filter(|tail| list.is_name(tail)) {
        Some(tail) => Next::read(format!("{}:.:{tail}", ask.path)),
        None => next,
    }
}

/// The rows of a listing that fit.
struct Filled {
    rows: Vec<TreeRow>,
    coverage: Coverage,
    notes: Vec<Note>,
    /// The number of the row behind them.
    next: u64,
}

fn fill(from: Vec<TreeRow>, first: u64, mut left: Left) -> Filled {
    let mut coverage = Coverage { unit: Unit::Entries, ..Coverage::default() };
    let (mut rows, mut next) = (Vec::with_capacity(from.len()), first);
    let mut likeness = String::new();
    for row in from {
        likeness.clear();
        push_likeness(&mut likeness, &row);
        let beside = (width_beside_name(&row) + row.name.len()).saturating_sub(likeness.len());
        let fits = left.line().and_then(|()| left.fits(beside, &likeness));
        if let (Err(limit), false) = (fits, rows.is_empty()) {
            coverage.cut_by = Some(limit);
            break;
        }
        left.take(beside, &likeness);
        left.take_line();
        Span::extend(&mut coverage.shown, next);
        next += 1;
        rows.push(row);
    }
    Filled { rows, coverage, notes: Vec::new(), next }
}

/// Adds a row about as it will be worded, for what it takes of a number of tokens: digits take more of them than words.
fn push_likeness(text: &mut String, row: &TreeRow) {
    text.push_str(&row.name);
    text.push(' ');
    match &row.size {
        TreeSize::File(bytes) => push_size(text, *bytes),
        TreeSize::Rows(count) | TreeSize::AtLeast(count) => {
            text.push_str("≥ ");
            push_number(text, *count);
            text.push_str(" rows");
        }
        TreeSize::Link(words) | TreeSize::More { address: words, .. } => text.push_str(words),
        TreeSize::Closed(words)
        | TreeSize::Special(words)
        | TreeSize::Unreadable(words)
        | TreeSize::Uncounted(words) => text.push_str(words),
        TreeSize::Directory | TreeSize::View => {}
    }
    text.push_str(match row.when {
        When::Unknown => " ",
        When::Ago(_) => " 300d",
        When::At(_) => " 2000-12-31 23:59",
    });
}

/// What a row takes beside its name: indent, size and age, or where a link or an address leads.
fn width_beside_name(row: &TreeRow) -> usize {
    let further = match &row.size {
        TreeSize::Link(target) => target.len(),
        TreeSize::More { address, .. } => address.len(),
        TreeSize::Directory
        | TreeSize::Closed(_)
        | TreeSize::File(_)
        | TreeSize::Special(_)
        | TreeSize::Unreadable(_)
        | TreeSize::Rows(_)
        | TreeSize::AtLeast(_)
        | TreeSize::Uncounted(_)
        | TreeSize::View => 0,
    };
    let marks: usize = row.marks.iter().map(width_of_mark).sum();
    28 + 2 * row.depth + further + marks
}

fn width_of_mark(mark: &Mark) -> usize {
    match mark {
        Mark::SameName(address) | Mark::UnsafeName(address) | Mark::Unsupported(address) => 24 + address.len(),
        Mark::LongName(address) => 24 + address.as_ref().map_or(0, String::len),
        Mark::Encrypted | Mark::Overlaps | Mark::Damaged => 24,
    }
}

fn hidden(counts: (u64, u64, u64), ask: &Ask<'_>) -> Vec<Hidden> {
    let (ignored, denied, unreadable) = counts;
    let mut hidden = Vec::new();
    if ignored > 0 {
        let all = Selector { select: Select::All, mode: Mode::Everything };
        let address = Some(Next::read(join(ask.path, &all)).argument);
        hidden.push(Hidden { reason: "ignored", count: ignored, address });
    }
    for (reason, count) in [("denied", denied), ("unreadable", unreadable)] {
        if count > 0 {
            hidden.push(Hidden { reason, count, address: None });
        }
    }
    hidden
}
