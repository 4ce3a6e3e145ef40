//! Requests that lie, flood or come from elsewhere: the rows H01 to H06, H15 and H20 of `docs/hostile.md`.

use std::io::{Read as _, Write as _};

use readstone_testkit::{Answer, Confined, Fixture, PATHS, Served, World};
use serde_json::json;

/// The kinds of bodies and answers that `/mcp` wants named.
const KINDS: [(&str, &str); 2] =
    [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
const FIRST: &str = "the-first-token-CANARY";
const SECOND: &str = "the-second-token-CANARY";

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world
}

fn serve(world: &World) -> Served {
    Served::start::<&str>(world, [])
}

/// A server that asks for a token.
fn serve_guarded(world: &World) -> Served {
    let tokens = world.file("tokens", format!("# two of them\n{FIRST}\n{SECOND}\n"));
    Fixture::mode(&tokens, 0o600);
    Served::start(world, ["--token-file", "tokens", "--root", "."])
}

fn status_of(bytes: &[u8]) -> u16 {
    Answer::parse(bytes).map_or(0, |answer| answer.status)
}

/// The calls that a server has seen through, by its own count.
fn calls(server: &Served, headers: &[(&str, &str)]) -> String {
    let text = server.request("GET", "/metrics", headers, b"").text();
    text.lines().filter(|line| line.starts_with("readstone_calls_total{")).collect::<Vec<_>>().join("\n")
}

#[test]
fn h01_a_name_that_is_not_ours_is_refused_on_every_path() {
    let world = world();
    let server = serve(&world);
    for path in PATHS {
        for host in ["evil.test", "evil.test:80", "127.0.0.1.evil.test", "localhost.evil.test", "x@localhost", ""] {
            for method in ["GET", "POST", "DELETE"] {
                let answer = server.request(method, path, &[("Host", host)], b"{}");
                assert_eq!(answer.status, 403, "{method} {path} with Host {host:?}");
                assert_eq!(answer.json()["receipt"]["error"]["code"], "http.wrong_host");
            }
        }
        let own = server.request("GET", path, &[("Host", "localhost")], b"");
        assert!(!own.text().contains("does not answer to that Host"), "{path} with a Host that is ours");
    }
    let ours = "readstone_calls_total{tool=\"read_file\"} 1\nreadstone_calls_total{tool=\"read_file_bytes\"} 1";
    assert_eq!(calls(&server, &[]), ours, "only ours became calls");
}

#[test]
fn h01_a_request_without_a_name_or_with_two_is_refused() {
    let world = world();
    let server = serve(&world);
    for head in [
        "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
        "GET http://evil.test/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET http://localhost/healthz HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
    ] {
        assert_eq!(status_of(&server.raw(head)), 403, "{head}");
    }
}

#[test]
fn h01_a_name_that_was_allowed_is_served_and_no_other() {
    let world = world();
    let server = Served::start(&world, ["--allow-host", "files.example"]);
    for (host, status) in [("files.example", 200), ("FILES.example:80", 200), ("x.files.example", 403)] {
        assert_eq!(server.request("GET", "/healthz", &[("Host", host)], b"").status, status, "{host}");
    }
}

#[test]
fn h02_a_page_of_another_origin_may_not_call() {
    let world = world();
    let server = serve(&world);
    let foreign = [
        "https://evil.test",
        "null",
        "http://localhost.evil.test",
        "http://127.0.0.1.evil.test",
        "http://localhost@evil.test",
        "https://evil.test#localhost",
        "file://",
        "",
    ];
    for path in PATHS {
        for origin in foreign {
            let answer = server.request("POST", path, &[("Origin", origin)], b"{}");
            assert_eq!(answer.status, 403, "{path} with Origin {origin:?}");
            assert_eq!(answer.json()["receipt"]["error"]["code"], "http.wrong_origin");
        }
    }
    let twice = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: https://evil.test\r\n\
                 Connection: close\r\n\r\n";
    assert_eq!(status_of(&server.raw(twice)), 403);
    for headers in [&[("Origin", "http://localhost:3000")][..], &[]] {
        assert_eq!(server.request("GET", "/healthz", headers, b"").status, 200, "{headers:?}");
    }
}

