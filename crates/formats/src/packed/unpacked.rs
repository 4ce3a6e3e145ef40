//! Streams that can be read from their beginning only: bzip2, xz, zstd.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use bzip2::read::MultiBzDecoder;
use crc32fast::Hasher;
use lzma_rust2::XzReader;
use readstone_base::{Blob, Stamp};

use super::feed::Input;
use super::part::Origin;
use super::trail::Trail;
use super::trouble::{Trouble, at_hand};
use super::zstd::Frames;

/// Bytes unpacked in one go.
const CHUNK: usize = 128 * 1024;
/// What a decoder is asked for at a time: what it made of a request before it failed is lost.
const PIECE: usize = 16 * 1024;
/// Bytes kept for small steps back.
const RECENT: usize = 1024 * 1024;

/// How a stream is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// bzip2, one stream after the other.
    Bzip2,
    /// xz, one stream after the other.
    Xz,
    /// zstd, one frame after the other.
    Zstd,
}

/// What was declared of a stream elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    /// Its size.
    pub(crate) size: u64,
    /// Its checksum.
    pub(crate) crc: u32,
}

/// The bytes inside a stream.
#[derive(Debug)]
pub(crate) struct Unpacked {
    origin: Origin,
    input: Input,
    method: Method,
    declared: Option<Declared>,
    trail: Arc<Trail>,
    /// Bytes of memory that unpacking may take.
    memory: u64,
    stream: Mutex<Option<Stream>>,
}

struct Stream {
    reader: Box<dyn Read + Send>,
    recent: Vec<u8>,
    start: u64,
    crc: Hasher,
    ended: bool,
    failed: Option<Trouble>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("start", &self.start).finish_non_exhaustive()
    }
}

impl Unpacked {
    pub(crate) fn new(origin: Origin, input: Input, method: Method, trail: Arc<Trail>, memory: u64) -> Self {
        Self { origin, input, method, declared: None, trail, memory, stream: Mutex::default() }
    }

    /// The same stream, held to what was declared of it.
    pub(crate) fn declared(self, declared: Declared) -> Self {
        Self { declared: Some(declared), ..self }
    }

    fn begin(&self) -> Stream {
        let source = Source { input: self.input.clone(), at: self.input.range.start, trail: Arc::clone(&self.trail) };
        let source = BufReader::with_capacity(64 * 1024, source);
        let reader: Box<dyn Read + Send> = match self.method {
            Method::Bzip2 => Box::new(MultiBzDecoder::new(source)),
            Method::Xz => {
                let kilobytes = u32::try_from(self.memory / 1024).unwrap_or(u32::MAX - 1);
                Box::new(XzReader::new_mem_limit(source, true, kilobytes))
            }
            Method::Zstd => Box::new(Frames::new(source, self.memory)),
        };
        Stream { reader, recent: Vec::new(), start: 0, crc: Hasher::new(), ended: false, failed: None }
    }

    fn fill(&self, stream: &mut Stream) -> io::Result<()> {
        if let Some(trouble) = &stream.failed {
            return Err(trouble.clone().into());
        }
        self.input.go_on()?;
        if stream.recent.len() > 2 * RECENT {
            let drop = stream.recent.len() - RECENT;
            stream.recent.drain(..drop);
            stream.start += drop as u64;
        }
        let before = stream.recent.len();
        stream.recent.resize(before + CHUNK, 0);
        let mut made = 0;
        let result = loop {
            let end = (before + made + PIECE).min(stream.recent.len());
            let room = stream.recent.get_mut(before + made..end).unwrap_or_default();
            // Some decoders take a request for nothing for the end.
            if room.is_empty() {
                break Ok(());
            }
            match stream.reader.read(room) {
                Ok(0) => break Ok(()),
                Ok(count) => made += count,
                Err(error) => break Err(error),
            }
        };
        stream.recent.truncate(before + made);
        stream.crc.update(stream.recent.get(before..).unwrap_or_default());
        let outcome = result.map_err(|error| self.trouble(&error)).and_then(|()| self.account(stream, made));
        match outcome {
            Err(trouble @ Trouble::Stopped(_)) => {
                // What the decoder holds after an error of its source is not known.
                stream.failed = Some(trouble.clone());
                Err(trouble.into())
            }
            Err(trouble) => {
                stream.failed = Some(trouble.clone());
                if made == 0 { Err(trouble.into()) } else { Ok(()) }
            }
            Ok(()) => Ok(()),
        }
    }

    /// Compares what came so far with what was declared.
    fn account(&self, stream: &mut Stream, made: usize) -> Result<(), Trouble> {
        let position = stream.start + stream.recent.len() as u64;
        self.trail.reach(position);
        let ended = made < CHUNK;
        if let Some(Declared { size, crc }) = self.declared {
            if position > size || (ended && position < size) {
                return Err(Trouble::Size { declared: size });
            }
            if ended && stream.crc.clone().finalize() != crc {
                return Err(Trouble::Checksum);
            }
        }
        if ended {
            stream.ended = true;
            self.trail.end(position, 0);
        }
        Ok(())
    }

    fn trouble(&self, error: &io::Error) -> Trouble {
        if let Some(trouble) = super::trouble_in(error) {
            return trouble.clone();
        }
        let at = self.input.range.end.saturating_sub(self.trail.left());
        if error.kind() == io::ErrorKind::OutOfMemory {
            Trouble::TooBig { what: "a dictionary", asks: None, limit: "unpack_memory" }
        } else if super::trouble::ends_early(error) {
            Trouble::Cut { at: self.input.range.end }
        } else {
            Trouble::Damaged { at }
        }
    }
}

impl Blob for Unpacked {
    fn len(&self) -> Option<u64> {
        self.declared.map(|declared| declared.size).or_else(|| self.trail.length())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut slot = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_some_and(|stream| stream.start > offset) {
            *slot = None;
        }
        let stream = slot.get_or_insert_with(|| self.begin());
        let mut done = 0;
        while let Some(room) = buffer.get_mut(done..).filter(|room| !room.is_empty()) {
            let at = super::size(offset + done as u64 - stream.start);
            let copied = super::copy(stream.recent.get(at..).unwrap_or_default(), room);
            done += copied;
            if copied == 0 {
                if stream.ended {
                    break;
                }
                if let Err(error) = self.fill(stream) {
                    return at_hand(done, error);
                }
            }
        }
        Ok(done)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.origin.now(self.len())
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.origin.when_opened(self.len())
    }

    fn is_serial(&self) -> bool {
        true
    }
}

/// Reads the compressed bytes in order.
struct Source {
    input: Input,
    at: u64,
    trail: Arc<Trail>,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // What holds nothing is unpacked in one go, however long it is.
        self.input.go_on()?;
        let rest = super::size(self.input.range.end.saturating_sub(self.at)).min(buffer.len());
        let count = self.input.source.read_at(self.at, buffer.get_mut(..rest).unwrap_or_default())?;
        self.at += count as u64;
        self.trail.take(self.at, self.input.range.end);
        Ok(count)
    }
}

/// Leaves out what need not be read; a stream is never gone back in.
impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.input.range.end.checked_add_signed(by),
        };
        self.at = at.filter(|at| *at <= self.input.range.end).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.trail.take(self.at, self.input.range.end);
        Ok(self.at)
    }
}
