//! Proxies: only the configured one, and only to judged addresses.

use readstone_base::Failure as _;
use readstone_net::{Fetcher, NetPolicy};

use crate::peer::Peer;
use crate::{ASK, Book, for_ever, url};

fn through(proxy: &Peer, answers: &[&[&str]]) -> Fetcher {
    let policy = NetPolicy { proxy: Some(proxy.url("")), ..NetPolicy::default() };
    Fetcher::with_resolver(policy, Book::of(answers)).unwrap()
}

#[test]
fn n16_a_proxy_is_asked_for_the_judged_address_and_not_for_the_name() {
    let peer = Peer::start().unwrap();
    let proxy = Peer::proxy_to(peer.address()).unwrap();
    let fetched = through(&proxy, &[&["203.0.114.77"]]).get(&url("http://pages.example/chunked"), &ASK, &for_ever());
    assert_eq!(fetched.unwrap().body, b"thisone");
    let asked = &proxy.asked()[0];
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("CONNECT", "203.0.114.77:80"));
    assert!(!asked.head.contains("pages.example"), "{}", asked.head);
    assert!(peer.asked()[0].head.contains("Host: pages.example\r\n"));
}

#[test]
fn n16_the_guard_holds_behind_a_proxy() {
    let peer = Peer::start().unwrap();
    let proxy = Peer::proxy_to(peer.address()).unwrap();
    let fetcher = through(&proxy, &[&["127.0.0.1"]]);
    for text in ["http://inside.example/", "http://10.0.0.1/", "http://localhost/", "https://169.254.169.254/"] {
        assert_eq!(fetcher.get(&url(text), &ASK, &for_ever()).unwrap_err().code(), "net.blocked", "{text}");
    }
    let outside = through(&proxy, &[&["203.0.114.77"]]);
    let away = format!("http://pages.example{}", Peer::redirect_to("http://10.0.0.1/"));
    assert_eq!(outside.get(&url(&away), &ASK, &for_ever()).unwrap_err().code(), "net.blocked");
    assert_eq!((proxy.connections(), peer.connections()), (1, 1));
}

#[test]
fn n16_a_proxy_that_is_none_is_refused_when_it_is_configured() {
    for text in ["", "socks5://127.0.0.1:1", "https://127.0.0.1:1", "http://u:p@127.0.0.1:1", "http://127.0.0.1:1/x"] {
        let policy = NetPolicy { proxy: Some(text.to_owned()), ..NetPolicy::default() };
        assert_eq!(Fetcher::new(policy).unwrap_err().code(), "net.bad_url", "{text}");
    }
}
