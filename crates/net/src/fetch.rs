//! Fetching one URL: a thread of its own does the work, so that the caller's deadline ends it whatever it waits for.

mod body;
mod chunks;
mod coding;
mod connect;
mod head;
mod hop;
mod line;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use readstone_base::{Budget, CancelToken, SenderGone, Stopped, oneshot};
use rustls::ClientConfig;

use crate::error::Error;
use crate::policy::NetPolicy;
use crate::resolve::{Resolve, System};
use crate::url::WebUrl;

use line::Watch;

/// How long a fetch whose answer has begun may take to hand over what its decoder holds, when the time is over.
const HANDOVER: Duration = Duration::from_millis(200);
/// How many fetches may have a thread. One that waits for the system to find a name cannot be stopped, only left.
const THREADS: usize = 256;

/// Fetches pages within a policy.
#[derive(Clone, Debug)]
pub struct Fetcher {
    means: Arc<Means>,
}

/// What every fetch shares.
#[derive(Debug)]
struct Means {
    policy: NetPolicy,
    proxy: Option<WebUrl>,
    resolver: Arc<dyn Resolve>,
    /// Reading the certificates of the system takes a while, so it waits for the first `https`.
    tls: OnceLock<Result<Arc<ClientConfig>, String>>,
    /// How many fetches have a thread, with those that nobody waits for any more.
    live: AtomicUsize,
}

/// What is asked for, beside the URL.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The kinds of content that are preferred, as the `Accept` header has it.
    pub accept: &'a str,
    /// The `ETag` of the copy there is; a server that still has the same answers 304.
    pub etag: Option<&'a str>,
    /// The `Last-Modified` of the copy there is.
    pub modified: Option<&'a str>,
    /// The URL that the copy came from, which alone is told of it; none means the one that is asked for.
    pub of: Option<&'a WebUrl>,
    /// How many bytes of the decoded body are kept at most.
    pub most: u64,
    /// How many redirects are followed.
    pub redirects: u32,
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The status of the answer; 404 and its kind are answers too.
    pub status: u16,
    /// The server's words for the status.
    pub reason: String,
    /// Where the answer came from, after all redirects.
    pub url: WebUrl,
    /// The URLs that redirected, in order.
    pub hops: Vec<WebUrl>,
    /// Whether a redirect led from `https` to `http`.
    pub downgraded: bool,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub modified: Option<String>,
    /// The `Link` headers.
    pub links: Vec<String>,
    /// The `Content-Disposition` header.
    pub disposition: Option<String>,
    /// The `Retry-After` header, if it is a number of seconds or a date.
    pub retry_after: Option<String>,
    /// The body, decoded.
    pub body: Vec<u8>,
    /// Whether that is all of it.
    pub ending: Ending,
}

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All of it is there.
    Whole,
    /// There is more than was asked for.
    Cut {
        /// The cap in bytes.
        most: u64,
    },
    /// The peer sent less than it said, in bytes as they were sent.
    Short {
        /// What it said.
        expected: u64,
        /// What came.
        got: u64,
    },
    /// The time ended.
    TimedOut,
    /// The peer broke off or sent nonsense.
    Broken(
        /// What happened.
        String,
    ),
}

/// What a fetch has so far, for the caller whose time ends.
#[derive(Debug, Default)]
struct Pot {
    /// The answer without its body, once there is one.
    answer: Mutex<Option<Fetched>>,
    /// The decoded bytes that came.
    body: Mutex<Vec<u8>>,
}

/// One fetch, as the thread that does it has it.
#[derive(Debug)]
struct Errand {
    means: Arc<Means>,
    url: WebUrl,
    accept: String,
    etag: Option<String>,
    modified: Option<String>,
    of: WebUrl,
    most: u64,
    redirects: u32,
    watch: Watch,
    pot: Arc<Pot>,
}

