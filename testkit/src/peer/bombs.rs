//! Bodies that are small on the wire and large behind it, made by hand where no packer would make them.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;

/// gzip of so many zeros.
pub(super) fn gzip(zeros: u64) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    io::copy(&mut io::repeat(0).take(zeros), &mut packer)?;
    packer.finish()
}

/// gzip of something.
pub(super) fn gzip_of(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

/// Zstandard of 512 MiB: 4096 blocks that each repeat one byte 128 KiB times, 16 KiB on the wire.
pub(super) fn zstd() -> Vec<u8> {
    // The magic number, no optional fields, a window of 8 MiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 13 << 3];
    for block in 0..4096u32 {
        let last = u32::from(block == 4095);
        let header = last | (1 << 1) | ((128 * 1024) << 3);
        frame.extend(header.to_le_bytes().iter().take(3));
        frame.push(b'z');
    }
    frame
}

/// Brotli of 512 MiB: 32 blocks of one letter and one copy of it, 16 MiB long.
pub(super) fn brotli() -> Vec<u8> {
    let mut bits = Bits::default();
    // A window of 24 bits.
    bits.put(0b1111, 4);
    for _ in 0..32 {
        // Not the last; six nibbles of length; packed.
        bits.put(0, 1);
        bits.put(2, 2);
        bits.put(0xff_ffff, 24);
        bits.put(0, 1);
        // One type of each block, plain distances, one literal context, one tree of each kind.
        bits.put(0, 3 + 6 + 2 + 2);
        // Three codes of a single symbol: the letter, "insert one, copy many", a distance of one or two.
        for (symbol, width) in [(u32::from(b'b'), 8), (399, 10), (16, 6)] {
            bits.put(1, 2);
            bits.put(0, 2);
            bits.put(symbol, width);
        }
        // How many, beyond 2118; then the lower distance.
        bits.put(0xff_ffff - 2118, 24);
        bits.put(0, 1);
    }
    // The last one, which is empty.
    bits.put(0b11, 2);
    bits.bytes
}

/// Brotli of something, as it is.
pub(super) fn brotli_of(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for (at, piece) in bytes.chunks(1 << 16).enumerate() {
        let mut bits = Bits::default();
        // A window of 16 bits comes first and once.
        bits.put(0, u32::from(at == 0));
        bits.put(0, 1 + 2);
        bits.put(u32::try_from(piece.len() - 1).unwrap_or_default(), 16);
        bits.put(1, 1);
        packed.extend(bits.bytes);
        packed.extend_from_slice(piece);
    }
    packed.push(0b11);
    packed
}

/// Zstandard of something, as it is, with a window that holds all of it.
pub(super) fn zstd_of(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 13 << 3];
    for piece in bytes.chunks(4096) {
        let size = u32::try_from(piece.len()).unwrap_or_default();
        frame.extend((size << 3).to_le_bytes().iter().take(3));
        frame.extend_from_slice(piece);
    }
    frame.extend_from_slice(&[1, 0, 0]);
    frame
}

/// Bits, lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: u32, width: u32) {
        for at in 0..width {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = u8::from((value >> at) & 1 == 1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << (self.used % 8);
            }
            self.used += 1;
        }
    }
}
