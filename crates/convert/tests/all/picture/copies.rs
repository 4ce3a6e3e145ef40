//! Copies: which bytes, how large, and which pixels.

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use readstone_convert::{Frame, Refusal, Region};

use super::kit::{FRAME, crop, encoded, gif, noisy, shown, squares, whole};

fn png(image: RgbImage) -> Vec<u8> {
    encoded(&DynamicImage::ImageRgb8(image), ImageFormat::Png)
}

/// Slow changes of colour with some grain: what a camera makes.
fn photograph(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let grain = super::kit::noise(x, y, 1) % 7;
        let value = |a: u32, b: u32| ((x * a / width + y * b / height) % 240 + grain) as u8;
        Rgb([value(200, 90), value(90, 120), value(60, 220)])
    })
}

#[test]
fn a_small_picture_is_handed_out_as_it_is() {
    let image = DynamicImage::ImageRgb8(squares(120, 80));
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
        let bytes = encoded(&image, format);
        let copy = whole(&bytes, &FRAME).unwrap();
        assert_eq!((copy.original, copy.bytes == bytes), (true, true), "{format:?}");
        assert_eq!(copy.region, Region { x: 0, y: 0, width: 120, height: 80 });
    }
}

#[test]
fn what_models_do_not_take_becomes_what_they_do() {
    let image = DynamicImage::ImageRgba8(DynamicImage::ImageRgb8(squares(120, 80)).to_rgba8());
    for format in [ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::Ico] {
        let copy = whole(&encoded(&image, format), &FRAME).unwrap();
        assert_eq!((copy.original, copy.mime.as_str()), (false, "image/png"), "{format:?}");
        assert_eq!(shown(&copy).to_rgba8(), image.to_rgba8(), "{format:?}");
    }
}

#[test]
fn of_an_animation_the_first_frame_is_shown() {
    let copy = whole(&gif(5, 3), &FRAME).unwrap();
    assert_eq!((copy.original, copy.mime.as_str(), copy.width, copy.height), (false, "image/png", 5, 5));
}

#[test]
fn deep_and_grey_colours_are_kept_to_eight_bits() {
    let deep = ImageBuffer::from_fn(300, 300, |x, y| Rgb([x as u16 * 200, y as u16 * 200, 0xabcd]));
    let bytes = encoded(&DynamicImage::ImageRgb16(deep), ImageFormat::Tiff);
    let copy = shown(&whole(&bytes, &FRAME).unwrap()).to_rgb8();
    assert!(copy.get_pixel(299, 10).0.iter().zip([232, 7, 171]).all(|(one, two)| one.abs_diff(two) <= 4));
    let grey = ImageBuffer::from_fn(40, 30, |x, y| Luma([(x * 6 + y) as u8]));
    let copy = whole(&encoded(&DynamicImage::ImageLuma8(grey.clone()), ImageFormat::Bmp), &FRAME).unwrap();
    assert_eq!(shown(&copy).to_luma8(), grey);
}

/// A JPEG of one square in four inks, as programs for printing make it: 255 is no ink.
const RED_INK: [&[u8]; 8] = [
    b"\xff\xd8\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0\xff\xdb\0\x43\0",
    &[8; 64],
    b"\xff\xc0\0\x14\x08\0\x08\0\x08\x04\x01\x11\0\x02\x11\0\x03\x11\0\x04\x11\0",
    // Differences of nothing and of seven bits; then the end of a block.
    b"\xff\xc4\0\x15\0\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07",
    b"\xff\xc4\0\x14\x10\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\xff\xda\0\x0e\x04\x01\0\x02\0\x03\0\x04\0\0\x3f\0",
    b"\xbf\xa0\x08\x02\xfe",
    b"\xff\xd9",
];

#[test]
fn inks_become_colours() {
    let copy = whole(&RED_INK.concat(), &FRAME).unwrap();
    assert_eq!((copy.original, copy.width, copy.height), (false, 8, 8));
    let [red, green, blue] = shown(&copy).to_rgb8().get_pixel(4, 4).0;
    assert!(red > 245 && green < 10 && blue < 10, "{red} {green} {blue}");
}

