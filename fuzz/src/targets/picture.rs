//! Any bytes as a picture: a copy is of the size it says, within its frame, and a picture itself.

use readstone_convert::{Frame, Look, Region, picture};

/// Small, so that decoding takes little and almost everything is made smaller.
const FRAME: Frame = Frame { pixels: 1 << 16, memory: 4 << 20, side: 32, target_bytes: 2_000, most_bytes: 8_000 };

pub(crate) fn run(input: &[u8]) {
    let Some(([x, y, width, height], bytes)) = input.split_first_chunk::<4>() else { return };
    let number = |byte: &u8| u32::from(*byte);
    let crop = Region { x: number(x), y: number(y), width: number(width), height: number(height) };
    let Ok((facts, none)) = picture(bytes, &Look::Facts, &FRAME) else { return };
    assert!(none.is_none());
    for look in [Look::Whole, Look::Crop(crop)] {
        let Ok((same, copy)) = picture(bytes, &look, &FRAME) else { continue };
        assert_eq!(same, facts);
        let copy = copy.expect("a copy was asked for");
        assert!(copy.bytes.len() as u64 <= FRAME.most_bytes, "{} bytes", copy.bytes.len());
        assert!(copy.width.max(copy.height) <= FRAME.side, "{}×{}", copy.width, copy.height);
        let region = copy.region;
        assert!(region.width <= facts.width - region.x && region.height <= facts.height - region.y);
        let (made, _) = picture(&copy.bytes, &Look::Facts, &FRAME).expect("a copy is a picture");
        assert_eq!((made.mime, made.width, made.height), (copy.mime, copy.width, copy.height));
    }
}
