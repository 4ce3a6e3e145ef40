//! A blob is bytes that can be read at an offset: a file, an archive entry, a spooled stream.

use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::{Arc, OnceLock};

/// Buffers from this size on are asked for as if they were of the size below.
const LARGE: usize = 1024 * 1024;
/// What allocators take from the system for itself and give back as soon as it is freed: glibc's never keeps more than
/// 32 MiB in a piece. Of such a buffer only what is written takes memory.
const OF_ITS_OWN: usize = 33 * 1024 * 1024;

/// A buffer of zeros. What a busy moment took must not stay with the process for good, so large ones are given back to
/// the system and not to the allocator, which would keep some for each of its threads.
fn zeros(size: usize) -> Vec<u8> {
    let mut bytes = vec![0; if size < LARGE { size } else { size.max(OF_ITS_OWN) }];
    bytes.truncate(size);
    bytes
}

/// Bytes that can be read at any offset, many times, from many threads.
pub trait Blob: Send + Sync + std::fmt::Debug {
    /// The number of bytes, where it is known without reading them.
    fn len(&self) -> Option<u64>;

    /// Fills as much of `buffer` as there is from `offset` on; fewer bytes than asked mean the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// The bytes from `start` to before `end`, or as many of them as there are.
    fn read_range(&self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = zeros(usize::try_from(end.saturating_sub(start)).unwrap_or(0));
        let count = self.read_at(start, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    }

    /// All of the bytes, where they are in memory; `None` where they must be read.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    /// The first offset at or after `offset` that may hold something other than zeros; `None` when only a hole
    /// follows. A blob that knows of no holes answers `offset`.
    fn next_data(&self, offset: u64) -> io::Result<Option<u64>> {
        Ok(Some(offset))
    }

    /// Who the bytes are right now, where the bytes have an identity outside this process.
    fn stamp(&self) -> io::Result<Option<Stamp>> {
        Ok(None)
    }

    /// Who the bytes were when they were opened, where that was noted.
    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.stamp()
    }

    /// True when jumping to an offset costs what lies before it, as in compressed data: whoever reads much of it reads
    /// it in order and from one thread.
    fn is_serial(&self) -> bool {
        false
    }

    /// Holds others off from writing to a range of bytes, as far as they ask; false when one of them is writing. The hold
    /// lasts until [`Blob::release`] or until the blob is gone. What has no other users is always free.
    fn hold(&self, _range: std::ops::Range<u64>) -> io::Result<bool> {
        Ok(true)
    }

    /// Whether somebody else holds a range for writing.
    fn is_held(&self, _range: std::ops::Range<u64>) -> io::Result<bool> {
        Ok(false)
    }

    /// Ends a hold.
    fn release(&self, _range: std::ops::Range<u64>) -> io::Result<()> {
        Ok(())
    }

    /// How many credentials of the file are covered in these bytes, which are not those of the file then.
    fn masked(&self) -> u64 {
        0
    }

    /// True when the length is known to be zero.
    fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

/// Which file on which device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The device number.
    pub device: u64,
    /// The inode number.
    pub inode: u64,
}

/// What a file looked like at one moment; two equal stamps mean the same bytes, apart from changes within one tick
/// of the file system's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Which file.
    pub identity: Identity,
    /// Its size in bytes.
    pub size: u64,
    /// Nanoseconds since the epoch of the last change of its content.
    pub modified: i128,
    /// Nanoseconds since the epoch of the last change of its inode.
    pub changed: i128,
}

impl Stamp {
    /// A stamp that two files share when they have the same bytes.
    pub fn of_content(version: &crate::version::Version, size: u64) -> Self {
        let hash = version.as_bytes();
        let number =
            |at: usize| hash.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes);
        let identity = Identity { device: number(0), inode: number(8) };
        Self { identity, size, modified: i128::from(number(16)), changed: i128::from(number(24)) }
    }

    /// The stamp of a part of these bytes: it changes when they do, and differs from that of any other part. It means
    /// nothing outside this process: its keys are drawn anew each time, so that nobody can make two names that agree.
    #[must_use]
    pub fn part(self, name: &[u8]) -> Self {
        static KEYS: OnceLock<[RandomState; 2]> = OnceLock::new();
        let [one, other] = KEYS.get_or_init(Default::default);
        let whole = (self.identity.device, self.identity.inode, name);
        Self { identity: Identity { device: one.hash_one(whole), inode: other.hash_one(whole) }, ..self }
    }
}

/// Bytes held in memory, shared by whoever holds the blob.
#[derive(Clone, Debug)]
pub struct Memory {
    bytes: Arc<Vec<u8>>,
}

impl Memory {
    /// A blob of these bytes.
    pub fn new(bytes: impl Into<Arc<Vec<u8>>>) -> Self {
        Self { bytes: bytes.into() }
    }
}

impl Blob for Memory {
    fn len(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let rest = self.bytes.get(start..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}