#[test]
fn a_photograph_becomes_jpeg_and_a_drawing_stays_exact() {
    let copy = whole(&png(photograph(1700, 850)), &FRAME).unwrap();
    assert_eq!((copy.mime.as_str(), copy.width, copy.height), ("image/jpeg", 1568, 784));
    let drawing =
        RgbImage::from_fn(900, 900, |x, y| if (x / 50 + y / 90) % 2 == 0 { Rgb([9; 3]) } else { Rgb([250; 3]) });
    let copy = whole(&encoded(&DynamicImage::ImageRgb8(drawing.clone()), ImageFormat::Bmp), &FRAME).unwrap();
    assert_eq!(copy.mime, "image/png");
    assert_eq!(shown(&copy).to_rgb8(), drawing);
}

#[test]
fn transparency_survives_and_hidden_colours_do_not_bleed() {
    // Red on the left; on the right, green that nobody sees.
    let image =
        RgbaImage::from_fn(400, 200, |x, _| if x < 201 { Rgba([255, 0, 0, 255]) } else { Rgba([0, 255, 0, 0]) });
    let frame = Frame { side: 100, ..FRAME };
    let copy = whole(&encoded(&DynamicImage::ImageRgba8(image), ImageFormat::Png), &frame).unwrap();
    assert_eq!(copy.mime, "image/png");
    let copy = shown(&copy).to_rgba8();
    assert_eq!((copy.get_pixel(10, 20), copy.get_pixel(90, 20)), (&Rgba([255, 0, 0, 255]), &Rgba([0, 0, 0, 0])));
    let [red, green, _, alpha] = copy.get_pixel(50, 20).0;
    assert!(red > 250 && green == 0 && (20..200).contains(&alpha), "{red} {green} {alpha}");
}

#[test]
fn transparency_that_costs_too_much_is_laid_on_white() {
    let clear = RgbaImage::from_fn(700, 700, |x, y| {
        let [red, green, blue, alpha] = super::kit::noise(x, y, 5).to_le_bytes();
        if y < 350 { Rgba([red, green, blue, alpha]) } else { Rgba([0, 0, 0, 0]) }
    });
    let copy = whole(&encoded(&DynamicImage::ImageRgba8(clear), ImageFormat::Png), &FRAME).unwrap();
    assert_eq!(copy.mime, "image/jpeg");
    let below = shown(&copy).to_rgb8();
    assert!(below.get_pixel(copy.width / 2, copy.height - 9).0.iter().all(|value| *value > 250));
}

#[test]
fn an_even_surface_stays_even_when_it_is_made_smaller() {
    for (width, height, side) in [(1777, 1001, 1568), (2001, 1500, 77), (3000, 7, 99), (1, 9000, 1568)] {
        let image = RgbImage::from_pixel(width, height, Rgb([255, 128, 1]));
        let copy = whole(&png(image), &Frame { side, ..FRAME }).unwrap();
        assert!(shown(&copy).to_rgb8().pixels().all(|pixel| pixel.0 == [255, 128, 1]), "{width} × {height}");
    }
}

#[test]
fn a_smaller_copy_shows_everything_in_its_place() {
    // A white square on black: its middle and its mass map by the scale alone.
    let image = RgbImage::from_fn(3000, 2000, |x, y| {
        if (900..1200).contains(&x) && (500..800).contains(&y) { Rgb([255; 3]) } else { Rgb([0; 3]) }
    });
    let copy = whole(&png(image), &Frame { side: 600, ..FRAME }).unwrap();
    assert_eq!((copy.width, copy.height), (600, 400));
    let copy = shown(&copy).to_luma8();
    let mut mass = (0, 0, 0);
    for (x, y, value) in copy.enumerate_pixels() {
        let value = u64::from(value.0[0]);
        mass = (mass.0 + value, mass.1 + value * u64::from(2 * x + 1), mass.2 + value * u64::from(2 * y + 1));
    }
    // Twice the middle, in pixels of the copy, is the middle in tenths of those of the source.
    assert!((mass.1 / mass.0).abs_diff(420) <= 1 && (mass.2 / mass.0).abs_diff(260) <= 1, "{mass:?}");
    assert!(mass.0.abs_diff(60 * 60 * 255) < 60 * 255, "{mass:?}");
}

