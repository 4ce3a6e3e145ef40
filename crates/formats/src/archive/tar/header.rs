//! One header of a tar archive.

use super::super::index::Kind;

/// Everything stands in blocks of this size.
pub(super) const BLOCK: u64 = 512;
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// Whether a tar archive begins here.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    let Some(block) = head.first_chunk::<512>() else { return false };
    let named = block.first().is_some_and(|byte| *byte != 0);
    if block.get(257..262) == Some(b"ustar") {
        return has_checksum(block) || named;
    }
    named && has_checksum(block)
}

/// What a header says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An entry, whose bytes follow it.
    Entry(Kind),
    /// An entry without bytes, whatever size it declares.
    Bare(Kind),
    /// An entry with holes.
    Sparse,
    /// More about the next entry.
    Pax,
    /// More about all entries.
    Global,
    /// The name of the next entry.
    LongName,
    /// Where the next entry leads.
    LongLink,
    /// Something that is no entry.
    Skip,
}

/// A header.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) role: Role,
    pub(super) name: Vec<u8>,
    pub(super) link: Vec<u8>,
    pub(super) size: u64,
    pub(super) time: Option<i64>,
    /// Whether more blocks about holes follow.
    pub(super) extended: bool,
}

/// What is wrong with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Checksum,
    Size,
}

impl Wrong {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Checksum => "there is no header where one should be",
            Self::Size => "the size of an entry cannot be read",
        }
    }
}

impl Header {
    pub(super) fn parse(block: &[u8; 512]) -> Result<Self, Wrong> {
        if !has_checksum(block) {
            return Err(Wrong::Checksum);
        }
        let field = |range: std::ops::Range<usize>| block.get(range).unwrap_or_default();
        let letter = block.get(156).copied().unwrap_or(0);
        let mut name = text(field(0..100)).to_vec();
        // GNU uses the room of the prefix for other things.
        if field(257..263) == b"ustar\0" {
            let prefix = text(field(345..500));
            if !prefix.is_empty() {
                name = [prefix, b"/", &name].concat();
            }
        }
        let role = role(letter, &name);
        let size = number(field(124..136)).ok_or(Wrong::Size)?;
        Ok(Self {
            role,
            link: text(field(157..257)).to_vec(),
            // Only the size of what has bytes is bound to be a number, but all of them are.
            size,
            time: number(field(136..148)).and_then(|time| i64::try_from(time).ok()),
            extended: role == Role::Sparse && block.get(482).is_some_and(|byte| *byte != 0),
            name,
        })
    }

    /// The size that a header declares.
    pub(super) fn size(block: &[u8]) -> Option<u64> {
        number(block.get(124..136)?)
    }

    /// The real size of an entry with holes.
    pub(super) fn real_size(block: &[u8; 512]) -> Option<u64> {
        number(block.get(483..495)?)
    }
}

fn role(letter: u8, name: &[u8]) -> Role {
    match letter {
        0 if name.ends_with(b"/") => Role::Bare(Kind::Directory),
        b'1' => Role::Bare(Kind::HardLink),
        b'2' => Role::Bare(Kind::Symlink),
        b'3' => Role::Bare(Kind::CharacterDevice),
        b'4' => Role::Bare(Kind::BlockDevice),
        b'5' => Role::Bare(Kind::Directory),
        b'6' => Role::Bare(Kind::Fifo),
        b'D' => Role::Entry(Kind::Directory),
        b'S' => Role::Sparse,
        b'x' | b'X' => Role::Pax,
        b'g' => Role::Global,
        b'L' => Role::LongName,
        b'K' => Role::LongLink,
        b'V' => Role::Skip,
        _ => Role::Entry(Kind::File),
    }
}

/// Text up to its first NUL.
pub(super) fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A number in octal digits, or in bytes when the first has its highest bit set; `None` when it is neither.
fn number(field: &[u8]) -> Option<u64> {
    if let Some((first, rest)) = field.split_first().filter(|(first, _)| **first & 0x80 != 0) {
        // All bits of a negative number's first byte are set; sizes and times before the epoch are not taken.
        let high = u64::from(first & 0x7F);
        let value = rest.iter().try_fold(high, |value, byte| value.checked_mul(256)?.checked_add(u64::from(*byte)));
        return value.filter(|value| *first != 0xFF && *value <= i64::MAX.cast_unsigned());
    }
    let digits = field.trim_ascii_start();
    let end = digits.iter().position(|byte| matches!(byte, 0 | b' ')).unwrap_or(digits.len());
    let (digits, rest) = digits.split_at_checked(end)?;
    if !rest.iter().all(|byte| matches!(byte, 0 | b' ')) {
        return None;
    }
    digits.iter().try_fold(0_u64, |value, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 8)?;
        value.checked_mul(8)?.checked_add(u64::from(digit))
    })
}

/// Whether the checksum of a header is right, the bytes counted with or without their signs.
fn has_checksum(block: &[u8; 512]) -> bool {
    let Some(said) = block.get(CHECKSUM).and_then(checksum) else { return false };
    let blank = |at: usize, byte: u8| if CHECKSUM.contains(&at) { b' ' } else { byte };
    let bytes = || block.iter().enumerate().map(|(at, byte)| blank(at, *byte));
    let plain: i64 = bytes().map(i64::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
    said == plain || said == signed
}

/// A checksum is read more leniently than other numbers: whatever stands behind its digits is no part of it.
fn checksum(field: &[u8]) -> Option<i64> {
    let digits = field.trim_ascii_start();
    let end = digits.iter().position(|byte| !(b'0'..=b'7').contains(byte)).unwrap_or(digits.len());
    let digits = digits.get(..end).filter(|digits| !digits.is_empty())?;
    Some(digits.iter().fold(0, |value, digit| value * 8 + i64::from(digit - b'0')))
}
