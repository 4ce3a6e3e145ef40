//! Other programs at the same database, and what is left of a write that was cut off.

use std::sync::Arc;
use std::time::Duration;

use readstone_base::Class;
use readstone_formats::{RowDone, RowEffect};

use super::stand::{Stand, within};

const TABLE: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a');";

#[test]
fn a_writer_that_does_not_let_go_is_told() {
    for mode in ["DELETE", "WAL"] {
        let mut stand = Stand::new(&format!("PRAGMA journal_mode = {mode}; {TABLE}"));
        stand.limits.lock_ms = 60;
        let other = stand.connect();
        other.execute_batch("BEGIN IMMEDIATE; UPDATE t SET v = 'theirs';").unwrap();
        let fault = stand.attempt("t:1", "{v: 'ours'}", RowEffect::Real).unwrap_err();
        assert_eq!((fault.code(), fault.class()), ("database.locked", Class::Stopped), "{mode}: {fault}");
        assert!(fault.to_string().contains("did not let go within 60 ms"), "{fault}");
        other.execute_batch("COMMIT").unwrap();
        drop(other);
        assert_eq!(stand.text("SELECT v FROM t"), ["theirs"]);
        assert_eq!(stand.write("t:1", "{v: 'ours'}").done, RowDone::Updated);
    }
}

#[test]
fn a_reader_keeps_a_database_without_a_log_from_being_written() {
    let mut stand = Stand::new(TABLE);
    stand.limits.lock_ms = 60;
    let other = stand.connect();
    other.execute_batch("BEGIN; SELECT * FROM t;").unwrap();
    let mut statement = other.prepare("SELECT * FROM t").unwrap();
    let mut rows = statement.query([]).unwrap();
    assert!(rows.next().unwrap().is_some());
    for effect in [RowEffect::Real, RowEffect::Dry] {
        assert_eq!(stand.attempt("t:1", "{v: 'ours'}", effect).unwrap_err().code(), "database.locked");
    }
    drop(rows);
    drop(statement);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(stand.text("SELECT v FROM t"), ["a"]);
    stand.write("t:1", "{v: 'ours'}");
}

#[test]
fn a_writer_that_lets_go_is_waited_for() {
    let stand = Arc::new(Stand::new(TABLE));
    let other = stand.connect();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE t SET v = 'theirs';").unwrap();
    let ours = Arc::clone(&stand);
    let thread = std::thread::spawn(move || ours.write("t:1", "{v: 'ours'}").before.unwrap().json);
    std::thread::sleep(Duration::from_millis(50));
    other.execute_batch("COMMIT").unwrap();
    assert!(thread.join().unwrap().contains("theirs"));
    assert_eq!(stand.text("SELECT v FROM t"), ["ours"]);
}

#[test]
fn writers_side_by_side_lose_nothing() {
    for mode in ["DELETE", "WAL"] {
        let mut stand =
            Stand::new(&format!("PRAGMA journal_mode = {mode}; CREATE TABLE t(id INTEGER PRIMARY KEY, v);"));
        stand.limits.lock_ms = 30_000;
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let stand = &stand;
                let write = move |round| {
                    let written = stand.attempt("t", &format!("{{v: '{writer}-{round}'}}"), RowEffect::Real);
                    assert_eq!(written.unwrap().done, RowDone::Inserted);
                };
                scope.spawn(move || (0..10).for_each(write));
            }
        });
        stand.check();
        assert_eq!(stand.text("SELECT count(DISTINCT v) FROM t"), ["40"], "{mode}");
    }
}

#[test]
fn a_call_that_is_cancelled_or_late_writes_nothing() {
    let mut stand = Stand::new(TABLE);
    let other = stand.connect();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    stand.budget = within(Duration::from_millis(30));
    assert_eq!(stand.attempt("t:1", "", RowEffect::Real).unwrap_err().code(), "database.timeout");
    stand.budget = within(Duration::from_mins(1));
    stand.budget.cancel_token().cancel();
    assert_eq!(stand.attempt("t:1", "", RowEffect::Real).unwrap_err().code(), "database.cancelled");
    drop(other);
    assert_eq!(stand.attempt("t:1", "", RowEffect::Real).unwrap_err().code(), "database.cancelled");
    assert_eq!(stand.text("SELECT v FROM t"), ["a"]);
}

