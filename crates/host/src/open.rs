//! The one opener.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use readstone_base::{Blob, Budget, escape_name};
use rustix::fs::FileType;

use crate::directory::Directory;
use crate::error::Error;
use crate::file::FileBlob;
use crate::keys;
use crate::mask::{Copied, Mask, TOO_LARGE, is_git_config, read_mask};
use crate::os;
use crate::policy::{Policy, Reach, Root};
use crate::secrets;
use crate::spool::spool;
use crate::write::{Making, is_temporary_name};

/// How often a file is looked for that is replaced whenever it is.
const MOST_LOOKS: usize = 16;

/// The world, as far as the policy opens it. A clone is another handle on the same.
#[derive(Clone, Debug)]
pub struct Host {
    policy: Arc<Policy>,
    home: Option<PathBuf>,
    spool_bytes: u64,
    stdin: bool,
    stdin_read: Arc<AtomicBool>,
    /// Directories that were made for files that are still being written.
    pub(crate) making: Arc<Making>,
}

/// Something that was opened, and what the policy says about it.
#[derive(Debug)]
pub struct Opened {
    /// What it is.
    pub object: Object,
    /// Its path without links.
    pub real: PathBuf,
    /// The rule for secrets of which the caller must be warned.
    pub secret: Option<String>,
}

/// What a path leads to, judged by its names.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) fd: OwnedFd,
    /// Its path without links.
    pub(crate) real: PathBuf,
    /// The rule for secrets of which the caller must be warned.
    pub(crate) secret: Option<String>,
}

/// What can be opened.
#[derive(Debug)]
pub enum Object {
    /// A regular file, or a stream kept in memory.
    File {
        /// Its bytes.
        blob: Arc<dyn Blob>,
        /// The limit that ended a stream before its end.
        cut: Option<&'static str>,
    },
    /// A directory.
    Directory(Directory),
}

impl Host {
    /// A host with this policy; streams are kept up to `spool_bytes`.
    pub fn new(policy: Policy, home: Option<PathBuf>, spool_bytes: u64) -> Self {
        Self {
            policy: Arc::new(policy),
            home,
            spool_bytes,
            stdin: false,
            stdin_read: Arc::default(),
            making: Arc::default(),
        }
    }