#[test]
fn a_part_is_exact_and_never_enlarged() {
    let image = noisy(500, 400);
    let bytes = png(image.clone());
    for (x, y, width, height) in [(0, 0, 1, 1), (499, 399, 1, 1), (100, 50, 120, 130), (3, 7, 64, 200)] {
        let copy = crop(&bytes, x, y, width, height).unwrap();
        assert_eq!(copy.region, Region { x, y, width, height });
        assert_eq!((copy.mime.as_str(), copy.original), ("image/png", false));
        assert_eq!(shown(&copy).to_rgb8(), image::imageops::crop_imm(&image, x, y, width, height).to_image());
    }
}

#[test]
fn a_part_that_reaches_out_is_cut_and_one_outside_is_refused() {
    let bytes = png(squares(100, 60));
    let copy = crop(&bytes, 90, 50, 1000, u32::MAX).unwrap();
    assert_eq!((copy.region, copy.width), (Region { x: 90, y: 50, width: 10, height: 10 }, 10));
    for (x, y, width, height) in [(100, 0, 5, 5), (0, 60, 5, 5), (0, 0, 0, 5), (0, 0, 5, 0), (u32::MAX, u32::MAX, 1, 1)]
    {
        assert_eq!(crop(&bytes, x, y, width, height), Err(Refusal::Outside { width: 100, height: 60 }));
    }
}

#[test]
fn a_part_larger_than_the_frame_is_made_smaller() {
    let copy = crop(&png(photograph(2100, 1200)), 50, 100, 2000, 1000).unwrap();
    assert_eq!((copy.width, copy.height), (1568, 784));
    assert_eq!(copy.region, Region { x: 50, y: 100, width: 2000, height: 1000 });
}

#[test]
fn what_cannot_be_made_small_enough_is_refused() {
    let frame = Frame { target_bytes: 100, most_bytes: 200, ..FRAME };
    let refused = whole(&png(noisy(300, 300)), &frame).unwrap_err();
    assert_eq!(refused, Refusal::TooLarge { limit: "most_bytes".to_owned(), value: 200 });
}

#[test]
fn noise_goes_down_the_ladder_until_it_fits() {
    let frame = Frame { target_bytes: 30_000, ..FRAME };
    let copy = whole(&png(noisy(500, 500)), &frame).unwrap();
    assert!(copy.bytes.len() <= 30_000 && copy.width >= 125, "{} bytes, {}", copy.bytes.len(), copy.width);
    assert_eq!(copy.width, copy.height);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_copy_is_larger_than_its_frame(
        width in 1..400_u32, height in 1..400_u32, side in 1..300_u32, target in 2_000..60_000_u64,
        rough in any::<bool>(),
    ) {
        let image = if rough { noisy(width, height) } else { photograph(width, height) };
        let frame = Frame { side, target_bytes: target, most_bytes: target * 2, ..FRAME };
        match whole(&png(image), &frame) {
            Ok(copy) => {
                prop_assert!(copy.width <= side.min(width) && copy.height <= side.min(height));
                prop_assert!(copy.bytes.len() as u64 <= frame.most_bytes);
                prop_assert_eq!(copy.region, Region { x: 0, y: 0, width, height });
                // Both sides have the same scale, but for rounding.
                let (across, down) = (u64::from(copy.width * height), u64::from(copy.height * width));
                prop_assert!(across.abs_diff(down) <= u64::from(width.max(height)) * 2, "{} {}", across, down);
                shown(&copy);
            }
            Err(refused) => {
                prop_assert_eq!(refused, Refusal::TooLarge { limit: "most_bytes".to_owned(), value: target * 2 });
            }
        }
    }
}
