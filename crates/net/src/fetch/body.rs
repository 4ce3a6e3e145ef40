//! The body of an answer: where it ends, and what is kept of one that does not end well.

use std::io::{self, BufRead as _, ErrorKind, Read};
use std::sync::PoisonError;

use readstone_base::plain_words;

use super::chunks::Chunks;
use super::coding::{self, Coding};
use super::head::{Head, Wire};
use super::{Ending, Errand};
use crate::error::Error;
use crate::url::WebUrl;

/// How much is taken at once.
const PIECE: usize = 16 * 1024;
/// What may come on the wire beyond the cap: an encoded body is not much longer than what it stands for.
const WIRE_SLACK: u64 = 1024 * 1024;

/// Where a body ends.
#[derive(Debug)]
enum Framing {
    /// After so many bytes.
    Sized { left: u64 },
    /// After the last chunk.
    Chunked(Chunks),
    /// With the connection.
    Open,
    /// Here.
    Done,
}

/// The bytes of a body as they were sent.
#[derive(Debug)]
pub(super) struct Framed {
    wire: Wire,
    framing: Framing,
    expected: u64,
    /// What came, with what stands between chunks.
    got: u64,
    cap: u64,
    /// Why there is no more, when that is not the end; decoders on top of this have words of their own for it.
    fault: Option<Ending>,
}

/// Reads the body into the pot.
pub(super) fn take(errand: &Errand, head: &Head, wire: Wire, url: &WebUrl) -> Result<Ending, Error> {
    let framing = framing(head).map_err(|why| Error::io(url, why))?;
    let coding = Coding::of(&head.members("content-encoding")).map_err(|why| Error::io(url, why))?;
    let expected = if let Framing::Sized { left } = framing { left } else { 0 };
    let cap = errand.most.saturating_add(errand.most / 8).saturating_add(WIRE_SLACK);
    let mut framed = Framed { wire, framing, expected, got: 0, cap, fault: None };
    let poured = match coding::open(coding, &mut framed) {
        Ok(mut plain) => errand.pour(&mut *plain),
        Err(cause) => Err(cause),
    };
    let ending = match (framed.fault.take(), poured) {
        (None, Ok(ending)) | (Some(_), Ok(ending @ Ending::Cut { .. })) => ending,
        (Some(Ending::Cut { .. }), Ok(_) | Err(_)) => Ending::Cut { most: errand.most },
        (Some(fault), Ok(_) | Err(_)) => fault,
        (None, Err(cause)) if cause.kind() == ErrorKind::TimedOut => Ending::TimedOut,
        (None, Err(_)) => Ending::Broken(format!("its {} is damaged", coding.name())),
    };
    errand.worth(ending, url)
}

impl Errand {
    /// A body of which nothing came is an error, unless it was to be empty or nothing was wanted.
    fn worth(&self, ending: Ending, url: &WebUrl) -> Result<Ending, Error> {
        if let Err(stopped @ readstone_base::Stopped::Cancelled) = self.watch.check() {
            return Err(Error::stopped(url, stopped));
        }
        if !self.pot.body.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return Ok(ending);
        }
        match ending {
            Ending::Whole | Ending::Cut { .. } => Ok(ending),
            Ending::Short { expected, .. } => {
                Err(Error::io(url, format!("it promised {expected} bytes and sent none")))
            }
            Ending::TimedOut => Err(Error::Timeout { host: url.host().to_owned() }),
            Ending::Broken(why) => Err(Error::io(url, why)),
        }
    }

    /// Moves decoded bytes into the pot until there are no more or it is full.
    fn pour(&self, plain: &mut dyn Read) -> io::Result<Ending> {
        let mut piece = [0; PIECE];
        loop {
            self.watch.check().map_err(|_| io::Error::from(ErrorKind::TimedOut))?;
            let came = match plain.read(&mut piece) {
                Ok(0) => return Ok(Ending::Whole),
                Ok(came) => piece.get(..came).unwrap_or_default(),
                Err(cause) if cause.kind() == ErrorKind::Interrupted => continue,
                Err(cause) => return Err(cause),
            };
            let mut body = self.pot.body.lock().unwrap_or_else(PoisonError::into_inner);
            let room = usize::try_from(self.most).unwrap_or(usize::MAX).saturating_sub(body.len());
            let kept = came.get(..room).unwrap_or(came);
            make_room(&mut body, kept.len(), room);
            body.extend_from_slice(kept);
            if kept.len() < came.len() {
                return Ok(Ending::Cut { most: self.most });
            }
        }
    }
}

