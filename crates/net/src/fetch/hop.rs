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
/// A number of seconds has at most this many digits.
const RETRY_DIGITS: usize = 10;
/// The form of a date: `0` stands for a digit, `A` for a letter.
const DATE: &str = "AAA, 00 AAA 0000 00:00:00 GMT";

impl Errand {
    /// Does it all; the answer and its body are in the pot.
    pub(super) fn run(&self) -> Result<Ending, Error> {
        let mut url = self.url.clone();
        let mut hops: Vec<WebUrl> = Vec::new();
        let mut downgraded = false;
        loop {
            let asked = self.ask(&url);
            let asked = if hops.is_empty() { asked } else { asked.map_err(|error| error.redirected_from(&self.url)) };
            let (head, wire) = asked?;
            if head.status == 304 && self.validators(&url).next().is_none() {
                return Err(Error::io(&url, "it says that a copy is still good that it was not told of"));
            }
            let next = redirected(&head, &url).map_err(|error| error.redirected_from(&self.url))?;
            let Some(next) = next else {
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
            if is_one_value(value) {
                request.extend([name, ": ", value, "\r\n"]);
            }
        };
        field("Host", &authority);
        field("User-Agent", agent);
        field("Accept", &self.accept);
        field("Accept-Encoding", "gzip, br, zstd");
        field("Connection", "close");
        for (name, value) in self.validators(url) {
            field(name, value);
        }
        request.push_str("\r\n");
        request
    }

    /// What tells the server of this URL which copy there is; nothing when the copy is of another one.
    fn validators(&self, url: &WebUrl) -> impl Iterator<Item = (&'static str, &str)> {
        let own = url.as_str() == self.of.as_str();
        let both = [("If-None-Match", &self.etag), ("If-Modified-Since", &self.modified)].into_iter();
        both.filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .filter(move |(_, value)| own && is_one_value(value))
    }
}

fn is_one_value(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
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
        retry_after: head.field("retry-after").filter(|value| is_time(value)),
        body: Vec::new(),
        ending: Ending::Whole,
    }
}

/// Whether it is a number of seconds or a date as HTTP writes it, and no other words.
fn is_time(value: &str) -> bool {
    let alike = |(own, form): (u8, u8)| match form {
        b'0' => own.is_ascii_digit(),
        b'A' => own.is_ascii_alphabetic(),
        form => own == form,
    };
    let digits = (1..=RETRY_DIGITS).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    digits || value.len() == DATE.len() && value.bytes().zip(DATE.bytes()).all(alike)
}
