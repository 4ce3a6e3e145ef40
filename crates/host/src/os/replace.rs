//! Putting one file in the place of another.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;

use rustix::fs::{AtFlags, FlockOperation, RenameFlags};
use rustix::io::Errno;

/// Whether the system could do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feat {
    /// It is done.
    Done,
    /// The file system does not know how.
    Unknown,
}

/// Lets two names of a directory change places, at once.
pub(crate) fn exchange(directory: impl AsFd, one: &OsStr, other: &OsStr) -> rustix::io::Result<Feat> {
    feat(rename_with(directory.as_fd(), one, other, RenameFlags::EXCHANGE))
}

/// Gives a file another name, which nothing may have; `EEXIST` when something has it.
pub(crate) fn put_new(directory: impl AsFd, from: &OsStr, to: &OsStr) -> rustix::io::Result<()> {
    let directory = directory.as_fd();
    if feat(rename_with(directory, from, to, RenameFlags::NOREPLACE))? == Feat::Done {
        return Ok(());
    }
    match rustix::fs::linkat(directory, from, directory, to, AtFlags::empty()) {
        Ok(()) => {
            let moved = rustix::fs::unlinkat(directory, from, AtFlags::empty());
            if moved.is_err() {
                // It keeps the name that it had, and no other.
                let _ = rustix::fs::unlinkat(directory, to, AtFlags::empty());
            }
            return moved;
        }
        Err(error) if !is_no_link(error) => return Err(error),
        Err(_) => {}
    }
    // Neither is known here: there is a moment between the look and the renaming.
    match rustix::fs::statat(directory, to, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Err(Errno::EXIST),
        Err(Errno::NOENT) => rustix::fs::renameat(directory, from, directory, to),
        Err(error) => Err(error),
    }
}

/// Whether this says that a file cannot have a second name.
pub(crate) fn is_no_link(error: Errno) -> bool {
    matches!(error, Errno::PERM | Errno::NOSYS | Errno::OPNOTSUPP | Errno::MLINK)
}

fn rename_with(directory: impl AsFd, from: &OsStr, to: &OsStr, flags: RenameFlags) -> rustix::io::Result<()> {
    let directory = directory.as_fd();
    rustix::fs::renameat_with(directory, from, directory, to, flags)
}

fn feat(done: rustix::io::Result<()>) -> rustix::io::Result<Feat> {
    match done {
        Ok(()) => Ok(Feat::Done),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(Feat::Unknown),
        Err(error) => Err(error),
    }
}

/// Makes what was written last through a crash of the machine.
pub(crate) fn sync(file: impl AsFd) -> io::Result<()> {
    match rustix::fs::fsync(file) {
        // A file system that cannot be asked for this keeps its own time.
        Ok(()) | Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Takes the lock of a whole file; false when somebody else has it.
pub(crate) fn lock_whole(file: impl AsFd) -> io::Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
        // A file system without locks has no writers that would heed them. Some want a file that is open for writing.
        Ok(()) | Err(Errno::NOLCK | Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP | Errno::BADF) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Gives the lock of a whole file back.
pub(crate) fn unlock_whole(file: impl AsFd) {
    // What was not locked need not be unlocked.
    let _ = rustix::fs::flock(file, FlockOperation::Unlock);
}

/// Whether a file or directory belongs to a file system that the kernel makes up, where writing gives orders.
#[cfg(target_os = "linux")]
pub(crate) fn is_made_up(file: impl AsFd) -> io::Result<bool> {
    /// proc, sysfs, debugfs, tracefs, securityfs, both cgroups, devpts, configfs, bpf, selinuxfs, efivarfs, pstore,
    /// `binfmt_misc`, fusectl and nsfs.
    const MADE_UP: [u32; 16] = [
        0x9fa0,
        0x6265_6572,
        0x6462_6720,
        0x7472_6163,
        0x7363_6673,
        0x0027_e0eb,
        0x6367_7270,
        0x1cd1,
        0x6265_6570,
        0xcafe_4a11,
        0xf97c_ff8c,
        0xde5e_81e4,
        0x6165_676c,
        0x4249_4e4d,
        0x6573_5543,
        0x6e73_6673,
    ];
    let kind = rustix::fs::fstatfs(file)?.f_type;
    // The number is signed on some machines and wider than it need be on others.
    Ok(u32::try_from(i128::from(kind) & 0xffff_ffff).is_ok_and(|kind| MADE_UP.contains(&kind)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_made_up(_: impl AsFd) -> io::Result<bool> {
    Ok(false)
}
