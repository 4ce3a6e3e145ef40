//! The same hits as a plain scan: a naive walk, and each line by itself.

use std::path::Path;

use proptest::prelude::*;
use readstone_base::Limits;
use regex_automata::meta::Regex;
use serde_json::json;

use super::stand::Stand;
use super::trail::{Hits, follow};

const PATTERNS: [&str; 18] = [
    "a", "ab", "a.b", "^a", "b$", "^$", "^", "$", ".", "[^a]", "a+b*$", "(a|b)b", r"\bab\b", r"\s", "ä", "(?i)B",
    "a{2,3}", r"a\z",
];

/// Every file below a directory, a directory's own before those below it.
fn walk(directory: &Path, before: &str, files: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(directory).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let (directories, own): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.file_type().unwrap().is_dir());
    let name = |entry: &std::fs::DirEntry| format!("{before}{}", entry.file_name().into_string().unwrap());
    files.extend(own.iter().map(name));
    for entry in directories {
        walk(&entry.path(), &format!("{}/", name(&entry)), files);
    }
}

/// The lines of a text without their ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.strip_suffix('\n').unwrap_or(text);
    let count = usize::from(!text.is_empty());
    whole.split('\n').take(usize::MAX * count).map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// What a plain scan finds, and in which files.
fn scan(stand: &Stand, pattern: &str) -> (Hits, Vec<String>) {
    let regex = Regex::new(pattern).unwrap();
    let (mut hits, mut files) = (Hits::new(), Vec::new());
    walk(stand.path(), "", &mut files);
    for path in &files {
        let text = std::fs::read_to_string(stand.path().join(path)).unwrap();
        let matching = lines(&text).zip(1..).filter(|(line, _)| regex.is_match(line));
        hits.extend(matching.map(|(_, number)| (path.clone(), number)));
    }
    files.retain(|path| hits.iter().any(|(file, _)| file == path));
    (hits, files)
}

fn text() -> impl Strategy<Value = String> {
    let line = prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "ä", " ", "A", "\r", "x"]), 0..5);
    let end = prop::sample::select(vec!["\n", "\n", "\r\n"]);
    let lines = prop::collection::vec((line, end).prop_map(|(line, end)| line.concat() + end), 0..30);
    (lines, any::<bool>()).prop_map(|(lines, open)| {
        let text = lines.concat();
        if open { text.trim_end_matches(['\n', '\r']).to_owned() } else { text }
    })
}

fn tree() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(("\\.?[ab]{1,2}(/\\.?[ab]{1,2}){0,3}\\.txt", text()), 1..16)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn hits_are_those_of_a_plain_scan_whatever_is_cut_off(
        tree in tree(),
        pattern in prop::sample::select(PATTERNS.to_vec()),
        (files, matches, alone) in (1..5_u64, 1..6_u64, 1..8_u64),
        (before, after, bytes) in (0..3_u64, 0..4_u64, prop::sample::select(vec![300_u64, 1_000, 51_200])),
    ) {
        let limits = Limits {
            search_files: files,
            search_file_matches: matches,
            search_matches: alone,
            search_before: before,
            search_after: after,
            page_bytes: bytes,
            ..Limits::default()
        };
        let stand = Stand::limited(limits);
        for (name, text) in &tree {
            stand.write(name, text);
        }
        let input = json!({ "pattern": pattern, "paths": "." });
        let (hits, shown) = follow(&stand, &input);
        let (right, order) = scan(&stand, pattern);
        prop_assert_eq!(hits, right);
        prop_assert_eq!(shown, order);
        prop_assert_eq!(stand.search(&input).text(), stand.search(&input).text());
    }

    #[test]
    fn a_file_that_is_named_has_the_hits_that_it_has_in_its_directory(
        text in text(),
        pattern in prop::sample::select(PATTERNS.to_vec()),
        (first, count) in (1..20_u64, 0..9_u64),
    ) {
        let stand = Stand::limited(Limits { search_matches: 3, ..Limits::default() });
        stand.write("a.txt", text);
        let (hits, _) = follow(&stand, &json!({ "pattern": pattern, "paths": "a.txt" }));
        let (right, _) = scan(&stand, pattern);
        prop_assert_eq!(&hits, &right);
        let within = format!("a.txt:{first}-{}", first + count);
        let (hits, _) = follow(&stand, &json!({ "pattern": pattern, "paths": within }));
        let right: Hits = right.into_iter().filter(|(_, number)| (first..=first + count).contains(number)).collect();
        prop_assert_eq!(hits, right);
    }
}

const SPANNING: [&str; 8] = ["a\nb", r"b\n", r"\na", r"(?s)a.b\n", r"x\n+x", r"^a$\n^b", r"\n\n", r"a[^x]*\n[^x]*b"];

/// The lines that matches touch which may span them.
fn spanned(text: &str, pattern: &str) -> Vec<u64> {
    let regex = Regex::new(&format!("(?m){pattern}")).unwrap();
    let line = |at: usize| text[..at].matches('\n').count() as u64 + 1;
    let mut lines: Vec<u64> =
        regex.find_iter(text).flat_map(|found| line(found.start())..=line(found.end().max(1) - 1)).collect();
    lines.dedup();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn matches_that_span_lines_mark_the_lines_that_they_touch(
        lines in prop::collection::vec("[abx]{0,2}", 1..30),
        pattern in prop::sample::select(SPANNING.to_vec()),
    ) {
        let stand = Stand::new();
        let text = lines.join("\n") + "\n";
        stand.write("a.txt", &text);
        let (hits, _) = follow(&stand, &json!({ "pattern": pattern, "paths": "." }));
        let shown: Vec<u64> = hits.into_iter().map(|(_, number)| number).collect();
        prop_assert_eq!(shown, spanned(&text, pattern), "{:?}", text);
    }
}

#[test]
fn context_is_what_stands_around_a_match_and_nothing_else() {
    let line = |number: u64| format!("{number}{}\n", if number.is_multiple_of(7) { " hit" } else { "" });
    let text = (1..=60).map(line).collect::<Vec<_>>().concat();
    for (before, after) in [(0, 0), (1, 3), (2, 0), (0, 9), (5, 5)] {
        let limits = Limits { search_before: before, search_after: after, ..Limits::default() };
        let stand = Stand::limited(limits);
        stand.write("a.txt", &text);
        let reply = stand.search(&json!({ "pattern": "hit", "paths": "a.txt" }));
        let near = |number: u64| (7..60).step_by(7).any(|hit| hit <= number + before && number <= hit + after);
        let rows = |number: u64| match (number % 7, near(number)) {
            (0, _) => Some(format!("*{number}:{number} hit\n")),
            (_, true) => Some(format!(" {number}:{number}\n")),
            (_, false) => None,
        };
        let right: String = (1..=60).filter_map(rows).collect();
        let text = reply.text();
        assert_eq!(text.split_once('\n').unwrap().1, right, "{before} before, {after} after");
    }
}
