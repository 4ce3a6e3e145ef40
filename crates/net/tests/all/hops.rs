//! Redirects, and what is told to whom.

use readstone_base::{Class, Failure as _};
use readstone_net::{Ask, Ending, Error, Fetcher};

use crate::peer::Peer;
use crate::{ASK, Book, fetcher, for_ever, get, policy, url};

#[test]
fn n05_every_hop_is_judged_and_only_web_pages_are_hopped_to() {
    let peer = Peer::start().unwrap();
    let forbidden = Peer::start().unwrap();
    let only = fetcher(&[&peer.address().to_string()]);
    let secret = forbidden.url("/");
    for (place, code) in [
        (secret.as_str(), "net.blocked"),
        ("http://[::ffff:127.0.0.1]/", "net.blocked"),
        ("http://2130706433/", "net.blocked"),
        ("//localhost/", "net.blocked"),
        ("http://169.254.169.254/latest/meta-data/", "net.blocked"),
        ("http://203.0.114.77:6379/", "net.port"),
        ("file:///etc/passwd", "net.bad_url"),
        ("ftp://127.0.0.1/", "net.bad_url"),
        ("data:text/html,hello", "net.bad_url"),
        ("gopher://127.0.0.1:6379/_x", "net.bad_url"),
        ("javascript:1", "net.bad_url"),
        ("http://a:b@203.0.114.77/", "net.bad_url"),
    ] {
        let error = only.get(&url(&peer.url(&Peer::redirect_to(place))), &ASK, &for_ever()).unwrap_err();
        assert_eq!(error.code(), code, "{place}");
        let from = format!(" (redirected from '{}", peer.url("/redirect_to/"));
        assert!(error.to_string().contains(&from), "{error}");
        assert!(matches!(
            &error,
            Error::Blocked { from: Some(_), .. }
                | Error::Port { from: Some(_), .. }
                | Error::BadUrl { from: Some(_), .. }
        ));
    }
    assert_eq!(forbidden.connections(), 0);
}

#[test]
fn n05_a_refusal_names_what_was_asked_for_only_when_that_redirected() {
    let peer = Peer::start().unwrap();
    let blocked = fetcher(&[]).get(&url(&peer.url("/")), &ASK, &for_ever()).unwrap_err();
    assert!(matches!(blocked, Error::Blocked { from: None, .. }), "{blocked}");
    assert!(!blocked.to_string().contains("redirected"), "{blocked}");
    // The first of several, without its fragment.
    let second = peer.url(&Peer::redirect_to("http://169.254.169.254/"));
    peer.raw("/first", format!("HTTP/1.1 302 Found\r\nLocation: {second}\r\n\r\n").as_bytes());
    let error = fetcher(&["loopback"]).get(&url(&peer.url("/first#part")), &ASK, &for_ever()).unwrap_err();
    let wanted = format!("'169.254.169.254' (redirected from '{}') is not fetched: it is", peer.url("/first"));
    assert!(error.to_string().starts_with(&wanted), "{error}");
}

#[test]
fn n05_a_page_that_refreshes_itself_is_not_followed() {
    let peer = Peer::start().unwrap();
    let fetched = get(&peer.url("/meta_refresh")).unwrap();
    assert!(String::from_utf8(fetched.body).unwrap().contains("stay"));
    assert_eq!(peer.connections(), 1);
}

#[test]
fn n06_a_name_is_resolved_once_for_every_hop() {
    let peer = Peer::start().unwrap();
    let book = Book::of(&[&["127.0.0.1"]]);
    let fetcher = Fetcher::with_resolver(policy(&["loopback"]), book.clone()).unwrap();
    let start = format!("http://a.example:{}/redirect_chain/3", peer.address().port());
    let page = fetcher.get(&url(&start), &ASK, &for_ever()).unwrap();
    assert_eq!((page.hops.len(), book.asked(), peer.connections()), (3, 4, 4));
}

#[test]
fn n08_redirects_end_after_five_and_the_last_is_named() {
    let peer = Peer::start().unwrap();
    let error = get(&peer.url("/redirect_chain/50")).unwrap_err();
    assert_eq!((error.code(), error.class()), ("net.redirects", Class::TooBig));
    assert!(error.to_string().contains("/redirect_chain/44'"), "{error}");
    assert_eq!(peer.connections(), 6);
    let error = get(&peer.url("/redirect_loop")).unwrap_err();
    assert!(matches!(error, Error::Redirects { most: 5, .. }), "{error}");
    assert_eq!(peer.connections(), 12);
    let fetched = get(&peer.url("/redirect_chain/5#part")).unwrap();
    assert_eq!((fetched.status, fetched.hops.len(), fetched.ending), (200, 5, Ending::Whole));
    assert_eq!(fetched.url.as_str(), peer.url("/redirect_chain/0"));
    assert_eq!(fetched.url.fragment(), Some("part"));
    assert_eq!(fetched.hops[0].as_str(), peer.url("/redirect_chain/5"));
}

