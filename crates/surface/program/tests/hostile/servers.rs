//! Servers under load, left by their clients and told to end: the rows H07 to H10 and H19 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "a socket that cannot be used must stop the test")]

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use readstone_testkit::{Answer, Fixture, HttpSession, Served, Spoken, World};
use serde_json::{Value, json};

/// A call may take as long as it wants, and name as many targets as it can.
const LONG: [(&str, &str); 2] = [("READSTONE_CALL_MS", "600000"), ("READSTONE_TARGETS", "1000")];
/// A server that is told to end waits for its answers longer than a test does.
const PATIENT: (&str, &str) = ("READSTONE_SERVER_DRAIN_MS", "600000");
const KIND: [(&str, &str); 1] = [("Content-Type", "application/json")];

/// A world with a text that takes a while to be looked through.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world.file("big.txt", b"a line of text, as long as lines are on the whole\n".repeat(1_300_000));
    world
}

/// A call that looks through the text so many times.
fn slow(times: usize) -> Value {
    json!({ "paths": vec!["big.txt:conflicts"; times] })
}

fn start(server: &Served, input: &Value) -> TcpStream {
    server.send("POST", "/v1/tools/read", &KIND, input.to_string().as_bytes())
}

fn is_served(server: &Served) -> bool {
    server.call("read", &json!({ "path": "a.txt" })).status == 200
}

/// Whether nothing has come back yet.
fn is_silent(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let silent = stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    stream.set_nonblocking(false).unwrap();
    silent
}

/// Waits until nobody can connect any more.
fn closes(server: &Served) -> bool {
    let refused = |()| {
        std::thread::sleep(Duration::from_millis(20));
        TcpStream::connect(server.address()).is_err()
    };
    std::iter::repeat_n((), 500).any(refused)
}

fn message(id: u64, input: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "read", "arguments": input } })
}

fn cancelled(id: u64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

#[test]
fn h07_five_hundred_sockets_that_say_little_or_nothing_are_closed_and_stop_nobody() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[("READSTONE_SERVER_REQUEST_MS", "2000")], []);
    let silent: Vec<TcpStream> = (0..250).map(|_| server.connect()).collect();
    let mut slow: Vec<TcpStream> = (0..250).map(|_| server.connect()).collect();
    let half_body = "POST /v1/tools/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                     Content-Length: 100\r\n\r\n{";
    let mut half = server.connect();
    half.write_all(half_body.as_bytes()).unwrap();
    for stream in &mut slow {
        stream.write_all(b"G").unwrap();
    }
    assert!(is_served(&server));
    // A byte now and then keeps nothing open.
    std::thread::sleep(Duration::from_millis(500));
    for stream in &mut slow {
        drop(stream.write_all(b"E"));
    }
    assert!(is_served(&server));
    let (half, closed) = (Answer::from_stream(half), |mut stream: TcpStream| stream.read_to_end(&mut Vec::new()));
    assert_eq!(half.map(|answer| answer.status), Some(408));
    assert!(silent.into_iter().chain(slow).all(|stream| !matches!(closed(stream), Ok(1..))), "one was answered");
    assert!(is_served(&server));
    assert!(server.vitals().peak_megabytes() < 256, "{} MB", server.vitals().peak_megabytes());
}

#[test]
fn h07_there_are_no_more_connections_than_the_limit_says() {
    let world = world();
    let limits = [("READSTONE_SERVER_CONNECTIONS", "10"), ("READSTONE_SERVER_REQUEST_MS", "3000")];
    let server = Served::start_with::<&str>(&world, &limits, []);
    let held: Vec<TcpStream> = (0..10).map(|_| server.connect()).collect();
    // The system has accepted them; the server takes them one after the other.
    assert_eq!(server.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), b"");
    for mut stream in held {
        drop(stream.read_to_end(&mut Vec::new()));
    }
    assert!(is_served(&server));
}

#[test]
fn h07_a_client_that_does_not_take_its_answer_is_left() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[("READSTONE_SERVER_ANSWER_MS", "500")], []);
    let path = format!("/api/v0/read-file?path={}", world.path().join("big.txt").display());
    let before = server.vitals().descriptors();
    let deaf: Vec<TcpStream> = (0..20).map(|_| server.send("GET", &path, &[], b"")).collect();
    let left = (0..400).any(|_| {
        std::thread::sleep(Duration::from_millis(25));
        server.vitals().descriptors() <= before + 2
    });
    assert!(left, "{} descriptors before, {} now", before, server.vitals().descriptors());
    drop(deaf);
}

