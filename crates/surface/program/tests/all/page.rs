//! The page in the browser, and the endpoints behind it: replies as a client of MCP gets them.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where an answer lacks what it must have"
)]

use readstone_testkit::{Answer, Fixture, Pixels, Served, World};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");
const FILES: [(&str, &str); 3] = [
    ("/", "text/html; charset=utf-8"),
    ("/page.css", "text/css; charset=utf-8"),
    ("/page.js", "text/javascript; charset=utf-8"),
];

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let lines: Vec<String> = (1..=4_000).map(|number| format!("line {number} \"quoted\" and \\ more\n")).collect();
    world.file("long.txt", lines.concat());
    world.file("small.txt", "one\ntwo\n");
    world.file("dot.png", Pixels::sound(40, 30));
    world
}

/// Calls a tool for a client with this name.
fn call_for(server: &Served, client: &str, tool: &str, input: &Value) -> Answer {
    let path = format!("/v1/tools/{tool}");
    server.request("POST", &path, &[JSON, ("Readstone-Client", client)], input.to_string().as_bytes())
}

/// The content blocks that a client with this name gets over MCP.
fn content_over_mcp(server: &Served, client: &str, tool: &str, input: &Value) -> Value {
    let meta = json!({ "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" } });
    let params = json!({ "name": tool, "arguments": input, "_meta": meta });
    server.plain_mcp("tools/call", params).json()["result"]["content"].clone()
}

/// Bytes and rows of all text blocks.
fn size_of(content: &Value) -> (u64, u64) {
    let texts: Vec<&str> = content.as_array().unwrap().iter().filter_map(|block| block["text"].as_str()).collect();
    let rows = texts.iter().map(|text| text.lines().count() as u64).sum();
    (texts.iter().map(|text| text.len() as u64).sum(), rows)
}

#[test]
fn the_blocks_for_a_named_client_are_those_that_it_gets_over_mcp() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let calls = [
        ("read", json!({ "path": "long.txt" })),
        ("read", json!({ "path": "long.txt:raw" })),
        ("read", json!({ "path": "long.txt:1-3000" })),
        ("read", json!({ "paths": ["long.txt", "small.txt:raw", "missing.txt", "dot.png"] })),
        ("read", json!({ "path": "missing.txt" })),
        ("read", json!({ "path": "dot.png" })),
        ("search", json!({ "pattern": "7 ", "paths": ["."] })),
        ("find", json!({ "paths": ["*"] })),
    ];
    for client in ["copilot-cli", "@cline/core", "claude-code", "nobody/9", "readstone-page"] {
        for (tool, input) in &calls {
            let answer = call_for(&server, client, tool, input).json();
            assert_eq!(answer["content"], content_over_mcp(&server, client, tool, input), "{client}: {tool} {input}");
            let (bytes, rows) = size_of(&answer["content"]);
            let (used, limits) = (&answer["client"]["used"], &answer["client"]["limits"]);
            assert_eq!((used["bytes"].as_u64(), used["rows"].as_u64()), (Some(bytes), Some(rows)), "{client}: {input}");
            for (used, limit) in [("bytes", "range_bytes"), ("rows", "rows"), ("json", "json")] {
                let used = answer["client"]["used"][used].as_u64().unwrap();
                assert!(limits[limit].as_u64().is_none_or(|limit| used <= limit), "{client}: {tool} {input}");
            }
            assert_eq!(answer["client"]["name"], client);
            assert!(answer["receipt"]["tool"] == *tool && answer["parts"].is_array());
        }
    }
}

#[test]
fn each_client_has_its_own_limits_and_an_unknown_one_the_usual_ones() {
    let world = world();
    world.file("clients.toml", "[clients]\n'own-*' = { reply_bytes = 5000 }\n");
    let server = Served::start(&world, ["--config", "clients.toml"]);
    let listed = server.get("/v1/clients").json();
    let listed = listed["clients"].as_array().unwrap();
    let limits = |name: &str| listed.iter().find(|client| client["name"] == name).unwrap()["limits"].clone();
    for (client, row, least, most) in [
        ("copilot-cli", "copilot-cli", 15_000, 19_000),
        ("@cline/core", "@cline/core", 4_000, 7_000),
        ("Visual Studio Code - Insiders", "Visual Studio Code*", 6_000, 8_000),
        ("own-client", "own-*", 3_000, 5_000),
        ("<script>alert(1)</script>", "*", 20_000, 36_000),
        ("../../etc/passwd", "*", 20_000, 36_000),
        ("*", "*", 20_000, 36_000),
    ] {
        let answer = call_for(&server, client, "read", &json!({ "path": "long.txt" })).json();
        let (bytes, _) = size_of(&answer["content"]);
        assert!((least..=most).contains(&bytes), "{client}: {bytes}");
        assert_eq!(answer["client"]["limits"], limits(row), "{client}");
    }
    assert_eq!(limits("readstone-*")["bytes"], Value::Null);
    assert_eq!(limits("copilot-cli")["pictures"], false);
    assert_eq!(listed.last().unwrap()["name"], "own-*");
}

