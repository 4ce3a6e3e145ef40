//! Any glob against any path: it matches what a matcher of a few lines matches, and no deeper than it says.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use readstone_host::EntryKind;
use readstone_search::{Glob, Globs};

use crate::text_and_bytes;

/// Bytes that what `{1..9}` stands for may have.
const MOST: u64 = 4 * 1024;

pub(crate) fn run(input: &[u8]) {
    let Some((text, path)) = text_and_bytes(input) else { return };
    let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    if path.contains(&0) || names.iter().any(|name| matches!(*name, b"" | b"." | b"..")) {
        return;
    }
    let Ok(glob) = Glob::new(text, MOST) else { return };
    let levels = glob.levels();
    let globs = Globs::from(glob);
    let path = Path::new(OsStr::from_bytes(path));
    let (below, name) = (path.parent().expect("a name"), path.file_name().expect("a name"));
    let matches = |kind| globs.within(below).matches(name, kind);
    let found = matches(EntryKind::Directory);
    assert!(!found || levels.is_none_or(|levels| names.len() <= levels), "{levels:?} levels");
    assert_eq!(matches(EntryKind::File), found && !text.ends_with('/'));
    let Some(path) = path.to_str().filter(|_| !text.contains(['[', ']', '{', '}', '\\'])) else { return };
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() || parts.iter().any(|part| part.contains("**") && *part != "**") {
        return;
    }
    let path: Vec<Vec<char>> = path.split('/').map(|name| name.chars().collect()).collect();
    let parts: Vec<Vec<char>> = parts.iter().map(|part| part.chars().collect()).collect();
    // What tries every way must not be given many.
    if parts.len() <= 6 && path.len() <= 6 && parts.iter().chain(&path).all(|part| part.len() <= 12) {
        assert_eq!(found, path_fits(&parts, &path), "{text:?} {path:?}");
    }
}

fn path_fits(parts: &[Vec<char>], path: &[Vec<char>]) -> bool {
    match (parts, path) {
        ([part], _) if part == &['*', '*'] => !path.is_empty(),
        ([part, rest @ ..], _) if part == &['*', '*'] => {
            (0..=path.len()).any(|skipped| path_fits(rest, &path[skipped..]))
        }
        ([part, parts @ ..], [name, path @ ..]) => name_fits(part, name) && path_fits(parts, path),
        (parts, path) => parts.is_empty() && path.is_empty(),
    }
}

fn name_fits(part: &[char], name: &[char]) -> bool {
    match (part, name) {
        (['*', part @ ..], _) => (0..=name.len()).any(|skipped| name_fits(part, &name[skipped..])),
        (['?', part @ ..], [_, name @ ..]) => name_fits(part, name),
        ([one, part @ ..], [other, name @ ..]) => one == other && name_fits(part, name),
        (part, name) => part.is_empty() && name.is_empty(),
    }
}
