//! Databases beside logs, under locks, with damage or without rights: rows S14–S19 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be made must stop the test")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use readstone_testkit::{Confined, Fixture, Run, Spoken, Trap, World, can_be_nobody, tool};
use rusqlite::Connection;
use serde_json::{Value, json};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// Reads an address and sees to it that nothing in the directory changes.
fn read(world: &World, address: &str) -> Run {
    let before = Fixture::survey(world.path());
    let run = read_only(world, address, &[]);
    assert!(Fixture::survey(world.path()) == before, "reading {address} left a trace");
    run
}

/// Reads an address where looking at the files would be too much, or would undo a lock of this process.
fn read_only(world: &World, address: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = world.command();
    command.envs(variables.iter().copied()).args(["read", "--", address]);
    Confined::default().seconds(5).megabytes(M64).run(&command)
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

/// The rows between bars, without the names of the columns.
fn rows(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.text().lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect()
}

fn record(run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.text().split_once('\n').unwrap().1.to_owned()
}

/// Sets a trap of several files in a directory of its own.
fn put(name: &str, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    Trap::named(name).put(path);
}

/// A database in whose log stand row 101, a changed row 7 and rows that were never committed.
fn live(directory: &Path) {
    put("sqlite/with_wal/live.db", &directory.join("live.db"));
}

fn make(path: &Path, sql: &str) -> Vec<u8> {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    Fixture::survey(path).remove(0).3
}

/// Two tables of one page each, the second behind the first.
const TWO: &str = "PRAGMA page_size = 4096; CREATE TABLE good (a); CREATE TABLE bad (a);
    INSERT INTO good VALUES (1); INSERT INTO bad VALUES (2);";

#[test]
fn s14_a_log_is_read_without_the_right_to_write_beside_it() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    let program = world.path().join("program");
    fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    Fixture::mode(world.path(), 0o755);
    for name in ["logged", "plain", "closed"] {
        live(&world.path().join(name));
    }
    fs::remove_file(world.path().join("plain/live.db-wal")).unwrap();
    for name in ["logged", "plain", "closed"] {
        Fixture::mode(&world.path().join(name).join("live.db"), 0o444);
        Fixture::mode(&world.path().join(name), 0o555);
    }
    Fixture::mode(&world.path().join("logged/live.db-wal"), 0o444);
    Fixture::mode(&world.path().join("closed/live.db-wal"), 0);
    let before = Fixture::survey(world.path());
    let read = |address: &str| {
        let mut command = tool(program.to_str().unwrap());
        Confined::default().megabytes(M64).nobody().run(command.current_dir(world.path()).args(["read", address]))
    };
    assert_eq!(record(&read("logged/live.db:t:101")), "  a: 101\n  b: newest\n");
    assert_eq!(rows(&read("logged/live.db?q=SELECT count(*), max(a) FROM t")), ["| 101 | 101 |"]);
    assert_eq!(rows(&read("plain/live.db?q=SELECT count(*), max(a) FROM t")), ["| 100 | 100 |"]);
    // Without its log the database is not what it was left as: better nothing than that.
    check(&read("closed/live.db:t:1"), 4, "database.unreadable", "live.db-wal, which belongs to it: permission denied");
    assert!(Fixture::survey(world.path()) == before, "reading left a trace");
    for name in ["logged", "plain", "closed"] {
        Fixture::mode(&world.path().join(name), 0o755);
    }
}

#[test]
fn s15_the_newest_rows_of_a_log_are_shown_and_nothing_appears_beside_it() {
    let world = world();
    live(&world.path().join("with_wal"));
    assert_eq!(record(&read(&world, "with_wal/live.db:t:101")), "  a: 101\n  b: newest\n");
    assert_eq!(record(&read(&world, "with_wal/live.db:t:7")), "  a: 7\n  b: new\n");
    assert_eq!(record(&read(&world, "with_wal/live.db")), "- t  101 rows\n");
    check(&read(&world, "with_wal/live.db:t:102"), 3, "database.no_row", "'102'");
    assert_eq!(rows(&read(&world, "with_wal/live.db?q=SELECT count(*), max(a) FROM t")), ["| 101 | 101 |"]);
    // Where the log is torn, what stands before the tear is shown.
    let log = world.path().join("with_wal/live.db-wal");
    Fixture::cut(&log, log.symlink_metadata().unwrap().len() - 100);
    assert_eq!(record(&read(&world, "with_wal/live.db:t:101")), "  a: 101\n  b: newest\n");
    Fixture::cut(&log, 0);
    check(&read(&world, "with_wal/live.db:t:101"), 3, "database.no_row", "'101'");
}

