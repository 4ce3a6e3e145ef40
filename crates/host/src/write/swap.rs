//! Swapping: a new version takes the place of the old one, which goes back when anything is wrong.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use readstone_base::{Identity, Stamp, escape_name};
use rustix::fs::AtFlags;
use rustix::io::Errno;

use super::fresh::Fresh;
use super::temporary::{self, Temporary};
use super::{Durable, Held, Unchanged, Way, identity};
use crate::error::Error;
use crate::file::stamp;
use crate::os::{self, Feat};

/// How often a version that others save is put back where they put it.
const MOST_TURNS: usize = 16;

/// A new version that waits beside its file. Dropping it leaves everything as it was.
#[derive(Debug)]
#[must_use = "dropping it removes the new version"]
pub struct Prepared(Work);

/// A new version in the place of the old one, which is still there. Dropping it puts the old one back.
#[derive(Debug)]
#[must_use = "dropping it puts the old version back"]
pub struct Swapped {
    put: Option<(Work, How)>,
    settled: bool,
}

/// What was done.
#[derive(Debug)]
pub struct Finished {
    /// The path without links.
    pub real: PathBuf,
    /// What the new version looks like; `None` when the file was taken away.
    pub stamp: Option<Stamp>,
    /// The directories that were made for it, outermost first.
    pub made: Vec<PathBuf>,
}

/// What a change works with, in the order in which it goes away.
#[derive(Debug)]
struct Work {
    /// The name under which the new version waits, and later the old one.
    temporary: Temporary,
    /// The new version; `None` when the file is to go.
    fresh: Option<Fresh>,
    held: Held,
    durable: Durable,
    made: Vec<PathBuf>,
}

/// How the new version came to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The old one has the temporary name.
    Exchanged,
    /// It was put over the old one, which had got the temporary name before.
    Over,
    /// There was no old one.
    Created,
    /// There is no new one; the old one has the temporary name.
    Removed,
}

impl Prepared {
    pub(super) fn replacing(
        held: Held,
        (temporary, fresh): (Temporary, Fresh),
        durable: Durable,
        made: Vec<PathBuf>,
    ) -> Self {
        Self(Work { temporary, fresh: Some(fresh), held, durable, made })
    }

    pub(super) fn removing(held: Held, durable: Durable) -> Self {
        let temporary = Temporary::name(&held.place.directory);
        Self(Work { temporary, fresh: None, held, durable, made: Vec::new() })
    }

    /// The path of the file without links.
    pub fn real(&self) -> &Path {
        &self.0.held.real
    }

    /// Puts the new version into the place of the file, if that is still what was opened: `unchanged` is asked whether its
    /// bytes are those that were read. Where they are not, everything is as before, and the error is [`Error::Changed`].
    pub fn swap(self, unchanged: &Unchanged<'_>) -> Result<Swapped, Error> {
        let Self(mut work) = self;
        work.held.still_wanted()?;
        let how = match (&work.held.old, &work.fresh) {
            (Some(_), Some(_)) => work.replace(unchanged)?,
            (None, Some(_)) => work.create()?,
            (Some(_), None) => work.take_out(unchanged)?,
            (None, None) => return Err(work.held.changed()),
        };
        Ok(Swapped { put: Some((work, how)), settled: false })
    }
}

impl Swapped {
    /// Puts the old version back. When somebody else has changed the new one meanwhile, theirs stays, and the error says where
    /// the old one is.
    pub fn back(mut self) -> Result<(), Error> {
        self.put.take().map_or(Ok(()), |(work, how)| work.back(how))
    }

    /// Waits until the change lasts, where it is to. A call that changes several files settles all of them before it finishes
    /// the first, because from then on there is no way back.
    pub fn settle(&mut self) -> Result<(), Error> {
        if let Some((work, _)) = &self.put
            && !self.settled
        {
            work.sync().map_err(|cause| work.held.failed(cause))?;
            self.settled = true;
        }
        Ok(())
    }

    /// Removes the old version, after the change was made to last; where that fails, the old one goes back.
    pub fn finish(mut self) -> Result<Finished, Error> {
        if let Err(error) = self.settle() {
            self.back()?;
            return Err(error);
        }
        let Some((work, _)) = self.put.take() else { return Err(Error::Changed { path: String::new() }) };
        if let Some(made) = &work.held.place.made {
            made.keep();
        }
        let stamp = work.fresh.as_ref().map(Fresh::stamp);
        let Work { held, made, .. } = work;
        Ok(Finished { real: held.real, stamp, made })
    }
}