#[test]
fn an_unfinished_transaction_of_another_program_is_undone_first() {
    let stand = Stand::new(&format!("{TABLE} CREATE TABLE big(v);"));
    let other = stand.connect();
    // A cache of nothing brings unfinished changes to the disk.
    other.execute_batch("PRAGMA cache_size = 1; BEGIN; UPDATE t SET v = 'unfinished';").unwrap();
    let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
        INSERT INTO big SELECT randomblob(2000) FROM n";
    other.execute_batch(fill).unwrap();
    // What a program that was killed leaves behind.
    let cut = Stand::new("");
    for suffix in ["", "-journal"] {
        let from = format!("{}{suffix}", stand.path().display());
        std::fs::copy(from, format!("{}{suffix}", cut.path().display())).unwrap();
    }
    assert_eq!(cut.names(), ["d.db", "d.db-journal"]);
    let before = cut.write("t:1", "{v: 'ours'}").before.unwrap();
    assert!(before.json.contains("\"a\""), "{}", before.json);
    assert_eq!(cut.text("SELECT v FROM t"), ["ours"]);
    assert_eq!(cut.text("SELECT count(*) FROM big"), ["0"]);
    assert_eq!(cut.names(), ["d.db"]);
}

/// Where a child of this test finds its database.
const CHILD: &str = "READSTONE_TEST_DATABASE";

#[test]
fn a_writer_that_is_killed_leaves_a_whole_database() {
    if let Some(path) = std::env::var_os(CHILD) {
        return write_for_ever(std::path::Path::new(&path));
    }
    for mode in ["DELETE", "WAL"] {
        let stand = Stand::new(&format!(
            "PRAGMA journal_mode = {mode}; CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE log(v);
             CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.v); END;"
        ));
        for round in 0..5_u64 {
            let program = std::env::current_exe().unwrap();
            let mut child = std::process::Command::new(program);
            child.args(["--exact", "database_write::locks::a_writer_that_is_killed_leaves_a_whole_database"]);
            let mut child = child.env(CHILD, stand.path()).stdout(std::process::Stdio::null()).spawn().unwrap();
            // Asking the database itself would keep the child waiting.
            let before = stand.bytes();
            while stand.bytes() == before {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_micros(700 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            stand.check();
            let counts = "SELECT (SELECT group_concat(v) FROM t) IS (SELECT group_concat(v) FROM log)";
            assert_eq!(stand.text(counts), ["1"], "{mode} {round}");
        }
        assert_eq!(stand.write("t", "{v: 'last'}").done, RowDone::Inserted);
    }
}

fn write_for_ever(path: &std::path::Path) {
    let budget = within(Duration::from_mins(1));
    for number in 0_u64.. {
        let content = format!("{{v: '{number} {}'}}", "x".repeat(3_000));
        let effect = RowEffect::Real;
        let write = readstone_formats::RowWrite {
            path,
            identity: None,
            database: "d.db",
            tail: "t",
            content: &content,
            effect,
            judge: None,
        };
        readstone_formats::write_row(&write, &readstone_base::Limits::default(), &budget).unwrap();
        if budget.still_wanted().is_err() {
            return;
        }
    }
}

#[test]
fn what_stands_in_the_place_of_the_journal_is_left_alone() {
    let stand = Stand::new(TABLE);
    let journal = stand.path().with_file_name("d.db-journal");
    let precious = stand.path().with_file_name("precious");
    std::fs::write(&precious, "precious").unwrap();
    std::os::unix::fs::symlink(&precious, &journal).unwrap();
    let fault = stand.attempt("t:1", "", RowEffect::Real).unwrap_err();
    assert_eq!((fault.code(), fault.class()), ("database.read_only", Class::Denied), "{fault}");
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
    std::fs::remove_file(&journal).unwrap();
    std::fs::create_dir(&journal).unwrap();
    assert_eq!(stand.attempt("t:1", "", RowEffect::Real).unwrap_err().code(), "database.failed");
    std::fs::remove_dir(&journal).unwrap();
    assert_eq!(stand.text("SELECT v FROM t"), ["a"]);
}
