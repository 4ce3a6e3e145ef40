//! Byte windows, rounded to whole lines.

use readstone_address::{Select, Slice};
use readstone_base::{Block, Coverage, Label, Note, Span, Unit};

use crate::compose::{Composer, Edge, Piece, Role, Took};
use crate::error::Error;
use crate::reader::LineReader;
use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// The effective range of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Its first byte.
    pub(crate) start: u64,
    /// The byte behind its last.
    pub(crate) end: u64,
    /// Whether it begins inside a line.
    pub(crate) starts_inside: bool,
    /// Whether it ends inside a line.
    pub(crate) ends_inside: bool,
}

/// How much is looked at first for a line's beginning or end; most lines are shorter.
const STEP: u64 = 4 * 1024;
/// Fewer bytes than this may not hold a character and its line end.
pub(crate) const SMALLEST: u64 = 16;
/// How far back a character's beginning is looked for.
const LOOK_BACK: u64 = 64 * 1024;

/// Shows a window.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>, start: u64, bytes: Option<u64>) -> Result<Sheet, Error> {
    let limits = ask.limits;
    let asked = bytes.unwrap_or(limits.window_bytes);
    let size = asked.min(limits.window_max_bytes);
    let mut sheet = Sheet::default();
    if asked > size {
        sheet.notes.push(Note::Clamped { limit: "window_max_bytes", value: size });
    }
    sheet.coverage.unit = Unit::Bytes;
    if start >= text.size && text.size > 0 {
        sheet.notes.push(Note::PastEnd { asked: start });
        let last = text.size.saturating_sub(size);
        sheet.coverage.next = Some(ask.next(Select::Window { start: last, bytes }));
        return Ok(sheet);
    }
    let frame = frame(text, ask, start.min(text.size), size)?;
    let notes = sheet.notes;
    let mut sheet = rows(text, ask, frame)?;
    sheet.notes.splice(0..0, notes);
    if let Some(next) = sheet.coverage.next_start_byte {
        // A window that starts inside a line goes back to the line's beginning; what was shown of the line must not
        // be shown again, so a page that ended there goes on with exact bytes.
        let exact = next < frame.end && line_start(text, ask, next, next - frame.start)? != Some(next);
        sheet.coverage.next = Some(ask.next(if exact {
            sheet.coverage.next_start_byte = None;
            Select::Rest { slices: vec![Slice { start: next, count: None }], lines: Vec::new() }
        } else {
            Select::Window { start: next, bytes: bytes.map(|_| size) }
        }));
    }
    Ok(sheet)
}

/// The rows of an effective range.
pub(crate) fn rows(text: &mut Text<'_>, ask: &Ask<'_>, frame: Frame) -> Result<Sheet, Error> {
    // Numbers and escapes may make the rows longer than the bytes they show, but not without bound.
    let most = (ask.limits.window_max_bytes * 2, "window_max_bytes");
    let left = Left::new((u64::MAX, "max_lines"), most, ask.room);
    let mut composer = Composer::new(ask, text.coding.clone(), left, usize::MAX);
    composer.rows.reserve(usize::try_from(frame.end - frame.start).unwrap_or(0));
    let reached = fill(text, ask, frame, &mut composer)?;
    let mut coverage = Coverage { unit: Unit::Bytes, ..Coverage::default() };
    let mut notes = composer.tally.notes();
    let mut end = frame.end;
    if let Some((offset, limit)) = reached {
        coverage.cut_by = Some(limit);
        end = offset;
    }
    if end < text.size {
        coverage.next_start_byte = Some(end);
    } else if composer.tally.open_end {
        notes.push(Note::NoFinalNewline);
    }
    coverage.complete = frame.start <= text.coding.mark() && end == text.size;
    if end > frame.start {
        coverage.shown = vec![Span::new(frame.start, end - 1)];
    }
    Ok(Sheet { blocks: vec![Block::Rows(composer.rows)], coverage, notes })
}

/// Fills the composer with the lines of a frame; tells where and why it stopped early.
pub(crate) fn fill(
    text: &mut Text<'_>,
    ask: &Ask<'_>,
    frame: Frame,
    composer: &mut Composer<'_>,
) -> Result<Option<(u64, &'static str)>, Error> {
    let mut place = text.line_at(ask, frame.start)?;
    let mut reader = LineReader::new(text, ask, frame.start, frame.end);
    loop {
        let at = reader.offset();
        if let Err(limit) = composer.left.line()
            && at < frame.end
        {
            return Ok(Some((at, limit)));
        }
        let first = at == frame.start;
        let Some(line) = reader.next(usize::MAX).map_err(|cause| ask.io(cause))? else {
            return Ok(None);
        };
        let last = line.next == Some(frame.end);
        let before = match (first && frame.starts_inside, place) {
            (true, Some((_, start))) => Edge::Inside(Some(at - start)),
            (true, None) => Edge::Inside(None),
            (false, _) => Edge::Line,
        };
        let after = if last && frame.ends_inside { Edge::Inside(None) } else { Edge::Line };
        let label = place.map_or(Label::Byte(at), |(number, _)| Label::Line(number));
        let taken = composer.take(&line, Piece { label, role: Role::Shown, before, after });
        if let Took::Refused(limit) = taken {
            return Ok(Some((at, limit)));
        }
        if let Some(rest) = composer.rests.pop() {
            return Ok(Some((rest.start, composer.lack.unwrap_or("page_bytes"))));
        }
        place = place.map(|(number, start)| (number + 1, start));
    }
}

