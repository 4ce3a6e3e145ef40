//! Configuration files on disk: read whole, replaced as a whole, with a copy of what was there before.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault};
use readstone_host::{Durable, Environment, Error, Host, Mode, New, Object, Policy, Secrets, Stance, SystemClock};

use super::error::cannot;

/// A larger file is not a configuration.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// The end of the name of the copy.
const BACKUP: &str = ".readstone-backup";

/// Opens and replaces files of the user.
#[derive(Debug)]
pub(super) struct Files<'a> {
    pub(super) environment: &'a Environment,
    host: Host,
    budget: Budget,
}

impl<'a> Files<'a> {
    pub(super) fn new(environment: &'a Environment) -> Result<Self, Fault> {
        let directory = environment.directory().cloned().unwrap_or_else(|| PathBuf::from("/"));
        // The user names the file, or the client's documentation does: nothing is withheld.
        let secrets = Secrets::new(Stance::Warn, &[]).map_err(cannot)?;
        let host = Host::new(Policy::anywhere(directory, secrets), environment.home(), MOST_BYTES);
        Ok(Self { environment, host, budget: Budget::new(Arc::new(SystemClock::new(None)), None) })
    }

    /// The bytes of a file; `None` when there is none.
    pub(super) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, Fault> {
        match self.host.open(path, &self.budget) {
            Ok(opened) => match opened.object {
                Object::File { blob, .. } => all(&*blob).map(Some).map_err(|error| failed(path, &error)),
                Object::Directory(_) => Err(cannot(format!("{} is a directory", path.display()))),
            },
            Err(Error::NotFound { why: "", .. }) => Ok(None),
            Err(error) => Err(Box::new(error)),
        }
    }

    /// Puts new bytes into the place of a file, if it still has the old ones. Links are followed; owner and permissions stay,
    /// and a new file has those of the mode.
    pub(super) fn write(&self, path: &Path, old: Option<&[u8]>, (new, mode): (&[u8], Mode)) -> Result<(), Fault> {
        let held = self.host.hold(path, &self.budget).map_err(boxed)?;
        let now = held.blob().map(|blob| all(&**blob)).transpose().map_err(|error| failed(path, &error))?;
        if now.as_deref() != old {
            return Err(changed(path));
        }
        let mut write = |out: &mut dyn io::Write| out.write_all(new);
        let new = New { write: &mut write, mode, durable: Durable::Yes };
        let prepared = held.prepare(new).map_err(boxed)?;
        let swapped = prepared.swap(&|blob| Ok(Some(all(blob)?.as_slice()) == old)).map_err(boxed)?;
        swapped.finish().map_err(boxed).map(drop)
    }

    /// Removes a file, if it still has these bytes.
    pub(super) fn remove(&self, path: &Path, old: &[u8]) -> Result<(), Fault> {
        let held = self.host.hold(path, &self.budget).map_err(boxed)?;
        held.remove(Durable::Yes, &|blob| Ok(all(blob)? == old)).map_err(boxed)
    }
}

fn all(blob: &dyn Blob) -> io::Result<Vec<u8>> {
    let length = blob.len().unwrap_or(MOST_BYTES);
    if length > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is too large for a configuration"));
    }
    blob.read_range(0, length)
}

/// Where the copy of a file is kept.
pub(super) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

fn boxed(error: Error) -> Fault {
    Box::new(error)
}

fn failed(path: &Path, error: &io::Error) -> Fault {
    cannot(format!("{} cannot be read: {}", path.display(), readstone_base::plain_words(error)))
}

fn changed(path: &Path) -> Fault {
    cannot(format!("{} was changed by another program meanwhile; run this again", path.display()))
}
