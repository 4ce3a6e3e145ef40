//! The order of what is found, and its pages.

use proptest::prelude::*;
use readstone_base::Limits;
use serde_json::json;

use super::stand::{Stand, age, exactly};

#[test]
fn the_newest_comes_first_and_equal_times_by_path() {
    let stand = Stand::new();
    for (name, younger) in [("b", 5), ("a", 5), ("sub/z", 9), ("old", 0), ("sub/a", 5)] {
        stand.file(name.as_bytes(), younger);
    }
    age(&stand.path().join("sub"), 7);
    let found = stand.found(json!({ "paths": "*" }));
    assert_eq!(found.paths, ["sub/z", "sub/", "a", "b", "sub/a", "old"]);
    let text = stand.call(json!({ "paths": "*" })).text();
    assert_eq!(text, "sub/\na\nb\nold\n# sub/\nz\na\n");
}

#[test]
fn files_of_one_second_keep_their_order() {
    let stand = Stand::new();
    for (name, nanos) in [("c", 300), ("a", 100), ("b", 200)] {
        let path = stand.write(name, "");
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::new(1_700_000_000, nanos);
        std::fs::File::open(path).unwrap().set_modified(time).unwrap();
    }
    assert_eq!(stand.found(json!({ "paths": "*" })).paths, ["c", "b", "a"]);
}

#[test]
fn f22_times_before_1970_and_far_in_the_future_are_in_order() {
    let stand = Stand::new();
    let far = std::time::Duration::from_secs(8_600_000_000);
    let epoch = std::time::SystemTime::UNIX_EPOCH;
    for (name, time) in [("past", epoch - far / 4), ("epoch", epoch), ("future", epoch + far)] {
        let path = stand.write(name, "");
        std::fs::File::open(path).unwrap().set_modified(time).unwrap();
    }
    assert_eq!(stand.found(json!({ "paths": "*" })).paths, ["future", "epoch", "past"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn pages_joined_are_all_paths_once(times in prop::collection::vec(0_u64..4, 1..60), page in 1_u64..9) {
        let stand = Stand::limited(Limits { find_paths: page, ..Limits::default() });
        for (number, younger) in times.iter().enumerate() {
            stand.file(format!("d{}/f{number}", number % 5).as_bytes(), *younger);
        }
        let mut right: Vec<(std::cmp::Reverse<u64>, String)> = times
            .iter()
            .enumerate()
            .map(|(number, younger)| (std::cmp::Reverse(*younger), format!("d{}/f{number}", number % 5)))
            .collect();
        right.sort();
        let (mut skip, mut all) = (0, Vec::new());
        loop {
            let found = stand.found(json!({ "paths": "f*", "skip": skip }));
            prop_assert_eq!(exactly(&found), times.len() as u64);
            prop_assert!(found.paths.len() as u64 <= page);
            all.extend(found.paths);
            match found.next_skip {
                Some(next) => prop_assert!(std::mem::replace(&mut skip, next) < next),
                None => break,
            }
        }
        prop_assert_eq!(all, right.into_iter().map(|(_, path)| path).collect::<Vec<_>>());
    }
}
