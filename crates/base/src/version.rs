//! The version of a file is the hash of its bytes; the tag is the short name of a version.

use std::fmt;
use std::str::FromStr;

/// The full hash of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version([u8; 32]);

impl Version {
    /// A version from the bytes of its hash.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut bytes = [0; 32];
        if text.len() != 2 * bytes.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(());
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = text.get(2 * at..2 * at + 2).ok_or(())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| ())?;
        }
        Ok(Self(bytes))
    }
}

/// Four uppercase hex digits derived from a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(u16);

impl Tag {
    /// The tag of a version.
    pub const fn of(version: &Version) -> Self {
        let [high, low, ..] = version.0;
        Self(u16::from_be_bytes([high, low]))
    }

    /// The tag as a number, for storing it.
    pub const fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}", self.0)
    }
}

impl FromStr for Tag {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let four = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !four {
            return Err(());
        }
        u16::from_str_radix(text, 16).map(Self).map_err(|_| ())
    }
}
