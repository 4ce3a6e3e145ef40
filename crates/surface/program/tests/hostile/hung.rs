//! Calls that hang and calls that break: the rows F20 and H18 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be made must stop the test")]

use std::fs::{self, File, OpenOptions};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use readstone_desk::{Desk, Error};
use readstone_session::{MemoryStore, Room, Sessions};
use readstone_testkit::{Answer, HttpSession, Served, Spoken, World, tool};
use readstone_tools::Toolbox;
use serde_json::{Value, json};

/// A file system that answers nothing: whoever looks into it waits until it is gone.
#[derive(Debug)]
struct Hung {
    device: Option<File>,
    place: PathBuf,
}

impl Hung {
    /// Puts one at a directory; `None` where that cannot be done.
    #[expect(clippy::print_stderr, reason = "a test that proves nothing must say so")]
    fn at(place: &Path) -> Option<Self> {
        fs::create_dir(place).unwrap();
        let device = OpenOptions::new().read(true).write(true).open("/dev/fuse").ok();
        let input = device.as_ref().and_then(|device| device.try_clone().ok()).map_or_else(Stdio::null, Stdio::from);
        let options = "fd=0,rootmode=40000,user_id=0,group_id=0";
        let mut mount = tool("mount");
        mount.args(["-t", "fuse", "-o", options, "hung"]).arg(place).stdin(input).stderr(Stdio::null());
        if device.is_none() || !mount.status().is_ok_and(|status| status.success()) {
            eprintln!("passed by: no file system of our own can be mounted here");
            return None;
        }
        Some(Self { device, place: place.to_owned() })
    }
}

impl Drop for Hung {
    fn drop(&mut self) {
        // Without its device it fails every request, and those that wait come back.
        self.device = None;
        drop(tool("umount").arg("-l").arg(&self.place).status());
    }
}

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world
}

fn start(server: &Served, path: &str) -> TcpStream {
    let body = json!({ "path": path }).to_string();
    server.send("POST", "/v1/tools/read", &[("Content-Type", "application/json")], body.as_bytes())
}

fn is_served(server: &Served) -> bool {
    server.call("read", &json!({ "path": "a.txt" })).status == 200
}

/// A server with few places and little patience.
fn serve(world: &World) -> Served {
    let limits = [
        ("READSTONE_CALL_MS", "500"),
        ("READSTONE_SERVER_CALLS", "4"),
        ("READSTONE_SERVER_SLOW_CALLS", "4"),
        ("READSTONE_SERVER_QUICK_MS", "200"),
    ];
    Served::start_with::<&str>(world, &limits, [])
}

#[test]
fn f20_a_read_that_hangs_is_left_in_its_time_on_every_surface() {
    let world = world();
    let place = world.path().join("hung");
    let Some(_hung) = Hung::at(&place) else { return };
    let server = Served::start_with::<&str>(&world, &[("READSTONE_CALL_MS", "500")], []);
    // The first calls wait for their time; then it is known that they would hang.
    let code = |answer: &Value| match answer["code"].as_str() {
        Some("desk.stuck" | "desk.hung") => "desk.stuck".to_owned(),
        other => other.unwrap_or_default().to_owned(),
    };
    for path in ["hung/x.txt", "hung", "hung/x.txt:5-9"] {
        let answer = server.call("read", &json!({ "path": path }));
        assert_eq!((answer.status, code(&answer.json()["receipt"]["error"])), (504, "desk.stuck".to_owned()), "{path}");
    }
    let file = place.join("x.txt");
    let bytes = server.get(&format!("/api/v0/read-file?path={}", file.display()));
    assert_eq!((bytes.status, code(&bytes.json())), (504, "desk.stuck".to_owned()));
    let lines = server.get(&format!("/api/v0/read-file-lines?path={}", file.display()));
    assert!(lines.status == 504 || lines.json()["success"] == false, "{}", lines.text());
    let meta = json!({ "readstone/receipt": true });
    let call = json!({ "name": "read", "arguments": { "path": "hung/x.txt" }, "_meta": meta });
    let newest = server.mcp("tools/call", call.clone()).json();
    assert_eq!(code(&newest["result"]["structuredContent"]["error"]), "desk.stuck");
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    let older = HttpSession::open(&server, &[]).post(&message).json();
    assert_eq!(code(&older["result"]["structuredContent"]["error"]), "desk.stuck");
    assert!(is_served(&server));
    assert_eq!(server.stop().0, Some(0), "what hangs does not hold up the end");
}