#[test]
fn a_reply_without_a_named_client_is_what_it_always_was() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let answer = server.call("read", &json!({ "path": "long.txt" })).json();
    let fields: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["parts", "receipt", "status"]);
    assert!(answer["parts"][0]["text"].as_str().unwrap().len() > 40_000);
}

#[test]
fn a_name_that_cannot_be_one_is_refused() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let long = "a".repeat(129);
    for name in ["", "   ", &long, "caf\u{e9}", "a\tb"] {
        let answer = call_for(&server, name, "read", &json!({ "path": "small.txt" }));
        assert_eq!(
            (answer.status, answer.json()["receipt"]["error"]["code"].as_str()),
            (400, Some("http.bad_request"))
        );
    }
    let twice = [JSON, ("Readstone-Client", "kilo"), ("Readstone-Client", "Zed")];
    assert_eq!(server.request("POST", "/v1/tools/read", &twice, br#"{"path":"small.txt"}"#).status, 400);
    assert_eq!(call_for(&server, &long[1..], "read", &json!({ "path": "small.txt" })).status, 200);
}

#[test]
fn a_failed_call_for_a_named_client_has_the_status_and_the_blocks_of_the_failure() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    for (tool, input, status) in [("read", json!({ "path": "missing.txt" }), 404), ("no_tool", json!({}), 404)] {
        let answer = call_for(&server, "claude-code", tool, &input);
        assert_eq!((answer.status, answer.json()["status"].as_str()), (status, Some("error")), "{tool}");
        assert!(answer.json()["content"][0]["text"].is_string(), "{tool}");
    }
}

#[test]
fn the_page_allows_nothing_but_its_own_files_and_calls() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    for (path, kind) in FILES {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        let rules: Vec<&str> = policy.split("; ").collect();
        for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
            assert!(rules.contains(&rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        // The name of a form of XML is the only address of another host; nothing loads it.
        let text = answer.text().replace("http://www.w3.org/2000/svg", "");
        for other in ["http:", "https:", "//cdn", "innerHTML", "insertAdjacent", "document.write", "eval("] {
            assert!(!text.contains(other), "{path} has {other}");
        }
        assert_eq!(server.request("POST", path, &[], b"").status, 405, "{path}");
    }
    let html = server.get("/").text();
    for inline in ["<style", "<script>", " style=", " onclick=", " onload="] {
        assert!(!html.contains(inline), "{inline}");
    }
}

#[test]
fn the_page_is_behind_the_guard_and_only_its_files_need_no_token() {
    let world = world();
    let tokens = world.file("tokens", "the-token-CANARY\n");
    Fixture::mode(&tokens, 0o600);
    let server = Served::start(&world, ["--token-file", "tokens", "--root", "."]);
    for (path, _) in FILES {
        assert_eq!(server.get(path).status, 200, "{path}");
        assert_eq!(server.request("HEAD", path, &[], b"").status, 200, "{path}");
        assert_eq!(server.request("POST", path, &[], b"").status, 401, "{path}");
        for guarded in [("Host", "evil.test"), ("Origin", "https://evil.test"), ("Sec-Fetch-Site", "cross-site")] {
            assert_eq!(server.request("GET", path, &[guarded], b"").status, 403, "{path} with {guarded:?}");
        }
    }
    for path in ["/v1/clients", "/v1/tools", "//", "/page.js/", "/page.html", "/./page.js", "/?path=../v1/tools/../"] {
        let expected = if path.starts_with("/?") { 200 } else { 401 };
        assert_eq!(server.get(path).status, expected, "{path}");
    }
    assert_eq!(call_for(&server, "claude-code", "read", &json!({ "path": "small.txt" })).status, 401);
    let right = [("Authorization", "Bearer the-token-CANARY")];
    assert_eq!(server.request("GET", "/v1/clients", &right, b"").status, 200);
}
