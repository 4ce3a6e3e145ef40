//! How a body is packed for the way: in one layer, of three kinds.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use brotli_decompressor::Decompressor;
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How much of the packed bytes is held.
const PACKED: usize = 16 * 1024;
/// The largest window of Zstandard on the web (RFC 9659).
const ZSTD_WINDOW: u64 = 8 * 1024 * 1024;
/// How a brotli stream begins whose window may be a gigabyte; the web has none.
const BROTLI_LARGE: u8 = 0x11;

/// The one layer a body is packed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// None.
    Plain,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
    /// Zstandard.
    Zstd,
}

impl Coding {
    /// The coding that the members of `Content-Encoding` name.
    pub(super) fn of(members: &[String]) -> Result<Self, String> {
        let mut layers = members.iter().map(String::as_str).filter(|name| *name != "identity");
        let coding = match layers.next() {
            None => Self::Plain,
            Some("gzip" | "x-gzip") => Self::Gzip,
            Some("br") => Self::Brotli,
            Some("zstd") => Self::Zstd,
            Some(other) => return Err(format!("it is packed in a way that was not asked for ({other})")),
        };
        match layers.next() {
            None => Ok(coding),
            Some(_) => Err(format!("it is packed more than once ({})", members.join(", "))),
        }
    }

    /// Its name in a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plain => "body",
            Self::Gzip => "gzip coding",
            Self::Brotli => "brotli coding",
            Self::Zstd => "zstd coding",
        }
    }
}

/// The decoded bytes of a body. A body of no bytes is empty in every coding.
pub(super) fn open<'a>(coding: Coding, packed: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    if coding == Coding::Plain {
        return Ok(Box::new(packed));
    }
    let mut packed = BufReader::with_capacity(PACKED, packed);
    let Some(first) = packed.fill_buf()?.first().copied() else {
        return Ok(Box::new(io::empty()));
    };
    Ok(match coding {
        Coding::Plain => Box::new(packed),
        Coding::Gzip => Box::new(Members::new(packed)),
        Coding::Brotli if first & 0x7f == BROTLI_LARGE => return Err(ErrorKind::InvalidData.into()),
        Coding::Brotli => Box::new(Decompressor::new(packed, PACKED)),
        Coding::Zstd => Box::new(Frames::new(packed)?),
    })
}

/// Members of gzip, one after the other. What follows them and is none is no part of the body, as for browsers.
struct Members<R: BufRead> {
    decoder: MultiGzDecoder<R>,
    /// Whether the first is one at all.
    begun: bool,
}

impl<R: BufRead> Members<R> {
    fn new(packed: R) -> Self {
        let decoder = MultiGzDecoder::new(packed);
        let begun = decoder.header().is_some();
        Self { decoder, begun }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.decoder.read(buffer) {
            // Every member before is whole, and there is no header of another.
            Err(_) if self.begun && self.decoder.header().is_none() => Ok(0),
            done => done,
        }
    }
}

/// Frames of Zstandard, one after the other.
struct Frames<R: BufRead> {
    packed: R,
    decoder: FrameDecoder,
    /// What went wrong, to be told after everything that was decoded before.
    fault: Option<io::Error>,
}

/// An empty block that is the last, and a checksum for frames that have one.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl<R: BufRead> Frames<R> {
    fn new(mut packed: R) -> io::Result<Self> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(ZSTD_WINDOW);
        decoder.init(&mut packed).map_err(io::Error::other)?;
        Ok(Self { packed, decoder, fault: None })
    }

    /// Decodes the next block. The decoder holds back as much as its window, which for most pages is everything, so a
    /// frame that breaks off is ended for it.
    fn next_block(&mut self) -> io::Result<()> {
        let one = || BlockDecodingStrategy::UptoBlocks(1);
        let Err(cause) = self.decoder.decode_blocks(&mut self.packed, one()) else { return Ok(()) };
        self.decoder.decode_blocks(LAST_BLOCK.as_slice(), one()).map_err(io::Error::other)?;
        self.fault = Some(io::Error::other(cause));
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                self.next_block()?;
            } else if let Some(cause) = self.fault.take() {
                return Err(cause);
            } else if self.packed.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.decoder.reset(&mut self.packed).map_err(io::Error::other)?;
            }
        }
        self.decoder.read(buffer)
    }
}
