//! Pictures that were made to do harm, by the rows of the list of hostile input.

#![cfg(feature = "pictures")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::io::Read;

use image::{DynamicImage, ImageFormat};
use readstone_convert::{Copy, Refusal, picture_type};

use crate::alone::alone;
use crate::picture::kit::{FRAME, chunk, encoded, facts, gif, noise, noisy, png_saying, shown, squares, whole, zlib};

fn kilobytes(of: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(of)).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Hundredths of a second that this process kept a core busy.
fn centiseconds() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let numbers = stat.rsplit_once(')').unwrap().1.split_ascii_whitespace();
    numbers.skip(11).take(2).map(|number| number.parse::<u64>().unwrap()).sum()
}

/// Runs something within a second of a core and 64 MB. Both are those of the process: its test must be alone in it.
fn bounded<T>(run: impl Fn() -> T) -> T {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let (before, began) = (kilobytes("VmRSS:"), centiseconds());
    let result = run();
    let spent = centiseconds() - began;
    assert!(spent < 100, "{spent} hundredths of a second");
    let grown = kilobytes("VmHWM:").saturating_sub(before) / 1024;
    assert!(grown < 64, "{grown} MB");
    result
}

fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    bounded(|| facts(bytes)).ok().map(|facts| (facts.width, facts.height))
}

fn copy(bytes: &[u8]) -> Result<Copy, Refusal> {
    bounded(|| whole(bytes, &FRAME))
}

fn too_many_pixels() -> Refusal {
    Refusal::TooLarge { limit: "pixels".to_owned(), value: FRAME.pixels }
}

fn assert_damaged(bytes: &[u8]) {
    let refused = copy(bytes);
    assert!(matches!(refused, Err(Refusal::Damaged(_))), "{refused:?}");
}

#[test]
fn i01_sizes_are_told_and_too_many_pixels_refused_before_they_have_room() {
    if !alone(i01_sizes_are_told_and_too_many_pixels_refused_before_they_have_room) {
        return;
    }
    for side in [50_000, i32::MAX.cast_unsigned()] {
        let bytes = png_saying(side, side, b"", &zlib(&[0; 1000]));
        assert_eq!(size(&bytes), Some((side, side)));
        assert_eq!(copy(&bytes), Err(too_many_pixels()));
    }
    for (width, height) in [(0, 0), (0, 5), (5, 0), (1 << 31, 5)] {
        let bytes = png_saying(width, height, b"", &zlib(&[0; 100]));
        assert!(matches!(bounded(|| facts(&bytes)), Err(Refusal::Damaged(_))));
        assert_damaged(&bytes);
    }
}

/// 200 MB of blanks, packed.
fn packed_text() -> Vec<u8> {
    let mut packed = flate2::read::ZlibEncoder::new(std::io::repeat(b' ').take(200 << 20), flate2::Compression::fast());
    let mut bytes = Vec::new();
    packed.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn i02_texts_and_profiles_are_not_unpacked() {
    if !alone(i02_texts_and_profiles_are_not_unpacked) {
        return;
    }
    let text = packed_text();
    let chunks = [
        chunk(*b"zTXt", &[b"Comment\0\0".as_slice(), &text].concat()),
        chunk(*b"iTXt", &[b"Comment\0\x01\0\0\0".as_slice(), &text].concat()),
        chunk(*b"iCCP", &[b"Profile\0\0".as_slice(), &text].concat()),
        chunk(*b"tEXt", &[b"Comment\0".as_slice(), &vec![b'x'; 5 << 20]].concat()),
    ];
    for between in chunks {
        let bytes = png_saying(20, 10, &between, &zlib(&[0; 210]));
        assert_eq!(size(&bytes), Some((20, 10)));
        let copy = copy(&bytes).unwrap();
        // Nobody else has to unpack them either.
        assert!(copy.bytes.len() < 1000 && !copy.original);
    }
}

#[test]
fn i03_cut_and_broken_files_are_damaged() {
    if !alone(i03_cut_and_broken_files_are_damaged) {
        return;
    }
    let sound = encoded(&DynamicImage::ImageRgb8(noisy(60, 40)), ImageFormat::Png);
    assert_damaged(&sound[..sound.len() / 2]);
    assert_damaged(b"\x89PNG\r\n\x1a\n");
    for at in [30, sound.len() - 20, 100] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        assert_damaged(&bytes);
    }
    for length in [u32::MAX, i32::MAX.cast_unsigned(), 1 << 20] {
        let mut bytes = sound.clone();
        bytes[33..37].copy_from_slice(&length.to_be_bytes());
        assert_damaged(&bytes);
        let claims = [&sound[..33], &length.to_be_bytes(), b"tEXtabc", &sound[33..]].concat();
        assert_damaged(&claims);
    }
}

