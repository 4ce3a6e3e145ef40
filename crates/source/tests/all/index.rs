//! The line index, against a list of all line starts.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::io;
use std::sync::Arc;

use proptest::prelude::{Strategy, proptest};
use proptest::{collection, sample, test_runner};
use readstone_base::{Blob, Budget, Fixed, Identity, Memory, Stamp};
use readstone_source::{Found, LineIndex, Newline};

fn config(cases: u32) -> test_runner::Config {
    test_runner::Config {
        cases,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x50C1_0002),
        max_shrink_iters: 200,
        ..test_runner::Config::default()
    }
}

const KINDS: [Newline; 5] = [Newline::Byte, Newline::Utf16Le, Newline::Utf16Be, Newline::Utf32Le, Newline::Utf32Be];

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn lines_are_found_in_any_order(recipe in recipe(), newline in kind(), asks in collection::vec(ask(), 1..8)) {
        let bytes = recipe.bytes(newline);
        let blob = Memory::new(bytes.clone());
        let twin = Twin::new(&bytes, newline);
        let mut index = LineIndex::new(newline, twin.size);
        for ask in asks {
            check(&mut index, &blob, &twin, ask);
        }
        assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(twin.total));
        assert_eq!(index.total(), Some(twin.total));
    }

    #[test]
    fn a_file_that_grew_keeps_what_was_counted(
        recipe in recipe(), more in recipe(), newline in kind(), asks in collection::vec(ask(), 0..4)
    ) {
        let old = recipe.bytes(newline);
        let mut new = old.clone();
        new.extend(more.bytes(newline));
        new.push(0);
        let mut index = counted(&old, newline, &asks);
        let (blob, twin) = (Memory::new(new.clone()), Twin::new(&new, newline));
        assert!(index.revive(&blob, stamp(new.len(), 1)).unwrap(), "the same file, grown");
        for ask in asks {
            check(&mut index, &blob, &twin, ask);
        }
        assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(twin.total));
    }

    #[test]
    fn an_index_in_a_file_with_holes_counts_the_same(recipe in recipe(), newline in kind(), asks in collection::vec(ask(), 1..6)) {
        let mut bytes = recipe.bytes(newline);
        let hole = vec![0; 600 * 1024];
        let middle = bytes.len() / 8192 * 4096;
        bytes.splice(middle..middle, hole);
        let twin = Twin::new(&bytes, newline);
        let blob = Holed(bytes);
        let mut index = LineIndex::new(newline, twin.size);
        for ask in asks {
            check(&mut index, &blob, &twin, ask);
        }
        assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(twin.total));
    }
}

/// A file made of runs of lines: how many, and how long each is.
#[derive(Clone, Debug)]
struct Recipe {
    runs: Vec<(usize, usize)>,
    tail: usize,
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let run = sample::select(vec![(0, 0), (1, 0), (3, 5), (40, 1), (2_000, 30), (1, 300_000), (9_000, 7), (5, 70_000)]);
    (collection::vec(run, 0..5), 0_usize..9).prop_map(|(runs, tail)| Recipe { runs, tail })
}

impl Recipe {
    /// The file in the units of a newline; the tail need not be whole units.
    fn bytes(&self, newline: Newline) -> Vec<u8> {
        let letter: Vec<u8> = newline.feed().iter().map(|byte| if *byte == b'\n' { b'x' } else { *byte }).collect();
        let mut bytes = Vec::new();
        for (lines, length) in &self.runs {
            let line = [letter.repeat(length / newline.width()), newline.feed().to_vec()].concat();
            bytes.extend(line.repeat(*lines));
        }
        bytes.extend(vec![b'y'; self.tail]);
        bytes
    }
}

/// A question: a share of the lines, or of the bytes, in thousandths; beyond 1000 lies behind the end.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Line(u64),
    Byte(u64),
}

