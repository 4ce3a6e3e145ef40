//! One field whole: in memory, or read in pieces out of the file where it is too large for that.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault};
use readstone_source::Piece;

use crate::delimited::error::Error;
use crate::delimited::known::Known;
use crate::delimited::machine::{Go, Machine, Sink};
use crate::delimited::marks::Mark;
use crate::stream::Stream;

/// Takes one field of a record whole, as far as it fits.
#[derive(Debug)]
pub(super) struct Field {
    /// Its place among the fields.
    index: usize,
    most: usize,
    passed: usize,
    /// Its beginning.
    pub(super) bytes: Vec<u8>,
    /// How many bytes it has.
    pub(super) length: u64,
}

impl Field {
    /// Takes the field at this place, up to so many bytes of it.
    pub(super) fn new(index: usize, most: u64) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Self { index, most, passed: 0, bytes: Vec::new(), length: 0 }
    }

    /// Whether the record has such a field.
    pub(super) fn is_there(&self) -> bool {
        self.passed > self.index
    }
}

impl Sink for Field {
    fn text(&mut self, part: &[u8]) -> Go {
        if self.passed == self.index {
            let room = self.most.saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(part.get(..room).unwrap_or(part));
            self.length += part.len() as u64;
        }
        Go::On
    }

    fn field(&mut self) -> Go {
        self.passed += 1;
        Go::On
    }

    fn record(&mut self) -> Go {
        Go::Stop
    }
}

/// A place before or in a field, at the beginning of a piece of text.
#[derive(Clone, Copy, Debug)]
struct Place {
    mark: Mark,
    /// Records that end between here and the field.
    skip: u64,
    /// Fields of its record that end before.
    passed: usize,
    /// Bytes of the field before.
    before: u64,
}

/// A field that is read in pieces.
#[derive(Debug)]
pub(super) struct Far {
    blob: Arc<dyn Blob>,
    known: Arc<Known>,
    index: usize,
    length: u64,
    places: Vec<Place>,
}

impl Far {
    /// The field at the place `index` of the record that begins `skip` records behind a mark.
    pub(super) fn find(
        piece: &Piece,
        known: &Arc<Known>,
        (mark, skip): (Mark, u64),
        index: usize,
        budget: &Budget,
    ) -> Result<Self, Fault> {
        let (blob, known) = (Arc::clone(&piece.blob), Arc::clone(known));
        let mut far = Self { blob, known, index, length: 0, places: Vec::new() };
        let start = Place { mark, skip, passed: 0, before: 0 };
        let mut places = vec![start];
        let mut seek = Seek::new(start, (index, u64::MAX), &mut []);
        let mut stopped = Ok(());
        let read = far.run(start, &mut seek, |mark, seek| {
            if seek.skip == 0 && seek.length > 0 {
                places.push(Place { mark, skip: 0, passed: seek.passed, before: seek.length });
            }
            stopped = budget.check();
            if stopped.is_ok() { Go::On } else { Go::Stop }
        });
        read.map_err(|cause| crate::unreadable(&piece.path, cause))?;
        stopped.map_err(|why| Error::stopped(why, &piece.path))?;
        far.length = seek.length;
        far.places = places;
        Ok(far)
    }

    /// Feeds the text from a place on to a sink, until it stops.
    fn run(&self, from: Place, seek: &mut Seek<'_>, mut at_piece: impl FnMut(Mark, &Seek<'_>) -> Go) -> io::Result<()> {
        let mut stream = Stream::new(Arc::clone(&self.blob), Arc::clone(&self.known.coding), from.mark.offset);
        let mut machine = from.mark.machine(self.known.delimiter);
        while stream.advance()? {
            let Machine { state, records, .. } = machine;
            let go = at_piece(Mark { offset: stream.start(), records, state }, seek);
            if go == Go::Stop || machine.feed(stream.piece(), seek).1 == Go::Stop {
                break;
            }
        }
        Ok(())
    }
}

impl Blob for Far {
    fn len(&self) -> Option<u64> {
        Some(self.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let behind = self.places.partition_point(|place| place.before <= offset);
        let place = behind.checked_sub(1).and_then(|at| self.places.get(at)).copied();
        let Some(place) = place.filter(|_| offset < self.length && !buffer.is_empty()) else { return Ok(0) };
        let mut seek = Seek::new(place, (self.index, offset), buffer);
        self.run(place, &mut seek, |_, _| Go::On)?;
        Ok(seek.filled)
    }
}

/// Looks for a field and copies what stands in it from an offset on.
struct Seek<'b> {
    index: usize,
    from: u64,
    skip: u64,
    passed: usize,
    length: u64,
    buffer: &'b mut [u8],
    filled: usize,
}

impl<'b> Seek<'b> {
    fn new(place: Place, (index, from): (usize, u64), buffer: &'b mut [u8]) -> Self {
        Self { index, from, skip: place.skip, passed: place.passed, length: place.before, buffer, filled: 0 }
    }
}

impl Sink for Seek<'_> {
    fn text(&mut self, part: &[u8]) -> Go {
        if self.skip > 0 || self.passed != self.index {
            return Go::On;
        }
        let before = usize::try_from(self.from.saturating_sub(self.length)).unwrap_or(usize::MAX);
        self.length += part.len() as u64;
        let wanted = part.get(before..).unwrap_or_default();
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let count = wanted.len().min(room.len());
        if let (Some(to), Some(from)) = (room.get_mut(..count), wanted.get(..count)) {
            to.copy_from_slice(from);
        }
        self.filled += count;
        if count > 0 && self.filled == self.buffer.len() { Go::Stop } else { Go::On }
    }

    fn field(&mut self) -> Go {
        self.passed += usize::from(self.skip == 0);
        if self.passed > self.index { Go::Stop } else { Go::On }
    }

    fn record(&mut self) -> Go {
        if self.skip == 0 {
            return Go::Stop;
        }
        self.skip -= 1;
        Go::On
    }
}
