//! The list of what is allowed.

use readstone_base::{Class, Failure as _};
use readstone_net::Allow;

use crate::peer::Peer;
use crate::{code_of, fetcher};

#[test]
fn an_entry_is_written_back_as_it_was_meant() {
    for (text, back) in [
        ("loopback", "loopback"),
        ("private:8080", "private:8080"),
        (" localhost ", "localhost"),
        ("Files.Example.", "files.example"),
        ("files.example:8443", "files.example:8443"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("127.1", "127.0.0.1"),
        ("10.1.2.3:80", "10.1.2.3:80"),
        ("::1", "::1"),
        ("[::1]", "::1"),
        ("[::1]:8080", "[::1]:8080"),
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.0.0.0/8:8080", "10.0.0.0/8:8080"),
        ("fd00::/8", "fd00::/8"),
        ("[fd00::/8]:8080", "[fd00::/8]:8080"),
        ("*", "*"),
        ("*:8443", "*:8443"),
    ] {
        let entry: Allow = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(entry.to_string(), back);
        assert_eq!(back.parse::<Allow>().unwrap(), entry);
    }
}

#[test]
fn a_wrong_entry_says_what_is_wrong_and_what_there_is() {
    for (text, why) in [
        ("", "names nothing"),
        (":80", "names nothing"),
        ("host:0", "port"),
        ("host:99999", "port"),
        ("host:x", "port"),
        ("[::1", "bracket"),
        ("[::1]x", "bracket"),
        ("10.0.0.0/33", "slash"),
        ("10.0.0.0/-1", "slash"),
        ("host/8", "slash"),
        ("*.example.com", "star"),
        ("two words", "no host name"),
        ("169.254.169.254", "metadata"),
        ("metadata.google.internal:80", "metadata"),
    ] {
        let error = text.parse::<Allow>().unwrap_err();
        let said = error.to_string();
        assert!(said.contains(why) && said.contains("loopback, private, localhost"), "{text}: {said}");
        assert_eq!((error.code(), error.class()), ("net.bad_allow", Class::Request));
    }
}

#[test]
fn an_entry_allows_what_it_names_and_nothing_else() {
    let peer = Peer::start().unwrap();
    let port = peer.address().port();
    let (near, named) = (peer.url("/"), format!("http://localhost:{port}/"));
    for (entry, near_code, named_code) in [
        ("loopback".to_owned(), "fetched", "fetched"),
        ("private".to_owned(), "fetched", "fetched"),
        (format!("loopback:{port}"), "fetched", "fetched"),
        ("loopback:1".to_owned(), "net.blocked", "net.blocked"),
        ("localhost".to_owned(), "net.blocked", "fetched"),
        ("127.0.0.1".to_owned(), "fetched", "net.blocked"),
        ("127.0.0.0/8".to_owned(), "fetched", "net.blocked"),
        (format!("127.0.0.1:{port}"), "fetched", "net.blocked"),
        ("127.0.0.2".to_owned(), "net.blocked", "net.blocked"),
        ("*".to_owned(), "net.blocked", "net.blocked"),
        ("10.0.0.0/8".to_owned(), "net.blocked", "net.blocked"),
    ] {
        let fetcher = fetcher(&[&entry]);
        assert_eq!(code_of(&fetcher, &near), near_code, "{entry}");
        assert_eq!(code_of(&fetcher, &named), named_code, "{entry}");
    }
}