#[test]
fn h02_without_an_origin_a_token_is_still_asked_for() {
    let world = world();
    let server = serve_guarded(&world);
    assert_eq!(server.get("/v1/tools").status, 401);
    let trusted = [("Origin", "http://localhost:3000")];
    assert_eq!(server.request("GET", "/v1/tools", &trusted, b"").status, 401);
}

#[test]
fn h03_an_address_that_others_can_reach_is_not_served_without_a_token() {
    let world = world();
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        for variables in [&[][..], &[("READSTONE_TOKEN", "")]] {
            let mut command = world.command();
            command.envs(variables.iter().copied()).args(["serve", "--listen", listen]);
            let run = Confined::default().run(&command);
            assert_eq!(run.code, Some(2), "{listen}: {}", run.stderr);
            assert!(run.stderr.starts_with("surface.cannot_serve: "), "{}", run.stderr);
            assert!(run.stdout.is_empty(), "{}", run.text());
        }
    }
    let mut command = world.command();
    command.env("READSTONE_TOKEN", FIRST).args(["serve", "--listen", "0.0.0.0:0"]);
    let server = Served::spawn(&mut command);
    assert_eq!(server.address().ip().to_string(), "0.0.0.0");
}

#[test]
fn h04_without_the_right_token_nothing_is_done() {
    let world = world();
    let server = serve_guarded(&world);
    let long = format!("Bearer {}", "a".repeat(20_000));
    let (half, basic) = (format!("Bearer {}", &FIRST[..10]), format!("Basic {FIRST}"));
    let right = format!("Bearer {FIRST}");
    for authorization in
        ["", "Bearer", "Bearer ", "Bearer nope", "Bearer t\u{F6}k\u{FF}en", &long, &half, FIRST, &basic]
    {
        for path in ["/v1/tools", "/nothing", "/mcp", "/metrics", "/openapi.json", "/api/v0/read-file?path=/etc/passwd"]
        {
            let answer = server.request("GET", path, &[("Authorization", authorization)], b"");
            assert_eq!(answer.status, 401, "{path} with {authorization:.40}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"readstone\""));
        }
        // A right one ends the delays that wrong ones add up to.
        assert_eq!(server.request("GET", "/v1/tools", &[("Authorization", &right)], b"").status, 200);
    }
    assert_eq!(server.get("/healthz").status, 200, "that it is there is no secret");
    for token in [FIRST, SECOND] {
        let right = format!("Bearer {token}");
        assert_eq!(server.request("GET", "/v1/tools", &[("Authorization", &right)], b"").status, 200);
        assert_eq!(calls(&server, &[("Authorization", &right)]), "");
    }
}

#[test]
fn h04_a_refusal_tells_no_file_from_another() {
    let world = world();
    let server = serve_guarded(&world);
    let ask = |path: &str| {
        let full = world.path().join(path);
        let lines = server.get(&format!("/api/v0/read-file-lines?path={}", full.display()));
        let bytes = server.get(&format!("/api/v0/read-file?path={}", full.display()));
        let call = server.call("read", &json!({ "path": path }));
        [lines, bytes, call].map(|answer| (answer.status, answer.text()))
    };
    let there = ask("a.txt");
    assert_eq!(there, ask("missing.txt"));
    assert!(there.iter().all(|(status, _)| *status == 401), "{there:?}");
}

#[test]
fn h04_a_thousand_wrong_tokens_are_answered_later_and_later_and_stop_nobody_else() {
    let world = world();
    let server = serve_guarded(&world);
    let right = format!("Bearer {FIRST}");
    let wrong: Vec<_> = (0..1_000)
        .map(|number| {
            let authorization = format!("Bearer guess-{number}");
            server.send("GET", "/v1/tools", &[("Authorization", authorization.as_str())], b"")
        })
        .collect();
    assert_eq!(server.request("GET", "/v1/tools", &[("Authorization", &right)], b"").status, 200);
    let statuses: Vec<_> = wrong.into_iter().map(|stream| Answer::from_stream(stream).map(|it| it.status)).collect();
    assert!(statuses.iter().all(|status| *status == Some(401)), "{statuses:?}");
    let refusals = server.request("GET", "/metrics", &[("Authorization", &right)], b"").text();
    assert!(refusals.contains("readstone_refusals_total{code=\"http.no_token\"} 1000"), "{refusals}");
}

