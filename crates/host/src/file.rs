//! A regular file, read at offsets through its descriptor.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use readstone_base::{Blob, Identity, Stamp};
use rustix::fs::{SeekFrom, Stat};

use crate::{keep, os};

/// An open regular file whose size was known when it was opened.
#[derive(Debug)]
pub struct FileBlob {
    /// There until it is dropped.
    file: Option<File>,
    size: u64,
    sparse: bool,
    opened: Stamp,
}

impl FileBlob {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let facts = rustix::fs::fstat(&file)?;
        Ok(Self::known(file, &facts))
    }

    /// A file that was just looked at.
    pub(crate) fn known(file: File, facts: &Stat) -> Self {
        let opened = stamp(facts);
        let stored = u64::try_from(facts.st_blocks).unwrap_or(0).saturating_mul(512);
        Self { file: Some(file), size: opened.size, sparse: stored < opened.size, opened }
    }

    /// The file as a stream from where it stands.
    pub(crate) fn reader(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Drop for FileBlob {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            keep::close(file, self.opened.identity);
        }
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
        let file = self.reader()?;
        let mut done = 0;
        while done < wanted {
            let rest = buffer.get_mut(done..wanted).unwrap_or_default();
            match file.read_at(rest, offset + done as u64) {
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
        match rustix::fs::seek(self.reader()?, SeekFrom::Data(offset)) {
            Ok(found) => Ok(Some(found)),
            Err(rustix::io::Errno::NXIO) => Ok(None),
            // A file system that does not know its holes has none.
            Err(_) => Ok(Some(offset)),
        }
    }

    fn hold(&self, range: Range<u64>) -> io::Result<bool> {
        os::lock_shared(self.reader()?, &range)
    }

    fn is_held(&self, range: Range<u64>) -> io::Result<bool> {
        os::is_locked(self.reader()?, &range)
    }

    fn release(&self, range: Range<u64>) -> io::Result<()> {
        os::unlock(self.reader()?, &range)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        Ok(Some(stamp(&rustix::fs::fstat(self.reader()?)?)))
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        Ok(Some(self.opened))
    }
}

pub(crate) fn stamp(facts: &Stat) -> Stamp {
    let nanos = |seconds: i128, rest: i128| seconds * 1_000_000_000 + rest;
    Stamp {
        identity: Identity { device: facts.st_dev, inode: facts.st_ino },
        size: u64::try_from(facts.st_size).unwrap_or(0),
        modified: nanos(facts.st_mtime.into(), facts.st_mtime_nsec.into()),
        changed: nanos(facts.st_ctime.into(), facts.st_ctime_nsec.into()),
    }
}