    /// Lets `-` read standard input; only a command line may.
    #[must_use]
    pub fn with_stdin(self) -> Self {
        Self { stdin: true, ..self }
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The user's home directory.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Opens a file or a directory and judges what was really opened.
    pub fn open(&self, path: &Path, budget: &Budget) -> Result<Opened, Error> {
        let shown = escape_name(path.as_os_str());
        let (fd, real) = self.reached(path, &shown)?;
        if let Some(blob) = self.public(&[path, &real], &fd) {
            return Ok(Opened { object: Object::File { blob, cut: None }, real, secret: None });
        }
        let secret = self.warning(&[path, &real], &shown)?;
        let mut object = self.object(fd, &shown, budget)?;
        if let Object::File { blob, .. } = &mut object
            && [path, &real].into_iter().any(is_git_config)
        {
            *blob = mask_of(&**blob, &shown)?.blob(blob.stamp_when_opened().ok().flatten());
        }
        Ok(Opened { object, real, secret })
    }

    /// The bytes of something called so as they are shown: in a git configuration, credentials are covered. A key file must
    /// be public where secrets are withheld.
    pub fn shown(&self, name: &Path, blob: Arc<dyn Blob>) -> io::Result<Arc<dyn Blob>> {
        if self.denies_name(name).is_some() && self.policy.is_key_file(&[name]) {
            return public_copy(&*blob).ok_or_else(|| io::ErrorKind::PermissionDenied.into());
        }
        if !is_git_config(name) {
            return Ok(blob);
        }
        let mask = read_mask(&*blob)?.ok_or_else(|| io::Error::new(io::ErrorKind::PermissionDenied, TOO_LARGE))?;
        Ok(mask.blob(blob.stamp_when_opened()?))
    }

    /// The bytes of a file that is called like a key and holds nothing secret.
    fn public(&self, names: &[&Path], fd: &OwnedFd) -> Option<Arc<dyn Blob>> {
        if !self.policy.is_key_file(names) {
            return None;
        }
        let facts = rustix::fs::fstat(fd).ok()?;
        let is_file = FileType::from_raw_mode(facts.st_mode) == FileType::RegularFile;
        let file = is_file.then(|| fd.try_clone().ok())??;
        public_copy(&FileBlob::known(File::from(file), &facts))
    }

    /// Opens whatever a path leads to, unless a rule forbids it.
    pub(crate) fn judged(&self, path: &Path, shown: &str) -> Result<Judged, Error> {
        let (fd, real) = self.reached(path, shown)?;
        let secret = self.warning(&[path, &real], shown)?;
        Ok(Judged { fd, real, secret })
    }

    /// What a path leads to, and its path without links.
    fn reached(&self, path: &Path, shown: &str) -> Result<(OwnedFd, PathBuf), Error> {
        // The windows into processes are links that lead elsewhere each time; they are known by their names.
        if let (Reach::Anywhere(_), Some(rule)) = (&self.policy.reach, self.policy.secrets.process_rule(path)) {
            return Err(Error::DeniedSecret { path: shown.to_owned(), rule });
        }
        self.descriptor(path).map_err(|cause| self.refusal(path, shown, cause))
    }

    /// The rule of which whoever opens something with these names is warned, unless one forbids it.
    pub(crate) fn warning(&self, names: &[&Path], shown: &str) -> Result<Option<String>, Error> {
        match self.policy.denies(names) {
            Some(rule) => Err(Error::DeniedSecret { path: shown.to_owned(), rule }),
            None => Ok(self.policy.warns(names)),
        }
    }

    /// Standard input, kept in memory unless it is a file.
    pub fn stdin(&self, budget: &Budget) -> Result<Opened, Error> {
        if !self.stdin {
            return Err(Error::NoStdin { why: "there is none here" });
        }
        if self.stdin_read.swap(true, Ordering::Relaxed) {
            return Err(Error::NoStdin { why: "it was already read; it has to be piped in again" });
        }
        let failed = |cause| Error::from_io("-", cause);
        let object = if let Some(file) = stdin_file().map_err(failed)? {
            Object::File { blob: Arc::new(FileBlob::new(file).map_err(failed)?), cut: None }
        } else {
            // Whoever feeds us may take its time; only a cancelled call ends the wait.
            let kept = spool(&mut io::stdin().lock(), self.spool_bytes, &budget.untimed()).map_err(failed)?;
            Object::File { blob: Arc::new(kept.blob), cut: kept.cut }
        };
        Ok(Opened { object, real: PathBuf::from("-"), secret: None })
    }

    /// The rule that withholds something called so, on disk or inside a file.
    pub fn denies_name(&self, name: &Path) -> Option<String> {
        self.policy.denies(&[name])
    }

    /// The rule for secrets of which whoever reads something called so must be warned.
    pub fn warns_of_name(&self, name: &Path) -> Option<String> {
        self.policy.warns(&[name])
    }

    /// Whether a suggestion may name this path.
    pub fn may_name(&self, path: &Path) -> bool {
        self.denies_name(path).is_none() || self.is_public(path)
    }

    /// Whether a path leads to a file that is called like a key and holds nothing secret.
    fn is_public(&self, path: &Path) -> bool {
        // Most paths are not called so, and need not be opened.
        self.policy.is_key_file(&[path])
            && self.reached(path, "").is_ok_and(|(fd, real)| self.public(&[path, &real], &fd).is_some())
    }

    /// The same for the entries of one directory, given without links, which is several times faster.
    pub fn watch<'a>(&'a self, directory: &'a Path) -> Watch<'a> {
        Watch { host: self, names: self.policy.watch(directory) }
    }

    /// What a path leads to, and its path without links.
    pub(crate) fn descriptor(&self, path: &Path) -> io::Result<(OwnedFd, PathBuf)> {
        let mut found = self.look(path)?;
        for _ in 0..MOST_LOOKS {
            // A name that is not that of the path comes from a link, or the file got it after it was opened, from whoever put
            // another in its place: the name then says nothing about the path.
            if found.1.file_name() == path.file_name() {
                break;
            }
            if let Some(straight) = self.look_straight(path) {
                return Ok(straight);
            }
            let again = self.look(path)?;
            let settled = found.1 == again.1 && is_same(&found.0, &again.0)?;
            found = again;
            if settled && !found.1.file_name().is_some_and(is_temporary_name) {
                break;
            }
        }
        Ok(found)
    }

    /// The same with the links followed by name first and none afterwards, so that what is opened has the path that is told,
    /// however often it is replaced.
    fn look_straight(&self, path: &Path) -> Option<(OwnedFd, PathBuf)> {
        let straight = |root: Option<&Root>, spelled: PathBuf| {
            let real = std::fs::canonicalize(spelled).ok()?;
            Some((os::open_straight(root, &real).ok()?, real))
        };
        match &self.policy.reach {
            Reach::Anywhere(directory) => straight(None, directory.join(path)),
            Reach::Below(roots) => roots.iter().find_map(|root| {
                let inside = if path.is_absolute() { root.strip(path)? } else { path };
                straight(Some(root), root.real.join(inside))
            }),
        }
    }

    fn look(&self, path: &Path) -> io::Result<(OwnedFd, PathBuf)> {
        let (fd, real) = match &self.policy.reach {
            Reach::Anywhere(directory) => (os::open_anywhere(&directory.join(path))?, None),
            Reach::Below(roots) => open_below(roots, path)?,
        };
        let real = real.or_else(|| os::real_path(&fd)).unwrap_or_else(|| {
            let spelled = self.policy.place().join(path);
            std::fs::canonicalize(&spelled).unwrap_or(spelled)
        });
        Ok((fd, real))
    }

    /// Why a path could not be opened; a link that leads nowhere is told from a path that does not exist.
    pub(crate) fn refusal(&self, path: &Path, shown: &str, cause: io::Error) -> Error {
        let error = Error::from_io(shown, cause);
        match (&error, self.link_target(path)) {
            (Error::NotFound { why: "", .. }, Some(target)) => {
                Error::Dangling { path: shown.to_owned(), target: escape_name(target.as_os_str()) }
            }
            (_, _) => error,
        }
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let (parent, name) = (path.parent()?, path.file_name()?);
        let (fd, _) = self.descriptor(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }).ok()?;
        os::read_link(&fd, name).ok()
    }

