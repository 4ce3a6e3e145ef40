//! What can be found of a zip archive whose end is missing.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Note};
use readstone_source::{Opening, Piece};

use super::super::error::Error;
use super::super::index::{Index, odd};
use super::super::members::{failed, no_room, too_many};
use super::record::{BEHIND, Method, Record, short, word};
use crate::packed::deflated;

/// Marks the offset of an entry that was found where its data are, not in the directory.
pub(super) const LOCAL: u64 = 1 << 63;

const FIXED: u64 = 30;
const SIGNATURE: &[u8] = b"PK\x03\x04";

/// What is found of an entry where its data are.
pub(super) struct Found {
    pub(super) record: Record,
    /// The byte behind it; `None` when that cannot be told.
    end: Option<u64>,
}

/// The entry announced at `at`; `None` when none is.
pub(super) fn find(blob: &Arc<dyn Blob>, at: u64, budget: &Budget) -> io::Result<Option<Found>> {
    let Some((mut record, start)) = record(&**blob, at)? else { return Ok(None) };
    if record.flags & BEHIND == 0 || record.packed > 0 {
        let end = start.checked_add(record.packed);
        return Ok(Some(Found { record, end }));
    }
    let end = if record.method == Method::DEFLATE { unpack(blob, start, &mut record, budget)? } else { None };
    Ok(Some(Found { record, end }))
}

/// Unpacks an entry to find its end, behind which its sizes stand.
fn unpack(blob: &Arc<dyn Blob>, start: u64, record: &mut Record, budget: &Budget) -> io::Result<Option<u64>> {
    const DESCRIPTOR: &[u8] = b"PK\x07\x08";
    let Some((packed, size)) = deflated(blob, start, budget)? else { return Ok(None) };
    let end = start + packed;
    let bytes = blob.read_range(end, end + 16)?;
    // The signature may be missing.
    let (words, length) = match bytes.strip_prefix(DESCRIPTOR) {
        Some(words) => (words, 16),
        None => (bytes.as_slice(), 12),
    };
    if words.len() < 12 {
        return Ok(None);
    }
    record.packed = packed;
    record.size = size;
    record.crc = word(words, 0);
    Ok(Some(end + length))
}

fn record(blob: &dyn Blob, at: u64) -> io::Result<Option<(Record, u64)>> {
    let head = blob.read_range(at, at.saturating_add(FIXED))?;
    if !head.starts_with(SIGNATURE) || (head.len() as u64) < FIXED {
        return Ok(None);
    }
    let (name, extra) = (u64::from(short(&head, 26)), u64::from(short(&head, 28)));
    let start = at + FIXED + name + extra;
    let names = blob.read_range(at + FIXED, start)?;
    let Some((name, extra)) = names.split_at_checked(crate::packed::size(name)) else { return Ok(None) };
    // Zeros behind a signature announce nothing.
    if name.is_empty() {
        return Ok(None);
    }
    let mut record = Record {
        name: name.to_vec(),
        unicode: None,
        flags: short(&head, 6),
        method: Method(short(&head, 8)),
        crc: word(&head, 14),
        packed: u64::from(word(&head, 18)),
        size: u64::from(word(&head, 22)),
        local: at,
        time: None,
        mode: None,
    };
    record.read_extra(extra);
    Ok(Some((record, start)))
}

/// The entries that are whole, from the beginning on.
pub(super) fn entries(piece: &Piece, length: u64, opening: &Opening<'_>) -> Result<Index, Fault> {
    let memory = opening.limits.unpack_memory;
    let mut index = Index::within(memory);
    let most = crate::packed::size(opening.limits.archive_entries);
    let mut at = 0;
    let what = loop {
        opening.budget.check().map_err(|why| Error::Stopped { address: piece.path.clone(), why }.boxed())?;
        let Some(found) = find(&piece.blob, at, opening.budget).map_err(failed(&piece.path))? else {
            break if at < length { "its directory is missing" } else { "it is cut" };
        };
        let mut entry = found.record.entry(at | LOCAL);
        let end = found.end.filter(|end| *end <= length);
        if end.is_none() {
            entry.odd |= odd::DAMAGED;
        }
        if index.len() >= most {
            return Err(too_many(&piece.path, most));
        }
        if !index.push(found.record.shown(), entry) {
            return Err(no_room(&piece.path, memory));
        }
        match end {
            Some(end) => at = end,
            None => break "it is cut inside its last entry",
        }
    };
    if index.len() == 0 {
        return Err(Error::corrupt(&piece.path, format!("{what} at byte {length}")).boxed());
    }
    index.notes.push(Note::Damaged { offset: at.min(length), what: what.to_owned() });
    Ok(index)
}
