//! What a worker may use, and when it is ended: memory, a core, the time of the call, the wish of the caller, the end
//! of the server; and what is left where no process can be started.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use std::process::Command;

use readstone_testkit::{Run, Served, Spoken, World, can_be_nobody, tool, works};
use rusqlite::Connection;
use serde_json::json;

use crate::worker::kit::{
    ENDLESS, Halted, answer, check_error, check_page, children, cpu, is_dead, long_rtf, only_worker, read, rtf, signal,
    speak, start, state, told, until, wait_for_end, wait_for_work, workers, world,
};

/// Time enough for a worker to be started on a busy machine.
const AMPLE: (&str, &str) = ("READSTONE_CALL_MS", "120000");

#[test]
fn too_little_memory_is_told_by_its_name() {
    let world = world();
    world.file("long.rtf", long_rtf("long", 700_000));
    let memory = ("READSTONE_WORKER_MEMORY", "1000000");
    let mut client = speak(&world, &[memory, AMPLE]);
    let words = "[Cannot read .rtf file: the work on it met the limit worker_memory, 1000000]";
    check_error(&read(&mut client, "long.rtf"), "document.limit", words);
    check_page(&read(&mut client, "two.rtf"), "It says two.");
    check_error(&read(&mut client, "long.rtf"), "document.limit", words);
    assert!(children(client.pid()).iter().all(|pid| state(*pid) != Some('Z')));
    let run = Run::of(world.command().envs([memory, AMPLE]).args(["read", "long.rtf"]));
    assert_eq!((run.code, run.stdout.len()), (Some(5), 0), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("document.limit: {words}")), "{}", run.stderr);
}

#[test]
fn little_memory_is_little_memory() {
    let world = world();
    world.file("long.html", format!("<!doctype html><html><body>{}", "<p>some <b>words</b></p>\n".repeat(400_000)));
    let mut client = speak(&world, &[("READSTONE_WORKER_MEMORY", "1000000"), AMPLE]);
    check_error(&read(&mut client, "long.html"), "document.limit", "worker_memory");
}

#[test]
fn too_much_of_a_core_is_told_by_its_name() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_WORKER_SECONDS", "1"), AMPLE]);
    for _ in 0..2 {
        check_error(&read(&mut client, ENDLESS), "database.limit", "the work on it met the limit worker_seconds, 1");
        check_page(&read(&mut client, "x.db?q=SELECT 7"), "| 7 |");
    }
    assert_eq!(children(client.pid()).len(), 1);
}

#[test]
fn a_core_is_measured_for_every_piece_of_work_anew() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_WORKER_SECONDS", "2"), AMPLE]);
    // More work than one piece may take, in pieces that take less.
    let sum =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000) SELECT count(*) FROM c";
    let mut worker = None;
    until("three seconds of work", || {
        check_page(&read(&mut client, &format!("x.db?q={sum}")), "| 1000000");
        let now = only_worker(&client);
        assert_eq!(*worker.get_or_insert(now), now);
        (cpu(now) > 300).then_some(())
    });
}

#[test]
fn the_time_of_the_call_ends_a_worker_that_stands_still() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "3000")]);
    until("a document in time", || (read(&mut client, "one.rtf")["result"]["isError"] == false).then_some(()));
    let worker = only_worker(&client);
    let _halted = Halted::new(worker);
    check_error(&read(&mut client, "two.rtf"), "document.timeout", "the time of the call was used up (call_ms)");
    assert!(told(worker, "cmdline").is_empty(), "it is gone before the answer comes");
    until("a document in time", || (read(&mut client, "two.rtf")["result"]["isError"] == false).then_some(()));
}

#[test]
fn the_time_of_the_call_ends_a_worker_that_works() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "3000")]);
    let id = start(&mut client, 1, ENDLESS);
    check_error(&answer(&mut client, id), "database.timeout", "'x.db'");
    assert_eq!(children(client.pid()), Vec::<u32>::new());
    check_page(&read(&mut client, "a.txt"), "hello");
}

#[test]
fn those_who_wait_for_a_worker_wait_no_longer_than_their_call() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "4000"), ("READSTONE_WORKERS", "1")]);
    until("a document in time", || (read(&mut client, "one.rtf")["result"]["isError"] == false).then_some(()));
    let halted = Halted::new(only_worker(&client));
    let first = start(&mut client, 1, "two.rtf");
    halted.wait_for_task();
    let second = start(&mut client, 2, "three.rtf");
    check_page(&read(&mut client, "a.txt"), "hello");
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    check_error(&answer(&mut client, first), "document.timeout", "call_ms");
    // The place is free by now, or its time was up as well.
    let other = answer(&mut client, second);
    if other["result"]["isError"] == true {
        check_error(&other, "document.timeout", "call_ms");
    }
    assert!(workers(&client).len() <= 1);
}

