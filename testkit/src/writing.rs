//! Changes that the program makes: how they are asked for, how they are made to fail, and what they leave.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "what cannot do its part of a test must stop it"
)]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::XattrFlags;

use crate::fixture::{Confined, Fixture, tool};
use crate::world::{Run, World};

/// Exit codes of `timeout`, and of a program that was killed.
const NOT_ENDED: i32 = 124;
const KILLED: i32 = 137;
/// How often a run is killed at one call of the system.
const MOST_KILLS: u64 = 80;

impl World {
    /// The tag of a file, as `read` shows it; of a large one, with its first lines.
    pub fn tag(&self, path: &str) -> String {
        let first = |run: &Run| {
            let text = run.text();
            let header = text.lines().next().filter(|line| line.starts_with('¶'))?;
            header.rsplit_once('#').map(|(_, tag)| tag.to_owned())
        };
        let run = self.read(path);
        let tag = first(&run).or_else(|| first(&self.read(format!("{path}:1-20"))));
        tag.unwrap_or_else(|| panic!("no tag of {path}: {:.300} {}", run.text(), run.stderr))
    }

    /// Runs `readstone edit` with a patch of one file: its tag as it is now, and the operations.
    pub fn edit(&self, path: &str, operations: &str) -> Run {
        let tag = self.tag(path);
        self.patch(&format!("¶{path}#{tag}\n{operations}\n"))
    }

    /// Runs `readstone edit` with a patch.
    pub fn patch(&self, patch: &str) -> Run {
        self.run_with_input(["edit"], patch.as_bytes())
    }

    /// Runs `readstone write` on an address.
    pub fn write(&self, address: &str, content: impl AsRef<[u8]>) -> Run {
        self.run_with_input(["write", "--", address], content.as_ref())
    }

    /// The bytes of a file.
    pub fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        Fixture::bytes(&self.path().join(name))
    }

    /// Names below this world under which a version of a file waits.
    pub fn waiting(&self) -> Vec<PathBuf> {
        Fixture::waiting(self.path())
    }

    /// The program for the user nobody, who cannot come to where it was built: a copy in this world, which everybody may
    /// look into. It remembers nothing.
    pub fn nobody(&self, arguments: &[&str]) -> Command {
        let program = self.path().join("program");
        if !program.exists() {
            std::fs::copy(self.command().get_program(), &program).expect("a copy of the program");
            Fixture::mode(self.path(), 0o755);
        }
        let mut command = tool(&program.to_string_lossy());
        command.current_dir(self.path()).arg("--ephemeral").args(arguments);
        command
    }
}

impl Confined {
    /// Gives the run a file as its standard input.
    #[must_use]
    pub fn input(self, path: &Path) -> Self {
        self.limit(format!("exec < '{}'", path.display()))
    }

    /// Lets the run make no file of more than so many blocks of 512 bytes.
    #[must_use]
    pub fn file_blocks(self, most: u64) -> Self {
        self.limit(format!("ulimit -f {most}"))
    }

    /// Lets the run give files no permissions of this mask.
    #[must_use]
    pub fn umask(self, mask: &str) -> Self {
        self.limit(format!("umask {mask}"))
    }

    /// Runs a command that is killed when it makes a call of the system for the `when`th time, before that is done; `None`
    /// when it was, and what it left when it did not call so often.
    pub fn kill(&self, inner: &Command, call: &str, when: u64) -> Option<Run> {
        let doomed = self.clone().fault(&format!("{call}:signal=KILL:when={when}"), None);
        let run = Run::of(&mut doomed.wrap(inner));
        match run.code {
            None | Some(KILLED) => None,
            Some(NOT_ENDED) => panic!("killed at {call} {when}, it did not end: {}", run.stderr),
            Some(_) => Some(self.judge(inner, run)),
        }
    }

