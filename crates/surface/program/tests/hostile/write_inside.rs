//! Entries of archives and rows of databases, written while the system fails or the schema is hostile: the rows A27, S10, S26
//! and W23 of `docs/hostile.md`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use readstone_testkit::{
    Archive, Confined, Fixture, Mounted, Run, Served, World, ZipItem, can_inject_faults, tool, works,
};
use rusqlite::Connection;
use serde_json::json;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: "));
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

/// The entry that is written.
const ENTRY: &str = "dir/entry 07.txt";
const CONTENT: &str = "the new text of the entry\n";

/// Twenty entries and a comment: stored, deflated, a link, one that can be run, a directory.
fn items() -> Vec<ZipItem> {
    let one = |number: u32| {
        let (name, text) = (format!("dir/entry {number:02}.txt"), format!("entry {number}\n").repeat(400));
        match number {
            3 => ZipItem::link(name, "entry 04.txt"),
            5 => ZipItem { mode: 0o10_0755, ..ZipItem::stored(name, text.as_bytes()) },
            6 => ZipItem { mode: 0o4_0750, ..ZipItem::stored("dir/sub/", b"") },
            _ if number.is_multiple_of(2) => ZipItem::deflated(name, text.as_bytes()),
            _ => ZipItem::stored(name, text.as_bytes()),
        }
    };
    (1..=20).map(one).collect()
}

fn zip() -> Vec<u8> {
    let (mut bytes, comment) = (Archive::zip(&items()), b"a comment");
    let end = bytes.len();
    bytes[end - 2] = u8::try_from(comment.len()).unwrap_or(0);
    bytes.extend(comment);
    bytes
}

fn tar_parts() -> Vec<Vec<u8>> {
    let one = |number: u32| {
        let (name, text) = (format!("dir/entry {number:02}.txt"), format!("entry {number}\n").repeat(400));
        match number {
            3 => Archive::tar_link(&name, b'2', "entry 04.txt"),
            4 => {
                [Archive::tar_pax(&[("comment", "kept"), ("mtime", "1.5")]), Archive::tar_entry(&name, b'0', b"four\n")]
                    .concat()
            }
            6 => Archive::tar_header("dir/sub/", b'5', &Archive::tar_size(0), ""),
            _ => Archive::tar_entry(&name, b'0', text.as_bytes()),
        }
    };
    (1..=20).map(one).collect()
}

/// Where these bytes stand in others, from a place on.
fn find(bytes: &[u8], from: usize, piece: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(piece.len()).position(|window| window == piece).map(|at| from + at)
}

/// Checks that all entries but one stand in a new archive as they stood in the old one, byte by byte and in their order.
fn check_zip(path: &Path) {
    let bytes = Fixture::bytes(path);
    let (mut at, mut places) = (0, Vec::new());
    for item in items().iter().filter(|item| item.name != ENTRY.as_bytes()) {
        let place = find(&bytes, at, &[item.local(), item.data.clone()].concat());
        assert!(place.is_some(), "{} is not what it was", String::from_utf8_lossy(&item.name));
        places.push((item.clone(), place.unwrap_or_default()));
        at = place.unwrap_or_default() + 1;
    }
    for (item, place) in places {
        let central = find(&bytes, at, &item.central(place));
        assert!(central.is_some(), "{} is listed otherwise", String::from_utf8_lossy(&item.name));
        at = central.unwrap_or_default() + 1;
    }
    assert!(bytes.ends_with(b"\x09\x00a comment"));
    if works("unzip", &["-v"]) {
        let tested = tool("unzip").arg("-tqq").arg(path).output();
        assert!(tested.is_ok_and(|tested| tested.status.success()), "another program finds it damaged");
    }
}

fn check_tar(bytes: &[u8]) {
    let mut at = 0;
    for part in tar_parts().iter().filter(|part| !part.starts_with(ENTRY.as_bytes())) {
        let place = find(bytes, at, part);
        assert!(place.is_some(), "{} is not what it was", String::from_utf8_lossy(&part[..20]));
        at = place.unwrap_or_default() + part.len();
    }
}

