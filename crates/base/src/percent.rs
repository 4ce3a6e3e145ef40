//! Percent-encoding: a byte written as `%` and two hex digits.

/// A text with its percent-encoding taken away, once.
#[derive(Debug)]
pub struct Percent {
    bytes: Vec<u8>,
    pairs: usize,
    stray: usize,
}

impl Percent {
    /// Takes it away; a percent sign that encodes nothing stays.
    pub fn of(text: &str) -> Self {
        let mut decoded = Self { bytes: Vec::with_capacity(text.len()), pairs: 0, stray: 0 };
        let mut rest = text.as_bytes();
        while let Some((first, behind)) = rest.split_first() {
            let byte = behind.get(..2).and_then(hex_pair).filter(|_| *first == b'%');
            decoded.bytes.push(byte.unwrap_or(*first));
            decoded.pairs += usize::from(byte.is_some());
            decoded.stray += usize::from(*first == b'%' && byte.is_none());
            rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
        }
        decoded
    }

    /// What comes out; none when nothing was encoded, or when it is no text.
    pub fn loose(self) -> Option<String> {
        if self.pairs > 0 { String::from_utf8(self.bytes).ok() } else { None }
    }

    /// The same; none also when a percent sign encodes nothing.
    pub fn exact(self) -> Option<String> {
        if self.stray == 0 { self.loose() } else { None }
    }

    /// The same, also of a text in which nothing is encoded.
    pub fn text(self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    /// The bytes that come out, which need be no text; none when a percent sign encodes nothing.
    pub fn bytes(self) -> Option<Vec<u8>> {
        (self.stray == 0).then_some(self.bytes)
    }
}

/// The byte of two hex digits; the standard parser would take a sign for one.
fn hex_pair(pair: &[u8]) -> Option<u8> {
    let [high, low] = pair else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::Percent;

    #[test]
    fn pairs_are_taken_away_once_and_a_stray_sign_is_told() {
        let all = |text: &str| (Percent::of(text).loose(), Percent::of(text).exact());
        let both = |text: &str| (Some(text.to_owned()), Some(text.to_owned()));
        assert_eq!(all("a%20b"), both("a b"));
        assert_eq!(all("%C3%bc"), both("ü"));
        assert_eq!(all("%2541"), both("%41"));
        assert_eq!(all("a%20b%"), (Some("a b%".to_owned()), None));
        for none in ["", "plain", "100%", "%+1", "%-1", "%zz", "%2", "%ff", "%ü"] {
            assert_eq!(all(none), (None, None), "{none}");
        }
    }

    #[test]
    fn bytes_need_be_no_text() {
        assert_eq!(Percent::of("a%FF").bytes(), Some(b"a\xff".to_vec()));
        assert_eq!(Percent::of("plain").bytes(), Some(b"plain".to_vec()));
        assert_eq!(Percent::of("%+1").bytes(), None);
        assert_eq!(Percent::of("plain").text().as_deref(), Some("plain"));
        assert_eq!(Percent::of("a%FF").text(), None);
    }
}