#[test]
fn h05_a_body_beyond_the_limit_is_refused_while_it_comes() {
    let world = world();
    let server = serve(&world);
    let block = vec![b' '; 64 * 1024];
    let chunk = [b"10000\r\n", block.as_slice(), b"\r\n"].concat();
    for path in ["/v1/tools/read", "/mcp"] {
        for (kind, piece) in [("Content-Length: 104857600", &block), ("Transfer-Encoding: chunked", &chunk)] {
            let mut stream = server.connect();
            let [first, second] = KINDS.map(|(name, value)| format!("{name}: {value}"));
            let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{first}\r\n{second}\r\n{kind}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            // A hundred megabytes; the server stops listening long before.
            let taken = (0..1_600).take_while(|_| stream.write_all(piece).is_ok()).count();
            assert!(taken < 1_000, "{path} took {taken} blocks");
            let mut answer = Vec::new();
            drop(stream.read_to_end(&mut answer));
            assert_eq!(status_of(&answer), 413, "{path} with {kind}");
        }
    }
    assert!(server.vitals().peak_megabytes() < 64, "{} MB", server.vitals().peak_megabytes());
    assert_eq!(server.call("read", &json!({ "path": "a.txt" })).status, 200);
}

#[test]
fn h05_a_coded_body_is_refused_and_never_unpacked() {
    let world = world();
    let server = serve(&world);
    for path in ["/v1/tools/read", "/mcp"] {
        for coding in ["gzip", "br", "identity, gzip"] {
            let headers = [KINDS.as_slice(), &[("Content-Encoding", coding)]].concat();
            assert_eq!(server.request("POST", path, &headers, b"\x1f\x8b").status, 415, "{path} with {coding}");
        }
    }
}