    /// Kills a command before each call of the system of these names, one run after the other, and asks after each run
    /// whether all is well; gives the number of runs that were killed. Of calls that are made more and more often by runs
    /// that come after killed ones, only the first are tried.
    pub fn kill_each(&self, inner: &Command, calls: &[&str], after: &mut dyn FnMut(&str, Option<&Run>)) -> u64 {
        let mut killed = 0;
        for call in calls {
            for when in 1..=MOST_KILLS {
                let run = self.kill(inner, call, when);
                after(&format!("{call} {when}"), run.as_ref());
                if run.is_some() {
                    break;
                }
                killed += 1;
            }
        }
        killed
    }
}

impl Fixture {
    /// The bytes of a file.
    #[expect(clippy::disallowed_methods, reason = "the fixture is looked at from outside")]
    pub fn bytes(path: &Path) -> Vec<u8> {
        std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Names below a directory under which a version of a file waits.
    #[expect(clippy::disallowed_methods, reason = "the fixture is looked at from outside")]
    pub fn waiting(path: &Path) -> Vec<PathBuf> {
        let (mut found, mut ahead) = (Vec::new(), vec![path.to_owned()]);
        while let Some(here) = ahead.pop() {
            for entry in std::fs::read_dir(&here).expect("a directory").flatten() {
                if readstone_host::is_temporary_name(&entry.file_name()) {
                    found.push(entry.path());
                } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    ahead.push(entry.path());
                }
            }
        }
        found
    }

    /// Permissions, user and group of a file, and not of what a link leads to.
    pub fn owned(path: &Path) -> (u32, u32, u32) {
        let facts = path.symlink_metadata().expect("facts");
        (facts.permissions().mode() & 0o7777, facts.uid(), facts.gid())
    }

    /// Gives a file an extended attribute; false where the file system has none of this kind.
    pub fn set_attribute(path: &Path, name: &str, value: &[u8]) -> bool {
        rustix::fs::setxattr(path, name, value, XattrFlags::empty()).is_ok()
    }

    /// An extended attribute of a file.
    pub fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
        let mut room = vec![0; 4096];
        let length = rustix::fs::getxattr(path, name, &mut room[..]).ok()?;
        room.truncate(length);
        Some(room)
    }
}

/// A file system that is there as long as this is.
#[derive(Debug)]
pub struct Mounted {
    place: PathBuf,
}

impl Mounted {
    /// A file system in memory with so many bytes of room, in the words of `mount`; `None`, and a word on standard error,
    /// where nothing can be mounted.
    pub fn memory(place: &Path, size: &str) -> Option<Self> {
        Self::mount(place, &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
    }

    /// A directory under a second path.
    pub fn again(directory: &Path, place: &Path) -> Option<Self> {
        Self::mount(place, &["--bind", &directory.to_string_lossy()])
    }

    /// A directory under a second path by which nothing can be changed.
    pub fn read_only(directory: &Path, place: &Path) -> Option<Self> {
        let mounted = Self::again(directory, place)?;
        let mut remount = tool("mount");
        remount.args(["-o", "remount,bind,ro"]).arg(place).stderr(Stdio::null());
        remount.status().is_ok_and(|status| status.success()).then_some(mounted)
    }

    /// A file that holds a file system.
    pub fn image(image: &Path, place: &Path) -> Option<Self> {
        Self::mount(place, &["-o", "loop", &image.to_string_lossy()])
    }

    #[expect(clippy::print_stderr, reason = "a test that proves nothing must say so")]
    fn mount(place: &Path, words: &[&str]) -> Option<Self> {
        std::fs::create_dir_all(place).expect("a place for a file system");
        let status = tool("mount").args(words).arg(place).stderr(Stdio::null()).status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("passed by: `mount {}` does not work here", words.join(" "));
            return None;
        }
        Some(Self { place: place.to_owned() })
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let gone = tool("umount").arg(&self.place).stderr(Stdio::null()).status();
        if !gone.is_ok_and(|status| status.success()) {
            drop(tool("umount").arg("-l").arg(&self.place).status());
        }
    }
}
