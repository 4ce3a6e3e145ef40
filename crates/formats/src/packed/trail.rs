//! What is remembered of a deflate stream: places where unpacking can begin again.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zlib_rs::{Inflate, InflateFlush};

use super::feed::{Feed, Input};

/// A match reaches back at most this far.
pub(super) const HISTORY: usize = 32 * 1024;
/// Output bytes between two points, to begin with.
const DISTANCE: u64 = 1024 * 1024;
/// Points kept of the longest stream; beyond that every second is dropped.
const MOST_POINTS: u64 = 512;
/// Points kept of any stream that is not tiny, however well it is packed.
const LEAST_POINTS: u64 = 4;
/// A tiny stream has so many bytes.
const TINY: u64 = 16 * 1024;
/// Output bytes behind a point that tell whether unpacking began at the right bit.
pub(super) const PROOF: usize = 96;
/// A proof shorter than this proves nothing.
const LEAST_PROOF: usize = 16;

/// A place at which a block begins.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The offset in the output.
    pub(super) out: u64,
    /// The byte of the source in front of which it lies.
    pub(super) byte: u64,
    /// How many bits in front of that byte it lies, once that is known.
    pub(super) back: Option<u8>,
    /// The output before it.
    pub(super) history: Box<[u8]>,
    /// The output behind it.
    pub(super) proof: Vec<u8>,
    /// The checksum of the member up to here.
    pub(super) crc: u32,
    /// Bytes of the member up to here.
    pub(super) member: u64,
}

/// Everything remembered of one stream; shared by all who read it.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    known: Mutex<Known>,
    taken: AtomicU64,
    whole: AtomicU64,
    reached: AtomicU64,
}

#[derive(Debug)]
struct Known {
    points: Vec<Point>,
    most: u64,
    distance: u64,
    length: Option<u64>,
    behind: u64,
}

impl Default for Known {
    fn default() -> Self {
        Self { points: Vec::new(), most: MOST_POINTS, distance: DISTANCE, length: None, behind: 0 }
    }
}

/// How many points the trail of a stream has at most: as many as it needs where it is packed as text is.
fn most_points(source: u64) -> u64 {
    let least = if source > TINY { LEAST_POINTS } else { 1 };
    (source.saturating_mul(4) / DISTANCE).saturating_add(least).min(MOST_POINTS)
}

impl Trail {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a point is wanted at this offset of the output.
    pub(super) fn wants(&self, out: u64) -> bool {
        let known = self.lock();
        out >= known.points.last().map_or(0, |point| point.out).saturating_add(known.distance)
    }

    pub(super) fn add(&self, point: Point) {
        if point.back.is_none() && point.proof.len() < LEAST_PROOF {
            return;
        }
        let mut known = self.lock();
        if known.points.last().is_some_and(|last| last.out >= point.out) {
            return;
        }
        known.points.push(point);
        if known.points.len() as u64 > known.most {
            let mut count = 0_usize;
            known.points.retain(|_| {
                count += 1;
                count.is_multiple_of(2)
            });
            known.distance *= 2;
        }
    }

    /// The length of the output, and how many bytes stand behind the last member.
    pub(super) fn end(&self, length: u64, behind: u64) {
        let mut known = self.lock();
        known.length = Some(length);
        known.behind = behind;
    }

    pub(super) fn length(&self) -> Option<u64> {
        self.lock().length
    }

    /// How many bytes behind the last member belong to nothing, as far as was seen.
    pub(crate) fn behind(&self) -> u64 {
        self.lock().behind
    }

    /// Says how far the source was read, and where it ends.
    pub(super) fn take(&self, at: u64, whole: u64) {
        self.taken.store(at, Ordering::Relaxed);
        self.whole.store(whole, Ordering::Relaxed);
    }

    /// Says that the output goes at least so far.
    pub(super) fn reach(&self, out: u64) {
        self.reached.fetch_max(out, Ordering::Relaxed);
    }

    /// How far the output goes at least.
    pub(super) fn reached(&self) -> u64 {
        self.reached.load(Ordering::Relaxed)
    }

