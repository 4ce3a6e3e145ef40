//! Sites that have what their pages show in a better form.

use readstone_net::{Error, Fetched, WebUrl};

use super::Walk;
use crate::made::Made;
use crate::sites::{Answer, SITES, Site, Spot};
use crate::sort::decoded;

/// What a site gives in the place of its page; `None` when the page itself must do.
pub(crate) fn from_site(walk: &mut Walk<'_>) -> Option<Made> {
    let url = walk.asked.url.clone();
    let segments = url.path().split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
    let host = url.host().trim_end_matches('.');
    let spot = Spot { url: url.as_str(), host, segments, query: url.query().unwrap_or_default() };
    let sites = SITES.iter().filter(|site| site.hosts.iter().any(|known| is_host(host, known)));
    for site in sites {
        if let Some(made) = from(site, &spot, walk) {
            return Some(made);
        }
    }
    None
}

/// Whether a host is the one that is known.
fn is_host(host: &str, known: &str) -> bool {
    match known.strip_prefix("*.") {
        Some(above) => host.strip_suffix(above).is_some_and(|below| below.ends_with('.')),
        None => host == known || host.strip_prefix("www.") == Some(known),
    }
}

fn from(site: &Site, spot: &Spot<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let mut answers = Vec::new();
    for request in (site.ask)(spot)? {
        let url = WebUrl::parse(&request.url).ok()?;
        answers.push(answered(walk.errand.part(&url, request.accept))?);
    }
    let given: Vec<Answer<'_>> = answers
        .iter()
        .map(|fetched| Answer {
            status: fetched.status,
            content_type: fetched.content_type.as_deref().unwrap_or_default(),
            body: &fetched.body,
        })
        .collect();
    let text = (site.make)(spot, &given)?;
    let kind = given.first().map(|answer| answer.content_type);
    (!text.trim().is_empty()).then(|| Made::text(site.method, &text).typed(kind))
}

/// An answer that came whole.
fn answered(came: Result<Option<Fetched>, Error>) -> Option<Fetched> {
    came.ok()?.filter(|fetched| fetched.ending == readstone_net::Ending::Whole)
}
