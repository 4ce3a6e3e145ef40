//! Sites that also say in a form of their own what their pages show: one file a site, one row a kind of page.

mod arxiv;
mod crates_io;
mod github;
mod gitlab;
mod hackernews;
mod hex;
mod npm;
mod packagist;
mod parts;
mod pypi;
mod readme;
mod rubygems;
mod stackexchange;
mod wikipedia;

#[cfg(test)]
mod tests;

/// A kind of page that is read from somewhere else than its HTML.
pub(crate) struct Site {
    /// The name of this way of reading.
    pub(crate) method: &'static str,
    /// Its hosts: exact, or everything below a `*.`.
    pub(crate) hosts: &'static [&'static str],
    /// What to fetch; nothing if an address is not of this kind. At most three.
    pub(crate) ask: fn(&Spot<'_>) -> Option<Vec<Request>>,
    /// What to fetch once the answers are there and say where it is; together with the first ones at most three.
    pub(crate) then: fn(&Spot<'_>, &[Answer<'_>]) -> Vec<Request>,
    /// The text made of the answers; nothing if the usual steps have to do it.
    pub(crate) make: fn(&Spot<'_>, &[Answer<'_>]) -> Option<String>,
}

/// An address in its parts.
pub(crate) struct Spot<'a> {
    /// All of it.
    pub(crate) url: &'a str,
    /// The host in small letters.
    pub(crate) host: &'a str,
    /// The parts of the path, decoded.
    pub(crate) segments: Vec<String>,
    /// What stands behind the question mark.
    pub(crate) query: &'a str,
}

/// One thing to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Where it is.
    pub(crate) url: String,
    /// The form it is wanted in.
    pub(crate) accept: &'static str,
}

/// What came back for one request.
pub(crate) struct Answer<'a> {
    /// The status.
    pub(crate) status: u16,
    /// The type that the server gives.
    pub(crate) content_type: &'a str,
    /// The decoded body.
    pub(crate) body: &'a [u8],
}

/// All kinds of pages; the first that takes an address has it.
pub(crate) const SITES: &[Site] = &[
    github::BLOB,
    github::TREE,
    github::ISSUE,
    github::PULL,
    github::RELEASE,
    github::COMMIT,
    github::REPO,
    github::GIST,
    gitlab::BLOB,
    crates_io::CRATE,
    npm::PACKAGE,
    pypi::PROJECT,
    rubygems::GEM,
    hex::PACKAGE,
    packagist::PACKAGE,
    arxiv::PAPER,
    wikipedia::ARTICLE,
    stackexchange::QUESTION,
    hackernews::ITEM,
];

/// The kind of page that an address is, and what to fetch for it.
pub(crate) fn site_for(spot: &Spot<'_>) -> Option<(&'static Site, Vec<Request>)> {
    // Encoded or not, these would lead elsewhere once they are part of another address.
    if spot.segments.iter().any(|part| matches!(part.as_str(), "." | "..")) {
        return None;
    }
    let sites = SITES.iter().filter(|site| site.hosts.iter().any(|host| is_host(host, spot.host)));
    sites.into_iter().find_map(|site| (site.ask)(spot).map(|requests| (site, requests)))
}

fn is_host(pattern: &str, host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    match pattern.strip_prefix("*.") {
        None => host.eq_ignore_ascii_case(pattern),
        Some(parent) => host
            .len()
            .checked_sub(parent.len())
            .and_then(|at| host.split_at_checked(at))
            .is_some_and(|(below, end)| end.eq_ignore_ascii_case(parent) && below.len() > 1 && below.ends_with('.')),
    }
}

/// Nothing more to fetch.
fn enough(_: &Spot<'_>, _: &[Answer<'_>]) -> Vec<Request> {
    Vec::new()
}
