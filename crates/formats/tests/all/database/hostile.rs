//! Queries that want more than to read, and files that are not what they say.

use std::sync::Arc;
use std::time::{Duration, Instant};

use readstone_base::{Blob, Limits, Memory};

use super::stand::{Seen, Stand, going, made};

fn plain() -> Stand {
    Stand::new("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT a FROM t;")
}

#[test]
fn statements_that_do_more_than_read_are_refused() {
    let stand = plain();
    for sql in [
        "VACUUM INTO '/tmp/x'",
        "VACUUM",
        "ATTACH '/other.db' AS o",
        "ATTACH '' AS o",
        "ATTACH 'file:x?mode=rwc' AS o",
        "WITH a AS (SELECT 1) DELETE FROM t",
        "INSERT INTO t VALUES (3) RETURNING a",
        "EXPLAIN DELETE FROM t",
        "UPDATE t SET a = 1",
        "PRAGMA writable_schema = 1",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA temp_store_directory = '/'",
        "PRAGMA user_version = 3",
        "PRAGMA hard_heap_limit = 0",
        "SELECT * FROM pragma_hard_heap_limit",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple')",
        "BEGIN IMMEDIATE",
        "COMMIT",
        "SAVEPOINT s",
        "CREATE TEMP TABLE x (a)",
        "CREATE TABLE x (a)",
        "DROP TABLE t",
        "ALTER TABLE t ADD COLUMN b",
        "REINDEX",
        "ANALYZE",
        "PRAGMA wal_checkpoint",
        "PRAGMA integrity_check",
        "PRAGMA mmap_size = 1000000",
        "DETACH main",
    ] {
        let (code, text) = stand.fails(&format!("?q={sql}"));
        assert_eq!(code, "database.read_only", "{sql}: {text}");
    }
    for sql in [
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('x', 'y')",
        "SELECT edit('x')",
        "SELECT * FROM zipfile('x')",
    ] {
        let (code, text) = stand.fails(&format!("?q={sql}"));
        assert!(["database.read_only", "database.bad_query"].contains(&code), "{sql}: {text}");
    }
    assert!(stand.fails("?q=DELETE FROM t").1.contains("DELETE FROM t"));
    assert_eq!(stand.rows("t").rows.len(), 2);
}

#[test]
fn values_beyond_the_limit_are_refused_at_once() {
    let stand = plain();
    for sql in [
        "hex(zeroblob(400000000))",
        "randomblob(900000000)",
        "printf('%.*c', 1000000000, 'x')",
        "replace(printf('%.*c', 10000, 'x'), 'x', printf('%.*c', 10000, 'y'))",
    ] {
        let started = Instant::now();
        let (code, text) = stand.fails(&format!("?q=SELECT {sql}"));
        assert_eq!(code, "database.limit", "{sql}: {text}");
        assert!(text.contains("value_bytes"), "{text}");
        assert!(started.elapsed() < Duration::from_secs(1));
    }
    let long = format!("?q=SELECT '{}'", "x".repeat(200_000));
    assert_eq!(stand.fails(&long).0, "database.limit");
}

#[test]
fn an_endless_query_ends_with_the_time_of_the_call() {
    let mut stand = plain();
    for sql in [
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c",
        "SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l,
        t m, t n, t o, t p, t q, t r, t s, t t, t u,
         t v, t w, t x, t y, t z, t aa, t ab, t ac, t ad, t ae, t af WHERE a.a + af.a = 99",
    ] {
        stand.budget = going().within(Duration::from_millis(150));
        let started = Instant::now();
        assert_eq!(stand.fails(&format!("?q={sql}")).0, "database.timeout");
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn a_cancelled_query_stops() {
    let mut stand = plain();
    stand.budget = going();
    let stop = stand.budget.cancel_token().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.cancel();
    });
    let sql = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    assert_eq!(stand.fails(&format!("?q={sql}")).0, "database.cancelled");
    canceller.join().unwrap();
}

