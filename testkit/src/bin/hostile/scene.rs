//! The scene: a root with all traps in it, secrets beside it, and what it looks like, so that a change can be seen.

#![expect(clippy::expect_used, reason = "a scene that cannot be set must stop the run")]

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use readstone_testkit::{CANARY, Trap, World};

use crate::tally::Tally;

/// Files larger than this are known by their size and their times alone.
const LARGE: u64 = 16 << 20;

/// Kind and mode, size, time of change, and a hash of the content.
type Look = (u32, u64, (i64, i64), u64);

/// A world whose directory `root` is served.
#[derive(Debug)]
pub(crate) struct Scene {
    world: World,
    root: PathBuf,
    before: BTreeMap<PathBuf, Look>,
}

impl Scene {
    /// Sets the traps.
    pub(crate) fn set(program: &str, traps: &[Trap]) -> Self {
        let program = std::fs::canonicalize(program).expect("the program is there");
        let world = World::new(program);
        let root = world.path().join("root");
        std::fs::create_dir(&root).expect("a root");
        let secret = format!("the {CANARY} of the outside\n");
        for name in ["secret.txt", "root_evil/secret.txt", "outside/secret.txt", "outside/sub/s.txt"] {
            world.file(name, &secret);
        }
        for extension in ["zip", "db", "png", "ipynb", "docx"] {
            world.file(format!("outside/secret.{extension}"), &secret);
        }
        for trap in traps {
            trap.set(&root);
        }
        let before = looks(world.path());
        Self { world, root, before }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The program in the root, with a memory of its own.
    pub(crate) fn command(&self, memory: &str) -> Command {
        let mut command = self.world.command();
        let state = self.root.parent().map(|outer| outer.with_extension("state").join(memory));
        command.current_dir(&self.root).env("XDG_STATE_HOME", state.unwrap_or_default());
        command
    }

    /// Takes a large trap away.
    pub(crate) fn remove(&self, trap: &Trap) {
        let path = self.root.join(trap.name);
        let gone = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        gone.expect("a large trap goes");
        // The directory it lay in goes with the last of them.
        drop(path.parent().map(std::fs::remove_dir));
    }

    /// Says what has changed.
    pub(crate) fn look(&self, tally: &mut Tally) {
        let after = looks(self.world.path());
        let gone = self.before.keys().filter(|path| !after.contains_key(*path)).map(|path| (path, "is gone"));
        let new = after.keys().filter(|path| !self.before.contains_key(*path)).map(|path| (path, "is new"));
        let other = |(path, look): &(&PathBuf, &Look)| after.get(*path).is_some_and(|now| now != *look);
        let other = self.before.iter().filter(other).map(|(path, _)| (path, "was changed"));
        let root = self.root.as_path();
        let outer = root.parent().unwrap_or(root);
        // The times of these two change when a large trap is set and removed.
        let ours = |path: &Path| path == root || path == outer;
        for (path, what) in gone.chain(new).chain(other).filter(|(path, _)| !ours(path)) {
            tally.fault("the tree", &format!("{} {what}", path.display()));
        }
        tally.say(&format!("{} names were looked at again", after.len()));
    }
}

/// All below a directory, as far as the system takes the paths.
#[expect(clippy::disallowed_methods, reason = "the scene is looked at from outside")]
fn looks(outer: &Path) -> BTreeMap<PathBuf, Look> {
    let (mut found, mut ahead) = (BTreeMap::new(), vec![outer.to_owned()]);
    while let Some(path) = ahead.pop() {
        let Ok(facts) = path.symlink_metadata() else { continue };
        if facts.is_dir() {
            ahead.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
        let mut hasher = DefaultHasher::new();
        if facts.is_file() && facts.len() <= LARGE {
            std::fs::read(&path).unwrap_or_default().hash(&mut hasher);
        }
        if facts.is_symlink() {
            std::fs::read_link(&path).unwrap_or_default().hash(&mut hasher);
        }
        let times = (facts.mtime(), facts.mtime_nsec());
        found.insert(path, (facts.mode(), facts.len(), times, hasher.finish()));
    }
    found
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(outer) = self.root.parent() {
            drop(std::fs::remove_dir_all(outer.with_extension("state")));
        }
    }
}
