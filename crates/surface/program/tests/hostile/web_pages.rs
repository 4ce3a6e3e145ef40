//! How the web answers: rows N09–N13, N15 and N20 of `docs/hostile.md`. What it says is in `web_text.rs`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use readstone_testkit::{Archive, Bomb, Confined, Measured, Peer, Run, Served, Spoken, World, tool, works};
use serde_json::json;

/// Megabytes that a run may take beyond one that reads next to nothing.
const M64: u64 = 64;
/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 20;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 53_000;

/// A world in which some peers may be asked.
fn world(peers: &[&Peer]) -> World {
    let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let allowed: Vec<String> = peers.iter().map(|peer| peer.address().to_string()).collect();
    world.set("READSTONE_ALLOW_NET", allowed.join(","));
    world
}

fn measured(world: &World, address: &str) -> Measured {
    let mut command = world.command();
    command.args(["read", "--", address]);
    Confined::default().seconds(LATE).measure(&command)
}

fn read(world: &World, address: &str) -> Run {
    measured(world, address).run
}

/// What a run says that is to succeed.
fn shown(world: &World, address: &str) -> String {
    let run = read(world, address);
    assert_eq!(run.code, Some(0), "{address}: {}{}", run.text(), run.stderr);
    assert!(run.stdout.len() < PAGE, "{address}: {} bytes", run.stdout.len());
    run.text()
}

/// What the program takes for itself to read a page.
fn usual() -> u64 {
    static USUAL: OnceLock<u64> = OnceLock::new();
    *USUAL.get_or_init(|| {
        let peer = Peer::start().unwrap();
        let world = world(&[&peer]);
        (0..3).map(|_| measured(&world, &peer.url("/")).megabytes).max().unwrap()
    })
}

/// Checks that a run fails with an exit code and a code of its own.
fn fails(world: &World, address: &str, code: i32, start: &str) {
    let run = read(world, address);
    assert_eq!((run.code, run.text().as_str()), (Some(code), ""), "{address}: {}", run.stderr);
    assert!(run.stderr.starts_with(start), "{address}: {}", run.stderr);
}

/// The paths that a peer was asked for.
fn targets(peer: &Peer) -> Vec<String> {
    peer.asked().into_iter().map(|asked| asked.target).collect()
}

/// Whether a peer is soon left with so many connections that it answers.
fn comes_to(peer: &Peer, open: usize) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        peer.open() == open
    })
}

#[test]
fn n09_a_server_that_sends_no_page_is_given_up_at_the_deadline() {
    let peer = Peer::start().unwrap();
    let mut world = world(&[&peer]);
    world.set("READSTONE_FETCH_MS", "700");
    for path in ["/silent", "/slow_headers"] {
        fails(&world, &peer.url(path), 9, "net.timeout: '127.0.0.1' sent nothing of the page in time\n");
    }
    let text = shown(&world, &peer.url("/slow_body"));
    assert!(text.contains("\nNotes: not whole: only ") && text.contains(" came in time (fetch_ms)\n"), "{text}");
    assert!(text.contains("\n1:begun"), "{text}");
}

#[test]
fn n09_a_caller_who_leaves_or_cancels_ends_the_fetching() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    let server = Served::start_with::<&str>(&world, &[("READSTONE_FETCH_MS", "60000")], []);
    let body = json!({ "path": peer.url("/slow_headers") });
    let headers = [("Content-Type", "application/json")];
    let stream = server.send("POST", "/v1/tools/read", &headers, body.to_string().as_bytes());
    assert!(comes_to(&peer, 1));
    drop(stream);
    assert!(comes_to(&peer, 0), "it still waits for nobody");
    let mut command = world.command();
    let mut client = Spoken::spawn(command.env("READSTONE_FETCH_MS", "60000").arg("mcp"));
    client.open("2025-11-25");
    let params = json!({ "name": "read", "arguments": body });
    client.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": params }));
    assert!(comes_to(&peer, 1));
    let cancelled = json!({ "requestId": 70 });
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }));
    assert!(comes_to(&peer, 0), "it still waits though it was cancelled");
}

#[test]
fn n10_a_body_without_end_is_cut_at_the_cap_and_the_connection_closed() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    for (path, letter) in [("/endless", "e"), ("/endless_chunked", "c")] {
        let text = shown(&world, &peer.url(path));
        assert!(text.contains("\nNotes: not whole: only the first 20.0 MB were taken (fetch_bytes)"), "{text:.500}");
        assert!(text.contains(&format!("\n1:{}", letter.repeat(100))), "{path}: {text:.500}");
        assert!(comes_to(&peer, 0), "{path}");
    }
}