impl Fetcher {
    /// A fetcher that asks the system for addresses.
    pub fn new(policy: NetPolicy) -> Result<Self, Error> {
        Self::with_resolver(policy, Arc::new(System))
    }

    /// A fetcher that asks somebody else for addresses.
    pub fn with_resolver(policy: NetPolicy, resolver: Arc<dyn Resolve>) -> Result<Self, Error> {
        let proxy = policy.proxy.as_deref().map(parse_proxy).transpose()?;
        Ok(Self { means: Arc::new(Means { policy, proxy, resolver, tls: OnceLock::new(), live: AtomicUsize::new(0) }) })
    }

    /// Fetches a page. What came of its body before the time, the peer or the cap ended it is kept and marked; when
    /// nothing came, the same is an error.
    pub fn get(&self, url: &WebUrl, ask: &Ask<'_>, budget: &Budget) -> Result<Fetched, Error> {
        budget.check().map_err(|stopped| Error::stopped(url, stopped))?;
        let abandoned = CancelToken::default();
        let pot = Arc::new(Pot::default());
        let errand = Errand {
            means: Arc::clone(&self.means),
            url: url.clone(),
            accept: ask.accept.to_owned(),
            etag: ask.etag.map(str::to_owned),
            modified: ask.modified.map(str::to_owned),
            of: ask.of.unwrap_or(url).clone(),
            most: ask.most,
            redirects: ask.redirects,
            watch: Watch::new(budget.clone(), abandoned.clone()),
            pot: Arc::clone(&pot),
        };
        let seat = Seat::take(&self.means);
        let seat = seat.ok_or_else(|| Error::io(url, "too many hosts are still being waited for; try again later"))?;
        let (sender, receiver) = oneshot();
        let work = move || {
            let _held = seat;
            sender.send(errand.run());
        };
        let spawned = thread::Builder::new().name("fetch".to_owned()).spawn(work);
        spawned.map_err(|_| Error::io(url, "no thread could be started for it"))?;
        let served = |outcome: Result<Ending, Error>| {
            outcome.and_then(|ending| pot.serve(ending).ok_or_else(|| Error::io(url, "nothing came")))
        };
        match receiver.wait(budget) {
            Ok(Ok(outcome)) => served(outcome),
            Ok(Err(SenderGone)) => Err(Error::io(url, "the fetch broke off")),
            Err(Stopped::Cancelled) => Err(Error::stopped(url, Stopped::Cancelled)),
            Err(Stopped::Deadline) => {
                let grace = if pot.has_answer() { HANDOVER } else { Duration::ZERO };
                if let Ok(Some(Ok(outcome))) = receiver.wait_at_most(grace, &budget.untimed()) {
                    return served(outcome);
                }
                abandoned.cancel();
                pot.rescue().ok_or_else(|| Error::stopped(url, Stopped::Deadline))
            }
        }
    }
}

/// The place of one thread among those there may be.
#[derive(Debug)]
struct Seat(Arc<Means>);

impl Seat {
    fn take(means: &Arc<Means>) -> Option<Self> {
        let one_more = |live: usize| (live < THREADS).then_some(live + 1);
        means.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(Self(Arc::clone(means)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.live.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pot {
    fn has_answer(&self) -> bool {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn serve(&self, ending: Ending) -> Option<Fetched> {
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let body = std::mem::take(&mut *self.body.lock().unwrap_or_else(PoisonError::into_inner));
        Some(Fetched { body, ending, ..answer })
    }

    /// The part of the body that came before the time of the call was over.
    fn rescue(&self) -> Option<Fetched> {
        self.serve(Ending::TimedOut).filter(|fetched| !fetched.body.is_empty())
    }
}

fn parse_proxy(text: &str) -> Result<WebUrl, Error> {
    let url = WebUrl::parse(text)?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if url.is_secure() || !bare {
        return Err(Error::bad_url(text, "a proxy is written http://host:port".to_owned()));
    }
    Ok(url)
}
