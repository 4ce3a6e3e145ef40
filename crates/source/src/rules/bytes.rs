//! A set of bytes, as a glob has it in brackets.

/// A set of bytes.
#[derive(Debug, Default)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    /// Reads what stands behind a bracket, as git does; none when it has no end or names a class that is none.
    pub(super) fn read(text: &[u8]) -> Option<(Self, &[u8])> {
        let (negated, mut rest) = match text {
            [b'!' | b'^', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let mut set = Self::default();
        let mut before = None;
        loop {
            let (&byte, behind) = rest.split_first()?;
            (before, rest) = match (byte, before, behind) {
                (b'\\', _, _) => {
                    let (byte, behind) = behind.split_first()?;
                    set.add(*byte, *byte);
                    (Some(*byte), behind)
                }
                (b'-', Some(first), [last, ..]) if *last != b']' => {
                    let behind = if *last == b'\\' { behind.get(1..)? } else { behind };
                    let (last, behind) = behind.split_first()?;
                    set.add(first, *last);
                    (None, behind)
                }
                (b'[', _, [b':', class @ ..]) => {
                    let end = memchr::memchr(b']', class)?;
                    if let Some((b':', name)) = class.get(..end).and_then(<[u8]>::split_last) {
                        set.add_class(name)?;
                        (None, class.get(end + 1..)?)
                    } else {
                        set.add(b'[', b'[');
                        (Some(b'['), behind)
                    }
                }
                (byte, _, behind) => {
                    set.add(byte, byte);
                    (Some(byte), behind)
                }
            };
            if let [b']', behind @ ..] = rest {
                return Some((if negated { Self(set.0.map(|bits| !bits)) } else { set }, behind));
            }
        }
    }

    /// Adds the bytes from one to another.
    pub(super) fn add(&mut self, first: u8, last: u8) {
        for byte in first..=last {
            if let Some(bits) = self.0.get_mut(usize::from(byte / 64)) {
                *bits |= 1 << (byte % 64);
            }
        }
    }

    fn add_class(&mut self, name: &[u8]) -> Option<()> {
        let holds: fn(&u8) -> bool = match name {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return None,
        };
        (0..=u8::MAX).filter(holds).for_each(|byte| self.add(byte, byte));
        Some(())
    }

    /// Whether it holds a byte.
    pub(super) fn holds(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte / 64)).is_some_and(|bits| bits >> (byte % 64) & 1 == 1)
    }
}
