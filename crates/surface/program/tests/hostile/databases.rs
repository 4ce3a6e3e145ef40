//! Statements, schemas and keys that want more than to be read: rows S01–S09, S13 and S23 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be made must stop the test")]

use std::path::Path;

use readstone_testkit::{CANARY, Confined, Fixture, Run, Trap, World};
use rusqlite::Connection;

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// A table of ten rows, of which joins make as many as one likes.
const DIGITS: &str = "CREATE TABLE d (a); INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);";

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// A world with one database `x.db`.
fn holding(sql: &str) -> World {
    let world = world();
    make(&world.path().join("x.db"), sql);
    world
}

fn make(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
}

/// Two tables and a view; the second table is a secret.
fn plain() -> World {
    holding(&format!(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two');
         CREATE TABLE secret (s); INSERT INTO secret VALUES ('{CANARY}'); CREATE VIEW hole AS SELECT s FROM secret;"
    ))
}

/// Reads an address of `x.db` and sees to it that nothing in the directory changes.
fn read_so(confined: &Confined, world: &World, tail: &str, variables: &[(&str, &str)]) -> Run {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.envs(variables.iter().copied()).args(["read", "--", &format!("x.db{tail}")]);
    let run = confined.run(&command);
    assert!(Fixture::survey(world.path()) == before, "reading x.db{tail} left a trace");
    run
}

fn read(world: &World, tail: &str) -> Run {
    read_so(&Confined::default().seconds(5).megabytes(M64), world, tail, &[])
}

fn check(run: &Run, exit: i32, code: &str, piece: &str) {
    let words = run.stderr.strip_prefix(&format!("{code}: "));
    let fits = run.code == Some(exit) && run.stdout.is_empty() && words.is_some_and(|words| words.contains(piece));
    assert!(fits, "wanted {code} with {exit} and {piece:?}, got {:?}\n{}\n{:.400}", run.code, run.stderr, run.text());
}

/// Holds a table whose rows cannot be read against what is shown of it: its definition, and why there are no rows.
#[track_caller]
fn check_unread(run: &Run, definition: &str, words: &str) {
    let text = run.text();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(text.contains(&format!("\n  {definition};\n")), "no {definition:?} in {text}");
    let note = text.lines().last().unwrap();
    assert!(note.starts_with('[') && note.contains("its rows cannot be read: ") && note.contains(words), "{text}");
    assert!(!text.contains("\n|"), "rows that cannot be read: {text}");
}

fn check_refused(world: &World, sql: &str) {
    check(&read(world, &format!("?q={sql}")), 4, "database.read_only", "only reading is allowed; refused: ");
}

/// The rows between bars, without the names of the columns.
fn rows(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.text().lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect()
}

fn check_whole(world: &World) {
    assert_eq!(rows(&read(world, ":t")), ["| 1 | one |", "| 2 | two |"]);
}

#[test]
fn s01_vacuum_into_is_refused_and_makes_no_file() {
    let world = plain();
    let elsewhere = tempfile::tempdir().unwrap();
    for place in [world.path(), elsewhere.path()] {
        let target = place.join("copy.db");
        check_refused(&world, &format!("VACUUM INTO '{}'", target.display()));
        check_refused(&world, &format!("VACUUM main INTO 'file:{}?mode=rwc'", target.display()));
        assert!(target.symlink_metadata().is_err(), "a copy was made");
    }
    check_refused(&world, "VACUUM");
    check_whole(&world);
}

#[test]
fn s02_no_other_database_can_be_attached() {
    let world = plain();
    make(&world.path().join("other.db"), "CREATE TABLE o (a); INSERT INTO o VALUES ('CANARY');");
    let other = world.path().join("other.db");
    for name in ["other.db", other.to_str().unwrap(), "", ":memory:", "file:made.db?mode=rwc", "made.db"] {
        check_refused(&world, &format!("ATTACH '{name}' AS o"));
    }
    check_refused(&world, "DETACH main");
    check_whole(&world);
}

#[test]
fn s03_one_statement_runs_and_what_follows_may_only_be_blank() {
    let world = plain();
    for sql in ["SELECT 1; DROP TABLE t", "SELECT 1;;SELECT 2", "SELECT 1; -- x\nDELETE FROM t", "SELECT 1; nonsense"] {
        check(&read(&world, &format!("?q={sql}")), 2, "database.bad_query", "only one statement");
    }
    for sql in ["SELECT 7 -- DROP TABLE t", "SELECT 7;", "SELECT 7 ; ;; ", "SELECT 7; /* x */ -- y", "-- x\nSELECT 7"] {
        assert_eq!(rows(&read(&world, &format!("?q={sql}"))), ["| 7 |"], "{sql}");
    }
    for sql in [";", "-- SELECT 1", "/* SELECT 1 */", " "] {
        check(&read(&world, &format!("?q={sql}")), 2, "database.bad_query", "statement");
    }
    check_whole(&world);
}

