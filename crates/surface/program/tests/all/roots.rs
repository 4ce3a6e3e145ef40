//! Where a server on standard input works when nobody named a root: rows P18 and P21 of `docs/hostile.md`.

#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where an answer lacks what it must have"
)]

use std::path::Path;

use readstone_testkit::{HttpSession, Served, Spoken, World};
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";

/// Three projects, each with a file that says which it is.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    for name in ["one", "two", "three"] {
        world.file(format!("{name}/name.txt"), format!("{name}\n"));
    }
    world
}

/// A server that starts in a directory with these variables.
fn start(world: &World, directory: &Path, variables: &[(&str, &Path)]) -> Spoken {
    let mut command = world.command();
    command.current_dir(directory).envs(variables.iter().copied()).args(["mcp", "--receipts"]);
    Spoken::spawn(&mut command)
}

/// Opens a session of a client that has roots.
fn open_with_roots(client: &mut Spoken) {
    let capabilities = json!({ "roots": { "listChanged": true } });
    let named = json!({ "name": "readstone-test", "version": "0" });
    let params = json!({ "protocolVersion": REVISION, "capabilities": capabilities, "clientInfo": named });
    client.request("initialize", &params);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
}

/// Calls `read`; where the server asks for roots, it is told these.
fn read_with(client: &mut Spoken, roots: &[String], id: u64) -> (Value, usize) {
    let call = json!({ "name": "read", "arguments": { "path": "name.txt" } });
    client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call }));
    let mut asked = 0;
    loop {
        let message = client.receive().unwrap();
        if message["id"] == json!(id) && message.get("method").is_none() {
            return (message, asked);
        }
        if message["method"] == "roots/list" {
            asked += 1;
            let roots: Vec<Value> = roots.iter().map(|uri| json!({ "uri": uri })).collect();
            client.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "roots": roots } }));
        }
    }
}

