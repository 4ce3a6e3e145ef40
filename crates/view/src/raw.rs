//! Verbatim text: the bytes as they are, a page at a time.

#[cfg(test)]
mod tests;

use readstone_address::{Select, Slice};
use readstone_base::{Block, Coverage, Note, Raw, Span, Unit};
use readstone_source::Found;

use crate::compose::{first_character, longest};
use crate::error::Error;
use crate::lines::{follow, past_end};
use crate::reader::LineReader;
use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};
use crate::window::{SMALLEST, slice_end};
use crate::{lines, tail, window};

/// What a verbatim page gathers.
struct Gather {
    bytes: Vec<u8>,
    left: Left,
    shown: Vec<Span>,
    unit: Unit,
    cut_by: Option<&'static str>,
    slices: Vec<Slice>,
    ahead: Vec<Span>,
    total: Option<u64>,
}

/// Bytes of lines that are added at once.
const RUN: u64 = 256 * 1024;

/// A line to be added.
struct Place<'a> {
    number: u64,
    /// Where it begins.
    at: u64,
    /// Where the next begins, when that is known.
    next: Option<u64>,
    /// All of its bytes, when they are held.
    whole: Option<&'a [u8]>,
    /// The last line that is wanted.
    last: u64,
}

/// How a run of lines ended.
enum Run {
    /// All of them are there.
    Done,
    /// The page is full.
    Full,
    /// The text ends.
    End,
}

/// Shows the selected part verbatim.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let limits = ask.limits;
    match &ask.selector.select {
        // What is named by its meaning was found before.
        Select::All | Select::Symbol(_) | Select::Block { .. } => by_lines(text, ask, &[Span::new(1, u64::MAX)]),
        Select::From(line) => by_lines(text, ask, &[Span::new(*line, u64::MAX)]),
        Select::Range(span) => by_lines(text, ask, &[*span]),
        Select::Many(spans) => by_lines(text, ask, spans),
        Select::Around { line, .. } => {
            let reach = limits.around_lines;
            by_lines(text, ask, &[Span::new(line.saturating_sub(reach).max(1), line.saturating_add(reach))])
        }
        Select::Last(count) => {
            let start = tail::start_of_last(text, ask, *count)?;
            let lines = (*count).min(limits.range_lines);
            by_slices(
                text,
                ask,
                &[Slice { start, count: None }],
                &[],
                limits.page_bytes.max(lines * limits.range_line_bytes),
            )
        }
        Select::Rest { slices, lines } => by_slices(text, ask, slices, lines, limits.window_bytes),
        Select::Window { start, bytes } => by_window(text, ask, *start, *bytes),
    }
}

fn by_lines(text: &mut Text<'_>, ask: &Ask<'_>, spans: &[Span]) -> Result<Sheet, Error> {
    let mut gather = Gather::new(lines::room(ask, spans), Unit::Lines);
    let first = spans.first().map_or(1, |span| span.first);
    if text.is_blank() && first == 1 {
        // A lone byte order mark is no line, but it is there.
        gather.bytes_between(text, ask, 0, text.size)?;
        return Ok(gather.finish(text, ask));
    }
    if let Found::Only(total) = text.find(ask, first)? {
        let nothing = Raw { text: String::new(), bytes: None };
        return Ok(Sheet { blocks: vec![Block::Raw(nothing)], ..past_end(ask, first, total) });
    }
    for (number, span) in spans.iter().enumerate() {
        match gather.span(text, ask, *span)? {
            Run::Done => {}
            Run::End => break,
            Run::Full => {
                gather.ahead.extend(spans.iter().skip(number + 1));
                break;
            }
        }
    }
    Ok(gather.finish(text, ask))
}

