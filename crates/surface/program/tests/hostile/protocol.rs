//! MCP spoken badly: the rows H06 and H11 to H13 of `docs/hostile.md`.

use std::io::ErrorKind;

use readstone_testkit::{Answer, Fixture, HttpSession, NEWEST, Served, Spoken, World, signal, tool};
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";
const KINDS: [(&str, &str); 2] =
    [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world
}

fn speak(world: &World) -> Spoken {
    Spoken::start::<&str>(world, [], REVISION)
}

/// Whether the server still reads.
fn is_served(client: &mut Spoken) -> bool {
    let answer = client.call("read", &json!({ "path": "a.txt" }));
    answer.pointer("/result/content/0/text").is_some_and(|text| text == "¶a.txt#8E4C\n1:hello\n")
}

/// What the newest revision wants to hear of its client with every request.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": { "name": "testkit", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// Posts a body that claims to be a call of `tools/list`, with some headers replaced.
fn post(server: &Served, body: impl AsRef<[u8]>, replaced: &[(&str, &str)]) -> Answer {
    let usual = [KINDS[0], KINDS[1], ("MCP-Protocol-Version", NEWEST), ("Mcp-Method", "tools/list")];
    let kept = usual.iter().filter(|(name, _)| replaced.iter().all(|(other, _)| other != name));
    let headers: Vec<(&str, &str)> =
        kept.chain(replaced.iter().filter(|(_, value)| !value.is_empty())).copied().collect();
    server.request("POST", "/mcp", &headers, body.as_ref())
}

fn list(id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": { "_meta": meta() } })
}

#[test]
fn h06_arguments_over_mcp_are_as_strict_as_over_rest() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let mut client = speak(&world);
    for arguments in [
        json!({ "path": "a.txt", "other": 1 }),
        json!({ "path": 5 }),
        json!({ "path": "a.txt", "max_lines": -1 }),
        json!({ "path": "a\0.txt" }),
        json!({}),
    ] {
        let spoken = client.call("read", &arguments);
        assert_eq!(spoken["result"]["isError"], json!(true), "{arguments}: {spoken}");
        let posted = server.mcp("tools/call", json!({ "name": "read", "arguments": arguments })).json();
        assert_eq!(posted["result"]["structuredContent"], spoken["result"]["structuredContent"]);
        assert_eq!(spoken["result"]["structuredContent"]["error"]["class"], "request");
    }
    assert!(is_served(&mut client));
}

#[test]
fn h11_headers_that_belie_the_body_are_refused() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    assert_eq!(post(&server, list(&json!(1)).to_string(), &[]).status, 200);
    let mismatched = [
        ("Mcp-Method", "tools/call"),
        ("Mcp-Method", ""),
        ("MCP-Protocol-Version", "2025-06-18"),
        ("MCP-Protocol-Version", "1999-01-01"),
    ];
    for header in mismatched {
        let answer = post(&server, list(&json!(1)).to_string(), &[header]);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32020)), "{header:?}");
    }
    let mut call = list(&json!(1));
    call["method"] = json!("tools/call");
    call["params"]["name"] = json!("read");
    for name in ["other", ""] {
        let headers = [("Mcp-Method", "tools/call"), ("Mcp-Name", name)];
        let answer = post(&server, call.to_string(), &headers);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32020)), "{name:?}");
    }
}

#[test]
fn h11_a_revision_nobody_knows_is_refused_with_those_that_are_known() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let mut odd = list(&json!(1));
    odd["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1999-01-01");
    let answer = post(&server, odd.to_string(), &[("MCP-Protocol-Version", "1999-01-01")]);
    let error = &answer.json()["error"];
    assert_eq!((answer.status, &error["code"]), (400, &json!(-32022)), "{error}");
    assert!(error["data"]["supported"].as_array().is_some_and(|known| known.contains(&json!(NEWEST))), "{error}");
    let mut command = world.command();
    let opened = Spoken::spawn(command.args(["mcp", "--receipts"])).open("1999-01-01");
    assert!(opened["result"]["protocolVersion"].as_str().is_some_and(|known| known >= "2024"), "{opened}");
}

#[test]
fn h11_methods_and_tools_that_are_not_there_have_the_codes_of_the_protocol() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let mut client = speak(&world);
    let answer = server.mcp("no/such", json!({}));
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (404, &json!(-32601)));
    assert_eq!(client.request("no/such", &json!({}))["error"]["code"], -32601);
    assert_eq!(client.call("nothing", &json!({}))["error"]["code"], -32602);
    assert_eq!(server.mcp("tools/call", json!({ "name": "nothing" })).json()["error"]["code"], -32602);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/unheard-of" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} }));
    assert!(is_served(&mut client));
    assert_eq!(client.notices, Vec::<Value>::new());
}

