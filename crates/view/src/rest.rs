//! The rest of a page: exact bytes of lines that were cut.

use readstone_address::Slice;
use readstone_base::{Block, Note, Span, Unit};

use crate::compose::Composer;
use crate::error::Error;
use crate::lines::follow;
use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};
use crate::window::{Frame, SMALLEST, fill, slice_end};

/// Shows exact bytes, slice after slice, as far as there is room; the lines behind them come next.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>, slices: &[Slice], spans: &[Span]) -> Result<Sheet, Error> {
    let limits = ask.limits;
    let (mut budget, limit) = ask.room.least_bytes((limits.window_bytes, "window_bytes"));
    let left = Left::new((u64::MAX, "max_lines"), (limits.window_max_bytes * 2, "window_max_bytes"), ask.room);
    let mut composer = Composer::new(ask, text.coding.clone(), left, usize::MAX);
    let mut sheet = Sheet::default();
    sheet.coverage.unit = Unit::Bytes;
    let mut pending = slices.iter().copied();
    let mut unshown = Vec::new();
    for slice in pending.by_ref() {
        let end = slice.count.map_or(text.size, |count| slice.start.saturating_add(count)).min(text.size);
        if slice.start >= end {
            continue;
        }
        // Whoever wrote the address need not know where characters end.
        let end = if end < text.size { slice_end(text, ask, slice.start, end)? } else { end };
        let goal = end.min(slice.start.saturating_add(budget));
        if goal < end && budget < SMALLEST && !composer.rows.is_empty() {
            sheet.coverage.cut_by = Some(limit);
            unshown.push(slice);
            break;
        }
        let stop = if goal < end { slice_end(text, ask, slice.start, goal)?.min(end) } else { end };
        let frame = Frame { start: slice.start, end: stop, starts_inside: true, ends_inside: true };
        composer.tally.open_end = false;
        let reached = fill(text, ask, edges(text, ask, frame)?, &mut composer)?;
        let shown_to = reached.map_or(stop, |(offset, _)| offset);
        if shown_to > slice.start {
            sheet.coverage.shown.push(Span::new(slice.start, shown_to - 1));
        }
        budget = budget.saturating_sub(shown_to - slice.start);
        if shown_to < end {
            sheet.coverage.cut_by = Some(reached.map_or(limit, |(_, limit)| limit));
            unshown.push(Slice { start: shown_to, count: slice.count.map(|_| end - shown_to) });
            break;
        }
    }
    unshown.extend(pending);
    sheet.notes.extend(composer.tally.notes());
    if unshown.is_empty() && sheet.coverage.shown.is_empty() {
        sheet.notes.push(Note::PastEnd { asked: slices.first().map_or(0, |slice| slice.start) });
    }
    let open_end = composer.tally.open_end;
    sheet.blocks.push(Block::Rows(composer.rows));
    if unshown.is_empty() && open_end && sheet.coverage.shown.last().is_some_and(|span| span.last + 1 == text.size) {
        sheet.notes.push(Note::NoFinalNewline);
    }
    sheet.coverage.next = follow(unshown, spans.to_vec()).map(|select| ask.next(select));
    Ok(sheet)
}

/// Says of a slice whether its edges lie inside a line. A slice that ends right before a line end shows its line to
/// the end.
fn edges(text: &Text<'_>, ask: &Ask<'_>, frame: Frame) -> Result<Frame, Error> {
    let newline = text.newline();
    let width = newline.width() as u64;
    let read = |from: u64, to: u64| text.blob.read_range(from, to).map_err(|cause| ask.io(cause));
    let feed_before = |offset: u64| Ok(read(offset.saturating_sub(width), offset)? == newline.feed());
    let starts_inside = frame.start > text.coding.mark() && !feed_before(frame.start)?;
    let ahead = read(frame.end, frame.end.saturating_add(2 * width).min(text.size))?;
    let line_ends = ahead.starts_with(newline.feed())
        || ahead.strip_prefix(newline.carriage()).is_some_and(|rest| rest == newline.feed());
    let ends_inside = frame.end < text.size && !line_ends && !feed_before(frame.end)?;
    Ok(Frame { starts_inside, ends_inside, ..frame })
}