fn by_slices(text: &mut Text<'_>, ask: &Ask<'_>, slices: &[Slice], spans: &[Span], room: u64) -> Result<Sheet, Error> {
    let mut gather = Gather::new(Left::new((u64::MAX, "max_lines"), (room, "window_bytes"), ask.room), Unit::Bytes);
    let (mut room, full) = ask.room.least_bytes((room, "window_bytes"));
    for slice in slices {
        let end = slice.count.map_or(text.size, |count| slice.start.saturating_add(count)).min(text.size);
        if slice.start >= end {
            continue;
        }
        let goal = end.min(slice.start.saturating_add(room));
        if goal < end && room < SMALLEST && !gather.bytes.is_empty() {
            gather.cut_by = Some(full);
            gather.slices.push(*slice);
            room = 0;
            continue;
        }
        let stop = if goal < end { slice_end(text, ask, slice.start, goal)?.min(end) } else { end };
        let (stop, limit) = gather.fitting(text, ask, slice.start, stop)?;
        if stop > slice.start {
            gather.bytes_between(text, ask, slice.start, stop)?;
        }
        room = if stop < end { 0 } else { room.saturating_sub(stop - slice.start) };
        if stop < end {
            gather.cut_by = Some(limit.unwrap_or(full));
            gather.slices.push(Slice { start: stop, count: slice.count.map(|_| end - stop) });
        }
    }
    gather.ahead = spans.to_vec();
    let nothing = gather.shown.is_empty() && gather.slices.is_empty();
    let mut sheet = gather.finish(text, ask);
    if let Some(first) = slices.first().filter(|_| nothing && text.size > 0) {
        sheet.coverage.complete = false;
        sheet.notes.push(Note::PastEnd { asked: first.start });
    }
    Ok(sheet)
}

fn by_window(text: &mut Text<'_>, ask: &Ask<'_>, start: u64, bytes: Option<u64>) -> Result<Sheet, Error> {
    // The numbered window decides what is shown; the bytes are those of its range.
    let numbered = window::show(text, ask, start, bytes)?;
    let mut gather = Gather::new(Left::new((u64::MAX, "max_lines"), (u64::MAX, "window_bytes"), ask.room), Unit::Bytes);
    if text.is_blank() && start == 0 {
        gather.bytes_between(text, ask, 0, text.size)?;
    } else if let Some(span) = numbered.coverage.shown.first() {
        let from = if span.first <= text.coding.mark() { 0 } else { span.first };
        gather.bytes_between(text, ask, from, span.last + 1)?;
    }
    let (raw, _) = gather.raw(text);
    let notes =
        numbered.notes.into_iter().filter(|note| matches!(note, Note::Clamped { .. } | Note::PastEnd { .. })).collect();
    Ok(Sheet { blocks: vec![Block::Raw(raw)], notes, ..numbered })
}

impl Gather {
    fn new(left: Left, unit: Unit) -> Self {
        let (shown, slices, ahead) = (Vec::new(), Vec::new(), Vec::new());
        Self { bytes: Vec::new(), left, shown, unit, cut_by: None, slices, ahead, total: None }
    }

    /// Adds the lines of a span.
    fn span(&mut self, text: &mut Text<'_>, ask: &Ask<'_>, span: Span) -> Result<Run, Error> {
        self.ahead.clear();
        let Found::At(offset) = text.find(ask, span.first)? else {
            self.total = text.total();
            return Ok(Run::End);
        };
        let start = if span.first == 1 { 0 } else { offset };
        let (start, mut number) = self.run_of_lines(text, ask, start, span)?;
        let mut reader = LineReader::new(text, ask, start, text.size);
        while number <= span.last {
            if reader.offset() >= text.size {
                self.total = Some(number - 1);
                return Ok(Run::End);
            }
            let at = reader.offset();
            if let Err(limit) = self.left.line() {
                self.cut_by = Some(limit);
                self.ahead = vec![Span::new(number, span.last)];
                return Ok(Run::Full);
            }
            let line = reader
                .next(usize::try_from(ask.limits.page_bytes).unwrap_or(usize::MAX))
                .map_err(|cause| ask.io(cause))?;
            let (next, whole) = line.map_or((None, None), |line| (line.next, line.whole));
            if let Some(limit) = self.line(text, ask, &Place { number, at, next, whole, last: span.last })? {
                self.cut_by = Some(limit);
                return Ok(Run::Full);
            }
            number += 1;
        }
        if reader.offset() < text.size {
            self.ahead = vec![Span::new(number, u64::MAX)];
            return Ok(Run::Done);
        }
        self.total = Some(number - 1);
        Ok(Run::End)
    }