#[test]
fn s16_a_transaction_that_was_never_committed_is_never_shown() {
    let world = world();
    put("sqlite/hot/hot.db", &world.path().join("hot/hot.db"));
    let stored = Fixture::survey(&world.path().join("hot/hot.db")).remove(0).3;
    assert!(stored.windows(11).any(|bytes| bytes == b"uncommitted"), "the fixture is none: nothing was written");
    for address in ["hot/hot.db:t", "hot/hot.db:t?where=b LIKE 'un%'", "hot/hot.db:t:2000", "hot/hot.db"] {
        let run = read(&world, address);
        let shown = run.text().replace("where=b LIKE 'un%'", "");
        assert!(run.code == Some(0) && !shown.contains("uncommitted"), "{}{shown}", run.stderr);
        assert!(shown.contains("an unfinished transaction was left out"), "nothing is said of it: {shown}");
    }
    assert_eq!(
        record(&read(&world, "hot/hot.db:t:2000")).lines().take(2).collect::<Vec<_>>(),
        ["  a: 2000", "  b: kept2000"]
    );
    assert_eq!(rows(&read(&world, "hot/hot.db?q=SELECT count(*), min(b) FROM t")), ["| 2000 | kept1 |"]);
    assert_eq!(rows(&read(&world, "hot/hot.db:t?where=b LIKE 'un%'")), Vec::<String>::new());
}

