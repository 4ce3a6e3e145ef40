//! Worker processes of a server, seen from outside.

use std::fs;
use std::time::Duration;

use readstone_testkit::{Spoken, World};
use rusqlite::Connection;
use serde_json::{Value, json};

/// How often is looked, and how many times at most: longer than anything that ends at all.
const PAUSE: Duration = Duration::from_millis(10);
const LOOKS: usize = 12_000;
/// The first id of calls whose answers are not waited for at once.
const FIRST: u64 = 1_000;
/// A query on `x.db` that never ends.
pub(crate) const ENDLESS: &str =
    "x.db?q=WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

/// A world with a text, documents and a database.
pub(crate) fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    for name in ["one", "two", "three"] {
        world.file(format!("{name}.rtf"), rtf(name));
    }
    world.file("page.html", "<!doctype html><html><body><h1>Title</h1></body></html>");
    let database = Connection::open(world.path().join("x.db")).unwrap();
    database.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1);").unwrap();
    world
}

/// A document that says this.
pub(crate) fn rtf(text: &str) -> String {
    format!("{{\\rtf1\\ansi It says {text}.\\par}}")
}

/// A document of so many lines.
pub(crate) fn long_rtf(name: &str, lines: usize) -> String {
    let line = |number| format!("Line {number} of the {{\\b long}} document {name}\\par\n");
    format!("{{\\rtf1\\ansi {}}}", (0..lines).map(line).collect::<String>())
}

/// A server on standard input and output with these variables.
pub(crate) fn speak(world: &World, variables: &[(&str, &str)]) -> Spoken {
    let mut command = world.command();
    let mut client = Spoken::spawn(command.envs(variables.iter().copied()).args(["mcp", "--receipts"]));
    client.open("2025-11-25");
    client
}

/// Reads an address.
pub(crate) fn read(client: &mut Spoken, address: &str) -> Value {
    client.call("read", &json!({ "path": address }))
}

/// Sends call number `number` for an address, and gives the id of its answer.
pub(crate) fn start(client: &mut Spoken, number: u64, address: &str) -> u64 {
    let id = FIRST + number;
    let call = json!({ "name": "read", "arguments": { "path": address } });
    client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call }));
    id
}

/// The answer to a call that was sent.
pub(crate) fn answer(client: &mut Spoken, id: u64) -> Value {
    match client.notices.iter().position(|message| message["id"] == json!(id)) {
        Some(place) => client.notices.remove(place),
        None => client.answer(id),
    }
}

/// Sees that an answer is a page with these words.
#[track_caller]
pub(crate) fn check_page(answer: &Value, words: &str) {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(
        answer["result"]["isError"] == json!(false) && text.contains(words),
        "no {words:?} in {:.900}",
        answer.to_string()
    );
}

/// Sees that an answer is an error of this code with these words.
#[track_caller]
pub(crate) fn check_error(answer: &Value, code: &str, words: &str) {
    let error = &answer["result"]["structuredContent"]["error"];
    let message = error["message"].as_str().unwrap_or_default();
    assert!(
        error["code"] == code && message.contains(words),
        "no {code} with {words:?} in {:.900}",
        answer.to_string()
    );
    assert!(!message.contains("panicked"), "{message}");
}

/// Waits for something that must come.
#[track_caller]
pub(crate) fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    for _ in 0..LOOKS {
        if let Some(found) = found() {
            return found;
        }
        std::thread::sleep(PAUSE);
    }
    panic!("it did not come: {what}");
}

/// A file of a process; empty when it is gone.
pub(crate) fn told(pid: u32, file: &str) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default()).into_owned()
}

/// The fields of a `stat` behind the name.
fn fields(stat: &str) -> Vec<&str> {
    stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect()).unwrap_or_default()
}

/// The state of a process; `None` when it is gone.
pub(crate) fn state(pid: u32) -> Option<char> {
    fields(&told(pid, "stat")).first()?.chars().next()
}

/// Every child of a process, those included that are dead and not buried.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |pid: &u32| fields(&told(*pid, "stat")).get(1) == Some(&parent.to_string().as_str());
    numbers.filter(is_child).collect()
}

fn is_worker(pid: u32) -> bool {
    told(pid, "cmdline").split('\0').nth(1) == Some("__worker")
}

/// The workers of a server.
pub(crate) fn workers(client: &Spoken) -> Vec<u32> {
    children(client.pid()).into_iter().filter(|pid| is_worker(*pid)).collect()
}

/// The only worker of a server.
#[track_caller]
pub(crate) fn only_worker(client: &Spoken) -> u32 {
    let workers = workers(client);
    assert_eq!(workers.len(), 1, "{workers:?}");
    workers[0]
}

/// Whether every thread of a process is dead, so that its parent can bury it.
pub(crate) fn is_dead(pid: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    state(pid).is_none_or(|state| state == 'Z' && threads <= 1)
}

/// Waits until a worker is gone. Where nobody buries orphans, dead is enough.
#[track_caller]
pub(crate) fn wait_for_end(pid: u32) {
    until("the end of the worker", || is_dead(pid).then_some(()));
}

/// Hundredths of a second of work that a process has done.
pub(crate) fn cpu(pid: u32) -> u64 {
    fields(&told(pid, "stat")).iter().skip(11).take(2).filter_map(|number| number.parse::<u64>().ok()).sum()
}

/// Sends a signal.
pub(crate) fn signal(pid: u32, name: &str) {
    assert!(readstone_testkit::signal(pid, name), "the worker is gone before SIG{name}");
}

/// A process that stands still until this is dropped.
#[derive(Debug)]
pub(crate) struct Halted {
    pid: u32,
}

impl Halted {
    /// Has a worker stand still, every thread of it.
    pub(crate) fn new(pid: u32) -> Self {
        signal(pid, "STOP");
        let halted = Self { pid };
        let stands = |task: fs::DirEntry| {
            let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            fields(&stat).first() == Some(&"T")
        };
        let all = || fs::read_dir(format!("/proc/{pid}/task")).unwrap().all(|task| stands(task.unwrap()));
        until("a worker that stands still", || all().then_some(()));
        halted
    }

    /// Waits until something was sent to it that it has not heard.
    pub(crate) fn wait_for_task(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let path = format!("/proc/{}/fd/0", self.pid);
            let input = tokio::net::unix::pipe::OpenOptions::new().open_receiver(path).unwrap();
            tokio::time::timeout(PAUSE * 12_000, input.readable()).await.unwrap().unwrap();
        });
    }
}

impl Drop for Halted {
    fn drop(&mut self) {
        // It may be gone already.
        let _sent = readstone_testkit::signal(self.pid, "CONT");
    }
}

/// Waits until the only worker of a server works on what it was given, and gives it.
pub(crate) fn wait_for_work(client: &Spoken) -> u32 {
    until("a worker that works", || workers(client).into_iter().find(|pid| cpu(*pid) >= 20))
}
