//! What is found is what a plain look at every line finds, however small the pieces are in which a text passes.

use std::sync::Arc;

use proptest::prelude::*;
use readstone_base::{Budget, Count, Fixed, HitRow, Limits, Memory, Role, Span, Spot};
use readstone_source::Lines;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::window::Sizes;
use super::{Extent, Look, Scanned, Scanner};
use crate::pattern::{Case, Pattern};

fn budget() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

fn plain_regex(text: &str) -> Regex {
    let syntax = syntax::Config::new().multi_line(true).utf8(false);
    Regex::builder().configure(Regex::config().utf8_empty(false)).syntax(syntax).build(text).unwrap()
}

/// The lines of a text without their ends.
fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let bare = |line: &'_ [u8]| -> usize {
        let feed = usize::from(line.ends_with(b"\n"));
        line.len() - feed - usize::from(line.ends_with(b"\r\n"))
    };
    text.split_inclusive(|byte| *byte == b'\n').map(|line| &line[..bare(line)]).collect()
}

/// What is asked of a text.
#[derive(Clone, Debug)]
struct Question {
    within: Option<Vec<Span>>,
    most: u64,
    before: u64,
    after: u64,
}

fn questions() -> impl Strategy<Value = Question> {
    let span = (1_u64..12, 0_u64..6).prop_map(|(first, more)| Span::new(first, first + more));
    let within = proptest::option::of(proptest::collection::vec(span, 1..3));
    (within, 0_u64..6, 0_u64..4, 0_u64..4).prop_map(|(within, most, before, after)| Question {
        within,
        most,
        before,
        after,
    })
}

/// The rows and the count that follow from which lines match.
fn plain_rows(text: &[u8], matching: &[bool], question: &Question) -> (Vec<String>, u64) {
    let lines = lines_of(text);
    let wanted = |at: usize| {
        let number = at as u64 + 1;
        question.within.as_ref().is_none_or(|spans| spans.iter().any(|span| span.contains(number)))
    };
    let all: Vec<usize> = (0..lines.len()).filter(|at| matching[*at] && wanted(*at)).collect();
    let shown = &all[..all.len().min(usize::try_from(question.most).unwrap())];
    let mut roles = vec![None; lines.len()];
    let (before, after) = (usize::try_from(question.before).unwrap(), usize::try_from(question.after).unwrap());
    for at in shown {
        // A line that matches and is not shown ends what is shown behind a match.
        let hidden = all.iter().find(|hidden| *hidden > at && !shown.contains(hidden)).copied().unwrap_or(lines.len());
        let end = lines.len().min(at + 1 + after).min(hidden);
        for role in &mut roles[at.saturating_sub(before)..end] {
            role.get_or_insert(' ');
        }
    }
    for at in shown {
        roles[*at] = Some('*');
    }
    let row = |(at, role): (usize, Option<char>)| {
        role.map(|role| format!("{role}{}:{}", at + 1, String::from_utf8_lossy(lines[at]).replace('\r', "\\x0d")))
    };
    (roles.into_iter().enumerate().filter_map(row).collect(), all.len() as u64)
}

fn told(row: &HitRow) -> String {
    let Spot::Line(number) = row.spot else { panic!("a line has a number") };
    format!("{}{number}:{}", if row.role == Role::Match { '*' } else { ' ' }, row.text)
}

struct Setting {
    limits: Limits,
    sizes: Sizes,
}

impl Setting {
    fn new(chunk: usize, span: usize) -> Self {
        Self { limits: Limits::default(), sizes: Sizes { chunk, margin: span / 16, span } }
    }

    fn hits(&self, pattern: &str, text: &[u8], question: &Question) -> Scanned {
        let pattern = Pattern::new(pattern, Case::Exact, &self.limits).unwrap();
        let limits = Limits { search_before: question.before, search_after: question.after, ..self.limits.clone() };
        let lines = Lines { blob: Arc::new(Memory::new(text.to_vec())), coding: readstone_formats::utf8() };
        let mut scanner = Scanner::with_sizes(&pattern, &limits, self.sizes);
        scanner.hits(&lines, question.within.as_deref(), question.most, &budget()).unwrap()
    }

    fn look(&self, pattern: &str, text: &[u8]) -> Look {
        let pattern = Pattern::new(pattern, Case::Exact, &self.limits).unwrap();
        let mut scanner = Scanner::with_sizes(&pattern, &self.limits, self.sizes);
        scanner.look(&Memory::new(text.to_vec()), &budget()).unwrap()
    }
}

fn texts(with: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(with), 0..60).prop_map(|parts| parts.concat())
}