fn ask() -> impl Strategy<Value = Ask> {
    (proptest::bool::ANY, 0_u64..1010).prop_map(|(line, share)| if line { Ask::Line(share) } else { Ask::Byte(share) })
}

fn kind() -> impl Strategy<Value = Newline> {
    sample::select(KINDS.to_vec())
}

fn budget() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

fn stamp(size: usize, tick: i128) -> Stamp {
    Stamp { identity: Identity { device: 1, inode: 2 }, size: size as u64, modified: tick, changed: tick }
}

/// Where every line starts.
struct Twin {
    starts: Vec<u64>,
    total: u64,
    size: u64,
}

impl Twin {
    fn new(bytes: &[u8], newline: Newline) -> Self {
        let width = newline.width();
        let feeds = bytes.chunks(width).enumerate().filter(|(_, unit)| *unit == newline.feed());
        let starts: Vec<u64> =
            std::iter::once(0).chain(feeds.map(|(number, _)| ((number + 1) * width) as u64)).collect();
        let open = starts.last() != Some(&(bytes.len() as u64));
        let total = starts.len() as u64 - u64::from(!open);
        Self { starts, total, size: bytes.len() as u64 }
    }
}

fn check(index: &mut LineIndex, blob: &dyn Blob, twin: &Twin, ask: Ask) {
    match ask {
        Ask::Line(share) => {
            let line = (twin.total * share / 1000).max(1);
            let start = twin.starts[usize::try_from(line - 1).unwrap().min(twin.starts.len() - 1)];
            let right = if line <= twin.total { Found::At(start) } else { Found::Only(twin.total) };
            assert_eq!(index.find(blob, line, &budget()).unwrap(), Ok(right), "line {line} of {}", twin.total);
        }
        Ask::Byte(share) => {
            let offset = (twin.size * share / 1000).min(twin.size);
            let number = twin.starts.partition_point(|start| *start <= offset);
            let right = Some((number as u64, twin.starts[number - 1]));
            assert_eq!(
                index.line_at(blob, offset, u64::MAX, &budget()).unwrap(),
                right,
                "byte {offset} of {}",
                twin.size
            );
        }
    }
}

/// A sealed index of which as much is counted as the questions needed.
fn counted(bytes: &[u8], newline: Newline, asks: &[Ask]) -> LineIndex {
    let blob = Memory::new(bytes.to_vec());
    let twin = Twin::new(bytes, newline);
    let mut index = LineIndex::new(newline, twin.size);
    for ask in asks {
        check(&mut index, &blob, &twin, *ask);
    }
    index.seal(&blob, stamp(bytes.len(), 0)).unwrap();
    index
}

/// Bytes whose blocks of zeros are holes.
#[derive(Debug)]
struct Holed(Vec<u8>);

impl Blob for Holed {
    fn len(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Memory::new(self.0.clone()).read_at(offset, buffer)
    }

    fn next_data(&self, offset: u64) -> io::Result<Option<u64>> {
        let block = 4096;
        let at = usize::try_from(offset).unwrap();
        for (number, bytes) in self.0.chunks(block).enumerate().skip(at / block) {
            if bytes.iter().any(|byte| *byte != 0) {
                return Ok(Some(offset.max((number * block) as u64)));
            }
        }
        Ok(None)
    }
}

/// A text of several hundred kilobytes with all of it counted and proven.
fn known() -> (Vec<u8>, LineIndex) {
    let bytes = b"a line like any other\n".repeat(30_000);
    let mut index = counted(&bytes, Newline::Byte, &[Ask::Line(1001)]);
    index.seal(&Memory::new(bytes.clone()), stamp(bytes.len(), 0)).unwrap();
    (bytes, index)
}

#[test]
fn an_index_without_proof_is_not_used_again() {
    let bytes = b"one\ntwo\n".to_vec();
    let mut index = LineIndex::new(Newline::Byte, bytes.len() as u64);
    assert!(!index.revive(&Memory::new(bytes.clone()), stamp(bytes.len(), 0)).unwrap());
}

