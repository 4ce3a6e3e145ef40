//! Locks on ranges of a file that belong to an open file description, so that threads do not lose each other's.

use std::fs::File;
use std::io;
use std::ops::Range;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc::{F_RDLCK, F_UNLCK, F_WRLCK, SEEK_SET, flock};

/// Takes a shared lock; false when somebody else writes there.
pub(crate) fn lock_shared(file: &File, range: &Range<u64>) -> io::Result<bool> {
    match fcntl(file, FcntlArg::F_OFD_SETLK(&wanted(F_RDLCK, range))) {
        Err(Errno::EAGAIN | Errno::EACCES) => Ok(false),
        // A file system without locks has no writers that would heed them.
        Ok(_) | Err(Errno::ENOLCK | Errno::ENOSYS | Errno::EINVAL | Errno::EOPNOTSUPP) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Whether somebody else holds a lock for writing there.
pub(crate) fn is_locked(file: &File, range: &Range<u64>) -> io::Result<bool> {
    let mut lock = wanted(F_RDLCK, range);
    match fcntl(file, FcntlArg::F_OFD_GETLK(&mut lock)) {
        Ok(_) => Ok(i32::from(lock.l_type) == F_WRLCK),
        Err(Errno::ENOLCK | Errno::ENOSYS | Errno::EINVAL | Errno::EOPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Gives a lock back.
pub(crate) fn unlock(file: &File, range: &Range<u64>) -> io::Result<()> {
    match fcntl(file, FcntlArg::F_OFD_SETLK(&wanted(F_UNLCK, range))) {
        Ok(_) | Err(Errno::ENOLCK | Errno::ENOSYS | Errno::EINVAL | Errno::EOPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn wanted(kind: i32, range: &Range<u64>) -> flock {
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    flock {
        l_type: i16::try_from(kind).unwrap_or_default(),
        l_whence: i16::try_from(SEEK_SET).unwrap_or_default(),
        l_start: number(range.start),
        l_len: number(range.end.saturating_sub(range.start)),
        // The system demands zero for locks of this kind.
        l_pid: 0,
    }
}
