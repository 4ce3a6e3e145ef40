//! The memory of queries is bounded for the whole process, so this has a process of its own.

#![expect(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

#[path = "database/stand.rs"]
mod stand;

use stand::Stand;

#[test]
fn memory_is_bounded_for_sorting_and_gathering() {
    let rows = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100000)";
    let (code, text) = Stand::new("CREATE TABLE t (a);")
        .fails(&format!("?q={rows} SELECT * FROM (SELECT i, randomblob(4000) AS b FROM c) ORDER BY b"));
    assert_eq!(code, "database.limit", "{text}");
    assert!(text.contains("query_memory"), "{text}");
}
