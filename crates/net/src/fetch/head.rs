//! The head of an answer: bounded, and read no further than needed.

use std::io::{self, BufRead, Read};

use super::connect::{Stream, failed};
use super::line::{Line, Watch};
use crate::error::Error;
use crate::url::WebUrl;

/// A head has at most this many bytes.
const HEAD_BYTES: usize = 64 * 1024;
/// A head has at most this many fields.
const FIELDS: usize = 100;
/// A proxy's word on a tunnel has at most this many bytes.
const TUNNEL_BYTES: usize = 8 * 1024;
/// How many interim answers may come before the real one.
const INTERIM: usize = 8;
/// How much is read at once.
const PIECE: usize = 16 * 1024;

/// A stream and what was read from it early, so that small steps need no call of the system each.
#[derive(Debug)]
pub(super) struct Wire {
    stream: Stream,
    early: Vec<u8>,
    at: usize,
}

/// The head of an answer.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) reason: String,
    /// Names in lower case.
    fields: Vec<(String, String)>,
}

impl Head {
    /// The first field of that name.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next().map(str::to_owned)
    }

    /// Every field of that name.
    pub(super) fn fields<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The members of every field of that name, in lower case.
    pub(super) fn members(&self, name: &str) -> Vec<String> {
        let parts = self.fields(name).flat_map(|value| value.split(','));
        parts.map(|part| part.trim().to_ascii_lowercase()).filter(|part| !part.is_empty()).collect()
    }
}

impl Wire {
    pub(super) fn new(stream: Stream) -> Self {
        Self { stream, early: Vec::new(), at: 0 }
    }

    /// Reads the head of the answer, passing over interim ones.
    pub(super) fn head(&mut self, url: &WebUrl, watch: &Watch) -> Result<Head, Error> {
        for _ in 0..INTERIM {
            let head = self.one_head(url, watch)?;
            if !(100..200).contains(&head.status) {
                return Ok(head);
            }
        }
        Err(Error::io(url, "it says to wait again and again"))
    }

    fn one_head(&mut self, url: &WebUrl, watch: &Watch) -> Result<Head, Error> {
        loop {
            if let Some((head, end)) = parse(self.early.get(self.at..).unwrap_or_default(), url)? {
                self.at += end;
                return Ok(head);
            }
            if self.early.len() > HEAD_BYTES {
                return Err(too_much(url, "more than 64 KiB before the page begins"));
            }
            let mut piece = [0; PIECE];
            let came = self.stream.read(&mut piece).map_err(|cause| failed(url, &cause, watch))?;
            if came == 0 {
                return Err(Error::io(url, "the connection ended before the page began"));
            }
            self.early.extend_from_slice(piece.get(..came).unwrap_or_default());
        }
    }
}

impl BufRead for Wire {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.early.len() {
            self.at = 0;
            self.early.clear();
            let mut piece = [0; PIECE];
            let came = self.stream.read(&mut piece)?;
            self.early.extend_from_slice(piece.get(..came).unwrap_or_default());
        }
        Ok(self.early.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.early.len());
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let came = self.fill_buf()?.read(buffer)?;
        self.consume(came);
        Ok(came)
    }
}

fn too_much(url: &WebUrl, what: &'static str) -> Error {
    Error::Header { host: url.host().to_owned(), what }
}

/// The head at the beginning of the bytes and where it ends; none while it is not all there.
fn parse(bytes: &[u8], url: &WebUrl) -> Result<Option<(Head, usize)>, Error> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut answer = httparse::Response::new(&mut fields);
    let mut rules = httparse::ParserConfig::default();
    rules.ignore_invalid_headers_in_responses(true).allow_multiple_spaces_in_response_status_delimiters(true);
    match rules.parse_response(&mut answer, bytes) {
        Ok(httparse::Status::Partial) => Ok(None),
        Ok(httparse::Status::Complete(end)) if end > HEAD_BYTES => {
            Err(too_much(url, "more than 64 KiB before the page begins"))
        }
        Ok(httparse::Status::Complete(end)) => {
            let fields = answer.headers.iter();
            let fields = fields.map(|field| (field.name.to_ascii_lowercase(), text(field.value))).collect();
            let reason = text(answer.reason.unwrap_or_default().as_bytes());
            let reason = reason.chars().take(100).collect();
            Ok(Some((Head { status: answer.code.unwrap_or_default(), reason, fields }, end)))
        }
        Err(httparse::Error::TooManyHeaders) => Err(too_much(url, "more than 100 header fields")),
        Err(_) => Err(Error::io(url, "it does not speak HTTP")),
    }
}

/// A value as text: what is no UTF-8 is Latin-1, as it was meant to be, and nothing in it moves the cursor.
fn text(value: &[u8]) -> String {
    let text =
        std::str::from_utf8(value).map_or_else(|_| value.iter().map(|byte| char::from(*byte)).collect(), str::to_owned);
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>().trim().to_owned()
}

/// What a proxy says to a tunnel. Read byte by byte: what follows belongs to whoever is behind it.
pub(super) fn status_of_tunnel(line: &mut Line, proxy: &WebUrl, watch: &Watch) -> Result<u16, Error> {
    let mut said = Vec::new();
    let mut byte = [0];
    while said.len() < TUNNEL_BYTES {
        match line.read(&mut byte) {
            Ok(0) => return Err(Error::io(proxy, "the proxy closed the connection")),
            Ok(_) => said.extend_from_slice(&byte),
            Err(cause) => return Err(failed(proxy, &cause, watch)),
        }
        if byte == *b"\n"
            && let Some((head, _)) = parse(&said, proxy)?
        {
            return Ok(head.status);
        }
    }
    Err(too_much(proxy, "more than 8 KiB before the tunnel begins"))
}
