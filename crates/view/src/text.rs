//! Text as a whole: which view a selection gets.

use std::sync::Arc;

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Blob, Block, Coverage, Next, Note, Stopped};
use readstone_source::{Coding, Found, LineIndex, Newline};

use crate::error::Error;
use crate::room::Ask;
use crate::{conflicts, lines, raw, rest, tail, window};

/// A text to be shown.
#[derive(Debug)]
pub struct Text<'a> {
    /// The bytes.
    pub blob: Arc<dyn Blob>,
    /// How they stand for characters.
    pub coding: Arc<dyn Coding>,
    /// How many there are.
    pub size: u64,
    /// Where its lines are.
    pub index: &'a mut LineIndex,
}

/// What a view shows: a page without its header.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What is shown.
    pub blocks: Vec<Block>,
    /// How much of the whole that is.
    pub coverage: Coverage,
    /// What must be said beside it.
    pub notes: Vec<Note>,
}

/// Shows the selected part of a text.
pub fn show(text: &mut Text<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let mut sheet = match (ask.selector.mode, &ask.selector.select) {
        (Mode::Conflicts, _) => conflicts::show(text, ask),
        (Mode::Raw, _) => raw::show(text, ask),
        (Mode::Plain | Mode::Hex | Mode::Everything | Mode::Source | Mode::Outline, select) => match select {
            Select::Last(count) => tail::show(text, ask, *count),
            Select::Window { start, bytes } => window::show(text, ask, *start, *bytes),
            Select::Rest { slices, lines } => rest::show(text, ask, slices, lines),
            Select::All
            | Select::From(_)
            | Select::Range(_)
            | Select::Many(_)
            | Select::Around { .. }
            | Select::Symbol(_)
            | Select::Block { .. } => lines::show(text, ask),
        },
    }?;
    finish(text, &mut sheet);
    Ok(sheet)
}

/// Says what holds for the whole text, whichever part of it is shown.
pub(crate) fn finish(text: &Text<'_>, sheet: &mut Sheet) {
    let total = &mut sheet.coverage.total;
    total.bytes = Some(text.size);
    total.lines = total.lines.or_else(|| text.total());
    if text.is_blank() {
        sheet.notes.insert(0, Note::Empty);
    }
    if text.coding.name() != "utf-8" {
        sheet.notes.push(Note::Encoding(text.coding.name()));
    } else if text.coding.mark() > 0 {
        sheet.notes.push(Note::ByteOrderMark);
    }
}

impl Text<'_> {
    /// How a line feed is written.
    pub(crate) fn newline(&self) -> Newline {
        self.coding.newline()
    }

    /// The number of lines, where it is known; a lone byte order mark is no line.
    pub(crate) fn total(&self) -> Option<u64> {
        if self.is_blank() { Some(0) } else { self.index.total() }
    }

    /// Whether there is no text at all.
    pub(crate) fn is_blank(&self) -> bool {
        self.size <= self.coding.mark()
    }

    /// Counts the lines; `None` when the time of the call does not suffice.
    pub fn count(&mut self, ask: &Ask<'_>) -> Result<Option<u64>, Error> {
        if self.is_blank() {
            return Ok(Some(0));
        }
        let counted = self.index.count_all(&*self.blob, ask.budget).map_err(|cause| ask.io(cause))?;
        Ok(counted.ok())
    }

    /// Where a line starts.
    pub(crate) fn find(&mut self, ask: &Ask<'_>, line: u64) -> Result<Found, Error> {
        if self.is_blank() {
            return Ok(Found::Only(0));
        }
        let found = self.index.find(&*self.blob, line, ask.budget);
        match found.map_err(|cause| ask.io(cause))? {
            Ok(Found::At(offset)) => Ok(Found::At(offset.max(self.coding.mark()))),
            Ok(only) => Ok(only),
            Err(why) => Err(self.stopped(ask, why)),
        }
    }

    /// The number of the line that holds `offset`, and where it starts, where that is cheap to tell.
    pub(crate) fn line_at(&mut self, ask: &Ask<'_>, offset: u64) -> Result<Option<(u64, u64)>, Error> {
        let found = self.index.line_at(&*self.blob, offset, ask.limits.number_bytes, ask.budget);
        let mark = self.coding.mark();
        Ok(found.map_err(|cause| ask.io(cause))?.map(|(line, start)| (line, start.max(mark))))
    }

    fn stopped(&self, ask: &Ask<'_>, why: Stopped) -> Error {
        let (scanned, lines) = self.index.reach();
        Error::Stopped { path: ask.path.to_owned(), why, scanned, lines }
    }
}

impl Ask<'_> {
    /// A call that shows another part of the same target in the same way.
    pub(crate) fn next(&self, select: Select) -> Next {
        Next::read(join(self.path, &Selector { select, mode: self.selector.mode }))
    }

    /// An error of the system on this target.
    pub(crate) fn io(&self, cause: std::io::Error) -> Error {
        if cause.kind() == std::io::ErrorKind::TimedOut {
            return Error::Stopped { path: self.path.to_owned(), why: Stopped::Deadline, scanned: 0, lines: 0 };
        }
        Error::Io { path: self.path.to_owned(), cause }
    }
}