/// The archives, by their names.
fn archives() -> [(&'static str, Vec<u8>); 3] {
    [("a.zip", zip()), ("a.tar", Archive::tar(&tar_parts())), ("a.tgz", Archive::gzip(&Archive::tar(&tar_parts())))]
}

fn write(world: &World, address: &str) -> Command {
    let mut command = world.command();
    command.args(["write", "--", address]);
    command
}

/// Takes all the room that a file system has left.
fn fill(place: &Path) {
    let filled = tool("sh").args(["-c", "cat /dev/zero > filler 2> /dev/null"]).current_dir(place).status();
    assert!(filled.is_ok_and(|status| !status.success()), "there is room without end");
}

#[test]
fn a27_one_entry_is_written_and_all_others_stay_byte_by_byte() {
    let world = world();
    for (name, old) in archives() {
        let path = world.file(name, &old);
        Fixture::mode(&path, 0o640);
        let address = format!("{name}:{ENTRY}");
        let run = world.write(&address, CONTENT);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let shown = world.read(&address);
        assert!(shown.text().contains("the new text of the entry"), "{name}: {}", shown.text());
        assert_eq!(Fixture::owned(&path).0, 0o640);
        match name {
            "a.zip" => check_zip(&path),
            "a.tar" => check_tar(&Fixture::bytes(&path)),
            _ if works("gzip", &["--version"]) => {
                check_tar(&tool("gzip").arg("-dc").arg(&path).output().unwrap().stdout);
            }
            _ => {}
        }
        assert_eq!(world.run(["undo"]).code, Some(0));
        assert!(Fixture::bytes(&path) == old, "{name}: taken back, it is what it was");
        let whole = world.write(name, CONTENT);
        assert!(whole.code != Some(0) && Fixture::bytes(&path) == old, "{name}: {}", whole.text());
    }
}

#[test]
fn a27_w23_an_archive_that_is_killed_on_its_way_is_the_old_or_the_new_one() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let content = world.file(".content", CONTENT);
    for (name, old) in archives() {
        let path = world.file(name, &old);
        let address = format!("{name}:{ENTRY}");
        assert_eq!(world.write(&address, CONTENT).code, Some(0));
        // The same time of day, the same entry: the same bytes.
        let new = Fixture::bytes(&path);
        fs::write(&path, &old).unwrap();
        let mut both = [0, 0];
        let calls = ["write", "fchmod", "fsync", "renameat2", "unlinkat"];
        Confined::default().input(&content).kill_each(&write(&world, &address), &calls, &mut |when, run| {
            let now = Fixture::bytes(&path);
            assert!(now == old || now == new, "{name} {when}: neither, {} bytes", now.len());
            both[usize::from(now == new)] += 1;
            let left = world.waiting();
            assert!(left.len() <= 1 && run.is_none_or(|run| run.code == Some(0) && now == new), "{name} {when}");
            for left in left {
                fs::remove_file(left).unwrap();
            }
            fs::write(&path, &old).unwrap();
        });
        assert!(both[0] > 3 && both[1] > 3, "{name}: {both:?}");
    }
}

#[test]
fn a27_w23_an_archive_on_a_full_disk_stays_what_it_was() {
    let world = world();
    let place = world.path().join("small");
    let Some(_mounted) = Mounted::memory(&place, "128k") else { return };
    for (name, old) in archives() {
        let path = world.file(format!("small/{name}"), &old);
        fill(&place);
        let run = world.write(&format!("small/{name}:{ENTRY}"), CONTENT);
        check(&run, 8, "host.no_space");
        assert!(Fixture::bytes(&path) == old && world.waiting().is_empty(), "{name}");
        fs::remove_file(path).and_then(|()| fs::remove_file(place.join("filler"))).unwrap();
    }
    if can_inject_faults() {
        let content = world.file(".content", CONTENT);
        for ((name, old), fault) in
            archives().into_iter().zip(["write:error=ENOSPC", "fsync:error=EIO", "renameat2:error=EIO"])
        {
            let path = world.file(name, &old);
            let command = write(&world, &format!("{name}:{ENTRY}"));
            let run = Confined::default().fault(&format!("{fault}:when=1"), None).input(&content).run(&command);
            assert!(run.code != Some(0) && run.stderr.starts_with("host."), "{name} {fault}: {}", run.stderr);
            assert!(Fixture::bytes(&path) == old && world.waiting().is_empty(), "{name} {fault}");
        }
    }
}