#[test]
fn i03_no_format_shows_half_a_picture() {
    let image = DynamicImage::ImageRgba8(DynamicImage::ImageRgb8(noisy(120, 90)).to_rgba8());
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::Ico,
    ] {
        let image = if format == ImageFormat::Jpeg { &DynamicImage::ImageRgb8(image.to_rgb8()) } else { &image };
        let sound = encoded(image, format);
        for part in [1, 2, 5, 8, 9] {
            let refused = whole(&sound[..sound.len() * part / 10], &FRAME);
            assert!(matches!(refused, Err(Refusal::Damaged(_))), "{format:?} {part}: {refused:?}");
        }
    }
}

#[test]
fn i03_a_jpeg_that_lacks_only_its_last_bytes_is_shown() {
    if !alone(i03_a_jpeg_that_lacks_only_its_last_bytes_is_shown) {
        return;
    }
    let sound = encoded(&DynamicImage::ImageRgb8(squares(128, 96)), ImageFormat::Jpeg);
    for lacking in [1, 2] {
        let copy = copy(&sound[..sound.len() - lacking]).unwrap();
        assert_eq!((copy.width, copy.height), (128, 96));
    }
}

#[test]
fn i04_of_many_frames_the_first_is_shown() {
    if !alone(i04_of_many_frames_the_first_is_shown) {
        return;
    }
    let copy = copy(&gif(100, 5000)).unwrap();
    assert_eq!((copy.width, copy.height, copy.mime.as_str()), (100, 100, "image/png"));
    assert_eq!(bounded(|| facts(&gif(100, 5000))).unwrap().frames, Some(5000));
    assert_eq!(size(&gif(u16::MAX, 5000)), Some((65_535, 65_535)));
    assert_eq!(bounded(|| whole(&gif(u16::MAX, 5000), &FRAME)), Err(too_many_pixels()));
}

fn tiff(entries: &[(u16, u16, u32, u32)], next: u32) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend(u16::try_from(entries.len()).unwrap().to_le_bytes());
    for (tag, kind, count, value) in entries {
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend(next.to_le_bytes());
    bytes.extend([0; 64]);
    bytes
}

#[test]
fn i06_directories_that_lie_or_go_round_are_refused() {
    if !alone(i06_directories_that_lie_or_go_round_are_refused) {
        return;
    }
    let one = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8), (262, 3, 1, 1), (273, 4, 1, 100), (279, 4, 1, 16)];
    assert!(matches!(bounded(|| facts(&tiff(&one, 8))), Err(Refusal::Damaged(_))));
    for strips in [u32::MAX, 10_000_000] {
        let many = [
            (256, 4, 1, 9_000),
            (257, 4, 1, 9_000),
            (258, 3, 1, 8),
            (262, 3, 1, 1),
            (273, 4, strips, 8),
            (277, 3, 1, 1),
            (278, 4, 1, 1),
            (279, 4, strips, 8),
        ];
        let bytes = tiff(&many, 0);
        assert_eq!(size(&bytes), Some((9_000, 9_000)));
        let refused = copy(&bytes);
        assert!(matches!(refused, Err(Refusal::Damaged(_) | Refusal::TooLarge { .. })), "{refused:?}");
    }
}