#[test]
fn s04_a_statement_that_writes_is_refused_however_it_begins() {
    let world = plain();
    make(&world.path().join("x.db"), "CREATE TABLE my_node (a); INSERT INTO my_node VALUES (1);");
    for sql in [
        "WITH a AS (SELECT 1) DELETE FROM t",
        "INSERT INTO t VALUES (3, 'x') RETURNING a",
        "REPLACE INTO t VALUES (1, 'x')",
        "UPDATE t SET b = 'x' WHERE a = 1 RETURNING b",
        "EXPLAIN DELETE FROM t",
        "EXPLAIN QUERY PLAN DELETE FROM t",
        "/* SELECT */ DROP TABLE t",
        "CREATE TABLE n AS SELECT 1",
        "ALTER TABLE t RENAME TO u",
        "REINDEX",
        "ANALYZE",
        // Tables of such names are let through for the sake of R-trees.
        "DELETE FROM my_node",
        "EXPLAIN DELETE FROM my_node",
        "UPDATE my_node SET a = 2 RETURNING a",
    ] {
        check_refused(&world, sql);
    }
    check_whole(&world);
}

#[test]
fn s05_pragmas_that_change_something_are_refused_and_some_that_tell_are_not() {
    let world = plain();
    for name in ["writable_schema=1", "query_only=0", "journal_mode=DELETE", "journal_mode(wal)", "user_version=7"] {
        check_refused(&world, &format!("PRAGMA {name}"));
    }
    for name in ["temp_store_directory='/'", "wal_checkpoint", "hard_heap_limit=0", "trusted_schema=1", "optimize"] {
        check_refused(&world, &format!("PRAGMA {name}"));
    }
    for name in ["writable_schema", "query_only", "hard_heap_limit", "temp_store_directory", "integrity_check"] {
        let run = read(&world, &format!("?q=SELECT * FROM pragma_{name}"));
        let code = run.stderr.split(": ").next().unwrap().to_owned();
        assert!(["database.read_only", "database.bad_query"].contains(&code.as_str()), "{name}: {}", run.stderr);
    }
    assert_eq!(rows(&read(&world, "?q=PRAGMA user_version")), ["| 0 |"]);
    assert_eq!(rows(&read(&world, "?q=SELECT name FROM pragma_table_info('t')")), ["| a |", "| b |"]);
    assert_eq!(rows(&read(&world, "?q=PRAGMA page_size")), ["| 4096 |"]);
    check_whole(&world);
}

#[test]
fn s06_functions_and_statements_that_reach_out_are_refused() {
    let world = plain();
    world.file("secret.txt", CANARY);
    for sql in [
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT fts3_tokenizer('simple', x'4141414141414141')",
        "BEGIN IMMEDIATE",
        "BEGIN",
        "SAVEPOINT s",
        "CREATE TEMP TABLE x (a)",
        "CREATE TEMP VIEW x AS SELECT 1",
    ] {
        check_refused(&world, sql);
    }
    // The engine was built without these: it does not know them.
    for call in ["readfile('secret.txt')", "writefile('made', 'x')", "edit('x')", "system('id')", "getenv('HOME')"] {
        check(&read(&world, &format!("?q=SELECT {call}")), 2, "database.bad_query", "no such function");
    }
    for table in ["zipfile('secret.txt')", "fsdir('.')", "csv('secret.txt')"] {
        check(&read(&world, &format!("?q=SELECT * FROM {table}")), 2, "database.bad_query", "no such table");
    }
    check_whole(&world);
}

#[test]
fn s07_queries_without_end_end_with_the_time_of_the_call() {
    let world = holding(DIGITS);
    let endless = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    let tables = (0..40).map(|number| format!("d d{number}")).collect::<Vec<_>>().join(", ");
    let joined = format!("SELECT count(*) FROM {tables} WHERE d0.a + d39.a = 99");
    let silent = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c WHERE i < 0";
    for sql in [endless, &joined, silent] {
        let confined = Confined::default().seconds(2).megabytes(M64);
        let run = read_so(&confined, &world, &format!("?q={sql}"), &[("READSTONE_CALL_MS", "400")]);
        check(&run, 9, "database.timeout", "longer than the call may take");
    }
    // The same through a condition.
    let condition = format!("(SELECT count(*) FROM {}) = 1", tables.replace("d d0", "d AS first"));
    let confined = Confined::default().seconds(2).megabytes(M64);
    let run = read_so(&confined, &world, &format!(":d?where={condition}"), &[("READSTONE_CALL_MS", "400")]);
    check(&run, 9, "database.timeout", "longer than the call may take");
}

