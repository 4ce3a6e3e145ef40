//! What can be found of a zip archive whose end is missing.

use std::io;

use readstone_base::{Blob, Fault, Note};
use readstone_source::{Opening, Piece};

use super::super::error::Error;
use super::super::index::{Index, odd};
use super::super::members::{failed, too_many};
use super::record::{BEHIND, Method, Record, short, word};

/// Marks the offset of an entry that was found where its data are, not in the directory.
pub(super) const LOCAL: u64 = 1 << 63;

const FIXED: u64 = 30;
const SIGNATURE: &[u8] = b"PK\x03\x04";

/// The entry announced at `at`; `None` when none is.
pub(super) fn record(blob: &dyn Blob, at: u64) -> io::Result<Option<Record>> {
    let head = blob.read_range(at, at.saturating_add(FIXED))?;
    if !head.starts_with(SIGNATURE) || (head.len() as u64) < FIXED {
        return Ok(None);
    }
    let (name, extra) = (u64::from(short(&head, 26)), u64::from(short(&head, 28)));
    let names = blob.read_range(at + FIXED, at + FIXED + name + extra)?;
    let Some((name, extra)) = names.split_at_checked(crate::packed::size(name)) else { return Ok(None) };
    let mut record = Record {
        name: name.to_vec(),
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
    Ok(Some(record))
}

/// The entries that are whole, from the beginning on.
pub(super) fn entries(piece: &Piece, length: u64, opening: &Opening<'_>) -> Result<Index, Fault> {
    let mut index = Index::default();
    let most = crate::packed::size(opening.limits.archive_entries);
    let mut at = 0;
    let what = loop {
        opening.budget.check().map_err(|why| Error::Stopped { address: piece.path.clone(), why }.boxed())?;
        let Some(record) = record(&*piece.blob, at).map_err(failed(&piece.path))? else {
            break if at < length { "its directory is missing" } else { "it is cut" };
        };
        let head = piece.blob.read_range(at, at + FIXED).map_err(failed(&piece.path))?;
        let start = at + FIXED + u64::from(short(&head, 26)) + u64::from(short(&head, 28));
        let end = start.saturating_add(record.packed);
        let unknown = record.flags & BEHIND != 0 && record.packed == 0;
        let mut entry = record.entry(at | LOCAL);
        if unknown || end > length {
            entry.odd |= odd::DAMAGED;
        }
        if index.len() >= most || !index.push(&record.name, entry) {
            return Err(too_many(piece, most));
        }
        if unknown {
            break "its directory is missing, and the size of its last entry is not known";
        }
        if end > length {
            break "it is cut inside its last entry";
        }
        at = end;
    };
    if index.len() == 0 {
        return Err(Error::corrupt(&piece.path, format!("{what} at byte {length}")).boxed());
    }
    index.notes.push(Note::Damaged { offset: at.min(length), what: what.to_owned() });
    Ok(index)
}
