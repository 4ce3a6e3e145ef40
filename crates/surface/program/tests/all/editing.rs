//! `edit`, `write` and `undo` as the program offers them: the command line, both servers, and tags across all of them.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops where it cannot go on, and looks at the files that were changed"
)]

use readstone_testkit::{Run, Served, Spoken, World, tool, works};
use serde_json::{Value, json};

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn bytes(world: &World, name: &str) -> Vec<u8> {
    std::fs::read(world.path().join(name)).unwrap()
}

fn text(world: &World, name: &str) -> String {
    String::from_utf8(bytes(world, name)).unwrap()
}

fn numbered() -> String {
    (1..=200).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat()
}

fn patch(path: &str, tag: &str, operations: &str) -> String {
    format!("¶{path}#{tag}\n{operations}")
}

/// The tag of the first target of a reply.
fn tag(reply: &Value) -> String {
    let receipt = if reply["receipt"].is_object() { &reply["receipt"] } else { &reply["result"]["structuredContent"] };
    receipt["targets"][0]["tag"].as_str().unwrap_or_else(|| unreachable!("{reply}")).to_owned()
}

fn read(world: &World, address: &str) -> String {
    tag(&world.run(["read", "--json", address]).json())
}

fn edit(world: &World, flags: &[&str], patch: &str) -> Run {
    world.run_with_input([&["edit"], flags].concat(), patch.as_bytes())
}

fn code(reply: &Value) -> &str {
    reply["receipt"]["error"]["code"].as_str().unwrap_or_default()
}

#[test]
fn a_tag_goes_from_the_command_line_over_both_servers_and_back_without_a_second_read() {
    let world = world();
    world.file("a.txt", numbered());
    let mut mcp = Spoken::start(&world, [] as [&str; 0], "2025-06-18");
    let http = Served::start(&world, [] as [&str; 0]);

    let first = read(&world, "a.txt:10-20");
    let edited = mcp.call("edit", &json!({ "input": patch("a.txt", &first, "replace 15:\n+fifteen\n+and a half\n") }));
    assert_eq!(edited["result"]["isError"], json!(false), "{edited}");
    let second = tag(&edited);

    let found = http.call("search", &json!({ "pattern": "^line 100$", "paths": "a.txt" })).json();
    assert_eq!(tag(&found), second, "what was searched is what the edit made");
    let hit = found["parts"][0]["text"].as_str().unwrap().to_owned();
    assert!(hit.contains("*101:line 100\n"), "{hit}");

    let last = edit(&world, &[], &patch("a.txt", &tag(&found), "replace 101:\n+one hundred\n"));
    assert_eq!(last.code, Some(0), "{}", last.stderr);
    let wanted = numbered().replace("line 15\n", "fifteen\nand a half\n").replace("line 100\n", "one hundred\n");
    assert_eq!(text(&world, "a.txt"), wanted);

    // And on over HTTP, by the tag that the command line printed.
    let printed = last.text().lines().next().unwrap().rsplit_once('#').unwrap().1.to_owned();
    let answer = http.call("edit", &json!({ "input": patch("a.txt", &printed, "delete 102..103\n") }));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(text(&world, "a.txt"), wanted.replace("line 101\nline 102\n", ""));
}

#[test]
fn tags_and_what_they_stand_for_outlive_a_server() {
    let world = world();
    world.file("a.txt", numbered());
    let http = Served::start(&world, [] as [&str; 0]);
    let tag = tag(&http.call("read", &json!({ "path": "a.txt:1-50" })).json());
    http.stop();
    // Somebody else changes another place while nobody serves.
    world.file("a.txt", numbered().replace("line 2\n", "two\nand a half\n"));
    let http = Served::start(&world, [] as [&str; 0]);
    let stale = http.call("edit", &json!({ "input": patch("a.txt", &tag, "replace 120:\n+x\n") }));
    assert_eq!((stale.status, code(&stale.json())), (409, "edit.stale"), "{}", stale.text());
    let answer = http.call("edit", &json!({ "input": patch("a.txt", &tag, "replace 40:\n+forty\n") }));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("edit.recovered"), "{}", answer.text());
    http.stop();
    let http = Served::start(&world, [] as [&str; 0]);
    assert_eq!(http.call("undo", &json!({})).status, 200);
    assert_eq!(text(&world, "a.txt"), numbered().replace("line 2\n", "two\nand a half\n"));
}