/// Checks that addresses cost no more memory than they may.
fn are_bounded(world: &World, addresses: &[String]) {
    let grown = |address: &String| measured(world, address).megabytes.saturating_sub(usual());
    let much: Vec<(&String, u64)> =
        addresses.iter().map(|address| (address, grown(address))).filter(|(_, grown)| *grown >= M64).collect();
    assert_eq!(much, [], "megabytes more than usual ({})", usual());
}

#[test]
fn n10_a_body_without_end_takes_no_more_memory_than_it_may() {
    let peer = Peer::start().unwrap();
    are_bounded(&world(&[&peer]), &["/endless", "/endless_chunked", "/endless:raw"].map(|path| peer.url(path)));
}

#[test]
fn n11_a_bomb_takes_no_more_memory_than_it_may() {
    let peer = Peer::start().unwrap();
    let paths = ["/gzip_bomb", "/br_bomb", "/zstd_bomb", "/gzip_bomb:raw", "/zstd_bomb:raw"];
    are_bounded(&world(&[&peer]), &paths.map(|path| peer.url(path)));
}

#[test]
fn n11_the_cap_counts_unpacked_bytes() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    for path in ["/gzip_bomb", "/br_bomb", "/zstd_bomb"] {
        let text = shown(&world, &peer.url(path));
        assert!(text.contains("not whole: only the first 20.0 MB were taken (fetch_bytes)"), "{path}: {text:.500}");
    }
}

#[test]
fn n11_one_layer_is_unpacked_and_no_other() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    fails(&world, &peer.url("/gzip_gzip"), 8, "net.io: ");
    fails(&world, &peer.url("/gzip_lie"), 8, "net.io: ");
    fails(&world, &peer.url("/strange_coding"), 8, "net.io: ");
    let twice = shown(&world, &peer.url("/gzip_twice"));
    assert!(twice.contains("\nMethod: archive\nNotes: it is compressed with gzip, "), "read as a file is: {twice}");
    let bomb = Bomb::default().then(&vec![b'a'; 1 << 20], 1000).gzipped();
    peer.page("/bomb.gz", "application/gzip", &bomb);
    peer.page("/bomb", "text/html", &Archive::gzip(&bomb));
    for path in ["/bomb.gz", "/bomb"] {
        let run = read(&world, &peer.url(path));
        assert!(matches!(run.code, Some(0 | 5)) && run.stdout.len() < PAGE, "{path}: {:.500}", run.stderr);
    }
}

#[test]
fn n11_markup_of_very_many_levels_or_links_behind_a_small_body_ends_in_time() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    for (path, piece) in [("/div", "<div>"), ("/bold", "<b>"), ("/list", "<ul><li>"), ("/link", "<a href=/x>y</a> ")] {
        let packed = Archive::gzip(piece.repeat(30_000).as_bytes());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
            packed.len()
        );
        peer.raw(path, &[head.as_bytes(), &packed].concat());
        let mut command = world.command();
        command.args(["read", "--", &peer.url(path)]);
        let run = Confined::default().seconds(2 * LATE).run(&command);
        assert!(matches!(run.code, Some(0 | 5 | 9)), "{path}: {:?} {}", run.code, run.stderr);
        assert!(run.stdout.len() < PAGE, "{path}: {} bytes", run.stdout.len());
    }
}

#[test]
fn n12_a_broken_body_is_marked_and_what_follows_one_is_never_read() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    let short = shown(&world, &peer.url("/short"));
    assert!(short.contains("\nNotes: not whole: the server sent 9 of 1000 bytes\n"), "{short}");
    assert!(short.contains("\n1:only this\n"), "{short}");
    let reset = shown(&world, &peer.url("/reset"));
    assert!(reset.contains("\nNotes: not whole: ") && reset.contains("\n1:half\n"), "{reset}");
    let long = shown(&world, &peer.url("/long"));
    assert!(long.contains("\n1:this\n") && !long.contains("extra"), "{long}");
    for path in ["/bad_chunk", "/cl_te", "/short_nothing", "/reset_early"] {
        fails(&world, &peer.url(path), 8, "net.io: '127.0.0.1' gave no usable answer: ");
    }
}

#[test]
fn n13_a_head_that_is_too_long_or_none_at_all_is_refused() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    fails(&world, &peer.url("/many_headers"), 5, "net.header: ");
    fails(&world, &peer.url("/huge_header"), 5, "net.header: ");
    fails(&world, &peer.url("/no_http"), 8, "net.io: ");
}

/// A server with a certificate of its own making, and where it listens; it answers with files of the world.
struct Secure {
    child: Child,
    port: u16,
}