impl Drop for Swapped {
    fn drop(&mut self) {
        if let Some((work, how)) = self.put.take() {
            // Nobody is left to be told.
            drop(work.back(how));
        }
    }
}

impl Work {
    fn replace(&mut self, unchanged: &Unchanged<'_>) -> Result<How, Error> {
        let name = &self.held.place.name;
        if !self.leads_to_old(name)? {
            return Err(self.held.changed());
        }
        if self.held.way != Way::Exchange {
            return self.put_over(unchanged);
        }
        match os::exchange(&self.held.place.directory, self.temporary.as_name(), name) {
            Ok(Feat::Done) => {}
            Ok(Feat::Unknown) => {
                self.held.way = Way::Over;
                return self.put_over(unchanged);
            }
            Err(error) => return Err(self.held.failed(error)),
        }
        match self.is_old(self.temporary.as_name(), unchanged) {
            Ok(true) => Ok(How::Exchanged),
            Ok(false) => self.exchange_back().and_then(|()| Err(self.held.changed())),
            Err(error) => self.exchange_back().and(Err(error)),
        }
    }

    /// Puts the new version over the old one, which gets a second name before, or a copy.
    fn put_over(&mut self, unchanged: &Unchanged<'_>) -> Result<How, Error> {
        let place = &self.held.place;
        let Some(old) = &self.held.old else { return Err(self.held.changed()) };
        let mut kept = None;
        if self.held.way == Way::Over {
            match Temporary::link(&place.directory, &place.name) {
                Ok(link) => kept = Some(link),
                Err(error) if os::is_no_link(error) => self.held.way = Way::OverCopy,
                Err(error) => return Err(self.held.failed(error)),
            }
        }
        let kept = match kept {
            Some(link) => link,
            None => Fresh::write(&self.held, temporary::PRIVATE, self.durable, &mut |sink| old.copy_to(sink))?.0,
        };
        let place = &self.held.place;
        let linked = self.held.way == Way::OverCopy || self.leads_to_old(kept.as_name())?;
        if !linked || !self.is_old(&place.name, unchanged)? {
            return Err(self.held.changed());
        }
        rustix::fs::renameat(&place.directory, self.temporary.as_name(), &place.directory, &place.name)
            .map_err(|error| self.held.failed(error))?;
        self.temporary.leave();
        self.temporary = kept;
        Ok(How::Over)
    }

    fn create(&mut self) -> Result<How, Error> {
        let place = &self.held.place;
        match os::put_new(&place.directory, self.temporary.as_name(), &place.name) {
            Ok(()) => {
                self.temporary.leave();
                Ok(How::Created)
            }
            Err(Errno::EXIST) => Err(self.held.changed()),
            Err(error) => Err(self.held.failed(error)),
        }
    }

    fn take_out(&mut self, unchanged: &Unchanged<'_>) -> Result<How, Error> {
        let place = &self.held.place;
        if !self.leads_to_old(&place.name)? {
            return Err(self.held.changed());
        }
        os::put_new(&place.directory, &place.name, self.temporary.as_name())
            .map_err(|error| self.held.failed(error))?;
        match self.is_old(self.temporary.as_name(), unchanged) {
            Ok(true) => {
                self.temporary.own();
                Ok(How::Removed)
            }
            Ok(false) => self.return_old().and_then(|()| Err(self.held.changed())),
            Err(error) => self.return_old().and(Err(error)),
        }
    }

    /// Undoes what was done.
    fn back(mut self, how: How) -> Result<(), Error> {
        let done = match how {
            How::Exchanged => self.exchange_back(),
            How::Over => self.put_back_over(),
            How::Created => self.take_back(),
            How::Removed => self.return_old(),
        };
        // The change was not to be; whether its end lasts is the disk's affair.
        done.inspect(|()| drop(self.sync()))
    }

    /// Lets the versions change places again, and looks whether it was ours that came out.
    fn exchange_back(&mut self) -> Result<(), Error> {
        let place = &self.held.place;
        let mut put = self.found(self.temporary.as_name());
        match os::exchange(&place.directory, self.temporary.as_name(), &place.name) {
            Ok(Feat::Done) => {}
            // Somebody removed the new version.
            Err(Errno::NOENT) => return self.return_old(),
            Ok(Feat::Unknown) => return Err(self.stranded(Errno::NOSYS)),
            Err(error) => return Err(self.stranded(error)),
        }
        if self.is_fresh_at(self.temporary.as_name()) {
            return Ok(());
        }
        // Somebody saved a version over ours: it stays, and so does whatever is saved over it while we put it back.
        for _ in 0..MOST_TURNS {
            let out = self.found(self.temporary.as_name());
            match os::exchange(&place.directory, self.temporary.as_name(), &place.name) {
                Ok(Feat::Done) => {}
                Ok(Feat::Unknown) => return Err(self.stranded(Errno::NOSYS)),
                Err(error) => return Err(self.stranded(error)),
            }
            if self.found(self.temporary.as_name()) == put {
                break;
            }
            put = out;
        }
        Err(self.stranded(taken()))
    }