    /// How many bytes of the source were not read yet, counted from where it was read last.
    pub(crate) fn left(&self) -> u64 {
        self.whole.load(Ordering::Relaxed).saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// A trail for a stream of so many packed bytes.
    pub(crate) fn of(source: u64) -> Arc<Self> {
        let known = Known { most: most_points(source), ..Known::default() };
        Arc::new(Self { known: Mutex::new(known), ..Self::default() })
    }

    /// How many bytes the trail of a stream takes at most.
    pub(crate) fn cost(source: u64) -> u64 {
        most_points(source) * (HISTORY as u64 + 256)
    }

    /// The last usable point in `from..=to` of the output.
    pub(super) fn point(&self, from: u64, to: u64, input: &Input) -> io::Result<Option<Point>> {
        loop {
            let Some(mut point) = self.last_in(from, to) else { return Ok(None) };
            if point.back.is_some() {
                return Ok(Some(point));
            }
            point.back = find_bit(&point, self.more(&point), input)?;
            let mut known = self.lock();
            if point.back.is_none() {
                known.points.retain(|other| other.out != point.out);
                continue;
            }
            if let Some(kept) = known.points.iter_mut().find(|other| other.out == point.out) {
                kept.back = point.back;
                kept.proof = Vec::new();
            }
            return Ok(Some(point));
        }
    }

    fn more(&self, point: &Point) -> More {
        // No stored block is longer than this.
        let behind = point.out.saturating_add(0xFFFF);
        let member = |point: &Point| point.out - point.member;
        let known = self.lock();
        let follows = known
            .points
            .iter()
            .rev()
            .take_while(|other| other.out > behind)
            .any(|other| member(other) == member(point));
        if follows { More::Follows } else { More::Unknown }
    }

    fn last_in(&self, from: u64, to: u64) -> Option<Point> {
        let known = self.lock();
        let behind = known.points.partition_point(|point| point.out <= to);
        known.points.get(..behind)?.last().filter(|point| point.out >= from).cloned()
    }
}

/// The number of bits before the point's byte at which its block begins. The decoder does not tell it; but of the
/// eight possible beginnings one gives the output that was seen, and when no other does it must be that one.
fn find_bit(point: &Point, more: More, input: &Input) -> io::Result<Option<u8>> {
    let mut fitting = Vec::new();
    for back in 0..8 {
        if fits(point, back, input)? {
            fitting.push(back);
        }
    }
    match fitting[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        _ => find_stored(point, &fitting, more, input),
    }
}

/// Whether the member is known to go on behind the block that begins at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum More {
    Follows,
    Unknown,
}

/// Chooses among beginnings that differ only in bits of no account. A stored block goes on at the next whole byte, so
/// it does not matter how many of the zeros before that are taken for its header; a bit that makes it the last block
/// does, but where more follows, it is not the last.
fn find_stored(point: &Point, fitting: &[u8], more: More, input: &Input) -> io::Result<Option<u8>> {
    let Some(from) = point.byte.checked_sub(1) else { return Ok(None) };
    let mut bytes = [0; 2];
    input.source.read_at(from, &mut bytes)?;
    let bits = u16::from_le_bytes(bytes);
    let header = |back: u8| bits >> (8 - back) & 0b111;
    let stored = fitting.iter().all(|back| header(*back) & 0b110 == 0);
    let near = fitting.iter().filter(|back| **back >= 3).count();
    if !stored || (near > 0 && near < fitting.len()) {
        return Ok(None);
    }
    let mut open = fitting.iter().filter(|back| header(**back) == 0);
    Ok(match (open.clone().count(), more) {
        (0, _) => fitting.first().copied(),
        (count, More::Unknown) if count < fitting.len() => None,
        (_, More::Unknown | More::Follows) => open.next().copied(),
    })
}

fn fits(point: &Point, back: u8, input: &Input) -> io::Result<bool> {
    let Some(bit) = (point.byte * 8).checked_sub(u64::from(back)) else { return Ok(false) };
    let mut feed = Feed::new(input.clone(), bit, Feed::SMALL);
    let mut inflate = Inflate::new(false, 15);
    if inflate.set_dictionary(&point.history).is_err() {
        return Ok(false);
    }
    let mut output = vec![0; point.proof.len()];
    let mut made = 0;
    while made < output.len() {
        let bytes = feed.load()?;
        let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
        let room = output.get_mut(made..).unwrap_or_default();
        let Ok(status) = inflate.decompress(bytes, room, InflateFlush::NoFlush) else { return Ok(false) };
        let step = super::size(inflate.total_out() - before_out);
        let used = super::size(inflate.total_in() - before_in);
        feed.take(used);
        made += step;
        if status == zlib_rs::Status::StreamEnd || (step == 0 && used == 0) {
            break;
        }
    }
    Ok(made == output.len() && output == point.proof)
}
