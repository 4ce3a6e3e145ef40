//! Pages: bounded, told truly, in any number of paths.

use proptest::prelude::*;
use readstone_base::{Count, Limits, estimate_tokens};
use serde_json::json;

use super::stand::{Stand, found};
use super::trail::{follow, told};

fn many(stand: &Stand, count: usize) {
    for number in 0..count {
        stand.write(&format!("{}/{number:03}.txt", number % 7), format!("stone {number}\nsand\n"));
    }
}

#[test]
fn a_page_says_what_it_shows_of_how_many() {
    let stand = Stand::new();
    many(&stand, 45);
    let page = |skip: u64| stand.search(&json!({ "pattern": "stone", "paths": ".", "skip": skip }));
    let told = |skip: u64| found(&page(skip)).clone();
    for (skip, shown, total, next) in [
        (0, (1, 20), Count::AtLeast(21), Some(20)),
        (20, (21, 40), Count::AtLeast(41), Some(40)),
        (40, (41, 45), Count::Exactly(45), None),
        (25, (26, 45), Count::Exactly(45), None),
    ] {
        let found = told(skip);
        assert_eq!(found.shown.map(|span| (span.first, span.last)), Some(shown), "from {skip}");
        assert_eq!((found.total, found.next_skip), (total, next), "from {skip}");
        assert_eq!(found.matches, shown.1 - shown.0 + 1);
    }
    assert_eq!((told(45).shown, told(45).total), (None, Count::Exactly(45)));
}

#[test]
fn no_more_is_skipped_than_may_be_held() {
    let stand = Stand::new();
    many(&stand, 2);
    let search = |skip: f64| {
        let input = json!({ "pattern": "stone", "paths": ".", "skip": skip });
        let reply = stand.toolbox.call("search", &input, &stand.toolbox.budget());
        (reply.receipt.error.as_ref().map(|error| error.code), reply)
    };
    assert_eq!(found(&search(100_000.0).1).total, Count::Exactly(2));
    for skip in [100_001.0, 1e18, 1e300] {
        let (code, reply) = search(skip);
        assert_eq!(code, Some("find.far_skip"), "{}", reply.text());
    }
}

#[test]
fn what_several_paths_name_is_shown_once_on_whatever_page() {
    for files in [1, 2, 3, 50] {
        let stand = Stand::limited(Limits { search_files: files, ..Limits::default() });
        many(&stand, 20);
        let root = stand.path().display().to_string();
        for paths in [
            json!([".", "0", "1/001.txt"]),
            json!(["1/001.txt", "3", "./3/003.txt", "."]),
            json!(["0/*.txt", "*.txt", &root]),
            json!(["6", "5", "6", "4,3", "2 1 0"]),
        ] {
            let (hits, shown) = follow(&stand, &json!({ "pattern": "stone", "paths": paths }));
            assert_eq!(shown.len(), 20, "{paths} by {files}: {shown:?}");
            assert_eq!(hits.len(), 20, "{paths} by {files}");
        }
    }
}

#[test]
fn every_file_has_its_first_match_before_any_has_its_second() {
    let stand = Stand::limited(Limits { page_bytes: 2_000, search_after: 0, search_before: 0, ..Limits::default() });
    stand.write("a.txt", "stone in the first file\n".repeat(300));
    for name in ["b", "c", "d", "e"] {
        stand.write(&format!("{name}.txt"), "stone\nstone\nstone\n");
    }
    let reply = stand.search(&json!({ "pattern": "stone", "paths": "." }));
    let shown: Vec<u64> = reply.receipt.targets.iter().map(|target| target.matches.unwrap().0).collect();
    assert_eq!(shown.len(), 5, "{}", reply.text());
    assert!(shown[0] > 3 && shown[1..] == [3, 3, 3, 3], "{shown:?}");
    assert!(reply.text().len() <= 2_000, "{}", reply.text().len());
}

#[test]
fn two_thousand_matches_are_the_most_of_one_reply() {
    let stand = Stand::limited(Limits {
        search_files: 200,
        search_file_matches: 200,
        page_bytes: 1 << 20,
        ..Limits::default()
    });
    for number in 0..30 {
        stand.write(&format!("{number:02}.txt"), "stone\n".repeat(100));
    }
    let reply = stand.search(&json!({ "pattern": "stone", "paths": "." }));
    assert_eq!((found(&reply).matches, told(&reply.text()).len()), (2_000, 2_000));
    assert!(reply.text().contains("limit search_all_matches"));
    let (hits, _) = follow(&stand, &json!({ "pattern": "stone", "paths": "." }));
    assert_eq!(hits.len(), 3_000);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_reply_has_no_more_tokens_than_are_allowed(
        lines in prop::collection::vec("[a-z0-9 {}ä中/]{0,120}", 1..40),
        names in prop::collection::btree_set("[a-z]{1,30}(/[a-z中]{1,30}){0,3}", 1..8),
        tokens in 40..2_000_u64,
    ) {
        let stand = Stand::new();
        for name in &names {
            stand.write(&format!("{name}.txt"), lines.join("\n"));
        }
        let reply = stand.search(&json!({ "pattern": ".", "paths": ".", "max_tokens": tokens }));
        // The first match is shown in any case.
        let first = 3 * 120 + 200;
        prop_assert!(estimate_tokens(&reply.text()) <= tokens.max(first), "{}", reply.text());
    }
}

#[test]
fn long_names_count_as_much_as_long_lines() {
    let stand = Stand::new();
    for number in 1..=6 {
        stand.write(
            &format!("{number}/{}/{}.txt", "中中中z".repeat(12), "中q中".repeat(12)),
            "中a ä".repeat(30) + "\n" + &"x".repeat(90),
        );
    }
    for tokens in [600, 900, 1_200, 1_800] {
        let text = stand.search(&json!({ "pattern": ".", "paths": ".", "max_tokens": tokens })).text();
        assert!(estimate_tokens(&text) <= tokens, "{}: {text}", estimate_tokens(&text));
    }
}
