//! Bodies of requests: how much of them is read at a time, and who waits for that.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops where it cannot go on, and locks a file"
)]

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::net::TcpStream;

use readstone_testkit::{Answer, Served, World};
use serde_json::json;

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world
}

fn serve(world: &World) -> Served {
    Served::start::<&str>(world, [])
}

/// Begins a call of `write` with these further headers, and this much of its body.
fn begin(server: &Served, headers: &str, body: &str) -> TcpStream {
    let mut stream = server.connect();
    let kind = "Content-Type: application/json\r\nConnection: close";
    let head = format!("POST /v1/tools/write HTTP/1.1\r\nHost: localhost\r\n{kind}\r\n{headers}\r\n\r\n{body}");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn the_longest_bodies_are_read_two_at_a_time_and_a_short_one_waits_no_longer_than_a_call() {
    let world = world();
    let server = serve(&world);
    let two = [(); 2].map(|()| begin(&server, "Content-Length: 16777216", "{"));
    // Until both are being read there may be room.
    let read = || server.call("read", &json!({ "path": "a.txt" }));
    let refused = std::iter::repeat_with(read).find(|answer| answer.status != 200).unwrap();
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")), "{}", refused.text());
    assert_eq!(refused.json()["receipt"]["error"]["code"], "http.busy");
    drop(two);
    assert_eq!(read().status, 200);
}

#[test]
fn a_body_that_was_read_keeps_no_other_out_while_its_call_lasts() {
    let world = world();
    let locked = File::open(world.file("locked.txt", "old\n")).unwrap();
    locked.lock().unwrap();
    let server = serve(&world);
    // Without a length it counts as the longest there may be.
    let write = |path: &str| {
        let body = json!({ "path": path, "content": "new\n" }).to_string();
        begin(&server, "Transfer-Encoding: chunked", &format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()))
    };
    let waiting = [(); 4].map(|()| write("locked.txt"));
    let answer = Answer::from_stream(write("free.txt")).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
    for stream in waiting {
        stream.set_nonblocking(true).unwrap();
        let silent = stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        assert!(silent, "the others still wait for the lock");
    }
}