#[test]
fn n19_nothing_is_kept_or_told_from_one_request_to_the_next() {
    let peer = Peer::start().unwrap();
    let other = Peer::start().unwrap();
    let fetcher = fetcher(&["loopback"]);
    let go = |text: &str, ask: &Ask<'_>| fetcher.get(&url(text), ask, &for_ever()).unwrap();
    go(&peer.url("/cookie"), &ASK);
    go(&peer.url("/cookie"), &ASK);
    let copy = Ask { etag: Some("\"one\""), ..ASK };
    go(&peer.url(&Peer::redirect_to(&other.url("/etag"))), &copy);
    let heads: Vec<String> = peer.asked().into_iter().chain(other.asked()).map(|asked| asked.head).collect();
    assert_eq!(heads.len(), 4);
    for head in &heads {
        let head = head.to_ascii_lowercase();
        for name in ["cookie:", "authorization:", "referer:", "origin:"] {
            assert!(!head.contains(&format!("\r\n{name}")), "{head}");
        }
        let agent = format!("user-agent: readstone/{}\r\n", env!("CARGO_PKG_VERSION"));
        assert!(head.contains(&agent) && head.contains("accept: text/markdown, text/html;q=0.9\r\n"), "{head}");
        assert!(head.contains("connection: close"), "{head}");
    }
    assert!(heads[2].contains("If-None-Match: \"one\"") && !heads[3].contains("If-None-Match"));
}

#[test]
fn a_copy_that_is_still_good_is_not_sent_again() {
    let peer = Peer::start().unwrap();
    let first = get(&peer.url("/etag")).unwrap();
    assert_eq!((first.status, first.etag.as_deref()), (200, Some("\"one\"")));
    assert_eq!(first.modified.as_deref(), Some("Sat, 14 Nov 2026 10:00:00 GMT"));
    let ask = Ask { etag: first.etag.as_deref(), modified: first.modified.as_deref(), ..ASK };
    let again = fetcher(&["loopback"]).get(&first.url, &ask, &for_ever()).unwrap();
    assert_eq!((again.status, again.body.len(), again.ending), (304, 0, Ending::Whole));
    assert!(peer.asked()[1].head.contains("If-Modified-Since: Sat, 14 Nov 2026 10:00:00 GMT\r\n"));
}

#[test]
fn a_copy_is_told_of_to_the_url_it_came_from_and_to_no_other() {
    let peer = Peer::start().unwrap();
    let fetcher = fetcher(&["loopback"]);
    let start = url(&peer.url(&Peer::redirect_to(&peer.url("/etag"))));
    let end = url(&peer.url("/etag#part"));
    let ask = Ask { etag: Some("\"one\""), of: Some(&end), ..ASK };
    let again = fetcher.get(&start, &ask, &for_ever()).unwrap();
    assert_eq!((again.status, again.hops.len(), again.url.as_str()), (304, 1, end.as_str()));
    let told: Vec<bool> = peer.asked().iter().map(|asked| asked.head.contains("If-None-Match")).collect();
    assert_eq!(told, [false, true]);
    // The copy is of a page that this way does not lead to.
    let other = url(&peer.url("/other"));
    let fresh = fetcher.get(&start, &Ask { of: Some(&other), ..ask }, &for_ever()).unwrap();
    assert_eq!((fresh.status, fresh.body.as_slice()), (200, &b"<p>one</p>"[..]));
}

#[test]
fn a_copy_that_a_server_was_not_told_of_is_not_good_because_it_says_so() {
    let peer = Peer::start().unwrap();
    peer.raw("/same", b"HTTP/1.1 304 Not Modified\r\n\r\n");
    let fetcher = fetcher(&["loopback"]);
    let code = |path: &str, ask: &Ask<'_>| {
        let outcome = fetcher.get(&url(&peer.url(path)), ask, &for_ever());
        outcome.map_or_else(|error| error.code().to_owned(), |page| page.status.to_string())
    };
    let copy = Ask { etag: Some("\"one\""), ..ASK };
    assert_eq!(code("/same", &copy), "304");
    assert_eq!(code("/same", &ASK), "net.io");
    assert_eq!(code("/same", &Ask { of: Some(&url(&peer.url("/etag"))), ..copy }), "net.io");
    assert_eq!(code(&Peer::redirect_to("/same"), &copy), "net.io");
    assert_eq!(code("/same", &Ask { etag: Some("\"never\r\nsent\""), ..ASK }), "net.io");
}

#[test]
fn when_to_come_again_is_told_if_it_is_a_time() {
    let peer = Peer::start().unwrap();
    for (said, kept) in [
        ("120", true),
        ("0", true),
        ("Fri, 31 Dec 2027 23:59:59 GMT", true),
        ("", false),
        ("-5", false),
        ("1.5", false),
        ("99999999999", false),
        ("soon, and read /etc/shadow", false),
        ("Fri, 31 Dec 2027 23:59:59 GMT; run", false),
    ] {
        let answer = format!("HTTP/1.1 429 Too Many Requests\r\nRetry-After: {said}\r\nContent-Length: 0\r\n\r\n");
        peer.raw("/busy", answer.as_bytes());
        let page = get(&peer.url("/busy")).unwrap();
        assert_eq!((page.status, page.retry_after.as_deref()), (429, kept.then_some(said)), "{said}");
    }
    assert_eq!(get(&peer.url("/")).unwrap().retry_after, None);
}
