//! What a server may read and what it leaves alone: the rows P18, P21, F05 and H17 of `docs/hostile.md`.

use std::fs;
use std::path::Path;

use readstone_testkit::{CANARY, Confined, Fixture, Run, Served, Spoken, World, tool};
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";
/// The ways to start a server; one that starts is stopped by the time limit.
const SERVERS: [&[&str]; 2] = [&["mcp"], &["serve", "--listen", "127.0.0.1:0"]];

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("root/a.txt", "hello\n");
    world.file("outside/secret.txt", CANARY);
    world
}

/// Starts a server in a directory and sees it end by itself.
fn start(world: &World, directory: &Path, server: &[&str], arguments: &[&str]) -> Run {
    let mut command = world.command();
    command.current_dir(directory).args(server).args(arguments);
    Confined::default().run(&command)
}

fn refuses(run: &Run, what: &str) {
    let fits = run.code == Some(2) && run.stderr.starts_with("config.bad_value: ") && run.stderr.contains(what);
    assert!(fits && run.stdout.is_empty(), "wanted {what:?}: {:?} {} {}", run.code, run.stderr, run.text());
}

/// The text of a reply over MCP.
fn text(answer: &Value) -> String {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn p18_a_server_does_not_serve_everything_unless_it_is_told_to() {
    let world = world();
    let http = SERVERS[1];
    refuses(&start(&world, Path::new("/"), http, &[]), "say --root / to mean that");
    let mut command = world.command();
    command.current_dir("/").env("READSTONE_ROOTS", "").args(http);
    refuses(&Confined::default().run(&command), "say --root / to mean that");

    // On standard input it starts, for its client can show only what a server answers.
    let path = world.path().join("root/a.txt");
    let mut command = world.command();
    let mut client = Spoken::spawn(command.current_dir("/").args(["mcp", "--receipts"]));
    client.open(REVISION);
    for path in [path.to_str().unwrap(), "/etc/passwd", "."] {
        let answer = client.call("read", &json!({ "path": path }));
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "config.no_directory", "{answer}");
        assert!(text(&answer).contains("\"--root\", \"/path/to/project\""), "{}", text(&answer));
    }

    let mut command = world.command();
    let mut client = Spoken::spawn(command.current_dir("/").args(["mcp", "--receipts", "--root", "/"]));
    client.open(REVISION);
    assert!(text(&client.call("read", &json!({ "path": path }))).ends_with("1:hello\n"));
}

#[test]
fn p18_a_root_that_is_none_is_refused_at_the_start() {
    let world = world();
    for server in SERVERS {
        refuses(&start(&world, world.path(), server, &["--root", "nowhere"]), "no such file");
        refuses(&start(&world, world.path(), server, &["--root", "root/a.txt"]), "not a directory");
        refuses(&start(&world, world.path(), server, &["--root", "root", "--root", "nowhere"]), "no such file");
    }
    let gone = tool("sh")
        .args(["-c", "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_readstone")])
        .args(SERVERS[1])
        .current_dir(world.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&gone.stderr).into_owned();
    assert_eq!((gone.status.code(), said.starts_with("config.bad_value: ")), (Some(2), true), "{said}");
}

#[test]
fn p18_a_root_is_found_once_and_held_while_a_server_runs() {
    let world = world();
    let (root, link) = (world.path().join("root"), world.path().join("link"));
    Fixture::link("root", &link);
    let server = Served::start(&world, ["--root", "link"]);
    let mut client = Spoken::start(&world, ["--root", "link"], REVISION);
    // The link turns to the outside, the directory gets another name, another takes its place.
    Fixture::link("outside", &link);
    fs::rename(&root, world.path().join("renamed")).unwrap();
    world.file("root/a.txt", CANARY);
    world.file("root/secret.txt", CANARY);
    let ask = |client: &mut Spoken, path: &str| {
        let rest = server.call("read", &json!({ "path": path }));
        let spoken = client.call("read", &json!({ "path": path }));
        assert_eq!(rest.json()["parts"][0]["text"].as_str(), Some(text(&spoken).as_str()), "{path}");
        assert!(!rest.text().contains(CANARY), "{path}: {}", rest.text());
        rest
    };
    assert!(ask(&mut client, "a.txt").text().contains("1:hello"));
    assert_eq!(ask(&mut client, "secret.txt").status, 404);
    fs::remove_dir_all(world.path().join("renamed")).unwrap();
    assert_eq!(ask(&mut client, "a.txt").status, 404, "the directory is gone");
    assert!(matches!(ask(&mut client, ".").status, 200 | 404), "so is its listing");
}

