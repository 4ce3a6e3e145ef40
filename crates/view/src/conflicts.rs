//! Unresolved merge conflicts.

use readstone_address::{Mode, Select, Selector};
use readstone_base::{Block, Note, Span, conflict_marker};

use crate::error::Error;
use crate::lines;
use crate::reader::LineReader;
use crate::room::Ask;
use crate::text::{Sheet, Text};

/// How far into a conflict the reading is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Outside,
    Ours(u64),
    Theirs(u64),
}

/// Lines between two looks at the budget.
const STRIDE: u64 = 4_096;

/// The conflicts of a text: how many there are, and the first of those that are asked for.
struct Conflicts {
    count: u64,
    wanted: Vec<Span>,
}

/// Shows the regions between conflict markers, and nothing else.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let wanted = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
    let conflicts = find(text, ask, wanted)?;
    let mut sheet = Sheet::default();
    let most = usize::try_from(ask.limits.conflicts).unwrap_or(usize::MAX);
    let page: Vec<Span> = conflicts.wanted.iter().take(most).copied().collect();
    if !page.is_empty() {
        let selector = Selector { select: Select::Many(page), mode: Mode::Plain };
        sheet = lines::show(text, &Ask { selector: &selector, ..*ask })?;
        let last = sheet.coverage.shown.last().map_or(wanted.first, |span| span.last);
        let further = conflicts.wanted.iter().find(|span| span.last > last).map(|span| span.first.max(last + 1));
        let cut = sheet
            .blocks
            .iter()
            .any(|block| matches!(block, Block::Rows(rows) if rows.iter().any(|row| row.cut.is_some())));
        // Where a line was cut, the page goes on with the rest of it, and then with lines.
        if !cut {
            sheet.coverage.next = further.map(|line| ask.next(Select::From(line)));
            sheet.coverage.cut_by = sheet.coverage.cut_by.or(further.map(|_| "conflicts"));
        }
    } else if conflicts.count > 0 {
        sheet.coverage.next = Some(ask.next(Select::All));
    }
    let note = if conflicts.count == 0 {
        Note::NoConflicts
    } else {
        Note::Conflicts { count: conflicts.count, addresses: Vec::new() }
    };
    sheet.notes.insert(0, note);
    Ok(sheet)
}

fn find(text: &Text<'_>, ask: &Ask<'_>, wanted: Span) -> Result<Conflicts, Error> {
    let mut reader = LineReader::new(text, ask, text.coding.mark().min(text.size), text.size);
    let (mut number, mut side) = (0_u64, Side::Outside);
    let mut conflicts = Conflicts { count: 0, wanted: Vec::new() };
    while let Some(line) = reader.next(64).map_err(|cause| ask.io(cause))? {
        number += 1;
        if (number.is_multiple_of(STRIDE) || line.next.is_none())
            && let Err(why) = ask.budget.check_heavy()
        {
            return Err(Error::Stopped { path: ask.path.to_owned(), why, scanned: line.start, lines: number });
        }
        if !line.bytes.iter().take(4).any(|byte| b"<=>".contains(byte)) {
            continue;
        }
        let head = text.coding.decode(line.bytes).text;
        side = match (conflict_marker(&head), side) {
            (Some('<'), _) => Side::Ours(number),
            (Some('='), Side::Ours(start)) => Side::Theirs(start),
            (Some('>'), Side::Theirs(start)) => {
                conflicts.add(Span::new(start, number), wanted, ask.limits.conflicts);
                Side::Outside
            }
            (_, side) => side,
        };
    }
    Ok(conflicts)
}

impl Conflicts {
    /// Counts a conflict, and keeps the part of it that is asked for while a page has room for one more.
    fn add(&mut self, region: Span, wanted: Span, most: u64) {
        self.count += 1;
        let (first, last) = (region.first.max(wanted.first), region.last.min(wanted.last));
        if first <= last && self.wanted.len() as u64 <= most {
            self.wanted.push(Span::new(first, last));
        }
    }
}