#[test]
fn a_server_that_has_the_process_number_of_an_earlier_one_takes_nothing_of_it_back() {
    // As in a container, where the number is the same every time.
    const CONTAINER: [&str; 4] = ["--user", "--map-root-user", "--pid", "--fork"];
    if !works("unshare", &[&CONTAINER[..], &["true"]].concat()) {
        return;
    }
    let world = world();
    let start = || {
        let command = world.command();
        let mut contained = tool("unshare");
        contained.args(CONTAINER).arg(command.get_program()).args(["mcp", "--receipts"]).current_dir(world.path());
        contained.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut server = Spoken::spawn(&mut contained);
        server.open("2025-06-18");
        server
    };
    let mut first = start();
    let written = first.call("write", &json!({ "path": "a.txt", "content": "new\n" }));
    assert_eq!(written["result"]["isError"], json!(false), "{written}");
    first.end();
    let undone = start().call("undo", &json!({}));
    assert_eq!(undone["result"]["isError"], json!(true), "{undone}");
    assert_eq!(text(&world, "a.txt"), "new\n");
}

#[test]
fn sessions_over_http_keep_what_was_shown_and_what_is_undone_apart() {
    let world = world();
    world.file("a.txt", numbered());
    let http = Served::start(&world, [] as [&str; 0]);
    let call = |session: &str, tool: &str, input: &Value| {
        let headers = [("Content-Type", "application/json"), ("Readstone-Session", session)];
        http.request("POST", &format!("/v1/tools/{tool}"), &headers, input.to_string().as_bytes())
    };
    let first = tag(&call("one", "read", &json!({ "path": "a.txt:1-5" })).json());
    let beyond = json!({ "input": patch("a.txt", &first, "replace 90:\n+x\n") });
    assert_eq!(call("one", "edit", &beyond).status, 409, "session one saw the beginning only");
    assert_eq!(call("two", "edit", &beyond).status, 200, "of session two nothing is known but that it has the tag");
    assert_eq!(code(&call("one", "undo", &json!({})).json()), "undo.nothing");
    assert_eq!(call("two", "undo", &json!({})).status, 200);
    assert_eq!(text(&world, "a.txt"), numbered());
}

#[test]
fn the_tools_say_that_they_change_things_and_what_they_take() {
    let world = world();
    let mut mcp = Spoken::start(&world, [] as [&str; 0], "2025-06-18");
    let tools = mcp.request("tools/list", &json!({}))["result"]["tools"].clone();
    let fields = |name: &str| -> (Vec<String>, Value) {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == json!(name)).unwrap();
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], json!(false), "{name}");
        assert_eq!(hints["destructiveHint"], json!(true), "{name}");
        assert_eq!(hints["idempotentHint"], json!(false), "{name}");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["additionalProperties"], json!(false), "{schema}");
        (schema["properties"].as_object().unwrap().keys().cloned().collect(), schema["required"].clone())
    };
    assert_eq!(fields("edit"), (["dry_run", "input"].map(str::to_owned).to_vec(), json!(["input"])));
    let (properties, required) = fields("write");
    assert_eq!(properties, ["content", "dry_run", "if_tag", "path"]);
    assert_eq!(required, json!(["path", "content"]));
    assert_eq!(fields("undo").0, ["dry_run", "path"]);
}

