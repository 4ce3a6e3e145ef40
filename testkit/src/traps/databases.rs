//! Databases with a hostile schema, with damage, beside logs, and statements that want more than to read: the rows S.

#![expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]

use std::path::Path;

use rusqlite::Connection;

use super::Trap;
use crate::fixture::Fixture;

const OK: &[&str] = &["ok"];
const DAMAGED: &[&str] = &["database.corrupt"];
/// Two tables of one page each, the second behind the first.
const TWO: &str = "PRAGMA page_size = 4096; CREATE TABLE good (a); CREATE TABLE bad (a);
    INSERT INTO good VALUES (1); INSERT INTO bad VALUES (2);";
const BAD_SCHEMA: &str =
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE bad ((((' WHERE name = 'bad';";
/// A database in whose log stand row 101, a changed row 7 and rows that were never committed.
const LIVE: &str = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100) INSERT INTO t SELECT i, 'old' FROM c;
    PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (101, 'newest'); UPDATE t SET b = 'new' WHERE a = 7;
    PRAGMA cache_size = 1; BEGIN; INSERT INTO t SELECT a + 101, 'unfinished' || hex(zeroblob(500)) FROM t;";
/// A database beside the journal of a transaction that was never committed.
const HOT: &str = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
    INSERT INTO t SELECT i, 'kept' || i FROM c;
    PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE t SET b = 'uncommitted' || a;
    INSERT INTO t SELECT a + 2000, 'uncommitted' FROM t;";

pub(super) const TRAPS: &[Trap] = &[
    Trap::of("sqlite/plain.db", || {
        bytes("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two');")
    })
    .wants(OK)
    .asks(QUERIES),
    Trap::of("sqlite/evil_schema.db", evil)
        .wants(OK)
        .asks(&[":slow", ":huge", ":gen", ":wide", ":reach", ":many", ":gen:1:b", "?q=SELECT x FROM huge"])
        // A view in it never ends.
        .long_search(),
    Trap::of("sqlite/names.db", names).wants(OK).asks(&[
        ":x:1",
        ":semi;--",
        ":new\\x0aline",
        ":esc\\x1b[31m:1",
        ":raw",
    ]),
    Trap::at("sqlite/with_wal/live.db", |path| taken(path, "-wal", LIVE)).wants(OK).asks(&[
        ":t:101",
        ":t:102",
        ":t",
        "?q=SELECT count(*), max(a) FROM t",
    ]),
    Trap::at("sqlite/no_shm_ro/live.db", |path| {
        taken(path, "-wal", LIVE);
        Fixture::mode(path, 0o444);
    })
    .wants(OK)
    .asks(&[":t:101"]),
    Trap::at("sqlite/hot/hot.db", |path| taken(path, "-journal", HOT)).wants(OK).asks(&[
        ":t",
        ":t:2000",
        "?q=SELECT count(*), min(b) FROM t",
    ]),
    Trap::of("sqlite/corrupt_page.db", || spoiled(2 * 4096, &[0xEE; 4096]))
        .wants(OK)
        .asks(&[":good", ":bad", ":bad:1"]),
    Trap::of("sqlite/corrupt_schema.db", || spoiled(100, &[0xEE; 8])).wants(DAMAGED).asks(&[":good"]),
    Trap::of("sqlite/truncated.db", || two().into_iter().take(2 * 4096 + 100).collect()).wants(OK).asks(&[
        ":good",
        ":bad",
        "?q=SELECT a FROM bad",
    ]),
    Trap::of("sqlite/bad_sql_schema.db", || bytes(&format!("{TWO}{BAD_SCHEMA}"))).wants(OK).asks(&[":good", ":bad"]),
    Trap::of("sqlite/pagecount.db", || spoiled(28, &[0xFF; 4])).wants(&["ok", "database.corrupt"]).asks(&[":good"]),
    Trap::of("sqlite/pagesize.db", || spoiled(16, &[0x12, 0x34])).wants(DAMAGED).asks(&[":good"]),
    Trap::of("sqlite/random_header.db", || {
        let noise = (0..5_000_u32).map(|number| (number * 37 + 11).to_le_bytes()[0]);
        b"SQLite format 3\0".iter().copied().chain(noise).collect()
    })
    .wants(DAMAGED),
    Trap::of("sqlite/empty.db", Vec::new).wants(OK).asks(&[":t", "?q=SELECT 1"]),
    Trap::of("sqlite/header_only.db", || two().into_iter().take(100).collect()).wants(DAMAGED),
    Trap::of("sqlite/text.sqlite", || b"just text\n".to_vec()).wants(OK).asks(&[":good"]),
    Trap::of("sqlite/many_tables.db", || {
        let tables = (0..1_234).map(|number| format!("CREATE TABLE t{number:04} (a);")).collect::<Vec<_>>().concat();
        bytes(&format!("BEGIN; {tables} COMMIT;"))
    })
    .wants(OK)
    .asks(&[":501-", ":t0007"]),
    Trap::of("sqlite/large.db", || {
        bytes(
            "CREATE TABLE cells (id INTEGER PRIMARY KEY, b BLOB, s TEXT);
             INSERT INTO cells VALUES (1, zeroblob(3000000), printf('%.*c', 3000000, 's'));
             CREATE TABLE m (a INTEGER PRIMARY KEY); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c
             WHERE i < 1000000) INSERT INTO m SELECT i FROM c;",
        )
    })
    .wants(OK)
    .asks(&[":m?limit=100000", ":m?offset=999999", ":cells", ":cells:1:s", ":cells:1:b"]),
    Trap::of("sqlite/values.db", || {
        bytes(
            "CREATE TABLE v (id INTEGER PRIMARY KEY, x); INSERT INTO v VALUES (0, CAST(x'ff41c328' AS TEXT)),
             (1, CAST(x'610062' AS TEXT)), (2, 9e999), (3, -9e999), (4, 'two' || char(10) || '| 9 | forged |'),
             (5, char(27) || '[31mred'), (6, NULL), (7, 'NULL'), (8, x'00ff'), (9, char(8238) || 'ltr');",
        )
    })
    .wants(OK)
    .asks(&[":v", ":v:0:x:raw", ":v:4", ":v:5:x", ":v:9"]),
    Trap::of("sqlite/keys.db", || {
        bytes(
            "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE k (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
               INSERT INTO k VALUES (1, 2);",
        )
    })
    .wants(OK)
    .asks(&[":t:9223372036854775808", ":k:1", ":t:abc", ":k"]),
];

/// Statements that write, reach out, never end or fill the memory.
const QUERIES: &[&str] = &[
    "?q=VACUUM INTO 'copy.db'",
    "?q=ATTACH 'other.db' AS o",
    "?q=SELECT 1; DROP TABLE t",
    "?q=WITH a AS (SELECT 1) DELETE FROM t",
    "?q=PRAGMA writable_schema=1",
    "?q=SELECT load_extension('x')",
    "?q=SELECT readfile('/etc/passwd')",
    "?q=BEGIN IMMEDIATE",
    "?q=SELECT hex(zeroblob(400000000))",
    "?q=SELECT printf('%.*c', 1000000000, 'x')",
    ":t?where=1) UNION SELECT 1, 2 --",
    ":t?where=a = (SELECT 1)&order=b desc, (select 1)",
];

/// The bytes of a database.
pub(super) fn bytes(sql: &str) -> Vec<u8> {
    let life = tempfile::tempdir().expect("a temporary directory");
    let path = life.path().join("x.db");
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch(sql).expect("its tables");
    connection.close().expect("its end");
    Fixture::survey(&path).remove(0).3
}

fn two() -> Vec<u8> {
    bytes(TWO)
}

/// The two tables with other bytes at this place.
fn spoiled(at: usize, field: &[u8]) -> Vec<u8> {
    let mut database = two();
    database.iter_mut().skip(at).zip(field).for_each(|(place, byte)| *place = *byte);
    database
}

/// The files of a database in the middle of its life, with what stands beside it.
fn taken(path: &Path, beside: &str, sql: &str) {
    let life = tempfile::tempdir().expect("a temporary directory");
    let own = life.path().join("x.db");
    let connection = Connection::open(&own).expect("a database");
    connection.execute_batch(sql).expect("its rows");
    for suffix in ["", beside] {
        let name = |path: &Path| std::path::PathBuf::from(format!("{}{suffix}", path.display()));
        std::fs::copy(name(&own), name(path)).expect("a copy");
    }
}

fn evil() -> Vec<u8> {
    let wide = (0..1_900).map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ");
    bytes(&format!(
        "CREATE TABLE gen (a, b AS (hex(zeroblob(a)))); INSERT INTO gen (a) VALUES (400000000);
         CREATE VIEW huge AS SELECT hex(zeroblob(400000000)) AS x;
         CREATE TABLE many (a); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 30000)
         INSERT INTO many SELECT i FROM c;
         CREATE VIEW reach AS SELECT load_extension('x') AS x;
         CREATE VIEW slow AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) AS n FROM c;
         CREATE TABLE wide ({wide}); INSERT INTO wide (c0, c1899) VALUES (7, 8);"
    ))
}

/// A table for each of some names that mean something to SQL, to an address or to a terminal.
fn names() -> Vec<u8> {
    let names = [
        "a b",
        "x:1",
        "t:hex",
        "q?limit=1",
        "semi;--",
        "quo\"te",
        "sin'gle",
        "br]ack",
        "back\\slash",
        "new\nline",
        "esc\x1b[31m",
        "select",
        "5-6",
        "raw",
        "\u{202E}ltr",
        "  - fake  9 rows",
    ];
    let table = |name: &str| {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        format!("CREATE TABLE {quoted} ({quoted}); INSERT INTO {quoted} VALUES (1);")
    };
    bytes(&names.map(table).concat())
}