#[test]
fn p21_roots_of_a_client_widen_nothing() {
    let world = world();
    let mut command = world.command();
    let mut client = Spoken::spawn(command.args(["mcp", "--receipts", "--root", "root"]));
    let offer = json!({ "roots": { "listChanged": true } });
    let params = json!({
        "protocolVersion": REVISION,
        "capabilities": offer,
        "clientInfo": { "name": "testkit", "version": "0" },
    });
    client.request("initialize", &params);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let outside = world.path().join("outside/secret.txt");
    let uri = format!("file://{}", outside.display());
    let refused = |client: &mut Spoken| {
        let read = client.call("read", &json!({ "path": outside }));
        assert_eq!(read["result"]["structuredContent"]["error"]["code"], "host.outside_root", "{read}");
        let resource = client.request("resources/read", &json!({ "uri": uri }));
        assert_eq!(resource["error"]["data"]["code"], "host.outside_root", "{resource}");
        let listed = client.request("resources/list", &json!({}));
        assert_eq!(listed["result"]["resources"].as_array().map(Vec::len), Some(1), "{listed}");
    };
    refused(&mut client);
    // Nobody asked for these, and nobody takes them.
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 0, "result": { "roots": [{ "uri": "file:///" }] } }));
    refused(&mut client);
    assert_eq!(text(&client.call("read", &json!({ "path": "a.txt" }))), "¶a.txt#8E4C\n1:hello\n");
    assert_eq!(client.notices, Vec::<Value>::new(), "the server asked for roots");
}

#[test]
fn f05_a_server_does_not_read_its_own_input() {
    let world = world();
    for root in ["/", "/proc", "/dev"] {
        let mut client = Spoken::start(&world, ["--root", root], REVISION);
        let paths = ["/dev/stdin", "/proc/self/fd/0", "/dev/fd/0", "/proc/thread-self/fd/0", "-", "-:1-5", "-:raw"];
        for path in paths {
            // Were the input read, the call behind this one would be gone.
            let read = |id: u64| {
                let call = json!({ "name": "read", "arguments": { "path": path } });
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call })
            };
            client.send(&read(70));
            client.send(&json!({ "jsonrpc": "2.0", "id": 71, "method": "ping" }));
            let first = client.receive().unwrap();
            let second = client.receive().unwrap();
            let (read, ping) = if first["id"] == 70 { (first, second) } else { (second, first) };
            assert_eq!(ping["result"], json!({}), "{path} below {root}");
            assert_eq!(read["result"]["isError"], json!(true), "{path} below {root}: {read}");
            let uri = client.request("resources/read", &json!({ "uri": format!("file://{path}") }));
            assert!(uri["error"]["code"].is_number(), "{path} below {root}: {uri}");
        }
    }
    let server = Served::start(&world, ["--root", "/"]);
    for path in ["/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"] {
        for endpoint in ["/api/v0/read-file", "/api/v0/read-file-lines"] {
            let answer = server.get(&format!("{endpoint}?path={path}"));
            assert!(answer.status == 403 || answer.json()["success"] == false, "{path}: {}", answer.text());
        }
    }
}

#[test]
fn h17_tools_that_say_they_only_read_change_nothing() {
    let world = world();
    let notes = world.file("root/notes.txt", "one\n<<<<<<< a\ntwo\n=======\nthree\n>>>>>>> b\nfour\n");
    Fixture::sparse(&world.path().join("root/large.bin"), b"\0head", 1 << 24, b"tail");
    Fixture::sparse(&world.path().join("root/base.db"), b"SQLite format 3\0", 1 << 16, b"");
    let root = world.path().join("root");
    let before = Fixture::survey(&root);
    let server = Served::start(&world, ["--root", "root"]);
    let mut client = Spoken::start(&world, ["--root", "root"], REVISION);
    for tool in client.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap() {
        let said = &tool["annotations"];
        let changes = ["edit", "write", "undo"].map(|name| json!(name)).contains(&tool["name"]);
        assert_eq!((&said["readOnlyHint"], &said["destructiveHint"]), (&json!(!changes), &json!(changes)), "{tool}");
    }
    let parts =
        ["", ":2-3", ":2-", ":-2", ":2:1", ":1,3", ":b2+5", ":=2+5", ":raw", ":hex", ":conflicts", "#0000", ":all"];
    for path in ["notes.txt", "large.bin", "base.db", ".", "missing.txt", "notes.tx"] {
        for part in parts {
            let address = json!({ "path": format!("{path}{part}") });
            drop(server.call("read", &address));
            drop(client.call("read", &address));
            drop(client.call("find", &json!({ "paths": [format!("{path}{part}")] })));
            drop(client.call("search", &json!({ "pattern": "o", "paths": [format!("{path}{part}")] })));
        }
        drop(server.get(&format!("/api/v0/read-file?path={}/{path}", root.display())));
        drop(server.get(&format!("/api/v0/read-file-lines?path={}/{path}", root.display())));
        drop(client.request("resources/read", &json!({ "uri": format!("file://{}/{path}", root.display()) })));
    }
    let reference = json!({ "type": "ref/resource", "uri": "file:///{+path}" });
    let argument = json!({ "name": "path", "value": root.display().to_string().trim_start_matches('/') });
    drop(client.request("completion/complete", &json!({ "ref": reference, "argument": argument })));
    assert!(Fixture::survey(&root) == before, "something changed below the root");
    assert!(notes.exists());
}
