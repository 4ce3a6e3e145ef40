//! What is judged before anything is sent.

use readstone_base::{Class, Failure as _};
use readstone_net::{Error, Fetcher, NetPolicy, Place, Web, WebUrl};

use crate::peer::Peer;
use crate::{ASK, Book, code_of, fetcher, for_ever, policy, url};

#[test]
fn n01_addresses_that_are_not_the_public_web_are_blocked_by_default() {
    let peer = Peer::start().unwrap();
    let port = peer.address().port();
    let fetcher = fetcher(&[]);
    let hosts = [
        "localhost",
        "LOCALHOST",
        "a.localhost",
        "localhost.localdomain",
        "127.0.0.1",
        "127.8.9.1",
        "[::1]",
        "0.0.0.0",
        "[::]",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.1.1",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "192.88.99.1",
        "[fc00::1]",
        "[fd12::1]",
        "[fe80::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[2001:db8::1]",
        "[4000::1]",
        "[3fff::1]",
        "[2001:10::1]",
        "[100::1]",
    ];
    for host in hosts {
        for end in [String::new(), format!(":{port}")] {
            assert_eq!(code_of(&fetcher, &format!("http://{host}{end}/")), "net.blocked", "{host}{end}");
        }
    }
    assert_eq!(peer.connections(), 0);
}

#[test]
fn n01_an_address_of_this_machine_is_blocked_even_by_its_own_name() {
    let book = Book::of(&[&["127.0.1.1"]]);
    let fetcher = Fetcher::with_resolver(NetPolicy::default(), book.clone()).unwrap();
    let error = fetcher.get(&url("http://this-machine/"), &ASK, &for_ever()).unwrap_err();
    assert_eq!(error.class(), Class::Denied);
    let said = error.to_string();
    assert!(said.contains("'this-machine'") && said.contains("127.0.1.1 is loopback"), "{said}");
    assert_eq!(book.asked(), 1);
}

#[test]
fn n01_the_address_that_was_judged_is_the_one_that_can_be_allowed() {
    for (address, advice) in [("127.0.1.1", "127.0.1.1:80"), ("fd12::1", "[fd12::1]:80"), ("10.1.2.3", "10.1.2.3:80")] {
        let fetcher = Fetcher::with_resolver(policy(&[]), Book::of(&[&[address]])).unwrap();
        let said = fetcher.get(&url("http://evil.example/"), &ASK, &for_ever()).unwrap_err().to_string();
        assert!(said.ends_with(&format!(" --allow-net {advice}")), "{said}");
        assert_eq!(advice.parse::<readstone_net::Allow>().unwrap().to_string(), advice);
    }
    // That lets the name lead there, but nowhere else.
    let peer = Peer::start().unwrap();
    let book = Book::of(&[&["127.0.0.1"], &["127.0.0.9"]]);
    let allowed = Fetcher::with_resolver(policy(&[&peer.address().to_string()]), book).unwrap();
    let evil = format!("http://evil.example:{}/", peer.address().port());
    assert_eq!((code_of(&allowed, &evil), code_of(&allowed, &evil)), ("fetched", "net.blocked"));
    let said = fetcher(&[]).get(&url("http://localhost/"), &ASK, &for_ever()).unwrap_err().to_string();
    assert!(said.ends_with(" --allow-net localhost:80"), "{said}");
}

#[test]
fn n02_every_way_to_write_an_address_is_judged_as_that_address() {
    let fetcher = fetcher(&[]);
    for host in ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1", "127.0.0.1.", "0x7f000001", "127。0。0。1"]
    {
        let url = WebUrl::parse(&format!("http://{host}/")).unwrap();
        assert_eq!(url.host(), "127.0.0.1", "{host}");
        assert_eq!(code_of(&fetcher, url.as_str()), "net.blocked", "{host}");
    }
    for host in ["localhost.", "localhost..", "a.localhost."] {
        assert_ne!(code_of(&fetcher, &format!("http://{host}/")), "fetched", "{host}");
    }
    assert_eq!(code_of(&fetcher, "http://localhost./"), "net.blocked");
}

#[test]
fn n03_an_address_inside_an_address_is_blocked_whatever_is_allowed_for_the_inner_one() {
    let peer = Peer::start().unwrap();
    let port = peer.address().port();
    let inner = [
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "::ffff:0:127.0.0.1",
        "::ffff:8.8.8.8",
    ];
    for allow in [&[][..], &["loopback"], &["private"]] {
        let fetcher = fetcher(allow);
        for host in inner {
            assert_eq!(code_of(&fetcher, &format!("http://[{host}]:{port}/")), "net.blocked", "{host} {allow:?}");
        }
    }
    for zone in ["fe80::1%25eth0", "fe80::1%eth0", "::1%25lo"] {
        assert_eq!(code_of(&fetcher(&["private"]), &format!("http://[{zone}]/")), "net.bad_url", "{zone}");
    }
    assert_eq!(peer.connections(), 0);
}

