//! Making the directories above a new file, which go again when nothing comes of it.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use readstone_base::Identity;
use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::{Place, identity};
use crate::os;

/// The directories that were made for files that are still being written: another file that goes there must not lose its
/// directory when the first comes to nothing.
#[derive(Debug, Default)]
pub(crate) struct Making(Mutex<Vec<(Identity, Weak<Made>)>>);

/// A directory that was made. The last of those who write below it removes it, unless one of them was done.
#[derive(Debug)]
pub(super) struct Made {
    /// The directory in which it is.
    parent: Arc<OwnedFd>,
    name: OsString,
    stays: AtomicBool,
    /// The same for the one above, if that was made too. It goes after this one.
    above: Option<Arc<Made>>,
}

impl Making {
    pub(super) fn find(&self, directory: Identity) -> Option<Arc<Made>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(which, _)| *which == directory).and_then(|(_, made)| made.upgrade())
    }

    fn note(&self, directory: Identity, made: &Arc<Made>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, made)| made.strong_count() > 0);
        all.push((directory, Arc::downgrade(made)));
    }
}

impl Made {
    /// Lets the directory and those above it stay.
    pub(super) fn keep(&self) {
        self.stays.store(true, Ordering::Relaxed);
        if let Some(above) = &self.above {
            above.keep();
        }
    }

    /// Makes the directory and those above it last.
    pub(super) fn sync(&self) -> io::Result<()> {
        os::sync(&self.parent)?;
        self.above.as_ref().map_or(Ok(()), |above| above.sync())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if !self.stays.load(Ordering::Relaxed) {
            // Somebody may have put something there.
            let _ = rustix::fs::unlinkat(&self.parent, &self.name, AtFlags::REMOVEDIR);
        }
    }
}

impl Place {
    /// Makes the directories that are missing, and gives their paths.
    pub(super) fn make(&mut self) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for name in std::mem::take(&mut self.missing) {
            let made = match rustix::fs::mkdirat(&self.directory, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) => Some(Arc::new(Made {
                    parent: Arc::clone(&self.directory),
                    name: name.clone(),
                    stays: AtomicBool::new(false),
                    above: self.made.take(),
                })),
                Err(Errno::EXIST) => None,
                Err(error) => return Err(error.into()),
            };
            self.path.push(&name);
            let directory = os::open_directory(&self.directory, name.as_ref())?;
            let which = identity(&rustix::fs::fstat(&directory)?);
            self.made = match made {
                Some(made) => {
                    self.making.note(which, &made);
                    paths.push(self.path.clone());
                    Some(made)
                }
                None => self.making.find(which),
            };
            self.directory = Arc::new(directory);
        }
        Ok(paths)
    }
}
