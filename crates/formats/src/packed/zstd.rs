//! Frames of zstd, one after the other, with frames to be skipped between them.

use std::io::{self, BufReader, Read, Seek};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::trouble::Trouble;

/// Unpacks all frames of a stream.
pub(super) struct Frames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    inside: bool,
}

/// Whether a frame of zstd begins here, be it one to be skipped.
pub(super) fn begins(head: &[u8]) -> bool {
    head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) || skippable(head)
}

fn skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

impl<R: Read + Seek> Frames<R> {
    pub(super) fn new(source: BufReader<R>, memory: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(memory);
        Self { source, decoder, inside: false }
    }

    /// Goes to the next frame; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut magic = [0; 4];
            match fill(&mut self.source, &mut magic)? {
                0 => return Ok(false),
                4 => {}
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
            if !skippable(&magic) {
                let source = magic.as_slice().chain(&mut self.source);
                self.decoder.reset(source).map_err(begin_error)?;
                self.inside = true;
                return Ok(true);
            }
            let mut length = [0; 4];
            self.source.read_exact(&mut length)?;
            self.source.seek_relative(i64::from(u32::from_le_bytes(length)))?;
        }
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.inside = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(said), Some(counted)) if said != counted => Err(Trouble::Checksum.into()),
            _ => Ok(()),
        }
    }
}

impl<R: Read + Seek> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside && !self.next_frame()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.end_frame()?;
        }
    }
}

fn begin_error(error: FrameDecoderError) -> io::Error {
    if let FrameDecoderError::WindowSizeTooBig { requested, .. } = error {
        return Trouble::TooBig { what: "a window", asks: Some(requested), limit: "unpack_memory" }.into();
    }
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Fills as much of the buffer as there is.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while let Some(room) = buffer.get_mut(done..).filter(|room| !room.is_empty()) {
        match source.read(room)? {
            0 => break,
            count => done += count,
        }
    }
    Ok(done)
}
