//! Unpacks a deflate stream in order, leaving points on its way.

use std::io;
use std::ops::Range;

use crc32fast::Hasher;
use zlib_rs::{Inflate, InflateFlush, Status};

use super::feed::{Feed, Input};
use super::gzip::{self, Member, Trailer};
use super::trail::{HISTORY, PROOF, Point, Trail};
use super::trouble::Trouble;

/// Output bytes unpacked in one go.
pub(super) const CHUNK: usize = 256 * 1024;

/// What stands round a deflate stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Members of gzip, one after the other.
    Gzip,
    /// Nothing; its size and its checksum were declared elsewhere.
    Bare {
        /// The declared size.
        size: u64,
        /// The declared checksum.
        crc: u32,
    },
}

impl Frame {
    /// How long a buffer must be for what comes behind `from` bytes of output: little for a little stream.
    fn buffer(self, from: u64) -> usize {
        // Room for more than was declared shows that there is more.
        const MORE: u64 = 64;
        let most = HISTORY + CHUNK;
        match self {
            Self::Gzip => most,
            Self::Bare { size, .. } => {
                let kept = from.min(HISTORY as u64);
                super::size(size.saturating_sub(from).saturating_add(kept + MORE)).min(most)
            }
        }
    }
}

/// A place in a stream from which it is unpacked.
pub(super) struct Decoder {
    inflate: Inflate,
    feed: Feed,
    frame: Frame,
    buffer: Vec<u8>,
    /// The offset in the output of the first byte in the buffer.
    start: u64,
    filled: usize,
    crc: Hasher,
    member: u64,
    pending: Option<Point>,
    ended: bool,
    failed: Option<Trouble>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("start", &self.start).field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl Decoder {
    /// Begins at the beginning.
    pub(super) fn new(input: &Input, frame: Frame) -> io::Result<Self> {
        let first = input.range.start;
        let mut feed = Feed::new(input.clone(), first * 8, Feed::LARGE);
        let mut failed = None;
        if frame == Frame::Gzip {
            match gzip::behind_header(&feed, first)? {
                Some(start) => feed.jump(start),
                None => failed = Some(Trouble::Damaged { at: first }),
            }
        }
        Ok(Self {
            inflate: Inflate::new(false, 15),
            feed,
            frame,
            buffer: vec![0; frame.buffer(0)],
            start: 0,
            filled: 0,
            crc: Hasher::new(),
            member: 0,
            pending: None,
            ended: false,
            failed,
        })
    }

    /// Begins at a point whose bit is known.
    pub(super) fn resume(input: &Input, frame: Frame, point: &Point) -> io::Result<Self> {
        let bit = (point.byte * 8).saturating_sub(u64::from(point.back.unwrap_or(0)));
        let mut inflate = Inflate::new(false, 15);
        if !point.history.is_empty() && inflate.set_dictionary(&point.history).is_err() {
            return Err(Trouble::Damaged { at: bit / 8 }.into());
        }
        let mut buffer = vec![0; frame.buffer(point.out)];
        let filled = super::copy(&point.history, &mut buffer);
        Ok(Self {
            inflate,
            feed: Feed::new(input.clone(), bit, Feed::LARGE),
            frame,
            buffer,
            start: point.out - filled as u64,
            filled,
            crc: Hasher::new_with_initial_len(point.crc, point.member),
            member: point.member,
            pending: None,
            ended: false,
            failed: None,
        })
    }

    /// The part of the output that is at hand.
    pub(super) fn at_hand(&self) -> Range<u64> {
        self.start..self.position()
    }

    /// Bytes at hand from an offset on.
    pub(super) fn bytes(&self, from: u64) -> &[u8] {
        let at = super::size(from.saturating_sub(self.start));
        self.buffer.get(at..self.filled).unwrap_or_default()
    }

    /// Whether the output ends with what is at hand.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    fn position(&self) -> u64 {
        self.start + self.filled as u64
    }

    /// Unpacks up to a chunk more. What was unpacked before trouble is at hand first; the trouble comes the next time.
    pub(super) fn fill(&mut self, trail: &Trail) -> io::Result<()> {
        if let Some(trouble) = &self.failed {
            return Err(trouble.clone().into());
        }
        self.slide();
        let before = self.filled;
        while self.filled < self.buffer.len() && !self.ended {
            let Err(error) = self.step(trail) else { continue };
            match super::trouble_in(&error) {
                Some(Trouble::Stopped(_)) | None => return Err(error),
                Some(trouble) => self.failed = Some(trouble.clone()),
            }
            if self.filled == before {
                return Err(error);
            }
            break;
        }
        trail.take(self.feed.loaded(), self.feed.end());
        trail.reach(self.position());
        Ok(())
    }