#[test]
fn n04_metadata_services_are_blocked_whatever_is_allowed() {
    let hosts = [
        "169.254.169.254",
        "metadata.google.internal",
        "METADATA.google.internal.",
        "metadata",
        "[fd00:ec2::254]",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "169.254.170.2",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::]",
        "[64:ff9b:1::a9fe:a9fe]",
        "[64:ff9b:1:a9fe:a9:fe00::]",
        "[64:ff9b:1:a9fe:ffa9:fe12:3456:789a]",
        "[64:ff9b:1:12a9:fe:a9fe::]",
        "[64:ff9b:1:1234:a9:fea9:fe00:0]",
        "[fd20:ce::254]",
        "0xa9fea9fe",
    ];
    let every = ["private", "loopback", "*", "169.254.0.0/16", "0.0.0.0/0", "::/0", "fd00::/8", "168.63.0.0/16"];
    let fetcher = fetcher(&every);
    for host in hosts {
        let error = fetcher.get(&url(&format!("http://{host}/")), &ASK, &for_ever()).unwrap_err();
        assert!(matches!(error, Error::Blocked { place: Place::Metadata, .. }), "{host}: {error}");
        assert!(error.to_string().contains("the metadata service of a cloud, which is never allowed"), "{error}");
    }
    let book = Book::of(&[&["169.254.169.254"]]);
    let named = Fetcher::with_resolver(policy(&["innocent.example"]), book).unwrap();
    assert_eq!(code_of(&named, "http://innocent.example/"), "net.blocked");
}

#[test]
fn n06_the_address_that_was_judged_is_the_one_connected_to() {
    let peer = Peer::start().unwrap();
    let port = peer.address().port();
    // Of a network that was given back long ago: public, but nobody is there.
    // Public when it is asked for the first time, loopback when it is asked again: nobody asks again.
    let book = Book::of(&[&["3ffe::77"], &["127.0.0.1"]]);
    let fetcher = Fetcher::with_resolver(policy(&[&format!("*:{port}")]), book.clone()).unwrap();
    let budget = crate::for_time(std::time::Duration::from_millis(300));
    fetcher.get(&url(&format!("http://turns.example:{port}/")), &ASK, &budget).unwrap_err();
    assert_eq!((book.asked(), peer.connections()), (1, 0));
    // The next fetch resolves anew, and is judged anew.
    let error = fetcher.get(&url(&format!("http://turns.example:{port}/")), &ASK, &for_ever()).unwrap_err();
    assert_eq!((error.code(), book.asked(), peer.connections()), ("net.blocked", 2, 0));
}

#[test]
fn n06_of_several_addresses_only_those_that_may_be_are_used() {
    let peer = Peer::start().unwrap();
    let text = format!("http://both.example:{}/", peer.address().port());
    let book = Book::of(&[&["10.0.0.1", "127.0.0.1"]]);
    let fetcher = Fetcher::with_resolver(policy(&["loopback"]), book).unwrap();
    assert_eq!(fetcher.get(&url(&text), &ASK, &for_ever()).unwrap().status, 200);
    assert_eq!(peer.connections(), 1);
}

#[test]
fn n07_what_is_judged_and_shown_is_what_a_browser_makes_of_it() {
    let fetcher = fetcher(&[]);
    for (text, code) in [
        ("http://ok.test@127.0.0.1/", "net.bad_url"),
        ("http://user:secret@example.com/", "net.bad_url"),
        ("http://ok.test\\@127.0.0.1/", "net.no_host"),
        ("http://127.0.0.1\\@ok.test/", "net.blocked"),
        ("http:/\\127.0.0.1", "net.blocked"),
        ("http:127.0.0.1", "net.blocked"),
        ("ht\ntp://127.0.\t0.1/", "net.blocked"),
        ("http://127.0.0.1%0d%0aHost:x/", "net.bad_url"),
        ("http://exa mple/", "net.bad_url"),
        ("file:///etc/passwd", "net.bad_url"),
        ("ftp://example.com/", "net.bad_url"),
        ("http://", "net.bad_url"),
        ("example.com", "net.bad_url"),
    ] {
        if code == "net.no_host" {
            assert_eq!(WebUrl::parse(text).unwrap().as_str(), "http://ok.test/@127.0.0.1/");
        } else {
            assert_eq!(code_of(&fetcher, text), code, "{text:?}");
        }
    }
    let said = WebUrl::parse("http://user:secret@example.com/").unwrap_err().to_string();
    assert!(said.contains("credentials") && !said.contains("secret"), "{said}");
    assert_eq!(url("http://аpple.com/").host(), "xn--pple-43d.com");
    assert_eq!(url("www.example.com/x#y").as_str(), "https://www.example.com/x");
    assert_eq!(url("https://example.com:443/x").origin(), "https://example.com");
    assert!(WebUrl::parse("example.com").unwrap_err().to_string().contains("does not begin with http://"));
}

