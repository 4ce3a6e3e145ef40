//! How many tokens a text will cost a model, estimated.

/// An estimate that is near for prose, code and tables alike: four ASCII bytes to a token, one token for each
/// character of scripts that tokenizers split finely, two characters to a token for the rest. The first byte of a
/// character tells well enough which it is, so nothing is decoded.
pub fn estimate(text: &str) -> u64 {
    let (mut ascii, mut wide, mut other) = (0_u64, 0_u64, 0_u64);
    for run in text.as_bytes().chunks(128) {
        if run.is_ascii() {
            ascii += run.len() as u64;
            continue;
        }
        for byte in run {
            match byte {
                0..=0x7F => ascii += 1,
                // The bytes behind the first of a character.
                0x80..=0xBF => {}
                // Han, kana, hangul and what lies beyond the first plane.
                0xE3..=0xED | 0xF0..=0xFF => wide += 1,
                0xC0..=0xE2 | 0xEE..=0xEF => other += 1,
            }
        }
    }
    ascii.div_ceil(4) + wide + other.div_ceil(2)
}