#[test]
fn counting_is_bounded_and_views_are_never_counted() {
    let mut stand = Stand::new(
        "CREATE TABLE big (a); CREATE TABLE small (a); INSERT INTO small VALUES (1);
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 30000)
         INSERT INTO big SELECT i FROM c;
         CREATE VIEW slow AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c;",
    );
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows.iter().map(|(_, size)| size.as_str()).collect::<Vec<_>>(), ["30000", "view", "1"]);
    stand.limits.count_rows = 20_000;
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows.iter().map(|(_, size)| size.as_str()).collect::<Vec<_>>(), ["at least 20000", "view", "1"]);
    assert_eq!(stand.rows("slow?limit=3").rows, [["1"], ["2"], ["3"]]);
}

#[test]
fn functions_that_are_not_harmless_do_not_run_from_a_schema() {
    let stand = Stand::new("CREATE VIEW v AS SELECT load_extension('x') AS a;");
    let (code, text) = stand.fails("v?limit=1");
    assert!(["database.read_only", "database.bad_query"].contains(&code), "{code} {text}");
}

#[test]
fn a_damaged_page_leaves_the_other_tables_readable() {
    let mut bytes = made(
        "PRAGMA page_size = 4096; CREATE TABLE good (a); CREATE TABLE bad (a);
         INSERT INTO good VALUES (1); INSERT INTO bad VALUES (2);",
    );
    bytes[2 * 4096..].fill(0xEE);
    let stand = Stand::of(Arc::new(Memory::new(bytes)));
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows[0], ("bad".to_owned(), "damaged".to_owned()));
    assert_eq!(stand.rows("good").rows, [["1"]]);
    let (code, text) = stand.fails("bad?limit=1");
    assert_eq!(code, "database.corrupt");
    assert!(text.contains("malformed"), "{text}");
}

#[test]
fn a_damaged_statement_leaves_the_other_tables_readable() {
    let bytes = made(
        "CREATE TABLE good (a); INSERT INTO good VALUES (1); CREATE TABLE bad (a); PRAGMA writable_schema = 1;
         UPDATE sqlite_schema SET sql = 'CREATE TABLE bad ((((' WHERE name = 'bad';",
    );
    let stand = Stand::of(Arc::new(Memory::new(bytes)));
    assert_eq!(stand.rows("good").rows, [["1"]]);
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows.len(), 2);
    let (code, text) = stand.fails("bad?limit=1");
    assert_eq!(code, "database.corrupt");
    assert!(text.contains("malformed database schema (bad)"), "{text}");
}

#[test]
fn files_that_only_begin_like_a_database_are_damaged_databases() {
    let good = made("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    let mut size = good.clone();
    size[16..18].copy_from_slice(&[0x12, 0x34]);
    let mut header = b"SQLite format 3\0".to_vec();
    header.extend((0..=255).cycle().take(5_000));
    for (number, bytes) in
        [good[..100].to_vec(), good[..16].to_vec(), good[..5000].to_vec(), size, header].into_iter().enumerate()
    {
        let stand = Stand::of(Arc::new(Memory::new(bytes)));
        assert_eq!(stand.fails("t?limit=1").0, "database.corrupt", "{number}");
        assert_eq!(stand.see(Some("hex")), Seen::Itself);
    }
}

#[test]
fn names_that_are_no_text_do_not_stop_anything() {
    let bytes = made("CREATE TABLE abcdefgh (ijklmnop); INSERT INTO abcdefgh VALUES (1);");
    let spoil = |bytes: &mut Vec<u8>, what: &[u8]| {
        while let Some(at) = bytes.windows(what.len()).position(|window| window == what) {
            bytes[at] = 0xFF;
        }
    };
    let mut spoiled = bytes;
    spoil(&mut spoiled, b"ijklmnop");
    let stand = Stand::of(Arc::new(Memory::new(spoiled)));
    assert!(matches!(stand.see(None), Seen::Tables(..)));
    let page = stand.rows("abcdefgh");
    assert_eq!((page.columns, page.rows), (vec!["\u{FFFD}jklmnop".to_owned()], vec![vec!["1".to_owned()]]));
    assert_eq!(stand.rows("?q=SELECT count(*) FROM abcdefgh").rows, [["1"]]);
}

#[test]
fn only_the_header_makes_a_database() {
    let stand = plain();
    let works: std::sync::Arc<dyn readstone_base::Workshop> = std::sync::Arc::new(readstone_formats::InPlace);
    let limits = Limits::default();
    let opening = readstone_source::Opening::bare(&limits, &stand.budget, &works);
    for head in [&b""[..], b"text", b"SQLite format 3", b"SQLite format 4\0"] {
        let piece = readstone_source::Piece { blob: Arc::new(Memory::new(head.to_vec())), ..stand.piece.clone() };
        assert!(
            readstone_source::Formats::container(&readstone_formats::Standard, &piece, None, &opening)
                .unwrap()
                .is_none()
        );
    }
}

#[test]
fn many_tables_are_listed() {
    let sql = (0..1_500).map(|number| format!("CREATE TABLE t{number} (a);")).collect::<String>();
    let stand = Stand::new(&format!("BEGIN; {sql} COMMIT;"));
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows.len(), 1_500);
}

