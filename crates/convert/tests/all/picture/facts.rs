//! What is told of a picture without decoding it.

use image::{DynamicImage, ImageFormat};
use readstone_convert::{Refusal, picture_type};

use super::kit::{FRAME, chunk, encoded, facts, gif, noisy, png_saying, whole, zlib};

const FORMATS: [(ImageFormat, &str); 7] = [
    (ImageFormat::Png, "image/png"),
    (ImageFormat::Jpeg, "image/jpeg"),
    (ImageFormat::Gif, "image/gif"),
    (ImageFormat::WebP, "image/webp"),
    (ImageFormat::Bmp, "image/bmp"),
    (ImageFormat::Tiff, "image/tiff"),
    (ImageFormat::Ico, "image/x-icon"),
];

#[test]
fn every_format_is_known_by_its_content_and_tells_its_size() {
    let colour = DynamicImage::ImageRgb8(noisy(60, 40));
    let clear = DynamicImage::ImageRgba8(colour.to_rgba8());
    for (format, mime) in FORMATS {
        let image = if format == ImageFormat::Ico { &clear } else { &colour };
        let bytes = encoded(image, format);
        assert_eq!(picture_type(&bytes[..bytes.len().min(512)]), Some(mime));
        let facts = facts(&bytes).unwrap();
        assert_eq!((facts.mime.as_str(), facts.width, facts.height), (mime, 60, 40));
        assert_eq!((facts.frames, facts.turned), (Some(1), false), "{mime}");
        let few = if format == ImageFormat::Ico { 4 } else { 3 };
        assert_eq!((facts.channels, facts.alpha), (Some(few), Some(few == 4)), "{mime}");
    }
}

#[test]
fn transparency_and_grey_are_told() {
    let grey = DynamicImage::ImageLuma8(DynamicImage::ImageRgb8(noisy(9, 9)).to_luma8());
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff] {
        let facts = facts(&encoded(&grey, format)).unwrap();
        assert_eq!((facts.channels, facts.alpha), (Some(1), Some(false)), "{format:?}");
    }
    let mut clear = grey.to_rgba8();
    clear.get_pixel_mut(3, 3).0[3] = 9;
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Tiff] {
        let facts = facts(&encoded(&DynamicImage::ImageRgba8(clear.clone()), format)).unwrap();
        assert_eq!((facts.channels, facts.alpha), (Some(4), Some(true)), "{format:?}");
    }
    let palette_hole = png_saying(1, 1, &chunk(*b"tRNS", b"\0\0"), &zlib(b"\0\0"));
    assert_eq!(facts(&palette_hole).unwrap().alpha, Some(true));
}

#[test]
fn frames_are_counted_without_decoding_them() {
    assert_eq!(facts(&gif(5, 1)).unwrap().frames, Some(1));
    assert_eq!(facts(&gif(5, 12)).unwrap().frames, Some(12));
    let moving = [chunk(*b"acTL", &[0; 8]), chunk(*b"fcTL", &[0; 26])].concat();
    let mut png = png_saying(1, 1, &moving, &zlib(b"\0\0"));
    png.truncate(png.len() - 12);
    png.extend([chunk(*b"fcTL", &[0; 26]), chunk(*b"fdAT", b"1234"), chunk(*b"IEND", b"")].concat());
    assert_eq!(facts(&png).unwrap().frames, Some(2));
    assert_eq!(facts(&tiff_pages(3)).unwrap().frames, Some(3));
    assert_eq!(facts(&webp_frames(4)).unwrap().frames, Some(4));
}

/// A TIFF of which every page is the same pixel.
fn tiff_pages(pages: u32) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    for page in 1..=pages {
        let entries: [(u16, u32); 9] =
            [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 0), (277, 1), (278, 1), (279, 1)];
        bytes.extend(9_u16.to_le_bytes());
        for (tag, value) in entries {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(4_u16.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        let next = if page == pages { 0 } else { 8 + page * 114 };
        bytes.extend(next.to_le_bytes());
    }
    bytes
}

