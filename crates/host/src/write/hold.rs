//! Holding: finding what is to be changed, judging it as any reading is judged, and locking it.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, Stopped, escape_name};
use rustix::fs::{Access, AtFlags, FileType};
use rustix::io::Errno;

use super::temporary::is_temporary_name;
use super::{Held, Old, Place, Way, identity, late};
use crate::error::Error;
use crate::file::FileBlob;
use crate::mask::{Mask, is_git_config};
use crate::open::{Host, Judged, mask_of, with_article};
use crate::os;
use crate::policy::Reach;

/// How long a file that somebody else has locked, or keeps replacing, is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(3);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(8);
/// No name of a file is longer.
const LONGEST_NAME: usize = 255;

/// One call of [`Host::hold`].
struct Holding<'a> {
    host: &'a Host,
    path: &'a Path,
    shown: &'a str,
    budget: &'a Budget,
    patience: Patience,
}

/// What is left of the time to wait. It is the pauses that are counted, so that a clock that stands still ends them too.
struct Patience {
    left: Duration,
    pause: Duration,
}

impl Host {
    /// Opens what is to be changed, judged as any reading is, and locks it; what is not there yet is held by its directory.
    pub fn hold(&self, path: &Path, budget: &Budget) -> Result<Held, Error> {
        let shown = escape_name(path.as_os_str());
        check_names(path, &shown)?;
        let patience = Patience { left: LOCK_WAIT, pause: Duration::from_millis(1) };
        let mut holding = Holding { host: self, path, shown: &shown, budget, patience };
        loop {
            if let Some(held) = holding.attempt()? {
                return Ok(held);
            }
            // The name leads elsewhere by now.
            budget.check().map_err(|why| late(&shown, why))?;
            if !holding.patience.wait(budget) {
                return Err(Error::Changed { path: shown.clone() });
            }
        }
    }
}

