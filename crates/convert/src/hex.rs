//! Hex: bytes written as two digits.

/// The byte of two hex digits; the standard parser would take a sign for one.
pub(crate) fn hex_pair(pair: &[u8]) -> Option<u8> {
    let [high, low] = pair else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::hex_pair;

    #[test]
    fn a_sign_is_no_digit() {
        assert_eq!(hex_pair(b"2f"), Some(0x2f));
        assert_eq!(hex_pair(b"FF"), Some(0xff));
        for none in [b"+1".as_slice(), b"-1", b" 1", b"1", b"123", b"g0", b""] {
            assert_eq!(hex_pair(none), None);
        }
    }
}
