//! The entries of a directory, read through the descriptor at hand.

use std::ffi::CStr;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;

use rustix::fs::FileType;

/// What the system fills at once.
#[cfg(target_os = "linux")]
const BUFFER: usize = 32 * 1024;

/// Gives every entry but the directory itself and its parent to `each`, until that has enough. It reads from the descriptor
/// itself, so only one thread at a time may.
#[cfg(target_os = "linux")]
pub(crate) fn each_entry(
    directory: &OwnedFd,
    buffer: &mut Vec<u8>,
    mut each: impl FnMut(&CStr, FileType) -> ControlFlow<io::Result<()>>,
) -> io::Result<()> {
    rustix::fs::seek(directory, rustix::fs::SeekFrom::Start(0))?;
    buffer.clear();
    buffer.reserve(BUFFER);
    let mut entries = rustix::fs::RawDir::new(directory, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if is_other(entry.file_name())
            && let ControlFlow::Break(done) = each(entry.file_name(), entry.file_type())
        {
            return done;
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn each_entry(
    directory: &OwnedFd,
    _: &mut Vec<u8>,
    mut each: impl FnMut(&CStr, FileType) -> ControlFlow<io::Result<()>>,
) -> io::Result<()> {
    for entry in rustix::fs::Dir::read_from(directory)? {
        let entry = entry?;
        if is_other(entry.file_name())
            && let ControlFlow::Break(done) = each(entry.file_name(), entry.file_type())
        {
            return done;
        }
    }
    Ok(())
}

/// Whether an entry is neither the directory itself nor its parent.
fn is_other(name: &CStr) -> bool {
    !matches!(name.to_bytes(), b"." | b"..")
}
