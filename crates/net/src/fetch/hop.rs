//! The way of one fetch: ask, follow what redirects, and take the body of what does not.

use std::io::Write as _;
use std::sync::PoisonError;

use super::connect::failed;
use super::head::{Head, Wire};
use super::{Ending, Errand, Fetched, body};
use crate::error::Error;
use crate::url::WebUrl;

/// How many `Link` headers are kept.
const LINKS: usize = 32;

impl Errand {
    /// Does it all; the answer and its body are in the pot.
    pub(super) fn run(&self) -> Result<Ending, Error> {
        let mut url = self.url.clone();
        let mut hops: Vec<WebUrl> = Vec::new();
        let mut downgraded = false;
        loop {
            let (head, wire) = self.ask(&url)?;
            let Some(next) = redirected(&head, &url)? else {
                let answer = Fetched { hops, downgraded, ..answer(&head, url.clone()) };
                *self.pot.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                return body::take(self, &head, wire, &url);
            };
            if u32::try_from(hops.len()).unwrap_or(u32::MAX) >= self.redirects {
                let last = next.as_str().to_owned();
                return Err(Error::Redirects { url: self.url.as_str().to_owned(), last, most: self.redirects });
            }
            downgraded |= url.is_secure() && !next.is_secure();
            hops.push(std::mem::replace(&mut url, next));
        }
    }

    /// Connects, asks and reads the head.
    fn ask(&self, url: &WebUrl) -> Result<(Head, Wire), Error> {
        let mut stream = self.means.connect(url, &self.watch)?;
        let request = self.request(url);
        let sent = stream.write_all(request.as_bytes()).and_then(|()| stream.flush());
        sent.map_err(|cause| failed(url, &cause, &self.watch))?;
        let mut wire = Wire::new(stream);
        let head = wire.head(url, &self.watch)?;
        Ok((head, wire))
    }

    fn request(&self, url: &WebUrl) -> String {
        let mut request = format!("GET {} HTTP/1.1\r\n", url.target());
        let authority = url.authority();
        let agent = concat!("readstone/", env!("CARGO_PKG_VERSION"));
        let mut field = |name: &str, value: &str| {
            // Whatever a value is made of, it stays one value.
            if !value.is_empty() && value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
                request.extend([name, ": ", value, "\r\n"]);
            }
        };
        field("Host", &authority);
        field("User-Agent", agent);
        field("Accept", &self.accept);
        field("Accept-Encoding", "gzip, br, zstd");
        field("Connection", "close");
        // Only of the first URL the caller has a copy.
        if *url == self.url {
            field("If-None-Match", self.etag.as_deref().unwrap_or_default());
            field("If-Modified-Since", self.modified.as_deref().unwrap_or_default());
        }
        request.push_str("\r\n");
        request
    }
}

/// Where the answer sends us, if it does.
fn redirected(head: &Head, url: &WebUrl) -> Result<Option<WebUrl>, Error> {
    if !matches!(head.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let place = head.field("location").filter(|place| !place.is_empty());
    place.map(|place| url.join(&place).map(|next| next.inheriting(url))).transpose()
}

fn answer(head: &Head, url: WebUrl) -> Fetched {
    Fetched {
        status: head.status,
        reason: head.reason.clone(),
        url,
        hops: Vec::new(),
        downgraded: false,
        content_type: head.field("content-type"),
        etag: head.field("etag"),
        modified: head.field("last-modified"),
        links: head.fields("link").take(LINKS).map(str::to_owned).collect(),
        disposition: head.field("content-disposition"),
        language: head.field("content-language"),
        body: Vec::new(),
        ending: Ending::Whole,
    }
}