    fn object(&self, fd: OwnedFd, shown: &str, budget: &Budget) -> Result<Object, Error> {
        let failed = |cause: io::Error| Error::from_io(shown, cause);
        let facts = rustix::fs::fstat(&fd).map_err(|error| failed(error.into()))?;
        let kind = FileType::from_raw_mode(facts.st_mode);
        if kind == FileType::Directory {
            return Ok(Object::Directory(Directory::new(fd)));
        }
        if kind != FileType::RegularFile {
            return Err(Error::NotRegular { path: shown.to_owned(), what: with_article(kind) });
        }
        let blob = FileBlob::known(File::from(fd), &facts);
        if !blob.is_empty() {
            return Ok(Object::File { blob: Arc::new(blob), cut: None });
        }
        // Files of /proc and /sys say they are empty and are not.
        let kept = blob.reader().and_then(|mut file| spool(&mut file, self.spool_bytes, budget)).map_err(failed)?;
        if kept.blob.is_empty() {
            return Ok(Object::File { blob: Arc::new(blob), cut: None });
        }
        Ok(Object::File { blob: Arc::new(kept.blob), cut: kept.cut })
    }
}

/// What the rules may withhold in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    host: &'a Host,
    names: secrets::Watch<'a>,
}

impl Watch<'_> {
    /// Whether an entry of the directory may be named.
    pub fn may_name(&self, name: &OsStr) -> bool {
        self.names.may_name(name) || self.names.key_file(name).is_some_and(|path| self.host.is_public(&path))
    }
}

/// A file in memory when it holds nothing but certificates and public keys.
fn public_copy(blob: &dyn Blob) -> Option<Arc<dyn Blob>> {
    let bytes = blob.read_range(0, keys::MOST_BYTES + 1).ok()?;
    let stamp = blob.stamp_when_opened().ok()?;
    let public = bytes.len() as u64 <= keys::MOST_BYTES && keys::is_public(&bytes);
    public.then(|| -> Arc<dyn Blob> { Arc::new(Copied::new(bytes, stamp)) })
}

/// The mask of a git configuration.
pub(crate) fn mask_of(blob: &dyn Blob, shown: &str) -> Result<Mask, Error> {
    let mask = read_mask(blob).map_err(|cause| Error::from_io(shown, cause))?;
    mask.ok_or_else(|| Error::DeniedSecret { path: shown.to_owned(), rule: TOO_LARGE.to_owned() })
}

fn is_same(one: &OwnedFd, other: &OwnedFd) -> io::Result<bool> {
    let (one, other) = (rustix::fs::fstat(one)?, rustix::fs::fstat(other)?);
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}

/// Standard input as a file, where it is one.
fn stdin_file() -> io::Result<Option<File>> {
    let stdin = io::stdin();
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&stdin)?.st_mode);
    // A file of which a part was already read is a stream from there on.
    if kind != FileType::RegularFile || rustix::fs::tell(&stdin)? != 0 {
        return Ok(None);
    }
    Ok(Some(File::from(rustix::io::dup(&stdin)?)))
}

fn open_below(roots: &[Root], path: &Path) -> io::Result<os::Beneath> {
    let outside = || io::Error::from(rustix::io::Errno::XDEV);
    if path.is_absolute() {
        let (root, inside) = roots.iter().find_map(|root| Some((root, root.strip(path)?))).ok_or_else(outside)?;
        return os::open_beneath(root, inside);
    }
    let mut first = None;
    for root in roots {
        match os::open_beneath(root, path) {
            Ok(found) => return Ok(found),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(outside))
}

pub(crate) fn with_article(kind: FileType) -> &'static str {
    match kind {
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::CharacterDevice => "a character device",
        FileType::BlockDevice => "a block device",
        FileType::Symlink => "a symbolic link",
        FileType::RegularFile => "a regular file",
        FileType::Directory => "a directory",
        FileType::Unknown => "of an unknown kind",
    }
}
