//! The memory of queries is bounded for the whole process, so each test has a process of its own.

#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use readstone_base::{Blob, Memory};

use crate::alone::alone;
use crate::database::stand::{self, Stand, made};

/// Kilobytes of memory that this process has, or had at most.
fn kilobytes(of: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(of)).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

fn sorts(rows: u64) -> (Arc<dyn Blob>, String) {
    let bytes = made(&format!(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name, age);
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {rows})
         INSERT INTO t SELECT i, 'n' || i, i % 90 FROM c;"
    ));
    (Arc::new(Memory::new(bytes)), "?q=SELECT * FROM t ORDER BY name || age DESC".to_owned())
}

#[test]
fn many_sorts_at_once_stay_within_the_memory_of_queries() {
    if !alone(many_sorts_at_once_stay_within_the_memory_of_queries) {
        return;
    }
    let (blob, sql) = sorts(1_000_000);
    let before = kilobytes("VmRSS:");
    let threads = (0..24).map(|_| {
        let (blob, sql) = (Arc::clone(&blob), sql.clone());
        std::thread::spawn(move || {
            let stand = Stand::of(blob);
            for _ in 0..2 {
                match stand.see(Some(&sql)) {
                    stand::Seen::Rows(page) => assert_eq!(page.rows.len(), 500),
                    stand::Seen::Failed { code, text, .. } => {
                        assert_eq!(code, "database.limit", "{text}");
                        assert!(text.contains("query_memory"), "{text}");
                    }
                    other => panic!("{other:?}"),
                }
            }
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        thread.join().unwrap();
    }
    let grown = kilobytes("VmHWM:").saturating_sub(before) / 1024;
    assert!(grown < 112, "{grown} MB");
    // What was taken is given back.
    let (blob, sql) = sorts(100_000);
    assert_eq!(Stand::of(blob).rows(&sql).rows.len(), 500);
}

#[test]
fn memory_is_bounded_for_sorting_and_gathering() {
    if !alone(memory_is_bounded_for_sorting_and_gathering) {
        return;
    }
    let rows = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100000)";
    let (code, text) = Stand::new("CREATE TABLE t (a);")
        .fails(&format!("?q={rows} SELECT * FROM (SELECT i, randomblob(4000) AS b FROM c) ORDER BY b"));
    assert_eq!(code, "database.limit", "{text}");
    assert!(text.contains("query_memory"), "{text}");
}
