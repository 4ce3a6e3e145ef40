//! Decoding, within the bounds of a frame.

use std::io::Cursor;

use image::error::ImageError;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::flat::Flat;
use super::header::{Header, best_of_icon};
use super::kind::Kind;
use crate::{Frame, Refusal};

/// Decodes the first frame of a picture, lying as it is stored.
pub(super) fn decode(bytes: &[u8], header: &Header, frame: &Frame) -> Result<Flat, Refusal> {
    let pixels = u64::from(header.width) * u64::from(header.height);
    if pixels > frame.pixels {
        return Err(Refusal::TooLarge { limit: "pixels".to_owned(), value: frame.pixels });
    }
    match header.kind {
        Kind::Jpeg => jpeg(bytes, header, frame),
        Kind::Png => png(bytes, header, frame),
        Kind::Gif => general(bytes, ImageFormat::Gif, header, frame),
        Kind::Webp => general(bytes, ImageFormat::WebP, header, frame),
        Kind::Bmp => general(bytes, ImageFormat::Bmp, header, frame),
        Kind::Tiff => general(bytes, ImageFormat::Tiff, header, frame),
        Kind::Ico => icon(bytes, header, frame),
        Kind::Avif => Err(undecodable("AVIF")),
        Kind::Heic | Kind::Heif => Err(undecodable("HEIF")),
        Kind::Jxl => Err(undecodable("JPEG XL")),
    }
}

fn undecodable(name: &str) -> Refusal {
    Refusal::Unsupported { what: format!("{name} pictures cannot be decoded") }
}

fn cut_off() -> Refusal {
    Refusal::Damaged("it ends too early".to_owned())
}

fn disagreement() -> Refusal {
    Refusal::Damaged("its parts do not agree on its size".to_owned())
}

fn too_much_memory(frame: &Frame) -> Refusal {
    Refusal::TooLarge { limit: "memory".to_owned(), value: frame.memory }
}

fn general(bytes: &[u8], format: ImageFormat, header: &Header, frame: &Frame) -> Result<Flat, Refusal> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(frame.memory);
    limits.max_image_width = Some(header.width);
    limits.max_image_height = Some(header.height);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let refuse = |error: ImageError| refusal(&error, frame);
    let decoder = reader.into_decoder().map_err(refuse)?;
    if decoder.dimensions() != (header.width, header.height) {
        return Err(disagreement());
    }
    // Deep colours are brought to eight bits in a second buffer.
    let depth = u64::from(decoder.color_type().bytes_per_pixel());
    let pixels = u64::from(header.width) * u64::from(header.height);
    if pixels.saturating_mul(if depth > 4 { depth + 4 } else { depth }) > frame.memory {
        return Err(too_much_memory(frame));
    }
    DynamicImage::from_decoder(decoder).map(Flat::from_image).map_err(refuse)
}

fn refusal(error: &ImageError, frame: &Frame) -> Refusal {
    match error {
        ImageError::Limits(_) => too_much_memory(frame),
        ImageError::Unsupported(error) => Refusal::Unsupported { what: short(&error.to_string()) },
        ImageError::Decoding(error) => Refusal::Damaged(short(&error.to_string())),
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => cut_off(),
        ImageError::Encoding(_) | ImageError::Parameter(_) | ImageError::IoError(_) => {
            Refusal::Damaged(short(&error.to_string()))
        }
    }
}

/// The first line of what a library says, where that is not too long.
fn short(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(120).collect()
}

/// Decodes the best picture of an icon. Its directory is made anew, because the sizes in it are often wrong.
fn icon(bytes: &[u8], header: &Header, frame: &Frame) -> Result<Flat, Refusal> {
    let picture = best_of_icon(bytes)?;
    if picture.starts_with(b"\x89PNG") {
        return png(picture, header, frame);
    }
    let side = |pixels: u32| u8::try_from(pixels).unwrap_or(0);
    let mut alone = vec![0, 0, 1, 0, 1, 0, side(header.width), side(header.height), 0, 0, 1, 0, 32, 0];
    alone.extend(u32::try_from(picture.len()).unwrap_or(u32::MAX).to_le_bytes());
    alone.extend(22_u32.to_le_bytes());
    alone.extend(picture);
    general(&alone, ImageFormat::Ico, header, frame)
}

fn png(bytes: &[u8], header: &Header, frame: &Frame) -> Result<Flat, Refusal> {
    let refuse = |error: png::DecodingError| match error {
        png::DecodingError::LimitsExceeded => too_much_memory(frame),
        png::DecodingError::IoError(ref error) if error.kind() == std::io::ErrorKind::UnexpectedEof => cut_off(),
        png::DecodingError::Format(_) | png::DecodingError::Parameter(_) | png::DecodingError::IoError(_) => {
            Refusal::Damaged(short(&error.to_string()))
        }
    };
    let limits = png::Limits { bytes: usize::try_from(frame.memory).unwrap_or(usize::MAX) };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(refuse)?;
    let room = reader.output_buffer_size().filter(|room| u64::try_from(*room).is_ok_and(|room| room <= frame.memory));
    let mut data = vec![0; room.ok_or_else(|| too_much_memory(frame))?];
    let info = reader.next_frame(&mut data).map_err(refuse)?;
    if (info.width, info.height) != (header.width, header.height) {
        return Err(disagreement());
    }
    let (channels, data) = match info.color_type {
        png::ColorType::Grayscale => (1, data),
        png::ColorType::GrayscaleAlpha => {
            (4, data.as_chunks::<2>().0.iter().flat_map(|[grey, alpha]| [*grey, *grey, *grey, *alpha]).collect())
        }
        png::ColorType::Rgb | png::ColorType::Indexed => (3, data),
        png::ColorType::Rgba => (4, data),
    };
    Ok(Flat::of(header.width, header.height, channels, data))
}

fn jpeg(bytes: &[u8], header: &Header, frame: &Frame) -> Result<Flat, Refusal> {
    let (width, height) = (header.width, header.height);
    let (colours, channels) = if header.channels == Some(1) { (ColorSpace::Luma, 1) } else { (ColorSpace::RGB, 3) };
    let values = u64::from(width) * u64::from(height) * u64::from(channels);
    if values.saturating_add(header.scratch) > frame.memory {
        return Err(too_much_memory(frame));
    }
    let side = usize::from(u16::MAX);
    let options = DecoderOptions::default().set_max_width(side).set_max_height(side).jpeg_set_out_colorspace(colours);
    let run = |options| JpegDecoder::new_with_options(ZCursor::new(bytes), options).decode();
    let data = match run(options.set_strict_mode(true)) {
        Ok(data) => data,
        // A lenient decoder makes something of harmless faults, and grey of what is missing.
        Err(fault) => run(options.set_strict_mode(false))
            .ok()
            .filter(|data| !ends_grey(data, width, channels))
            .ok_or_else(|| Refusal::Damaged(short(&format!("{fault:?}"))))?,
    };
    if u64::try_from(data.len()) != Ok(values) {
        return Err(disagreement());
    }
    Ok(Flat::of(width, height, usize::from(channels), data))
}

/// Whether the last row is what the decoder fills in where nothing was left to decode.
fn ends_grey(data: &[u8], width: u32, channels: u8) -> bool {
    let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(usize::from(channels));
    data.iter().rev().take(row).all(|value| *value == 128)
}
