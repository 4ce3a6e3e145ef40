//! The body of an answer: where it ends, and what is kept of one that does not end well.

use std::io::{self, ErrorKind, Read};
use std::sync::PoisonError;

use readstone_base::plain_words;

use super::coding::{self, Coding};
use super::head::{Head, Wire};
use super::{Ending, Errand};
use crate::error::Error;
use crate::url::WebUrl;

/// How much is taken at once.
const PIECE: usize = 16 * 1024;
/// The line before a chunk has at most this many bytes.
const CHUNK_LINE: usize = 4 * 1024;
/// What may come on the wire beyond the cap: an encoded body is not much longer than what it stands for.
const WIRE_SLACK: u64 = 1024 * 1024;

/// Where a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// After so many bytes.
    Sized { left: u64 },
    /// After the last chunk; so many bytes of this one are left.
    Chunked { left: u64 },
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
        ([coding], []) if coding == "chunked" => Ok(Framing::Chunked { left: 0 }),
        ([..], []) => Err(format!("it is sent in a way that is not known ({})", transfer.join(", "))),
        ([..], [..]) => Err("it says in two ways where the page ends".to_owned()),
    }
}

impl Framed {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.framing {
            Framing::Done | Framing::Sized { left: 0 } => Ok(0),
            Framing::Open => self.wire.read(buffer),
            Framing::Sized { left } => {
                let came = self.some(buffer, left)?;
                self.framing = Framing::Sized { left: left.saturating_sub(came as u64) };
                Ok(came)
            }
            Framing::Chunked { left: 0 } => match self.chunk_size()? {
                0 => {
                    self.framing = Framing::Done;
                    Ok(0)
                }
                left => self.in_chunk(buffer, left),
            },
            Framing::Chunked { left } => self.in_chunk(buffer, left),
        }
    }

    /// Bytes of which at least one must come.
    fn some(&mut self, buffer: &mut [u8], left: u64) -> io::Result<usize> {
        let room = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        match self.wire.read(buffer.get_mut(..room).unwrap_or_default())? {
            0 if room > 0 => Err(ErrorKind::UnexpectedEof.into()),
            came => Ok(came),
        }
    }

    fn in_chunk(&mut self, buffer: &mut [u8], left: u64) -> io::Result<usize> {
        let came = self.some(buffer, left)?;
        let left = left.saturating_sub(came as u64);
        self.framing = Framing::Chunked { left };
        if left == 0 && came > 0 && !self.line()?.is_empty() {
            return Err(bad_chunk());
        }
        Ok(came)
    }

    fn chunk_size(&mut self) -> io::Result<u64> {
        let line = self.line()?;
        let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let digits = std::str::from_utf8(digits).map_err(|_| bad_chunk())?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !plain {
            return Err(bad_chunk());
        }
        u64::from_str_radix(digits, 16).map_err(|_| bad_chunk())
    }

    /// A line of the framing, without its end.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < CHUNK_LINE {
            self.some(&mut byte, 1)?;
            if byte == *b"\n" {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(line);
            }
            line.extend_from_slice(&byte);
        }
        Err(bad_chunk())
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

fn bad_chunk() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "its chunks are damaged")
}

impl Read for Framed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.fault.is_some() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if self.got > self.cap {
            self.fault = Some(Ending::Cut { most: self.cap });
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let came = self.next(buffer).inspect_err(|cause| {
            self.fault = Some(self.fault(cause));
        })?;
        self.got = self.got.saturating_add(came as u64);
        Ok(came)
    }
}