const LETTERS: &[&str] = &["a", "b", "A", "é", "x", " ", "ab", "\n", "\n", "\r\n", "\r", "\n\n"];
const PIECES: &[&str] = &[
    "a", "b", "é", "x", "ab", ".", "a*", "[ab]", "^", "$", r"\b", r"\B", r"\w+", r"\s", r"\s*", "a$", "^b", "^$",
    r"\r", "(a|b)x", "(?i:a)", "[^a]", r"\A", r"\z", "(?R:$)", "é+", "(x|$)", "b?$",
];

fn patterns(of: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(of), 1..4).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn hits_are_those_of_a_plain_scan(
        text in texts(LETTERS), pattern in patterns(PIECES), question in questions(), chunk in 8_usize..40,
    ) {
        let regex = plain_regex(&pattern);
        let matching: Vec<bool> = lines_of(text.as_bytes()).iter().map(|line| regex.is_match(*line)).collect();
        let (rows, count) = plain_rows(text.as_bytes(), &matching, &question);
        let setting = Setting::new(chunk, 1 << 16);
        let scanned = setting.hits(&pattern, text.as_bytes(), &question);
        prop_assert_eq!(scanned.hits.rows.iter().map(told).collect::<Vec<_>>(), rows);
        prop_assert_eq!(scanned.hits.matches, Count::Exactly(count));
        let look = setting.look(&pattern, text.as_bytes());
        let expected = if matching.contains(&true) { Look::Match } else { Look::NoMatch(Extent::Whole) };
        prop_assert_eq!(look, expected);
    }

    #[test]
    fn bytes_that_are_no_text_match_nothing_and_spoil_nothing(
        parts in proptest::collection::vec(proptest::sample::select(
            vec![&b"a"[..], b"b", b"\xFF", b"\xE2\x82", b"\xC3\xA9", b"\n", b"\r\n"]), 0..60),
        pattern in patterns(PIECES), question in questions(), chunk in 8_usize..40,
    ) {
        let text = parts.concat();
        let regex = plain_regex(&pattern);
        let matching: Vec<bool> = lines_of(&text).iter().map(|line| regex.is_match(*line)).collect();
        let (rows, count) = plain_rows(&text, &matching, &question);
        let scanned = Setting::new(chunk, 1 << 16).hits(&pattern, &text, &question);
        prop_assert_eq!(scanned.hits.rows.iter().map(told).collect::<Vec<_>>(), rows);
        prop_assert_eq!(scanned.hits.matches, Count::Exactly(count));
    }

    #[test]
    fn matches_across_lines_are_those_of_the_whole_text(
        text in texts(&["a", "b", "x", " ", "ab", "\n", "\n", "\n\n"]),
        parts in proptest::collection::vec(
            proptest::sample::select(vec!["a", "b", ".", "a*", r"\n", r"\n", r"\s*", r"[^b]", "^", "$", r"(\n|x)", r"\n*?b"]), 1..5),
        question in questions(), chunk in 8_usize..40,
    ) {
        let pattern = parts.concat() + r"\n?";
        let regex = plain_regex(&pattern);
        let lines = lines_of(text.as_bytes());
        let line_at = |at: usize| text[..at].matches('\n').count();
        let mut matching = vec![false; lines.len()];
        for found in regex.find_iter(text.as_bytes()) {
            let last = found.start().max(found.end().saturating_sub(1));
            for number in line_at(found.start())..=line_at(last) {
                if let Some(line) = matching.get_mut(number) {
                    *line = true;
                }
            }
        }
        let (rows, count) = plain_rows(text.as_bytes(), &matching, &question);
        let setting = Setting::new(chunk, 1 << 16);
        let scanned = setting.hits(&pattern, text.as_bytes(), &question);
        prop_assert_eq!(scanned.hits.rows.iter().map(told).collect::<Vec<_>>(), rows);
        prop_assert_eq!(scanned.hits.matches, Count::Exactly(count));
        let expected = if matching.contains(&true) { Look::Match } else { Look::NoMatch(Extent::Whole) };
        prop_assert_eq!(setting.look(&pattern, text.as_bytes()), expected);
    }

    #[test]
    fn short_matches_in_long_lines_are_found_though_the_lines_pass_in_pieces(
        before in 0_usize..900, after in 0_usize..900, chunk in 16_usize..200, filler in "[xé ]",
        pattern in proptest::sample::select(
            vec!["needle", "^needle", "needle$", r"\bneedle\b", "ne+dle", r"needle\z", r"x\Bneedle", r"e$|zz"]),
        end in proptest::sample::select(vec!["", "\n", "\r\n", "\nlast needle"]),
    ) {
        let text = format!("first\n{}needle{}{end}", filler.repeat(before), filler.repeat(after));
        let regex = plain_regex(pattern);
        let lines = lines_of(text.as_bytes());
        let numbers: Vec<u64> = (1..).zip(&lines).filter(|(_, line)| regex.is_match(**line)).map(|(at, _)| at).collect();
        let setting = Setting::new(chunk, 512);
        let question = Question { within: None, most: 9, before: 1, after: 1 };
        let scanned = setting.hits(pattern, text.as_bytes(), &question);
        let matching = scanned.hits.rows.iter().filter(|row| row.role == Role::Match);
        let found: Vec<u64> = matching.map(|row| if let Spot::Line(number) = row.spot { number } else { 0 }).collect();
        prop_assert_eq!(&found, &numbers);
        prop_assert_eq!(scanned.hits.matches.number(), numbers.len() as u64);
        let look = setting.look(pattern, text.as_bytes());
        prop_assert_eq!(look == Look::Match, !numbers.is_empty());
        let rows: Vec<u64> = (1..).zip(&lines).map(|(at, _)| at).collect();
        if found.contains(&2) {
            prop_assert_eq!(scanned.hits.rows.len(), rows.len());
        }
    }

    #[test]
    fn matches_across_lines_are_found_though_the_text_passes_in_pieces(
        lines in proptest::collection::vec("[xy ]{0,20}", 10..200), at in 0_usize..200, chunk in 16_usize..200,
    ) {
        let mut lines = lines;
        let at = at % lines.len();
        lines.insert(at, "needle".to_owned());
        lines.insert(at + 1, "thread".to_owned());
        let text = lines.join("\n");
        let setting = Setting::new(chunk, 512);
        let question = Question { within: None, most: 9, before: 0, after: 0 };
        let scanned = setting.hits(r"needle\nthread", text.as_bytes(), &question);
        let rows: Vec<String> = scanned.hits.rows.iter().map(told).collect();
        prop_assert_eq!(rows, [format!("*{}:needle", at + 1), format!("*{}:thread", at + 2)]);
        prop_assert_eq!(setting.look(r"needle\nthread", text.as_bytes()), Look::Match);
    }
}