fn cancel(client: &mut Spoken, id: u64) {
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
}

#[test]
fn a_cancelled_call_ends_its_worker() {
    let world = world();
    let mut client = speak(&world, &[AMPLE, ("READSTONE_WORKER_SECONDS", "600")]);
    let id = start(&mut client, 1, ENDLESS);
    let worker = wait_for_work(&client);
    cancel(&mut client, id);
    wait_for_end(worker);
    until("its burial", || children(client.pid()).is_empty().then_some(()));
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    let worker = only_worker(&client);
    let halted = Halted::new(worker);
    let id = start(&mut client, 2, "two.rtf");
    halted.wait_for_task();
    cancel(&mut client, id);
    until("its burial", || children(client.pid()).is_empty().then_some(()));
    check_page(&read(&mut client, "two.rtf"), "It says two.");
    assert!(client.vitals().rests(), "the server has nothing to do");
}

#[test]
fn a_caller_that_waits_for_a_worker_can_cancel() {
    let world = world();
    let mut client = speak(&world, &[AMPLE, ("READSTONE_WORKERS", "1"), ("READSTONE_WORKER_SECONDS", "600")]);
    let first = start(&mut client, 1, ENDLESS);
    let worker = wait_for_work(&client);
    for number in 2..8 {
        let id = start(&mut client, number, "two.rtf");
        cancel(&mut client, id);
    }
    check_page(&read(&mut client, "a.txt"), "hello");
    assert_eq!(workers(&client), [worker], "the one who works is left alone");
    cancel(&mut client, first);
    wait_for_end(worker);
    check_page(&read(&mut client, "three.rtf"), "It says three.");
}

#[test]
fn the_end_of_the_input_ends_a_worker_that_rests() {
    let world = world();
    let mut client = speak(&world, &[AMPLE]);
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    let worker = only_worker(&client);
    let (code, words) = client.end();
    assert_eq!(code, Some(0), "{words}");
    wait_for_end(worker);
}

/// Ends a server whose worker works for longer than it would wait.
fn end_at_work(end: impl FnOnce(&mut Spoken)) {
    let world = world();
    let variables = [AMPLE, ("READSTONE_WORKER_SECONDS", "600"), ("READSTONE_SERVER_DRAIN_MS", "100")];
    let mut client = speak(&world, &variables);
    start(&mut client, 1, ENDLESS);
    let worker = wait_for_work(&client);
    let _killed = Killed(worker);
    end(&mut client);
    let server = client.pid();
    until("the end of the server", || is_dead(server).then_some(()));
    let before = cpu(worker);
    until("the end of the worker", || {
        let is_over = is_dead(worker);
        assert!(is_over || cpu(worker) < before + 300, "it works on for nobody");
        is_over.then_some(())
    });
}

/// A process that a failed test must not leave behind.
struct Killed(u32);

impl Drop for Killed {
    fn drop(&mut self) {
        if told(self.0, "cmdline").contains("__worker") {
            signal(self.0, "KILL");
        }
    }
}

#[test]
fn the_end_of_the_input_ends_a_worker_that_works() {
    end_at_work(Spoken::finish);
}

#[test]
fn the_signal_to_stop_ends_a_worker_that_works() {
    end_at_work(|client| signal(client.pid(), "TERM"));
}

#[test]
fn the_death_of_the_server_ends_a_worker_that_works() {
    end_at_work(|client| signal(client.pid(), "KILL"));
}

#[test]
fn the_end_of_a_server_of_http_ends_a_worker_that_rests() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[AMPLE], []);
    assert_eq!(server.call("read", &json!({ "path": "one.rtf" })).status, 200);
    let found = children(server.pid());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(server.stop().0, Some(0));
    wait_for_end(found[0]);
}

/// A tool with the rights of nobody, whom limits bind.
fn nobodys(name: &str) -> Command {
    let mut command = tool("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", name]);
    command
}

/// The program with the rights of nobody and a limit.
fn as_nobody(world: &World, limit: &str, arguments: &[&str]) -> Command {
    let inner = world.command();
    let mut outer = nobodys("prlimit");
    outer.arg(limit);
    outer.arg(inner.get_program()).args(arguments).current_dir(world.path());
    outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?)))).envs([AMPLE]);
    outer
}

fn open_to_all(world: &World) {
    assert!(tool("chmod").args(["-R", "a+rX"]).arg(world.path()).status().unwrap().success());
}

