//! Unresolved merge conflicts.

use readstone_address::{Mode, Select, Selector};
use readstone_base::{Note, Span};

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

/// Shows the regions between conflict markers, and nothing else.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let regions = regions(text, ask)?;
    let count = regions.len() as u64;
    if count == 0 {
        let mut sheet = Sheet::default();
        sheet.notes.push(Note::NoConflicts);
        sheet.coverage.complete = true;
        return Ok(sheet);
    }
    let from = match &ask.selector.select {
        Select::From(line) => *line,
        Select::Range(span) => span.first,
        Select::All
        | Select::Many(_)
        | Select::Last(_)
        | Select::Around { .. }
        | Select::Window { .. }
        | Select::Rest { .. } => 1,
    };
    let ahead: Vec<Span> = regions
        .iter()
        .filter(|span| span.last >= from)
        .map(|span| Span::new(span.first.max(from), span.last))
        .collect();
    let most = usize::try_from(ask.limits.conflicts).unwrap_or(usize::MAX);
    let page: Vec<Span> = ahead.iter().take(most).copied().collect();
    let selector = Selector { select: Select::Many(page), mode: Mode::Plain };
    let mut sheet = lines::show(text, &Ask { selector: &selector, ..*ask })?;
    let last = sheet.coverage.shown.last().map_or(from, |span| span.last);
    let further = ahead.iter().find(|span| span.last > last).map(|span| span.first.max(last + 1));
    sheet.coverage.next = further.map(|line| ask.next(Select::From(line)));
    sheet.notes.insert(0, Note::Conflicts { count });
    Ok(sheet)
}

fn regions(text: &Text<'_>, ask: &Ask<'_>) -> Result<Vec<Span>, Error> {
    let mut reader =
        LineReader::new(&*text.blob, text.newline(), text.coding.mark().min(text.size), text.size, u64::MAX);
    let (mut number, mut side, mut found) = (0_u64, Side::Outside, Vec::new());
    while let Some(line) = reader.next(64).map_err(|cause| ask.io(cause))? {
        number += 1;
        if number.is_multiple_of(STRIDE)
            && let Err(why) = ask.budget.check()
        {
            return Err(Error::Stopped { path: ask.path.to_owned(), why, scanned: line.start, lines: number });
        }
        if !line.bytes.iter().take(4).any(|byte| b"<=>".contains(byte)) {
            continue;
        }
        let head = text.coding.decode(line.bytes).text;
        side = match (marker(&head), side) {
            (Some('<'), _) => Side::Ours(number),
            (Some('='), Side::Ours(start)) => Side::Theirs(start),
            (Some('>'), Side::Theirs(start)) => {
                found.push(Span::new(start, number));
                Side::Outside
            }
            (_, side) => side,
        };
    }
    Ok(found)
}

/// The sign of a conflict marker: seven of them, then nothing or a blank.
fn marker(line: &str) -> Option<char> {
    let sign = line.chars().next().filter(|sign| "<=>".contains(*sign))?;
    let rest = line.trim_start_matches(sign);
    let alone = rest.is_empty() || rest.starts_with(' ');
    (alone && line.len() - rest.len() == 7).then_some(sign)
}
