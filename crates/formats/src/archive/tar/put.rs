//! Puts an entry into a tar archive.
//!
//! Everything before and behind the entry is copied. Its own header stays but for size, time and checksum, and so does
//! what stands before it: long names, and what pax says of it.

mod make;
mod survey;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Memory};

use super::super::members::failed;
use super::super::put::{Hit, Job, Outcome, copy};
use super::header::{BLOCK, Role};
use survey::{Bytes, Group, Survey, survey};

/// An archive is filled up to a multiple of this, unless it was not before.
const RECORD: u64 = 20 * BLOCK;
/// Blocks of zeros that say that nothing follows.
const ENDING: u64 = 2 * BLOCK;

/// A tar archive with an entry put in.
#[derive(Debug)]
pub(in super::super) struct Rewrite<'a> {
    blob: Arc<dyn Blob>,
    budget: Budget,
    /// The bytes that go.
    cut: Range<u64>,
    /// The headers that come.
    head: Vec<u8>,
    content: &'a [u8],
    /// Where the last entry ends.
    end: u64,
    tail: Tail,
}

/// What stands behind the last entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    /// So many zeros.
    Zeros(u64),
    /// What stood there, up to this place.
    Copied(u64),
}

/// Plans to put an entry into an archive.
pub(in super::super) fn rewrite<'a>(
    job: &Job<'_, 'a>,
    blob: &Arc<dyn Blob>,
) -> Result<(Outcome<()>, Rewrite<'a>), Fault> {
    let Survey { search, end, length, blank, style } = survey(job, blob)?;
    let outcome = job.choose(search)?;
    let entry = job.entry;
    let size = entry.content.len() as u64;
    let (cut, head) = match &outcome {
        Outcome::Create(name) => (end..end, make::fresh(name, size, entry.modified, style)),
        Outcome::Replace(hit, _) => {
            let head = replaced(job, &**blob, hit)?;
            (hit.place.start..hit.place.end, head)
        }
    };
    let comes = head.len() as u64 + size.next_multiple_of(BLOCK);
    let stop = end - (cut.end - cut.start) + comes;
    let zeros = length - end;
    let tail = if !blank {
        Tail::Copied(length)
    } else if length > 0 && length.is_multiple_of(RECORD) {
        Tail::Zeros((stop + ENDING).next_multiple_of(RECORD) - stop)
    } else {
        let least = if matches!(outcome, Outcome::Create(_)) { ENDING } else { 0 };
        Tail::Zeros(zeros.max(least))
    };
    let (blob, budget) = (Arc::clone(blob), job.opening.budget.clone());
    Ok((outcome.without_place(), Rewrite { blob, budget, cut, head, content: entry.content, end, tail }))
}

/// The headers of an entry, as they say what it holds now.
fn replaced(job: &Job<'_, '_>, blob: &dyn Blob, hit: &Hit<Group>) -> Result<Vec<u8>, Fault> {
    let group = &hit.place;
    if group.bytes != Bytes::Plain {
        return Err(job.refuse_entry(&hit.name, "it has holes, or is of a kind of its own"));
    }
    let mut head = Vec::new();
    let mut at = group.start;
    for (role, end) in &group.before {
        let bytes = blob.read_range(at, *end).map_err(failed(job.path))?;
        match role {
            Role::Pax => head.extend(
                make::records(&bytes, job.entry.modified).ok_or_else(|| job.corrupt("a pax header is malformed"))?,
            ),
            Role::Global | Role::LongName | Role::LongLink | Role::Skip => head.extend(bytes),
            Role::Entry(_) | Role::Bare(_) | Role::Sparse => {}
        }
        at = *end;
    }
    let block = blob.read_range(at, at + BLOCK).map_err(failed(job.path))?;
    head.extend(make::again(&block, job.entry.content.len() as u64, job.entry.modified));
    Ok(head)
}

impl<'a> Rewrite<'a> {
    /// A new archive with one entry.
    pub(in super::super) fn first(job: &Job<'_, 'a>, name: &[u8]) -> Self {
        let content = job.entry.content;
        let head = make::fresh(name, content.len() as u64, job.entry.modified, make::Style::Pax);
        let stop = head.len() as u64 + (content.len() as u64).next_multiple_of(BLOCK);
        Self {
            blob: Arc::new(Memory::new(Vec::new())),
            budget: job.opening.budget.clone(),
            cut: 0..0,
            head,
            content,
            end: 0,
            tail: Tail::Zeros((stop + ENDING).next_multiple_of(RECORD) - stop),
        }
    }

    pub(in super::super) fn write(&self, sink: &mut dyn io::Write) -> io::Result<()> {
        let blob = &*self.blob;
        copy(blob, 0..self.cut.start, sink, &self.budget)?;
        sink.write_all(&self.head)?;
        for piece in self.content.chunks(256 * 1024) {
            crate::packed::go_on(&self.budget)?;
            sink.write_all(piece)?;
        }
        let size = self.content.len() as u64;
        zeros(size.next_multiple_of(BLOCK) - size, sink)?;
        copy(blob, self.cut.end..self.end, sink, &self.budget)?;
        match self.tail {
            Tail::Zeros(count) => zeros(count, sink),
            Tail::Copied(to) => copy(blob, self.end..to, sink, &self.budget),
        }
    }
}

fn zeros(count: u64, sink: &mut dyn io::Write) -> io::Result<()> {
    io::copy(&mut io::Read::take(io::repeat(0), count), sink).map(drop)
}
