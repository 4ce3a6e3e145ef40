//! Unpacks a small stream whole, so that its checksum is known before a byte of it is shown.

use std::io;

use readstone_base::{Blob, Budget, Lent};

use super::trouble::{Trouble, trouble_in};

const STEP: usize = 256 * 1024;
/// Up to so many bytes are not counted against the memory that calls share.
const OWN: u64 = 256 * 1024;

/// What came of unpacking a stream.
#[derive(Debug)]
pub(crate) enum Settled {
    /// All of it, and it adds up.
    Whole(Vec<u8>),
    /// What stands before a place from which on it cannot be read.
    Broken(Vec<u8>, Trouble),
    /// There is more of it than was asked for.
    Long,
}

/// What unpacking may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed<'a> {
    /// Bytes at most.
    pub(crate) most: u64,
    /// Bytes that the decoder takes beside them.
    pub(crate) beside: u64,
    /// The call, which shares memory with others.
    pub(crate) budget: &'a Budget,
}

impl Allowed<'_> {
    /// Takes memory that is shared, once more than a little is needed. Nobody may hold it and wait for more, so it is
    /// given back when all is unpacked, and before anybody else can ask.
    pub(crate) fn lend(&self, bytes: u64) -> io::Result<Option<Lent>> {
        let needed = bytes.saturating_add(self.beside);
        if needed <= OWN {
            return Ok(None);
        }
        self.budget.lend(needed).map_err(|why| Trouble::Stopped(why).into())
    }
}

/// Unpacks a blob whole, unless there is too much of it.
pub(crate) fn settle(blob: &dyn Blob, allowed: Allowed<'_>) -> io::Result<Settled> {
    let most = allowed.most;
    let mut bytes = Vec::new();
    // One byte more than there should be, so that the end is seen.
    let mut step = blob.len().map_or(STEP, |size| super::size(size.saturating_add(1)).min(STEP));
    let mut lent = allowed.lend(blob.len().unwrap_or(0).min(most))?;
    loop {
        let before = bytes.len();
        if before as u64 > most {
            return Ok(Settled::Long);
        }
        if lent.is_none() && before as u64 >= OWN {
            lent = allowed.lend(most)?;
        }
        bytes.resize(before + step, 0);
        let result = blob.read_at(before as u64, bytes.get_mut(before..).unwrap_or_default());
        bytes.truncate(before + result.as_ref().map_or(0, |count| *count));
        match result {
            Ok(0) => return Ok(Settled::Whole(bytes)),
            // Where less came than was asked for, the end is near, or the place from which on it cannot be read.
            Ok(count) => step = if count < step { 1 } else { STEP },
            Err(error) => match trouble_in(&error) {
                Some(Trouble::Stopped(_) | Trouble::TooBig { .. }) | None => return Err(error),
                Some(trouble) => return Ok(Settled::Broken(bytes, trouble.clone())),
            },
        }
    }
}