    /// Makes room, keeping what matches may reach back to.
    fn slide(&mut self) {
        let Some(drop) = self.filled.checked_sub(HISTORY).filter(|drop| *drop > 0) else { return };
        self.buffer.copy_within(drop..self.filled, 0);
        self.start += drop as u64;
        self.filled -= drop;
    }

    fn step(&mut self, trail: &Trail) -> io::Result<()> {
        // Members that hold nothing never fill a chunk.
        if self.member == 0 {
            self.feed.go_on()?;
        }
        let wanted = self.pending.is_none() && trail.wants(self.position());
        let flush = if wanted { InflateFlush::Block } else { InflateFlush::NoFlush };
        let input = self.feed.load()?;
        let available = input.len();
        let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let capacity = room.len();
        let result = self.inflate.decompress(input, room, flush);
        let made = super::size(self.inflate.total_out() - before_out);
        let used = super::size(self.inflate.total_in() - before_in);
        self.crc.update(room.get(..made).unwrap_or_default());
        self.feed.take(used);
        self.filled += made;
        self.member += made as u64;
        self.prove(trail);
        self.stay_within()?;
        match result {
            Err(_) => Err(Trouble::Damaged { at: self.feed.position() }.into()),
            Ok(Status::StreamEnd) => self.end_member(trail),
            Ok(Status::Ok | Status::BufError) if available == 0 && made == 0 => {
                Err(Trouble::Cut { at: self.feed.end() }.into())
            }
            Ok(Status::Ok | Status::BufError) => {
                // With both input and room left, it stopped because a block ended.
                if wanted && used < available && made < capacity {
                    self.mark();
                }
                Ok(())
            }
        }
    }

    fn stay_within(&self) -> io::Result<()> {
        match self.frame {
            Frame::Bare { size, .. } if self.position() > size => Err(Trouble::Size { declared: size }.into()),
            Frame::Bare { .. } | Frame::Gzip => Ok(()),
        }
    }

    fn mark(&mut self) {
        let known = super::size(self.member).min(HISTORY).min(self.filled);
        let history = self.buffer.get(self.filled - known..self.filled).unwrap_or_default();
        self.pending = Some(Point {
            out: self.position(),
            byte: self.feed.position(),
            back: None,
            history: history.into(),
            proof: Vec::new(),
            crc: self.crc.clone().finalize(),
            member: self.member,
        });
    }

    /// Remembers the pending point once enough of what follows it is known.
    fn prove(&mut self, trail: &Trail) {
        let behind = self.pending.as_ref().map_or(0, |point| self.position() - point.out);
        if behind >= PROOF as u64 {
            self.keep_pending(trail);
        }
    }

    fn keep_pending(&mut self, trail: &Trail) {
        if let Some(mut point) = self.pending.take() {
            point.proof = self.bytes(point.out).iter().take(PROOF).copied().collect();
            trail.add(point);
        }
    }

    fn end_member(&mut self, trail: &Trail) -> io::Result<()> {
        self.keep_pending(trail);
        let crc = std::mem::take(&mut self.crc).finalize();
        match self.frame {
            Frame::Bare { size, .. } if self.position() != size => Err(Trouble::Size { declared: size }.into()),
            Frame::Bare { crc: declared, .. } if crc != declared => Err(Trouble::Checksum.into()),
            Frame::Bare { .. } => {
                self.finish(trail, 0);
                Ok(())
            }
            Frame::Gzip => self.end_gzip(trail, Member { crc, size: self.member }),
        }
    }

    fn end_gzip(&mut self, trail: &Trail, member: Member) -> io::Result<()> {
        let behind = match gzip::trailer(&self.feed, self.feed.position(), member)? {
            Trailer::Fits(behind) => behind,
            Trailer::Wrong => return Err(Trouble::Checksum.into()),
            Trailer::Cut => return Err(Trouble::Cut { at: self.feed.end() }.into()),
        };
        let Some(next) = gzip::behind_header(&self.feed, behind)? else {
            self.finish(trail, self.feed.end().saturating_sub(behind));
            return Ok(());
        };
        self.feed.jump(next);
        self.inflate.reset(false);
        self.member = 0;
        if trail.wants(self.position()) {
            trail.add(Point {
                out: self.position(),
                byte: next,
                back: Some(0),
                history: Box::default(),
                proof: Vec::new(),
                crc: 0,
                member: 0,
            });
        }
        Ok(())
    }

    fn finish(&mut self, trail: &Trail, behind: u64) {
        self.ended = true;
        trail.end(self.position(), behind);
    }
}
