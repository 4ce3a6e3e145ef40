//! Where rows stand, as far as a file was read: later pages begin near their first row.

use crate::delimited::machine::{Machine, State};

/// A place at which reading can be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The offset in the file.
    pub(super) offset: u64,
    /// How many records end before it.
    pub(super) records: u64,
    /// Where the machine stands there.
    pub(super) state: State,
}

impl Mark {
    /// The machine that goes on from here.
    pub(super) fn machine(self, delimiter: u8) -> Machine {
        Machine { delimiter, state: self.state, records: self.records }
    }
}

/// At most this many places are kept; then every second is forgotten.
const MOST: usize = 4_096;

/// Bytes that the places take.
pub(super) const MOST_BYTES: u64 = (MOST * size_of::<Mark>()) as u64;

/// The places that were passed, in their order.
#[derive(Debug, Default)]
pub(super) struct Marks {
    places: Vec<Mark>,
    apart: u64,
    total: Option<u64>,
}

impl Marks {
    /// Notes a place that was passed.
    pub(super) fn note(&mut self, mark: Mark) {
        let due = self.places.last().is_none_or(|last| mark.offset > last.offset + self.apart);
        if !due {
            return;
        }
        if self.places.len() == MOST {
            let mut odd = false;
            self.places.retain(|_| {
                odd = !odd;
                odd
            });
            self.apart =
                self.places.get(1).zip(self.places.first()).map_or(0, |(two, one)| two.offset - one.offset - 1);
        }
        self.places.push(mark);
    }

    /// The last place known before the record with this number, counted from 0, begins.
    pub(super) fn before(&self, record: u64) -> Option<Mark> {
        let behind = self.places.partition_point(|mark| mark.records < record);
        self.places.get(behind.checked_sub(1)?).copied()
    }

    /// The last place.
    pub(super) fn last(&self) -> Option<Mark> {
        self.places.last().copied()
    }

    /// Notes how many records there are.
    pub(super) fn end(&mut self, records: u64) {
        self.total = Some(records);
    }

    /// How many records there are, where that is known.
    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }
}
