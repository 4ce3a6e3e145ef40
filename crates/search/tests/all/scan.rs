//! What matches in texts of every kind, and what is shown of it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use readstone_base::{Blob, Budget, Count, Fixed, Gate, HitRow, Limits, Memory, Role, Span, Spot, Step, Stopped};
use readstone_search::{Case, Extent, Look, Pattern, Scanned, Scanner};
use readstone_source::{Head, Lines};

fn budget() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

fn pattern(text: &str) -> Pattern {
    Pattern::new(text, Case::Exact, &Limits::default()).unwrap()
}

fn look(text: &str, bytes: &[u8]) -> Look {
    let (pattern, limits) = (pattern(text), Limits::default());
    Scanner::new(&pattern, &limits).look(&Memory::new(bytes.to_vec()), &budget()).unwrap()
}

fn hits_within(text: &str, bytes: &[u8], within: Option<&[Span]>, most: u64) -> Scanned {
    let (pattern, limits) = (pattern(text), Limits::default());
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(bytes.to_vec()));
    let head = Head { bytes, samples: &[], size: bytes.len() as u64 };
    let lines: Lines = readstone_formats::open(&head, &blob).unwrap();
    Scanner::new(&pattern, &limits).hits(&lines, within, most, &budget()).unwrap()
}

/// The rows as a reply shows them.
fn rows(scanned: &Scanned) -> Vec<String> {
    let row = |row: &HitRow| {
        let Spot::Line(number) = row.spot else { panic!("a line has a number") };
        format!("{}{number}:{}", if row.role == Role::Match { '*' } else { ' ' }, row.text)
    };
    scanned.hits.rows.iter().map(row).collect()
}

