//! Temporary names: under which a new version waits for its place, and an old one for its end.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::identity;
use crate::os;
use crate::random::random_seed;

/// How such a name begins.
const BEGINNING: &[u8] = b".readstone-";
/// How it ends; between the two stand hexadecimal digits.
const END: &[u8] = b".tmp";
/// How many digits.
const DIGITS: usize = 16;

/// The permissions of a version whose file has its own.
pub(super) const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);
/// Those of a new file; the system takes away what the user does not want to give, and adds what the directory says.
pub(super) const USUAL: Mode = Mode::from_raw_mode(0o666);
/// Those of a new file that can be run.
pub(super) const EXECUTABLE: Mode = Mode::from_raw_mode(0o777);

/// What is older, in seconds, was left behind by a process that was killed.
const OLD: i64 = 60 * 60;
/// Entries of a directory that are looked at for such files.
const MOST_LOOKED_AT: usize = 10_000;
/// Names that are tried before chance itself is doubted.
const MOST_NAMES: usize = 8;

/// Whether a name is one under which a version of a file waits. Nothing lists these.
pub fn is_temporary_name(name: &OsStr) -> bool {
    let inner = name.as_bytes().strip_prefix(BEGINNING).and_then(|rest| rest.strip_suffix(END));
    inner.is_some_and(|digits| {
        digits.len() == DIGITS && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// A temporary name; what it leads to is removed with it.
#[derive(Debug)]
pub(super) struct Temporary {
    directory: Arc<OwnedFd>,
    name: OsString,
    left: bool,
}

impl Temporary {
    /// A name that nothing has yet.
    pub(super) fn name(directory: &Arc<OwnedFd>) -> Self {
        let mut name = String::from_utf8_lossy(BEGINNING).into_owned();
        for byte in random_seed().iter().take(DIGITS / 2) {
            // Writing to a string cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        name.push_str(&String::from_utf8_lossy(END));
        Self { directory: Arc::clone(directory), name: name.into(), left: true }
    }

    /// Makes an empty file under such a name.
    pub(super) fn create(directory: &Arc<OwnedFd>, mode: Mode) -> io::Result<(Self, File)> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let make = |name: &OsStr| rustix::fs::openat(directory, name, flags, mode).map(File::from);
        Ok(Self::try_names(directory, make)?)
    }

    /// Gives a file of the same directory such a name beside its own.
    pub(super) fn link(directory: &Arc<OwnedFd>, file: &OsStr) -> rustix::io::Result<Self> {
        let link = |name: &OsStr| rustix::fs::linkat(directory, file, directory, name, AtFlags::empty());
        Ok(Self::try_names(directory, link)?.0)
    }

    fn try_names<T>(
        directory: &Arc<OwnedFd>,
        claim: impl Fn(&OsStr) -> rustix::io::Result<T>,
    ) -> rustix::io::Result<(Self, T)> {
        for _ in 0..MOST_NAMES {
            let mut temporary = Self::name(directory);
            match claim(&temporary.name) {
                Ok(done) => {
                    temporary.own();
                    return Ok((temporary, done));
                }
                Err(Errno::EXIST | Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Errno::EXIST)
    }

    pub(super) fn as_name(&self) -> &OsStr {
        &self.name
    }

    /// From now on, what the name leads to goes with it.
    pub(super) fn own(&mut self) {
        self.left = false;
    }

    /// Whatever the name leads to stays.
    pub(super) fn leave(&mut self) {
        self.left = true;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.left {
            // What cannot be removed now is old in an hour.
            let _ = rustix::fs::unlinkat(&self.directory, &self.name, AtFlags::empty());
        }
    }
}

/// Seconds since the epoch, by the clock that marks files.
pub(super) fn now() -> i64 {
    rustix::time::clock_gettime(rustix::time::ClockId::Realtime).tv_sec
}

/// Removes what processes that were killed left in a directory.
pub(super) fn sweep(directory: &Arc<OwnedFd>, now: i64) {
    let mut names = Vec::new();
    let mut seen = 0;
    // The descriptor at hand is shared with others, who may be listing too.
    let Ok(own) = os::open_child(directory, Path::new(".")) else { return };
    let listed = os::each_entry(&own, &mut Vec::new(), |name, _| {
        let name = OsStr::from_bytes(name.to_bytes());
        if is_temporary_name(name) {
            names.push(name.to_owned());
        }
        seen += 1;
        if seen < MOST_LOOKED_AT { ControlFlow::Continue(()) } else { ControlFlow::Break(Ok(())) }
    });
    if listed.is_ok() {
        for name in &names {
            remove_left(directory, name, now);
        }
    }
}

/// Removes one of them, if it is a file of ours that nobody is working on. Its other names, if it has any, keep its bytes.
fn remove_left(directory: &Arc<OwnedFd>, name: &OsStr, now: i64) {
    let Ok(facts) = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    let regular = FileType::from_raw_mode(facts.st_mode) == FileType::RegularFile;
    let ours = facts.st_uid == rustix::process::geteuid().as_raw();
    if !regular || !ours || now.saturating_sub(facts.st_ctime) < OLD {
        return;
    }
    // A version that waits is locked by whoever works on it.
    if let Ok(file) = os::open_child(directory, Path::new(name))
        && matches!(os::lock_whole(&file), Ok(true))
        && rustix::fs::fstat(&file).is_ok_and(|opened| identity(&opened) == identity(&facts))
    {
        // Another sweep may have been quicker.
        let _ = rustix::fs::unlinkat(directory, name, AtFlags::empty());
    }
}

#[cfg(test)]
mod tests;
