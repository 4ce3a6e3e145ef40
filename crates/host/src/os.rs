//! What is particular to the operating system: opening below a root without leaving it.
//!
//! Linux answers with one system call; where that is missing, or where an absolute link points back inside the
//! root, the path is walked component by component, each opened without following links.

mod attributes;
mod listing;
mod locks;
mod mounts;
mod replace;
mod signals;
mod threads;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::policy::Root;

pub(crate) use attributes::{Lost, keep_attributes, keep_owner};
pub(crate) use listing::each_entry;
pub(crate) use locks::{is_locked, lock_shared, unlock};
pub use mounts::mount_of;
pub(crate) use replace::{Feat, exchange, is_made_up, is_no_link, lock_whole, put_new, sync, unlock_whole};
pub use signals::block_file_size_signal;
pub use threads::{cores, is_waiting, thread_id, thread_time};

/// Never block, never become the controlling terminal, never leak into a child.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);

/// The same for a directory that is entered.
const ENTER: OFlags = READ.union(OFlags::NOFOLLOW).union(OFlags::DIRECTORY);

/// Files a server can need at most.
const MOST_FILES: u64 = 65_536;

/// A path crosses at most this many symbolic links, as in the kernel.
const MOST_LINKS: usize = 40;

/// Lets this process open as many files as it may; a server needs one for every connection.
pub fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // A limit that cannot be raised still serves fewer connections.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum.map(|most| most.min(MOST_FILES)), maximum });
}

/// Keeps other processes of the same user from looking into this one, and its memory from being dumped.
pub fn hide_process() {
    #[cfg(target_os = "linux")]
    // Where the kernel does not know of this, the process is as open as any.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Opens a directory to serve as a root.
pub(crate) fn open_root(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::PATH, Mode::empty())?)
}

/// Opens a path with the user's own reach.
pub(crate) fn open_anywhere(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, READ, Mode::empty())?)
}

/// Opens a child of an open directory without following a link.
pub(crate) fn open_child(directory: impl AsFd, name: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(directory, name, READ | OFlags::NOFOLLOW, Mode::empty())?)
}

/// Opens the directory in which a path without links lies, below a root if there is one, without following a link.
pub(crate) fn open_place(root: Option<&Root>, path: &Path) -> io::Result<OwnedFd> {
    let enter = |from, name| Ok(rustix::fs::openat(from, name, ENTER, Mode::empty())?);
    match root {
        Some(root) if path.as_os_str().is_empty() => enter(root.fd.as_fd(), "."),
        Some(root) => open_directory(&root.fd, path),
        None => {
            let (top, inside) = (enter(CWD, "/")?, path.strip_prefix("/").unwrap_or(path));
            if inside.as_os_str().is_empty() { Ok(top) } else { open_directory(&top, inside) }
        }
    }
}

/// Opens an absolute path without following a link, below a root if there is one.
pub(crate) fn open_straight(root: Option<&Root>, path: &Path) -> io::Result<OwnedFd> {
    let inside = match root {
        Some(root) => root.strip(path).ok_or(Errno::XDEV)?,
        None => path.strip_prefix("/").map_err(|_| Errno::INVAL)?,
    };
    let Some(name) = inside.file_name() else { return open_place(root, inside) };
    let place = inside.parent().unwrap_or(Path::new(""));
    open_child(open_place(root, place)?, Path::new(name))
}

/// Opens a directory some levels below an open one without following a link.
pub(crate) fn open_directory(directory: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    let mut parts = path.components();
    let single = parts.next().is_some() && parts.next().is_none();
    if !single {
        match straight_down(directory, path) {
            Err(Errno::NOSYS | Errno::PERM) => {}
            other => return Ok(other?),
        }
    }
    let mut here: Option<OwnedFd> = None;
    for part in path.components() {
        here = Some(rustix::fs::openat(here.as_ref().unwrap_or(directory), part.as_os_str(), ENTER, Mode::empty())?);
    }
    here.ok_or_else(|| Errno::NOENT.into())
}

