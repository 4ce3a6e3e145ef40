//! A new version of a file, written under a temporary name.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use readstone_base::{Blob as _, Budget, Stamp};
use rustix::fs::{Mode, Stat};
use rustix::io::Errno;

use super::temporary::Temporary;
use super::{Durable, Held, Lock, Old, Place, identity};
use crate::directory::stopped;
use crate::error::Error;
use crate::file::{FileBlob, stamp};
use crate::os::{self, Lost};

/// Bytes that are written at once.
const CHUNK: usize = 256 * 1024;

/// A new version, whole and locked: whoever finds it in its place waits until it is certain to stay there.
#[derive(Debug)]
pub(super) struct Fresh {
    /// Held for its end.
    _lock: Lock,
    facts: Stat,
}

impl Fresh {
    /// Writes a version with the owner, the permissions and the attributes of the file that is held, if there is one.
    pub(super) fn write(
        held: &Held,
        mode: Mode,
        durable: Durable,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(Temporary, Self), Error> {
        let failed = |cause: io::Error| held.failed(cause);
        let directory = &held.place.directory;
        let (temporary, file) = Temporary::create(directory, mode).map_err(failed)?;
        if let Some(old) = &held.old {
            os::keep_owner(&old.facts, &file).map_err(|lost| held.lost(lost))?;
        }
        fill(&file, &held.budget, write).map_err(failed)?;
        if let Some(old) = &held.old {
            let there = old.lock.0.reader().map_err(failed)?;
            os::keep_attributes(there, &old.facts, &file).map_err(|lost| held.lost(lost))?;
        }
        if durable == Durable::Yes {
            os::sync(&file).map_err(failed)?;
        }
        let fresh = Self::reopened(&temporary, &held.place, &file).map_err(failed)?;
        Ok((temporary, fresh))
    }

    /// The same file, open for reading only: what is open for writing cannot be run.
    fn reopened(temporary: &Temporary, place: &Place, file: &File) -> io::Result<Self> {
        let again = File::from(os::open_child(&place.directory, Path::new(temporary.as_name()))?);
        let facts = rustix::fs::fstat(&again)?;
        if identity(&facts) != identity(&rustix::fs::fstat(file)?) || !os::lock_whole(&again)? {
            return Err(Errno::NOENT.into());
        }
        Ok(Self { _lock: Lock(FileBlob::known(again, &facts)), facts })
    }

    /// What it looked like when it was whole.
    pub(super) fn stamp(&self) -> Stamp {
        stamp(&self.facts)
    }
}

/// Writes the content of a file.
fn fill(file: &File, budget: &Budget, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut sink = BufWriter::with_capacity(CHUNK, Metered { file, budget, failed: false });
    let written = write(&mut sink).and_then(|()| sink.flush());
    // What is left in the buffer after a failure is not wanted any more.
    let (metered, _) = sink.into_parts();
    written?;
    if metered.failed { Err(io::Error::other("a part of it could not be written")) } else { Ok(()) }
}

/// A file that is written as long as the call lasts.
#[derive(Debug)]
struct Metered<'a> {
    file: &'a File,
    budget: &'a Budget,
    /// Whoever writes may have overlooked it.
    failed: bool,
}

impl Write for Metered<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self.file;
        let written = self.budget.check().map_err(stopped).and_then(|()| file.write(bytes));
        self.failed |= written.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Held {
    pub(super) fn lost(&self, lost: Lost) -> Error {
        let path = self.shown.clone();
        match lost {
            Lost::Owner(cause) => Error::Owner { path, cause },
            Lost::Attribute(name, cause) => Error::Attribute { path, name, cause },
            Lost::Other(cause) => self.failed(cause),
        }
    }
}

impl Old {
    /// Copies the bytes that are there now.
    pub(super) fn copy_to(&self, sink: &mut dyn Write) -> io::Result<()> {
        let blob = FileBlob::new(self.lock.0.reader()?.try_clone()?)?;
        let mut chunk = vec![0; CHUNK];
        let mut offset = 0;
        loop {
            let count = blob.read_at(offset, &mut chunk)?;
            if count == 0 {
                return Ok(());
            }
            sink.write_all(chunk.get(..count).unwrap_or_default())?;
            offset += count as u64;
        }
    }
}