impl Holding<'_> {
    /// Takes what the path leads to now; `None` when it leads elsewhere before that is done.
    fn attempt(&mut self) -> Result<Option<Held>, Error> {
        match self.host.judged(self.path, self.shown) {
            Ok(judged) => self.present(judged),
            Err(Error::NotFound { why: "", .. }) => self.absent(),
            Err(error) => Err(error),
        }
    }

    /// Holds a file that is there.
    fn present(&mut self, judged: Judged) -> Result<Option<Held>, Error> {
        let Judged { fd, real, secret } = judged;
        let facts = rustix::fs::fstat(&fd).map_err(|error| self.failed(error))?;
        let kind = FileType::from_raw_mode(facts.st_mode);
        if kind != FileType::RegularFile {
            return Err(self.no_file(with_article(kind)));
        }
        // From here on it is closed as every file is: that may have to wait for whoever writes a database.
        let blob = FileBlob::known(File::from(fd), &facts);
        let file = blob.reader().map_err(|error| self.failed(error))?;
        self.refuse_made_up(file)?;
        let Some(place) = self.place(&real)? else { return Ok(None) };
        let leads = || place.leads_to(&place.name, identity(&facts)).map_err(|error| self.failed(error));
        if !leads()? {
            return Ok(None);
        }
        self.writable(&place, &place.name, "it is read-only")?;
        self.writable(&place, ".".as_ref(), "its directory is read-only")?;
        self.lock(file)?;
        // Whoever had the lock may have put another version there.
        let facts = rustix::fs::fstat(file).map_err(|error| self.failed(error))?;
        let old = Old::new(file.try_clone().map_err(|error| self.failed(error))?, facts);
        let mut old = old.map_err(|error| self.failed(error))?;
        let is_masked = [self.path, &real].into_iter().any(is_git_config);
        let mask = is_masked.then(|| mask_of(&*old.blob, self.shown)).transpose()?;
        if let Some(mask) = &mask {
            old.blob = mask.blob(old.blob.stamp_when_opened().map_err(|error| self.failed(error))?);
        }
        let leads = place.leads_to(&place.name, identity(&old.facts)).map_err(|error| self.failed(error))?;
        Ok(leads.then(|| Held { mask, ..self.held(Some(old), place, (real, secret)) }))
    }

    /// Holds the place of a file that is not there.
    fn absent(&self) -> Result<Option<Held>, Error> {
        let bytes = self.path.as_os_str().as_bytes();
        if bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
            return Err(self.no_file("the name of a directory"));
        }
        let (directory, above, mut missing) = self.nearest()?;
        let file = File::from(directory);
        self.refuse_made_up(&file)?;
        let Some(name) = missing.pop() else { return Ok(None) };
        let real = missing.iter().fold(above.clone(), |path, name| path.join(name)).join(&name);
        let secret = self.host.warning(&[self.path, &real], self.shown)?;
        let facts = rustix::fs::fstat(&file).map_err(|error| self.failed(error))?;
        let making = Arc::clone(&self.host.making);
        let made = making.find(identity(&facts));
        let place = Place { directory: Arc::new(file.into()), made, making, path: above, missing, name };
        self.writable(&place, ".".as_ref(), "its directory is read-only")?;
        let mask = [self.path, &real].into_iter().any(is_git_config).then(|| Mask::of(Vec::new()));
        Ok(Some(Held { mask, ..self.held(None, place, (real, secret)) }))
    }

    /// The nearest directory above the path that is there, its path, and the names below it.
    fn nearest(&self) -> Result<(std::os::fd::OwnedFd, PathBuf, Vec<std::ffi::OsString>), Error> {
        let bad = |why| Error::BadPath { path: self.shown.to_owned(), why };
        for above in self.path.ancestors().skip(1) {
            let spelled = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            let found = self.host.descriptor(spelled).map_err(|cause| self.host.refusal(spelled, self.shown, cause));
            if let Err(Error::NotFound { why: "", .. }) = found {
                continue;
            }
            let (fd, real) = found?;
            let facts = rustix::fs::fstat(&fd).map_err(|error| self.failed(error))?;
            if FileType::from_raw_mode(facts.st_mode) != FileType::Directory {
                return Err(bad("a part of it is not a directory"));
            }
            let rest = self.path.strip_prefix(above).unwrap_or(self.path);
            let names = rest.components().map(|part| match part {
                Component::Normal(name) => Some(name.to_owned()),
                Component::CurDir | Component::ParentDir | Component::RootDir | Component::Prefix(_) => None,
            });
            let names: Option<Vec<_>> = names.collect();
            return Ok((fd, real, names.ok_or_else(|| bad("it leads up from a directory that does not exist"))?));
        }
        Err(Error::NotFound { path: self.shown.to_owned(), why: "" })
    }

    /// The directory of a file, by its path without links; `None` when the path is not what it was.
    fn place(&self, real: &Path) -> Result<Option<Place>, Error> {
        let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else { return Ok(None) };
        let opened = match &self.host.policy().reach {
            Reach::Anywhere(_) => os::open_place(None, parent),
            Reach::Below(roots) => {
                let Some((root, inside)) = roots.iter().find_map(|root| Some((root, root.strip(parent)?))) else {
                    return Err(Error::OutsideRoot { path: self.shown.to_owned() });
                };
                os::open_place(Some(root), inside)
            }
        };
        let directory = match opened {
            Ok(directory) => directory,
            Err(error) => match Errno::from_io_error(&error) {
                Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV | Errno::AGAIN) => return Ok(None),
                Some(_) | None => return Err(self.failed(error)),
            },
        };
        let facts = rustix::fs::fstat(&directory).map_err(|error| self.failed(error))?;
        let making = Arc::clone(&self.host.making);
        let made = making.find(identity(&facts));
        let (directory, path) = (Arc::new(directory), parent.to_owned());
        Ok(Some(Place { directory, made, making, path, missing: Vec::new(), name: name.to_owned() }))
    }

    /// Waits for the lock of a file.
    fn lock(&mut self, file: &File) -> Result<(), Error> {
        if os::lock_whole(file).map_err(|error| self.failed(error))? {
            return Ok(());
        }
        let (budget, patience) = (self.budget, &mut self.patience);
        let waited = budget.waiting(|| patience.for_lock(file, budget)).map_err(|why| late(self.shown, why))?;
        let locked = waited.map_err(|error| self.failed(error))?;
        // Whoever cancelled the call does not ask about locks.
        if !locked && budget.still_wanted() == Err(Stopped::Cancelled) {
            return Err(late(self.shown, Stopped::Cancelled));
        }
        if locked { Ok(()) } else { Err(Error::Locked { path: self.shown.to_owned() }) }
    }

    /// Whether this process may change what a name leads to: a file that is read-only is not replaced by way of its directory.
    fn writable(&self, place: &Place, name: &std::ffi::OsStr, why: &'static str) -> Result<(), Error> {
        let wanted = if name == "." { Access::WRITE_OK | Access::EXEC_OK } else { Access::WRITE_OK };
        match rustix::fs::accessat(&place.directory, name, wanted, AtFlags::EACCESS) {
            Ok(()) => Ok(()),
            Err(Errno::ACCESS | Errno::PERM) => Err(Error::ReadOnly { path: self.shown.to_owned(), why }),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn refuse_made_up(&self, file: &File) -> Result<(), Error> {
        if os::is_made_up(file).map_err(|error| self.failed(error))? {
            return Err(self.no_file("part of a file system that the kernel makes up"));
        }
        Ok(())
    }

    fn held(&self, old: Option<Old>, place: Place, (real, secret): (PathBuf, Option<String>)) -> Held {
        let (shown, budget) = (self.shown.to_owned(), self.budget.clone());
        Held { old, place, real, secret, mask: None, shown, budget, way: Way::Exchange }
    }

    fn no_file(&self, what: &'static str) -> Error {
        Error::NotAFile { path: self.shown.to_owned(), what }
    }

    fn failed(&self, cause: impl Into<io::Error>) -> Error {
        Error::from_write(self.shown, cause.into())
    }
}

impl Patience {
    /// Waits for the lock of a file; false when it did not come.
    fn for_lock(&mut self, file: &File, budget: &Budget) -> io::Result<bool> {
        while self.wait(budget) {
            if os::lock_whole(file)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sleeps a little, longer each time; false when there is no patience left or the call is over. The system does not
    /// announce that a lock is free.
    fn wait(&mut self, budget: &Budget) -> bool {
        let pause = self.pause.min(self.left);
        if budget.sleep(pause).is_err() {
            return false;
        }
        self.left = self.left.saturating_sub(pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        !self.left.is_zero()
    }
}

/// Refuses what cannot be the path of a file, or is a name of our own.
fn check_names(path: &Path, shown: &str) -> Result<(), Error> {
    let bad = |why| Err(Error::BadPath { path: shown.to_owned(), why });
    if path.as_os_str().as_bytes().contains(&0) {
        return bad("it has a NUL byte");
    }
    if path.as_os_str().is_empty() {
        return bad("it is empty");
    }
    for part in path.components() {
        if part.as_os_str().len() > LONGEST_NAME {
            return bad("a name in it is longer than 255 bytes");
        }
        if is_temporary_name(part.as_os_str()) {
            return bad("such names are for versions of files that are being written");
        }
    }
    Ok(())
}