#[test]
fn f20_a_read_that_hangs_leaves_a_server_on_standard_input_free() {
    let world = world();
    let place = world.path().join("hung");
    let Some(_hung) = Hung::at(&place) else { return };
    let mut command = world.command();
    let mut client = Spoken::spawn(command.env("READSTONE_CALL_MS", "500").args(["mcp", "--receipts"]));
    client.open("2025-11-25");
    for id in 70..75 {
        let call = json!({ "name": "read", "arguments": { "path": "hung/x.txt" } });
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call }));
    }
    let quick = client.call("read", &json!({ "path": "a.txt" }));
    assert_eq!(quick["result"]["isError"], json!(false), "{quick}");
    while client.notices.len() < 5 {
        let answer = client.receive().unwrap();
        client.notices.push(answer);
    }
    for answer in &client.notices {
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "desk.stuck", "{answer}");
    }
    let reference = json!({ "type": "ref/resource", "uri": "file:///{+path}" });
    let typed = format!("{}/", place.display());
    let argument = json!({ "name": "path", "value": typed.trim_start_matches('/') });
    let completed = client.request("completion/complete", &json!({ "ref": reference, "argument": argument }));
    let why = completed["error"]["message"].as_str().unwrap();
    assert!(why.contains("answer"), "it hangs, or is left alone: {why}");
    assert_eq!(client.end().0, Some(0), "what hangs does not hold up the end");
}

#[test]
fn f20_others_are_served_while_every_slow_place_hangs() {
    let world = world();
    let Some(_hung) = Hung::at(&world.path().join("hung")) else { return };
    let server = serve(&world);
    let hung: Vec<TcpStream> = (0..4).map(|_| start(&server, "hung/x.txt")).collect();
    for stream in hung {
        assert_eq!(Answer::from_stream(stream).map(|answer| answer.status), Some(504));
    }
    for _ in 0..20 {
        assert!(is_served(&server), "the pool is blocked");
    }
    let one_more = Answer::from_stream(start(&server, "hung/x.txt")).unwrap();
    assert!(matches!(one_more.status, 429 | 504), "{}", one_more.text());
    assert!(is_served(&server));
}

#[test]
fn f20_others_are_served_however_many_calls_hang() {
    let world = world();
    let Some(_hung) = Hung::at(&world.path().join("hung")) else { return };
    let server = serve(&world);
    for _ in 0..5 {
        let hung: Vec<TcpStream> = (0..8).map(|_| start(&server, "hung/x.txt")).collect();
        for stream in hung {
            let status = Answer::from_stream(stream).map(|answer| answer.status);
            assert!(matches!(status, Some(429 | 504)), "{status:?}");
        }
        let other = server.call("read", &json!({ "path": "a.txt" }));
        assert_eq!(other.status, 200, "{} {}", other.text(), server.get("/metrics").text());
    }
    assert!(server.vitals().threads() < 64, "{} threads", server.vitals().threads());
}

#[test]
fn f20_the_places_of_hung_calls_come_back_with_the_file_system() {
    let world = world();
    let Some(hung) = Hung::at(&world.path().join("hung")) else { return };
    let server = serve(&world);
    let asked: Vec<TcpStream> = (0..16).map(|_| start(&server, "hung/x.txt")).collect();
    for stream in asked {
        drop(Answer::from_stream(stream));
    }
    drop(hung);
    let free = |()| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        is_served(&server) && server.get("/metrics").text().contains("\nreadstone_free_workers 4\n")
    };
    assert!(std::iter::repeat_n((), 200).any(free), "{}", server.get("/metrics").text());
}

fn desk(directory: &Path) -> Arc<Desk> {
    let toolbox = Toolbox::for_directory(directory).unwrap();
    let sessions = Sessions::new(
        Arc::<MemoryStore>::default(),
        Room { snapshots: 1 << 20, drawer: 1 << 20 },
        Arc::new(readstone_session::MemoryShelf::new(1 << 20)),
        16,
    );
    Desk::new(toolbox, sessions)
}

#[test]
fn h18_a_call_that_panics_breaks_off_alone() {
    let world = world();
    let desk = desk(world.path());
    let runtime = readstone_desk::runtime().unwrap();
    runtime.block_on(async {
        // More of them than there are places, and others beside each.
        for _ in 0..100 {
            let broken = desk.run(None, |_, _| -> u8 { panic!("on purpose") });
            let sound = desk.run(None, |toolbox, budget| toolbox.call("read", &json!({ "path": "a.txt" }), budget));
            let (broken, sound) = tokio::join!(broken, sound);
            assert_eq!(broken, Err(Error::Broken));
            assert_eq!(sound.unwrap().text(), "¶a.txt#8E4C\n1:hello\n");
        }
    });
    assert!(desk.metrics().contains(&format!("\nreadstone_free_workers {}\n", desk.limits().server_calls)));
}

#[test]
fn h18_a_panic_is_told_as_our_mistake() {
    use readstone_base::{Class, Failure as _};
    assert_eq!((Error::Broken.code(), Error::Broken.class()), ("desk.broken", Class::Bug));
    assert_eq!((Class::Bug.http_status(), Class::Bug.exit_code()), (500, 70));
}
