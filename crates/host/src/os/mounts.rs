//! Mounts: on which file system a path lies, told without touching it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// The mount point below which a path lies by its name; links are not followed.
#[expect(clippy::disallowed_methods, reason = "the system tells its mounts in a file of its own")]
pub fn mount_of(path: &Path) -> Option<PathBuf> {
    let table = std::fs::read("/proc/self/mountinfo").ok()?;
    let points = table.split(|byte| *byte == b'\n').filter_map(|line| line.split(|byte| *byte == b' ').nth(4));
    let above = points.map(plain).filter(|point| path.starts_with(point));
    above.max_by_key(|point| point.as_os_str().as_bytes().len())
}

/// A mount point with its octal escapes taken away.
fn plain(name: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((first, others)) = rest.split_first() {
        let octal = others.get(..3).filter(|_| *first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { others.get(3..).unwrap_or_default() } else { others };
    }
    PathBuf::from(OsString::from_vec(bytes))
}
