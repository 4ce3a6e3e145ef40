//! The bytes of an entry of a zip archive.

use std::sync::Arc;

use crc32fast::Hasher;
use readstone_base::{Blob, Fault, Note};

use super::super::error::Error;
use super::super::index::Index;
use super::super::members::{Hand, Member, address, failed, kept, part, whole};
use super::super::names;
use super::Zip;
use super::record::{self, Method, Record};
use crate::packed::{self, Declared, Frame, Inflated, Input, Origin, Slice, Trail, Trouble, Unpacked, dictionary};

const LOCAL: u64 = 30;
const LOCAL_SIZE: usize = 30;
const LOCAL_SIGNATURE: &[u8] = b"PK\x03\x04";
/// Deflate makes at most this many bytes of one.
const MOST_RATIO: u64 = 1_032;

/// Where the data of an entry are.
struct Place {
    start: u64,
    end: u64,
    /// The name at the place, when it is another one.
    other: Option<Vec<u8>>,
}

pub(super) fn member(
    zip: &Zip,
    index: &Index,
    number: usize,
    record: &Record,
    hand: &Hand<'_>,
) -> Result<Member, Fault> {
    let piece = &zip.piece;
    let path = address(piece, index, number);
    let place = place(zip, record, index.base).map_err(|what| what.fault(&path))?;
    let origin = Origin::new(&piece.blob, &part(index, number));
    let mut notes: Vec<_> =
        place.other.as_ref().map(|name| Note::OtherName { name: names::show(name) }).into_iter().collect();
    if record.method != Method::STORED
        && let Some(blob) = kept(piece, &origin, hand)
    {
        return Ok(Member { blob, notes });
    }
    let possible = record.method != Method::DEFLATE
        || record.size <= (place.end - place.start).saturating_mul(MOST_RATIO).saturating_add(1024);
    if !possible {
        return Err(Error::from_io(&path, Trouble::Size { declared: record.size }.into()).boxed());
    }
    let blob = if record.method == Method::STORED {
        stored(&origin, &place, record, (piece.stamp, hand), &mut notes)
    } else {
        let blob = unpacked(&origin, &place, record, piece.stamp, hand);
        let beside = other(record.method).map_or(Ok(0), |method| dictionary::asked(method, &*piece.blob, place.start));
        let beside = beside.map_err(failed(&path))?.min(hand.limits.unpack_memory);
        whole(blob, &origin, piece, (hand, beside), &mut notes)
    };
    Ok(Member { blob: blob.map_err(failed(&path))?, notes })
}

fn unpacked(
    origin: &Origin,
    place: &Place,
    record: &Record,
    stamp: Option<readstone_base::Stamp>,
    hand: &Hand<'_>,
) -> Arc<dyn Blob> {
    let source = Arc::clone(&origin.source);
    let input = Input { source, range: place.start..place.end, budget: hand.budget.clone() };
    let stamp = stamp.map(|stamp| stamp.part(&origin.part));
    let large = record.size > hand.limits.edit_bytes;
    let packed = place.end - place.start;
    let known = || hand.known::<Trail>(stamp, "packed.trail").unwrap_or_else(|| Trail::of(packed));
    let trail = if large { known() } else { Arc::default() };
    if large {
        hand.keep(stamp, "packed.trail", &trail, Trail::cost(packed));
    }
    let Some(method) = other(record.method) else {
        let frame = Frame::Bare { size: record.size, crc: record.crc };
        return Arc::new(Inflated::new(origin.clone(), input, frame, trail));
    };
    let declared = Declared { size: record.size, crc: record.crc };
    Arc::new(Unpacked::new(origin.clone(), input, method, trail, hand.limits.unpack_memory).declared(declared))
}

/// A way of packing that can be read from the beginning only.
fn other(method: Method) -> Option<packed::Method> {
    match method {
        Method::BZIP2 => Some(packed::Method::Bzip2),
        Method::ZSTD => Some(packed::Method::Zstd),
        Method::XZ => Some(packed::Method::Xz),
        _ => None,
    }
}

/// An entry that is not packed is read where it lies, once its checksum was found right.
fn stored(
    origin: &Origin,
    place: &Place,
    record: &Record,
    at: (Option<readstone_base::Stamp>, &Hand<'_>),
    notes: &mut Vec<Note>,
) -> std::io::Result<Arc<dyn Blob>> {
    let (stamp, hand) = at;
    let size = place.end - place.start;
    if size != record.size {
        return Err(Trouble::Size { declared: record.size }.into());
    }
    let blob = Slice::new(origin.clone(), place.start, size);
    if size > hand.limits.edit_bytes {
        notes.push(Note::Unchecked);
        return Ok(Arc::new(blob));
    }
    let stamp = stamp.map(|stamp| stamp.part(&origin.part));
    if hand.known::<u32>(stamp, "archive.sound").is_some_and(|crc| *crc == record.crc) {
        return Ok(Arc::new(blob));
    }
    if checksum(&blob, hand)? != record.crc {
        return Err(Trouble::Checksum.into());
    }
    hand.keep(stamp, "archive.sound", &Arc::new(record.crc), 64);
    Ok(Arc::new(blob))
}

fn checksum(blob: &Slice, hand: &Hand<'_>) -> std::io::Result<u32> {
    const STEP: u64 = 256 * 1024;
    let size = blob.len().unwrap_or(0);
    let mut buffer = vec![0; crate::packed::size(size.min(STEP))];
    let (mut at, mut crc) = (0, Hasher::new());
    while at < size {
        crate::packed::go_on(hand.budget)?;
        let count = blob.read_at(at, &mut buffer)?;
        if count == 0 {
            return Err(Trouble::Cut { at }.into());
        }
        crc.update(buffer.get(..count).unwrap_or_default());
        at += count as u64;
    }
    Ok(crc.finalize())
}

/// Why data cannot be found.
enum Lost {
    Wrong(&'static str),
    Io(std::io::Error),
}

impl Lost {
    fn fault(self, path: &str) -> Fault {
        match self {
            Self::Wrong(what) => Error::corrupt(path, what).boxed(),
            Self::Io(error) => failed(path)(error),
        }
    }
}

fn place(zip: &Zip, record: &Record, base: u64) -> Result<Place, Lost> {
    let blob = &*zip.piece.blob;
    let local = record.local.saturating_add(base);
    let asked = LOCAL + record.name.len() as u64;
    let head = blob.read_range(local, local.saturating_add(asked)).map_err(Lost::Io)?;
    if !head.starts_with(LOCAL_SIGNATURE) || (head.len() as u64) < LOCAL {
        return Err(Lost::Wrong("there is no entry at the place its directory names"));
    }
    let (name, extra) = (usize::from(record::short(&head, 26)), u64::from(record::short(&head, 28)));
    let start = local + LOCAL + name as u64 + extra;
    let end = start.checked_add(record.packed).filter(|end| blob.len().is_none_or(|length| *end <= length));
    let Some(end) = end else { return Err(Lost::Wrong("its data reach beyond the end of the archive")) };
    let own = match head.get(LOCAL_SIZE..LOCAL_SIZE + name) {
        Some(own) => own.to_vec(),
        None => blob.read_range(local + LOCAL, local + LOCAL + name as u64).map_err(Lost::Io)?,
    };
    Ok(Place { start, end, other: (own != record.name).then_some(own) })
}
