//! Walks the directory of a zip archive.

use std::io;

use readstone_base::{Blob, Budget, Fault, Note};
use readstone_source::{Opening, Piece};

use super::super::error::Error;
use super::super::index::{Index, odd};
use super::super::members::{failed, no_room, too_many};
use super::end::End;
use super::overlap::{Overlaps, extent, sorted};
use super::record::{self, LONGEST, Record};

/// Bytes of the directory read in one go; a record always fits.
const STEP: u64 = 512 * 1024;
/// The call's time is looked at every so many entries.
const CHECK: usize = 4_096;

/// Whether the directory has a first entry.
pub(super) fn first(blob: &dyn Blob, end: &End) -> io::Result<bool> {
    let bytes = blob.read_range(end.start, end.start.saturating_add(record::FIXED as u64))?;
    Ok(end.count > 0 && record::length(&bytes).is_some())
}

/// A part of the directory at hand.
struct Window<'a> {
    blob: &'a dyn Blob,
    bytes: Vec<u8>,
    start: u64,
    end: u64,
}

impl Window<'_> {
    /// The bytes from an offset on: a whole record, when one is there.
    fn at(&mut self, offset: u64) -> io::Result<&[u8]> {
        let held = self.start + self.bytes.len() as u64;
        if (offset < self.start || offset + LONGEST > held) && held < self.end {
            let to = offset.saturating_add(STEP).min(self.end);
            self.bytes.resize(crate::packed::size(to - offset), 0);
            let count = self.blob.read_at(offset, &mut self.bytes)?;
            self.bytes.truncate(count);
            self.start = offset;
        }
        Ok(self.bytes.get(crate::packed::size(offset - self.start)..).unwrap_or_default())
    }
}

/// Goes through the records of the directory.
pub(super) struct Records<'a> {
    window: Window<'a>,
    at: u64,
    count: usize,
}

/// What comes next in the directory.
pub(super) enum Step<'a> {
    /// A record, at this offset, and its bytes.
    Record(Record, u64, &'a [u8]),
    /// Nothing.
    End,
    /// Something that is no record, at this offset.
    Damaged(u64),
}

impl<'a> Records<'a> {
    pub(super) fn new(blob: &'a dyn Blob, end: &End) -> Self {
        let window = Window { blob, bytes: Vec::new(), start: end.start, end: end.stop };
        Self { window, at: end.start, count: 0 }
    }

    pub(super) fn next(&mut self, budget: &Budget) -> io::Result<Step<'_>> {
        if self.at >= self.window.end {
            return Ok(Step::End);
        }
        if self.count.is_multiple_of(CHECK) {
            crate::packed::go_on(budget)?;
        }
        let at = self.at;
        let bytes = self.window.at(at)?;
        let Some((record, length)) = Record::parse(bytes).zip(record::length(bytes)) else {
            return Ok(Step::Damaged(at));
        };
        self.at += length as u64;
        self.count += 1;
        Ok(Step::Record(record, at, bytes.get(..length).unwrap_or_default()))
    }
}

/// Passes every record of the directory with its offset; the offset at which the directory is damaged, if it is.
fn each(
    piece: &Piece,
    end: &End,
    opening: &Opening<'_>,
    mut take: impl FnMut(&Record, u64) -> Result<(), Fault>,
) -> Result<Option<u64>, Fault> {
    let mut records = Records::new(&*piece.blob, end);
    loop {
        match records.next(opening.budget).map_err(failed(&piece.path))? {
            Step::Record(record, at, _) => take(&record, at)?,
            Step::End => return Ok(None),
            Step::Damaged(at) => return Ok(Some(at)),
        }
    }
}

/// Everything the directory names.
pub(super) fn entries(piece: &Piece, end: &End, opening: &Opening<'_>) -> Result<Index, Fault> {
    let memory = opening.limits.unpack_memory;
    let mut index = Index::within(memory);
    let most = crate::packed::size(opening.limits.archive_entries);
    // Never more than the directory has room for, whatever number it declares.
    let bytes = end.stop - end.start;
    let room = end.count.min(bytes / record::FIXED as u64).min(opening.limits.archive_entries);
    index.base = end.base;
    index.reserve(crate::packed::size(room), crate::packed::size(bytes - room * record::FIXED as u64));
    let mut overlaps = Overlaps::default();
    let damage = each(piece, end, opening, |record, at| {
        overlaps.add(extent(index.len(), record.local, record.name.len() as u64 + record.packed));
        if index.len() >= most {
            return Err(too_many(&piece.path, most));
        }
        if index.push(record.shown(), record.entry(at)) { Ok(()) } else { Err(no_room(&piece.path, memory)) }
    })?;
    match damage {
        Some(_) if index.len() == 0 => return Err(Error::corrupt(&piece.path, "its directory is damaged").boxed()),
        Some(offset) => index.notes.push(Note::Damaged { offset, what: "its directory is damaged".to_owned() }),
        None if (index.len() as u64 & end.counted) != end.count & end.counted => {
            let what = format!("its directory has {} entries where it says {}", index.len(), end.count);
            return Err(Error::corrupt(&piece.path, what).boxed());
        }
        None => {}
    }
    let sharing = if overlaps.is_void() { out_of_order(piece, end, opening)? } else { overlaps.found() };
    for number in &sharing {
        index.mark(*number as usize, odd::OVERLAPS);
    }
    if !sharing.is_empty() {
        index.notes.push(Note::Overlapping { count: sharing.len() as u64 });
    }
    Ok(index)
}

/// The entries that share bytes, where they do not come in the order of their places.
fn out_of_order(piece: &Piece, end: &End, opening: &Opening<'_>) -> Result<Vec<u32>, Fault> {
    let mut extents = Vec::new();
    each(piece, end, opening, |record, _| {
        extents.push(extent(extents.len(), record.local, record.name.len() as u64 + record.packed));
        Ok(())
    })?;
    Ok(sorted(extents))
}
