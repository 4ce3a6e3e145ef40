//! Operations on a text that has changed since, carried over where that is certain.

use std::collections::HashMap;

use gix_imara_diff::{Algorithm, Diff, Token};
use readstone_base::Span;

use crate::arrange::{Place, Placed};

/// The most lines that are compared for one patch while places are proved; then nothing is certain any more.
const WORK: usize = 50_000_000;

/// What stands before the first line and behind the last one; no line is equal to them.
const BEGIN: u32 = 0;
const END: u32 = 1;

/// Arranged operations on the text `then`, as operations on the text `now`; nothing unless every one is certain.
///
/// An operation is certain when the lines it names stand in `now` as they did, with the same lines beside them (for an
/// insertion, on the side where it acts), and can be no others: each of them together with the unchanged lines above
/// it, and also together with the unchanged lines below it, occurs exactly once in `then` and in `now`. So it does not
/// matter which of several equal lines somebody else took away or put in. The beginning and the end of the text count
/// as lines. Insertions at the head and the tail are always certain. Lines are given without their ends.
pub fn carry<L: AsRef<[u8]>>(placed: &[Placed], then: &[L], now: &[L]) -> Option<Vec<Placed>> {
    let mut proof = Proof::new(then, now)?;
    placed.iter().map(|each| Some(Placed { place: proof.place(each.place)?, ..each.clone() })).collect()
}

/// Two texts as numbers, equal for equal lines, and what they have in common.
struct Proof {
    then: Vec<u32>,
    now: Vec<u32>,
    /// The unchanged runs, in order.
    runs: Vec<Run>,
    /// Lines compared so far.
    work: usize,
}

/// Lines that stand in both texts one behind the other.
struct Run {
    then: usize,
    now: usize,
    len: usize,
    /// How many of its first lines are enough to occur together nowhere else.
    head: Enough,
    /// How many of its last lines are.
    tail: Enough,
}

/// How many lines tell a place from every other.
#[derive(Clone, Copy)]
enum Enough {
    /// So many, and perhaps fewer: the last of them stands once in each text.
    AtMost(usize),
    /// So many and no fewer.
    Exactly(usize),
    /// Not known yet.
    Unknown,
}

impl Proof {
    fn new<L: AsRef<[u8]>>(then: &[L], now: &[L]) -> Option<Self> {
        let most = i32::MAX.unsigned_abs() as usize;
        if then.len() + 2 >= most || now.len() + 2 >= most {
            return None;
        }
        let mut known: HashMap<&[u8], u32> = HashMap::with_capacity(then.len());
        let then = numbered(then, &mut known);
        let now = numbered(now, &mut known);
        let numbers = u32::try_from(known.len() + 2).ok()?;
        let single = singles(&then, &now, known.len() + 2);
        let mut runs = unchanged(&then, &now, numbers);
        for run in &mut runs {
            let lines = then.get(run.then..run.then + run.len)?;
            let is_single = |number: &u32| single.get(*number as usize).copied().unwrap_or(false);
            run.head = lines.iter().position(is_single).map_or(Enough::Unknown, |at| Enough::AtMost(at + 1));
            run.tail = lines.iter().rev().position(is_single).map_or(Enough::Unknown, |at| Enough::AtMost(at + 1));
        }
        Some(Self { then, now, runs, work: 0 })
    }

    /// A place of `then` as a place of `now`.
    fn place(&mut self, place: Place) -> Option<Place> {
        // With the beginning of the text at 0, the index of a line is its number.
        let (named, above, below) = match place {
            Place::Head | Place::Tail => return Some(place),
            Place::Lines(span) => (span, 1, 1),
            Place::Before(line) => (Span::new(line, line), 1, 0),
            Place::Behind(line) => (Span::new(line, line), 0, 1),
        };
        let (first, last) = (usize::try_from(named.first).ok()?, usize::try_from(named.last).ok()?);
        let (upper, lower) = (first.checked_sub(above)?, last.checked_add(below)?);
        let at = self.runs.partition_point(|run| run.then <= upper).checked_sub(1)?;
        let (then, now, len) = self.runs.get(at).map(|run| (run.then, run.now, run.len))?;
        if first > last || lower >= then + len {
            return None;
        }
        if !(self.told_from_above(at, first + 1 - then)? && self.told_from_below(at, then + len - last)?) {
            return None;
        }
        let moved = |line: u64| usize::try_from(line).ok().and_then(|line| u64::try_from(line - then + now).ok());
        Some(match place {
            Place::Head | Place::Tail => place,
            Place::Lines(span) => Place::Lines(Span::new(moved(span.first)?, moved(span.last)?)),
            Place::Before(line) => Place::Before(moved(line)?),
            Place::Behind(line) => Place::Behind(moved(line)?),
        })
    }

