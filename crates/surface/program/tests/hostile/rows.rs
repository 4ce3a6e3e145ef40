//! The rows of `docs/hostile.md` and the tests that are called after them.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test of files reads them, stops where it cannot, and says what it passes by"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Whether a word is the id of a row: a letter and two digits.
fn is_id(word: &str) -> bool {
    let mut letters = word.chars();
    word.len() == 3
        && letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.all(|letter| letter.is_ascii_digit())
}

/// The ids in the first cell of a row, those between two of them included.
fn ids(cell: &str) -> Vec<String> {
    let one = |part: &str| -> Vec<String> {
        let (first, last) = part.trim().split_once('–').unwrap_or((part.trim(), part.trim()));
        if !is_id(first) || !is_id(last) || first[..1] != last[..1] {
            return Vec::new();
        }
        let (from, to): (u32, u32) = (first[1..].parse().unwrap(), last[1..].parse().unwrap());
        (from..=to).map(|number| format!("{}{number:02}", &first[..1])).collect()
    };
    cell.split(',').flat_map(one).collect()
}

/// The ids of the rows of a page.
fn rows(text: &str) -> BTreeSet<String> {
    let cell = |line: &str| line.strip_prefix("| ").and_then(|line| line.split(" | ").next()).map(ids);
    text.lines().filter_map(cell).flatten().collect()
}

/// The sources of the tests.
fn sources() -> Vec<PathBuf> {
    let (mut found, mut ahead) = (Vec::new(), vec![root().join("crates")]);
    while let Some(directory) = ahead.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.components().any(|part| part.as_os_str() == "tests"));
    found
}

/// The ids with which the names of tests begin: `fn a27_w23_…` behind `#[test]` has two.
fn tested() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in sources() {
        let text = std::fs::read_to_string(path).unwrap();
        let tests = text.split("#[test]").skip(1).filter_map(|behind| behind.split_once("fn ")?.1.split('(').next());
        for name in tests {
            found.extend(name.split('_').map(str::to_ascii_uppercase).take_while(|word| is_id(word)));
        }
    }
    found
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/hostile.md")).unwrap()
}

/// The ids that the page lists with the reason why they have no test of their own.
fn reasoned(page: &str) -> BTreeSet<String> {
    let section = page.split_once("## Rows without a test of their own").map_or("", |(_, section)| section);
    let item = |line: &str| line.strip_prefix("- ").and_then(|item| item.split_once(": ")).map(|(cell, _)| ids(cell));
    section.split("\n## ").next().unwrap_or_default().lines().filter_map(item).flatten().collect()
}

#[test]
fn every_row_has_a_test_that_is_called_after_it_or_a_reason() {
    let page = page();
    let (rows, tested, reasoned) = (rows(&page), tested(), reasoned(&page));
    assert!(rows.len() > 150, "only {} rows were found", rows.len());
    let bare: Vec<&String> = rows.iter().filter(|id| !tested.contains(*id) && !reasoned.contains(*id)).collect();
    assert!(bare.is_empty(), "rows without a test and without a reason: {bare:?}");
    let needless: Vec<&String> = reasoned.iter().filter(|id| tested.contains(*id)).collect();
    assert!(needless.is_empty(), "rows with a test that are said to have none: {needless:?}");
}

#[test]
fn every_test_that_is_called_after_a_row_has_that_row() {
    let rows = rows(&page());
    let unknown: Vec<String> = tested().into_iter().filter(|id| !rows.contains(id)).collect();
    assert!(unknown.is_empty(), "tests are called after rows that are not there: {unknown:?}");
}

#[test]
fn every_attack_that_was_listed_beforehand_has_a_row() {
    let Ok(list) = std::fs::read_to_string(root().join("../shared/HOSTILE.md")) else {
        eprintln!("passed by: the list of attacks is not beside the checkout");
        return;
    };
    let (listed, rows) = (self::rows(&list), rows(&page()));
    assert!(listed.len() > 150, "only {} rows were found", listed.len());
    let missing: Vec<&String> = listed.iter().filter(|id| !rows.contains(*id)).collect();
    assert!(missing.is_empty(), "docs/hostile.md does not know {missing:?}");
}
