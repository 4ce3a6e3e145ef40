//! Tar archives, walked from header to header.

mod header;
mod pax;
mod put;
mod scan;

use std::sync::Arc;

use readstone_base::{Blob, Budget, CallMutex, CallMutexGuard, Fault, Note};
use readstone_source::{Opening, Piece};

use super::error::Error;
use super::index::{Index, Kind, odd};
use super::members::{Hand, Member, Members, address, failed, kept, part, whole};
use super::names::Candidate;
use crate::packed::{Origin, Slice, Trail};
use scan::Scan;

pub(crate) use header::is_tar;
pub(super) use put::{Rewrite, rewrite};

/// When so little of a compressed archive is left, it is read on to its end.
const LITTLE: u64 = 4 * 1024 * 1024;

/// A tar archive.
#[derive(Debug)]
pub(super) struct Tar {
    piece: Piece,
    scan: Arc<CallMutex<Scan>>,
}

/// How far to look.
#[derive(Clone, Copy)]
enum Until<'a> {
    End,
    Match(&'a [Candidate]),
    /// To the end, unless that lies behind this offset.
    Near(u64),
}

impl Tar {
    pub(super) fn new(piece: &Piece, opening: &Opening<'_>) -> Self {
        let scan = opening.known::<CallMutex<Scan>>(piece.stamp, "archive.tar").unwrap_or_default();
        Self { piece: piece.clone(), scan }
    }

    fn run(&self, until: Until<'_>, opening: &Opening<'_>) -> Result<(Arc<Index>, bool), Fault> {
        let mut scan = self.turn(opening.budget)?;
        if !scan.ended() {
            let result = scan.run(&self.piece, until, opening);
            scan.settle();
            // What was found is kept even if the time ran out, so that a second call goes on from there.
            opening.keep(self.piece.stamp, "archive.tar", Arc::clone(&self.scan), scan.index().cost());
            result?;
        }
        let index = Arc::clone(scan.index());
        if index.len() == 0
            && let Some(Note::Damaged { offset, what }) = index.notes.first()
        {
            return Err(Error::corrupt(&self.piece.path, format!("{what} at byte {offset}")).boxed());
        }
        Ok((index, scan.ended()))
    }
}

impl Tar {
    /// Waits for another call that walks the same archive, as long as this one may wait.
    fn turn(&self, budget: &Budget) -> Result<CallMutexGuard<Scan>, Fault> {
        self.scan.lock(budget).map_err(|why| Error::Stopped { address: self.piece.path.clone(), why }.boxed())
    }
}

impl Members for Tar {
    fn piece(&self) -> &Piece {
        &self.piece
    }

    fn all(&self, opening: &Opening<'_>) -> Result<Arc<Index>, Fault> {
        Ok(self.run(Until::End, opening)?.0)
    }

    fn search(&self, wanted: &[Candidate], opening: &Opening<'_>) -> Result<(Arc<Index>, bool), Fault> {
        if !self.piece.blob.is_serial() {
            return self.run(Until::End, opening);
        }
        let (index, ended) = self.run(Until::Match(wanted), opening)?;
        let trail = opening.known::<Trail>(self.piece.stamp, "packed.trail");
        if ended || trail.is_none_or(|trail| trail.left() > LITTLE) {
            return Ok((index, ended));
        }
        // The entry comes first: behind the end it could be reached by unpacking everything again only.
        if let Some(number) = index.len().checked_sub(1).filter(|last| index.kind(*last) == Kind::File) {
            drop(self.open(&index, number, &Hand::of(opening)));
        }
        drop(index);
        // Little that is packed may be much.
        let most = self.turn(opening.budget)?.at().saturating_add(LITTLE * 16);
        self.run(Until::Near(most), opening)
    }

    fn open(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Member, Fault> {
        let path = address(&self.piece, index, number);
        let origin = Origin::new(&self.piece.blob, &part(index, number));
        let mut notes: Vec<Note> =
            index.notes.iter().filter(|note| matches!(note, Note::Damaged { .. })).cloned().collect();
        if let Some(blob) = kept(&self.piece, &origin, hand) {
            return Ok(Member { blob, notes });
        }
        let mut size = index.size(number);
        let start = index.offset(number);
        if index.is(number, odd::DAMAGED) {
            let there = self.piece.blob.len().map(|length| length.saturating_sub(start));
            size = size.min(there.unwrap_or(size));
        }
        let blob: Arc<dyn Blob> = Arc::new(Slice::new(origin.clone(), start, size));
        if !self.piece.blob.is_serial() || size > hand.limits.edit_bytes {
            return Ok(Member { blob, notes });
        }
        let before = notes.len();
        let blob = whole(blob, &origin, &self.piece, (hand, 0), &mut notes).map_err(failed(&path))?;
        // Said once is enough.
        if before > 0 {
            notes.truncate(before);
        }
        Ok(Member { blob, notes })
    }

    fn method(&self, _: &Index, _: usize, _: &Budget) -> String {
        "sparse".to_owned()
    }
}
