//! Lines one after another from an offset on, each held only as far as it will be shown.

use std::io;

use readstone_base::{Blob, Budget};
use readstone_source::Newline;

use crate::room::Ask;
use crate::text::Text;

/// Reads lines of a blob in order.
#[derive(Debug)]
pub(crate) struct LineReader<'a> {
    blob: &'a dyn Blob,
    newline: Newline,
    /// Where reading ends.
    end: u64,
    /// The bytes from `base` on.
    buffer: Vec<u8>,
    base: u64,
    /// Where the next line begins.
    offset: u64,
    /// How far the end of a long line is looked for.
    scan: u64,
    budget: &'a Budget,
}

/// A line, or as much of it as was asked for.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The offset of its first byte.
    pub(crate) start: u64,
    /// Its bytes without the line end; fewer than all when the line is long.
    pub(crate) bytes: &'a [u8],
    /// The same with the line end, when all of them are held.
    pub(crate) whole: Option<&'a [u8]>,
    /// Where the line's text ends, when that is known.
    pub(crate) end: Option<u64>,
    /// Where the next line begins, when that is known.
    pub(crate) next: Option<u64>,
    /// How it ends.
    pub(crate) ending: Ending,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// With the end of the file.
    Open,
    /// With a line feed.
    Feed,
    /// With carriage return and line feed.
    CarriageFeed,
    /// It does not: the piece ends inside the line.
    Inside,
}

/// How much is read at once.
const READ: usize = 32 * 1024;

impl<'a> LineReader<'a> {
    /// Lines from `offset`, which begins a line or a slice of one, up to `end`.
    pub(crate) fn new(text: &'a Text<'_>, ask: &'a Ask<'_>, offset: u64, end: u64) -> Self {
        let (blob, newline) = (&*text.blob, text.newline());
        let scan = ask.limits.line_scan_bytes;
        Self { blob, newline, end, buffer: Vec::new(), base: offset, offset, scan, budget: ask.budget }
    }

