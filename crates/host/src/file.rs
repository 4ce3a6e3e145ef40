//! A regular file, read at offsets through its descriptor.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use readstone_base::{Blob, Identity, Stamp};
use rustix::fs::SeekFrom;

/// An open regular file whose size was known when it was opened.
#[derive(Debug)]
pub(crate) struct FileBlob {
    file: File,
    size: u64,
    sparse: bool,
}

impl FileBlob {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let facts = file.metadata()?;
        let size = facts.len();
        let sparse = facts.blocks().saturating_mul(512) < size;
        Ok(Self { file, size, sparse })
    }

    /// The file as a stream from where it stands.
    pub(crate) fn reader(&self) -> &File {
        &self.file
    }
}

impl Blob for FileBlob {
    fn len(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // What a file gained since it was opened belongs to the next call.
        let room = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(room);
        let mut done = 0;
        while done < wanted {
            let rest = buffer.get_mut(done..wanted).unwrap_or_default();
            match self.file.read_at(rest, offset + done as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn next_data(&self, offset: u64) -> io::Result<Option<u64>> {
        if !self.sparse {
            return Ok(Some(offset));
        }
        match rustix::fs::seek(&self.file, SeekFrom::Data(offset)) {
            Ok(found) => Ok(Some(found)),
            Err(rustix::io::Errno::NXIO) => Ok(None),
            // A file system that does not know its holes has none.
            Err(_) => Ok(Some(offset)),
        }
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        let facts = self.file.metadata()?;
        let nanos = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Ok(Some(Stamp {
            identity: Identity { device: facts.dev(), inode: facts.ino() },
            size: facts.size(),
            modified: nanos(facts.mtime(), facts.mtime_nsec()),
            changed: nanos(facts.ctime(), facts.ctime_nsec()),
        }))
    }
}
