//! Secrets that must not leave, by any way or in any log: the rows H16 and K01 to K05 of `docs/hostile.md`.

use std::fs;
use std::net::TcpListener;

use readstone_testkit::{CANARY, Confined, Fixture, Served, Spoken, World, can_be_nobody, tool};
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";
const TOKEN: &str = "a-long-token-with-CANARY-in-it";

/// A world in which every secret holds the word.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    for name in [".env", ".ENV.local", "sub/prod.env", "id_ed25519", "server.pem", ".ssh/id_work", "credentials.json"] {
        world.file(name, format!("secret={CANARY}\n"));
    }
    Fixture::link(".env", &world.path().join("innocent.txt"));
    Fixture::link("sub", &world.path().join("around"));
    world.file("plain.txt", "nothing secret\n");
    world
}

/// Addresses that lead to a secret.
const SECRETS: [&str; 12] = [
    ".env",
    ".ENV.local",
    "sub/prod.env",
    "around/prod.env",
    "id_ed25519",
    "server.pem",
    ".ssh/id_work",
    "credentials.json",
    "innocent.txt",
    "./sub/../.env",
    "sub//.././/.env",
    "around/../.env",
];
/// Parts that are asked for.
const PARTS: [&str; 7] = ["", ":1", ":-1", ":raw", ":hex", ":b0+10", "#0000"];

/// The text of all that came back, which must not hold the word.
fn clean(what: &str, text: String) -> String {
    assert!(!text.contains(CANARY), "{what}: {text}");
    text
}

#[test]
fn k01_secrets_are_withheld_on_every_way_to_read() {
    let world = world();
    let root = world.path().display().to_string();
    let server = Served::start::<&str>(&world, []);
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    for address in SECRETS {
        for part in PARTS {
            let input = json!({ "path": format!("{address}{part}") });
            let rest = server.call("read", &input);
            assert_eq!(rest.status, 403, "{input}: {}", clean(address, rest.text()));
            let spoken = client.call("read", &input);
            assert_eq!(spoken["result"]["structuredContent"]["error"]["code"], "host.denied_secret", "{input}");
            let posted = server.mcp("tools/call", json!({ "name": "read", "arguments": input })).json();
            assert_eq!(posted["result"]["structuredContent"], spoken["result"]["structuredContent"]);
            clean(address, format!("{spoken}{posted}"));
        }
        let bytes = server.get(&format!("/api/v0/read-file?path={root}/{address}"));
        assert_eq!(bytes.status, 403, "{address}: {}", clean(address, bytes.text()));
        let lines = server.get(&format!("/api/v0/read-file-lines?path={root}/{address}"));
        assert_eq!(lines.json()["success"], false, "{address}: {}", clean(address, lines.text()));
        let uri = format!("file://{root}/{address}");
        let resource = client.request("resources/read", &json!({ "uri": uri }));
        assert!(resource["error"]["code"].is_number(), "{address}: {}", clean(address, resource.to_string()));
    }
    for address in [".", "sub", "prod.env", "prod", "d_ed25519", "env"] {
        clean(address, server.call("read", &json!({ "path": address })).text());
    }
    let listing = server.call("read", &json!({ "path": "." })).text();
    assert!(listing.contains("withheld"), "{listing}");
}

#[test]
fn k01_the_tools_of_other_profiles_withhold_them_too() {
    let world = world();
    let root = world.path().display().to_string();
    for profile in ["lines", "windows"] {
        let mut client = Spoken::start(&world, ["--profile", profile], REVISION);
        for address in SECRETS {
            let told = client.call("read_file", &json!({ "path": format!("{root}/{address}") }));
            assert!(told["result"].is_object(), "{profile}: {told}");
            clean(profile, told.to_string());
        }
        let plain = client.call("read_file", &json!({ "path": format!("{root}/plain.txt") })).to_string();
        assert!(plain.contains("nothing secret"), "{profile}: {plain}");
    }
}

#[test]
fn k01_only_the_operator_opens_them() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[("READSTONE_SECRETS", "warn")], []);
    let shown = server.call("read", &json!({ "path": ".env" })).text();
    assert!(shown.contains(CANARY), "{shown}");
    let server = Served::start_with::<&str>(&world, &[("READSTONE_DENY", "**/plain.txt")], []);
    assert_eq!(server.call("read", &json!({ "path": "plain.txt" })).status, 403);
    for input in [json!({ "path": ".env", "secrets": "warn" }), json!({ "path": ".env", "deny": [] })] {
        assert_eq!(server.call("read", &input).status, 400, "{input}");
    }
}