/// Rounds a window to whole lines; a line longer than the hard cap is left in slices.
fn frame(text: &mut Text<'_>, ask: &Ask<'_>, start: u64, size: u64) -> Result<Frame, Error> {
    let cap = ask.limits.window_max_bytes;
    let start = start.max(text.coding.mark().min(text.size));
    let from = line_start(text, ask, start, cap)?;
    let begin = match from {
        Some(from) if from == start => start,
        Some(from) if line_end(text, ask, from, from.saturating_add(cap).min(text.size))?.is_some() => from,
        Some(_) | None => character_start(text, ask, from.unwrap_or(aligned(text, start.saturating_sub(cap))), start)?,
    };
    let starts_inside = Some(begin) != from;
    let most = begin.saturating_add(cap).min(text.size);
    let goal = start.saturating_add(size).min(most);
    let whole = |end| Frame { start: begin, end, starts_inside, ends_inside: false };
    if let Some(end) = line_end(text, ask, last_unit(text, goal).max(begin), most)? {
        return Ok(whole(end));
    }
    // The line at the end does not fit: stop before it, unless it is the only one.
    match line_start(text, ask, goal, goal - begin)? {
        Some(end) if end > begin => Ok(whole(end)),
        Some(_) | None => Ok(Frame { ends_inside: true, ..whole(slice_end(text, ask, begin, goal)?) }),
    }
}

/// The beginning of the line that holds `offset`, looked for at most `reach` bytes back.
fn line_start(text: &Text<'_>, ask: &Ask<'_>, offset: u64, reach: u64) -> Result<Option<u64>, Error> {
    let newline = text.newline();
    let width = newline.width() as u64;
    let offset = offset - offset % width;
    let mark = text.coding.mark();
    let least = offset.saturating_sub(reach).max(mark);
    let least = least - least % width;
    let (mut end, mut step) = (offset, STEP);
    loop {
        let from = end.saturating_sub(step).max(least);
        let bytes = piece(text, ask, from, end)?;
        if let Some(at) = newline.rfind(&bytes) {
            return Ok(Some(from + at as u64 + width));
        }
        if from <= least {
            return Ok((from <= mark).then_some(mark));
        }
        (end, step) = (from, step * 4);
    }
}

/// The offset behind the first line feed from `from` on, looked for up to `most`; the end of the text ends a line too.
fn line_end(text: &Text<'_>, ask: &Ask<'_>, from: u64, most: u64) -> Result<Option<u64>, Error> {
    let newline = text.newline();
    let (mut from, mut step) = (from, STEP);
    while from < most {
        let to = from.saturating_add(step).min(most);
        let bytes = piece(text, ask, from, to)?;
        if let Some(at) = newline.find(&bytes) {
            return Ok(Some(from + (at + newline.width()) as u64));
        }
        (from, step) = (to, step * 4);
    }
    Ok((most == text.size).then_some(text.size))
}

/// The offset itself or the one before it at which a unit of the encoding begins.
fn aligned(text: &Text<'_>, offset: u64) -> u64 {
    offset - offset % text.newline().width() as u64
}

/// Where the last character before `offset` may begin, so that a line feed right there is found.
fn last_unit(text: &Text<'_>, offset: u64) -> u64 {
    let width = text.newline().width() as u64;
    let from = offset.saturating_sub(width).max(text.coding.mark());
    from - from % width
}

/// The beginning of the character that holds `offset`; `known` begins one.
pub(crate) fn character_start(text: &Text<'_>, ask: &Ask<'_>, known: u64, offset: u64) -> Result<u64, Error> {
    let width = text.newline().width() as u64;
    let near = offset.saturating_sub(LOOK_BACK).max(known);
    let near = near - (near - known) % width;
    let bytes = piece(text, ask, near, offset.saturating_add(8).min(text.size))?;
    let skipped = if near == known { 0 } else { text.coding.resync(&bytes) };
    let rest = bytes.get(skipped..).unwrap_or_default();
    let most = usize::try_from(offset - near).unwrap_or(0).saturating_sub(skipped);
    Ok(near + (skipped + text.coding.boundary(rest, most)) as u64)
}

/// Where a slice that begins at `start` ends at or before `goal`: behind a whole character, never between carriage
/// return and line feed, and never where it began.
pub(crate) fn slice_end(text: &Text<'_>, ask: &Ask<'_>, start: u64, goal: u64) -> Result<u64, Error> {
    let newline = text.newline();
    let width = newline.width() as u64;
    let mut stop = character_start(text, ask, start, goal)?;
    if stop <= start {
        let bytes = piece(text, ask, start, start.saturating_add(8).min(text.size))?;
        let first = (1..=bytes.len()).map(|most| text.coding.boundary(&bytes, most)).find(|length| *length > 0);
        stop = start + first.unwrap_or(bytes.len()) as u64;
    }
    let around = piece(text, ask, stop.saturating_sub(width), stop.saturating_add(width).min(text.size))?;
    let parted = around.strip_prefix(newline.carriage()).is_some_and(|rest| rest == newline.feed());
    Ok(match parted {
        true if stop - width > start => stop - width,
        true => stop + width,
        false => stop,
    })
}

fn piece(text: &Text<'_>, ask: &Ask<'_>, from: u64, to: u64) -> Result<Vec<u8>, Error> {
    text.blob.read_range(from, to).map_err(|cause| ask.io(cause))
}
