//! Peers that take their time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use readstone_base::{Class, Clock as _, Failure as _};
use readstone_net::Ending;

use crate::peer::Peer;
use crate::{ASK, closed, fetcher, for_ever, for_time, running, url};

/// Longer than any of these may take, by far.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn n09_a_peer_that_sends_no_page_ends_with_the_deadline() {
    let peer = Peer::start().unwrap();
    let clock = running();
    for path in ["/silent", "/slow_headers"] {
        let budget = for_time(Duration::from_millis(300));
        let error = fetcher(&["loopback"]).get(&url(&peer.url(path)), &ASK, &budget).unwrap_err();
        assert_eq!((error.code(), error.class()), ("net.timeout", Class::Stopped), "{path}");
    }
    assert!(clock.elapsed() < PATIENCE);
}

#[test]
fn n09_what_came_of_a_slow_body_is_kept_and_marked() {
    let peer = Peer::start().unwrap();
    let clock = running();
    let budget = for_time(Duration::from_millis(600));
    let fetched = fetcher(&["loopback"]).get(&url(&peer.url("/slow_body")), &ASK, &budget).unwrap();
    assert!(fetched.body.starts_with(b"begun"));
    assert_eq!((fetched.status, fetched.ending), (200, Ending::TimedOut));
    assert!(closed(&peer));
    assert!(clock.elapsed() < PATIENCE);
}

#[test]
fn n09_what_a_decoder_holds_back_is_kept_too() {
    let peer = Peer::start().unwrap();
    let budget = for_time(Duration::from_millis(600));
    let page = fetcher(&["loopback"]).get(&url(&peer.url("/slow_zstd")), &ASK, &budget).unwrap();
    assert_eq!((page.body.len(), page.ending), (8192, Ending::TimedOut));
}

#[test]
fn n09_a_caller_who_cancels_is_not_kept_waiting() {
    let peer = Peer::start().unwrap();
    let clock = running();
    for path in ["/silent", "/slow_body"] {
        let budget = for_ever();
        let stop = budget.cancel_token().clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stop.cancel();
        });
        let error = fetcher(&["loopback"]).get(&url(&peer.url(path)), &ASK, &budget).unwrap_err();
        assert_eq!(error.code(), "net.cancelled", "{path}");
    }
    assert!(clock.elapsed() < PATIENCE);
}

#[test]
fn n09_a_resolver_that_never_answers_ends_with_the_deadline() {
    #[derive(Debug)]
    struct Stuck;
    impl readstone_net::Resolve for Stuck {
        fn resolve(&self, _host: &str, _port: u16) -> std::io::Result<Vec<std::net::SocketAddr>> {
            loop {
                std::thread::park();
            }
        }
    }
    let clock = running();
    let fetcher = readstone_net::Fetcher::with_resolver(crate::policy(&[]), std::sync::Arc::new(Stuck)).unwrap();
    let error = fetcher.get(&url("http://stuck.example/"), &ASK, &for_time(Duration::from_millis(200))).unwrap_err();
    assert_eq!(error.code(), "net.timeout");
    assert!(clock.elapsed() < PATIENCE);
}

#[test]
fn n09_threads_that_wait_for_a_name_do_not_pile_up() {
    #[derive(Debug, Default)]
    struct Hung {
        over: AtomicBool,
        asked: AtomicUsize,
    }
    impl readstone_net::Resolve for Hung {
        fn resolve(&self, _host: &str, _port: u16) -> std::io::Result<Vec<std::net::SocketAddr>> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            while !self.over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(Vec::new())
        }
    }
    let hung = Arc::new(Hung::default());
    let fetcher = readstone_net::Fetcher::with_resolver(crate::policy(&[]), hung.clone()).unwrap();
    let code = || {
        let budget = for_time(Duration::from_millis(50));
        fetcher.get(&url("http://hung.example/"), &ASK, &budget).unwrap_err().code()
    };
    let refused = std::thread::scope(|scope| {
        let until_refused = || (0..100).any(|_| code() == "net.io");
        let callers: Vec<_> = (0..32).map(|_| scope.spawn(until_refused)).collect();
        callers.into_iter().all(|caller| caller.join().unwrap())
    });
    assert!(refused);
    let clock = running();
    while hung.asked.load(Ordering::Relaxed) < 256 && clock.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(hung.asked.load(Ordering::Relaxed), 256);
    let busy = fetcher.get(&url("http://hung.example/"), &ASK, &for_ever()).unwrap_err();
    assert!(busy.to_string().contains("too many hosts are still being waited for"), "{busy}");
    // When they are done, there is room again.
    hung.over.store(true, Ordering::Relaxed);
    let again = || fetcher.get(&url("http://hung.example/"), &ASK, &for_ever()).unwrap_err().code();
    while again() == "net.io" && clock.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(again(), "net.no_host");
}
