//! Sites that have what their pages show in a better form.

use readstone_base::WebNote;
use readstone_net::{Fetched, WebUrl};

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
    // Another port is another server, which none of this is about.
    let usual = url.port() == if url.is_secure() { 443 } else { 80 };
    let (site, requests) = site_for(&spot).filter(|_| usual)?;
    let mut came = fetched(&requests, walk)?;
    if site.method.ends_with(FILES)
        && let [Some(file)] = came.as_mut_slice()
        && file.status == 200
    {
        let found = sorted(file);
        let made = of_other(&found, file, walk).by(site.method);
        return Some(made.typed(file.content_type.as_deref()).noting(Some(source(&requests))));
    }
    let further = (site.then)(&spot, &answers(&came));
    came.extend(fetched(&further, walk).unwrap_or_default());
    let text = (site.make)(&spot, &answers(&came))?;
    let kind = came.first()?.as_ref()?.content_type.as_deref();
    let made = Made::text(site.method, &text).typed(kind).noting(Some(source(&requests)));
    (!text.trim().is_empty()).then_some(made)
}

/// Who answered in the place of the page.
fn source(requests: &[Request]) -> WebNote {
    WebNote::TakenFrom { address: requests.first().map(|request| request.url.clone()).unwrap_or_default() }
}

/// The answers to all of them, of which the first must be there; others may be missing.
fn fetched(requests: &[Request], walk: &mut Walk<'_>) -> Option<Vec<Option<Fetched>>> {
    let mut came = Vec::with_capacity(requests.len());
    for request in requests {
        let url = WebUrl::parse(&request.url).ok();
        came.push(url.and_then(|url| walk.errand.part(&url, request.accept)));
        came.first()?.as_ref()?;
    }
    Some(came)
}

fn answers(came: &[Option<Fetched>]) -> Vec<Answer<'_>> {
    came.iter().map(|fetched| answer(fetched.as_ref())).collect()
}

fn answer(fetched: Option<&Fetched>) -> Answer<'_> {
    match fetched {
        Some(fetched) => Answer {
            status: fetched.status,
            content_type: fetched.content_type.as_deref().unwrap_or_default(),
            body: &fetched.body,
        },
        None => Answer { status: 0, content_type: "", body: &[] },
    }
}