    /// Where the next line begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line, of which at least `most` bytes are held when it has them; `None` at the end.
    pub(crate) fn next(&mut self, most: usize) -> io::Result<Option<Line<'_>>> {
        if self.offset >= self.end {
            return Ok(None);
        }
        let feed = self.seek_feed(most)?;
        let start = self.offset;
        let from = self.begun();
        let held = self.buffer.len().saturating_sub(from);
        if held == 0 {
            return Ok(None);
        }
        let (length, end, next, ending) = match feed {
            Feed::At(at) => {
                let line = self.buffer.get(from..from + at).unwrap_or_default();
                let (length, ending) = strip_carriage(line, self.newline);
                let next = start + (at + self.newline.width()) as u64;
                (length, Some(start + length as u64), Some(next), ending)
            }
            Feed::None => (held, Some(start + held as u64), Some(start + held as u64), Ending::Open),
            Feed::Beyond => match self.scan_ahead(start, held)? {
                Some((end, next, ending)) => (held, Some(end), Some(next), ending),
                None => (held, None, None, Ending::Open),
            },
        };
        self.offset = next.unwrap_or(self.end);
        let bytes = self.buffer.get(from..from + length).unwrap_or_default();
        let all = next.and_then(|next| usize::try_from(next - start).ok());
        let whole = all.and_then(|all| self.buffer.get(from..from.checked_add(all)?));
        Ok(Some(Line { start, bytes, whole, end, next, ending }))
    }

    /// Where in the buffer the next line begins.
    fn begun(&self) -> usize {
        usize::try_from(self.offset - self.base).unwrap_or(usize::MAX)
    }

    fn seek_feed(&mut self, most: usize) -> io::Result<Feed> {
        let mut searched = 0;
        loop {
            let from = self.begun();
            let fresh = self.buffer.get(from.saturating_add(searched)..).unwrap_or_default();
            if let Some(at) = self.newline.find(fresh) {
                return Ok(Feed::At(searched + at));
            }
            let held = self.buffer.len().saturating_sub(from);
            searched = held / 4 * 4;
            if self.offset + held as u64 >= self.end {
                return Ok(Feed::None);
            }
            if held >= most {
                return Ok(Feed::Beyond);
            }
            // What was read is let go before more comes, so that the buffer keeps its size.
            self.buffer.drain(..from.min(self.buffer.len()));
            self.base = self.offset;
            if !self.fill()? {
                return Ok(Feed::None);
            }
        }
    }

    /// Reads on; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let held = self.buffer.len();
        let at = self.base + held as u64;
        // The rest of a line and what follows it share the buffer, unless the line is long.
        let room = READ.saturating_sub(held).max(READ / 2);
        let wanted = usize::try_from(self.end - at).unwrap_or(usize::MAX).min(room);
        self.buffer.reserve_exact(wanted);
        self.buffer.resize(held + wanted, 0);
        let result = self.blob.read_at(at, self.buffer.get_mut(held..).unwrap_or_default());
        let count = *result.as_ref().unwrap_or(&0);
        self.buffer.truncate(held + count);
        result.map(|count| count > 0)
    }

    /// Looks for the end of a line of which `held` bytes without a line feed are held.
    fn scan_ahead(&self, start: u64, held: usize) -> io::Result<Option<(u64, u64, Ending)>> {
        let width = self.newline.width() as u64;
        // Whole units are counted from the line's start.
        let aligned = |offset: u64| offset - (offset - start) % width;
        let mut at = aligned(start + held as u64);
        let stop = start.saturating_add(self.scan).min(self.end);
        let mut chunk = vec![0; READ];
        let mut before = self.unit_before(at)?;
        while at < stop && self.budget.check().is_ok() {
            match self.blob.next_data(at)? {
                Some(data) if data < self.end => at = at.max(aligned(data.max(start))),
                Some(_) | None => return Ok(Some((self.end, self.end, Ending::Open))),
            }
            let wanted = usize::try_from(self.end - at).unwrap_or(usize::MAX).min(READ);
            let count = self.blob.read_at(at, chunk.get_mut(..wanted).unwrap_or_default())?;
            let bytes = chunk.get(..count).unwrap_or_default();
            if let Some(found) = self.newline.find(bytes) {
                let feed = at + found as u64;
                let ahead = bytes.get(..found).unwrap_or_default();
                let carriage = self.newline.carriage();
                let returned = if ahead.is_empty() { before == carriage } else { ahead.ends_with(carriage) };
                let (end, ending) = if returned { (feed - width, Ending::CarriageFeed) } else { (feed, Ending::Feed) };
                return Ok(Some((end, feed + width, ending)));
            }
            if count < wanted || count == 0 {
                return Ok(Some((at + count as u64, at + count as u64, Ending::Open)));
            }
            before = bytes.get(count.saturating_sub(self.newline.width())..).unwrap_or_default().to_vec();
            at += count as u64;
        }
        Ok((at >= self.end).then_some((self.end, self.end, Ending::Open)))
    }

    fn unit_before(&self, at: u64) -> io::Result<Vec<u8>> {
        self.blob.read_range(at.saturating_sub(self.newline.width() as u64), at)
    }
}

enum Feed {
    /// A line feed stands here.
    At(usize),
    /// The blob ends without one.
    None,
    /// None stands in what is held, and enough is held.
    Beyond,
}

/// The length of a line without its carriage return, and how the line ends.
fn strip_carriage(bytes: &[u8], newline: Newline) -> (usize, Ending) {
    let aligned = bytes.len().is_multiple_of(newline.width());
    match bytes.strip_suffix(newline.carriage()) {
        Some(text) if aligned => (text.len(), Ending::CarriageFeed),
        Some(_) | None => (bytes.len(), Ending::Feed),
    }
}
