//! The web against the guard: rows N01–N05, N07, N08, N16, N19 and N21 of `docs/hostile.md`, and how often a page is
//! asked for. What may come back is in `web_pages.rs` and `web_text.rs`.

use readstone_testkit::{CANARY, Confined, Peer, Run, Served, Spoken, Trace, World, tool};
use serde_json::{Value, json};

/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 20;

/// A world in which some peers may be asked.
fn world(peers: &[&Peer]) -> World {
    let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let allowed: Vec<String> = peers.iter().map(|peer| peer.address().to_string()).collect();
    world.set("READSTONE_ALLOW_NET", allowed.join(","));
    world
}

fn read<S: AsRef<str>>(world: &World, addresses: &[S]) -> Run {
    let mut command = world.command();
    command.args(["read", "--"]).args(addresses.iter().map(AsRef::as_ref));
    Confined::default().seconds(LATE).run(&command)
}

/// The code of what is wrong with each address, of one run for all of them.
fn codes(world: &World, addresses: &[String]) -> Vec<String> {
    let run = read(world, &[addresses, &["no-such-file".to_owned()]].concat());
    let all = run.text() + &run.stderr;
    let code = |block: &str| block.lines().nth(1).and_then(|line| line.split(": ").next()).map(str::to_owned);
    let found: Vec<String> = all.split('¶').skip(1).filter_map(code).collect();
    assert_eq!(found.len(), addresses.len() + 1, "{all}");
    found.into_iter().take(addresses.len()).collect()
}

/// Checks that addresses are refused with a code.
fn are_refused(world: &World, addresses: &[String], code: &str) {
    for (address, found) in addresses.iter().zip(codes(world, addresses)) {
        assert_eq!(found, code, "{address}");
    }
}

/// Checks that nobody is spoken to for the sake of some addresses, by a run that is watched. That a socket which is never
/// used is bound, to see whether an address is one of this machine, is no speaking.
fn nobody_is_spoken_to(world: &World, addresses: &[String]) {
    let mut command = world.command();
    if let Some((trace, run)) = Trace::of(command.arg("read").args(addresses)) {
        assert_eq!(run.code, Some(4), "{}", run.stderr);
        let asked = trace.forbidden(&["sendto(", "sendmsg(", "sendmmsg("]);
        let silent =
            |line: &&&str| line.contains("bind(") || line.contains("socket(AF_INET") && line.contains("SOCK_DGRAM");
        assert_eq!(asked.iter().filter(|line| !silent(line)).collect::<Vec<_>>(), [&""; 0]);
    }
}

fn urls(hosts: &[&str], end: &str) -> Vec<String> {
    hosts.iter().map(|host| format!("http://{host}{end}")).collect()
}

/// The paths that a peer was asked for.
fn targets(peer: &Peer) -> Vec<String> {
    peer.asked().into_iter().map(|asked| asked.target).collect()
}

