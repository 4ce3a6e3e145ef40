//! The last lines, found from the end.

use std::io;

use readstone_address::{Select, Slice};
use readstone_base::{Block, Coverage, Label, Note, Span, Stopped, Unit};

use crate::compose::{Composer, Edge, Piece, Role, Took};
use crate::error::Error;
use crate::lines::follow;
use crate::reader::LineReader;
use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// How much is read first on the way back, and at most at once.
const FIRST_CHUNK: u64 = 16 * 1024;
const MOST_CHUNK: u64 = 256 * 1024;

/// Shows the last `count` lines.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>, count: u64) -> Result<Sheet, Error> {
    let limits = ask.limits;
    let start = start_of_last(text, ask, count)?;
    let lines = count.min(limits.range_lines);
    let bytes = limits.page_bytes.max(lines.saturating_mul(limits.range_line_bytes));
    let left = Left::new((limits.range_lines, "range_lines"), (bytes, "page_bytes"), ask.room);
    let chars = usize::try_from(limits.line_chars).unwrap_or(usize::MAX);
    let mut composer = Composer::new(ask, text.coding.clone(), left, chars);
    let place = text.line_at(ask, start)?;
    let stopped = fill(text, ask, start, place.map(|(number, _)| number), &mut composer)?;
    Ok(finish(text, ask, start, composer, stopped))
}

/// Where a page of last lines stopped: the offset, the line, the limit.
type Halt = (u64, Option<u64>, &'static str);

fn fill(
    text: &Text<'_>,
    ask: &Ask<'_>,
    start: u64,
    first: Option<u64>,
    composer: &mut Composer<'_>,
) -> Result<Option<Halt>, Error> {
    let mut reader = LineReader::new(text, ask, start, text.size);
    let mut number = first;
    loop {
        let at = reader.offset();
        let room = composer.closed.map_or_else(|| composer.left.line(), Err);
        if let Err(limit) = room
            && at < text.size
        {
            return Ok(Some((at, number, limit)));
        }
        let Some(line) = reader.next(composer.held_bytes()).map_err(|cause| ask.io(cause))? else {
            return Ok(None);
        };
        let label = number.map_or(Label::Byte(at), Label::Line);
        let piece = Piece { label, role: Role::Shown, before: Edge::Line, after: Edge::Line };
        if let Took::Refused(limit) = composer.take(&line, piece) {
            return Ok(Some((at, number, limit)));
        }
        number = number.map(|number| number + 1);
    }
}

fn finish(text: &Text<'_>, ask: &Ask<'_>, start: u64, composer: Composer<'_>, halt: Option<Halt>) -> Sheet {
    let numbered = !composer.tally.shown.is_empty();
    let mut coverage = Coverage { unit: if numbered { Unit::Lines } else { Unit::Bytes }, ..Coverage::default() };
    let mut notes = composer.tally.notes();
    let end = halt.map_or(text.size, |(at, ..)| at);
    coverage.shown = if numbered {
        composer.tally.shown
    } else {
        shown_bytes(start, end, &composer.rests, text.newline().width() as u64)
    };
    let cut = (!composer.rests.is_empty()).then(|| composer.lack.unwrap_or("line_chars"));
    coverage.cut_by = halt.map(|(_, _, limit)| limit).or(cut);
    coverage.next = match halt {
        Some((_, Some(number), _)) => follow(composer.rests, vec![Span::new(number, u64::MAX)]),
        Some((at, None, _)) => {
            let mut slices = composer.rests;
            slices.push(Slice { start: at, count: None });
            Some(Select::Rest { slices, lines: Vec::new() })
        }
        None => follow(composer.rests, Vec::new()),
    }
    .map(|select| ask.next(select));
    if halt.is_none() && composer.tally.open_end {
        notes.push(Note::NoFinalNewline);
    }
    coverage.complete = start <= text.coding.mark() && coverage.next.is_none();
    Sheet { blocks: vec![Block::Rows(composer.rows)], coverage, notes }
}

/// The bytes from `start` to `end` without those that were left out of cut lines, and without the line ends behind them.
fn shown_bytes(start: u64, end: u64, rests: &[Slice], feed: u64) -> Vec<Span> {
    let mut shown = Vec::new();
    let mut from = start;
    for rest in rests {
        let behind = rest.count.map_or(end, |count| rest.start + count + feed);
        shown.push((from, rest.start));
        from = behind;
    }
    shown.push((from, end));
    shown.into_iter().filter(|(from, end)| end > from).map(|(from, end)| Span::new(from, end - 1)).collect()
}

/// Where the last `count` lines begin.
pub(crate) fn start_of_last(text: &Text<'_>, ask: &Ask<'_>, count: u64) -> Result<u64, Error> {
    let newline = text.newline();
    let mark = text.coding.mark();
    // The line feed that ends the last line begins no further one.
    let mut wanted = count;
    let mut end = text.size;
    let mut last = true;
    let mut chunk = FIRST_CHUNK;
    while end > mark {
        ask.budget.check().map_err(|why| stopped(ask, why))?;
        let from = (end.saturating_sub(chunk) / 4 * 4).max(mark);
        if let Some(before) = before_hole(text, from, end).map_err(|cause| ask.io(cause))? {
            (end, last) = (before.max(mark), false);
            continue;
        }
        let mut bytes = vec![0; usize::try_from(end - from).unwrap_or(0)];
        let read = text.blob.read_at(from, &mut bytes).map_err(|cause| ask.io(cause))?;
        bytes.truncate(read);
        let aligned = text.size.is_multiple_of(newline.width() as u64);
        if last && aligned && bytes.ends_with(newline.feed()) {
            wanted = wanted.saturating_add(1);
        }
        last = false;
        let feeds = newline.count(&bytes);
        if feeds >= wanted {
            let behind = newline.after_nth(&bytes, feeds - wanted).unwrap_or(0);
            return Ok(from + behind as u64);
        }
        wanted -= feeds;
        end = from;
        chunk = (chunk * 4).min(MOST_CHUNK);
    }
    Ok(mark.min(text.size))
}

/// Where the hole begins that covers everything from `from` to `end`; `None` when there is data between them.
fn before_hole(text: &Text<'_>, from: u64, end: u64) -> io::Result<Option<u64>> {
    let is_hole = |offset: u64| Ok::<_, io::Error>(text.blob.next_data(offset)?.is_none_or(|data| data >= end));
    if !is_hole(from)? {
        return Ok(None);
    }
    let (mut data, mut hole) = (0, from);
    while data < hole {
        let middle = data + (hole - data) / 2;
        if is_hole(middle)? {
            hole = middle;
        } else {
            data = middle + 1;
        }
    }
    // Holes are blocks long; a whole number of characters ends before them.
    Ok(Some(hole / 4 * 4).filter(|hole| *hole < end))
}

fn stopped(ask: &Ask<'_>, why: Stopped) -> Error {
    Error::Stopped { path: ask.path.to_owned(), why, scanned: 0, lines: 0 }
}