/// A database with a terabyte of nothing behind it.
#[derive(Debug)]
struct Sparse(Memory);

impl Blob for Sparse {
    fn len(&self) -> Option<u64> {
        Some(1 << 40)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read_at(offset, buffer)?;
        buffer[count..].fill(0);
        Ok(buffer.len())
    }
}

#[test]
fn a_terabyte_of_nothing_costs_nothing() {
    let mut bytes = made("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    bytes[28..32].copy_from_slice(&(1_u32 << 28).to_be_bytes());
    let stand = Stand::of(Arc::new(Sparse(Memory::new(bytes))));
    let started = Instant::now();
    assert_eq!(stand.see(None), Seen::Tables(vec![("t".to_owned(), "1".to_owned())], None));
    assert_eq!(stand.rows("t").rows, [["1"]]);
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[test]
fn damaged_bytes_end_in_rows_or_in_an_error() {
    let good = made(
        "PRAGMA page_size = 512; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t (b);
         CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE VIEW v AS SELECT a, b FROM t;
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60)
         INSERT INTO t SELECT i, 'text ' || i FROM c;
         INSERT INTO w SELECT b, a FROM t;",
    );
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for _ in 0..400 {
        let mut bytes = good.clone();
        for _ in 0..=random(6) {
            let at = 16 + random(bytes.len() - 16);
            bytes[at] = u8::try_from(random(256)).unwrap();
        }
        let mut stand = Stand::of(Arc::new(Memory::new(bytes)));
        stand.budget = going().within(Duration::from_millis(500));
        for tail in [
            None,
            Some("t"),
            Some("t:7"),
            Some("w:text 9:v"),
            Some("v?where=a>3&order=b"),
            Some("?q=SELECT count(*) FROM t"),
        ] {
            stand.see(tail);
        }
    }
}

#[test]
fn no_tail_is_too_odd() {
    let stand = plain();
    for tail in [
        "",
        ":",
        "::",
        ":::::",
        "?",
        "??",
        "?q",
        "?q==",
        "?row=",
        "?row=1-&q=",
        "?row=-&q=SELECT 1",
        "t:",
        "t::",
        "t:::",
        "t?",
        "t??",
        "t?=",
        "t?&",
        "t?limit=1&",
        "t?where=%",
        "%",
        "%zz",
        "%ff",
        "t%3A1",
        "t:%00",
        "v:%",
        "\u{0}",
        "t:1:\u{0}",
        "t:1:a:",
        "t:1:a::",
        "t?where=\u{0}",
        "?q=SELECT '\u{0}'",
        "t?order=",
        "t?order=:desc",
        "t?row=1&column=",
    ] {
        stand.see(Some(tail));
    }
    stand.see(Some(&":".repeat(100_000)));
    stand.see(Some(&format!("t:{}", ":".repeat(100_000))));
    stand.see(Some(&format!("t?where={}", "(".repeat(50_000))));
}