#[test]
fn i06_headers_that_claim_too_much_are_refused() {
    if !alone(i06_headers_that_claim_too_much_are_refused) {
        return;
    }
    let jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\
        \xff\xda\0\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0\0";
    assert_eq!(size(jpeg), Some((65_535, 65_535)));
    assert_eq!(copy(jpeg), Err(too_many_pixels()));
    let side = 0x7fff_ffff_u32.to_le_bytes();
    let bitmap =
        [b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".as_slice(), &side, &side, b"\x01\0\x18\0", &[0; 28]].concat();
    assert_eq!(size(&bitmap), Some((i32::MAX.cast_unsigned(), i32::MAX.cast_unsigned())));
    assert_eq!(copy(&bitmap), Err(too_many_pixels()));
    let webp = b"RIFF\x20\0\0\0WEBPVP8 \x10\0\0\0\x10\0\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0\0\0\0\0";
    assert_eq!(size(webp), Some((16_383, 16_383)));
    assert_eq!(copy(webp), Err(too_many_pixels()));
    // Within the pixels allowed, but with nothing behind the header.
    let mut webp = webp.to_vec();
    webp[26..30].copy_from_slice(b"\x20\x1c\x20\x1c");
    assert_damaged(&webp);
}

#[test]
fn i06_icons_whose_directory_lies_are_read_by_what_they_hold_or_refused() {
    if !alone(i06_icons_whose_directory_lies_are_read_by_what_they_hold_or_refused) {
        return;
    }
    let icon = |length: u32, start: u32, data: &[u8]| {
        let entry =
            [b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0".as_slice(), &length.to_le_bytes(), &start.to_le_bytes()];
        [entry.concat(), data.to_vec()].concat()
    };
    let inside = encoded(&DynamicImage::ImageRgb8(squares(64, 32)), ImageFormat::Png);
    let length = u32::try_from(inside.len()).unwrap();
    let told = icon(length, 22, &inside);
    assert_eq!(size(&told), Some((64, 32)));
    assert_eq!(shown(&copy(&told).unwrap()).to_rgb8(), squares(64, 32));
    assert_damaged(&icon(u32::MAX, 22, &inside));
    assert_damaged(&icon(length, u32::MAX - 5, &inside));
    let huge = png_saying(60_000, 60_000, b"", &zlib(&[0; 100]));
    assert_eq!(copy(&icon(u32::try_from(huge.len()).unwrap(), 22, &huge)), Err(too_many_pixels()));
}

#[test]
fn i07_the_content_says_what_it_is() {
    if !alone(i07_the_content_says_what_it_is) {
        return;
    }
    assert_eq!(picture_type(b"<!doctype html><p>picture.png"), None);
    assert!(matches!(copy(b"<!doctype html><p>picture.png"), Err(Refusal::Unsupported { .. })));
    let mut both = encoded(&DynamicImage::ImageRgb8(squares(30, 20)), ImageFormat::Png);
    both.extend(b"PK\x03\x04 and more that is no picture, <script>alert(1)</script>");
    assert_eq!(picture_type(&both), Some("image/png"));
    assert_eq!(shown(&copy(&both).unwrap()).to_rgb8(), squares(30, 20));
}

#[test]
fn no_broken_byte_is_more_than_an_error() {
    let image = DynamicImage::ImageRgba8(DynamicImage::ImageRgb8(squares(40, 24)).to_rgba8());
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::Ico,
    ] {
        let image = if format == ImageFormat::Jpeg { &DynamicImage::ImageRgb8(image.to_rgb8()) } else { &image };
        let sound = encoded(image, format);
        let frame = readstone_convert::Frame { pixels: 1 << 20, ..FRAME };
        for round in 0..400 {
            let mut bytes = sound.clone();
            // Most faults go where the headers are.
            let reach = if round % 2 == 0 { bytes.len().min(64) } else { bytes.len() };
            for fault in 0..=round % 3 {
                let at = usize::try_from(noise(round, fault, 1)).unwrap() % reach;
                bytes[at] = noise(round, fault, 2).to_le_bytes()[0];
            }
            if let Ok(copy) = whole(&bytes, &frame) {
                assert!(copy.width.max(copy.height) <= frame.side);
            }
        }
    }
}