#[test]
fn s08_values_without_bounds_are_refused_at_once() {
    let world = holding(DIGITS);
    let many = "FROM d, d AS e, d AS f, d AS g";
    for sql in [
        "SELECT hex(zeroblob(400000000))".to_owned(),
        "SELECT length(randomblob(900000000))".to_owned(),
        "SELECT printf('%.*c', 1000000000, 'x')".to_owned(),
        "SELECT replace(hex(zeroblob(8000)), '0', hex(zeroblob(8000)))".to_owned(),
        format!("SELECT group_concat(hex(zeroblob(5000))) {many}"),
        format!("SELECT json_group_array(hex(zeroblob(5000))) {many}"),
    ] {
        let run = read_so(&Confined::default().seconds(2).megabytes(M64), &world, &format!("?q={sql}"), &[]);
        check(&run, 5, "database.limit", " (limit ");
    }
    let long = format!("?q=SELECT '{}'", "x".repeat(120_000));
    let run = read_so(&Confined::default().seconds(2).megabytes(M64), &world, &long, &[]);
    let words = "the statement has 120009 bytes; a statement can have at most 100000\n";
    check(&run, 5, "database.limit", words);
}

#[test]
fn s08_sorting_without_bounds_stays_within_the_memory_of_queries() {
    let world = holding(DIGITS);
    let sql = "SELECT hex(zeroblob(50000)) AS x, d.a, e.a, f.a FROM d, d AS e, d AS f ORDER BY f.a, e.a, x";
    let run = read(&world, &format!("?q={sql}"));
    check(&run, 5, "database.limit", "(limit query_memory = 50331648)");
}

#[test]
fn s09_a_hostile_schema_is_listed_and_read_within_bounds() {
    let world = world();
    world.file("x.db", Trap::bytes("sqlite/evil_schema.db"));
    let list = "- gen  1 row\n- huge  (view)\n- many  30000 rows\n- reach  (view)\n- slow  (view)\n- wide  1 row\n";
    assert_eq!(read(&world, "").text(), format!("¶x.db\n{list}"));
    let few = read_so(&Confined::default(), &world, "", &[("READSTONE_COUNT_ROWS", "20001")]).text();
    assert!(few.contains("- many  ≥ 20000 rows\n") && few.contains("- slow  (view)\n"), "{few}");
    let rows_of_huge = [":huge?row=1", ":huge?where=1=1", "?q=SELECT x FROM huge"];
    for tail in [":gen:1:b", ":gen:1", ":gen?where=a > 1"].into_iter().chain(rows_of_huge) {
        check(&read(&world, tail), 5, "database.limit", "(limit value_bytes = 16777216)");
    }
    // What a table is can be told although its rows cannot be read.
    let endless = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) AS n FROM c";
    for (tail, made, why) in [
        (":gen", "CREATE TABLE gen (a, b AS (hex(zeroblob(a))))", "(limit value_bytes = 16777216)"),
        (":huge", "CREATE VIEW huge AS SELECT hex(zeroblob(400000000)) AS x", "(limit value_bytes = 16777216)"),
        (":slow", &format!("CREATE VIEW slow AS {endless}"), "reading them took longer than 2 seconds"),
        (":reach", "CREATE VIEW reach AS SELECT load_extension('x') AS x", "unsafe use of load_extension()"),
    ] {
        check_unread(&read(&world, tail), made, why);
    }
    for tail in [":reach:1", ":reach?row=1", ":reach?where=1=1"] {
        check(&read(&world, tail), 2, "database.bad_query", "unsafe use of load_extension()");
    }
    // Where the time of the call ends first, it ends the call.
    for tail in [":slow", ":slow?row=1", ":slow?where=1=1", "?q=SELECT n FROM slow"] {
        let short = read_so(&Confined::default().seconds(2), &world, tail, &[("READSTONE_CALL_MS", "400")]);
        check(&short, 9, "database.timeout", "longer than the call may take");
    }
    assert!(read(&world, ":gen:1:a").text().contains("1:400000000\n"));
    let record = read(&world, ":wide:1").text();
    assert!(record.contains("\n  c0: 7\n  c1: NULL\n") && record.ends_with("\n  c1899: 8\n"), "{record:.300}");
    assert!(read(&world, ":wide").stdout.len() < 64 * 1024);
}

