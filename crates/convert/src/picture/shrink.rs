//! Making a picture smaller.
//!
//! The rows that make one row of the result are added up first, in lanes of sixteen bits, and then its columns: each
//! value of the source is touched about twice, and nothing but one row of sums is kept between.

use super::flat::Flat;
use crate::Region;

/// Sums of a row are kept with eight bits behind the point: 255 × 256 still fits in sixteen.
const ROW_BITS: u32 = 8;
/// Weights of columns have fourteen: what they make of such a sum fits in thirty-two.
const COLUMN_BITS: u32 = 14;
/// Values that are looked at for one value of the result, on each side of its middle.
const REACH: u32 = 32;

/// A part of a picture made smaller; neither side may be larger than that of the part.
pub(super) fn shrink(source: &Flat, part: Region, width: u32, height: u32) -> Flat {
    if (part.width, part.height) == (width, height) {
        return source.cut(part);
    }
    let columns: Vec<Taps> = (0..width).map(|x| Taps::of(part.width, width, x, COLUMN_BITS)).collect();
    let mut sums: Vec<u16> = Vec::new();
    let mut data = Vec::new();
    for y in 0..height {
        add_rows(source, part, &Taps::of(part.height, height, y, ROW_BITS), &mut sums);
        match source.channels {
            1 => add_columns::<1>(&sums, &columns, &mut data),
            3 => add_columns::<3>(&sums, &columns, &mut data),
            _ => add_columns::<4>(&sums, &columns, &mut data),
        }
    }
    Flat { width, height, channels: source.channels, data }
}

/// Multiplies colours by their transparency, so that the colour of invisible pixels does not show in their neighbours.
pub(super) fn weigh_by_alpha(flat: &mut Flat) {
    if flat.channels == 4 {
        for [colours @ .., alpha] in flat.data.as_chunks_mut::<4>().0 {
            for colour in colours {
                let weighed = (u32::from(*colour) * u32::from(*alpha) + 127) / 255;
                *colour = u8::try_from(weighed).unwrap_or(u8::MAX);
            }
        }
    }
}

/// Takes back what [`weigh_by_alpha`] did.
pub(super) fn unweigh(flat: &mut Flat) {
    if flat.channels == 4 {
        for [colours @ .., alpha] in flat.data.as_chunks_mut::<4>().0 {
            for colour in colours {
                let half = u32::from(*alpha) / 2;
                let plain = (u32::from(*colour) * 255 + half).checked_div(u32::from(*alpha)).unwrap_or(0);
                *colour = u8::try_from(plain).unwrap_or(u8::MAX);
            }
        }
    }
}

fn add_rows(source: &Flat, part: Region, rows: &Taps, sums: &mut Vec<u16>) {
    sums.clear();
    let mut y = part.y + rows.start;
    for weight in &rows.weights {
        let row = source.row(y, part);
        if sums.is_empty() {
            sums.extend(row.iter().map(|value| u16::from(*value) * weight));
        } else if *weight > 0 {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += u16::from(*value) * weight;
            }
        }
        y += rows.step;
    }
}

fn add_columns<const N: usize>(sums: &[u16], columns: &[Taps], out: &mut Vec<u8>) {
    let pixels = sums.as_chunks::<N>().0;
    for taps in columns {
        let from = pixels.get(place(taps.start)..).unwrap_or_default();
        let mut total = [1_u32 << (ROW_BITS + COLUMN_BITS - 1); N];
        if taps.step == 1 {
            for (pixel, weight) in from.iter().zip(&taps.weights) {
                add(&mut total, pixel, *weight);
            }
        } else {
            for (pixel, weight) in from.iter().step_by(place(taps.step)).zip(&taps.weights) {
                add(&mut total, pixel, *weight);
            }
        }
        out.extend(total.map(|sum| u8::try_from(sum >> (ROW_BITS + COLUMN_BITS)).unwrap_or(u8::MAX)));
    }
}

#[inline]
fn add<const N: usize>(total: &mut [u32; N], pixel: &[u16; N], weight: u16) {
    for (sum, value) in total.iter_mut().zip(pixel) {
        *sum += u32::from(*value) * u32::from(weight);
    }
}

fn place(pixels: u32) -> usize {
    usize::try_from(pixels).unwrap_or(usize::MAX)
}

/// Which values of a line make one value of a shorter line, and how much each counts.
struct Taps {
    start: u32,
    step: u32,
    weights: Vec<u16>,
}

impl Taps {
    /// The weights add up to `1 << bits` exactly, so that an even surface stays as it is.
    fn of(from: u32, to: u32, index: u32, bits: u32) -> Self {
        let scale = f64::from(from) / f64::from(to);
        let middle = (f64::from(index) + 0.5) * scale;
        let (from, to, index) = (u64::from(from), u64::from(to), u64::from(index));
        // From one pixel of the result before the middle to one behind it.
        let start = (2 * index).saturating_sub(1) * from / (2 * to);
        let end = ((2 * index + 3) * from).div_ceil(2 * to).min(from);
        let step = ((end - start) / u64::from(2 * REACH)).max(1);
        let short = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let (start, end, step) = (short(start), short(end), short(step));
        let places = (start..end).step_by(place(step));
        let shares = places.map(|at| hamming((f64::from(at) + 0.5 - middle) / scale)).collect::<Vec<f64>>();
        Self { start, step, weights: whole_numbers(&shares, bits) }
    }
}

/// A sinc of the length of two pixels in a Hamming window: as sharp as a cubic, and nowhere negative.
fn hamming(x: f64) -> f64 {
    let turn = std::f64::consts::PI * x;
    if x.abs() >= 1.0 {
        0.0
    } else if x.abs() < 1e-9 {
        1.0
    } else {
        turn.sin() / turn * (0.54 + 0.46 * turn.cos())
    }
}

/// Shares as whole numbers with a sum of `1 << bits`; what rounding loses at one goes to the next.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1 << 14, rounded")]
fn whole_numbers(shares: &[f64], bits: u32) -> Vec<u16> {
    let sum: f64 = shares.iter().sum();
    let full = f64::from(1_u32 << bits);
    let mut reached = 0.0;
    let mut given = 0;
    let mut weights = Vec::with_capacity(shares.len());
    for share in shares {
        reached += share;
        let due = (reached / sum * full).round() as u16;
        weights.push(due.saturating_sub(given));
        given = due.max(given);
    }
    weights
}
