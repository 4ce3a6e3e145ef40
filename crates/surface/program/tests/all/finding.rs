//! `find` and `search` as the program offers them: arguments, exit codes, JSON, both servers.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops where it cannot go on"
)]

use std::io::Read as _;
use std::process::{Child, Stdio};
use std::time::Duration;

use readstone_testkit::{Run, Served, Spoken, World, can_inject_faults};
use serde_json::{Value, json};

/// A small project: sources, a hidden file, something ignored, something binary.
fn project() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("src/main.rs", "use lib;\n\nfn main() {\n    lib::run();\n}\n");
    world.file("src/deep/lib.rs", "pub fn run() {\n    // TODO: work\n}\n");
    world.file("notes.txt", "todo: nothing\n--json is a flag\n");
    world.file(".hidden.txt", "todo: hide\n");
    world.file("blob.bin", [0_u8, 1, 2, 3, 0, 255]);
    world.file(".gitignore", "*.log\n");
    world.file("app.log", "todo: ignored\n");
    world
}

/// The paths of a find, in order of their bytes: the files of a test are all equally new.
fn paths(run: &Run) -> Vec<String> {
    let wire = run.json();
    let paths = wire["receipt"]["found"]["paths"].as_array().expect("paths");
    let mut paths: Vec<String> = paths.iter().map(|path| path.as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

/// The files in which a search found something.
fn files(run: &Run) -> Vec<String> {
    let wire = run.json();
    let targets = wire["receipt"]["targets"].as_array().expect("targets");
    targets.iter().map(|target| target["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_exit_code_says_whether_something_was_found() {
    let world = project();
    let code = |arguments: &[&str]| world.run(arguments).code.unwrap();
    for (arguments, expected) in [
        (["find", "*.rs"].as_slice(), 0),
        (&["find", "*.py"], 1),
        (&["find", "*.py", "--json"], 1),
        (&["find", "nowhere"], 3),
        (&["find", "*.rs", "--limit", "0"], 2),
        (&["find", "*.rs", "--skip=-1"], 2),
        (&["find", "/"], 2),
        (&["find"], 2),
        (&["find", "*.rs", "--colour"], 2),
        (&["search", "fn main"], 0),
        (&["search", "no such text"], 1),
        (&["search", "no such text", "--json"], 1),
        (&["search", "fn", "nowhere"], 3),
        (&["search", " "], 2),
        (&["search", "fn", "--skip=-1"], 2),
        (&["search"], 2),
    ] {
        assert_eq!(code(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn nothing_found_is_said_on_standard_output_and_a_failure_on_standard_error() {
    let world = project();
    let none = world.run(["find", "*.py"]);
    assert!(none.text().starts_with("No files found matching pattern\n"), "{}", none.text());
    let none = world.run(["search", "no such text"]);
    assert!(none.text().starts_with("No matches found\n"), "{}", none.text());
    assert_eq!(none.stderr, "");
    let bad = world.run(["find", "*.rs", "--limit", "0"]);
    assert_eq!((bad.text().as_str(), bad.stderr.contains("Limit must be a positive number")), ("", true));
    let bad = world.run(["search", "fn", "--skip", "-1"]);
    assert_eq!((bad.text().as_str(), bad.stderr.contains("Skip must be a non-negative number")), ("", true));
}

#[test]
fn json_is_the_reply_with_what_was_found() {
    let world = project();
    let run = world.run(["find", "*.rs", "--json"]);
    assert_eq!(paths(&run), ["src/deep/lib.rs", "src/main.rs"]);
    let wire = run.json();
    assert_eq!((&wire["status"], &wire["receipt"]["tool"]), (&json!("ok"), &json!("find")));
    let found = &wire["receipt"]["found"];
    assert_eq!((&found["scope"], &found["total"], &found["shown"]), (&json!(["*.rs"]), &json!(2), &json!([1, 2])));
    assert_eq!((&found["next_skip"], &wire["receipt"]["targets"]), (&Value::Null, &json!([])));
    assert_eq!(wire["parts"][0]["text"], json!(world.run(["find", "*.rs"]).text()));

    let run = world.run(["search", "fn main", "src", "--json"]);
    assert_eq!(files(&run), ["src/main.rs"]);
    let target = &run.json()["receipt"]["targets"][0];
    assert_eq!((&target["matches"]["shown"], &target["matches"]["total"]), (&json!(1), &json!(1)));
    assert_eq!(target["shown"]["ranges"], json!([[3, 3]]));
    let text = run.json()["parts"][0]["text"].as_str().unwrap().to_owned();
    assert!(
        text.contains(&format!("# src/main.rs#{}\n 2:\n*3:fn main() {{\n", target["tag"].as_str().unwrap())),
        "{text}"
    );
    assert_eq!(run.json()["receipt"]["found"]["matches"], json!(1));
}

#[test]
fn json_of_a_failure_names_the_tool_that_was_meant() {
    let world = project();
    for (arguments, tool, code) in [
        (["find", "--json", "nowhere"].as_slice(), "find", "find.not_found"),
        (&["search", "--json"], "search", "surface.bad_arguments"),
        (&["find", "*.rs", "--json", "--limit", "many"], "find", "surface.bad_arguments"),
        (&["search", "fn", "--json", "--config", "missing.toml"], "search", "config.bad_value"),
    ] {
        let wire = world.run(arguments).json();
        assert_eq!(wire["receipt"]["tool"], tool, "{arguments:?}: {wire}");
        assert_eq!(wire["receipt"]["error"]["code"], code, "{arguments:?}: {wire}");
    }
}

#[test]
fn flags_widen_and_narrow_what_is_looked_at() {
    let world = project();
    let found = |flag: &str| paths(&world.run(["find", "*.txt", "*.log", "--json", flag]));
    assert_eq!(found("--skip=0"), [".hidden.txt", "notes.txt"]);
    assert_eq!(found("--no-hidden"), ["notes.txt"]);
    assert_eq!(found("--no-gitignore"), [".hidden.txt", "app.log", "notes.txt"]);
    let searched = |flags: &[&str]| files(&world.run([&["search", "todo", ".", "--json"], flags].concat()));
    assert_eq!(searched(&[]), [".hidden.txt", "notes.txt"]);
    assert_eq!(searched(&["-i"]), [".hidden.txt", "notes.txt", "src/deep/lib.rs"]);
    assert_eq!(searched(&["--no-gitignore"]), [".hidden.txt", "app.log", "notes.txt"]);
    let not_searched = world.run(["search", "no such text", "--json"]).json();
    assert_eq!(not_searched["receipt"]["found"]["unsearched"][0]["reason"], "binary", "{not_searched}");
}

#[test]
fn pages_follow_each_other_by_skip() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    (0..25).for_each(|number| drop(world.file(format!("{number:02}.txt"), "needle\n")));
    let page = |tool: &[&str], skip: &str| world.run([tool, &["--json", "--skip", skip]].concat());
    let search = ["search", "needle"];
    let first = page(&search, "0");
    assert_eq!(first.json()["receipt"]["found"]["next_skip"], json!(20));
    assert!(first.json()["parts"][0]["text"].as_str().unwrap().ends_with("next: search skip=20]\n"));
    let second = page(&search, "20");
    assert_eq!(second.json()["receipt"]["found"]["next_skip"], Value::Null);
    let all = [files(&first), files(&second)].concat();
    assert_eq!(all, (0..25).map(|number| format!("{number:02}.txt")).collect::<Vec<_>>());
    let behind = page(&search, "25");
    assert_eq!((behind.code, files(&behind).len()), (Some(1), 0));

    let find = ["find", "*.txt", "--limit", "10"];
    let pages = ["0", "10", "20"].map(|skip| paths(&page(&find, skip)));
    assert_eq!(pages.each_ref().map(Vec::len), [10, 10, 5]);
    let mut all = pages.concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 25, "every path comes once");
}

#[test]
fn a_pattern_that_looks_like_a_flag_is_searched_for() {
    let world = project();
    for arguments in [["search", "-e", "--json", "notes.txt"], ["search", "--", "--json", "notes.txt"]] {
        let run = world.run(arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.text().contains("*2:--json is a flag\n"), "{}", run.text());
    }
}

#[test]
fn standard_input_is_not_waited_for() {
    let world = project();
    for arguments in [["find", "*.rs"], ["search", "fn main"]] {
        let mut command = world.command();
        let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The pipe stays open, and nothing ever comes through it.
        let _input = child.stdin.take();
        assert_eq!(end(&mut child), Some(0));
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("main"), "{text}");
    }
}

/// The exit code of a child that must end by itself.
fn end(child: &mut Child) -> Option<i32> {
    for _ in 0..400 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    None
}

#[test]
fn whoever_stops_reading_the_reply_causes_no_failure() {
    let world = project();
    for arguments in [["find", "."], ["search", "."]] {
        let mut command = world.command();
        let command = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(end(&mut child), Some(0));
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }
}

#[test]
fn a_script_for_a_shell_completes_both() {
    let world = project();
    for shell in ["bash", "zsh", "fish"] {
        let script = world.run(["completions", shell]).text();
        assert!(["find", "search", "no-gitignore", "ignore-case"].iter().all(|word| script.contains(word)), "{shell}");
    }
}

#[test]
fn both_are_described_and_answered_over_http() {
    let world = project();
    let server = Served::start(&world, [""; 0]);
    let document = server.get("/openapi.json").json();
    for (tool, needed) in [("find", json!(["paths"])), ("search", json!(["pattern", "paths"]))] {
        let call = &document["paths"][format!("/v1/tools/{tool}")]["post"];
        assert_eq!(call["operationId"], tool);
        assert_eq!(call["requestBody"]["content"]["application/json"]["schema"]["required"], needed);
    }
    let found = server.call("find", &json!({ "paths": "*.rs" }));
    assert_eq!((found.status, &found.json()["receipt"]["found"]["total"]), (200, &json!(2)));
    let none = server.call("search", &json!({ "pattern": "no such text", "paths": "." }));
    assert_eq!((none.status, &none.json()["receipt"]["targets"]), (200, &json!([])));
    for (tool, input, status) in [
        ("find", json!({ "paths": "*.rs", "limit": -1 }), 400),
        ("find", json!({ "paths": "nowhere" }), 404),
        ("find", json!({ "paths": 5 }), 400),
        ("search", json!({ "pattern": "a" }), 400),
        ("search", json!({ "pattern": "a", "paths": ".", "skip": -1 }), 400),
    ] {
        let answer = server.call(tool, &input);
        assert_eq!(answer.status, status, "{tool} {input}: {}", answer.text());
        assert_eq!(answer.json()["receipt"]["tool"], tool);
    }
}

/// A tree that is looked through for a while: many directories on a disk that takes its time.
fn slow_server(world: &World) -> Spoken {
    for number in 0..60 {
        world.file(format!("{number:03}/deep/file.txt"), "text\n");
    }
    let mut program = world.command();
    program.args(["mcp", "--receipts"]);
    let mut slow = readstone_testkit::tool("strace");
    slow.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=getdents64:delay_enter=20000"]);
    slow.arg(program.get_program()).args(program.get_args()).current_dir(world.path());
    slow.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut client = Spoken::spawn(&mut slow);
    client.open("2025-11-25");
    client
}

fn ask(id: u64, tool: &str, input: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": input, "_meta": { "progressToken": id } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[test]
fn a_find_tells_what_it_found_so_far() {
    if !can_inject_faults() {
        return;
    }
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let mut client = slow_server(&world);
    client.send(&ask(70, "find", &json!({ "paths": "*.txt", "timeout": 60 })));
    let answer = client.answer(70);
    assert_eq!(answer["result"]["structuredContent"]["found"]["total"], json!(60), "{answer}");
    let told: Vec<&Value> =
        client.notices.iter().filter(|notice| notice["method"] == "notifications/progress").collect();
    assert!(told.len() > 1, "{told:?}");
    let number = |notice: &Value| notice["params"]["progress"].as_f64().unwrap();
    assert!(told.windows(2).all(|pair| number(pair[0]) < number(pair[1])), "{told:?}");
    let words = told.iter().map(|notice| notice["params"]["message"].as_str().unwrap()).collect::<Vec<_>>();
    assert!(words.iter().all(|words| words.lines().next().unwrap().ends_with(" found")), "{words:?}");
    let mut names: Vec<&str> = words.iter().flat_map(|words| words.lines().skip(1)).collect();
    assert!(words.iter().all(|words| words.lines().count() <= 11), "{words:?}");
    assert!(names.len() > 1 && names.iter().all(|name| name.ends_with("/deep/file.txt")), "{names:?}");
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "no name is told twice");
}

#[test]
fn a_cancelled_find_ends_and_is_never_answered() {
    if !can_inject_faults() {
        return;
    }
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("one.rs", "fn one() {}\n");
    let mut client = slow_server(&world);
    client.send(&ask(70, "find", &json!({ "paths": "*.txt", "timeout": 60 })));
    let told = client.receive().expect("progress");
    assert_eq!(told["method"], "notifications/progress", "{told}");
    cancel(&mut client, 70);
    let small = client.call("read", &json!({ "path": "one.rs" }));
    assert!(small["result"]["content"][0]["text"].as_str().unwrap().contains("fn one"), "{small}");
    assert!(client.notices.iter().all(|notice| notice["id"] != json!(70)), "{:?}", client.notices);
}

fn cancel(client: &mut Spoken, id: u64) {
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
}

#[test]
fn a_cancelled_search_of_a_large_tree_ends_and_is_never_answered() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    // 64 GB under a thousand names, of which each is read for itself.
    let large = world.file("large.txt", "a line of text without what is searched for\n".repeat(1_500_000));
    for number in 0..1_000 {
        std::fs::hard_link(&large, world.path().join(format!("{number:04}.txt"))).unwrap();
    }
    world.file("small/one.rs", "fn one() {}\n");
    let mut client = Spoken::start(&world, [""; 0], "2025-11-25");
    client.send(&ask(70, "search", &json!({ "pattern": "nee+dle", "paths": "." })));
    let told = client.receive().expect("progress");
    assert_eq!(told["method"], "notifications/progress", "{told}");
    let words = told["params"]["message"].as_str().unwrap();
    assert!(words.ends_with(" searched, 0 with matches"), "{words}");
    cancel(&mut client, 70);
    assert!(client.vitals().rests(), "the search goes on though it was cancelled");
    let small = client.call("search", &json!({ "pattern": "fn", "paths": "small" }));
    assert!(small["result"]["content"][0]["text"].as_str().unwrap().contains("*1:fn one"), "{small}");
    assert!(client.notices.iter().all(|notice| notice["id"] != json!(70)), "{:?}", client.notices);
}
