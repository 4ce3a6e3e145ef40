//! Walking through the records of a file.

use std::sync::Arc;

use readstone_base::{Budget, Fault};
use readstone_source::Piece;

use crate::delimited::error::Error;
use crate::delimited::known::Known;
use crate::delimited::machine::{Count, Go, Machine, Sink, State};
use crate::delimited::marks::Mark;
use crate::stream::Stream;

/// A walk through records, in their order.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    piece: &'a Piece,
    known: &'a Known,
    budget: &'a Budget,
    stream: Stream,
    machine: Machine,
    /// Where the piece at hand begins.
    mark: Mark,
    at: usize,
    /// Whether the text ended within quotes.
    open: bool,
}

impl<'a> Walk<'a> {
    /// A walk that begins with the record of this number; the header has the number 0. The second is how many records
    /// there are where they end before.
    pub(super) fn to(
        record: u64,
        piece: &'a Piece,
        known: &'a Known,
        budget: &'a Budget,
    ) -> Result<(Self, Option<u64>), Fault> {
        let mark = known.marks().before(record).unwrap_or(known.first());
        let mut walk = Self::from(mark, piece, known, budget);
        let left = record - walk.machine.records;
        let ended = left > 0 && !walk.pass(left)?;
        let total = walk.machine.records;
        Ok((walk, ended.then_some(total)))
    }

    /// A walk that goes on from a place.
    pub(super) fn from(mark: Mark, piece: &'a Piece, known: &'a Known, budget: &'a Budget) -> Self {
        let stream = Stream::new(Arc::clone(&piece.blob), Arc::clone(&known.coding), mark.offset);
        Self { piece, known, budget, stream, machine: mark.machine(known.delimiter), mark, at: 0, open: false }
    }

    /// Passes over so many records; false when there are not as many.
    fn pass(&mut self, records: u64) -> Result<bool, Fault> {
        let mut count = Count { left: records };
        while count.left > 0 {
            self.step(&mut count)?;
            if self.stream.piece().is_empty() {
                break;
            }
        }
        Ok(count.left == 0)
    }

    /// Takes the next record; false when there is none.
    pub(super) fn record(&mut self, sink: &mut impl Sink) -> Result<bool, Fault> {
        let before = self.machine.records;
        loop {
            let go = self.step(sink)?;
            if self.machine.records > before {
                return Ok(true);
            }
            if go == Go::On && self.stream.piece().is_empty() {
                return Ok(false);
            }
        }
    }

    /// Counts records over so many bytes, or to the end.
    pub(super) fn count(&mut self, bytes: u64) -> Result<(), Fault> {
        let end = self.stream.next().saturating_add(bytes);
        let mut count = Count { left: u64::MAX };
        while self.stream.next() < end {
            self.step(&mut count)?;
            if self.stream.piece().is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// A place at which the walk could be taken up.
    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether the text ended within quotes.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// How many records ended.
    pub(super) fn records(&self) -> u64 {
        self.machine.records
    }

    /// Feeds the rest of the piece at hand, or else the next; an empty piece is the end.
    fn step(&mut self, sink: &mut impl Sink) -> Result<Go, Fault> {
        if self.stream.piece().len() <= self.at {
            self.budget.check().map_err(|why| Error::stopped(why, &self.piece.path))?;
            let more = self.stream.advance().map_err(|cause| crate::unreadable(&self.piece.path, cause))?;
            self.at = 0;
            if !more {
                self.open |= self.machine.state == State::Quoted;
                self.machine.finish(sink);
                self.known.marks().end(self.machine.records);
                return Ok(Go::On);
            }
            if let Some(size) = self.piece.blob.len() {
                self.budget.progress().report(self.stream.start(), size);
            }
            let Machine { state, records, .. } = self.machine;
            self.mark = Mark { offset: self.stream.start(), records, state };
            self.known.marks().note(self.mark);
        }
        let rest = self.stream.piece().get(self.at..).unwrap_or_default();
        let (used, go) = self.machine.feed(rest, sink);
        self.at += used;
        Ok(go)
    }
}