#[test]
fn n07_line_ends_in_a_url_never_reach_the_head_of_a_request() {
    let peer = Peer::start().unwrap();
    let text = format!("{}%0d%0aX-Evil:1\r\nX-Worse:1?a=\r\nb c", peer.url("/etag"));
    let ask = readstone_net::Ask { accept: "text/html\r\nX-Third: 1", etag: Some("\"x\"\r\nX-Fourth: 1"), ..ASK };
    fetcher(&["loopback"]).get(&url(&text), &ask, &for_ever()).unwrap();
    let head = &peer.asked()[0].head;
    assert!(head.starts_with("GET /etag%0d%0aX-Evil:1X-Worse:1?a=b%20c HTTP/1.1\r\n"), "{head}");
    let fields: Vec<&str> =
        head.lines().skip(1).filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    assert_eq!(fields, ["Host", "User-Agent", "Accept-Encoding", "Connection"]);
}

#[test]
fn n21_only_the_ports_of_the_web_are_connected_to_unless_listed() {
    let book = Book::of(&[&["203.0.114.77"]]);
    let fetcher = Fetcher::with_resolver(NetPolicy::default(), book.clone()).unwrap();
    for port in [22, 25, 6379, 11211, 8080, 0] {
        let error = fetcher.get(&url(&format!("http://files.example:{port}/")), &ASK, &for_ever()).unwrap_err();
        assert_eq!((error.code(), error.class()), ("net.port", Class::Denied), "{port}");
        assert!(error.to_string().contains(&format!("--allow-net files.example:{port}")), "{error}");
    }
    assert_eq!(book.asked(), 0);
    assert_eq!(code_of(&fetcher, "http://203.0.114.77:22/"), "net.port");
}

#[test]
fn n21_a_listed_port_is_listed_for_that_host_alone() {
    let peer = Peer::start().unwrap();
    let port = peer.address().port();
    let book = Book::of(&[&["127.0.0.1"]]);
    let fetcher = Fetcher::with_resolver(policy(&[&format!("files.example:{port}")]), book).unwrap();
    assert_eq!(code_of(&fetcher, &format!("http://files.example:{port}/")), "fetched");
    assert_eq!(code_of(&fetcher, &format!("http://FILES.example.:{port}/")), "fetched");
    assert_eq!(code_of(&fetcher, &format!("http://other.example:{port}/")), "net.blocked");
    assert_eq!(code_of(&fetcher, "http://files.example/"), "net.blocked");
    assert_eq!(code_of(&fetcher, &peer.url("/")), "net.blocked");
    assert_eq!(peer.connections(), 2);
}

#[test]
fn the_public_web_begins_where_the_other_networks_end() {
    for (address, place) in [
        ("1.0.0.0", Place::Public),
        ("8.8.8.8", Place::Public),
        ("9.255.255.255", Place::Public),
        ("11.0.0.0", Place::Public),
        ("100.63.255.255", Place::Public),
        ("100.127.255.255", Place::Shared),
        ("100.128.0.0", Place::Public),
        ("126.255.255.255", Place::Public),
        ("128.0.0.0", Place::Public),
        ("169.253.255.255", Place::Public),
        ("169.255.0.0", Place::Public),
        ("172.15.255.255", Place::Public),
        ("172.32.0.0", Place::Public),
        ("192.0.1.0", Place::Public),
        ("192.167.255.255", Place::Public),
        ("192.169.0.0", Place::Public),
        ("198.17.255.255", Place::Public),
        ("198.20.0.0", Place::Public),
        ("223.255.255.255", Place::Public),
        ("239.255.255.255", Place::Multicast),
        ("254.255.255.255", Place::Reserved),
        ("2001:200::1", Place::Public),
        ("2001:1ff::1", Place::Reserved),
        ("2001:db9::1", Place::Public),
        ("2003::1", Place::Public),
        ("2606:4700::1111", Place::Public),
        ("1fff::1", Place::Reserved),
        ("4000::", Place::Reserved),
        ("::2", Place::Embedded),
        ("64:ff9b::808:808", Place::Embedded),
        ("fe7f::1", Place::Reserved),
        ("febf::1", Place::LinkLocal),
    ] {
        assert_eq!(Place::of(address.parse().unwrap()), place, "{address}");
    }
}

#[test]
fn k05_where_only_listed_hosts_are_fetched_no_other_is_even_looked_up() {
    let peer = Peer::start().unwrap();
    let listed = |allow: &[&str]| Fetcher::new(NetPolicy { web: Web::Listed, ..policy(allow) }).unwrap();
    let there = peer.address();
    // A name that was looked up would be one that leads nowhere.
    let closed = listed(&[]);
    for url in ["http://example.invalid/", "https://example.invalid/?q=secret", "http://1.1.1.1/"] {
        assert_eq!(code_of(&closed, url), "net.unlisted", "{url}");
    }
    assert_eq!(code_of(&closed, &format!("http://{there}/")), "net.unlisted");
    let some = listed(&["docs.invalid", &there.to_string()]);
    assert_eq!(code_of(&some, "http://example.invalid/"), "net.unlisted");
    assert_eq!(code_of(&some, "http://docs.invalid/"), "net.no_host");
    assert_eq!(code_of(&some, &format!("http://{there}{}", Peer::redirect_to("http://1.1.1.1/"))), "net.unlisted");
    assert_eq!(peer.connections(), 1);
}