#[test]
fn h11_bad_parameters_have_the_code_of_bad_parameters() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let mut client = speak(&world);
    for params in [json!({ "name": 5 }), json!({}), json!({ "name": "read", "arguments": "a.txt" })] {
        assert_eq!(client.request("tools/call", &params)["error"]["code"], -32602, "{params}");
        let mut body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        body["params"]["_meta"] = meta();
        let headers = [("Mcp-Method", "tools/call"), ("Mcp-Name", "read")];
        let answer = post(&server, body.to_string(), &headers);
        assert_ne!(answer.status, 404, "{params}");
    }
}

#[test]
fn h11_what_is_no_message_is_refused_with_400_and_the_codes_of_the_protocol() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    for body in ["{\"x\"", "", "hello", &deep, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"\ud800"}"#] {
        let answer = post(&server, body, &[]);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32700)), "{body:.60}");
    }
    for body in [
        json!([list(&json!(1)), list(&json!(2))]),
        json!([]),
        list(&Value::Null),
        list(&json!(1.5)),
        list(&json!({})),
        json!({ "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "tools/list" }),
    ] {
        let answer = post(&server, body.to_string(), &[]);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32600)), "{body}");
    }
}

#[test]
fn h11_messages_of_the_wrong_shape_are_refused_on_standard_input() {
    let world = world();
    let mut client = speak(&world);
    for line in [
        r#"[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","id":12,"method":"ping"}]"#,
        "[]",
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":14,"method":"ping"}"#,
        r#"{"id":15,"method":"ping"}"#,
    ] {
        client.send_line(line);
        let answer = client.receive().unwrap();
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
        assert!(answer.get("result").is_none(), "{line}: {answer}");
    }
    assert!(is_served(&mut client));
}