#[test]
fn without_the_right_to_start_processes_texts_are_read_and_documents_are_not() {
    if !can_be_nobody() || !works("prlimit", &["--version"]) {
        return;
    }
    let world = world();
    open_to_all(&world);
    let read = |address: &str| Run::of(&mut as_nobody(&world, "--nproc=0", &["--ephemeral", "read", address]));
    let run = read("one.rtf");
    assert!(run.stdout.is_empty() && run.stderr.starts_with("document.no_worker: "), "{:?} {}", run.code, run.stderr);
    assert!(run.stderr.contains("no process could be started to work on it"), "{}", run.stderr);
    let run = read("a.txt");
    assert!(run.code == Some(0) && run.text().contains("hello"), "{} {}", run.text(), run.stderr);
    for address in ["x.db", "x.db:t", "x.db:t:1", "x.db?q=SELECT 7"] {
        let run = read(address);
        assert!(run.stdout.is_empty() && run.stderr.starts_with("database.no_worker"), "{} {}", run.text(), run.stderr);
        assert!(run.stderr.contains("no process could be started to work on it"), "{}", run.stderr);
    }
}

#[test]
fn a_server_that_may_start_no_process_for_a_while_goes_on_afterwards() {
    if !can_be_nobody() || !works("prlimit", &["--version"]) {
        return;
    }
    let world = world();
    open_to_all(&world);
    let mut client = Spoken::spawn(&mut as_nobody(&world, "--core=0", &["--ephemeral", "mcp", "--receipts"]));
    client.open("2025-11-25");
    check_page(&read(&mut client, "a.txt"), "hello");
    let pid = client.pid().to_string();
    let allow = |most: &str| {
        assert!(nobodys("prlimit").args(["--pid", &pid, &format!("--nproc={most}")]).status().unwrap().success());
    };
    allow("0:");
    check_error(&read(&mut client, "one.rtf"), "document.no_worker", "no process could be started to work on it");
    check_page(&read(&mut client, "a.txt"), "hello");
    allow("10000:");
    check_page(&read(&mut client, "one.rtf"), "It says one.");
}

#[test]
fn a_query_holds_its_locks_no_longer_than_its_call() {
    for mode in ["DELETE", "WAL"] {
        let world = world();
        let writer = Connection::open(world.path().join("x.db")).unwrap();
        writer.execute_batch(&format!("PRAGMA journal_mode={mode}; PRAGMA busy_timeout=0;")).unwrap();
        let mut client = speak(&world, &[AMPLE]);
        for number in 2..22 {
            writer.execute_batch(&format!("BEGIN IMMEDIATE; INSERT INTO t VALUES ({number});")).unwrap();
            // What is not committed is not seen.
            check_page(&read(&mut client, "x.db?q=SELECT max(a) FROM t"), &format!("| {} |", number - 1));
            writer.execute_batch("COMMIT").unwrap();
            check_page(&read(&mut client, "x.db?q=SELECT max(a) FROM t"), &format!("| {number} "));
            writer.execute_batch("BEGIN EXCLUSIVE; COMMIT").unwrap();
        }
        assert_eq!(workers(&client).len(), 1);
    }
}

#[test]
fn the_locks_of_a_worker_that_was_killed_are_released() {
    let world = world();
    let writer = Connection::open(world.path().join("x.db")).unwrap();
    writer.execute_batch("PRAGMA journal_mode=DELETE; PRAGMA busy_timeout=0;").unwrap();
    let mut client = speak(&world, &[AMPLE, ("READSTONE_WORKER_SECONDS", "600")]);
    let sql = ENDLESS.replace("SELECT count(*) FROM c", "SELECT count(*) FROM t, c");
    let exclusive = "BEGIN EXCLUSIVE; INSERT INTO t VALUES (2); COMMIT";
    let id = start(&mut client, 1, &sql);
    let worker = wait_for_work(&client);
    assert!(writer.execute_batch(exclusive).is_err(), "the query reads the database");
    signal(worker, "KILL");
    check_error(&answer(&mut client, id), "database.crashed", "signal 9");
    writer.execute_batch(exclusive).unwrap();
    let id = start(&mut client, 2, &sql);
    let worker = wait_for_work(&client);
    assert!(writer.execute_batch(exclusive).is_err(), "the query reads the database");
    cancel(&mut client, id);
    wait_for_end(worker);
    until("the end of the lock", || writer.execute_batch(exclusive).ok());
}

#[test]
fn little_room_for_the_server_is_enough_for_its_worker() {
    let world = world();
    let inner = world.command();
    let mut outer = tool("sh");
    outer.args(["-c", "ulimit -v 1000000; exec \"$@\"", "sh"]).arg(inner.get_program()).args(["--ephemeral", "mcp"]);
    outer.current_dir(world.path()).envs([AMPLE, ("HOME", "/nonexistent")]);
    let mut client = Spoken::spawn(&mut outer);
    client.open("2025-11-25");
    for number in 0..8 {
        let name = format!("more{number}.rtf");
        world.file(&name, rtf(&name));
        start(&mut client, number, &name);
    }
    let mut answers = 0;
    while answers < 8 {
        let answer = client.receive().unwrap();
        if answer.get("id").is_some() {
            check_page(&answer, "It says more");
            answers += 1;
        }
    }
}