#[test]
fn the_same_file_is_known_again() {
    let (bytes, mut index) = known();
    assert!(index.revive(&Memory::new(bytes.clone()), stamp(bytes.len(), 0)).unwrap());
    assert_eq!(index.total(), Some(30_000));
}

#[test]
fn a_changed_file_is_refused() {
    let (bytes, mut index) = known();
    // The same size at another time: anything may have changed.
    assert!(!index.revive(&Memory::new(bytes.clone()), stamp(bytes.len(), 1)).unwrap());
    for place in [0, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[place] = b'!';
        other.extend(b"more\n");
        assert!(!index.revive(&Memory::new(other.clone()), stamp(other.len(), 1)).unwrap(), "changed at {place}");
    }
}

#[test]
fn a_file_that_shrank_is_refused() {
    let (bytes, mut index) = known();
    let short = bytes[..bytes.len() / 2].to_vec();
    assert!(!index.revive(&Memory::new(short.clone()), stamp(short.len(), 1)).unwrap());
    // It shrank and grew again behind our back: the stamp is larger, the bytes are others.
    let mut other = vec![b'z'; bytes.len()];
    other.extend(b"\nmore\n");
    assert!(!index.revive(&Memory::new(other.clone()), stamp(other.len(), 1)).unwrap());
}

#[test]
fn another_file_is_refused() {
    let (bytes, mut index) = known();
    let other = Stamp { identity: Identity { device: 1, inode: 3 }, ..stamp(bytes.len(), 0) };
    assert!(!index.revive(&Memory::new(bytes.clone()), other).unwrap());
}

#[test]
fn a_last_line_that_is_finished_later_is_one_line() {
    let mut index = counted(b"one\ntw", Newline::Byte, &[Ask::Line(1001)]);
    assert_eq!(index.total(), Some(2));
    let grown = b"one\ntwo\nthree\n".to_vec();
    let blob = Memory::new(grown.clone());
    assert!(index.revive(&blob, stamp(grown.len(), 1)).unwrap());
    assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(3));
}

#[test]
fn a_line_far_away_is_not_numbered_when_that_costs_too_much() {
    let bytes = b"line\n".repeat(400_000);
    let blob = Memory::new(bytes.clone());
    let mut index = LineIndex::new(Newline::Byte, bytes.len() as u64);
    assert_eq!(index.line_at(&blob, 1_500_000, 1_000_000, &budget()).unwrap(), None);
    assert_eq!(index.line_at(&blob, 900_000, 1_000_000, &budget()).unwrap(), Some((180_001, 900_000)));
}

#[test]
fn counting_stops_when_the_call_is_stopped() {
    let bytes = b"line\n".repeat(400_000);
    let blob = Memory::new(bytes.clone());
    let mut index = LineIndex::new(Newline::Byte, bytes.len() as u64);
    let stopped = budget();
    stopped.cancel_token().cancel();
    assert!(index.count_all(&blob, &stopped).unwrap().is_err());
    assert_eq!(index.total(), None);
    assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(400_000));
}

#[test]
fn a_place_in_a_long_hole_has_a_line() {
    let mut bytes = b"one\n".to_vec();
    bytes.resize(2 << 20, 0);
    bytes.extend(b"\nlast\n");
    let size = bytes.len() as u64;
    let blob = Holed(bytes);
    let mut index = LineIndex::new(Newline::Byte, size);
    assert_eq!(index.line_at(&blob, 500_000, u64::MAX, &budget()).unwrap(), Some((2, 4)));
    assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(3));
}

#[test]
fn an_empty_file_has_no_line() {
    let blob = Memory::new(Vec::new());
    for newline in KINDS {
        let mut index = LineIndex::new(newline, 0);
        assert_eq!(index.count_all(&blob, &budget()).unwrap(), Ok(0));
        assert_eq!(index.find(&blob, 1, &budget()).unwrap(), Ok(Found::Only(0)));
    }
}
