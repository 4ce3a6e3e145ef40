//! What the kinds of archives have in common.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Limits, Note, Stamp};
use readstone_source::{Opening, Piece};

use super::error::Error;
use super::index::Index;
use super::names::Candidate;
use crate::packed::{Allowed, Held, Origin, Settled, Trouble, settle};

/// Unpacked bytes above this size are not kept.
const MOST_KEPT: u64 = 8 * 1024 * 1024;

/// An archive of some kind.
pub(super) trait Members: Send + Sync + std::fmt::Debug {
    /// The archive's bytes.
    fn piece(&self) -> &Piece;

    /// Everything it holds.
    fn all(&self, opening: &Opening<'_>) -> Result<Arc<Index>, Fault>;

    /// What it holds, at least up to an entry that one of the candidates names; false when the rest was not looked at.
    fn search(&self, _wanted: &[Candidate], opening: &Opening<'_>) -> Result<(Arc<Index>, bool), Fault> {
        Ok((self.all(opening)?, true))
    }

    /// The bytes of an entry.
    fn open(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Member, Fault>;

    /// Where a link leads.
    fn target(&self, index: &Index, number: usize, _hand: &Hand<'_>) -> Result<Vec<u8>, Fault> {
        Ok(index.target(number).unwrap_or_default().to_vec())
    }

    /// How an entry is packed, when that cannot be read.
    fn method(&self, index: &Index, number: usize, budget: &Budget) -> String;
}

/// What is at hand while an entry is opened.
#[derive(Clone, Copy)]
pub(super) struct Hand<'a> {
    pub(super) limits: &'a Limits,
    pub(super) budget: &'a Budget,
    /// Where things are kept, unless nothing is to be kept.
    pub(super) opening: Option<&'a Opening<'a>>,
}

impl<'a> Hand<'a> {
    pub(super) fn of(opening: &'a Opening<'a>) -> Self {
        Self { limits: opening.limits, budget: opening.budget, opening: Some(opening) }
    }

    pub(super) fn known<T: std::any::Any + Send + Sync>(
        &self,
        of: Option<Stamp>,
        what: &'static str,
    ) -> Option<Arc<T>> {
        self.opening?.known(of, what)
    }

    pub(super) fn keep<T: std::any::Any + Send + Sync>(
        &self,
        of: Option<Stamp>,
        what: &'static str,
        thing: &Arc<T>,
        bytes: u64,
    ) {
        if let Some(opening) = self.opening {
            opening.keep(of, what, Arc::clone(thing), bytes);
        }
    }
}

/// An entry that was opened.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) blob: Arc<dyn Blob>,
    pub(super) notes: Vec<Note>,
}

/// What an entry is called among the parts of its archive: names may be used twice, numbers are not.
pub(super) fn part(index: &Index, number: usize) -> Vec<u8> {
    [index.name(number), b"\0#", (number + 1).to_string().as_bytes()].concat()
}

/// The address of an entry by its number.
pub(super) fn by_number(piece: &Piece, number: usize) -> String {
    format!("{}:#{}", piece.path, number + 1)
}

/// The address of an entry by its name, or by its number where the name does not lead to it.
pub(super) fn address(piece: &Piece, index: &Index, number: usize) -> String {
    if index.is(number, super::index::odd::UNSAFE) {
        return by_number(piece, number);
    }
    format!("{}:{}", piece.path, super::names::show(index.name(number)))
}

/// Unpacks a small entry whole, for which the decoder takes so many bytes beside; a large one is left as it is.
pub(super) fn whole(
    blob: Arc<dyn Blob>,
    origin: &Origin,
    piece: &Piece,
    with: (&Hand<'_>, u64),
    notes: &mut Vec<Note>,
) -> io::Result<Arc<dyn Blob>> {
    let (hand, beside) = with;
    let stamp = piece.stamp.map(|stamp| stamp.part(&origin.part));
    if blob.len().is_some_and(|size| size > hand.limits.edit_bytes) {
        notes.push(Note::Unchecked);
        return Ok(blob);
    }
    match settle(&*blob, Allowed { most: hand.limits.edit_bytes, beside, budget: hand.budget })? {
        Settled::Long => {
            notes.push(Note::Unchecked);
            Ok(blob)
        }
        Settled::Whole(bytes) => {
            let bytes = Arc::new(bytes);
            keep_bytes(hand, stamp, &bytes);
            Ok(Arc::new(Held::new(origin.clone(), bytes)))
        }
        Settled::Broken(_, trouble @ (Trouble::Checksum | Trouble::Size { .. })) => Err(trouble.into()),
        Settled::Broken(bytes, trouble) if bytes.is_empty() => Err(trouble.into()),
        Settled::Broken(bytes, trouble) => {
            notes.push(Note::Damaged { offset: bytes.len() as u64, what: trouble.to_string() });
            Ok(Arc::new(Held::new(origin.clone(), Arc::new(bytes))))
        }
    }
}

/// Keeps unpacked bytes for the next call, when that is worth while.
pub(super) fn keep_bytes(hand: &Hand<'_>, stamp: Option<Stamp>, bytes: &Arc<Vec<u8>>) {
    let size = bytes.len() as u64;
    if size <= MOST_KEPT {
        hand.keep(stamp, "packed.bytes", bytes, size + 128);
    }
}

/// Unpacked bytes that were kept.
pub(super) fn kept(piece: &Piece, origin: &Origin, hand: &Hand<'_>) -> Option<Arc<dyn Blob>> {
    let stamp = piece.stamp.map(|stamp| stamp.part(&origin.part));
    let bytes = hand.known::<Vec<u8>>(stamp, "packed.bytes")?;
    Some(Arc::new(Held::new(origin.clone(), bytes)))
}

/// An error of reading, as the failure of whoever asked for `address`.
pub(super) fn failed(address: &str) -> impl Fn(io::Error) -> Fault + '_ {
    move |error| Error::from_io(address, error).boxed()
}

/// The failure of an archive whose names take more than is allowed.
pub(super) fn no_room(path: &str, memory: u64) -> Fault {
    let what = format!("the names of its entries take more than the {memory} bytes of unpack_memory");
    Error::Limit { address: path.to_owned(), what }.boxed()
}

/// The failure of an archive with more entries than are allowed.
pub(super) fn too_many(path: &str, most: usize) -> Fault {
    let what = format!("it has more than the {most} entries of archive_entries");
    Error::Limit { address: path.to_owned(), what }.boxed()
}
