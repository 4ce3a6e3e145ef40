//! Any answer of a server to any address: it becomes something to read or a failure, the same each time.

use std::sync::Arc;

use readstone_base::{Budget, Class};
use readstone_net::{Ask, Ending, Error, Fetched, WebUrl};
use readstone_source::{Beyond, Fresh, NoDrawers, Opening, Sources as _};
use readstone_web::{Fetch, Pages};

use crate::{World, deep, text_and_bytes};

pub(crate) fn run(input: &[u8]) {
    let Some((address, rest)) = text_and_bytes(input) else { return };
    let Some((kind, body)) = text_and_bytes(rest) else { return };
    let server = Server { kind: kind.to_owned(), body: body.to_vec() };
    let address = address.to_owned();
    deep(move || check(&address, server));
}

fn check(address: &str, server: Server) {
    let pages = Pages::new(Arc::new(server));
    let Ok(readings) = readstone_address::readings(address) else { return };
    for reading in readings.iter().take(2) {
        assert_eq!(open(&pages, reading), open(&pages, reading), "{address}");
    }
}

/// What a reading leads to, in a form that can be compared.
fn open(pages: &Pages, reading: &readstone_address::Reading) -> String {
    let world = World::new("none", b"");
    let beyond = Beyond { sources: pages, drawers: &NoDrawers, fresh: Fresh::Ask };
    match pages.open(reading, &Opening { beyond, ..world.opening() }) {
        Ok(sourced) => format!("{} {:?} {:?} {:?}", sourced.path, sourced.found, sourced.tail, sourced.web),
        Err(fault) => {
            assert_ne!(fault.class(), Class::Bug, "{fault}");
            fault.to_string()
        }
    }
}

/// Answers everything alike.
#[derive(Debug)]
struct Server {
    kind: String,
    body: Vec<u8>,
}

impl Fetch for Server {
    fn get(&self, url: &WebUrl, ask: &Ask<'_>, _: &Budget) -> Result<Fetched, Error> {
        let most = usize::try_from(ask.most).unwrap_or(usize::MAX);
        let (kind, link) = self.kind.split_once('\n').unwrap_or((&self.kind, ""));
        Ok(Fetched {
            status: 200,
            reason: "OK".to_owned(),
            url: url.clone(),
            hops: Vec::new(),
            downgraded: false,
            content_type: Some(kind.to_owned()).filter(|kind| !kind.is_empty()),
            etag: None,
            modified: None,
            links: Some(link.to_owned()).filter(|link| !link.is_empty()).into_iter().collect(),
            disposition: None,
            retry_after: None,
            body: self.body.iter().copied().take(most).collect(),
            ending: Ending::Whole,
        })
    }
}