impl Secure {
    fn start(world: &World) -> Option<Self> {
        let (key, certificate) = (world.path().join("key.pem"), world.path().join("cert.pem"));
        let paths = [key.to_str().unwrap(), certificate.to_str().unwrap()];
        let wish = "[req]\ndistinguished_name=d\nx509_extensions=e\nprompt=no\n[d]\nCN=x\n[e]\n\
                    subjectAltName=IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n";
        let wish = world.file("wish", wish);
        let made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650"];
        let rest = ["-config", wish.to_str().unwrap(), "-keyout", paths[0], "-out", paths[1]];
        if !works("openssl", &[&made[..], &rest].concat()) {
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = tool("openssl");
        command.args(["s_server", "-quiet", "-HTTP", "-accept", &format!("127.0.0.1:{port}")]);
        command.args(["-key", paths[0], "-cert", paths[1]]).current_dir(world.path());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let listens = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        let pause = std::time::Duration::from_millis(20);
        assert!((0..500).any(|_| listens() || (std::thread::sleep(pause), false).1), "the server does not listen");
        Some(Self { child, port })
    }

    fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn n15_a_certificate_that_nobody_vouches_for_is_refused_and_nothing_in_an_address_changes_that() {
    let peer = Peer::start().unwrap();
    let mut world = world(&[&peer]);
    world.set("READSTONE_ALLOW_NET", "loopback");
    let Some(server) = Secure::start(&world) else { return };
    world.file("page", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nsafe\n");
    world.file("down", format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", peer.url("/cookie")));
    for end in ["/page", "/page?insecure=1&verify=false", "/page#insecure", "/page:raw"] {
        let run = read(&world, &server.url(end));
        assert_eq!(run.code, Some(8), "{end}: {}", run.text());
        assert!(run.stderr.starts_with("net.tls: no safe connection to '127.0.0.1': "), "{end}: {}", run.stderr);
    }
    let certificate = world.path().join("cert.pem").display().to_string();
    world.set("SSL_CERT_FILE", certificate);
    let text = shown(&world, &server.url("/page"));
    assert!(text.contains("\n1:safe\n"), "one that is vouched for will do: {text}");
    let down = shown(&world, &server.url("/down"));
    assert!(down.contains("redirected from https to http") && down.contains("\n1:have a cookie\n"), "n19: {down}");
}

#[test]
fn n20_at_most_three_probes_are_made_and_none_beyond_the_guard() {
    let (peer, other) = (Peer::start().unwrap(), Peer::start().unwrap());
    let world = world(&[&peer]);
    let page = |place: &str| {
        format!(
            "<link rel=alternate type=text/markdown href={place}><link rel=alternate type=application/rss+xml \
             href={place}><script>1</script><iframe src={place}.pdf></iframe><a href={place}.pdf>paper</a>"
        )
    };
    let places = [
        ("/other", other.url("/x")),
        ("/hop", Peer::redirect_to(&other.url("/x"))),
        ("/loop", "/redirect_loop".to_owned()),
        ("/file", "file:///etc/passwd".to_owned()),
        ("/own", "/nothing".to_owned()),
    ];
    for (path, place) in &places {
        peer.page(path, "text/html", page(place).as_bytes());
        let before = peer.connections();
        let run = read(&world, &peer.url(path));
        assert!(run.code == Some(0) && !run.text().contains("root:"), "{path}: {}{}", run.text(), run.stderr);
        let asked = targets(&peer).split_off(before);
        let hops = asked.iter().filter(|target| target.starts_with("/redirect_")).count();
        assert!(asked.len() - hops <= 4 && hops <= 18, "{path}: {asked:?}");
    }
    assert_eq!(other.connections(), 0);
}

#[test]
fn n20_probes_of_a_slow_host_stay_within_the_deadline_of_the_page() {
    let peer = Peer::start().unwrap();
    let mut world = world(&[&peer]);
    world.set("READSTONE_FETCH_MS", "1500");
    world.set("READSTONE_PROBE_MS", "400");
    let slow =
        "<link rel=alternate type=text/markdown href=/slow_headers><p>The text of the page is here all the same.</p>";
    peer.page("/slow.html", "text/html", slow.as_bytes());
    let mut command = world.command();
    command.args(["read", &peer.url("/slow.html")]);
    let run = Confined::default().seconds(8).run(&command);
    assert!(run.text().contains("\n1:The text of the page is here all the same.\n"), "{}{}", run.text(), run.stderr);
    assert!(targets(&peer).len() <= 4, "{:?}", targets(&peer));
    assert!(comes_to(&peer, 0));
}