#[test]
fn h08_a_thousand_slow_reads_are_queued_and_refused_within_bounds() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &LONG, []);
    let asked: Vec<TcpStream> = (0..1_000).map(|_| start(&server, &slow(60))).collect();
    let refused = |stream: &TcpStream| {
        // Those that run are not answered for a long time.
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let mut bytes = vec![0; 4_096];
        let count = (&mut &*stream).read(&mut bytes).unwrap_or(0);
        Answer::parse(&bytes[..count])
    };
    let refusals = || asked.iter().filter_map(refused).collect::<Vec<_>>();
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.extend(refusals());
        if answers.len() > 900 {
            break;
        }
    }
    for answer in &answers {
        assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")), "{}", answer.text());
    }
    assert!(answers.len() > 900, "{} of 1000 were refused", answers.len());
    assert_eq!(server.get("/healthz").status, 200);
    assert!(server.vitals().peak_megabytes() < 256, "{} MB", server.vitals().peak_megabytes());
    assert!(server.vitals().threads() < 160, "{} threads", server.vitals().threads());
    drop(asked);
    assert!(server.vitals().rests(), "the slow reads go on without their clients");
    assert!(is_served(&server));
}

#[test]
fn h08_quick_reads_are_served_beside_as_many_slow_ones_as_there_may_be() {
    let world = world();
    // Long calls are told by what they do; the clock must not judge a program that was built without optimisation.
    let patient = ("READSTONE_SERVER_QUICK_MS", "1000");
    let server = Served::start_with::<&str>(&world, &[LONG[0], LONG[1], patient], []);
    let asked: Vec<TcpStream> = (0..40).map(|_| start(&server, &slow(1_000))).collect();
    assert!(server.vitals().works());
    let refused =
        (0..50).map(|_| server.call("read", &json!({ "path": "a.txt" }))).filter(|answer| answer.status != 200);
    let refused: Vec<String> = refused.map(|answer| answer.text()).collect();
    assert!(refused.is_empty(), "quick reads beside slow ones: {refused:?}");
    drop(asked);
}

#[test]
fn h09_a_client_that_leaves_takes_its_work_with_it() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &LONG, []);
    let call = || json!({ "name": "read", "arguments": slow(1_000) });
    let begin: [(&str, &dyn Fn() -> TcpStream); 2] =
        [("REST", &|| start(&server, &slow(1_000))), ("MCP over HTTP", &|| server.send_mcp("tools/call", call()))];
    for (surface, begin) in begin {
        let stream = begin();
        assert!(server.vitals().works(), "{surface}");
        assert!(is_silent(&stream), "{surface}: it was answered before its client left");
        drop(stream);
        assert!(server.vitals().rests(), "{surface}: the work goes on without its client");
    }
}

#[test]
fn h09_a_call_that_was_stopped_leaves_the_targets_that_are_left() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &LONG, []);
    let asked: Vec<TcpStream> = (0..200).map(|_| start(&server, &slow(1_000))).collect();
    assert!(server.vitals().works());
    drop(asked);
    assert!(server.vitals().rests(), "the work goes on without its clients");
}

#[test]
fn h09_a_cancelled_call_on_standard_input_stops_and_is_never_answered() {
    let world = world();
    let mut command = world.command();
    let mut client = Spoken::spawn(command.envs(LONG).arg("mcp"));
    client.open("2025-11-25");
    client.send(&message(70, &slow(1_000)));
    assert!(client.vitals().works());
    client.send(&cancelled(70));
    assert!(client.vitals().rests(), "the work goes on though it was cancelled");
    let answer = client.request("ping", &json!({}));
    assert_eq!(answer["result"], json!({}));
    assert_eq!(client.notices, Vec::<Value>::new(), "something came before it");
    // Whatever is cancelled too late, or was never asked for, is no concern.
    client.send(&cancelled(70));
    client.send(&cancelled(4_711));
    assert_eq!(client.call("read", &json!({ "path": "a.txt" }))["result"]["isError"], json!(false));
    assert_eq!(client.notices, Vec::<Value>::new());
}

#[test]
fn h09_a_cancelled_call_of_an_older_session_stops_and_is_never_answered() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &LONG, []);
    let session = HttpSession::open(&server, &[]);
    let asked = session.start(&message(70, &slow(1_000)));
    assert!(server.vitals().works());
    assert_eq!(session.post(&cancelled(70)).status, 202);
    assert!(server.vitals().rests(), "the work goes on though it was cancelled");
    let answer = Answer::from_stream(asked).unwrap().text();
    assert!(!answer.contains("jsonrpc"), "{answer}");
}

#[test]
fn h09_the_calls_of_a_deleted_session_stop() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &LONG, []);
    let session = HttpSession::open(&server, &[]);
    let asked = session.start(&message(70, &slow(1_000)));
    assert!(server.vitals().works());
    assert!(session.delete().status < 300);
    assert!(server.vitals().rests(), "the work goes on without its session");
    drop(asked);
}

#[test]
fn h10_idle_connections_and_streams_of_events_do_not_hold_up_the_end() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[PATIENT], []);
    let session = HttpSession::open(&server, &[]);
    let mut events = session.listen();
    events.read_exact(&mut [0; 12]).unwrap();
    let idle = server.connect();
    let mut kept = server.connect();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    kept.read_exact(&mut [0; 12]).unwrap();
    let (code, log) = server.stop();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.trim_end().ends_with("\"message\":\"stopped\"}"), "{log}");
    for mut stream in [events, idle, kept] {
        drop(stream.read_to_end(&mut Vec::new()));
    }
}