fn read(client: &mut Spoken) -> Value {
    client.call("read", &json!({ "path": "name.txt" }))
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

fn code(answer: &Value) -> &str {
    answer["result"]["structuredContent"]["error"]["code"].as_str().unwrap_or("none")
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

#[test]
fn the_starting_directory_is_the_root_unless_it_is_everything_or_the_home_directory() {
    let world = world();
    let mut client = start(&world, &world.path().join("one"), &[]);
    client.open(REVISION);
    assert!(text(&read(&mut client)).ends_with("1:one\n"));
    let outside = client.call("read", &json!({ "path": world.path().join("two/name.txt") }));
    assert_eq!(code(&outside), "host.outside_root");

    let home = world.path().join("two");
    let link = world.path().join("link");
    std::os::unix::fs::symlink(&home, &link).unwrap();
    let starts = [
        (Path::new("/"), vec![]),
        (home.as_path(), vec![("HOME", home.as_path())]),
        (home.as_path(), vec![("HOME", link.as_path())]),
    ];
    for (directory, variables) in starts {
        let mut client = start(&world, directory, &variables);
        let opened = client.open(REVISION);
        assert_eq!(opened["result"]["serverInfo"]["name"], "readstone", "{opened}");
        assert!(client.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().len() > 5);
        for tool in ["read", "search", "find"] {
            let input = if tool == "read" { json!({ "path": "." }) } else { json!({ "paths": ["."], "pattern": "x" }) };
            let input = if tool == "find" { json!({ "paths": ["."] }) } else { input };
            let answer = client.call(tool, &input);
            assert_eq!(code(&answer), "config.no_directory", "{answer}");
            assert!(text(&answer).contains("\"args\": [\"mcp\", \"--root\""), "{}", text(&answer));
        }
        assert_eq!(client.request("resources/list", &json!({}))["result"]["resources"], json!([]));
    }
}

#[test]
fn the_project_of_the_client_comes_first_and_a_workspace_before_the_starting_directory() {
    let world = world();
    let (one, two, three) = (world.path().join("one"), world.path().join("two"), world.path().join("three"));
    let mut client = start(&world, &one, &[("CLAUDE_PROJECT_DIR", &two), ("WORKSPACE_FOLDER_PATHS", &three)]);
    open_with_roots(&mut client);
    let (answer, asked) = read_with(&mut client, &[uri(&three)], 70);
    assert_eq!((text(&answer).ends_with("1:two\n"), asked), (true, 0), "{answer}");

    let mut client = start(&world, &one, &[("WORKSPACE_FOLDER_PATHS", &three)]);
    client.open(REVISION);
    assert!(text(&read(&mut client)).ends_with("1:three\n"));

    // A project that is gone, or everything by whatever path, is none.
    let everything = world.path().join("everything");
    std::os::unix::fs::symlink("/", &everything).unwrap();
    for project in [world.path().join("gone"), "/".into(), "/..".into(), "/tmp/..".into(), everything] {
        let mut client = start(&world, &one, &[("CLAUDE_PROJECT_DIR", &project)]);
        client.open(REVISION);
        assert!(text(&read(&mut client)).ends_with("1:one\n"), "{}", project.display());
    }
}

#[test]
fn the_roots_of_a_client_are_asked_for_once_and_again_when_they_change() {
    let world = world();
    let (one, two, three) = (world.path().join("one"), world.path().join("two"), world.path().join("three"));
    let mut client = start(&world, &one, &[("WORKSPACE_FOLDER_PATHS", &three)]);
    open_with_roots(&mut client);
    let (answer, asked) = read_with(&mut client, &[uri(&two)], 70);
    assert_eq!((text(&answer).ends_with("1:two\n"), asked), (true, 1), "{answer}");
    let (answer, asked) = read_with(&mut client, &[uri(&one)], 71);
    assert_eq!((text(&answer).ends_with("1:two\n"), asked), (true, 0), "it was told before: {answer}");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    let (answer, asked) = read_with(&mut client, &[uri(&one)], 72);
    assert_eq!((text(&answer).ends_with("1:one\n"), asked), (true, 1), "{answer}");
    let outside = client.call("read", &json!({ "path": two.join("name.txt") }));
    assert_eq!(code(&outside), "host.outside_root");

    // Everything is no root, whoever says so; what comes next in the list is taken.
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    let (answer, _) = read_with(&mut client, &["file:///".to_owned(), "https://example.com/".to_owned()], 73);
    assert!(text(&answer).ends_with("1:three\n"), "{answer}");
}

#[test]
fn a_root_of_a_client_is_never_everything_and_may_be_spelled_as_java_does() {
    let world = world();
    let one = world.path().join("one");
    let two = world.path().join("two");
    for (root, read) in [
        ("file:///".to_owned(), "1:one\n"),
        ("file:///tmp/%2e%2e".to_owned(), "1:one\n"),
        ("file:///proc/self/root".to_owned(), "1:one\n"),
        (format!("file:{}", two.display()), "1:two\n"),
    ] {
        let mut client = start(&world, &one, &[]);
        open_with_roots(&mut client);
        let (answer, _) = read_with(&mut client, std::slice::from_ref(&root), 70);
        assert!(text(&answer).ends_with(read), "{root}: {answer}");
    }
}

#[test]
fn a_client_that_never_names_its_roots_is_served_all_the_same() {
    let world = world();
    let mut client = start(&world, &world.path().join("one"), &[]);
    open_with_roots(&mut client);
    let answer = read(&mut client);
    assert!(text(&answer).ends_with("1:one\n"), "{answer}");
    assert!(client.notices.iter().any(|notice| notice["method"] == "roots/list"));
}

#[test]
fn the_directory_of_a_request_is_that_of_goose_or_codex() {
    let world = world();
    let mut client = start(&world, Path::new("/"), &[]);
    let opened = client.open(REVISION);
    let experimental = &opened["result"]["capabilities"]["experimental"];
    assert!(experimental.get("codex/sandbox-state-meta").is_some(), "{opened}");
    for (meta, name) in [
        (json!({ "agent-working-dir": world.path().join("one") }), "one"),
        (json!({ "codex/sandbox-state-meta": { "sandboxCwd": world.path().join("two") } }), "two"),
        (json!({ "agent-working-dir": world.path().join("three") }), "three"),
    ] {
        let call = json!({ "name": "read", "arguments": { "path": "name.txt" }, "_meta": meta });
        let answer = client.request("tools/call", &call);
        assert!(text(&answer).ends_with(&format!("1:{name}\n")), "{answer}");
    }
    let call = json!({ "name": "read", "arguments": { "path": "name.txt" }, "_meta": { "agent-working-dir": "/" } });
    assert_eq!(code(&client.request("tools/call", &call)), "config.no_directory");
}

#[test]
fn a_session_that_a_client_names_survives_a_new_start() {
    let world = world();
    let one = world.path().join("one");
    let edit = |client: &mut Spoken, meta: &Value| {
        let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments, "_meta": meta });
        let shown = client.request("tools/call", &call("read", json!({ "path": "name.txt" })));
        let tag = text(&shown).split_once('#').unwrap().1.get(..4).unwrap().to_owned();
        let patch = format!("\u{b6}name.txt#{tag}\ninsert tail:\n+more\n");
        let edited = client.request("tools/call", &call("edit", json!({ "input": patch })));
        assert_eq!(edited["result"]["isError"], json!(false), "{edited}");
    };
    let undo = |client: &mut Spoken, meta: &Value| {
        let call = json!({ "name": "undo", "arguments": {}, "_meta": meta });
        client.request("tools/call", &call)
    };
    let text_of = || std::fs::read_to_string(one.join("name.txt")).unwrap();

    // By the variable of Claude Code.
    let session = Path::new("5f1c0a9e-1111-2222-3333-444455556666");
    let variables = [("CLAUDE_CODE_SESSION_ID", session)];
    let mut client = start(&world, &one, &variables);
    client.open(REVISION);
    edit(&mut client, &json!({}));
    client.end();
    let mut client = start(&world, &one, &[]);
    client.open(REVISION);
    assert_eq!(code(&undo(&mut client, &json!({}))), "undo.nothing", "another session has nothing to undo");
    let mut client = start(&world, &one, &variables);
    client.open(REVISION);
    assert_eq!(undo(&mut client, &json!({}))["result"]["isError"], json!(false));
    assert_eq!(text_of(), "one\n");

    // By the session of goose, which it sends with each call.
    let meta = json!({ "agent-session-id": "20261119_7" });
    let mut client = start(&world, &one, &[]);
    client.open(REVISION);
    edit(&mut client, &meta);
    client.end();
    let mut client = start(&world, &one, &[]);
    client.open(REVISION);
    assert_eq!(code(&undo(&mut client, &json!({ "agent-session-id": "20261119_8" }))), "undo.nothing");
    assert_eq!(undo(&mut client, &meta)["result"]["isError"], json!(false));
    assert_eq!(text_of(), "one\n");
}

