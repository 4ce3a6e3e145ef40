//! Crafted pictures: headers that claim anything, with or without pixels behind them.

#![expect(clippy::missing_panics_doc, reason = "everything here panics when it cannot do its part of a test")]

use std::io::Write as _;

use flate2::{Compression, Crc};

/// Recipes for pictures.
#[derive(Clone, Copy, Debug)]
pub struct Pixels;

#[expect(clippy::expect_used, reason = "a recipe that fails must stop the test")]
impl Pixels {
    /// A stream as PNG and PDF pack it.
    pub fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("zlib")
    }

    /// A chunk of a PNG.
    pub fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).expect("a chunk holds no more").to_be_bytes();
        let named = [name.as_bytes(), data].concat();
        let mut crc = Crc::new();
        crc.update(&named);
        [&length[..], &named, &crc.sum().to_be_bytes()].concat()
    }

    /// A PNG of eight bits of grey that claims this size, with chunks between its header and its pixels.
    pub fn png(width: u32, height: u32, between: &[u8], pixels: &[u8]) -> Vec<u8> {
        let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
        let parts =
            [Self::chunk("IHDR", &head), between.to_vec(), Self::chunk("IDAT", pixels), Self::chunk("IEND", b"")];
        [b"\x89PNG\r\n\x1a\n".to_vec(), parts.concat()].concat()
    }

    /// A sound PNG of a grey that grows from left to right.
    pub fn sound(width: u32, height: u32) -> Vec<u8> {
        let row: Vec<u8> = [0].into_iter().chain((0..width).map(|x| x.to_le_bytes()[0])).collect();
        Self::png(width, height, b"", &Self::zlib(&row.repeat(height as usize)))
    }

    /// A GIF of so many frames of one pixel on a screen of this size.
    pub fn gif(side: u16, frames: usize) -> Vec<u8> {
        let side = side.to_le_bytes();
        let head = [b"GIF89a", &side[..], &side, b"\x80\0\0\0\0\0\xff\xff\xff"].concat();
        let frame = b"\x21\xf9\x04\0\x01\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";
        [head, frame.repeat(frames), b";".to_vec()].concat()
    }

    /// A TIFF of one directory: tag, kind, count and value of every field, and where the next directory is.
    pub fn tiff(fields: &[(u16, u16, u32, u32)], next: u32) -> Vec<u8> {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        bytes.extend(u16::try_from(fields.len()).expect("a directory holds no more").to_le_bytes());
        for (tag, kind, count, value) in fields {
            bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
            bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
        }
        bytes.extend(next.to_le_bytes());
        bytes.extend([0; 64]);
        bytes
    }

    /// An icon whose one picture is said to have this length and to begin there.
    pub fn icon(length: u32, start: u32, data: &[u8]) -> Vec<u8> {
        let head = b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0";
        [&head[..], &length.to_le_bytes(), &start.to_le_bytes(), data].concat()
    }
}