#[test]
fn lines_that_match_come_with_the_lines_around_them() {
    let scanned = hits_within("five", b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", None, 200);
    assert_eq!(rows(&scanned), [" 4:four", "*5:five", " 6:six", " 7:seven", " 8:eight"]);
    assert_eq!(scanned.hits.matches, Count::Exactly(1));
    assert_eq!(scanned.extent, Extent::Whole);
}

#[test]
fn a_look_ends_at_the_first_match_and_says_when_there_is_none() {
    assert_eq!(look("two", b"one\ntwo\n"), Look::Match);
    assert_eq!(look("three", b"one\ntwo\n"), Look::NoMatch(Extent::Whole));
    assert_eq!(look("^$", b""), Look::NoMatch(Extent::Whole));
    assert_eq!(look("x", b"\x7FELF\0\0\0x"), Look::Binary);
}

#[test]
fn the_end_of_a_line_stands_before_lf_and_crlf_and_not_before_a_lone_cr() {
    let scanned = hits_within("a$", b"a\nba\r\na\rb\nca", None, 200);
    let matching: Vec<_> = rows(&scanned).into_iter().filter(|row| row.starts_with('*')).collect();
    assert_eq!(matching, ["*1:a", "*2:ba", "*4:ca"]);
}

#[test]
fn context_lines_are_shown_once_and_end_before_a_match_that_is_not_shown() {
    let text = b"x1\na\nx2\nb\nc\nx3\nd\ne\nf\ng\n";
    let scanned = hits_within("x", text, None, 200);
    assert_eq!(rows(&scanned), ["*1:x1", " 2:a", "*3:x2", " 4:b", " 5:c", "*6:x3", " 7:d", " 8:e", " 9:f"]);
    let scanned = hits_within("x", text, None, 2);
    assert_eq!(rows(&scanned), ["*1:x1", " 2:a", "*3:x2", " 4:b", " 5:c"]);
    assert_eq!(scanned.hits.matches, Count::Exactly(3));
    let scanned = hits_within("x", text, None, 0);
    assert!(scanned.hits.rows.is_empty());
    assert_eq!(scanned.hits.matches, Count::Exactly(3));
}

#[test]
fn only_matches_within_the_lines_asked_for_count() {
    let text = b"x1\na\nx2\nb\nc\nx3\nd\ne\nf\nx4\n";
    let scanned = hits_within("x", text, Some(&[Span::new(2, 3), Span::new(9, 30)]), 200);
    assert_eq!(rows(&scanned), [" 2:a", "*3:x2", " 4:b", " 5:c", " 6:x3", " 9:f", "*10:x4"]);
    assert_eq!(scanned.hits.matches, Count::Exactly(2));
    assert!(hits_within("x", text, Some(&[Span::new(11, 30)]), 200).hits.rows.is_empty());
}

#[test]
fn matches_across_lines_show_every_line_they_touch() {
    let text = b"one\nlet x = {\n  a,\n  b,\n};\nfour\nfive\n";
    let scanned = hits_within(r"let x = \{\n\s+a,\n", text, None, 200);
    assert_eq!(rows(&scanned), [" 1:one", "*2:let x = {", "*3:  a,", " 4:  b,", " 5:};", " 6:four"]);
    assert_eq!(scanned.hits.matches, Count::Exactly(2));
}

#[test]
fn a_line_feed_in_a_pattern_stands_for_crlf_too() {
    let text = b"foo\r\nbar\r\nbaz\r\n";
    for pattern in [r"foo\nbar", r"foo\r\nbar", r"foo$\nbar$", "foo\nbar", r"(?x) foo \n bar"] {
        let scanned = hits_within(pattern, text, None, 200);
        assert_eq!(rows(&scanned), ["*1:foo", "*2:bar", " 3:baz"], "{pattern}");
        assert_eq!(look(pattern, text), Look::Match, "{pattern}");
    }
    assert_eq!(look(r"foo\n\nbar", text), Look::NoMatch(Extent::Whole));
}

#[test]
fn lines_of_up_to_512_characters_are_whole_and_longer_ones_are_cut_around_their_first_match() {
    let whole = format!("{}needle{}\n", "é".repeat(400), "ü".repeat(106));
    let scanned = hits_within("needle", whole.as_bytes(), None, 9);
    assert_eq!(scanned.hits.rows[0].text, whole.trim_end());
    assert!(!scanned.hits.rows[0].cut);

    let long = format!("{}needle{}needle\n{}\n", "é".repeat(400), "ü".repeat(400), "c".repeat(600));
    let scanned = hits_within("needle", long.as_bytes(), None, 9);
    let expected = format!("…{}needle{}…", "é".repeat(200), "ü".repeat(200));
    assert_eq!(rows(&scanned), [format!("*1:{expected}"), format!(" 2:{}…", "c".repeat(512))]);
    assert!(scanned.hits.rows.iter().all(|row| row.cut));

    let at_the_end = format!("{}needle\n", "é".repeat(600));
    let scanned = hits_within("needle$", at_the_end.as_bytes(), None, 9);
    assert_eq!(scanned.hits.rows[0].text, format!("…{}needle", "é".repeat(200)));

    let long_match = format!("ab{}\n", "x".repeat(2_000));
    let scanned = hits_within("bx+", long_match.as_bytes(), None, 9);
    assert_eq!(scanned.hits.rows[0].text, format!("ab{}…", "x".repeat(510)));
}

#[test]
fn what_could_deceive_a_reader_is_spelled_out() {
    let scanned = hits_within("evil", "evil\u{202E}\x1B[2J\u{200B}\n".as_bytes(), None, 9);
    assert_eq!(rows(&scanned), ["*1:evil<U+202E>\\x1b[2J<U+200B>"]);
}

#[test]
fn r02_expressions_that_make_others_backtrack_end_quickly_on_a_line_of_six_megabytes() {
    for (line, expected) in [("a".repeat(6_000_000), true), ("a".repeat(6_000_000) + "b!", false)] {
        let none = Look::NoMatch(Extent::Whole);
        assert_eq!(look("(a+)+$", line.as_bytes()), if expected { Look::Match } else { none });
        assert_eq!(look("(.*)*b", line.as_bytes()), if expected { none } else { Look::Match });
        assert_eq!(look("(a|a)*c", line.as_bytes()), none);
        assert_eq!(look("(x+x+)+y", line.as_bytes()), none);
        let scanned = hits_within("(a+)+$", line.as_bytes(), None, 9);
        assert_eq!(scanned.hits.matches, Count::Exactly(u64::from(expected)));
    }
}

/// A file of one line that is nowhere kept: `x` but for what stands at one place.
#[derive(Debug)]
struct Made {
    size: u64,
    at: u64,
    what: &'static [u8],
}

impl Blob for Made {
    fn len(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = usize::try_from(self.size.saturating_sub(offset)).unwrap().min(buffer.len());
        buffer[..count].fill(b'x');
        for (number, byte) in (0_u64..).zip(self.what) {
            let place = (self.at + number).checked_sub(offset).and_then(|place| usize::try_from(place).ok());
            if let Some(slot) = place.and_then(|place| buffer[..count].get_mut(place)) {
                *slot = *byte;
            }
        }
        Ok(count)
    }
}

#[test]
fn r03_a_match_in_a_line_of_a_gigabyte_is_found_and_shown_with_what_stands_around_it() {
    let (pattern, limits) = (pattern("needle"), Limits::default());
    let mut scanner = Scanner::new(&pattern, &limits);
    let size = 1_000_000_000;
    let blob = Made { size, at: 777_777_777, what: b"needle" };
    assert_eq!(scanner.look(&blob, &budget()).unwrap(), Look::Match);
    let lines = Lines { blob: Arc::new(blob), coding: readstone_formats::utf8() };
    let found = scanner.hits(&lines, None, 9, &budget()).unwrap();
    assert_eq!(rows(&found), [format!("*1:…{}needle{}…", "x".repeat(200), "x".repeat(200))]);
    assert_eq!((found.hits.matches, found.extent), (Count::AtLeast(1), Extent::InPieces));
}

#[test]
fn r03_a_long_line_without_a_match_says_that_it_was_looked_at_in_pieces() {
    let (pattern, limits) = (pattern("needle$"), Limits::default());
    let mut scanner = Scanner::new(&pattern, &limits);
    let blob = Made { size: 100_000_000, at: 16_777_210, what: b"needle" };
    assert_eq!(scanner.look(&blob, &budget()).unwrap(), Look::NoMatch(Extent::InPieces));
    let blob = Made { size: 100_000_000, at: 99_999_992, what: b"needle\r\n" };
    assert_eq!(scanner.look(&blob, &budget()).unwrap(), Look::Match);
}

/// A file that claims to be longer than it is by the time it is read.
#[derive(Debug)]
struct Shrunk {
    claimed: u64,
    bytes: Vec<u8>,
}

impl Blob for Shrunk {
    fn len(&self) -> Option<u64> {
        Some(self.claimed)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        Memory::new(self.bytes.clone()).read_at(offset, buffer)
    }
}

#[test]
fn f12_a_file_that_shrinks_while_it_is_read_is_searched_as_far_as_it_goes() {
    let limits = Limits::default();
    for claimed in [400_000, 600_000, 20_000_000] {
        for (length, text) in [(0, ""), (50, "needle\n"), (290_000, "needle")] {
            let bytes = ["plain line\n".repeat(length / 11), text.to_owned()].concat().into_bytes();
            let blob = Shrunk { claimed, bytes };
            let pattern = pattern("needle");
            let found = Scanner::new(&pattern, &limits).look(&blob, &budget()).unwrap();
            let expected = if text.is_empty() { Look::NoMatch(Extent::Whole) } else { Look::Match };
            assert_eq!(found, expected, "{claimed} {length}");
            let lines = Lines { blob: Arc::new(blob), coding: readstone_formats::utf8() };
            let scanned = Scanner::new(&pattern, &limits).hits(&lines, None, 9, &budget()).unwrap();
            assert_eq!(scanned.hits.matches, Count::Exactly(u64::from(!text.is_empty())));
        }
    }
}

/// A file with text at both ends and a hole between them.
#[derive(Debug)]
struct Hole {
    size: u64,
    end: &'static [u8],
}

impl Blob for Hole {
    fn len(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (size, start) = (self.size, self.size - self.end.len() as u64);
        let count = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        for (place, slot) in (offset..).zip(&mut buffer[..count]) {
            *slot = match place {
                0..4096 => b"text\n"[usize::try_from(place % 5).unwrap()],
                place if place >= start => self.end[usize::try_from(place - start).unwrap()],
                _ => 0,
            };
        }
        Ok(count)
    }

    fn next_data(&self, offset: u64) -> std::io::Result<Option<u64>> {
        let start = self.size - self.end.len() as u64;
        Ok(Some(if offset < 4096 { offset } else { offset.max(start) }).filter(|data| *data < self.size))
    }
}

#[test]
fn holes_are_not_read() {
    let (pattern, limits) = (pattern("^needle"), Limits::default());
    let blob = Hole { size: 1 << 40, end: b"\nneedle in the hay\n" };
    let mut scanner = Scanner::new(&pattern, &limits);
    assert_eq!(scanner.look(&blob, &budget()).unwrap(), Look::Match);
    let lines = Lines { blob: Arc::new(blob), coding: readstone_formats::utf8() };
    let found = scanner.hits(&lines, None, 9, &budget()).unwrap();
    assert_eq!(rows(&found).last().unwrap(), "*821:needle in the hay");
    let blob = Hole { size: 1 << 40, end: b"" };
    assert_eq!(scanner.look(&blob, &budget()).unwrap(), Look::NoMatch(Extent::Whole));
}

#[test]
fn a_call_that_is_over_ends_the_scan_with_what_was_found() {
    let (pattern, limits) = (pattern("needle"), Limits::default());
    let budget = budget();
    budget.cancel_token().cancel();
    let blob = Made { size: 100_000_000, at: 50_000_000, what: b"\nneedle\n" };
    let mut scanner = Scanner::new(&pattern, &limits);
    assert_eq!(scanner.look(&blob, &budget).unwrap(), Look::Stopped(Stopped::Cancelled));
    let lines = Lines {
        blob: Arc::new(Made { size: 100_000_000, at: 5, what: b"\nneedle\n" }),
        coding: readstone_formats::utf8(),
    };
    let found = scanner.hits(&lines, None, 9, &budget).unwrap();
    assert_eq!(found.stopped, Some(Stopped::Cancelled));
    assert_eq!(found.hits.matches, Count::AtLeast(1));
}

#[test]
fn the_scan_of_one_large_file_asks_again_and_again_whether_it_may_go_on() {
    #[derive(Debug, Default)]
    struct Counter(AtomicUsize);
    impl Gate for Counter {
        fn pass(&self, _: &Budget, _: Step) -> Result<(), Stopped> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    }
    let (pattern, limits) = (pattern("needle"), Limits::default());
    let gate = Arc::new(Counter::default());
    let budget = budget().behind(Arc::clone(&gate) as Arc<dyn Gate>);
    let blob = Made { size: 100_000_000, at: 99_000_000, what: b"\nneedle\n" };
    assert_eq!(Scanner::new(&pattern, &limits).look(&blob, &budget).unwrap(), Look::Match);
    assert!(gate.0.load(Ordering::Relaxed) > 5, "{gate:?}");
}

#[test]
fn a_match_far_into_a_large_file_is_found_with_its_line_number() {
    let text = ["a plain line of text\n".repeat(2_400_000), "the needle\n".to_owned(), "end\n".repeat(9)].concat();
    assert_eq!(look("needle", text.as_bytes()), Look::Match);
    let scanned = hits_within("needle", text.as_bytes(), None, 9);
    assert_eq!(rows(&scanned)[1], "*2400001:the needle");
    assert_eq!(rows(&scanned).len(), 5);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    #[derive(Debug)]
    struct Broken;
    impl Blob for Broken {
        fn len(&self) -> Option<u64> {
            Some(9)
        }
        fn read_at(&self, _: u64, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    let (pattern, limits) = (pattern("x"), Limits::default());
    assert!(Scanner::new(&pattern, &limits).look(&Broken, &budget()).is_err());
}
