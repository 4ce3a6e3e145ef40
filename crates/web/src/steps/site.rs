//! Sites that have what their pages show in a better form.

use readstone_net::{Ending, Fetched, WebUrl};

use super::{Walk, of_other};
use crate::made::Made;
use crate::sites::{Answer, Request, Spot, site_for};
use crate::sort::{decoded, sorted};

/// How the methods end that give a file as it is: it is read as any other file.
const FILES: &str = "-blob";

/// What a site gives in the place of its page; `None` when the page itself must do.
pub(crate) fn from_site(walk: &mut Walk<'_>) -> Option<Made> {
    let url = walk.asked.url.clone();
    let segments = url.path().split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
    let spot = Spot { url: url.as_str(), host: url.host(), segments, query: url.query().unwrap_or_default() };
    let (site, requests) = site_for(&spot)?;
    let mut came = fetched(&requests, walk)?;
    if site.method.ends_with(FILES)
        && let [file] = came.as_mut_slice()
        && file.status == 200
    {
        let found = sorted(file);
        let made = of_other(&found, file, walk).by(site.method);
        return Some(made.typed(file.content_type.as_deref()));
    }
    let further = (site.then)(&spot, &answers(&came));
    came.extend(fetched(&further, walk)?);
    let text = (site.make)(&spot, &answers(&came))?;
    let kind = came.first().and_then(|fetched| fetched.content_type.as_deref());
    (!text.trim().is_empty()).then(|| Made::text(site.method, &text).typed(kind))
}

/// Whole answers to all of them, whatever they say.
fn fetched(requests: &[Request], walk: &mut Walk<'_>) -> Option<Vec<Fetched>> {
    let one = |request: &Request| {
        let url = WebUrl::parse(&request.url).ok()?;
        let fetched = walk.errand.part(&url, request.accept).ok()??;
        (fetched.ending == Ending::Whole).then_some(fetched)
    };
    requests.iter().map(one).collect()
}

fn answers(came: &[Fetched]) -> Vec<Answer<'_>> {
    came.iter()
        .map(|fetched| Answer {
            status: fetched.status,
            content_type: fetched.content_type.as_deref().unwrap_or_default(),
            body: &fetched.body,
        })
        .collect()
}
