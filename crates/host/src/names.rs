//! The names in a directory, packed, in memory that is used again for the next one.

use std::ffi::OsStr;
use std::io;
use std::ops::{ControlFlow, Range};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use readstone_base::Budget;
use rustix::fs::{AtFlags, FileType};

use crate::directory::{EntryKind, stopped};
use crate::os;
use crate::write::is_temporary_name;

/// Names and kinds of the entries of a directory.
#[derive(Debug, Default)]
pub struct Names {
    bytes: Vec<u8>,
    spots: Vec<Spot>,
    /// True when the directory held more than were taken.
    pub more: bool,
    buffer: Vec<u8>,
}

/// Where a name stands, and what it is the name of.
#[derive(Clone, Copy, Debug)]
struct Spot {
    start: u32,
    length: u16,
    kind: EntryKind,
}

/// Entries between two looks at the budget.
const STRIDE: usize = 512;

impl Names {
    pub(crate) fn fill(&mut self, directory: &OwnedFd, most: usize, budget: &Budget) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        self.clear();
        let filled = os::each_entry(directory, &mut buffer, |name, kind| {
            if is_temporary_name(OsStr::from_bytes(name.to_bytes())) {
                return ControlFlow::Continue(());
            }
            if self.spots.len() >= most {
                self.more = true;
                return ControlFlow::Break(Ok(()));
            }
            if self.spots.len() % STRIDE == STRIDE - 1
                && let Err(why) = budget.check()
            {
                return ControlFlow::Break(Err(stopped(why)));
            }
            let mut kind = kind;
            if kind == FileType::Unknown {
                // Some file systems do not tell.
                let facts = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
                kind = facts.map_or(kind, |facts| FileType::from_raw_mode(facts.st_mode));
            }
            self.push(OsStr::from_bytes(name.to_bytes()), EntryKind::of(kind));
            ControlFlow::Continue(())
        });
        self.buffer = buffer;
        filled
    }

    /// Adds a name; what cannot be told from the others for want of room is left out and noted.
    pub fn push(&mut self, name: &OsStr, kind: EntryKind) {
        let (Ok(start), Ok(length)) = (u32::try_from(self.bytes.len()), u16::try_from(name.len())) else {
            self.more = true;
            return;
        };
        self.bytes.extend_from_slice(name.as_bytes());
        self.spots.push(Spot { start, length, kind });
    }

    /// Takes away all names, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.spots.clear();
        self.more = false;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// Keeps the names that `keep` wants.
    pub fn retain(&mut self, mut keep: impl FnMut(&OsStr, EntryKind) -> bool) {
        let bytes = &self.bytes;
        self.spots.retain(|spot| keep(spot.name(bytes), spot.kind));
    }

    /// A copy of the names of these kinds, in memory that just holds them.
    #[must_use]
    pub fn copy(&self, kinds: impl Fn(EntryKind) -> bool) -> Self {
        let wanted = |spot: &&Spot| kinds(spot.kind);
        let (count, bytes) = self
            .spots
            .iter()
            .filter(wanted)
            .fold((0, 0), |(count, bytes), spot| (count + 1, bytes + usize::from(spot.length)));
        let mut copy = Self { bytes: Vec::with_capacity(bytes), spots: Vec::with_capacity(count), ..Self::default() };
        for spot in self.spots.iter().filter(wanted) {
            copy.push(spot.name(&self.bytes), spot.kind);
        }
        copy
    }

    /// Puts them into the order of their bytes.
    pub fn sort(&mut self) {
        let bytes = &self.bytes;
        self.spots.sort_unstable_by(|one, other| one.name(bytes).cmp(other.name(bytes)));
    }

    /// The names in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, EntryKind)> {
        self.part(0..self.len())
    }

    /// The names that stand in these places.
    pub fn part(&self, places: Range<usize>) -> impl Iterator<Item = (&OsStr, EntryKind)> {
        let places = places.start..places.end.min(self.len());
        self.spots.get(places).unwrap_or_default().iter().map(|spot| (spot.name(&self.bytes), spot.kind))
    }

    /// The name that stands in a place.
    pub fn get(&self, place: usize) -> Option<&OsStr> {
        self.spots.get(place).map(|spot| spot.name(&self.bytes))
    }
}

impl Spot {
    fn name(self, bytes: &[u8]) -> &OsStr {
        let start = self.start as usize;
        OsStr::from_bytes(bytes.get(start..start + usize::from(self.length)).unwrap_or_default())
    }
}