#[test]
fn s13_a_condition_reads_its_own_table_and_cannot_become_more() {
    let world = plain();
    for condition in [
        "1) UNION SELECT s, s FROM secret --",
        "1) UNION SELECT s, s FROM secret WHERE (1",
        "1 UNION SELECT s, s FROM secret",
        "1; DROP TABLE t",
        "1) LIMIT (1",
        "1) ORDER BY (1",
        "1) --",
        "?1",
        "",
    ] {
        check(&read(&world, &format!(":t?where={condition}")), 2, "database.bad_query", "where");
    }
    for condition in [
        "a IN (SELECT count(*) FROM secret)",
        "EXISTS(SELECT 1/**/FROM/**/secret)",
        "EXISTS(SELECT 1 FROM hole WHERE s LIKE 'C%')",
        "(WITH c AS (SELECT s FROM secret) SELECT count(*) FROM c)",
        "EXISTS(SELECT 1 FROM sqlite_schema)",
        "EXISTS(SELECT 1 FROM pragma_table_info('secret'))",
    ] {
        check(&read(&world, &format!(":t?where={condition}")), 4, "database.read_only", "only its own table");
    }
    check(&read(&world, ":t?where=load_extension('x')"), 4, "database.read_only", "load_extension");
    for order in ["a desc, (select s from secret)", "(select s from secret)", "1", "a--", "a collate nocase", "rowid;"]
    {
        check(&read(&world, &format!(":t?order={order}")), 3, "database.no_column", "it has a, b");
    }
    // Whatever is one expression is one, words of SQL in text and comments included.
    for condition in ["a=2/**/", "a = 2 --", "b = 'two' OR b = '; DROP TABLE t --'", "a = (SELECT max(a) FROM t)"] {
        assert_eq!(rows(&read(&world, &format!(":t?where={condition}"))), ["| 2 | two |"], "{condition}");
    }
    assert_eq!(rows(&read(&world, ":t?order=a:desc")), ["| 2 | two |", "| 1 | one |"]);
    check_whole(&world);
}

#[test]
fn s23_a_key_is_taken_exactly_or_not_at_all() {
    let world = holding(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (9223372036854775807, 'most'), (1, 'one');
         CREATE TABLE k (a, b, v, PRIMARY KEY (a, b)); INSERT INTO k VALUES (1, 2, 'x'), ('p', 'q', 'y');
         CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('abc', 3), ('7', 4);
         CREATE TABLE wk (a, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO wk VALUES (1, 2, 'z');
         CREATE TABLE n (x); INSERT INTO n VALUES ('1'); CREATE VIEW v AS SELECT b FROM t;",
    );
    for (key, expected) in [
        ("t:9223372036854775808", "key: a"),
        ("t:-9223372036854775809", "key: a"),
        ("t:abc", "key: a"),
        ("t:01", "key: a"),
        ("t:+1", "key: a"),
        ("t: 1", "key: a"),
        ("t:1.0", "key: a"),
        ("t:1e0", "key: a"),
        ("t:0x1", "key: a"),
        ("t:1abc", "key: a"),
        ("k:2", "key: the columns (a, b), written A,B"),
        ("k:3", "key: the columns (a, b), written A,B"),
        ("k:1,3", "key: the columns (a, b), written A,B"),
        ("k:x,y", "key: the columns (a, b), written A,B"),
        ("w:07", "key: k"),
        ("w:ABC", "key: k"),
        ("w:abc,3", "key: k"),
        ("wk:1", "key: the columns (a, b), written A,B"),
        ("wk:1,2,3", "key: the columns (a, b), written A,B"),
        ("n:2", "key: rowid"),
        ("n:abc", "key: rowid"),
        ("v:1", "?row=1"),
    ] {
        check(&read(&world, &format!(":{key}")), 3, "database.no_row", expected);
    }
    for (key, record) in [
        ("t:9223372036854775807", "a: 9223372036854775807\nb: most\n"),
        ("k:1,2", "a: 1\nb: 2\nv: x\n"),
        ("k:p,q", "a: p\nb: q\nv: y\n"),
        ("w:abc", "k: abc\nv: 3\n"),
        ("w:7", "k: '7'\nv: 4\n"),
        ("wk:1,2", "a: 1\nb: 2\nv: z\n"),
        ("n:1", "x: '1'\n"),
    ] {
        let record: String = record.lines().map(|field| format!("  {field}\n")).collect::<Vec<_>>().concat();
        assert_eq!(read(&world, &format!(":{key}")).text(), format!("¶x.db:{key}\n{record}"));
    }
    check(&read(&world, ":nothing:1"), 3, "database.no_table", "'nothing'");
    check(&read(&world, ":t:1:nothing"), 3, "database.no_column", "it has a, b");
}
