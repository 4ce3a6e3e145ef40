//! The fetcher against the worst peers there are, on loopback.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what a test cannot set up must stop it")]

#[path = "../../../../testkit/src/peer.rs"]
pub mod peer;

mod allow;
mod bodies;
mod guard;
mod hops;
mod proxy;
mod tls;
mod waiting;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Clock, Failure as _, Fixed};
use readstone_net::{Ask, Error, Fetched, Fetcher, NetPolicy, Resolve, WebUrl};

/// What every test asks for unless it says otherwise.
const ASK: Ask<'_> =
    Ask { accept: "text/markdown, text/html;q=0.9", etag: None, modified: None, of: None, most: 1 << 20, redirects: 5 };

/// A clock that goes on by itself.
#[derive(Debug)]
struct Running(std::time::Instant);

impl Clock for Running {
    fn wall(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines of real sockets need a real clock")]
fn running() -> Arc<Running> {
    Arc::new(Running(std::time::Instant::now()))
}

/// A budget that ends after a while.
fn for_time(time: Duration) -> Budget {
    Budget::new(running(), Some(time))
}

/// A budget that does not end.
fn for_ever() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

fn policy(allow: &[&str]) -> NetPolicy {
    NetPolicy { allow: allow.iter().map(|entry| entry.parse().unwrap()).collect(), ..NetPolicy::default() }
}

fn fetcher(allow: &[&str]) -> Fetcher {
    Fetcher::new(policy(allow)).unwrap()
}

fn url(text: &str) -> WebUrl {
    WebUrl::parse(text).unwrap()
}

/// Fetches from a peer that is allowed.
fn get(text: &str) -> Result<Fetched, Error> {
    fetcher(&["loopback"]).get(&url(text), &ASK, &for_ever())
}

/// The code of what went wrong with a URL, from its parsing to its fetching.
fn code_of(fetcher: &Fetcher, text: &str) -> &'static str {
    let outcome = WebUrl::parse(text).and_then(|url| fetcher.get(&url, &ASK, &for_ever()));
    outcome.map_or_else(|error| error.code(), |_| "fetched")
}

/// Waits until the peer is left alone.
fn closed(peer: &peer::Peer) -> bool {
    let clock = running();
    while peer.open() > 0 && clock.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    peer.open() == 0
}

/// A resolver that knows a few answers, gives them one after the other, and counts.
#[derive(Debug, Default)]
struct Book {
    answers: Mutex<Vec<Vec<SocketAddr>>>,
    asked: AtomicUsize,
}

impl Book {
    fn of(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |list: &&[&str]| list.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0)).collect();
        Arc::new(Self { answers: Mutex::new(answers.iter().map(parse).collect()), asked: AtomicUsize::new(0) })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Resolve for Book {
    fn resolve(&self, _host: &str, _port: u16) -> io::Result<Vec<SocketAddr>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut answers = self.answers.lock().unwrap();
        let last = answers.len() == 1;
        Ok(if last { answers[0].clone() } else { answers.remove(0) })
    }
}