    /// Whether so many of the first lines of a run occur together nowhere else.
    fn told_from_above(&mut self, at: usize, lines: usize) -> Option<bool> {
        let run = self.runs.get(at)?;
        let (from, to, now) = (run.then, run.then + run.len, run.now);
        match run.head {
            Enough::AtMost(enough) if enough <= lines => return Some(true),
            Enough::Exactly(enough) => return Some(enough <= lines),
            Enough::AtMost(_) | Enough::Unknown => {}
        }
        self.charge(to - from)?;
        let pattern = self.then.get(from..to)?;
        let other = longest_elsewhere(pattern, &self.then, from).max(longest_elsewhere(pattern, &self.now, now));
        self.runs.get_mut(at)?.head = Enough::Exactly(other + 1);
        Some(other < lines)
    }

    /// Whether so many of the last lines of a run occur together nowhere else.
    fn told_from_below(&mut self, at: usize, lines: usize) -> Option<bool> {
        let run = self.runs.get(at)?;
        let (from, to, now) = (run.then, run.then + run.len, run.now + run.len);
        match run.tail {
            Enough::AtMost(enough) if enough <= lines => return Some(true),
            Enough::Exactly(enough) => return Some(enough <= lines),
            Enough::AtMost(_) | Enough::Unknown => {}
        }
        self.charge(to - from)?;
        // The same, read backwards.
        let back = |text: &[u32]| text.iter().rev().copied().collect::<Vec<u32>>();
        let pattern = back(self.then.get(from..to)?);
        let then = longest_elsewhere(&pattern, &back(&self.then), self.then.len() - to);
        let other = then.max(longest_elsewhere(&pattern, &back(&self.now), self.now.len() - now));
        self.runs.get_mut(at)?.tail = Enough::Exactly(other + 1);
        Some(other < lines)
    }

    /// Counts what a comparison costs; nothing when it is too much.
    fn charge(&mut self, lines: usize) -> Option<()> {
        self.work += 2 * lines + self.then.len() + self.now.len();
        (self.work <= WORK).then_some(())
    }
}

/// The lines as numbers, between the two ends.
fn numbered<'a, L: AsRef<[u8]>>(lines: &'a [L], known: &mut HashMap<&'a [u8], u32>) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(lines.len() + 2);
    numbers.push(BEGIN);
    for line in lines {
        let next = u32::try_from(known.len() + 2).unwrap_or(u32::MAX);
        numbers.push(*known.entry(line.as_ref()).or_insert(next));
    }
    numbers.push(END);
    numbers
}

/// Which numbers stand exactly once in each text.
fn singles(then: &[u32], now: &[u32], numbers: usize) -> Vec<bool> {
    let mut counts = vec![(0_u32, 0_u32); numbers];
    for number in then {
        if let Some(count) = counts.get_mut(*number as usize) {
            count.0 += 1;
        }
    }
    for number in now {
        if let Some(count) = counts.get_mut(*number as usize) {
            count.1 += 1;
        }
    }
    counts.into_iter().map(|count| count == (1, 1)).collect()
}

/// The runs between the places where two texts differ, each compared again line by line.
fn unchanged(then: &[u32], now: &[u32], numbers: u32) -> Vec<Run> {
    let tokens = |text: &[u32]| text.iter().map(|number| Token(*number)).collect::<Vec<_>>();
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &tokens(then), &tokens(now), numbers);
    let mut runs = Vec::new();
    let (mut from_then, mut from_now) = (0, 0);
    let last = (then.len(), then.len(), now.len(), now.len());
    let hunks = diff.hunks().map(|hunk| {
        (hunk.before.start as usize, hunk.before.end as usize, hunk.after.start as usize, hunk.after.end as usize)
    });
    for (before, before_end, after, after_end) in hunks.chain([last]) {
        let (old, new) = (then.get(from_then..before), now.get(from_now..after));
        if let Some(len) = old.map(<[u32]>::len).filter(|len| *len > 0)
            && old == new
        {
            runs.push(Run { then: from_then, now: from_now, len, head: Enough::Unknown, tail: Enough::Unknown });
        }
        (from_then, from_now) = (before_end, after_end);
    }
    runs
}

/// How many numbers at most the text has in common with the beginning of the pattern, anywhere but at one place.
fn longest_elsewhere(pattern: &[u32], text: &[u32], except: usize) -> usize {
    let mut joined = Vec::with_capacity(pattern.len() + 1 + text.len());
    joined.extend_from_slice(pattern);
    joined.push(u32::MAX);
    joined.extend_from_slice(text);
    let begins = common_beginnings(&joined);
    let found = begins.iter().skip(pattern.len() + 1).enumerate();
    found.filter(|(at, _)| *at != except).map(|(_, length)| *length).max().unwrap_or(0)
}

/// For each place of a text, how many numbers there are as at its beginning (the Z function).
fn common_beginnings(text: &[u32]) -> Vec<usize> {
    let mut lengths = vec![0_usize; text.len()];
    let (mut left, mut right) = (0, 0);
    for at in 1..text.len() {
        let mut length = match lengths.get(at - left) {
            Some(known) if at < right => (*known).min(right - at),
            Some(_) | None => 0,
        };
        while at + length < text.len() && text.get(length) == text.get(at + length) {
            length += 1;
        }
        if let Some(slot) = lengths.get_mut(at) {
            *slot = length;
        }
        if at + length > right {
            (left, right) = (at, at + length);
        }
    }
    lengths
}