/// The text of a reply over MCP.
fn text_of(answer: &Value) -> String {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A page of many lines.
fn long_page(peer: &Peer) {
    let body: Vec<String> =
        (1..=700).map(|number| format!("<p>Paragraph {number} of a page that goes on.</p>")).collect();
    peer.page("/long", "text/html", body.concat().as_bytes());
}

const RANGES: [&str; 5] = [":1-9", ":301-310", ":601-", ":1001+20", ":-7"];

#[test]
fn five_ranges_of_a_page_read_by_five_processes_make_one_request() {
    let peer = Peer::start().unwrap();
    long_page(&peer);
    let world = world(&[&peer]);
    for range in RANGES {
        let run = read(&world, &[peer.url("/long") + range]);
        assert!(run.code == Some(0) && run.text().contains("Paragraph"), "{range}: {}{}", run.text(), run.stderr);
    }
    assert_eq!(targets(&peer), ["/long", "/long.md"]);
    drop(read(&world, &[peer.url("/long")]));
    assert_eq!(targets(&peer).len(), 4, "the address itself asks the server again");
}

#[test]
fn five_ranges_of_a_page_read_over_the_servers_make_one_request_of_each() {
    let peer = Peer::start().unwrap();
    long_page(&peer);
    let world = world(&[&peer]);
    let server = Served::start::<&str>(&world, []);
    for range in RANGES {
        let answer = server.call("read", &json!({ "path": peer.url("/long") + range }));
        assert!(answer.status == 200 && answer.text().contains("Paragraph"), "{range}: {}", answer.text());
    }
    assert_eq!(targets(&peer), ["/long", "/long.md"]);
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    for range in RANGES {
        let text = text_of(&client.call("read", &json!({ "path": peer.url("/long") + range })));
        assert!(text.contains("Paragraph"), "{range}: {text}");
    }
    assert_eq!(targets(&peer), ["/long", "/long.md", "/long", "/long.md"]);
}

const NOT_PUBLIC: [&str; 16] = [
    "localhost",
    "LocalHost",
    "a.localhost",
    "127.0.0.1",
    "127.9.9.9",
    "[::1]",
    "0.0.0.0",
    "[::]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.1.1",
    "[fe80::1]",
    "[fd12::1]",
    "[ff02::1]",
];

#[test]
fn n01_addresses_that_are_not_the_public_web_are_refused_before_any_packet() {
    let (peer, world) = (Peer::start().unwrap(), world(&[]));
    for end in ["/".to_owned(), format!(":{}/", peer.address().port())] {
        are_refused(&world, &urls(&NOT_PUBLIC, &end), "net.blocked");
    }
    let host = tool("hostname").output().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    if let Ok(host) = host.map(|host| host.to_ascii_lowercase()) {
        let own = codes(&world, &urls(&[&host], "/")).concat();
        assert!(["net.blocked", "net.no_host"].contains(&own.as_str()), "{host}: {own}");
    }
    assert_eq!(peer.connections(), 0);
    nobody_is_spoken_to(&world, &urls(&NOT_PUBLIC, "/"));
}

#[test]
fn n01_servers_refuse_the_same_and_cannot_be_talked_into_more() {
    let (peer, world) = (Peer::start().unwrap(), world(&[]));
    let server = Served::start::<&str>(&world, []);
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    let port = peer.address().port();
    for host in ["localhost", "127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "169.254.169.254"] {
        let asked = json!({ "path": format!("http://{host}:{port}/") });
        let answer = server.call("read", &asked);
        assert_eq!(answer.status, 403, "{host}: {}", answer.text());
        let spoken = client.call("read", &asked);
        assert!(text_of(&spoken).starts_with("net.blocked: "), "{host}: {spoken}");
    }
    for more in [json!({ "path": peer.url("/"), "allow_net": ["loopback"] }), json!({ "path": [peer.url("/")] })] {
        assert_ne!(server.call("read", &more).status, 200, "{more}");
        assert_eq!(client.call("read", &more).pointer("/result/isError"), Some(&json!(true)), "{more}");
    }
    assert_eq!(peer.connections(), 0);
}

#[test]
fn n01_a_run_that_may_connect_is_seen_to_connect() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    let mut command = world.command();
    if let Some((trace, run)) = Trace::of(command.args(["read", &peer.url("/")])) {
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let port = format!("htons({})", peer.address().port());
        let made = trace.forbidden(&[]);
        assert!(made.iter().any(|line| line.contains("connect(") && line.contains(&port)), "{made:?}");
        assert!(made.iter().all(|line| !line.contains("execve")), "{made:?}");
    }
}

#[test]
fn n02_every_way_to_write_an_address_is_judged_as_that_address() {
    let peer = Peer::start().unwrap();
    let end = format!(":{}/", peer.address().port());
    let hosts =
        ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1", "127.0.0.1.", "0x7f000001", "127。0。0。1"];
    let none = world(&[]);
    are_refused(&none, &urls(&hosts, &end), "net.blocked");
    are_refused(&none, &urls(&["localhost.", "a.localhost."], &end), "net.blocked");
    assert_eq!(peer.connections(), 0);
    nobody_is_spoken_to(&none, &urls(&hosts, "/"));
    let some = world(&[&peer]);
    for address in urls(&hosts, &end) {
        let text = read(&some, &[&address]).text();
        assert!(text.contains(&format!("\nURL: {}\n", peer.url("/"))), "{address}: {text}");
    }
}

#[test]
fn n03_an_address_inside_an_address_is_refused_whatever_is_allowed() {
    let peer = Peer::start().unwrap();
    let hosts = [
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[::ffff:10.0.0.1]",
        "[::ffff:8.8.8.8]",
    ];
    let mut world = world(&[&peer]);
    world.set("READSTONE_ALLOW_NET", format!("{},loopback,private", peer.address()));
    for end in ["/".to_owned(), format!(":{}/", peer.address().port())] {
        are_refused(&world, &urls(&hosts, &end), "net.blocked");
    }
    are_refused(&world, &urls(&["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%25lo]"], "/"), "net.bad_url");
    assert_eq!(peer.connections(), 0);
    nobody_is_spoken_to(&world, &urls(&hosts, "/"));
}