/// Grows by doubling, but never beyond what may be kept.
fn make_room(body: &mut Vec<u8>, more: usize, room: usize) {
    if body.capacity() - body.len() < more {
        body.reserve_exact(body.len().clamp(PIECE, room.max(PIECE)).max(more));
    }
}

fn framing(head: &Head) -> Result<Framing, String> {
    if matches!(head.status, 204 | 304) {
        return Ok(Framing::Done);
    }
    let mut transfer = head.members("transfer-encoding");
    transfer.retain(|coding| coding != "identity");
    let lengths = head.members("content-length");
    match (transfer.as_slice(), lengths.as_slice()) {
        ([], []) => Ok(Framing::Open),
        ([], [length, others @ ..]) => {
            let digits = length.bytes().all(|byte| byte.is_ascii_digit());
            match length.parse() {
                Ok(left) if digits && others.iter().all(|other| other == length) => Ok(Framing::Sized { left }),
                Ok(_) | Err(_) => Err("its content length is no number".to_owned()),
            }
        }
        ([coding], []) if coding == "chunked" => Ok(Framing::Chunked(Chunks::default())),
        ([..], []) => Err(format!("it is sent in a way that is not known ({})", transfer.join(", "))),
        ([..], [..]) => Err("it says in two ways where the page ends".to_owned()),
    }
}

impl Framed {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let came = match &mut self.framing {
            Framing::Done | Framing::Sized { left: 0 } => 0,
            Framing::Open => self.wire.read(buffer)?,
            Framing::Sized { left } => {
                let room = usize::try_from(*left).unwrap_or(usize::MAX).min(buffer.len());
                let came = self.wire.read(buffer.get_mut(..room).unwrap_or_default())?;
                if came == 0 && room > 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                *left = left.saturating_sub(came as u64);
                came
            }
            Framing::Chunked(_) => return self.next_chunks(buffer),
        };
        self.got = self.got.saturating_add(came as u64);
        Ok(came)
    }

    /// Waits for bytes only while there are none to hand on.
    fn next_chunks(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Framing::Chunked(chunks) = &mut self.framing else { return Ok(0) };
        while !chunks.done() && !buffer.is_empty() && self.got <= self.cap {
            let bytes = self.wire.fill_buf()?;
            let ended = bytes.is_empty();
            let fed = chunks.feed(bytes, buffer)?;
            self.wire.consume(fed.used);
            self.got = self.got.saturating_add(fed.used as u64);
            if fed.made > 0 {
                return Ok(fed.made);
            }
            if ended {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        if self.got > self.cap { Err(self.too_long()) } else { Ok(0) }
    }

    /// Ends a body that is longer on the wire than what it stands for may be.
    fn too_long(&mut self) -> io::Error {
        self.fault = Some(Ending::Cut { most: self.cap });
        ErrorKind::UnexpectedEof.into()
    }

    fn fault(&self, cause: &io::Error) -> Ending {
        let kind = cause.kind();
        if kind == ErrorKind::TimedOut {
            return Ending::TimedOut;
        }
        if kind != ErrorKind::UnexpectedEof {
            return Ending::Broken(plain_words(cause));
        }
        if matches!(self.framing, Framing::Sized { .. }) {
            return Ending::Short { expected: self.expected, got: self.got };
        }
        Ending::Broken("the connection ended in the middle of it".to_owned())
    }
}

impl Read for Framed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.fault.is_some() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if self.got > self.cap {
            return Err(self.too_long());
        }
        self.next(buffer).inspect_err(|cause| {
            if self.fault.is_none() {
                self.fault = Some(self.fault(cause));
            }
        })
    }
}