#[test]
fn h10_what_is_on_its_way_arrives_whole_and_nothing_new_is_begun() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[PATIENT, LONG[0]], []);
    let path = world.path().join("big.txt");
    let mut bytes = server.send("GET", &format!("/api/v0/read-file?path={}", path.display()), &[], b"");
    let called = start(&server, &slow(20));
    bytes.read_exact(&mut [0; 1]).unwrap();
    assert!(server.vitals().works());
    assert!(is_silent(&called), "it was answered before the signal");
    server.signal("TERM");
    assert!(closes(&server), "it still takes connections");
    // Whoever does not take its bytes would be left.
    let taking = std::thread::spawn(move || {
        let mut rest = Vec::new();
        bytes.read_to_end(&mut rest).map(|_| rest)
    });
    assert_eq!(Answer::from_stream(called).map(|answer| answer.status), Some(200));
    let rest = taking.join().unwrap().unwrap();
    let body = rest.windows(4).position(|window| window == b"\r\n\r\n").map(|end| rest.len() - end - 4);
    assert_eq!(body.map(|body| body as u64), path.metadata().ok().map(|facts| facts.len()));
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn h10_a_call_over_mcp_that_is_on_its_way_is_answered() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[PATIENT, LONG[0]], []);
    let session = HttpSession::open(&server, &[]);
    let newest = server.send_mcp("tools/call", json!({ "name": "read", "arguments": slow(20) }));
    let older = session.start(&message(70, &slow(20)));
    assert!(server.vitals().works());
    assert!(is_silent(&newest), "it was answered before the signal");
    server.signal("TERM");
    for (revision, stream) in [("newest", newest), ("older", older)] {
        let answer = Answer::from_stream(stream).unwrap();
        assert_eq!((answer.status, &answer.json()["result"]["isError"]), (200, &json!(false)), "{revision}");
    }
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn h10_work_without_end_gets_its_time_and_no_more() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[LONG[0], LONG[1], ("READSTONE_SERVER_DRAIN_MS", "500")], []);
    let session = HttpSession::open(&server, &[]);
    let events = session.listen();
    let called = start(&server, &slow(1_000));
    assert!(server.vitals().works());
    let (code, log) = server.stop();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("stopped before the last answer was out"), "{log}");
    assert!(Answer::from_stream(called).is_none(), "half an answer came");
    drop(events);
}

#[test]
fn h10_a_second_signal_ends_it_at_once() {
    let world = world();
    let server = Served::start_with::<&str>(&world, &[LONG[0], LONG[1], PATIENT], []);
    let called = start(&server, &slow(1_000));
    assert!(server.vitals().works());
    server.signal("TERM");
    assert!(closes(&server), "it still takes connections");
    server.signal("INT");
    assert_eq!(server.end().0, Some(130));
    drop(called);
}

#[test]
fn h10_a_server_on_standard_input_ends_by_a_signal_too() {
    let world = world();
    let mut command = world.command();
    let mut client = Spoken::spawn(command.envs(LONG).arg("mcp"));
    client.open("2025-11-25");
    client.send(&message(70, &slow(1_000)));
    assert!(client.vitals().works());
    assert!(readstone_testkit::signal(client.pid(), "TERM"));
    let (code, log) = client.end();
    assert_eq!((code, log.as_str()), (Some(0), ""));
}

#[test]
fn h19_fifty_of_the_heaviest_reads_at_once_share_their_memory() {
    let world = world();
    fs::write(world.path().join("whole.txt"), "x\n".repeat(4_000_000)).unwrap();
    Fixture::long_line(&world.path().join("line.txt"), 64 * 1024 * 1024);
    Fixture::sparse(&world.path().join("sparse.txt"), b"head\n", 1 << 40, b"\ntail\n");
    let limits = [("READSTONE_SERVER_SLOW_CALLS", "64"), ("READSTONE_SERVER_CALLS", "64")];
    let server = Served::start_with::<&str>(&world, &limits, []);
    let addresses = ["whole.txt:3999990-", "line.txt", "sparse.txt:-3", "big.txt:conflicts", "whole.txt#0000"];
    let asked: Vec<(&str, TcpStream)> = addresses
        .iter()
        .cycle()
        .take(50)
        .map(|address| (*address, start(&server, &json!({ "path": address }))))
        .collect();
    for (address, stream) in asked {
        let answer = Answer::from_stream(stream).unwrap();
        assert!(matches!(answer.status, 200 | 409 | 429 | 504), "{address}: {:.300}", answer.text());
        assert!(answer.body.len() < 1024 * 1024, "{address}: {} bytes", answer.body.len());
    }
    assert!(server.vitals().peak_megabytes() < 256, "{} MB", server.vitals().peak_megabytes());
    assert!(is_served(&server));
}
