//! Lines one after another from an offset on, each held only as far as it will be shown.

use std::io;

use readstone_base::Blob;
use readstone_source::Newline;

/// Reads lines of a blob in order.
#[derive(Debug)]
pub(crate) struct LineReader<'a> {
    blob: &'a dyn Blob,
    newline: Newline,
    /// Where reading ends.
    end: u64,
    /// The bytes from `start` on.
    buffer: Vec<u8>,
    start: u64,
    /// Where the next line begins.
    offset: u64,
    /// How far the end of a long line is looked for.
    scan: u64,
}

/// A line, or as much of it as was asked for.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The offset of its first byte.
    pub(crate) start: u64,
    /// Its bytes without the line end; fewer than all when the line is long.
    pub(crate) bytes: &'a [u8],
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
}

/// How much is read at once.
const READ: usize = 64 * 1024;

impl<'a> LineReader<'a> {
    /// Lines from `offset`, which begins a line or a slice of one, up to `end`.
    pub(crate) fn new(blob: &'a dyn Blob, newline: Newline, offset: u64, end: u64, scan: u64) -> Self {
        Self { blob, newline, end, buffer: Vec::new(), start: offset, offset, scan }
    }

    /// Where the next line begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line, of which at least `most` bytes are held when it has them; `None` at the end.
    pub(crate) fn next(&mut self, most: usize) -> io::Result<Option<Line<'_>>> {
        let begun = usize::try_from(self.offset - self.start).unwrap_or(0);
        self.buffer.drain(..begun.min(self.buffer.len()));
        self.start = self.offset;
        if self.offset >= self.end {
            return Ok(None);
        }
        let feed = self.seek_feed(most)?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let start = self.start;
        match feed {
            Feed::At(at) => {
                let bytes = self.buffer.get(..at).unwrap_or_default();
                let (bytes, ending) = strip_carriage(bytes, self.newline);
                let next = start + (at + self.newline.width()) as u64;
                self.offset = next;
                Ok(Some(Line { start, bytes, end: Some(start + bytes.len() as u64), next: Some(next), ending }))
            }
            Feed::None => {
                let end = start + self.buffer.len() as u64;
                self.offset = end;
                Ok(Some(Line { start, bytes: &self.buffer, end: Some(end), next: Some(end), ending: Ending::Open }))
            }
            Feed::Beyond => {
                let found = self.scan_ahead()?;
                let (end, next, ending) = match found {
                    Some((end, next, ending)) => (Some(end), Some(next), ending),
                    None => (None, None, Ending::Open),
                };
                self.offset = next.unwrap_or(self.end);
                Ok(Some(Line { start, bytes: &self.buffer, end, next, ending }))
            }
        }
    }

    fn seek_feed(&mut self, most: usize) -> io::Result<Feed> {
        let mut searched = 0;
        loop {
            let fresh = self.buffer.get(searched..).unwrap_or_default();
            if let Some(at) = self.newline.find(fresh) {
                return Ok(Feed::At(searched + at));
            }
            searched = self.buffer.len() / 4 * 4;
            if self.start + self.buffer.len() as u64 >= self.end {
                return Ok(Feed::None);
            }
            if self.buffer.len() >= most {
                return Ok(Feed::Beyond);
            }
            if !self.fill()? {
                return Ok(Feed::None);
            }
        }
    }

    /// Reads on; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let held = self.buffer.len();
        let at = self.start + held as u64;
        let wanted = usize::try_from(self.end - at).unwrap_or(usize::MAX).min(READ);
        self.buffer.resize(held + wanted, 0);
        let result = self.blob.read_at(at, self.buffer.get_mut(held..).unwrap_or_default());
        let count = *result.as_ref().unwrap_or(&0);
        self.buffer.truncate(held + count);
        result.map(|count| count > 0)
    }

    /// Looks for the end of a line that is longer than what is held.
    fn scan_ahead(&self) -> io::Result<Option<(u64, u64, Ending)>> {
        let width = self.newline.width() as u64;
        let mut at = (self.start + self.buffer.len() as u64) / 4 * 4;
        at = at.max(self.start);
        // Whole units are counted from the line's start.
        at -= (at - self.start) % width;
        let stop = self.start.saturating_add(self.scan).min(self.end);
        let mut chunk = vec![0; READ];
        let mut before = self.last_unit(at)?;
        while at < stop {
            match self.blob.next_data(at)? {
                Some(data) if data < self.end => at = at.max(data - (data.saturating_sub(self.start)) % width),
                Some(_) | None => return Ok(Some((self.end, self.end, Ending::Open))),
            }
            let wanted = usize::try_from(self.end - at).unwrap_or(usize::MAX).min(READ);
            let count = self.blob.read_at(at, chunk.get_mut(..wanted).unwrap_or_default())?;
            let bytes = chunk.get(..count).unwrap_or_default();
            if let Some(found) = self.newline.find(bytes) {
                let feed = at + found as u64;
                let ahead = bytes.get(..found).unwrap_or_default();
                let carriage = if ahead.is_empty() {
                    before == self.newline.carriage()
                } else {
                    ahead.ends_with(self.newline.carriage())
                };
                let (end, ending) = if carriage { (feed - width, Ending::CarriageFeed) } else { (feed, Ending::Feed) };
                return Ok(Some((end, feed + width, ending)));
            }
            if count < wanted || count == 0 {
                return Ok(Some((at + count as u64, at + count as u64, Ending::Open)));
            }
            before = bytes.get(count.saturating_sub(self.newline.width())..).unwrap_or_default().to_vec();
            at += count as u64;
        }
        let done = at >= self.end;
        Ok(done.then_some((self.end, self.end, Ending::Open)))
    }

    fn last_unit(&self, at: u64) -> io::Result<Vec<u8>> {
        let mut unit = vec![0; self.newline.width()];
        let from = at.saturating_sub(unit.len() as u64);
        let count = self.blob.read_at(from, &mut unit)?;
        unit.truncate(count);
        Ok(unit)
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

fn strip_carriage(bytes: &[u8], newline: Newline) -> (&[u8], Ending) {
    let aligned = bytes.len().is_multiple_of(newline.width());
    match bytes.strip_suffix(newline.carriage()) {
        Some(text) if aligned => (text, Ending::CarriageFeed),
        Some(_) | None => (bytes, Ending::Feed),
    }
}
