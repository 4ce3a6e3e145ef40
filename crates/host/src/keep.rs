//! Descriptors that must stay open for a while.
//!
//! Whoever closes any descriptor of a file ends all locks that the process has on it, where they are of the older kind,
//! as those of SQLite are. While a database is written, other calls may be done with reading it; what they would close
//! is kept until the writing is over.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use readstone_base::Identity;
use rustix::fs::{Access, AtFlags, CWD, FileType};

/// What is kept for one writing.
#[derive(Debug)]
struct Shelf {
    number: u64,
    identities: Vec<Identity>,
    files: Mutex<Vec<(File, Identity)>>,
}

/// What is kept. Closing looks here first, and closes before it lets go, so that none comes too late.
static SHELVES: RwLock<Shelves> = RwLock::new(Shelves { made: 0, shelves: Vec::new() });

#[derive(Debug)]
struct Shelves {
    made: u64,
    shelves: Vec<Shelf>,
}

/// Closes a file, or keeps it open as long as somebody has it locked.
pub(crate) fn close(file: File, identity: Identity) {
    let kept = SHELVES.read().unwrap_or_else(PoisonError::into_inner);
    match kept.shelves.iter().find(|shelf| shelf.identities.contains(&identity)) {
        Some(shelf) => lock(&shelf.files).push((file, identity)),
        None => drop(file),
    }
    drop(kept);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Until it is dropped, this process closes no descriptor of a database that [`crate::Host`] opened.
#[derive(Debug)]
pub struct KeptOpen {
    number: u64,
    path: PathBuf,
    identity: Identity,
}

impl KeptOpen {
    /// For the database at this path, which leads through no link, and for the index of its log.
    pub fn database(path: &Path) -> io::Result<Self> {
        let identity = identity(path)?;
        let mut kept = SHELVES.write().unwrap_or_else(PoisonError::into_inner);
        kept.made += 1;
        let number = kept.made;
        kept.shelves.push(Shelf { number, identities: vec![identity], files: Mutex::default() });
        drop(kept);
        let kept = Self { number, path: path.to_owned(), identity };
        kept.renew();
        Ok(kept)
    }

    /// The database.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Whether the path still leads to it.
    pub fn is_there(&self) -> bool {
        identity(&self.path).is_ok_and(|there| there == self.identity)
    }

    /// Keeps the index of its log too, which may have come since.
    pub fn renew(&self) {
        let mut index = self.path.clone().into_os_string();
        index.push("-shm");
        let Ok(index) = identity(Path::new(&index)) else { return };
        let mut kept = SHELVES.write().unwrap_or_else(PoisonError::into_inner);
        let own = kept.shelves.iter_mut().find(|shelf| shelf.number == self.number);
        if let Some(shelf) = own.filter(|shelf| !shelf.identities.contains(&index)) {
            shelf.identities.push(index);
        }
    }
}

impl Drop for KeptOpen {
    fn drop(&mut self) {
        let mut kept = SHELVES.write().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = kept.shelves.iter().position(|shelf| shelf.number == self.number) else { return };
        let done = kept.shelves.swap_remove(at);
        for (file, identity) in done.files.into_inner().unwrap_or_else(PoisonError::into_inner) {
            // Another writing may need it as well.
            match kept.shelves.iter().find(|shelf| shelf.identities.contains(&identity)) {
                Some(other) => lock(&other.files).push((file, identity)),
                None => drop(file),
            }
        }
    }
}

/// Whether files can be made in a directory.
pub fn is_writable(directory: &Path) -> bool {
    rustix::fs::access(directory, Access::WRITE_OK).is_ok()
}

/// What a path leads to, if that is a regular file and no link.
fn identity(path: &Path) -> io::Result<Identity> {
    let facts = rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?;
    match FileType::from_raw_mode(facts.st_mode) {
        FileType::RegularFile => Ok(Identity { device: facts.st_dev, inode: facts.st_ino }),
        FileType::Directory
        | FileType::Symlink
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc::{F_WRLCK, SEEK_SET, flock};
    use readstone_base::Blob;

    use super::*;
    use crate::file::FileBlob;

    fn open(path: &Path) -> File {
        File::options().read(true).write(true).open(path).unwrap()
    }

    /// Takes a lock as SQLite does.
    fn take_lock(file: impl AsFd) {
        let kind = i16::try_from(F_WRLCK).unwrap();
        let lock = flock { l_type: kind, l_whence: i16::try_from(SEEK_SET).unwrap(), l_start: 0, l_len: 1, l_pid: 0 };
        fcntl(file, FcntlArg::F_SETLK(&lock)).unwrap();
    }

    fn made(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("readstone-keep-{}-{name}", std::process::id()));
        File::create(&path).unwrap();
        path
    }

    #[test]
    fn locks_outlive_readers_that_come_and_go() {
        let path = made("db");
        // Another open file tells what is locked; it must outlive the lock.
        let teller = FileBlob::new(open(&path)).unwrap();
        let writer = open(&path);
        let (first, second) = (KeptOpen::database(&path).unwrap(), KeptOpen::database(&path).unwrap());
        assert!(first.is_there() && first.identity() == second.identity());
        take_lock(&writer);
        drop(FileBlob::new(open(&path)).unwrap());
        assert!(teller.is_held(0..1).unwrap());
        // What one has kept, the other goes on keeping.
        drop(first);
        assert!(teller.is_held(0..1).unwrap());
        drop(second);
        assert!(!teller.is_held(0..1).unwrap());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_index_of_a_log_is_kept_too() {
        let path = made("logged");
        let kept = KeptOpen::database(&path).unwrap();
        let index = made("logged-shm");
        kept.renew();
        let (teller, writer) = (FileBlob::new(open(&index)).unwrap(), open(&index));
        take_lock(&writer);
        drop(FileBlob::new(open(&index)).unwrap());
        assert!(teller.is_held(0..1).unwrap());
        drop(kept);
        assert!(!teller.is_held(0..1).unwrap());
        std::fs::remove_file(path).unwrap();
        std::fs::remove_file(index).unwrap();
    }

    #[test]
    fn what_is_no_file_of_its_own_is_not_kept() {
        let path = made("target");
        let link = std::env::temp_dir().join(format!("readstone-keep-{}-link", std::process::id()));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(KeptOpen::database(&link).is_err());
        assert!(KeptOpen::database(&std::env::temp_dir()).is_err());
        let kept = KeptOpen::database(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(!kept.is_there());
        std::fs::remove_file(link).unwrap();
    }
}
