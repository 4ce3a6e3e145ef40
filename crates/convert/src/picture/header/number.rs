//! Numbers at a place in bytes.

/// Two bytes, the high one first.
pub(super) fn short_be(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Two bytes, the low one first.
pub(super) fn short_le(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Four bytes, the high one first.
pub(super) fn long_be(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Four bytes, the low one first.
pub(super) fn long_le(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Three bytes, the low one first.
pub(super) fn three_le(bytes: &[u8], at: usize) -> Option<u32> {
    let [low, middle, high] = *bytes.get(at..)?.first_chunk::<3>()?;
    Some(u32::from_le_bytes([low, middle, high, 0]))
}

/// A length that a file declares, as a place in memory; one that does not fit lies behind every end.
pub(super) fn place(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