const TABLE: &str =
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) < 2000), note TEXT UNIQUE);
    CREATE TABLE log (text TEXT);
    CREATE TRIGGER noted AFTER UPDATE ON users BEGIN INSERT INTO log VALUES (old.name || ' to ' || new.name); END;
    INSERT INTO users VALUES (1, 'Ann', 'a'), (2, 'Bob', 'b');";

/// A database, in one of the ways in which they keep what is not finished.
fn database(world: &World, name: &str, journal: &str) -> Connection {
    let path = world.path().join(name);
    for end in ["", "-journal", "-wal", "-shm"] {
        drop(fs::remove_file(format!("{}{end}", path.display())));
    }
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(&format!("PRAGMA journal_mode = {journal}; {TABLE}")).unwrap();
    connection
}

/// What a database says of itself, and the names in it; what is not finished is undone by whoever opens it.
fn look(path: &Path) -> (String, Vec<String>, u32) {
    let connection = Connection::open(path).unwrap();
    let sound = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    let mut all = connection.prepare("SELECT name FROM users ORDER BY id").unwrap();
    let names = all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let logged = connection.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap();
    (sound, names, logged)
}

#[test]
fn s26_w23_a_row_that_is_killed_on_its_way_is_written_or_not_and_the_database_is_sound() {
    if !can_inject_faults() {
        return;
    }
    for journal in ["delete", "wal"] {
        let world = world();
        let content = world.file(".content", "{name: 'Robert'}");
        let path = world.path().join("d.db");
        drop(database(&world, "d.db", journal));
        let mut both = [0, 0];
        let calls = ["openat", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "write"];
        let confined = Confined::default().input(&content);
        let command = write(&world, "d.db:users:2");
        for (call, when) in calls.into_iter().flat_map(|call| (1..60).map(move |when| (call, when))) {
            let run = confined.kill(&command, call, when);
            let (sound, names, logged) = look(&path);
            let is_new = names == ["Ann", "Robert"];
            assert!(sound == "ok" && (is_new || names == ["Ann", "Bob"]), "{journal} {call} {when}: {sound} {names:?}");
            // What the trigger did belongs to it.
            assert_eq!(logged, u32::from(is_new), "{journal} {call} {when}");
            // What was killed may be the writer: then the call says so, and that nobody knows what lasts.
            let is_told =
                |run: &Run| run.code == Some(8) && run.stderr.contains("read the row before it is written again");
            assert!(
                run.as_ref().is_none_or(|run| is_told(run) || run.code == Some(0) && is_new),
                "{journal} {call} {when}: {run:?}"
            );
            both[usize::from(is_new)] += 1;
            drop(database(&world, "d.db", journal));
            if run.is_some_and(|run| run.code == Some(0)) {
                break;
            }
        }
        assert!(both[0] > 10 && both[1] > 0, "{journal}: {both:?}");
    }
}

#[test]
fn s26_w23_a_row_for_which_the_disk_has_no_room_is_not_written() {
    let world = world();
    let place = world.path().join("small");
    if let Some(_mounted) = Mounted::memory(&place, "128k") {
        for journal in ["delete", "wal"] {
            drop(database(&world, "small/d.db", journal));
            fill(&place);
            let run = world.write("small/d.db:users", format!("{{name: '{}'}}", "x".repeat(1_900)));
            assert!(
                run.code == Some(8) && run.stderr.starts_with("database."),
                "{journal}: {:?} {}",
                run.code,
                run.stderr
            );
            fs::remove_file(place.join("filler")).unwrap();
            assert_eq!(look(&place.join("d.db")), ("ok".to_owned(), vec!["Ann".to_owned(), "Bob".to_owned()], 0));
        }
    }
    if !can_inject_faults() {
        return;
    }
    let content = world.file(".content", "{name: 'Robert'}");
    let (path, mut failed) = (world.path().join("d.db"), 0);
    for fault in ["pwrite64:error=ENOSPC", "pwrite64:error=EIO", "fsync:error=EIO", "fdatasync:error=EIO"] {
        for when in 1..30 {
            drop(database(&world, "d.db", "delete"));
            let confined = Confined::default().fault(&format!("{fault}:when={when}"), None).input(&content);
            let run = confined.run(&write(&world, "d.db:users:2"));
            let (sound, names, _) = look(&path);
            let is_new = names == ["Ann", "Robert"];
            // Where the disk failed behind the decision, nobody knows what lasts: the answer says to look.
            let told = run.code == Some(0) || run.stderr.contains("read the row before it is written again");
            let done = if is_new { told } else { run.code != Some(0) };
            let fits = sound == "ok" && (is_new || names == ["Ann", "Bob"]) && done;
            assert!(fits, "{fault} {when}: {sound} {names:?} {:?} {}", run.code, run.stderr);
            failed += u32::from(!is_new);
        }
    }
    assert!(failed > 8, "{failed}");
}

