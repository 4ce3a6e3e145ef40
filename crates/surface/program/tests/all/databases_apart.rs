//! Databases of callers and the server: the server passes on their bytes, and never opens one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]
#![expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::sync::Barrier;

use crate::worker::kit::{
    Halted, answer, check_error, check_page, children, only_worker, read, speak, start, told, until,
};
use readstone_testkit::{Run, World};
use rusqlite::Connection;
use serde_json::json;

/// Text that is in the database and never shown. It is put together here, so that the program does not hold it.
fn canary() -> String {
    ["CANARY", "of", "the", "hidden", "row"].join("-")
}

/// A database with a row to be shown, a row that is not, and a table that is large.
fn world() -> World {
    let world = crate::worker::kit::world();
    let database = Connection::open(world.path().join("y.db")).unwrap();
    let filler = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)";
    database
        .execute_batch(&format!(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, v, hidden);
             INSERT INTO t VALUES (1, 'shown', NULL);
             {filler} INSERT INTO t SELECT 10 + n, 'row ' || n, '{}' || n FROM c;",
            canary()
        ))
        .unwrap();
    world
}

/// How often bytes are in the memory of a process that it may write to.
fn count_in_memory(pid: u32, wanted: &[u8]) -> usize {
    let mut memory = fs::File::open(format!("/proc/{pid}/mem")).unwrap();
    let maps = told(pid, "maps");
    assert!(!maps.contains(".db"), "it maps a database: {maps}");
    let mut found = 0;
    for line in maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with("rw"))) {
        let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let (start, end) = (u64::from_str_radix(start, 16).unwrap(), u64::from_str_radix(end, 16).unwrap());
        let mut bytes = Vec::new();
        memory.seek(SeekFrom::Start(start)).unwrap();
        // What the system keeps to itself cannot be read.
        drop(memory.by_ref().take(end - start).read_to_end(&mut bytes));
        found += bytes.windows(wanted.len()).filter(|window| *window == wanted).count();
    }
    found
}

#[test]
fn the_server_keeps_no_page_of_a_database() {
    let world = world();
    let mut client = speak(&world, &[]);
    check_page(&read(&mut client, "y.db"), "t  3001 rows");
    check_page(&read(&mut client, "y.db:t:1"), "v: shown");
    check_page(&read(&mut client, "y.db?q=SELECT id, v FROM t WHERE id > 2900 LIMIT 3"), "| 2901 |");
    check_page(&read(&mut client, "y.db:t?where=v = 'row 2000'&row=1&column=v"), "row 2000");
    // The look finds what is there: what was shown.
    assert!(count_in_memory(client.pid(), b"row 2000") > 0, "nothing can be seen");
    assert_eq!(count_in_memory(client.pid(), canary().as_bytes()), 0);
}

#[test]
fn nothing_of_a_database_is_read_without_a_worker() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "1500"), ("READSTONE_WORKERS", "1")]);
    for address in ["y.db", "y.db:t", "y.db:t:1", "y.db:t:1:v", "y.db:t?limit=5", "y.db:nothing", "y.db?q=SELECT 1"] {
        until("a worker", || {
            let page = read(&mut client, "x.db:t");
            (page["result"]["isError"] == json!(false)).then_some(())
        });
        let halted = Halted::new(only_worker(&client));
        let id = start(&mut client, 1, address);
        check_error(&answer(&mut client, id), "database.timeout", "y.db");
        drop(halted);
    }
    // The bytes are not SQLite's.
    check_page(&read(&mut client, "y.db:hex"), "SQLite format");
}

#[test]
fn a_row_is_written_by_another_process_which_is_gone_then() {
    let world = world();
    let mut client = speak(&world, &[]);
    let written = client.call("write", &json!({ "path": "y.db:t:1", "content": "{v: 'new'}" }));
    check_page(&written, "Updated row '1'");
    assert_eq!(children(client.pid()), Vec::<u32>::new());
    let beside = fs::read_dir(world.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("y.db-"));
    assert_eq!(beside.count(), 0);
    // Values on the same page are not kept.
    assert_eq!(count_in_memory(client.pid(), canary().as_bytes()), 0);
}

#[test]
fn a_write_that_changes_nothing_leaves_nothing_beside_the_database() {
    for journal in ["delete", "wal"] {
        let world = world();
        Connection::open(world.path().join("x.db"))
            .unwrap()
            .execute_batch(&format!("PRAGMA journal_mode = {journal}"))
            .unwrap();
        for (row, content) in [("x.db:t:99", "{a: 2}"), ("x.db:t:1", "{nothing: 2}"), ("x.db:u", "{a: 2}")] {
            assert_ne!(world.write(row, content).code, None);
        }
        let names = fs::read_dir(world.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.filter(|name| name.to_string_lossy().starts_with("x.db-")).collect::<Vec<_>>();
        assert!(names.is_empty(), "{journal}: {names:?}");
    }
}

#[test]
fn rows_that_are_written_at_once_are_all_written() {
    for journal in ["delete", "wal"] {
        let world = world();
        let database = Connection::open(world.path().join("x.db")).unwrap();
        database.execute_batch(&format!("PRAGMA journal_mode = {journal}")).unwrap();
        drop(database);
        let barrier = Barrier::new(6);
        let write_five = |thread: usize| {
            barrier.wait();
            for number in 0..5 {
                let run: Run = world.write("x.db:t", format!("{{a: {}}}", 100 + 10 * thread + number));
                assert_eq!(run.code, Some(0), "{}{}", run.text(), run.stderr);
            }
        };
        std::thread::scope(|scope| {
            (0..6).for_each(|thread| drop(scope.spawn(move || write_five(thread))));
        });
        let database = Connection::open(world.path().join("x.db")).unwrap();
        let count =
            database.query_row("SELECT count(DISTINCT a) FROM t WHERE a >= 100", [], |row| row.get::<_, i64>(0));
        assert_eq!(count.unwrap(), 30, "{journal}");
    }
}

#[test]
fn a_search_through_a_table_sees_every_row() {
    let world = world();
    let mut client = speak(&world, &[]);
    let call = |client: &mut readstone_testkit::Spoken, path: &str| {
        client.call("search", &json!({ "pattern": "row 2[0-9]99$", "paths": [path] }))
    };
    for path in ["y.db:t", "y.db?q=SELECT * FROM t", "y.db:t?order=v"] {
        let found = call(&mut client, path);
        check_page(&found, "row 2999");
        check_page(&found, "row 2099");
    }
}

#[test]
fn a_database_in_a_large_value_is_read_by_one_worker_and_its_parts_by_another() {
    let world = world();
    let inner = fs::read(world.path().join("y.db")).unwrap();
    assert!(inner.len() > 120_000, "{}", inner.len());
    let outer = Connection::open(world.path().join("z.db")).unwrap();
    outer.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, v)").unwrap();
    outer.execute("INSERT INTO t VALUES (1, ?1)", [inner]).unwrap();
    drop(outer);
    let mut client = speak(&world, &[("READSTONE_VALUE_BYTES", "100000"), ("READSTONE_WORKERS", "1")]);
    check_page(&read(&mut client, "z.db:t:1:v:t:1"), "v: shown");
    check_page(&read(&mut client, "z.db:t:1:v:t?where=v = 'row 2999'"), "row 2999");
}