#[test]
fn n04_the_metadata_services_of_clouds_are_refused_whatever_is_allowed() {
    let hosts = [
        "169.254.169.254",
        "metadata.google.internal",
        "METADATA.google.internal.",
        "[fd00:ec2::254]",
        "168.63.129.16",
        "100.100.100.200",
        "0xa9fea9fe",
        "[::ffff:169.254.169.254]",
    ];
    let (peer, mut world) = (Peer::start().unwrap(), world(&[]));
    world.set("READSTONE_ALLOW_NET", format!("private,loopback,*,0.0.0.0/0,::/0,169.254.0.0/16,{}", peer.address()));
    are_refused(&world, &urls(&hosts, "/latest/meta-data/"), "net.blocked");
    let behind: Vec<String> =
        urls(&hosts, "/latest/meta-data/").iter().map(|place| peer.url(&Peer::redirect_to(place))).collect();
    are_refused(&world, &behind, "net.blocked");
    nobody_is_spoken_to(&world, &urls(&hosts, "/"));
}

#[test]
fn n05_every_hop_is_judged_and_only_web_pages_are_hopped_to() {
    let (peer, other) = (Peer::start().unwrap(), Peer::start().unwrap());
    let world = world(&[&peer]);
    let secret = format!("file://{}", world.file("secret.txt", CANARY).display());
    let to =
        |places: &[&str]| -> Vec<String> { places.iter().map(|place| peer.url(&Peer::redirect_to(place))).collect() };
    let blocked =
        [&*other.url("/"), "http://10.0.0.1/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "//localhost/"];
    are_refused(&world, &to(&blocked), "net.blocked");
    let bad =
        [&*secret, "file:///etc/passwd", "ftp://127.0.0.1/", "data:text/html,hello", "gopher://127.0.0.1:6379/_x"];
    are_refused(&world, &to(&bad), "net.bad_url");
    let server = Served::start::<&str>(&world, []);
    let answer = server.call("read", &json!({ "path": &to(&blocked)[0] }));
    assert!(answer.status == 403 && answer.text().contains("net.blocked"), "{}", answer.text());
    assert_eq!(other.connections(), 0);
    let refreshed = read(&world, &[peer.url("/meta_refresh")]).text();
    assert!(refreshed.contains("\n1:stay\n"), "{refreshed}");
    assert!(!targets(&peer).contains(&"/redirect_to/66".to_owned()));
}

#[test]
fn n07_what_is_judged_and_shown_is_what_a_browser_makes_of_an_address() {
    let peer = Peer::start().unwrap();
    let (end, world) = (format!(":{}/", peer.address().port()), world(&[]));
    are_refused(&world, &urls(&["127.0.0.1\\@ok.test", "127.0.\t0.1"], "/"), "net.blocked");
    let bad = [format!("ok.test@127.0.0.1{end}"), "u:p@127.0.0.1/".into(), "127.0.0.1%0d%0aHost:x/".into()];
    let bad: Vec<&str> = bad.iter().map(String::as_str).collect();
    are_refused(&world, &urls(&bad, ""), "net.bad_url");
    let run = read(&world, &["http:/\\127.0.0.1", "http:127.0.0.1"]);
    assert!(run.code != Some(0) && !run.stderr.contains("hello"), "{}", run.stderr);
    let look_alike = read(&world, &["http://аpple.com:22/"]).stderr;
    assert!(look_alike.contains("'xn--pple-43d.com'"), "{look_alike}");
    assert_eq!(peer.connections(), 0);
}

#[test]
fn n07_a_password_in_an_address_is_repeated_nowhere() {
    let world = world(&[]);
    let address = format!("http://user:{CANARY}@example.com/");
    let run = read(&world, &[&address]);
    assert!(run.stderr.starts_with("net.bad_url: 'http://…@example.com'"), "{}", run.stderr);
    let server = Served::start::<&str>(&world, []);
    let answer = server.call("read", &json!({ "path": address }));
    assert!(answer.status == 400 && !answer.text().contains(CANARY), "{}", answer.text());
    let (_, log) = server.stop();
    assert!(!log.contains(CANARY), "{log}");
    // One of several addresses is headed by what was asked for.
    are_refused(&world, &[address], "net.bad_url");
}

#[test]
fn n07_line_ends_in_an_address_never_reach_the_head_of_a_request() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    drop(read(&world, &[peer.url("/%0d%0aX-Evil:1\r\nX-Worse: 1?a=\r\nX-Third: c")]));
    let asked = peer.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    for field in ["X-Evil", "X-Worse", "X-Third"] {
        assert!(!asked[0].head.contains(&format!("\n{field}")), "{}", asked[0].head);
    }
    let fields = asked[0].head.lines().skip(1).filter_map(|line| line.split_once(':')).map(|(name, _)| name);
    assert_eq!(fields.collect::<Vec<_>>(), ["Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"]);
}