fn bytes_of_files() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        4 => "[a-z \n]{0,80}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => "[äöüßéè]{1,8}".prop_map(String::into_bytes),
        1 => "[äöüßéè ]{1,8}".prop_map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        1 => proptest::collection::vec(0_u8..32, 0..10),
        1 => proptest::collection::vec(0xE0_u8..=0xFF, 0..4),
        1 => (0_usize..700).prop_map(|count| vec![0; count]),
        1 => proptest::sample::select(vec![&b"%PDF-"[..], b"GIF89a", b"\xEF\xBB\xBF", b"\xFF\xFE", b"PK\x03\x04"])
            .prop_map(<[u8]>::to_vec),
    ];
    proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn what_bytes_are_is_told_as_read_tells_it(bytes in bytes_of_files()) {
        let blob: Arc<dyn readstone_base::Blob> = Arc::new(Memory::new(bytes.clone()));
        let head = readstone_source::Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
        let seen = readstone_formats::open(&head, &blob).ok().map(|lines| (lines.coding.name(), lines.coding.mark()));
        let told = match super::kind::of_whole(&bytes) {
            super::Kind::Binary => None,
            super::Kind::Utf8 { mark } => Some(("utf-8", mark)),
            super::Kind::Other(coding) => Some((coding.name(), coding.mark())),
        };
        prop_assert_eq!(told, seen);
    }
}

/// A file of one line that is nowhere kept.
#[derive(Debug)]
struct OneLine(u64);

impl readstone_base::Blob for OneLine {
    fn len(&self) -> Option<u64> {
        Some(self.0)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = usize::try_from(self.0.saturating_sub(offset)).unwrap().min(buffer.len());
        buffer[..count].fill(b'x');
        Ok(count)
    }
}

#[test]
fn r03_a_line_of_a_gigabyte_takes_little_memory() {
    let limits = Limits::default();
    for text in ["needle", r"needle\n"] {
        let pattern = Pattern::new(text, Case::Exact, &limits).unwrap();
        let mut scanner = Scanner::new(&pattern, &limits);
        let look = scanner.look(&OneLine(1_000_000_000), &budget()).unwrap();
        assert_eq!(look, Look::NoMatch(Extent::InPieces));
        assert!(scanner.window.held() < 24 * 1024 * 1024, "{} bytes", scanner.window.held());
    }
}
