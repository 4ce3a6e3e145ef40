//! How many tokens a text will cost a model, estimated.

/// An estimate that is near for prose, code and tables alike: four ASCII bytes to a token, one token for each
/// character of scripts that tokenizers split finely, two characters to a token for the rest.
pub fn estimate(text: &str) -> u64 {
    if text.is_ascii() {
        return (text.len() as u64).div_ceil(4);
    }
    let (mut ascii, mut wide, mut other) = (0_u64, 0_u64, 0_u64);
    for character in text.chars() {
        match u32::from(character) {
            0..=0x7F => ascii += 1,
            0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0x1_F000..=0x3_FFFF => wide += 1,
            _ => other += 1,
        }
    }
    ascii.div_ceil(4) + wide + other.div_ceil(2)
}