#[test]
fn a_server_that_only_reads_offers_none_of_them() {
    let world = world();
    world.file("a.txt", "one\n");
    let mut mcp = Spoken::start(&world, ["--read-only"], "2025-06-18");
    let tools = mcp.request("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["read", "find", "search"]);
    let http = Served::start(&world, ["--read-only"]);
    for (tool, input) in [
        ("edit", json!({ "input": patch("a.txt", &read(&world, "a.txt"), "replace 1:\n+x\n") })),
        ("write", json!({ "path": "a.txt", "content": "x\n" })),
        ("undo", json!({})),
    ] {
        let answer = http.call(tool, &input);
        assert_eq!((answer.status, code(&answer.json())), (404, "tool.unknown"), "{tool}");
        let refused = mcp.call(tool, &input);
        assert!(refused["error"].is_object() || refused["result"]["isError"] == json!(true), "{refused}");
    }
    assert_eq!(text(&world, "a.txt"), "one\n");
    let spelled = http.get("/openapi.json").text();
    assert!(!spelled.contains("/v1/tools/edit") && spelled.contains("/v1/tools/read"), "{spelled}");
}

#[test]
fn every_kind_of_refusal_has_its_status_and_its_exit_code() {
    let world = world();
    world.file("a.txt", "one\ntwo\n");
    world.file(".env", "TOKEN=x\n");
    world.file("bin", [0_u8, 1, 2, 3, 0, 255, 0, 0, 7]);
    world.file("bad.txt", [b"caf\xE9 d\xE9j\xE0 vu, o\xF9 \xE7a\n".repeat(3)].concat());
    let http = Served::start(&world, [] as [&str; 0]);
    let now = read(&world, "a.txt");
    let latin = read(&world, "bad.txt");
    let wrong = if now == "0A3B" { "0A3C" } else { "0A3B" };
    for (input, status, exit, code) in [
        (patch("a.txt", wrong, "replace 1:\n+x\n"), 409, 6, "edit.stale"),
        (patch("a.txt", &now, "replace 9:\n+x\n"), 400, 2, "edit.no_line"),
        (patch("a.txt", &now, "replace 1:\n+one\n"), 400, 2, "edit.no_change"),
        (patch("a.txt", &now, "replace 2..1:\n+x\n"), 400, 2, "edit.reversed_range"),
        (patch("a.txt", &now, "-one\n"), 400, 2, "edit.minus_row"),
        ("replace 1:\n+x\n".to_owned(), 400, 2, "edit.no_header"),
        (String::new(), 400, 2, "edit.no_header"),
        ("¶a.txt\nreplace 1:\n+x\n".to_owned(), 400, 2, "edit.no_tag"),
        (patch("none.txt", &now, "replace 1:\n+x\n"), 404, 3, "host.not_found"),
        (patch(".env", &now, "replace 1:\n+x\n"), 403, 4, "host.denied_secret"),
        (patch("/etc/passwd", &now, "replace 1:\n+x\n"), 403, 4, "host.outside_root"),
        (patch("bin", &now, "replace 1:\n+x\n"), 422, 7, "edit.not_text"),
        (patch("bad.txt", &latin, "replace 1:\n+\u{4E0A}\n"), 400, 2, "edit.unencodable"),
    ] {
        let answer = http.call("edit", &json!({ "input": input }));
        let told = answer.json();
        assert_eq!((answer.status, self::code(&told)), (status, code), "{input}: {told}");
        // The command line is bound to no directory and withholds no secrets.
        if status != 403 {
            let run = edit(&world, &["--json"], &input);
            assert_eq!((run.code, self::code(&run.json())), (Some(exit), code), "{input}: {}", run.text());
        }
    }
    for (tool, input, status) in [
        ("write", json!({ "path": "a.txt", "content": "x\n", "if_tag": wrong }), 409),
        ("write", json!({ "path": ".env", "content": "x\n" }), 403),
        ("write", json!({ "path": "/etc/readstone-test", "content": "x\n" }), 403),
        ("write", json!({ "path": "../readstone-beyond-the-root.txt", "content": "x\n" }), 403),
        ("write", json!({ "path": "." , "content": "x\n" }), 403),
        ("write", json!({ "path": "a.txt:3", "content": "x\n" }), 422),
        ("write", json!({ "path": "a.txt" }), 400),
        ("undo", json!({}), 404),
        ("undo", json!({ "path": 7 }), 400),
    ] {
        let answer = http.call(tool, &input);
        assert_eq!(answer.status, status, "{tool} {input}: {}", answer.text());
    }
    assert_eq!(text(&world, "a.txt"), "one\ntwo\n");
    assert!(!world.path().parent().unwrap().join("readstone-beyond-the-root.txt").exists());
}

#[test]
fn patches_come_from_a_file_or_from_standard_input() {
    let world = world();
    world.file("a.txt", "one\ntwo\n");
    let first = patch("a.txt", &read(&world, "a.txt"), "replace 1:\n+1\n");
    world.file("first.patch", &first);
    let shown = world.run(["edit", "--dry-run", "first.patch"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.text().contains("-1:one\n+1:1\n") && shown.text().contains("dry run"), "{}", shown.text());
    assert_eq!(text(&world, "a.txt"), "one\ntwo\n");
    let done = world.run(["edit", "first.patch"]);
    assert!(done.code == Some(0) && done.text().contains("-1:one\n+1:1\n"), "{}{}", done.text(), done.stderr);
    let second = patch("a.txt", &read(&world, "a.txt"), "replace 2:\r\n+2\r\n");
    assert_eq!(edit(&world, &["-"], &second).code, Some(0));
    assert_eq!(text(&world, "a.txt"), "1\n2\n", "line ends of the patch are not those of the file");
    for _ in 0..2 {
        let undone = world.run(["undo", "a.txt"]);
        assert_eq!(undone.code, Some(0), "{}", undone.stderr);
    }
    assert_eq!(text(&world, "a.txt"), "one\ntwo\n");
    assert_eq!(world.run(["undo"]).code, Some(3));
}

#[test]
fn what_is_not_utf_8_on_standard_input_is_refused_before_anything_is_done() {
    let world = world();
    world.file("a.txt", "one\ntwo\n");
    world.file("bad.patch", b"\xFF\xFE");
    let mut bad = patch("a.txt", &read(&world, "a.txt"), "replace 1:\n+").into_bytes();
    bad.extend(b"caf\xE9\n");
    for run in [
        world.run_with_input(["edit"], &bad),
        world.run(["edit", "bad.patch"]),
        world.run_with_input(["write", "a.txt"], b"caf\xE9\n"),
        world.run_with_input(["write", "new.txt"], b"caf\xE9\n"),
    ] {
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("is not UTF-8"), "{}", run.stderr);
    }
    let told = world.run_with_input(["edit", "--json"], &bad);
    assert_eq!((told.code, code(&told.json())), (Some(2), "surface.bad_arguments"));
    assert!(world.run(["edit", "missing.patch"]).code == Some(2) && !world.path().join("new.txt").exists());
    assert_eq!(text(&world, "a.txt"), "one\ntwo\n");
}

#[test]
fn files_are_written_from_standard_input_and_taken_back() {
    let world = world();
    world.file("a.txt", "one\n");
    let now = read(&world, "a.txt");
    let write =
        |arguments: &[&str], input: &str| world.run_with_input([&["write"], arguments].concat(), input.as_bytes());
    assert_eq!(write(&["a.txt", "--if-tag", "new"], "two\n").code, Some(6));
    assert_eq!(write(&["a.txt", "--if-tag", &now, "--dry-run"], "two\n").code, Some(0));
    assert_eq!(text(&world, "a.txt"), "one\n");
    let done = write(&["a.txt", "--if-tag", &now], "two\n");
    assert!(done.code == Some(0) && done.text().starts_with("¶a.txt#"), "{}{}", done.text(), done.stderr);
    assert_eq!(write(&["deep/new.sh"], "#!/bin/sh\n").code, Some(0));
    assert_eq!(write(&["empty"], "").code, Some(0));
    assert_eq!((text(&world, "a.txt").as_str(), text(&world, "empty").as_str()), ("two\n", ""));
    for _ in 0..3 {
        assert_eq!(world.run(["undo"]).code, Some(0));
    }
    assert_eq!(text(&world, "a.txt"), "one\n");
    assert!(!world.path().join("empty").exists() && !world.path().join("deep/new.sh").exists());
}

#[test]
fn a_body_beyond_the_limit_is_refused_and_the_limit_can_be_raised() {
    let world = world();
    world.file("a.txt", "one\n");
    let large = "x".repeat(2 * 1024 * 1024);
    let input = json!({ "path": "a.txt", "content": large });
    world.file("narrow.toml", "server_change_bytes = 1048576\n");
    let http = Served::start(&world, ["--config", "narrow.toml"]);
    assert_eq!(http.call("write", &input).status, 413);
    assert_eq!(text(&world, "a.txt"), "one\n");
    drop(http);
    world.file("wide.toml", "write_bytes = 3145728\n");
    let http = Served::start(&world, ["--config", "wide.toml"]);
    assert_eq!(http.call("read", &json!({ "path": large })).status, 413, "a read needs no such body");
    assert_eq!(http.call("write", &input).status, 200);
    assert!(text(&world, "a.txt") == large);
    let answer = http.call("write", &json!({ "path": "a.txt", "content": "x".repeat(4 * 1024 * 1024) }));
    assert_eq!((answer.status, code(&answer.json())), (413, "edit.too_large"), "the tool has a limit of its own");
    assert_eq!(http.call("undo", &json!({})).status, 200);
    assert_eq!(text(&world, "a.txt"), "one\n");
    let mut mcp = Spoken::start(&world, [] as [&str; 0], "2025-06-18");
    assert_eq!(mcp.call("write", &input)["result"]["isError"], json!(false));
    assert!(text(&world, "a.txt") == large);
}

#[test]
fn the_settings_of_writing_are_obeyed() {
    let world = world();
    world.file("a.txt", numbered());
    world.file("free.toml", "edit_unseen = \"allow\"\ndurable = false\n");
    let part = read(&world, "a.txt:1-5");
    let beyond = patch("a.txt", &part, "replace 90:\n+x\n");
    let refused = edit(&world, &[], &beyond);
    assert_eq!(refused.code, Some(6));
    assert!(refused.stderr.contains("next: read a.txt:90-90"), "{}", refused.stderr);
    assert_eq!(edit(&world, &["--config", "free.toml"], &beyond).code, Some(0));
    assert_eq!(text(&world, "a.txt"), numbered().replace("line 90\n", "x\n"));
}

#[test]
fn what_a_client_changes_without_waiting_is_changed_in_the_order_it_asked() {
    let world = world();
    let mut client = Spoken::start(&world, [] as [&str; 0], "2025-06-18");
    let mut call = |tool: &str, count: u64, input: &dyn Fn(u64) -> Value| {
        for number in 0..count {
            let params = json!({ "name": tool, "arguments": input(number) });
            client.send(&json!({ "jsonrpc": "2.0", "id": 100 + number, "method": "tools/call", "params": params }));
        }
        for _ in 0..count {
            let answer = client.receive().unwrap();
            assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
        }
    };
    call("write", 20, &|number| json!({ "path": "p.txt", "content": format!("{number}\n") }));
    assert_eq!(text(&world, "p.txt"), "19\n");
    call("undo", 4, &|_| json!({}));
    assert_eq!(text(&world, "p.txt"), "15\n");
}

#[test]
fn the_time_of_a_change_begins_when_those_before_it_have_ended() {
    let world = world();
    let locked = std::fs::File::open(world.file("locked.txt", "old\n")).unwrap();
    locked.lock().unwrap();
    let mut command = world.command();
    let mut client = Spoken::spawn(command.args(["mcp", "--receipts"]).env("READSTONE_CALL_MS", "700"));
    client.open("2025-06-18");
    for (id, path) in [(100, "locked.txt"), (101, "free.txt")] {
        let params = json!({ "name": "write", "arguments": { "path": path, "content": "new\n" } });
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }
    for failed in [true, false] {
        let answer = client.receive().unwrap();
        assert_eq!(answer["result"]["isError"], json!(failed), "{answer}");
    }
    assert_eq!((text(&world, "locked.txt"), text(&world, "free.txt")), ("old\n".to_owned(), "new\n".to_owned()));
}
