//! A scene: all that a page's directories hold, so that it can be compared and put back.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};

use super::recipe;

/// Directories below which the programs keep what they remember.
const MEMORY: [&str; 2] = [".local", ".cache"];

/// Everything below some directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scene {
    roots: Vec<PathBuf>,
    things: BTreeMap<PathBuf, Thing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Thing {
    kind: Kind,
    mode: u32,
    /// The first name of a file that has several.
    first: Option<PathBuf>,
    time: (i64, i64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Directory,
    File(Vec<u8>),
    Link(PathBuf),
    /// A pipe or the like, which nobody changes.
    Other,
}

/// Whether it matters when a file was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Count,
    Ignored,
}

impl Scene {
    /// What the directories hold now, without the memory of the programs.
    pub(super) fn of(roots: &[&Path]) -> Result<Self, String> {
        let mut things = BTreeMap::new();
        let mut names: BTreeMap<(u64, u64), PathBuf> = BTreeMap::new();
        for root in roots {
            for path in recipe::everything(root)? {
                let inside = path.strip_prefix(root).unwrap_or(&path);
                if MEMORY.iter().any(|kept| inside.starts_with(kept)) {
                    continue;
                }
                let about = path.symlink_metadata().map_err(|error| format!("{}: {error}", path.display()))?;
                let kind = if about.is_dir() {
                    Kind::Directory
                } else if about.is_symlink() {
                    Kind::Link(path.read_link().map_err(|error| format!("{}: {error}", path.display()))?)
                } else if about.is_file() {
                    Kind::File(recipe::read(&path)?)
                } else {
                    Kind::Other
                };
                let several = about.is_file() && about.nlink() > 1;
                let first = names.entry((about.dev(), about.ino())).or_insert_with(|| path.clone());
                let first = several.then(|| first.clone());
                let time = (about.mtime(), about.mtime_nsec());
                things.insert(path, Thing { kind, mode: about.mode(), first, time });
            }
        }
        Ok(Self { roots: roots.iter().map(|root| (*root).to_owned()).collect(), things })
    }

    /// The first difference between two scenes, in words.
    pub(super) fn difference(&self, now: &Self, times: Times) -> Option<String> {
        let gone = self.things.keys().find(|path| !now.things.contains_key(*path)).map(|path| (path, "is gone"));
        let new = now.things.keys().find(|path| !self.things.contains_key(*path)).map(|path| (path, "is new"));
        let other = self.things.iter().find_map(|(path, was)| Some((path, was.differs(now.things.get(path)?, times)?)));
        gone.or(new).or(other).map(|(path, what)| format!("{} {what}", path.display()))
    }

    /// Makes the directories hold this again.
    pub(super) fn put_back(&self) -> Result<(), String> {
        let roots: Vec<&Path> = self.roots.iter().map(PathBuf::as_path).collect();
        let now = Self::of(&roots)?;
        let changed = |path: &PathBuf, thing: &Thing| {
            self.things.get(path).is_none_or(|wanted| wanted.differs(thing, Times::Ignored).is_some())
        };
        for (path, thing) in now.things.iter().rev().filter(|(path, thing)| changed(path, thing)) {
            let stays = matches!(self.things.get(path), Some(Thing { kind: Kind::Directory, .. }));
            match (&thing.kind, stays) {
                (Kind::Directory, true) => Ok(()),
                (Kind::Directory, false) => fs::remove_dir(path),
                (Kind::File(_) | Kind::Link(_) | Kind::Other, _) => fs::remove_file(path),
            }
            .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        for (path, thing) in &self.things {
            thing.make(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        // What is made in a directory changes its time, so those below come first.
        for (path, thing) in self.things.iter().rev() {
            let time = Timespec { tv_sec: thing.time.0, tv_nsec: thing.time.1 };
            let times = Timestamps { last_access: time, last_modification: time };
            rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

impl Thing {
    fn differs(&self, now: &Self, times: Times) -> Option<&'static str> {
        let aged = times == Times::Count && matches!(self.kind, Kind::File(_)) && self.time != now.time;
        if self.kind != now.kind {
            Some("has another content")
        } else if self.mode != now.mode {
            Some("has another mode")
        } else if self.first != now.first {
            Some("has other names")
        } else {
            aged.then_some("was written")
        }
    }

    /// Makes it where it is missing.
    fn make(&self, path: &Path) -> std::io::Result<()> {
        let missing = path.symlink_metadata().is_err();
        match (&self.kind, &self.first) {
            (Kind::Directory, _) if missing => fs::create_dir(path)?,
            (Kind::File(_), Some(first)) if missing && first != path => return fs::hard_link(first, path),
            (Kind::File(bytes), _) if missing => fs::write(path, bytes)?,
            (Kind::Link(to), _) if missing => return std::os::unix::fs::symlink(to, path),
            (Kind::Link(_) | Kind::Other, _) => return Ok(()),
            (Kind::Directory | Kind::File(_), _) => {}
        }
        fs::set_permissions(path, fs::Permissions::from_mode(self.mode & 0o7777))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_put_back_with_bytes_modes_links_and_directories() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let at = |name: &str| root.join(name);
        fs::create_dir_all(at("d/e")).unwrap();
        fs::write(at("d/a"), b"one").unwrap();
        fs::hard_link(at("d/a"), at("d/b")).unwrap();
        std::os::unix::fs::symlink("d/a", at("l")).unwrap();
        fs::write(at("x"), b"#!").unwrap();
        fs::set_permissions(at("x"), fs::Permissions::from_mode(0o750)).unwrap();
        let before = Scene::of(&[root]).unwrap();

        fs::remove_file(at("d/a")).unwrap();
        fs::write(at("d/a"), b"two").unwrap();
        fs::remove_dir(at("d/e")).unwrap();
        fs::write(at("d/e"), b"a file now").unwrap();
        fs::remove_file(at("l")).unwrap();
        fs::create_dir_all(at("n/m")).unwrap();
        fs::write(at("n/m/o"), b"new").unwrap();
        fs::set_permissions(at("x"), fs::Permissions::from_mode(0o600)).unwrap();
        let after = Scene::of(&[root]).unwrap();
        assert!(before.difference(&after, Times::Ignored).is_some());

        before.put_back().unwrap();
        assert_eq!(Scene::of(&[root]).unwrap(), before);
        after.put_back().unwrap();
        assert_eq!(after.difference(&Scene::of(&[root]).unwrap(), Times::Count), None);
    }

    #[test]
    fn a_difference_is_named_with_its_path() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("a"), b"one").unwrap();
        let before = Scene::of(&[root]).unwrap();
        fs::write(root.join("a"), b"two").unwrap();
        let what = before.difference(&Scene::of(&[root]).unwrap(), Times::Ignored).unwrap();
        assert!(what.ends_with("/a has another content"), "{what}");
        fs::create_dir(root.join(".local")).unwrap();
        fs::write(root.join("a"), b"one").unwrap();
        assert_eq!(before.difference(&Scene::of(&[root]).unwrap(), Times::Ignored), None);
    }
}
