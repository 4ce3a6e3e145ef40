//! A footprint: what a directory looks like, so that a change in it can be seen.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::recipe;

/// Everything below a directory: kind, mode, time of change, content.
pub(super) type Footprint = BTreeMap<PathBuf, (u32, i64, Vec<u8>)>;

/// The footprint of a directory.
pub(super) fn of(root: &Path) -> Result<Footprint, String> {
    let mut footprint = Footprint::new();
    for path in recipe::everything(root)? {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let about = path.symlink_metadata().map_err(failed)?;
        let content = if about.is_file() { recipe::read(&path)? } else { Vec::new() };
        footprint.insert(path, (about.mode(), about.mtime(), content));
    }
    Ok(footprint)
}

/// The first difference between two footprints, in words.
pub(super) fn change(before: &Footprint, after: &Footprint) -> Option<String> {
    let gone = before.keys().find(|path| !after.contains_key(*path)).map(|path| (path, "is gone"));
    let new = after.keys().find(|path| !before.contains_key(*path)).map(|path| (path, "is new"));
    let other = before.iter().find(|(path, was)| after.get(*path) != Some(was)).map(|(path, _)| (path, "was changed"));
    gone.or(new).or(other).map(|(path, what)| format!("reading left a trace: {} {what}", path.display()))
}
