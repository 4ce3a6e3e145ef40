//! What goes wrong while bytes are unpacked, carried inside an `io::Error`.

use std::{fmt, io};

use readstone_base::{Blob, Budget, Stopped};

/// Why no more bytes come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The call ended.
    Stopped(Stopped),
    /// Unpacking asks for more than a limit allows.
    TooBig {
        /// What asks for it.
        what: &'static str,
        /// How many bytes it asks for, where that is known.
        asks: Option<u64>,
        /// The limit.
        limit: &'static str,
    },
    /// The bytes end in the middle.
    Cut {
        /// Where, in the compressed bytes.
        at: u64,
    },
    /// The bytes are not what they should be.
    Damaged {
        /// Where, in the compressed bytes.
        at: u64,
    },
    /// The bytes were unpacked and do not add up.
    Checksum,
    /// The bytes are fewer or more than was declared.
    Size {
        /// What was declared.
        declared: u64,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(Stopped::Cancelled) => f.write_str("the call was cancelled"),
            Self::Stopped(Stopped::Deadline) => f.write_str("the time of the call is used up"),
            Self::TooBig { what, asks: Some(asks), limit } => write!(f, "{what} of {asks} bytes is above {limit}"),
            Self::TooBig { what, asks: None, limit } => write!(f, "{what} is above {limit}"),
            Self::Cut { at } => write!(f, "the compressed data is cut at byte {at}"),
            Self::Damaged { at } => write!(f, "the compressed data is damaged near byte {at}"),
            Self::Checksum => f.write_str("the checksum does not match"),
            Self::Size { declared } => write!(f, "the size is not the declared {declared} bytes"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<Trouble> for io::Error {
    fn from(trouble: Trouble) -> Self {
        let kind = match &trouble {
            Trouble::Stopped(Stopped::Deadline) => io::ErrorKind::TimedOut,
            // Callers repeat what was interrupted, so that kind must not be used.
            Trouble::Stopped(Stopped::Cancelled) => io::ErrorKind::Other,
            Trouble::TooBig { .. } => io::ErrorKind::OutOfMemory,
            Trouble::Cut { .. } => io::ErrorKind::UnexpectedEof,
            Trouble::Damaged { .. } | Trouble::Checksum | Trouble::Size { .. } => io::ErrorKind::InvalidData,
        };
        Self::new(kind, trouble)
    }
}

/// The trouble that an error carries, perhaps wrapped by a decoder.
pub(crate) fn trouble_in(error: &io::Error) -> Option<&Trouble> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// Whether an error means that bytes were missing at the end.
pub(super) fn ends_early(error: &io::Error) -> bool {
    let early = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    early(error) || causes(error).any(|cause| cause.downcast_ref().is_some_and(early))
}

type Cause<'a> = &'a (dyn std::error::Error + 'static);

/// What lies behind an error; decoders wrap what their source says.
fn causes(error: &io::Error) -> impl Iterator<Item = Cause<'_>> {
    std::iter::successors(inner(error), |cause| match cause.downcast_ref::<io::Error>() {
        Some(error) => inner(error),
        None => cause.source(),
    })
    .take(8)
}

fn inner(error: &io::Error) -> Option<Cause<'_>> {
    error.get_ref().map(|inner| inner as Cause<'_>)
}

/// Asks whether the call may go on.
pub(crate) fn go_on(budget: &Budget) -> io::Result<()> {
    budget.check().map_err(|stopped| Trouble::Stopped(stopped).into())
}

/// What a read gives that was ended by an error with `done` bytes at hand: those, where the stream is sound up to
/// there, and the error the next time; else the error at once.
pub(super) fn at_hand(done: usize, error: io::Error) -> io::Result<usize> {
    match trouble_in(&error) {
        Some(Trouble::Cut { .. } | Trouble::Damaged { .. }) if done > 0 => Ok(done),
        Some(
            Trouble::Cut { .. }
            | Trouble::Damaged { .. }
            | Trouble::Stopped(_)
            | Trouble::TooBig { .. }
            | Trouble::Checksum
            | Trouble::Size { .. },
        )
        | None => Err(error),
    }
}

/// Fills a buffer from a blob: fewer bytes mean the end, and not that something is wrong behind them.
pub(crate) fn fill(blob: &dyn Blob, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while let Some(room) = buffer.get_mut(done..).filter(|room| !room.is_empty()) {
        match blob.read_at(at + done as u64, room)? {
            0 => break,
            count => done += count,
        }
    }
    Ok(done)
}

/// How many bytes a blob holds, counted by reading no more than `most` of them; false when there are more.
pub(crate) fn measure(blob: &dyn Blob, most: u64) -> io::Result<(u64, bool)> {
    const STEP: u64 = 256 * 1024;
    if let Some(size) = blob.len() {
        return Ok((size, true));
    }
    let mut buffer = vec![0; super::size(STEP.min(most.max(1)))];
    let mut at = 0;
    while at < most {
        let wanted = STEP.min(most - at);
        let slice = buffer.get_mut(..super::size(wanted)).unwrap_or_default();
        let count = fill(blob, at, slice)? as u64;
        at += count;
        if count < wanted {
            return Ok((at, true));
        }
    }
    Ok((at, blob.read_at(at, &mut [0])? == 0))
}
