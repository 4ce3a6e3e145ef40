//! Recipes of pictures.

use std::io::{Cursor, Write};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use readstone_convert::{Copy, Facts, Frame, Look, Refusal, Region, picture};

/// What the program asks for where nothing else is set.
pub(crate) const FRAME: Frame =
    Frame { pixels: 100_000_000, memory: 384 << 20, side: 1568, target_bytes: 500 << 10, most_bytes: 2 << 20 };

pub(crate) fn facts(bytes: &[u8]) -> Result<Facts, Refusal> {
    picture(bytes, &Look::Facts, &FRAME).map(|(facts, copy)| {
        assert_eq!(copy, None);
        facts
    })
}

pub(crate) fn whole(bytes: &[u8], frame: &Frame) -> Result<Copy, Refusal> {
    picture(bytes, &Look::Whole, frame).map(|(_, copy)| copy.unwrap())
}

pub(crate) fn crop(bytes: &[u8], x: u32, y: u32, width: u32, height: u32) -> Result<Copy, Refusal> {
    picture(bytes, &Look::Crop(Region { x, y, width, height }), &FRAME).map(|(_, copy)| copy.unwrap())
}

/// The pixels of a copy, read by its own media type.
pub(crate) fn shown(copy: &Copy) -> DynamicImage {
    let format = ImageFormat::from_mime_type(&copy.mime).unwrap();
    let image = image::load_from_memory_with_format(&copy.bytes, format).unwrap();
    assert_eq!((image.width(), image.height()), (copy.width, copy.height));
    image
}

pub(crate) fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A random number from a place and a seed.
pub(crate) fn noise(x: u32, y: u32, seed: u32) -> u32 {
    let mut n = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca6b) ^ seed.wrapping_mul(0xc2b2_ae35);
    n = (n ^ n >> 15).wrapping_mul(0x2c1b_3c6d);
    n = (n ^ n >> 12).wrapping_mul(0x297a_2d39);
    n ^ n >> 15
}

/// Every pixel at random, which nothing can compress.
pub(crate) fn noisy(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let [red, green, blue, _] = noise(x, y, 7).to_le_bytes();
        Rgb([red, green, blue])
    })
}

/// Squares of eight pixels, no two of the same colour beside each other, which JPEG keeps.
pub(crate) fn squares(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let [red, green, blue, _] = noise(x / 8, y / 8, 3).to_le_bytes();
        Rgb([red, green, blue])
    })
}

pub(crate) fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(data.len()).unwrap().to_be_bytes().to_vec();
    let named = [name.as_slice(), data].concat();
    bytes.extend(&named);
    bytes.extend(crc32fast::hash(&named).to_be_bytes());
    bytes
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A PNG of eight bits grey with a size that its pixels need not have.
pub(crate) fn png_saying(width: u32, height: u32, between: &[u8], pixels: &[u8]) -> Vec<u8> {
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([8, 0, 0, 0, 0]);
    let parts = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(*b"IHDR", &head),
        between.to_vec(),
        chunk(*b"IDAT", pixels),
        chunk(*b"IEND", b""),
    ];
    parts.concat()
}

/// EXIF data that say how the camera was held.
pub(crate) fn exif(turn: u8) -> Vec<u8> {
    let mut bytes = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    bytes.extend([turn, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// A JPEG that must be turned.
pub(crate) fn jpeg_turned(image: &RgbImage, turn: u8) -> Vec<u8> {
    let mut plain = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut plain, 95).encode_image(image).unwrap();
    let segment = [b"Exif\0\0".to_vec(), exif(turn)].concat();
    let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], b"\xff\xe1", &length, &segment, &plain[2..]].concat()
}

/// A PNG that must be turned.
pub(crate) fn png_turned(image: &RgbImage, turn: u8) -> Vec<u8> {
    let plain = encoded(&DynamicImage::ImageRgb8(image.clone()), ImageFormat::Png);
    [&plain[..33], &chunk(*b"eXIf", &exif(turn)), &plain[33..]].concat()
}

/// How a picture is stored by a camera that was held so.
pub(crate) fn as_stored(upright: &RgbImage, turn: u8) -> RgbImage {
    let (wide, high) = upright.dimensions();
    let (width, height) = if turn >= 5 { (high, wide) } else { (wide, high) };
    RgbImage::from_fn(width, height, |x, y| {
        // The first row of what is stored is this side of the picture, and the first column that one.
        let (x, y) = match turn {
            1 => (x, y),
            2 => (wide - 1 - x, y),
            3 => (wide - 1 - x, high - 1 - y),
            4 => (x, high - 1 - y),
            5 => (y, x),
            6 => (wide - 1 - y, x),
            7 => (wide - 1 - y, high - 1 - x),
            _ => (y, high - 1 - x),
        };
        *upright.get_pixel(x, y)
    })
}

/// A GIF with so many frames of the given size.
pub(crate) fn gif(side: u16, frames: usize) -> Vec<u8> {
    let side = side.to_le_bytes();
    let mut bytes = [b"GIF89a".as_slice(), &side, &side, b"\x80\0\0\0\0\0\xff\xff\xff"].concat();
    for _ in 0..frames {
        bytes.extend(b"\x21\xf9\x04\0\x01\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0");
    }
    bytes.push(b';');
    bytes
}
