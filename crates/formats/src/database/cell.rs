//! One cell: its value, or where it lies when it is too large to be handed over whole.

use std::io;
use std::sync::Mutex;

use readstone_base::Blob;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::database::session::Session;
use crate::database::values::whole;
use crate::database::watch::lock;

/// The value of a cell.
#[derive(Debug)]
pub(super) enum Cell {
    /// Nothing.
    Nothing,
    /// Text, in UTF-8.
    Text(Vec<u8>),
    /// Bytes, or text that is none.
    Bytes(Vec<u8>),
    /// A value beyond the limit.
    Far(Far),
}

/// Where a value lies.
#[derive(Clone, Debug)]
pub(super) struct Far {
    /// The table.
    pub(super) table: String,
    /// The column.
    pub(super) column: String,
    /// The number of the row.
    pub(super) rowid: i64,
    /// How many bytes the value has.
    pub(super) length: u64,
}

/// A value that may be beyond the limit.
#[derive(Debug)]
pub(super) enum Large {
    /// It is not.
    Whole(Cell),
    /// It is; where it lies, where that can be told, and how many bytes it has.
    Beyond(Option<Far>, u64),
}

impl Large {
    /// The value at `index` of a row that was selected with care.
    pub(super) fn of(row: &Row<'_>, index: usize, far: impl FnOnce(u64) -> Option<Far>) -> rusqlite::Result<Self> {
        let (value, kind) = (row.get_ref(3 * index)?, row.get_ref(3 * index + 1)?);
        if value != ValueRef::Null || kind == ValueRef::Text(b"null") {
            return Ok(Self::Whole(whole(value)));
        }
        let length = u64::try_from(row.get::<_, i64>(3 * index + 2)?).unwrap_or(0);
        Ok(Self::Beyond(far(length), length))
    }
}

/// So many bytes are read at once: the way to a piece leads past all pieces before it.
const PIECE: usize = 1024 * 1024;

/// A value that is read in pieces, out of a database that stays open.
#[derive(Debug)]
pub(super) struct Pieces {
    far: Far,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    session: Session,
    start: u64,
    bytes: Vec<u8>,
}

impl Pieces {
    /// The bytes of a value.
    pub(super) fn new(far: Far, session: Session) -> Self {
        Self { far, state: Mutex::new(State { session, start: 0, bytes: Vec::new() }) }
    }
}

impl State {
    /// Copies what is at hand from an offset on.
    fn copy(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let start = offset.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        let there = start.and_then(|start| self.bytes.get(start..)).unwrap_or_default();
        let count = there.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), there.get(..count)) {
            to.copy_from_slice(from);
        }
        count
    }

    fn load(&mut self, far: &Far, offset: u64) -> io::Result<()> {
        let left = usize::try_from(far.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; left.min(PIECE)];
        let count =
            self.session.read_value(far, offset, &mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        bytes.truncate(count);
        (self.start, self.bytes) = (offset, bytes);
        Ok(())
    }
}

impl Blob for Pieces {
    fn len(&self) -> Option<u64> {
        Some(self.far.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = lock(&self.state);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(done as u64);
            if at >= self.far.length {
                break;
            }
            let mut count = state.copy(at, rest);
            if count == 0 {
                state.load(&self.far, at)?;
                count = state.copy(at, rest);
            }
            if count == 0 {
                break;
            }
            done += count;
        }
        Ok(done)
    }
}
