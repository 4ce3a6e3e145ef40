//! A picture as a camera takes it: slopes of light, shapes with edges, grain.

use std::error::Error;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder as _};
use readstone_bench::made::Document;

/// A JPEG of this size, with a comment of one byte at its beginning.
pub(crate) fn jpeg(width: u32, height: u32) -> Result<Document, Box<dyn Error>> {
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for y in 0..height {
        for x in 0..width {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let grain = i64::try_from(state >> 60).unwrap_or(0) - 8;
            let (x, y) = (i64::from(x), i64::from(y));
            let leaf = ((x / 37) * 31 + (y / 29) * 17) % 23 * 3;
            let circle = (x - 1_500).pow(2) + (y - 1_200).pow(2) < 810_000;
            let light = x * 90 / i64::from(width) + y * 70 / i64::from(height) + leaf + grain;
            let colour = if circle { [light + 70, light + 20, light - 10] } else { [light, light + 30, light + 50] };
            pixels.extend(colour.map(|value| u8::try_from(value.clamp(0, 255)).unwrap_or(u8::MAX)));
        }
    }
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, 88).write_image(&pixels, width, height, ExtendedColorType::Rgb8)?;
    let (start, rest) = packed.split_at_checked(2).ok_or("the picture is empty")?;
    let bytes = [start, b"\xFF\xFE\x00\x03-", rest].concat();
    Ok(Document { bytes, spare: 6, text: 0 })
}