#[test]
fn directories_stand_behind_mcp_as_roots_and_nothing_widens_them() {
    let world = world();
    let (one, two) = (world.path().join("one"), world.path().join("two"));
    let mut command = world.command();
    command.current_dir("/").env("CLAUDE_PROJECT_DIR", world.path()).args(["mcp", "--receipts"]).args([&one, &two]);
    let mut client = Spoken::spawn(&mut command);
    open_with_roots(&mut client);
    let (answer, asked) = read_with(&mut client, &[uri(world.path())], 70);
    assert_eq!((text(&answer).ends_with("1:one\n"), asked), (true, 0), "{answer}");
    let listed = client.request("resources/list", &json!({}));
    assert_eq!(listed["result"]["resources"].as_array().map(Vec::len), Some(2), "{listed}");
    let outside = client.call("read", &json!({ "path": world.path().join("three/name.txt") }));
    assert_eq!(code(&outside), "host.outside_root");
}

#[test]
fn a_client_over_http_chooses_neither_its_directory_nor_the_session_of_another() {
    let world = world();
    let one = world.path().join("one");
    let server = Served::start(&world, ["--root", one.to_str().unwrap()]);
    let two = world.path().join("two");
    let meta = json!({
        "agent-working-dir": two,
        "agent-session-id": "20261119_7",
        "codex/sandbox-state-meta": { "sandboxCwd": "/" },
        "readstone/receipt": true,
    });
    let call = json!({ "name": "read", "arguments": { "path": two.join("name.txt") }, "_meta": meta });
    let answer = HttpSession::open(&server, &[])
        .post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call }));
    assert_eq!(code(&answer.json()), "host.outside_root");
    let call = json!({ "name": "read", "arguments": { "path": "name.txt" }, "_meta": meta });
    let answer = HttpSession::open(&server, &[])
        .post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call }));
    assert!(text(&answer.json()).ends_with("1:one\n"), "{}", answer.text());
}