fn webp_frames(frames: usize) -> Vec<u8> {
    let mut chunks = b"VP8X\x0a\0\0\0\x02\0\0\0\x09\0\0\x04\0\0".to_vec();
    for _ in 0..frames {
        chunks.extend(b"ANMF\x03\0\0\0abc\0");
    }
    let length = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
    [b"RIFF".as_slice(), &length, b"WEBP", &chunks].concat()
}

#[test]
fn modern_formats_tell_their_size_and_are_refused_by_name() {
    for (brand, mime, name) in
        [(b"avif", "image/avif", "AVIF"), (b"heic", "image/heic", "HEIF"), (b"mif1", "image/heif", "HEIF")]
    {
        let bytes = boxes(*brand);
        assert_eq!(picture_type(&bytes), Some(mime));
        let facts = facts(&bytes).unwrap();
        // The smaller picture belongs to a thumbnail, and the larger one lies on its side.
        assert_eq!((facts.width, facts.height, facts.turned), (200, 300, true));
        assert_eq!((facts.channels, facts.alpha), (Some(3), None));
        let refused = whole(&bytes, &FRAME).unwrap_err();
        assert_eq!(refused, Refusal::Unsupported { what: format!("{name} pictures cannot be decoded") });
    }
    // A small one of 8 × 16 pixels: five bits for a height of eights, and a ratio of its own.
    let jxl = [0xff, 0x0a, 0x01 | 1 << 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(picture_type(&jxl), Some("image/jxl"));
    let facts = facts(&jxl).unwrap();
    assert_eq!((facts.width, facts.height), (8, 8));
    assert!(matches!(whole(&jxl, &FRAME), Err(Refusal::Unsupported { .. })));
}

/// The boxes of a picture that has a thumbnail.
fn boxes(brand: [u8; 4]) -> Vec<u8> {
    let named = |name: &[u8; 4], data: &[u8]| {
        [&u32::try_from(data.len() + 8).unwrap().to_be_bytes(), name.as_slice(), data].concat()
    };
    let size = |width: u32, height: u32| named(b"ispe", &[[0; 4], width.to_be_bytes(), height.to_be_bytes()].concat());
    let thumbnail = size(400, 400);
    let list = [thumbnail, size(300, 200), named(b"irot", &[1]), named(b"pixi", &[0, 0, 0, 0, 3, 8, 8, 8])].concat();
    // Picture 2 has the properties 2 to 4, picture 1 the first.
    let links = [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2, 3, 0x82, 0x83, 4];
    let properties = named(b"iprp", &[named(b"ipco", &list), named(b"ipma", &links)].concat());
    let main = named(b"pitm", &[0, 0, 0, 0, 0, 2]);
    let meta = named(b"meta", &[[0; 4].to_vec(), main, properties].concat());
    let kind = named(b"ftyp", &[brand.as_slice(), &[0; 4], b"mif1", b"miaf"].concat());
    [kind, meta].concat()
}

#[test]
fn numbers_are_never_taken_for_an_icon() {
    let numbers: Vec<u8> = (0_u16..1000).flat_map(u16::to_le_bytes).collect();
    assert_eq!(picture_type(&numbers), None);
}

#[test]
fn text_is_never_taken_for_a_picture() {
    for text in [
        "BM is what a bitmap begins with, and this is a text of more than thirty characters",
        "GIF89a is the name of a format",
        "RIFF1234WEBP stands in every file",
        "II* of the tragedy",
        "<!doctype html><html><body>a picture</body></html>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "",
        "B",
        "PNG",
    ] {
        assert_eq!(picture_type(text.as_bytes()), None, "{text}");
        assert!(matches!(facts(text.as_bytes()), Err(Refusal::Unsupported { .. })), "{text}");
    }
    assert_eq!(picture_type(b"\0\0\x01\0\x01\0"), None);
    assert_eq!(picture_type(b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41"), None);
    assert_eq!(picture_type(b"\0\0\x01\xba\x21\0\x01\0\x01\x80\0\0\0\0\0\0\0\0\0\0\0\0"), None);
}
