//! Pictures of cameras that were not held upright.

use image::RgbImage;
use readstone_convert::Frame;

use super::kit::{FRAME, as_stored, crop, facts, jpeg_turned, noisy, png_turned, shown, squares, whole};

fn far(one: &RgbImage, two: &RgbImage) -> u8 {
    assert_eq!(one.dimensions(), two.dimensions());
    one.iter().zip(two.iter()).map(|(one, two)| one.abs_diff(*two)).max().unwrap()
}

#[test]
fn every_turn_is_undone() {
    let upright = squares(40, 24);
    for turn in 1..=8 {
        let stored = as_stored(&upright, turn);
        for (bytes, near) in [(jpeg_turned(&stored, turn), 14), (png_turned(&stored, turn), 0)] {
            let facts = facts(&bytes).unwrap();
            assert_eq!((facts.width, facts.height, facts.turned), (40, 24, turn != 1));
            let copy = whole(&bytes, &FRAME).unwrap();
            assert_eq!((copy.original, copy.width, copy.height), (turn == 1, 40, 24));
            let apart = far(&shown(&copy).to_rgb8(), &upright);
            assert!(apart <= near, "turn {turn}: {apart}");
        }
    }
}

#[test]
fn a_turn_that_does_not_exist_is_none() {
    for turn in [0, 9, 255] {
        let facts = facts(&jpeg_turned(&squares(16, 8), turn)).unwrap();
        assert_eq!((facts.width, facts.height, facts.turned), (16, 8, false));
    }
}

#[test]
fn a_part_is_taken_of_the_upright_picture() {
    let upright = noisy(50, 30);
    for turn in 1..=8 {
        let bytes = png_turned(&as_stored(&upright, turn), turn);
        let copy = crop(&bytes, 7, 5, 20, 11).unwrap();
        let part = image::imageops::crop_imm(&upright, 7, 5, 20, 11).to_image();
        assert_eq!(shown(&copy).to_rgb8(), part, "turn {turn}");
    }
}

#[test]
fn a_turned_picture_that_is_too_large_is_made_smaller_the_right_way_round() {
    let upright = squares(320, 160);
    let frame = Frame { side: 80, ..FRAME };
    let plain = whole(&png_turned(&upright, 1), &frame).unwrap();
    for turn in 2..=8 {
        let copy = whole(&png_turned(&as_stored(&upright, turn), turn), &frame).unwrap();
        assert_eq!((copy.width, copy.height), (80, 40));
        assert!(far(&shown(&copy).to_rgb8(), &shown(&plain).to_rgb8()) <= 1, "turn {turn}");
    }
}
