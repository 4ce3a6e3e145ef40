//! Making bytes of pixels that are not too many.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::flat::Flat;
use super::shrink::{shrink, unweigh, weigh_by_alpha};
use crate::{Frame, Refusal};

/// How good the JPEGs are that are tried, and what each has at least, in hundredths of the bytes of the first.
const QUALITIES: [(u8, u64); 5] = [(75, 80), (70, 75), (60, 55), (50, 45), (40, 35)];
/// Sides that are tried where no quality helps, in hundredths of the first ones.
const SIDES: [u32; 5] = [100, 75, 50, 35, 25];
/// Below this no side is made smaller.
const LEAST_SIDE: u32 = 100;
/// Pixels of a picture so small that it is tried without loss in any case.
const SMALL: u64 = 256 * 256;

/// An encoded picture.
pub(super) struct Encoded {
    pub(super) mime: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bytes: Vec<u8>,
}

/// Encodes a picture within the bytes that are aimed at, or at least within those that are never exceeded.
pub(super) fn encode(flat: &Flat, frame: &Frame) -> Result<Encoded, Refusal> {
    let mut best = None;
    if flat.has_alpha() || is_drawing(flat) || u64::from(flat.width) * u64::from(flat.height) <= SMALL {
        let exact = exact(flat, frame.target_bytes)?;
        // Without loss where that costs next to nothing, and where transparency would be lost.
        if fits(&exact, frame.target_bytes / 4) || (flat.has_alpha() && fits(&exact, frame.target_bytes)) {
            return within(exact, frame);
        }
        best = Some(exact);
    }
    let laid;
    let opaque = if flat.has_alpha() {
        laid = flat.on_white();
        &laid
    } else {
        flat
    };
    within(lossy(opaque, best, frame.target_bytes)?, frame)
}

fn within(encoded: Encoded, frame: &Frame) -> Result<Encoded, Refusal> {
    if fits(&encoded, frame.most_bytes) {
        Ok(encoded)
    } else {
        Err(Refusal::TooLarge { limit: "most_bytes".to_owned(), value: frame.most_bytes })
    }
}

/// The first step of the ladder that fits; where none does, the smallest.
fn lossy(flat: &Flat, exact: Option<Encoded>, target: u64) -> Result<Encoded, Refusal> {
    let [(quality, _), ..] = QUALITIES;
    let first = jpeg(flat, quality)?;
    let full = u64::try_from(first.bytes.len()).unwrap_or(u64::MAX);
    let mut best = smaller(exact, first);
    let steps = steps(flat);
    for (index, step) in steps.iter().enumerate() {
        if fits(&best, target) {
            break;
        }
        // Steps that cannot fit cost time only; the last one is the smallest there is.
        if step.least(full) <= target || index + 1 == steps.len() {
            best = smaller(Some(best), step.take(flat)?);
        }
    }
    Ok(best)
}

/// A step of the ladder.
struct Step {
    hundredths: u32,
    quality: u8,
    share: u64,
}

/// The steps below the first one, down to the least side.
fn steps(flat: &Flat) -> Vec<Step> {
    let tall_enough =
        |hundredths: &u32| *hundredths == 100 || part(flat.width.min(flat.height), *hundredths) >= LEAST_SIDE;
    let sides = SIDES.into_iter().take_while(tall_enough);
    let all = sides
        .flat_map(|hundredths| QUALITIES.into_iter().map(move |(quality, share)| Step { hundredths, quality, share }));
    all.skip(1).collect()
}

fn part(side: u32, hundredths: u32) -> u32 {
    side.saturating_mul(hundredths) / 100
}

impl Step {
    /// The bytes it has at least where the first one has so many.
    fn least(&self, full: u64) -> u64 {
        let area = u64::from(self.hundredths * self.hundredths);
        full.saturating_mul(area) / 10_000 * self.share / 100
    }

    fn take(&self, flat: &Flat) -> Result<Encoded, Refusal> {
        if self.hundredths == 100 {
            return jpeg(flat, self.quality);
        }
        let (width, height) = (part(flat.width, self.hundredths), part(flat.height, self.hundredths));
        jpeg(&shrink(flat, flat.whole(), width, height), self.quality)
    }
}

fn smaller(best: Option<Encoded>, other: Encoded) -> Encoded {
    best.filter(|best| best.bytes.len() <= other.bytes.len()).unwrap_or(other)
}

fn fits(encoded: &Encoded, bytes: u64) -> bool {
    u64::try_from(encoded.bytes.len()).is_ok_and(|length| length <= bytes)
}

/// Whether it looks drawn rather than photographed: most pixels are exactly like the one before.
fn is_drawing(flat: &Flat) -> bool {
    let mut same = 0_u64;
    let mut all = 0_u64;
    let step = usize::try_from(flat.height / 64).unwrap_or(0).max(1);
    for y in (0..flat.height).step_by(step) {
        let row = flat.row(y, flat.whole());
        let next = row.get(flat.channels..).unwrap_or_default();
        let pairs = row.chunks_exact(flat.channels).zip(next.chunks_exact(flat.channels));
        let (pairs_same, pairs_all) =
            pairs.fold((0, 0), |(same, all), (one, two)| (same + u64::from(one == two), all + 1));
        same += pairs_same;
        all += pairs_all;
    }
    same * 2 >= all
}

fn colours(flat: &Flat) -> ExtendedColorType {
    match flat.channels {
        1 => ExtendedColorType::L8,
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    }
}

/// The picture without loss. Packing well takes five times as long, and is tried where it can make a difference.
fn exact(flat: &Flat, target: u64) -> Result<Encoded, Refusal> {
    let quick = png(flat, CompressionType::Fast)?;
    if fits(&quick, target / 4) || !fits(&quick, target.saturating_mul(4)) {
        return Ok(quick);
    }
    Ok(smaller(Some(quick), png(flat, CompressionType::Level(3))?))
}

fn png(flat: &Flat, packing: CompressionType) -> Result<Encoded, Refusal> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, packing, FilterType::Adaptive);
    encoder.write_image(&flat.data, flat.width, flat.height, colours(flat)).map_err(|error| failed(&error))?;
    Ok(Encoded { mime: "image/png", width: flat.width, height: flat.height, bytes })
}

fn jpeg(flat: &Flat, quality: u8) -> Result<Encoded, Refusal> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    encoder.write_image(&flat.data, flat.width, flat.height, colours(flat)).map_err(|error| failed(&error))?;
    Ok(Encoded { mime: "image/jpeg", width: flat.width, height: flat.height, bytes })
}

fn failed(error: &image::ImageError) -> Refusal {
    Refusal::Unsupported { what: format!("a copy of it cannot be made: {error}") }
}

/// Makes a part of a picture so small that no side is longer than `side`; it is never made larger.
pub(super) fn fitted(mut source: Flat, part: crate::Region, side: u32) -> Flat {
    let (width, height) = fit(part.width, part.height, side.max(1));
    let smaller = (width, height) != (part.width, part.height);
    if smaller {
        weigh_by_alpha(&mut source);
    }
    let mut flat = shrink(&source, part, width, height);
    if smaller {
        unweigh(&mut flat);
    }
    flat
}

/// The largest size of the same shape within a square.
fn fit(width: u32, height: u32, side: u32) -> (u32, u32) {
    let longest = width.max(height);
    if longest <= side {
        return (width, height);
    }
    let scaled = |pixels: u32| {
        let rounded = (u64::from(pixels) * u64::from(side) + u64::from(longest / 2)) / u64::from(longest);
        u32::try_from(rounded).unwrap_or(side).clamp(1, side)
    };
    (scaled(width), scaled(height))
}
