//! What matches in texts of every kind, and what is shown of it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use readstone_base::{Blob, Budget, Count, Fixed, Limits, Memory, Role, Span, Spot};
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
    let row = |row: &readstone_base::HitRow| {
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