#[test]
fn s10_what_a_schema_does_beside_a_row_is_told_and_reaches_nothing_but_rows() {
    let world = world();
    let connection = database(&world, "d.db", "delete");
    let count = |table: &str| -> u32 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    connection.execute_batch("CREATE TABLE seen (what); CREATE TABLE t (v)").unwrap();
    let seen = "CREATE TRIGGER seen AFTER UPDATE ON users BEGIN INSERT INTO seen VALUES (new.name), (old.name); END";
    connection.execute_batch(seen).unwrap();
    let run = world.write("d.db:users:2", "{name: 'Robert'}");
    assert!(run.code == Some(0) && run.text().contains("2 in seen"), "{}{}", run.text(), run.stderr);
    for reach in ["load_extension('x.so')", "fts3_tokenizer('simple')", "readfile('/etc/passwd')"] {
        let trigger = format!("CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO seen SELECT {reach}; END");
        connection.execute_batch(&trigger).unwrap();
        let run = world.write("d.db:t", "{v: 1}");
        assert!(matches!(run.code, Some(2 | 4)), "{reach}: {:?} {}{}", run.code, run.text(), run.stderr);
        connection.execute_batch("DROP TRIGGER x").unwrap();
        assert_eq!((count("t"), count("seen")), (0, 2), "{reach}");
    }
    assert_eq!(look(&world.path().join("d.db")).0, "ok");
}

#[test]
fn s26_a_row_that_breaks_a_rule_is_not_written_in_part() {
    let world = world();
    drop(database(&world, "d.db", "delete"));
    for (address, content) in [
        ("d.db:users:2", "{note: 'c', name: null}"),
        ("d.db:users:2", "{name: 'Robert', note: 'a'}"),
        ("d.db:users", "{id: 1, name: 'Eve'}"),
        ("d.db:users", "{note: 'd'}"),
    ] {
        check(&world.write(address, content), 2, "database.constraint");
        assert_eq!(look(&world.path().join("d.db")), ("ok".to_owned(), vec!["Ann".to_owned(), "Bob".to_owned()], 0));
    }
}

#[test]
fn s26_a_second_writer_waits_or_is_told_and_no_row_is_lost() {
    let world = world();
    let other = database(&world, "d.db", "delete");
    other.execute_batch("BEGIN IMMEDIATE; INSERT INTO users VALUES (3, 'Theirs', 'c')").unwrap();
    check(&world.write("d.db:users", "{name: 'Ours'}"), 9, "database.locked");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(look(&world.path().join("d.db")).1, ["Ann", "Bob", "Theirs"]);
    // Many at once, by a server and by command lines: whoever is told that a row was written finds it.
    let server = Served::start(&world, ["--root", "."]);
    let written: Vec<String> = std::thread::scope(|scope| {
        let all = (0..24).map(|number| {
            let (world, server) = (&world, &server);
            scope.spawn(move || {
                let (name, address) = (format!("row {number}"), "d.db:users");
                let content = json!({ "name": name }).to_string();
                let done = if number % 3 == 0 {
                    world.write(address, &content).code == Some(0)
                } else {
                    server.call("write", &json!({ "path": address, "content": content })).status == 200
                };
                done.then_some(name)
            })
        });
        let all: Vec<_> = all.collect();
        all.into_iter().filter_map(|one| one.join().unwrap()).collect()
    });
    let (sound, names, _) = look(&world.path().join("d.db"));
    let mut found: Vec<String> = names.into_iter().filter(|name| name.starts_with("row ")).collect();
    let mut written = written;
    found.sort();
    written.sort();
    assert!(sound == "ok" && !written.is_empty() && found == written, "{found:?} {written:?}");
}