#[test]
fn s17_damage_is_told_in_the_words_of_the_engine_and_leaves_the_rest_readable() {
    let world = world();
    let path = |name: &str| world.path().join(name);
    let mut page = make(&path("corrupt_page.db"), TWO);
    page[2 * 4096..].fill(0xEE);
    world.file("corrupt_page.db", &page);
    let whole = make(&path("truncated.db"), TWO);
    world.file("truncated.db", &whole[..2 * 4096 + 100]);
    let schema =
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE bad ((((' WHERE name = 'bad';";
    make(&path("bad_sql_schema.db"), &format!("{TWO}{schema}"));
    for (name, made, words) in [
        ("corrupt_page.db", "CREATE TABLE bad (a)", "database disk image is malformed"),
        ("truncated.db", "CREATE TABLE bad (a)", "the file ends in the middle of a page"),
        ("bad_sql_schema.db", "CREATE TABLE bad ((((", "malformed database schema (bad) - near \"(\": syntax error"),
    ] {
        let list = record(&read(&world, name));
        assert!(list.starts_with("- bad  (rows not counted: ") && list.contains("\n- good  1 row\n"), "{name}: {list}");
        assert_eq!(rows(&read(&world, &format!("{name}:good"))), ["| 1 |"], "{name}");
        assert_eq!(rows(&read(&world, &format!("{name}?q=SELECT a + 1 FROM good"))), ["| 2 |"], "{name}");
        // What the table is stands in the list of tables, where that is whole; its rows are not to be had.
        check_unread(&read(&world, &format!("{name}:bad")), made, words);
        for tail in [":bad?limit=1", ":bad?row=1", ":bad?where=1=1", "?q=SELECT a FROM bad"] {
            check(&read(&world, &format!("{name}{tail}")), 7, "database.corrupt", words);
        }
    }
    check(&read(&world, "corrupt_page.db:bad:1"), 7, "database.corrupt", "database disk image is malformed");
    check(&read(&world, "truncated.db:bad:1"), 7, "database.corrupt", "the file ends in the middle of a page");
    // Where the list of tables is damaged itself, nothing is found; the bytes are.
    let mut page = make(&path("corrupt_schema.db"), TWO);
    page[100..108].fill(0xEE);
    world.file("corrupt_schema.db", &page);
    for tail in ["", ":good", "?q=SELECT a FROM good"] {
        let run = read(&world, &format!("corrupt_schema.db{tail}"));
        check(&run, 7, "database.corrupt", "database disk image is malformed");
        assert!(run.stderr.contains("next: read corrupt_schema.db:hex\n"), "{}", run.stderr);
    }
    assert!(read(&world, "corrupt_schema.db:hex").text().contains("\n00000000: 53 51 4c 69 74 65"));
}

#[test]
fn s17_tables_before_the_end_of_a_file_that_was_cut_short_are_readable() {
    let world = world();
    let whole = make(&world.path().join("short.db"), TWO);
    world.file("short.db", &whole[..2 * 4096]);
    let words = "database disk image is malformed";
    check_unread(&read(&world, "short.db:bad"), "CREATE TABLE bad (a)", words);
    for tail in [":bad:1", ":bad?limit=1", ":bad?row=1", ":bad?where=1=1", "?q=SELECT a FROM bad"] {
        check(&read(&world, &format!("short.db{tail}")), 7, "database.corrupt", words);
    }
    assert_eq!(rows(&read(&world, "short.db:good")), ["| 1 |"]);
}

#[test]
fn s18_a_locked_database_is_called_locked_in_time() {
    let world = world();
    let path = world.path().join("x.db");
    make(&path, TWO);
    let before = Fixture::survey(world.path());
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    for address in ["x.db:good", "x.db", "x.db?q=SELECT 1 FROM good"] {
        let mut command = world.command();
        command.args(["read", address]);
        // The reply says how long it waited for the lock. The rest of the time is for a busy machine.
        let run = Confined::default().run(&command);
        check(&run, 9, "database.locked", "another program holds the lock for writing");
        assert!(run.stderr.contains("within 2500 ms"), "{}", run.stderr);
    }
    let short = read_only(&world, "x.db:good", &[("READSTONE_LOCK_MS", "50")]);
    check(&short, 9, "database.locked", "within 50 ms");
    writer.execute_batch("ROLLBACK; BEGIN IMMEDIATE").unwrap();
    assert_eq!(rows(&read_only(&world, "x.db:good", &[])), ["| 1 |"], "a writer that only prepares stops nobody");
    writer.execute_batch("ROLLBACK").unwrap();
    writer.close().unwrap();
    assert!(Fixture::survey(world.path()) == before, "reading left a trace");
}

#[test]
fn s18_a_call_that_waits_for_a_lock_can_be_cancelled_and_stops_nobody() {
    let world = world();
    let path = world.path().join("x.db");
    make(&path, TWO);
    world.file("a.txt", "text\n");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let mut command = world.command();
    command.envs([("READSTONE_LOCK_MS", "60000"), ("READSTONE_CALL_MS", "600000")]);
    let mut client = Spoken::spawn(command.arg("mcp"));
    client.open("2025-11-25");
    let call = json!({ "name": "read", "arguments": { "path": "x.db:good" } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": call }));
    std::thread::sleep(Duration::from_millis(300));
    let answer = client.call("read", &json!({ "path": "a.txt" }));
    assert_eq!(answer["result"]["isError"], json!(false));
    assert_eq!(client.notices, Vec::<Value>::new(), "the locked database was answered: nothing waited");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 70 } }));
    std::thread::sleep(Duration::from_millis(500));
    // A server whose input ends waits five seconds for calls that still go on.
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(client.end()));
    let (code, said) = ended.recv_timeout(Duration::from_secs(3)).expect("the call goes on though it was cancelled");
    assert_eq!(code, Some(0), "{said}");
    writer.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn s19_what_only_begins_like_a_database_is_damaged_and_costs_nothing() {
    let world = world();
    let good = make(&world.path().join("good.db"), TWO);
    let with = |range: std::ops::Range<usize>, bytes: &[u8]| {
        let mut spoiled = good.clone();
        spoiled[range].copy_from_slice(bytes);
        spoiled
    };
    let random =
        b"SQLite format 3\0".iter().copied().chain((0..5_000).map(|number: u32| (number * 37 + 11).to_le_bytes()[0]));
    for (name, bytes, words) in [
        ("pagesize.db", with(16..18, &[0x12, 0x34]), "file is not a database"),
        ("random_header.db", random.collect(), "file is not a database"),
        ("header_only.db", good[..100].to_vec(), "malformed"),
        ("magic_only.db", good[..16].to_vec(), "file is not a database"),
    ] {
        world.file(name, bytes);
        for tail in ["", ":good", "?q=SELECT a FROM good"] {
            check(&read(&world, &format!("{name}{tail}")), 7, "database.corrupt", words);
        }
        assert!(read(&world, &format!("{name}:hex")).text().contains("\n00000000: 53 51 4c 69"), "{name}");
    }
    world.file("pagecount.db", with(28..32, &[0xFF; 4]));
    let run = read(&world, "pagecount.db:good");
    assert_eq!(rows(&run).len(), 1, "{}", run.text());
    assert!(run.text().contains("the database is damaged (database disk image is malformed)"), "{}", run.text());
    world.file("empty.db", "");
    world.file("text.sqlite", "just text\n");
    assert!(record(&read(&world, "empty.db")).starts_with("[empty file"));
    assert_eq!(record(&read(&world, "text.sqlite")), "1:just text\n");
    check(&read(&world, "text.sqlite:good"), 2, "address.bad_selector", "'good'");
}

#[test]
fn s19_a_terabyte_of_nothing_behind_a_header_costs_nothing() {
    let world = world();
    let good = make(&world.path().join("good.db"), TWO);
    let facts = |name: &str| {
        let facts = world.path().join(name).symlink_metadata().unwrap();
        (facts.len(), facts.modified().unwrap())
    };
    for (name, head) in [("sparse_1t.db", &good[..16]), ("tables_1t.db", &good)] {
        Fixture::sparse(&world.path().join(name), head, 1 << 40, b"");
    }
    let before = ["sparse_1t.db", "tables_1t.db"].map(facts);
    for tail in ["", ":good", "?q=SELECT a FROM good"] {
        let run = read_only(&world, &format!("sparse_1t.db{tail}"), &[]);
        check(&run, 7, "database.corrupt", "file is not a database");
    }
    assert_eq!(record(&read_only(&world, "tables_1t.db", &[])), "- bad  1 row\n- good  1 row\n");
    assert_eq!(rows(&read_only(&world, "tables_1t.db:good", &[])), ["| 1 |"]);
    assert_eq!(["sparse_1t.db", "tables_1t.db"].map(facts), before);
    for suffix in ["-wal", "-shm", "-journal"] {
        assert!(world.path().join(format!("tables_1t.db{suffix}")).symlink_metadata().is_err(), "{suffix} was made");
    }
}