#[test]
fn n08_redirects_end_after_five_and_the_last_is_named() {
    let peer = Peer::start().unwrap();
    let world = world(&[&peer]);
    let run = read(&world, &[peer.url("/redirect_chain/50")]);
    assert_eq!((run.code, peer.connections()), (Some(5), 6), "{}", run.stderr);
    assert!(run.stderr.starts_with("net.redirects: ") && run.stderr.contains("/redirect_chain/44'"), "{}", run.stderr);
    let run = read(&world, &[peer.url("/redirect_loop")]);
    assert_eq!((run.code, peer.connections()), (Some(5), 12), "{}", run.stderr);
    let text = read(&world, &[peer.url("/redirect_chain/5")]).text();
    assert!(text.contains(&format!("\nURL: {}\n", peer.url("/redirect_chain/0"))), "{text}");
    assert!(text.contains("\nNotes: redirected here, 5 times\n"), "{text}");
}

#[test]
fn n16_proxies_of_the_environment_are_not_used_and_the_guard_holds_behind_one_that_is_configured() {
    let (peer, other, proxy) = (Peer::start().unwrap(), Peer::start().unwrap(), Peer::start().unwrap());
    let mut world = world(&[&peer]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        world.set(name, proxy.url(""));
    }
    world.set("NO_PROXY", "");
    assert!(read(&world, &[peer.url("/")]).text().contains("\n1:hello\n"));
    assert_eq!((peer.connections(), proxy.connections()), (1, 0));
    let tunnel = Peer::proxy_to(peer.address()).unwrap();
    world.set("READSTONE_PROXY", tunnel.url(""));
    let run = read(&world, &[peer.url("/")]);
    assert!(run.text().contains("\n1:hello\n"), "{}", run.stderr);
    assert_eq!(targets(&tunnel), [peer.address().to_string()]);
    let hidden = [other.url("/"), "http://2130706433/".into(), "http://169.254.169.254/".into()];
    are_refused(&world, &hidden, "net.blocked");
    let hops: Vec<String> = hidden.iter().map(|place| peer.url(&Peer::redirect_to(place))).collect();
    are_refused(&world, &hops, "net.blocked");
    assert_eq!((tunnel.connections(), other.connections(), proxy.connections()), (4, 0, 0));
}

#[test]
fn n19_nothing_is_kept_or_told_from_one_request_to_the_next() {
    let (peer, other) = (Peer::start().unwrap(), Peer::start().unwrap());
    let world = world(&[&peer, &other]);
    let server = Served::start::<&str>(&world, []);
    let hop = peer.url(&Peer::redirect_to(&other.url("/etag?token=once")));
    for path in [peer.url("/cookie"), peer.url("/cookie"), hop, other.url("/etag"), other.url("/etag")] {
        assert_eq!(read(&world, &[&path]).code, Some(0), "{path}");
        let headers = [("Content-Type", "application/json"), ("Cookie", "own=1")];
        let body = json!({ "path": path }).to_string();
        assert_eq!(server.request("POST", "/v1/tools/read", &headers, body.as_bytes()).status, 200);
    }
    for asked in peer.asked().iter().chain(&other.asked()) {
        let head = asked.head.to_ascii_lowercase();
        for field in ["cookie:", "authorization:", "referer:", "origin:", "readstone-session", "from:"] {
            assert!(!head.contains(field), "{head}");
        }
    }
}

#[test]
fn n21_only_the_ports_of_the_web_are_connected_to_unless_listed() {
    let world = world(&[]);
    let ports = ["203.0.114.77:22", "203.0.114.77:25", "203.0.114.77:6379", "[2606:4700::1111]:11211", "ok.test:8080"];
    are_refused(&world, &urls(&ports, "/"), "net.port");
    nobody_is_spoken_to(&world, &urls(&ports, "/"));
}
