//! A session that reads the web.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Clock, Fault, Limits, Spoiled, Task, Web, WebNote, Workshop};
use readstone_formats::{InPlace, Standard};
use readstone_host::{Host, Policy, Secrets, Stance, SystemClock};
use readstone_net::{Allow, Ask, Error, Fetched, Fetcher, NetPolicy, WebUrl};
use readstone_source::{
    Beyond, Body, Content, Drawer, Drawers, Finding, Fresh, Node, Opening, Pictures, Sourced, Sources as _, locate,
};
use readstone_web::{Fetch, Pages};

use crate::server::Server;

/// A session: what it keeps, and its time.
pub(crate) struct World {
    pages: Pages,
    drawer: Room,
    clock: Arc<Time>,
    pub(crate) limits: Limits,
    pub(crate) fresh: Fresh,
    pub(crate) works: Arc<dyn Workshop>,
    /// The time of a call.
    pub(crate) time: Duration,
}

impl World {
    /// A session that may ask this server.
    pub(crate) fn of(server: &Server) -> Self {
        Self::with(Arc::new(fetcher(&[server])))
    }

    /// A session that may ask both.
    pub(crate) fn of_both(one: &Server, other: &Server) -> Self {
        Self::with(Arc::new(fetcher(&[one, other])))
    }

    /// A session that takes this server for every host of the web.
    pub(crate) fn standing_in(server: &Server) -> Self {
        Self::with(Arc::new(StandIn { fetcher: fetcher(&[server]), port: server.port() }))
    }

    fn with(fetch: Arc<dyn Fetch>) -> Self {
        let clock = Arc::new(Time { passes: SystemClock::new(None), wall: AtomicI64::new(1_000_000) });
        let drawer = Room::default();
        let works: Arc<dyn Workshop> = Arc::new(InPlace);
        Self {
            pages: Pages::new(fetch),
            drawer,
            clock,
            limits: Limits::default(),
            fresh: Fresh::Ask,
            works,
            time: Duration::from_secs(20),
        }
    }

    /// Lets some seconds pass.
    pub(crate) fn wait(&self, seconds: i64) {
        self.clock.wall.fetch_add(seconds, Ordering::Relaxed);
    }

    /// The names under which something is kept.
    pub(crate) fn names(&self) -> Vec<String> {
        self.drawer.names(Drawer::Pages)
    }

    /// What an address leads to.
    pub(crate) fn open(&self, address: &str) -> Result<Shown, Fault> {
        let reading = readstone_address::readings(address).unwrap().remove(0);
        self.within(|opening| self.pages.open(&reading, opening).map(Shown::of))
    }

    /// What an address that leads somewhere leads to.
    pub(crate) fn read(&self, address: &str) -> Shown {
        self.open(address).unwrap()
    }

    /// Where an address leads in the end, through whatever it holds.
    pub(crate) fn node(&self, address: &str) -> Result<Node, Fault> {
        let host =
            Host::new(Policy::anywhere(PathBuf::from("/"), Secrets::new(Stance::Warn, &[]).unwrap()), None, 1024);
        self.within(|opening| locate(&host, address, opening))
    }

    fn within<T>(&self, run: impl FnOnce(&Opening<'_>) -> T) -> T {
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let budget = Budget::new(clock, Some(self.time));
        run(&Opening {
            formats: &Standard,
            pictures: Pictures::Described,
            beyond: Beyond { sources: &self.pages, drawers: &self.drawer, fresh: self.fresh },
            ..Opening::bare(&self.limits, &budget, &self.works)
        })
    }
}

/// The text of a node that is a file or a text.
pub(crate) fn node_text(node: &Node) -> String {
    match &node.body {
        Body::File { blob, .. } => String::from_utf8(blob.read_range(0, blob.len().unwrap()).unwrap()).unwrap(),
        Body::Content(Content::Converted(made)) => String::from_utf8(made.text.to_vec()).unwrap(),
        Body::Content(_) | Body::Directory(_) => panic!("no text: {node:?}"),
    }
}

/// What was opened.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) path: String,
    pub(crate) tail: Option<String>,
    pub(crate) web: Web,
    /// The name of a piece; none for a text.
    pub(crate) name: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

impl Shown {
    fn of(sourced: Sourced) -> Self {
        let (name, bytes) = match sourced.found {
            Finding::Piece(piece) => {
                let bytes = piece.blob.read_range(0, piece.blob.len().unwrap()).unwrap();
                (Some(piece.name), bytes)
            }
            Finding::Content(Content::Converted(made)) => (None, made.text.to_vec()),
            Finding::Content(_) | Finding::Opened(_) => panic!("neither text nor bytes"),
        };
        Self { path: sourced.path, tail: sourced.tail, web: sourced.web.unwrap(), name, bytes }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }

    pub(crate) fn method(&self) -> &'static str {
        self.web.method
    }

    pub(crate) fn notes(&self) -> &[WebNote] {
        &self.web.notes
    }
}

fn fetcher(servers: &[&Server]) -> Fetcher {
    let allow = servers.iter().map(|server| format!("127.0.0.1:{}", server.port()).parse::<Allow>().unwrap()).collect();
    Fetcher::new(NetPolicy { allow, ..NetPolicy::default() }).unwrap()
}

/// Asks the server for `/HOST/PATH` in the place of `https://HOST/PATH`.
#[derive(Debug)]
struct StandIn {
    fetcher: Fetcher,
    port: u16,
}

impl Fetch for StandIn {
    fn get(&self, url: &WebUrl, ask: &Ask<'_>, budget: &Budget) -> Result<Fetched, Error> {
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let local = format!("http://127.0.0.1:{}/{}{}{query}", self.port, url.host(), url.path());
        let fetched = self.fetcher.get(&WebUrl::parse(&local)?, ask, budget)?;
        Ok(Fetched { url: url.clone(), ..fetched })
    }
}

/// A worker that breaks down at everything.
#[derive(Debug)]
pub(crate) struct Broken;

impl Workshop for Broken {
    fn is_apart(&self) -> bool {
        true
    }

    fn work(&self, _: &Task<'_>, _: &Budget) -> Result<Vec<u8>, Spoiled> {
        Err(Spoiled::Crashed("it ran out of memory".to_owned()))
    }
}

/// What a session keeps.
#[derive(Debug, Default)]
struct Room {
    kept: Mutex<HashMap<String, Vec<u8>>>,
}

impl Drawers for Room {
    fn session(&self) -> &'static str {
        "test"
    }

    fn put(&self, _: Drawer, name: &str, bytes: &[u8]) {
        self.kept.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
    }

    fn get(&self, _: Drawer, name: &str) -> Option<Vec<u8>> {
        self.kept.lock().unwrap().get(name).cloned()
    }

    fn add(&self, _: Drawer, _: &[u8]) -> Option<u64> {
        None
    }

    fn names(&self, _: Drawer) -> Vec<String> {
        self.kept.lock().unwrap().keys().cloned().collect()
    }
}

#[derive(Debug)]
struct Time {
    passes: SystemClock,
    wall: AtomicI64,
}

impl Clock for Time {
    fn wall(&self) -> i64 {
        self.wall.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.passes.elapsed()
    }
}
