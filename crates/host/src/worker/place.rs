//! The one database that a writer may open, with the files that belong to it.
//!
//! What belongs to a database is made before the writer gives up its rights, empty, where SQLite would make it: a rule
//! of the kernel can only name a file that is there. An empty journal and an empty log say nothing; what was not needed
//! is removed again, under the locks of SQLite.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, fcntl};
use nix::libc::{F_WRLCK, SEEK_SET, flock};
use readstone_base::Identity;
use rustix::fs::{AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Uid};

/// What may be beside a database.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];
/// The byte that a writer of SQLite locks.
const RESERVED: (i64, i64) = (0x4000_0001, 1);
/// The bytes that every user of a database locks some of.
const ALL: (i64, i64) = (0x4000_0000, 0x200);
/// The place in the header of a database that says how it is written; 2 means a log.
const VERSIONS: std::ops::Range<usize> = 18..20;

/// A database that is to be written.
pub(super) struct Place {
    path: PathBuf,
    /// The database itself. It stays open, because closing it would end the locks of SQLite.
    file: Option<File>,
    /// Files that were made next to it.
    made: Vec<(PathBuf, Identity)>,
    is_logged: bool,
}

impl Place {
    /// Makes what SQLite will need. What cannot be made is left to SQLite, which says why.
    pub(super) fn prepare(path: &Path) -> Self {
        let mut place = Self { path: path.to_owned(), file: None, made: Vec::new(), is_logged: false };
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::open(path, flags, Mode::empty()).map(File::from) else { return place };
        let Ok(facts) = rustix::fs::fstat(&file) else { return place };
        if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
            return place;
        }
        let mut header = [0; VERSIONS.end];
        let count = std::os::unix::fs::FileExt::read_at(&file, &mut header, 0).unwrap_or(0);
        place.is_logged = header.get(VERSIONS).is_some_and(|versions| count == VERSIONS.end && versions.contains(&2));
        let names: &[&str] = if place.is_logged { &["-wal", "-shm"] } else { &["-journal"] };
        for name in names {
            let beside = place.beside(name);
            if let Ok(identity) = make(&beside, &facts) {
                place.made.push((beside, identity));
            }
        }
        place.file = Some(file);
        place
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(suffix);
        PathBuf::from(name)
    }

    /// Takes away every right but those that SQLite needs to write this database.
    #[cfg(target_os = "linux")]
    pub(super) fn restrict(&self) {
        use landlock::{
            ABI, Access as _, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
            RulesetCreatedAttr as _,
        };
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V5))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V5)))
            .and_then(Ruleset::create);
        let Ok(mut rules) = rules else { return };
        let own = std::iter::once(self.path.clone()).chain(BESIDE.map(|suffix| self.beside(suffix)));
        let files = own.filter(|path| identity(path).is_ok());
        let directory = self.path.parent().map(Path::to_owned);
        // A journal that is done with is removed, and the directory is written out for it.
        let of_directory = directory.map(|path| (path, AccessFs::ReadDir | AccessFs::RemoveFile));
        let of_files = files.map(|path| (path, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate));
        for (path, rights) in of_files.chain(of_directory) {
            let Ok(opened) = PathFd::new(&path) else { continue };
            rules = match rules.add_rule(PathBeneath::new(opened, rights)) {
                Ok(rules) => rules,
                // Without its rules the writer could open nothing; it does without the wall then.
                Err(_) => return,
            };
        }
        drop(rules.restrict_self());
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn restrict(&self) {}

    /// Removes what was made and not needed, where no other program can be using it.
    pub(super) fn clear(self) {
        let Some(file) = &self.file else { return };
        let is_unused = |(path, made): &&(PathBuf, Identity)| identity(path).is_ok_and(|found| found == (*made, 0));
        let unused = self.made.iter().filter(is_unused).collect::<Vec<_>>();
        if unused.is_empty() || !lock(file, if self.is_logged { ALL } else { RESERVED }) {
            return;
        }
        for left in unused.into_iter().filter(is_unused) {
            let _ = rustix::fs::unlink(&left.0);
        }
    }
}

/// Makes an empty file with the owner and the permissions of a database, as SQLite does.
fn make(path: &Path, database: &Stat) -> io::Result<Identity> {
    let mode = Mode::from_raw_mode(database.st_mode) & (Mode::RWXU | Mode::RWXG | Mode::RWXO);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, mode)?;
    rustix::fs::fchmod(&file, mode)?;
    if rustix::process::geteuid().is_root() {
        rustix::fs::fchown(&file, Some(Uid::from_raw(database.st_uid)), Some(Gid::from_raw(database.st_gid)))?;
    }
    let facts = rustix::fs::fstat(&file)?;
    Ok(Identity { device: facts.st_dev, inode: facts.st_ino })
}

/// Which regular file is at a path, and how large it is.
fn identity(path: &Path) -> io::Result<(Identity, i64)> {
    let facts = rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok((Identity { device: facts.st_dev, inode: facts.st_ino }, facts.st_size))
}

/// Locks bytes of a file as SQLite does; false when another process has them.
fn lock(file: &File, (start, length): (i64, i64)) -> bool {
    let kind = i16::try_from(F_WRLCK).unwrap_or_default();
    let whence = i16::try_from(SEEK_SET).unwrap_or_default();
    let wanted = flock { l_type: kind, l_whence: whence, l_start: start, l_len: length, l_pid: 0 };
    fcntl(file, FcntlArg::F_SETLK(&wanted)).is_ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "what a writer may open is tried")]
mod tests {
    use std::fs;

    use super::*;

    /// Runs work in a thread that has restricted itself to a database.
    fn within(folder: &Path, database: &Path, work: impl FnOnce() + Send) {
        let place = Place::prepare(database);
        assert!(place.file.is_some());
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                place.restrict();
                if fs::read(folder.join("other")).is_ok() {
                    // The kernel has no Landlock, and nothing can be shown.
                    return;
                }
                work();
            });
            thread.join().unwrap();
        });
        place.clear();
    }

    fn folder() -> PathBuf {
        let name = format!("readstone-place-{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("other"), "other").unwrap();
        folder
    }

    #[test]
    fn a_writer_can_open_its_database_and_nothing_else() {
        let folder = folder();
        let (database, journal) = (folder.join("d.db"), folder.join("d.db-journal"));
        fs::write(&database, [0; 100]).unwrap();
        within(&folder, &database, || {
            assert!(fs::write(&database, [1; 100]).is_ok() && fs::read(&database).is_ok());
            assert!(fs::write(&journal, "journal").is_ok());
            assert!(fs::File::open(&folder).is_ok());
            for denied in ["other", "d.db-wal", "new"] {
                assert!(fs::write(folder.join(denied), "x").is_err(), "{denied}");
            }
            assert!(fs::read("/proc/self/maps").is_err() && fs::read("/etc/passwd").is_err());
            assert!(std::net::TcpStream::connect("127.0.0.1:9").is_err_and(|error| error.raw_os_error() == Some(13)));
            assert!(fs::remove_file(&journal).is_ok());
            assert!(fs::write(&journal, "x").is_err(), "what was removed cannot be made again");
        });
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_was_made_and_not_needed_is_removed_unless_somebody_uses_it() {
        let folder = folder();
        let (database, log) = (folder.join("d.db"), folder.join("d.db-wal"));
        let mut bytes = [0; 100];
        bytes[18] = 2;
        fs::write(&database, bytes).unwrap();
        within(&folder, &database, || {});
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        within(&folder, &database, || fs::write(&log, "log").unwrap());
        assert!(log.exists() && !folder.join("d.db-shm").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
