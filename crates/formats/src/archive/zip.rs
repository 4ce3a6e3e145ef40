//! Zip archives, by their central directory.

mod end;
mod open;
mod overlap;
mod put;
mod record;
mod recover;
mod walk;

use std::io;
use std::sync::{Arc, OnceLock};

use readstone_base::{Blob, Budget, Fault, Note};
use readstone_source::{Opening, Piece};

use super::error::Error;
use super::index::{Index, odd};
use super::members::{Hand, Member, Members, address, failed};
use end::Found;
use record::{Method, Record};

pub(super) use put::{Rewrite, rewrite};

/// Whether a zip archive begins here.
pub(super) fn begins(head: &[u8]) -> bool {
    matches!(head, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, b'P', b'K', 3, 4, ..])
}

/// Whether a zip archive ends where the bytes end, whatever they begin with.
pub(super) fn ends(piece: &Piece, opening: &Opening<'_>) -> Result<bool, Fault> {
    opening.budget.check().map_err(|why| Error::Stopped { address: piece.path.clone(), why }.boxed())?;
    // A signature can stand anywhere by chance; an entry behind it does not.
    closes(&*piece.blob).map_err(failed(&piece.path))
}

/// Whether a zip archive with entries ends where the bytes end.
pub(super) fn closes(blob: &dyn Blob) -> io::Result<bool> {
    let Some(length) = blob.len() else { return Ok(false) };
    match end::find(blob, length)? {
        Found::End(end) => walk::first(blob, &end),
        Found::Nothing | Found::Wrong(_) => Ok(false),
    }
}

/// A zip archive.
#[derive(Debug)]
pub(super) struct Zip {
    piece: Piece,
    index: OnceLock<Arc<Index>>,
}

impl Zip {
    pub(super) fn new(piece: &Piece) -> Self {
        Self { piece: piece.clone(), index: OnceLock::new() }
    }

    fn build(&self, opening: &Opening<'_>) -> Result<Index, Fault> {
        let path = &self.piece.path;
        let length = super::length(&self.piece.blob, opening).map_err(failed(path))?;
        let end = match end::find(&*self.piece.blob, length).map_err(failed(path))? {
            Found::End(end) => end,
            Found::Wrong(what) => return Err(Error::corrupt(path, what).boxed()),
            Found::Nothing => return recover::entries(&self.piece, length, opening),
        };
        let mut index = walk::entries(&self.piece, &end, opening)?;
        if end.base > 0 || end.behind > 0 {
            index.notes.push(Note::Foreign { before: end.base, behind: end.behind });
        }
        Ok(index)
    }

    /// The record of an entry, read again.
    fn record(&self, index: &Index, number: usize, budget: &Budget) -> io::Result<Option<Record>> {
        let at = index.offset(number);
        if at & recover::LOCAL != 0 {
            let found = recover::find(&self.piece.blob, at & !recover::LOCAL, budget)?;
            return Ok(found.map(|found| found.record));
        }
        let bytes = self.piece.blob.read_range(at, at + 1024)?;
        if let Some(record) = Record::parse(&bytes) {
            return Ok(Some(record));
        }
        let bytes = self.piece.blob.read_range(at, at + record::LONGEST)?;
        Ok(Record::parse(&bytes))
    }
}

impl Members for Zip {
    fn piece(&self) -> &Piece {
        &self.piece
    }

    fn all(&self, opening: &Opening<'_>) -> Result<Arc<Index>, Fault> {
        if let Some(known) = self.index.get() {
            return Ok(Arc::clone(known));
        }
        if let Some(known) = opening.known::<Index>(self.piece.stamp, "archive.index") {
            return Ok(Arc::clone(self.index.get_or_init(|| known)));
        }
        let mut index = self.build(opening)?;
        index.shrink();
        let index = Arc::new(index);
        opening.keep(self.piece.stamp, "archive.index", Arc::clone(&index), index.cost());
        Ok(Arc::clone(self.index.get_or_init(|| index)))
    }

    fn open(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Member, Fault> {
        let path = address(&self.piece, index, number);
        let record = self.record(index, number, hand.budget).map_err(failed(&path))?;
        let Some(record) = record else {
            return Err(Error::corrupt(&path, "its record in the directory cannot be read").boxed());
        };
        open::member(self, index, number, &record, hand)
    }

    fn target(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Vec<u8>, Fault> {
        const MOST: u64 = 64 * 1024;
        let path = address(&self.piece, index, number);
        if index.is(number, odd::ENCRYPTED) {
            return Err(Error::Encrypted { address: path }.boxed());
        }
        let member = self.open(index, number, hand)?;
        member.blob.read_range(0, index.size(number).min(MOST)).map_err(failed(&path))
    }

    fn method(&self, index: &Index, number: usize, budget: &Budget) -> String {
        let method = self.record(index, number, budget).ok().flatten().map(|record| record.method);
        method.map_or_else(String::new, Method::name)
    }
}