    /// Adds lines of UTF-8 as long as all of many have room, which takes far less time than line by line. Gives where the
    /// next line begins and its number.
    fn run_of_lines(&mut self, text: &Text<'_>, ask: &Ask<'_>, start: u64, span: Span) -> Result<(u64, u64), Error> {
        let (mut at, mut number) = (start, span.first);
        // In another encoding, bytes can mean one thing at the beginning of a line and another further on.
        if text.coding.name() != "utf-8" {
            return Ok((at, number));
        }
        while at < text.size && number <= span.last {
            let held = self.bytes.len();
            let room = text.size.min(at.saturating_add(self.left.byte_room().0).min(at + RUN));
            self.append(text, ask, at, room)?;
            let fresh = self.bytes.get(held..).unwrap_or_default();
            let wanted = (span.last - number).saturating_add(1).min(self.left.lines_left().0);
            let newline = text.newline();
            let end = if newline.count(fresh) > wanted {
                wanted.checked_sub(1).and_then(|before| newline.after_nth(fresh, before))
            } else {
                newline.rfind(fresh).map(|last| last + newline.width())
            };
            let end = end.unwrap_or(0);
            let run = std::str::from_utf8(fresh.get(..end).unwrap_or_default()).unwrap_or_default();
            let lines = newline.count(run.as_bytes());
            if lines == 0 || !self.left.take_run(lines, run) {
                self.bytes.truncate(held);
                break;
            }
            self.bytes.truncate(held + end);
            Span::extend_by(&mut self.shown, Span::new(number, number + lines - 1));
            (at, number) = (at + end as u64, number + lines);
        }
        Ok((at, number))
    }

    /// Adds one line, or the part of it that fits on an empty page; gives the limit that stopped it.
    fn line(&mut self, text: &Text<'_>, ask: &Ask<'_>, place: &Place<'_>) -> Result<Option<&'static str>, Error> {
        let Place { number, at, next, whole, last } = *place;
        let (most, mut limit) = self.left.byte_room();
        if let Some(next) = next.filter(|next| next - at <= most) {
            let Err(lack) = self.whole_line(text, ask, (at, next), whole)? else {
                self.left.take_line();
                Span::extend(&mut self.shown, number);
                return Ok(None);
            };
            limit = lack;
        }
        let behind = number.checked_add(1).filter(|behind| *behind <= last);
        if !self.bytes.is_empty() {
            self.ahead = vec![Span::new(number, last)];
            return Ok(Some(limit));
        }
        let goal = at.saturating_add(most.saturating_sub(1).max(1)).min(text.size);
        let goal = slice_end(text, ask, at, goal)?;
        let (stop, lack) = self.fitting(text, ask, at, goal)?;
        let limit = lack.unwrap_or(limit);
        self.bytes_between(text, ask, at, stop)?;
        Span::extend(&mut self.shown, number);
        self.slices = vec![Slice { start: stop, count: next.map(|next| next.saturating_sub(stop)) }];
        self.slices.retain(|slice| slice.count != Some(0));
        let ends = next.is_some_and(|next| next >= text.size);
        self.ahead = behind.filter(|_| !ends).map(|behind| Span::new(behind, last)).into_iter().collect();
        Ok(Some(limit))
    }

    /// Where a slice must end so that the lines and tokens of the call are kept, and which of them ends it.
    fn fitting(
        &mut self,
        text: &Text<'_>,
        ask: &Ask<'_>,
        from: u64,
        to: u64,
    ) -> Result<(u64, Option<&'static str>), Error> {
        if self.left.is_open() {
            return Ok((to, None));
        }
        let bytes = text.blob.read_range(from, to).map_err(|cause| ask.io(cause))?;
        let (mut limit, mut kept) = (None, bytes.len());
        let (lines, full) = self.left.lines_left();
        if let Some(end) = text.newline().after_nth(&bytes, lines.saturating_sub(1)).filter(|end| *end < kept) {
            (limit, kept) = (Some(full), end);
        }
        let head = bytes.get(..kept).unwrap_or_default();
        if let Err(lack) = self.left.fits(0, &text.coding.decode(head).text) {
            let short = longest(&*text.coding, head, |text| self.left.fits(0, text).is_ok());
            let least = if self.bytes.is_empty() { first_character(&*text.coding, head) } else { 0 };
            (limit, kept) = (Some(lack), short.max(least));
        }
        for _ in 0..text.newline().count(bytes.get(..kept).unwrap_or_default()) {
            self.left.take_line();
        }
        Ok((from + kept as u64, limit))
    }

    /// Adds a line if there is room for all of it; names the limit that it breaks otherwise.
    fn whole_line(
        &mut self,
        text: &Text<'_>,
        ask: &Ask<'_>,
        (from, to): (u64, u64),
        bytes: Option<&[u8]>,
    ) -> Result<Result<(), &'static str>, Error> {
        let held = self.bytes.len();
        match bytes {
            Some(bytes) => self.bytes.extend_from_slice(bytes),
            None => _ = self.append(text, ask, from, to)?,
        }
        let added = text.coding.decode(self.bytes.get(held..).unwrap_or_default());
        let fits = self.left.fits(0, &added.text);
        match fits {
            Ok(()) => self.left.take(0, &added.text),
            Err(_) => self.bytes.truncate(held),
        }
        Ok(fits)
    }