#[test]
fn h11_what_cannot_be_parsed_on_standard_input_is_answered() {
    let world = world();
    let mut client = speak(&world);
    let call = |path: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{{"name":"read","arguments":{{"path":{path}}}}}}}"#
        )
    };
    let (surrogate, deep) = (call(r#""\ud800""#), call(&format!("{}1{}", "[".repeat(500), "]".repeat(500))));
    let long = call(&format!("\"{}\"", "x".repeat(17 * 1024 * 1024)));
    for line in ["hello", "{\"jsonrpc\":", &surrogate, &deep, &long] {
        client.send_line(line);
        client.send(&json!({ "jsonrpc": "2.0", "id": 71, "method": "ping" }));
        let answer = client.receive().unwrap();
        assert!(answer["error"]["code"].is_number(), "{line:.60}: {answer}");
        // Whoever waits for an answer hears that there is none.
        let waits = line.contains(r#""id":70"#);
        assert_eq!(answer.get("id"), waits.then_some(&json!(70)), "{line:.60}: {answer}");
        client.answer(71);
    }
}

#[test]
fn h12_the_id_of_a_session_opens_nothing_without_its_token() {
    let world = world();
    let tokens = world.file("tokens", "the-first-token-of-two\nthe-second-token-of-two\n");
    Fixture::mode(&tokens, 0o600);
    let server = Served::start(&world, ["--token-file", "tokens"]);
    let [first, second] = ["Bearer the-first-token-of-two", "Bearer the-second-token-of-two"];
    let session = HttpSession::open(&server, &[("Authorization", first)]);
    let other = HttpSession::open(&server, &[("Authorization", first)]);
    let hex = |id: &str| id.chars().filter(char::is_ascii_hexdigit).count();
    assert!(hex(session.id()) >= 32 && session.id() != other.id(), "{} {}", session.id(), other.id());
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let with = |method: &str, id: &str, authorization: Option<&str>| {
        let mut headers = vec![KINDS[0], KINDS[1], ("Mcp-Session-Id", id)];
        headers.extend(authorization.map(|value| ("Authorization", value)));
        server.request(method, "/mcp", &headers, ping.as_bytes()).status
    };
    let mut guess = session.id().to_owned();
    guess.replace_range(..1, if guess.starts_with('0') { "1" } else { "0" });
    for method in ["POST", "GET", "DELETE"] {
        assert_eq!(with(method, session.id(), Some(second)), 404, "{method} with another token");
        assert_eq!(with(method, session.id(), None), 401, "{method} without a token");
    }
    // Whoever deletes what is not there hears that it is gone.
    for method in ["POST", "GET"] {
        assert_eq!(with(method, &guess, Some(first)), 404, "{method} with a guess");
    }
    assert_eq!(session.post(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" })).status, 200, "it still lives");
    assert!(session.delete().status < 300);
    assert_eq!(with("POST", session.id(), Some(first)), 404, "it is used again after its end");
}

#[test]
fn h12_a_tag_of_one_session_means_nothing_in_another() {
    let world = world();
    let tokens = world.file("tokens", "the-first-token-of-two\nthe-second-token-of-two\n");
    Fixture::mode(&tokens, 0o600);
    let server = Served::start(&world, ["--token-file", "tokens"]);
    let read = |who: &[(&str, &str)], address: &str| {
        let headers = [&[KINDS[0]], who].concat();
        server.request("POST", "/v1/tools/read", &headers, json!({ "path": address }).to_string().as_bytes()).text()
    };
    let [first, second] = ["Bearer the-first-token-of-two", "Bearer the-second-token-of-two"];
    world.file("notes.txt", "the old text CANARY\n");
    let tag = read(&[("Authorization", first)], "notes.txt");
    let tag = tag.split('#').nth(1).and_then(|rest| rest.get(..4)).unwrap().to_owned();
    world.file("notes.txt", "the new text\n");
    let changed = format!("notes.txt#{tag}");
    for who in [
        &[("Authorization", second)][..],
        &[("Authorization", second), ("Readstone-Session", "token")],
        &[("Authorization", first), ("Readstone-Session", "another")],
    ] {
        let told = read(who, &changed);
        assert!(!told.contains("CANARY"), "{who:?}: {told}");
    }
    assert!(read(&[("Authorization", first)], &changed).contains("CANARY"), "its own session knows it");
}

#[test]
fn h13_a_gigabyte_without_an_end_of_line_takes_no_memory() {
    let world = world();
    let mut client = speak(&world);
    let block = vec![b'x'; 1024 * 1024];
    for _ in 0..1_024 {
        client.send_bytes(&block).unwrap();
    }
    client.send_bytes(b"\n").unwrap();
    assert!(is_served(&mut client));
    assert!(client.vitals().peak_megabytes() < 64, "{} MB", client.vitals().peak_megabytes());
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn h13_an_input_that_ends_anywhere_ends_the_server_in_peace() {
    let world = world();
    let begun = [
        "",
        "{",
        "garbage\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVers",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
    ];
    for input in begun {
        let run = world.run_with_input(["mcp"], input.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{input:?}");
        let lines = run.text();
        assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{input:?}: {lines}");
    }
    let mut client = speak(&world);
    client.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"meth").unwrap();
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn h13_a_client_that_does_not_listen_any_more_makes_nothing_panic() {
    let world = world();
    let mut client = speak(&world);
    client.hang_up();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string() + "\n";
    for _ in 0..100 {
        if let Err(error) = client.send_bytes(ping.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
            break;
        }
    }
    assert_eq!(client.end(), (Some(0), String::new()));
    for redirected in [">&-", ">/dev/full", "<&-"] {
        let script = format!("printf '%s\\n' '{}' | \"$0\" mcp {redirected}", ping.trim());
        let ran = tool("sh").args(["-c", &script, env!("CARGO_BIN_EXE_readstone")]).current_dir(world.path()).output();
        let ran = ran.unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code().is_some_and(|code| code < 100) && !said.contains("panicked"), "{redirected}: {said}");
    }
}

#[test]
fn h11_an_id_that_still_waits_is_not_taken_twice() {
    let world = world();
    let mut client = speak(&world);
    let list = json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": { "name": "read", "arguments": { "path": "/" } } });
    client.send_bytes(format!("{list}\n{list}\n").as_bytes()).unwrap();
    let answers = [client.receive().unwrap(), client.receive().unwrap()];
    assert!(answers.iter().all(|answer| answer["id"] == 77), "{answers:?}");
    assert!(answers.iter().any(|answer| answer.get("result").is_some()), "{answers:?}");
    assert!(is_served(&mut client));
}

#[test]
fn h13_every_request_before_the_end_of_the_input_is_answered() {
    let world = world();
    let mut client = speak(&world);
    let lines: Vec<String> = (0..200)
        .map(|id| format!("{}\n", json!({ "jsonrpc": "2.0", "id": 1_000 + id, "method": "tools/list" })))
        .collect();
    client.send_bytes(lines.concat().trim_end().as_bytes()).unwrap();
    client.finish();
    let mut answered = 0;
    while client.receive().is_some() {
        answered += 1;
    }
    assert_eq!(answered, 200);
}

#[test]
fn h13_bad_lines_of_a_client_that_does_not_listen_do_not_fill_the_memory() {
    let world = world();
    let mut client = speak(&world);
    let vitals = client.vitals();
    let writer = std::thread::spawn(move || {
        let bad = "no message at all\n".repeat(64);
        while client.send_bytes(bad.as_bytes()).is_ok() {}
    });
    for _ in 0..30 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(vitals.peak_megabytes() < 64, "{} MB", vitals.peak_megabytes());
    }
    assert!(signal(vitals.pid(), "KILL"));
    drop(writer.join());
}

#[test]
fn h13_a_client_that_asks_without_listening_does_not_fill_the_memory() {
    let world = world();
    let mut client = speak(&world);
    let vitals = client.vitals();
    let writer = std::thread::spawn(move || {
        for id in 1_000..150_000 {
            let message = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
            if client.send_bytes(format!("{message}\n").as_bytes()).is_err() {
                break;
            }
        }
        client
    });
    // It may stop to take requests, and then the writer waits for ever; it may not hold all of them.
    for _ in 0..200 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(vitals.peak_megabytes() < 256, "{} MB", vitals.peak_megabytes());
    }
    assert!(signal(vitals.pid(), "KILL"));
    drop(writer.join());
}
