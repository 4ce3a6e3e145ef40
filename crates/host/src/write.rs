//! Writing: a new version is made beside a file and put into its place at once, or nothing happens.
//!
//! A file is held (opened, judged and locked), its new version is prepared, and the two change places; what came out is looked
//! at, and goes back when it is not what was held. Only then is the old version removed. A call that changes several files
//! prepares all of them, swaps all, settles all and then finishes all; whatever is dropped before that goes back.

mod fresh;
mod hold;
mod making;
mod swap;
mod temporary;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Budget, Identity, Stopped};
use rustix::fs::{AtFlags, Stat};
use rustix::io::Errno;

use crate::directory::stopped;
use crate::error::Error;
use crate::file::FileBlob;
use crate::mask::Mask;
use crate::os;
use fresh::Fresh;
use making::Made;

pub(crate) use making::Making;
pub use swap::{Finished, Prepared, Swapped};
pub use temporary::is_temporary_name;

/// A file that is to be changed, opened and locked; or the place of one that is not there yet.
///
/// Whoever holds several at a time takes them in one order everywhere, say that of their real paths, and each of them once:
/// two calls that wait for each other's files wait until their time ends.
#[derive(Debug)]
pub struct Held {
    old: Option<Old>,
    place: Place,
    real: PathBuf,
    secret: Option<String>,
    /// What of a git configuration is shown, whether it is there or not.
    mask: Option<Mask>,
    /// The path as it was given, for errors.
    shown: String,
    budget: Budget,
    way: Way,
}

/// What is there now.
#[derive(Debug)]
struct Old {
    blob: Arc<dyn Blob>,
    /// The same file, locked.
    lock: Lock,
    facts: Stat,
}

/// Where a file is, or is to be.
#[derive(Debug)]
struct Place {
    /// The nearest directory that is there.
    directory: Arc<OwnedFd>,
    /// That directory, or one above it, when it was made for a file that is still being written.
    made: Option<Arc<Made>>,
    making: Arc<Making>,
    /// The path of the directory, without links.
    path: PathBuf,
    /// Directories below it that are not there yet.
    missing: Vec<OsString>,
    name: OsString,
}

/// How files change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// At once, each getting the name of the other.
    Exchange,
    /// One over the other, which has got a second name before: what file systems do that know no exchange.
    Over,
    /// The same, where a file cannot have two names: it is copied before.
    OverCopy,
}

/// The new content of a file, and how it is put there.
pub struct New<'a> {
    /// Writes the content, from the beginning to the end.
    pub write: &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    /// Its permissions, where there was no file before.
    pub mode: Mode,
    /// Whether it is to last.
    pub durable: Durable,
}

impl std::fmt::Debug for New<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("New").field("mode", &self.mode).field("durable", &self.durable).finish_non_exhaustive()
    }
}

/// The permissions of a new file. One that was there before keeps its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Those that any program gives a file.
    Usual,
    /// The same, and it can be run.
    Executable,
    /// Its owner alone may read and write it.
    Private,
}

/// Whether a change that was reported survives a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// It does; the disk is waited for.
    Yes,
    /// It may not. A file is whole all the same.
    No,
}

/// A locked file. The lock goes with this, whoever else has the file open.
#[derive(Debug)]
struct Lock(FileBlob);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Ok(file) = self.0.reader() {
            os::unlock_whole(file);
        }
    }
}

impl Held {
    /// The bytes that are there now, as they are shown; `None` when there is no file.
    pub fn blob(&self) -> Option<&Arc<dyn Blob>> {
        self.old.as_ref().map(|old| &old.blob)
    }

    /// The mask of a git configuration, whose [`blob`](Self::blob) is masked; a new one has nothing to cover yet.
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// The path without links.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// The rule for secrets of which the caller must be warned.
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// How many other names the file has; they will keep the old version.
    pub fn links(&self) -> u64 {
        self.old.as_ref().map_or(0, |old| u64::try_from(i128::from(old.facts.st_nlink) - 1).unwrap_or(0))
    }

    /// Which file it is, where there is one.
    pub fn identity(&self) -> Option<Identity> {
        self.old.as_ref().map(|old| identity(&old.facts))
    }

