//! What a file has beside its bytes: owner, permissions, extended attributes.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};
use rustix::io::Errno;

/// What could not be kept.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The user or the group to whom the file belongs.
    Owner(io::Error),
    /// The permissions, or the extended attribute of this name.
    Attribute(String, io::Error),
    /// The system failed in another way.
    Other(io::Error),
}

/// The access rules beyond the permissions, which a file can get from its directory.
const RULES: &CStr = c"system.posix_acl_access";
/// Attributes that are made of the bytes of a file: those of another file would be wrong.
const OF_BYTES: [&CStr; 2] = [c"security.ima", c"security.evm"];
/// What the owner of a file or the system cares for. Others belong to a file system, which sees to them.
const CARED_FOR: [&[u8]; 4] = [b"user.", b"security.", b"trusted.", b"system."];
/// The bits of a mode that are permissions.
const PERMISSIONS: u32 = 0o7777;

/// Gives a file to whom another belongs.
pub(crate) fn keep_owner(old: &Stat, new: &File) -> Result<(), Lost> {
    let is = rustix::fs::fstat(new).map_err(|error| Lost::Other(error.into()))?;
    let owner = (is.st_uid != old.st_uid).then(|| Uid::from_raw(old.st_uid));
    let group = (is.st_gid != old.st_gid).then(|| Gid::from_raw(old.st_gid));
    if owner.is_none() && group.is_none() {
        return Ok(());
    }
    match rustix::fs::fchown(new, owner, group) {
        Ok(()) => Ok(()),
        Err(error @ (Errno::PERM | Errno::ACCESS | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)) => {
            Err(Lost::Owner(error.into()))
        }
        Err(error) => Err(Lost::Other(error.into())),
    }
}

/// Gives a file the extended attributes and then the permissions of another. Writing takes some of them away, so nothing may
/// be written afterwards.
pub(crate) fn keep_attributes(old: &File, facts: &Stat, new: &File) -> Result<(), Lost> {
    let (wanted, had) = (names(old)?, names(new)?);
    if had.iter().any(|name| name.as_c_str() == RULES) && !wanted.iter().any(|name| name.as_c_str() == RULES) {
        // The directory gave it rules that the file never had.
        kept(RULES, rustix::fs::fremovexattr(new, RULES))?;
    }
    for name in wanted.iter().filter(|name| !OF_BYTES.contains(&name.as_c_str())) {
        let Some(value) = value(old, name)? else { continue };
        if value_there(new, name) != Some(&value).cloned() {
            kept(name, rustix::fs::fsetxattr(new, name.as_c_str(), &value, XattrFlags::empty()))?;
        }
    }
    keep_permissions(facts, new)
}

fn keep_permissions(facts: &Stat, new: &File) -> Result<(), Lost> {
    let lost = |error: io::Error| Lost::Attribute("mode".to_owned(), error);
    let mode = || rustix::fs::fstat(new).map(|is| is.st_mode & PERMISSIONS).map_err(|error| Lost::Other(error.into()));
    let wanted = facts.st_mode & PERMISSIONS;
    if mode()? == wanted {
        return Ok(());
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(wanted)).map_err(|error| lost(error.into()))?;
    // The system drops some bits without a word.
    if mode()? == wanted { Ok(()) } else { Err(lost(Errno::PERM.into())) }
}

/// The names of the extended attributes.
fn names(file: &File) -> Result<Vec<CString>, Lost> {
    let listed = grown(|room| rustix::fs::flistxattr(file, room));
    match listed {
        Ok(list) => {
            let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            Ok(names.filter_map(|name| CString::new(name).ok()).collect())
        }
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(Vec::new()),
        Err(error) => Err(Lost::Other(error.into())),
    }
}

/// The value of an extended attribute; `None` when there is none any more.
fn value(file: &File, name: &CStr) -> Result<Option<Vec<u8>>, Lost> {
    match grown(|room| rustix::fs::fgetxattr(file, name, room)) {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NODATA) => Ok(None),
        Err(error) => kept(name, Err(error)).map(|()| None),
    }
}

fn value_there(file: &File, name: &CStr) -> Option<Vec<u8>> {
    value(file, name).ok().flatten()
}

/// Whether an attribute was kept, or need not be.
fn kept(name: &CStr, done: rustix::io::Result<()>) -> Result<(), Lost> {
    let Err(error) = done else { return Ok(()) };
    match error {
        Errno::OPNOTSUPP | Errno::NOSYS | Errno::NODATA => Ok(()),
        Errno::NOSPC | Errno::DQUOT | Errno::IO => Err(Lost::Other(error.into())),
        _ if CARED_FOR.iter().any(|space| name.to_bytes().starts_with(space)) => {
            Err(Lost::Attribute(name.to_string_lossy().into_owned(), error.into()))
        }
        _ => Ok(()),
    }
}

/// Calls until what comes fits into the room.
fn grown(call: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    /// No list and no value is larger, on Linux.
    const MOST: usize = 64 * 1024;
    let mut room = vec![0; 1024];
    loop {
        match call(&mut room) {
            Ok(count) => {
                room.truncate(count);
                return Ok(room);
            }
            Err(Errno::RANGE) if room.len() < MOST => room.resize(MOST, 0),
            Err(error) => return Err(error),
        }
    }
}