    /// Which file a name leads to.
    fn found(&self, name: &OsStr) -> Option<Identity> {
        let facts = rustix::fs::statat(&self.held.place.directory, name, AtFlags::SYMLINK_NOFOLLOW);
        facts.ok().map(|facts| identity(&facts))
    }

    fn put_back_over(&mut self) -> Result<(), Error> {
        let place = &self.held.place;
        if !self.is_fresh_at(&place.name) {
            return Err(self.stranded(taken()));
        }
        match rustix::fs::renameat(&place.directory, self.temporary.as_name(), &place.directory, &place.name) {
            Ok(()) => {
                self.temporary.leave();
                Ok(())
            }
            Err(error) => Err(self.stranded(error)),
        }
    }

    /// Takes a file away that was not there before.
    fn take_back(&mut self) -> Result<(), Error> {
        let place = &self.held.place;
        if !self.is_fresh_at(&place.name) {
            return Err(self.held.changed());
        }
        os::put_new(&place.directory, &place.name, self.temporary.as_name())
            .map_err(|error| self.held.failed(error))?;
        if self.is_fresh_at(self.temporary.as_name()) {
            self.temporary.own();
            return Ok(());
        }
        self.return_old().and_then(|()| Err(self.held.changed()))
    }

    /// Gives what has the temporary name its own name again.
    fn return_old(&mut self) -> Result<(), Error> {
        let place = &self.held.place;
        match os::put_new(&place.directory, self.temporary.as_name(), &place.name) {
            Ok(()) => {
                self.temporary.leave();
                Ok(())
            }
            Err(Errno::EXIST) => Err(self.stranded(taken())),
            Err(error) => Err(self.stranded(error)),
        }
    }

    /// What has the temporary name is the only copy: it gets a name that is listed and that nobody sweeps away.
    fn stranded(&mut self, cause: impl Into<io::Error>) -> Error {
        self.temporary.leave();
        let directory = &self.held.place.directory;
        let mut lasting = self.held.place.name.clone();
        lasting.push(self.temporary.as_name());
        let lasting = Path::new(&lasting).with_extension("kept").into_os_string();
        let named = os::put_new(directory, self.temporary.as_name(), &lasting);
        let kept = escape_name(if named.is_ok() { &lasting } else { self.temporary.as_name() });
        Error::NotPutBack { path: self.held.shown.clone(), kept, cause: cause.into() }
    }

    /// Whether a name leads to what was opened, with its bytes.
    fn is_old(&self, name: &OsStr, unchanged: &Unchanged<'_>) -> Result<bool, Error> {
        let Some(old) = &self.held.old else { return Ok(false) };
        old.is_at(&self.held.place, name, unchanged).map_err(|cause| self.held.failed(cause))
    }

    fn leads_to_old(&self, name: &OsStr) -> Result<bool, Error> {
        let Some(old) = &self.held.old else { return Ok(false) };
        let leads = || self.held.place.leads_to(name, old.identity()?);
        leads().map_err(|error| self.held.failed(error))
    }

    /// Whether a name leads to the new version, as it was written.
    fn is_fresh_at(&self, name: &OsStr) -> bool {
        let facts = rustix::fs::statat(&self.held.place.directory, name, AtFlags::SYMLINK_NOFOLLOW);
        let (Ok(facts), Some(fresh)) = (facts, &self.fresh) else { return false };
        let (now, then) = (stamp(&facts), fresh.stamp());
        now.identity == then.identity && now.size == then.size && now.modified == then.modified
    }

    /// Makes the names of the directory last, and the directories that were made.
    fn sync(&self) -> io::Result<()> {
        if self.durable == Durable::No {
            return Ok(());
        }
        os::sync(&self.held.place.directory)?;
        self.held.place.made.as_ref().map_or(Ok(()), |made| made.sync())
    }
}

fn taken() -> io::Error {
    io::Error::other("another version took its place meanwhile")
}