    /// Adds bytes.
    fn bytes_between(&mut self, text: &Text<'_>, ask: &Ask<'_>, from: u64, to: u64) -> Result<(), Error> {
        let held = self.bytes.len();
        let count = self.append(text, ask, from, to)?;
        let added = text.coding.decode(self.bytes.get(held..).unwrap_or_default());
        self.left.take(0, &added.text);
        if self.unit == Unit::Bytes && count > 0 {
            self.shown.push(Span::new(from, from + count - 1));
        }
        Ok(())
    }

    /// Reads bytes behind those there are; gives how many there were.
    fn append(&mut self, text: &Text<'_>, ask: &Ask<'_>, from: u64, to: u64) -> Result<u64, Error> {
        if let Some(bytes) = text.blob.in_memory() {
            let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
            let wanted = bytes.get(at(from)..at(to)).unwrap_or_default();
            self.bytes.extend_from_slice(wanted);
            return Ok(wanted.len() as u64);
        }
        let held = self.bytes.len();
        self.bytes.resize(held + usize::try_from(to - from).unwrap_or(0), 0);
        let count =
            text.blob.read_at(from, self.bytes.get_mut(held..).unwrap_or_default()).map_err(|cause| ask.io(cause))?;
        self.bytes.truncate(held + count);
        Ok(count as u64)
    }

    /// What was gathered, and how many bytes of it stand for no character.
    fn raw(&mut self, text: &Text<'_>) -> (Raw, u64) {
        let bytes = match String::from_utf8(std::mem::take(&mut self.bytes)) {
            // Valid text is moved, not copied.
            Ok(whole) if text.coding.name() == "utf-8" => return (Raw { text: whole, bytes: None }, 0),
            Ok(other) => other.into_bytes(),
            Err(broken) => broken.into_bytes(),
        };
        let decoded = text.coding.decode(&bytes);
        let replaced = decoded.replaced.len() as u64;
        let decoded = decoded.text.into_owned();
        let same = decoded.as_bytes() == bytes;
        (Raw { text: decoded, bytes: (!same).then_some(bytes) }, replaced)
    }

    fn finish(mut self, text: &Text<'_>, ask: &Ask<'_>) -> Sheet {
        let (raw, replaced) = self.raw(text);
        let mut coverage = Coverage { unit: self.unit, cut_by: self.cut_by, ..Coverage::default() };
        coverage.next = follow(self.slices, self.ahead).map(|select| ask.next(select));
        coverage.total.lines = self.total;
        let whole = match (self.unit, self.shown.as_slice()) {
            (_, []) => true,
            (Unit::Bytes, [only]) => *only == Span::new(0, text.size.saturating_sub(1)),
            (Unit::Lines | Unit::Entries, [only]) => only.first == 1,
            (_, _) => false,
        };
        coverage.complete = coverage.next.is_none() && whole;
        coverage.shown = self.shown;
        let mut notes = Vec::new();
        if replaced > 0 {
            notes.push(Note::Replaced { count: replaced, offsets: Vec::new() });
        }
        Sheet { blocks: vec![Block::Raw(raw)], coverage, notes }
    }
}