    /// Writes a new version beside the file, with its permissions, owner and attributes; nothing is changed yet. Dropping it
    /// removes what was written and the directories that were made for it.
    pub fn prepare(mut self, new: New<'_>) -> Result<Prepared, Error> {
        let New { write, mode, durable } = new;
        self.still_wanted()?;
        let directories = self.place.make().map_err(|cause| self.failed(cause))?;
        temporary::sweep(&self.place.directory, temporary::now());
        let mode = match (&self.old, mode) {
            (Some(_), _) | (None, Mode::Private) => temporary::PRIVATE,
            (None, Mode::Usual) => temporary::USUAL,
            (None, Mode::Executable) => temporary::EXECUTABLE,
        };
        let fresh = Fresh::write(&self, mode, durable, write)?;
        Ok(Prepared::replacing(self, fresh, durable, directories))
    }

    /// Makes ready to take the file away, which undoes its creation.
    pub fn prepare_removal(self, durable: Durable) -> Result<Prepared, Error> {
        self.still_wanted()?;
        if self.old.is_none() {
            return Err(Error::NotFound { path: self.shown, why: "" });
        }
        Ok(Prepared::removing(self, durable))
    }

    /// Takes the file away, if it is still what was opened.
    pub fn remove(self, durable: Durable, unchanged: &Unchanged<'_>) -> Result<(), Error> {
        self.prepare_removal(durable)?.swap(unchanged)?.finish().map(drop)
    }

    fn still_wanted(&self) -> Result<(), Error> {
        self.budget.check().map_err(|why| self.failed(stopped(why)))
    }

    fn failed(&self, cause: impl Into<io::Error>) -> Error {
        Error::from_write(&self.shown, cause.into())
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.shown.clone() }
    }
}

/// Says whether a file that was taken out of its place still has the bytes that were read of it.
type Unchanged<'a> = dyn Fn(&dyn Blob) -> io::Result<bool> + 'a;

impl Old {
    fn new(file: File, facts: Stat) -> io::Result<Self> {
        let blob = Arc::new(FileBlob::known(file.try_clone()?, &facts));
        Ok(Self { blob, lock: Lock(FileBlob::known(file, &facts)), facts })
    }

    /// Which file it is. An overlay moves a file to another layer when it is renamed, and gives it another number there.
    fn identity(&self) -> rustix::io::Result<Identity> {
        let file = self.lock.0.reader().map_err(|_| rustix::io::Errno::BADF)?;
        Ok(identity(&rustix::fs::fstat(file)?))
    }

    /// Whether a name leads to this file, and it still has the bytes that were read, and the owner and the permissions that its
    /// new version was given. It is opened again, because it may be longer now, or be read from another layer.
    fn is_at(&self, place: &Place, name: &OsStr, unchanged: &Unchanged<'_>) -> io::Result<bool> {
        let file = match os::open_child(&place.directory, Path::new(name)) {
            Ok(file) => File::from(file),
            Err(error) => match Errno::from_io_error(&error) {
                Some(Errno::NOENT | Errno::LOOP | Errno::NXIO) => return Ok(false),
                Some(_) | None => return Err(error),
            },
        };
        let facts = rustix::fs::fstat(&file)?;
        let kept = |facts: &Stat| (facts.st_mode, facts.st_uid, facts.st_gid);
        if identity(&facts) != self.identity()? || kept(&facts) != kept(&self.facts) {
            return Ok(false);
        }
        unchanged(&FileBlob::known(file, &facts))
    }
}

impl Place {
    /// Whether a name of the directory leads to this file.
    fn leads_to(&self, name: &OsStr, identity: Identity) -> rustix::io::Result<bool> {
        match rustix::fs::statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(facts) => Ok(self::identity(&facts) == identity),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn identity(facts: &Stat) -> Identity {
    Identity { device: facts.st_dev, inode: facts.st_ino }
}

/// What a call says that ended before a file was changed.
fn late(shown: &str, why: Stopped) -> Error {
    Error::from_write(shown, stopped(why))
}

#[cfg(test)]
mod tests;
