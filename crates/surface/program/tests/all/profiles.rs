//! Profiles: tools with exactly the contract that their callers already speak.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where an answer lacks what it must have"
)]

use readstone_testkit::{Served, Spoken, World};
use serde_json::{Value, json};

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn speak(world: &World, profile: &str) -> Spoken {
    Spoken::start(world, ["--profile", profile], "2025-06-18")
}

/// The only tool, its name and its fields.
fn tool(client: &mut Spoken) -> (String, Vec<String>) {
    let tools = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(1), "{tools}");
    let fields = tools[0]["inputSchema"]["properties"].as_object().unwrap().keys().cloned().collect();
    (tools[0]["name"].as_str().unwrap().to_owned(), fields)
}

fn text(answer: &Value) -> String {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn lines_are_read_by_offset_and_limit_and_answered_in_json() {
    let world = world();
    let path = world.file("a.txt", "one\ntwo\nthree\n");
    let mut client = speak(&world, "lines");
    assert_eq!(tool(&mut client), ("read_file".to_owned(), ["limit", "offset", "path"].map(str::to_owned).to_vec()));
    let answer = client.call("read_file", &json!({ "path": path, "offset": 2, "limit": 1 }));
    let lines: Value = serde_json::from_str(&text(&answer)).unwrap();
    let wanted = json!({ "success": true, "file_size": 14, "total_lines": 3, "lines_read": 1, "content": "2\ttwo", "error": null });
    assert_eq!(lines, wanted);
    for (input, why) in [
        (json!({ "path": path, "offset": 9 }), "beyond the end"),
        (json!({ "path": path, "offset": 0 }), "positive integer"),
        (json!({ "path": "a.txt" }), "not absolute"),
        (json!({ "path": path, "max_line_bytes": 5 }), "unknown field"),
        (json!({}), "path"),
    ] {
        let answer = client.call("read_file", &input);
        assert_eq!(answer["result"]["isError"], json!(true), "{input}");
        let lines: Value = serde_json::from_str(&text(&answer)).unwrap();
        assert!(lines["success"] == json!(false) && lines["error"].as_str().unwrap().contains(why), "{input}: {lines}");
    }
}

#[test]
fn windows_are_read_by_lines_or_else_by_bytes() {
    let world = world();
    let lines = (1..=9_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    world.file("a.txt", &lines);
    let mut client = speak(&world, "windows");
    let fields = ["end_line", "max_bytes", "path", "start_byte", "start_line"].map(str::to_owned).to_vec();
    assert_eq!(tool(&mut client), ("read_file".to_owned(), fields));

    let both =
        client.call("read_file", &json!({ "path": "a.txt", "start_line": 5, "end_line": 6, "start_byte": 50_000 }));
    assert!(
        text(&both).contains("\n5:line 5\n6:line 6\n[lines 5-6 of 9000; next: read_file a.txt:7-]"),
        "{}",
        text(&both)
    );
    let window = client.call("read_file", &json!({ "path": "a.txt", "start_byte": 10, "max_bytes": 5 }));
    assert!(text(&window).contains("\n2:line 2\n3:line 3\n"), "no line is shown in part: {}", text(&window));
    let usual = client.call("read_file", &json!({ "path": "a.txt", "start_byte": 0 }));
    let end = usual["result"]["structuredContent"]["targets"][0]["next_start_byte"].as_u64().unwrap();
    assert!((65_536..65_600).contains(&end), "64 KiB, rounded to whole lines: {end}");
}

#[test]
fn paging_by_start_byte_shows_every_line_once_whatever_size_is_asked_for() {
    let world = world();
    let lines: Vec<String> = (1..=70_000).map(|number| format!("zeile {number} äöü")).collect();
    world.file("a.txt", format!("{}\n", lines.join("\n")));
    let mut client = speak(&world, "windows");
    for size in [json!(300_000), json!(70_001), Value::Null] {
        let (mut start, mut seen, mut pages) = (Some(0), Vec::new(), 0);
        while let Some(at) = start {
            let page = client.call("read_file", &json!({ "path": "a.txt", "start_byte": at, "max_bytes": size }));
            let rows = text(&page);
            seen.extend(
                rows.lines().filter_map(|row| row.split_once(":zeile ")).map(|(_, rest)| format!("zeile {rest}")),
            );
            start = page["result"]["structuredContent"]["targets"][0]["next_start_byte"].as_u64();
            pages += 1;
        }
        assert!(seen == lines && pages > 4, "{size}: {pages} pages, {} lines", seen.len());
    }
}

#[test]
fn tools_can_be_picked_and_what_is_not_there_is_told_at_the_start() {
    let world = world();
    let wrong = world.run(["mcp", "--tools", "read,paint"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("no tool paint; it has read"), "{}", wrong.stderr);
    let mut client = Spoken::start(&world, ["--tools", "read", "--read-only"], "2025-06-18");
    assert_eq!(tool(&mut client).0, "read");
    // In the words of the toolbox.
    let unknown = client.call("paint", &json!({}));
    assert_eq!(unknown["error"]["message"], "there is no tool called 'paint'; the only tool is read", "{unknown}");
}

#[test]
fn what_is_not_on_offer_cannot_be_had_another_way() {
    let world = world();
    let path = world.file("a.txt", "one\n");
    let asked = [
        ("resources/read", json!({ "uri": format!("file://{}", path.display()) })),
        ("resources/read", json!({ "uri": "readstone://" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": "file:///{+path}" }, "argument": { "name": "path", "value": "" } }),
        ),
    ];
    for (arguments, there) in
        [(["--profile", "lines"], false), (["--tools", "find,search"], false), (["--tools", "read"], true)]
    {
        let mut client = Spoken::start(&world, arguments, "2025-06-18");
        for (method, params) in &asked {
            let answer = client.request(method, params);
            assert_eq!(answer.get("result").is_some(), there, "{arguments:?} {method}: {answer}");
            assert!(there || answer["error"]["code"] == json!(-32601), "{arguments:?} {method}: {answer}");
        }
    }
    for (tools, there) in [("find", 404), ("read", 200)] {
        let server = Served::start(&world, ["--tools", tools]);
        let lines = server.get(&format!("/api/v0/read-file-lines?path={}", path.display()));
        let bytes = server.get(&format!("/api/v0/read-file?path={}", path.display()));
        assert_eq!((lines.status, bytes.status), (there, there), "{tools}");
        let told = server.get("/openapi.json").json()["paths"]["/api/v0/read-file"].is_object();
        assert_eq!(told, there == 200, "{tools}");
    }
}

#[test]
fn what_is_said_before_the_first_request_ends_no_server() {
    let world = world();
    world.file("a.txt", "one\n");
    let mut command = world.command();
    command.args(["mcp", "--receipts"]);
    let mut client = Spoken::spawn(&mut command);
    for early in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } }),
        json!({ "jsonrpc": "2.0", "id": 9, "result": {} }),
    ] {
        client.send(&early);
    }
    client.open("2025-06-18");
    assert!(text(&client.call("read", &json!({ "path": "a.txt" }))).contains("1:one"));
}

#[test]
fn a_field_that_is_null_is_one_that_is_not_given() {
    let world = world();
    world.file("a.txt", "one\n");
    let mut client = Spoken::start::<&str>(&world, [], "2025-06-18");
    let fields = [
        ("read", json!({ "path": "a.txt", "paths": null, "raw": null, "max_lines": null })),
        ("find", json!({ "paths": "*.txt", "hidden": null, "gitignore": null, "limit": null })),
        ("search", json!({ "pattern": "one", "paths": ".", "i": null, "gitignore": null, "skip": null })),
        ("write", json!({ "path": "b.txt", "content": "two\n", "if_tag": null, "dry_run": null })),
        ("undo", json!({ "path": null, "dry_run": null })),
    ];
    for (tool, input) in fields {
        let answer = client.call(tool, &input);
        assert_ne!(answer["result"]["isError"], json!(true), "{tool}: {answer}");
    }
    let answer = client.call("read", &json!({ "path": null }));
    assert!(text(&answer).starts_with("tool.bad_input: "), "{answer}");
}

#[test]
fn a_server_that_has_no_tool_left_does_not_start() {
    let run = world().run(["mcp", "--tools", "edit,undo", "--read-only"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("edit, undo") && run.stderr.contains("--read-only"), "{}", run.stderr);
}