/// An open file, with its path without links where that is known already.
pub(crate) type Beneath = (OwnedFd, Option<PathBuf>);

/// Opens a relative path that must not lead out of the root; `EXDEV` when it does.
pub(crate) fn open_beneath(root: &Root, path: &Path) -> io::Result<Beneath> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain {
        // Where no link was followed, the path is the real one, and nobody need be asked for it.
        match beneath(root, path, Links::Refuse) {
            Ok(fd) => return Ok((fd, Some(root.real.join(path).components().collect()))),
            Err(Errno::LOOP | Errno::XDEV | Errno::NOSYS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match beneath(root, path, Links::Follow) {
        // A loop may be a link of the kernel's own that leads out; the walk tells them apart.
        Err(Errno::XDEV | Errno::LOOP | Errno::NOSYS | Errno::PERM) => Ok((walk(root, path)?, None)),
        other => Ok((other?, None)),
    }
}

/// What to do about symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

#[cfg(target_os = "linux")]
fn beneath(root: &Root, path: &Path, links: Links) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let within = ResolveFlags::BENEATH
        | match links {
            Links::Follow => ResolveFlags::NO_MAGICLINKS,
            Links::Refuse => ResolveFlags::NO_SYMLINKS,
        };
    let mut tries = 0;
    loop {
        match rustix::fs::openat2(&root.fd, path, READ, Mode::empty(), within) {
            // The kernel could not rule out a race with a rename; it says so and can be asked again.
            Err(Errno::AGAIN) if tries < 8 => tries += 1,
            other => return other,
        }
    }
}

#[cfg(target_os = "linux")]
fn straight_down(directory: &OwnedFd, path: &Path) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let within = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    rustix::fs::openat2(directory, path, ENTER, Mode::empty(), within)
}

#[cfg(not(target_os = "linux"))]
fn straight_down(_: &OwnedFd, _: &Path) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

#[cfg(not(target_os = "linux"))]
fn beneath(_: &Root, _: &Path, _: Links) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

/// Walks a path below the root, holding each directory open, resolving links by hand.
fn walk(root: &Root, path: &Path) -> rustix::io::Result<OwnedFd> {
    let mut trail: Vec<OwnedFd> = Vec::new();
    let mut ahead: Vec<OsString> = components(path)?;
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        if name == ".." {
            trail.pop().ok_or(Errno::XDEV)?;
            continue;
        }
        let here = trail.last().unwrap_or(&root.fd);
        let kind = FileType::from_raw_mode(rustix::fs::statat(here, &name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
        if kind == FileType::Symlink {
            links += 1;
            if links > MOST_LINKS {
                return Err(Errno::LOOP);
            }
            let target = read_link(here, &name)?;
            if target.is_absolute() {
                let inside = root.strip(&target).ok_or(Errno::XDEV)?.to_owned();
                trail.clear();
                ahead.extend(components(&inside)?);
            } else {
                ahead.extend(components(&target)?);
            }
            continue;
        }
        let fd = rustix::fs::openat(here, &name, READ | OFlags::NOFOLLOW, Mode::empty())?;
        if ahead.is_empty() {
            return Ok(fd);
        }
        if kind != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        trail.push(fd);
    }
    let here = trail.last().unwrap_or(&root.fd);
    rustix::fs::openat(here, ".", READ, Mode::empty())
}

/// The components of a relative path, last first.
fn components(path: &Path) -> rustix::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for component in path.components().rev() {
        match component {
            Component::Normal(name) => names.push(name.to_owned()),
            Component::ParentDir => names.push("..".into()),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(Errno::XDEV),
        }
    }
    Ok(names)
}

/// The target of a symbolic link.
pub(crate) fn read_link(directory: impl AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<PathBuf> {
    let target = rustix::fs::readlinkat(directory, name, Vec::new())?;
    Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
}

/// The path under which the kernel knows an open file, without links.
pub(crate) fn real_path(fd: &OwnedFd) -> Option<PathBuf> {
    let link = format!("/proc/self/fd/{}", fd.as_raw_fd());
    read_link(CWD, link).ok().filter(|path| path.is_absolute())
}