#[test]
fn h06_json_that_is_unsound_is_refused() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[("READSTONE_SERVER_BODY_BYTES", "33554432")], []);
    let nested = |depth: usize| format!("{{\"path\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let keys = (0..1_000_000).map(|number| format!("\"k{number}\":0")).collect::<Vec<_>>().join(",");
    let bodies = [
        ("100,000 deep", nested(100_000)),
        ("129 deep", nested(128)),
        ("objects 100,000 deep", "{\"a\":".repeat(100_000)),
        ("a million keys", format!("{{{keys}}}")),
        ("a lone surrogate", r#"{"path":"\ud800"}"#.to_owned()),
        ("surrogates the wrong way round", r#"{"path":"\udc00\ud800"}"#.to_owned()),
        ("a key that stands twice", r#"{"path":"a.txt","path":"b.txt"}"#.to_owned()),
        ("a number without bounds", r#"{"path":"a.txt","max_lines":1e999}"#.to_owned()),
        ("a number that is none", r#"{"path":"a.txt","max_lines":NaN}"#.to_owned()),
        ("a number that is too large", r#"{"path":"a.txt","max_lines":18446744073709551616}"#.to_owned()),
        ("an unknown field", r#"{"path":"a.txt","other":1}"#.to_owned()),
        ("two values", r#"{"path":"a.txt"}{}"#.to_owned()),
        ("an array", r#"["a.txt"]"#.to_owned()),
        ("a NUL", r#"{"path":"a\u0000.txt"}"#.to_owned()),
        ("nothing", String::new()),
    ];
    for (what, body) in &bodies {
        let answer = server.request("POST", "/v1/tools/read", &KINDS, body.as_bytes());
        assert_eq!(answer.status, 400, "{what}: {:.300}", answer.text());
        assert!(answer.body.len() < 4_096, "{what}: {} bytes", answer.body.len());
    }
    assert_eq!(server.request("POST", "/v1/tools/read", &KINDS, b"{\"path\":\"\xff\"}").status, 400);
    assert!(server.vitals().peak_megabytes() < 512, "{} MB", server.vitals().peak_megabytes());
    assert_eq!(server.call("read", &json!({ "path": "a.txt" })).status, 200);
}

#[test]
fn h15_requests_that_can_be_read_in_two_ways_are_refused_and_end_the_connection() {
    let world = world();
    let server = serve(&world);
    let ambiguous: [(&str, &str); 9] = [
        ("two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "),
        ("a length with a sign", "Content-Length: +2\r\n\r\n{}"),
        ("a length of letters", "Content-Length: 0x2\r\n\r\n{}"),
        ("chunks that are not last", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        ("a coding nobody knows", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("a folded header", "X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}"),
        ("a space before the colon", "Content-Length : 2\r\n\r\n{}"),
        ("a NUL in a header", "X: a\0b\r\nContent-Length: 2\r\n\r\n{}"),
        ("a lone CR in a header", "X: a\rb\r\nContent-Length: 2\r\n\r\n{}"),
    ];
    for (what, rest) in ambiguous {
        let hidden = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let kind = "Content-Type: application/json";
        let request = format!("POST /v1/tools/read HTTP/1.1\r\nHost: localhost\r\n{kind}\r\n{rest}{hidden}");
        let answer = server.raw(request);
        assert_eq!(status_of(&answer), 400, "{what}");
        let text = String::from_utf8_lossy(&answer);
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{what}: something was answered behind it\n{text}");
    }
}

#[test]
fn h15_a_body_with_a_length_and_chunks_hides_no_request() {
    let world = world();
    let server = serve(&world);
    let body = "11\r\n{\"path\":\"a.txt\"} \r\n0\r\n\r\n";
    let hidden = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let headers = "Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
    let answer = server.raw(format!("POST /v1/tools/read HTTP/1.1\r\nHost: localhost\r\n{headers}{body}{hidden}"));
    let text = String::from_utf8_lossy(&answer);
    // The chunks count, as the standard lets a server decide, and the connection ends with the answer.
    assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
    assert!(!text.contains("readstone_calls_total"), "{text}");
}

#[test]
fn h15_dots_in_a_path_lead_nowhere() {
    let world = world();
    let server = serve(&world);
    for path in ["/../", "/../metrics", "/v1/../metrics", "//metrics", "/v1/tools/../../metrics", "/%2e%2e/metrics"] {
        let answer = server.request("POST", path, &[], b"");
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
    let answer = server.request("POST", "/v1/tools/..%2f..%2fetc%2fpasswd", &KINDS, b"{}");
    assert_eq!((answer.status, &answer.json()["receipt"]["error"]["code"]), (404, &json!("tool.unknown")));
}

#[test]
fn h15_headers_without_end_are_refused() {
    let world = world();
    let server = serve(&world);
    let many = (0..200).map(|number| format!("X{number}: a\r\n")).collect::<Vec<_>>().concat();
    let long = format!("X: {}\r\n", "a".repeat(1024 * 1024));
    for headers in [many, long] {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n");
        assert_eq!(status_of(&server.raw(request)), 431);
    }
    let line = format!("GET /healthz?{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(1024 * 1024));
    assert!(matches!(status_of(&server.raw(line)), 414 | 431));
    assert!(server.vitals().peak_megabytes() < 64, "{} MB", server.vitals().peak_megabytes());
}

#[test]
fn h20_http_2_is_not_spoken() {
    let world = world();
    let server = serve(&world);
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".as_slice();
    // Settings, then streams that are opened and reset, then a header that goes on and on.
    let reset = b"\0\0\x05\x01\x05\0\0\0\x01\x82\x84\x86\x41\x8a\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08".repeat(1_000);
    let endless = b"\0\0\x01\x09\0\0\0\0\x03\x82".repeat(10_000);
    let answer = server.raw([preface, &reset, &endless].concat());
    assert!(!answer.starts_with(b"\0"), "a frame came back: {answer:?}");
    let upgrade = [("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABk")];
    let stayed = server.request("GET", "/healthz", &upgrade, b"");
    assert_eq!((stayed.status, stayed.header("upgrade")), (200, None));
}
