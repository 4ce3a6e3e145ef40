//! Fetching within what one reading may cost: a page, and a few things beside it.

use std::fmt::Debug;
use std::time::Duration;

use readstone_base::Budget;
use readstone_net::{Ask, Ending, Error, Fetched, Fetcher, WebUrl};
use readstone_source::Opening;

/// Things that are asked for beside a page.
const PROBES: u64 = 3;

/// What a page is asked for as: Markdown, where the server has it.
pub(crate) const READING: &str =
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";
/// What a page is asked for as when its own form is wanted.
pub(crate) const VERBATIM: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// Fetches one thing.
pub trait Fetch: Send + Sync + Debug {
    /// What a URL answers.
    fn get(&self, url: &WebUrl, ask: &Ask<'_>, budget: &Budget) -> Result<Fetched, Error>;
}

impl Fetch for Fetcher {
    fn get(&self, url: &WebUrl, ask: &Ask<'_>, budget: &Budget) -> Result<Fetched, Error> {
        Self::get(self, url, ask, budget)
    }
}

/// What tells a server which copy there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    /// Whose they are: the address that answered.
    pub(crate) of: Option<WebUrl>,
}

impl Validators {
    /// Whether a server can tell by them.
    pub(crate) fn any(&self) -> bool {
        self.etag.is_some() || self.modified.is_some()
    }
}

/// All that is fetched for one reading, within one time and so many bytes.
#[derive(Debug)]
pub(crate) struct Errand<'a> {
    fetch: &'a dyn Fetch,
    budget: Budget,
    /// The time for what a site has its pages in, so that the page itself has some, too.
    sites: Budget,
    probe: Duration,
    probes: u64,
    bytes: u64,
    redirects: u32,
    /// The limit that ends it.
    limit: &'static str,
}

impl<'a> Errand<'a> {
    /// Nothing was fetched yet.
    pub(crate) fn new(fetch: &'a dyn Fetch, opening: &Opening<'_>) -> Self {
        let limits = opening.limits;
        let whole = Duration::from_millis(limits.fetch_ms);
        // What comes must still be made something of.
        let left = opening.budget.left().map(|left| left / 5 * 4);
        let (whole, limit) = match left {
            Some(left) if left < whole => (left, "call_ms"),
            Some(_) | None => (whole, "fetch_ms"),
        };
        Self {
            limit,
            fetch,
            budget: opening.budget.within(whole),
            sites: opening.budget.within(whole / 2),
            probe: Duration::from_millis(limits.probe_ms),
            probes: PROBES,
            bytes: limits.fetch_bytes,
            redirects: u32::try_from(limits.redirects).unwrap_or(u32::MAX),
        }
    }

    /// The limit that ends what comes late.
    pub(crate) fn limit(&self) -> &'static str {
        self.limit
    }

    /// The page itself.
    pub(crate) fn page(&mut self, url: &WebUrl, accept: &str, known: &Validators) -> Result<Fetched, Error> {
        let ask = Ask {
            accept,
            etag: known.etag.as_deref(),
            modified: known.modified.as_deref(),
            of: known.of.as_ref(),
            most: self.bytes,
            redirects: self.redirects,
        };
        let fetched = self.get(url, &ask, &self.budget)?;
        self.bytes = self.bytes.saturating_sub(fetched.body.len() as u64);
        Ok(fetched)
    }

    /// Waits for an answer; meanwhile other calls can work.
    fn get(&self, url: &WebUrl, ask: &Ask<'_>, budget: &Budget) -> Result<Fetched, Error> {
        let answer = budget.waiting(|| self.fetch.get(url, ask, budget));
        answer.unwrap_or_else(|stopped| Err(Error::stopped(url, stopped)))
    }

    /// Something in the place of a page, of which only a whole answer of the page's own site will do: no page chooses
    /// what is asked of others.
    pub(crate) fn probe(&mut self, page: &WebUrl, url: &WebUrl, accept: &str) -> Option<Fetched> {
        if page.origin() != url.origin() {
            return None;
        }
        let budget = self.budget.within(self.probe);
        let fetched = self.beside(url, accept, &budget).ok()??;
        let sound = fetched.status == 200 && fetched.ending == Ending::Whole && !fetched.body.is_empty();
        (sound && fetched.url.origin() == page.origin()).then_some(fetched)
    }

    /// One of the things that a site has its pages in.
    pub(crate) fn part(&mut self, url: &WebUrl, accept: &str) -> Option<Fetched> {
        let budget = self.sites.clone();
        // The page itself keeps most of the room.
        let all = self.bytes;
        self.bytes /= 4;
        let fetched = self.beside(url, accept, &budget);
        self.bytes = all;
        fetched.ok()?.filter(|fetched| fetched.ending == Ending::Whole)
    }

    fn beside(&mut self, url: &WebUrl, accept: &str, budget: &Budget) -> Result<Option<Fetched>, Error> {
        if self.probes == 0 || self.bytes == 0 || self.budget.still_wanted().is_err() {
            return Ok(None);
        }
        self.probes -= 1;
        let ask = Ask { accept, etag: None, modified: None, of: None, most: self.bytes, redirects: self.redirects };
        let fetched = self.get(url, &ask, budget)?;
        self.bytes = self.bytes.saturating_sub(fetched.body.len() as u64);
        Ok(Some(fetched))
    }
}