#[test]
fn k02_a_guess_never_ends_at_a_secret() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    for address in ["prod.env", "deep/id_ed25519", "id_work", "server.pen", "sub/innocent.txt"] {
        let answer = server.call("read", &json!({ "path": address }));
        assert!(answer.status >= 400, "{address}: {}", clean(address, answer.text()));
        clean(address, client.call("read", &json!({ "path": address })).to_string());
    }
}

/// All that a server logged, which must be one object a line and tell nothing it should not.
fn check_log(log: &str, untold: &[&str]) {
    for line in log.lines() {
        let event = serde_json::from_str::<Value>(line).unwrap_or_default();
        let told = ["level", "message"].iter().all(|name| event.get(name).is_some_and(Value::is_string));
        assert!(told, "a line that is no event: {line:?}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
        for word in untold {
            assert!(!line.contains(word), "{word} in {line}");
        }
    }
}

#[test]
fn h16_what_callers_send_does_not_get_into_the_log() {
    let world = world();
    world.file("plain.txt", "a text with the word UNTOLD\n");
    let variables = [("READSTONE_TOKEN", TOKEN)];
    let server = Served::start_with(&world, &variables, ["--log", "debug"]);
    let (right, wrong) = (format!("Bearer {TOKEN}"), format!("Bearer wrong-{CANARY}"));
    let path = "/api/v0/read-file?path=%1b%5b31mUNTOLD%0d%0a%7b%22level%22%3a%22x%22%7d&UNTOLD=UNTOLD";
    let own = [("Authorization", right.as_str()), ("Content-Type", "application/json")];
    let odd = [own[0], own[1], ("X-Odd", "UNTOLD\u{1b}"), ("Referer", "http://u:UNTOLD@h/?q=UNTOLD")];
    for headers in [&own[..], &odd, &[("Authorization", wrong.as_str())]] {
        drop(server.request("GET", path, headers, b""));
        drop(server.request("GET", "/UNTOLD?q=UNTOLD", headers, b""));
        for address in ["plain.txt", "UNTOLD\u{1b}[31m\r\n{\"level\":1}", "http://u:UNTOLD@h/?q=UNTOLD"] {
            let body = json!({ "path": address }).to_string();
            drop(server.request("POST", "/v1/tools/read", headers, body.as_bytes()));
        }
        drop(server.request("POST", "/v1/tools/UNTOLD", headers, b"{\"UNTOLD\":1}"));
        drop(server.request("POST", "/mcp", headers, b"UNTOLD"));
    }
    drop(server.raw("GET http://u:UNTOLD@localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    drop(server.raw("UNTOLD\x1b[31m\r\n\r\n"));
    drop(server.raw(format!("GET /healthz HTTP/1.1\r\nHost: UNTOLD\r\nX: {CANARY}\0\r\n\r\n")));
    let metrics = server.request("GET", "/metrics", &own, b"").text();
    assert!(!metrics.contains("UNTOLD") && !metrics.contains(CANARY), "{metrics}");
    let (code, log) = server.stop();
    assert_eq!(code, Some(0));
    assert!(log.lines().count() > 10, "nothing was logged: {log}");
    check_log(&log, &["UNTOLD", CANARY, TOKEN]);
}

#[test]
fn h16_a_server_on_standard_input_logs_as_little() {
    let world = world();
    world.file("plain.txt", "a text with the word UNTOLD\n");
    let mut client = Spoken::start(&world, ["--log", "debug"], REVISION);
    for address in ["plain.txt", "UNTOLD\u{1b}[31m\r\n", "http://u:UNTOLD@h/?q=UNTOLD", ".env"] {
        drop(client.call("read", &json!({ "path": address })));
    }
    drop(client.request("UNTOLD", &json!({ "UNTOLD": "UNTOLD" })));
    client.send_line("UNTOLD");
    let (code, log) = client.end();
    assert_eq!(code, Some(0));
    assert!(log.lines().count() > 3, "nothing was logged: {log}");
    check_log(&log, &["UNTOLD", CANARY]);
}

#[test]
fn h16_warnings_at_the_start_are_events_like_others() {
    let world = world();
    let tokens = world.file("tokens", TOKEN);
    Fixture::mode(&tokens, 0o644);
    let (_, log) = Served::start(&world, ["--token-file", "tokens"]).stop();
    assert!(log.contains("chmod 600"), "{log}");
    check_log(&log, &[CANARY]);
}

#[test]
fn k03_a_token_is_told_by_nothing_that_the_program_says() {
    let world = world();
    let bad = world.file("bad", format!("{TOKEN} with spaces\n"));
    Fixture::mode(&bad, 0o600);
    for arguments in [
        &["--version"][..],
        &["--help"],
        &["config"],
        &["config", "--json"],
        &["serve", "--listen", "nonsense"],
        &["serve", "--listen", "192.0.2.1:1"],
        &["serve", "--token", TOKEN],
        &["serve", "--token-file", "bad"],
        &["mcp", "--print-config", "claude"],
        &["read", "plain.txt", "missing.txt"],
    ] {
        let mut command = world.command();
        // Whatever comes back is searched for the word.
        let run = Confined::default().run(command.env("READSTONE_TOKEN", TOKEN).args(arguments));
        assert!(matches!(run.code, Some(0..=9)), "{arguments:?}: {:?}", run.code);
    }
    for token in ["CANARY\u{1b}[31m", "CANARY with spaces", "CANARY\u{FC}"] {
        let mut command = world.command();
        let run = Confined::default().run(command.env("READSTONE_TOKEN", token).arg("serve"));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
}

#[test]
fn k03_an_empty_token_is_a_mistake_and_not_an_open_server() {
    let world = world();
    for token in ["", " ", "\n"] {
        let mut command = world.command();
        command.env("READSTONE_TOKEN", token).args(["serve", "--listen", "127.0.0.1:0"]);
        let run = Confined::default().seconds(5).run(&command);
        assert_eq!(run.code, Some(2), "{token:?}: {}", run.stderr);
    }
}

#[test]
fn k04_a_server_shows_no_window_into_itself_or_others() {
    let world = world();
    let server = Served::start_with(&world, &[("READSTONE_TOKEN", TOKEN)], ["--root", "/"]);
    let authorization = format!("Bearer {TOKEN}");
    let headers = [("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
    let pid = server.pid();
    let windows = ["environ", "mem", "maps", "auxv", "cmdline", "fd/0", "task/../environ", "root/proc/self/environ"];
    for process in ["self".to_owned(), "thread-self".to_owned(), "1".to_owned(), pid.to_string()] {
        for window in windows {
            let path = format!("/proc/{process}/{window}");
            let body = json!({ "path": path }).to_string();
            let read = server.request("POST", "/v1/tools/read", &headers, body.as_bytes());
            assert!(matches!(read.status, 403 | 404), "{path}: {}", clean(&path, read.text()));
            let bytes = server.request("GET", &format!("/api/v0/read-file?path={path}"), &headers, b"");
            assert!(matches!(bytes.status, 403 | 404), "{path}: {}", clean(&path, bytes.text()));
            let lines = server.request("GET", &format!("/api/v0/read-file-lines?path={path}"), &headers, b"");
            assert_eq!(lines.json()["success"], false, "{path}: {}", clean(&path, lines.text()));
        }
    }
}

#[test]
fn k04_the_token_of_a_server_cannot_be_read_from_its_process() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    let program = world.path().join("program");
    fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    Fixture::mode(world.path(), 0o755);
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let mut command = tool("setpriv");
    command.args(nobody).arg(program).args(["serve", "--listen", "127.0.0.1:0", "--ephemeral"]);
    let server = Served::spawn(command.env("READSTONE_TOKEN", TOKEN).current_dir(world.path()));
    let environment = format!("/proc/{}/environ", server.pid());
    let read = tool("setpriv").args(nobody).args(["cat", &environment]).output().unwrap();
    clean("its environment", String::from_utf8_lossy(&read.stdout).into_owned());
}

#[test]
fn k05_nothing_is_sent_anywhere_and_no_query_is_logged() {
    let world = world();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let there = listener.local_addr().unwrap();
    let server = Served::start(&world, ["--log", "debug"]);
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    for url in [
        format!("http://{there}/?q={CANARY}"),
        format!("https://{there}/?q={CANARY}"),
        format!("HTTP://user:{CANARY}@{there}/"),
        format!("ftp://{there}/{CANARY}"),
        format!("//{there}/{CANARY}"),
    ] {
        assert!(server.call("read", &json!({ "path": url })).status >= 400, "{url}");
        assert_eq!(client.call("read", &json!({ "path": url }))["result"]["isError"], json!(true), "{url}");
        assert!(client.request("resources/read", &json!({ "uri": url }))["error"]["code"].is_number(), "{url}");
    }
    assert!(listener.accept().is_err(), "somebody called");
    check_log(&server.stop().1, &[CANARY]);
    let closed = Served::start_with::<&str>(&world, &[("READSTONE_WEB", "listed")], []);
    let answer = closed.call("read", &json!({ "path": format!("https://example.invalid/?q={CANARY}") }));
    assert_eq!((answer.status, answer.text().contains("net.unlisted")), (403, true), "{}", answer.text());
}
