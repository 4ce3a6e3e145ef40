//! Git configurations: which files they are, and what of their bytes is shown.
//!
//! Every byte of a credential is shown as `*`. So a masked text has the length and the lines of the file, and splices of the
//! one fit the other.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use readstone_base::{Blob, Memory, Splice, Stamp};

use crate::credentials::find_credentials;

/// Larger git configurations are withheld: nobody looks for credentials in them.
pub(crate) const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The rule that withholds those.
pub(crate) const TOO_LARGE: &str = "that git configurations beyond 4 MiB are not looked through for credentials";
/// Shown in the place of each byte of a credential.
const COVER: u8 = b'*';
/// Endings of copies that lie beside a file.
const COPIES: [&[u8]; 7] = [b"~", b".bak", b".backup", b".old", b".orig", b".save", b".lock"];

/// Whether a path is that of a git configuration, without regard to case. Behind a colon it goes on inside an archive.
pub fn is_git_config(path: &Path) -> bool {
    let path = path.as_os_str().as_bytes();
    let mut parts = path.rsplit(|byte| matches!(byte, b'/' | b'\\' | b':'));
    let name = parts.next().unwrap_or_default();
    // Nearly every path ends here.
    if !may_be_git_config(name) {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let copy = COPIES.iter().find_map(|copy| name.strip_suffix(*copy));
    let name = copy.unwrap_or(&name);
    if matches!(name, b"gitconfig" | b".gitmodules" | b".lfsconfig") || name.starts_with(b".gitconfig") {
        return true;
    }
    let above: Vec<Vec<u8>> = parts.map(<[u8]>::to_ascii_lowercase).collect();
    matches!(name, b"config" | b"config.worktree") && is_git_directory(&above)
}

/// Whether [`Host::shown`](crate::Host::shown) may show less of a file with this name than it holds.
pub fn may_show_less(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let is_key = bytes.len().checked_sub(4).and_then(|at| bytes.get(at..));
    let is_key = is_key.is_some_and(|end| end.eq_ignore_ascii_case(b".key") || end.eq_ignore_ascii_case(b".pem"));
    is_key || may_be_git_config(bytes)
}

/// Whether a git configuration may have this name: it has `config` or `gitmodules` in it.
fn may_be_git_config(name: &[u8]) -> bool {
    let has = |word: &[u8]| name.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    has(b"config") || has(b"gitmodules")
}

/// Whether directories, the innermost first and in lower case, are those of a repository or of git's own settings.
fn is_git_directory(above: &[Vec<u8>]) -> bool {
    let is_repository = |part: &[u8]| part.ends_with(b".git") || part.windows(5).any(|part| part == b".git.");
    let is_settings = |parts: &[Vec<u8>]| matches!(parts, [git, config, ..] if git == b"git" && config == b".config");
    let is_linked = |pair: &[Vec<u8>]| {
        let [inner, outer] = pair else { return false };
        matches!(inner.as_slice(), b"modules" | b"worktrees") && is_repository(outer)
    };
    above.first().is_some_and(|part| is_repository(part)) || is_settings(above) || above.windows(2).any(is_linked)
}

/// The bytes of a git configuration, with the credentials in them covered.
#[derive(Clone)]
pub struct Mask {
    original: Arc<Vec<u8>>,
    shown: Arc<Vec<u8>>,
    spans: Vec<Range<usize>>,
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask").field("spans", &self.spans).finish_non_exhaustive()
    }
}

impl Mask {
    /// Finds the credentials in some bytes.
    pub fn of(original: impl Into<Arc<Vec<u8>>>) -> Self {
        let original = original.into();
        let spans = find_credentials(&original);
        if spans.is_empty() {
            return Self { shown: Arc::clone(&original), original, spans };
        }
        let mut shown = (*original).clone();
        for span in &spans {
            // A wide character keeps its zeros, and a credential its lines.
            let covered = shown.get_mut(span.clone()).unwrap_or_default().iter_mut();
            covered.filter(|byte| !matches!(**byte, 0 | b'\n' | b'\r')).for_each(|byte| *byte = COVER);
        }
        Self { original, shown: Arc::new(shown), spans }
    }

    /// The bytes as they are; never for a reply.
    pub fn original(&self) -> &Arc<Vec<u8>> {
        &self.original
    }

    /// The bytes as they are shown.
    pub fn shown(&self) -> &Arc<Vec<u8>> {
        &self.shown
    }

    /// How many credentials are covered.
    pub fn count(&self) -> u64 {
        self.spans.len() as u64
    }

    /// Whether splices leave every line alone that holds a credential, and none of these shows in what they make.
    pub fn survives(&self, splices: &[Splice], made: &Self) -> bool {
        self.spans.iter().all(|span| {
            let line = self.lines(span);
            let is_touched = |splice: &&Splice| splice.range.start < line.end && splice.range.end > line.start;
            if splices.iter().any(|splice| is_touched(&splice)) {
                return false;
            }
            let start = moved(span.start, splices);
            self.shown.get(span.clone()) == made.shown.get(start..start + span.len())
        })
    }

    /// The lines in which a credential is, with the last line ending.
    fn lines(&self, span: &Range<usize>) -> Range<u64> {
        let before = self.original.get(..span.start).unwrap_or_default();
        let after = self.original.get(span.end..).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = after.iter().position(|byte| *byte == b'\n').map_or(after.len(), |at| at + 1);
        start as u64..(span.end + end) as u64
    }

    /// The bytes as they are shown, as a blob.
    pub(crate) fn blob(&self, stamp: Option<Stamp>) -> Arc<dyn Blob> {
        Arc::new(Copied { bytes: Memory::new(Arc::clone(&self.shown)), masked: self.count(), stamp })
    }
}

/// Where a byte is after splices that lie before or behind it.
fn moved(at: usize, splices: &[Splice]) -> usize {
    let before = splices.iter().filter(|splice| splice.range.end <= at as u64);
    before.fold(at, |at, splice| {
        let gone = usize::try_from(splice.range.end - splice.range.start).unwrap_or(0);
        (at + splice.bytes.len()).saturating_sub(gone)
    })
}

/// The bytes of a blob that is a git configuration, read once: those that were looked through are those that are shown. No
/// mask when it is too large.
pub(crate) fn read_mask(blob: &dyn Blob) -> io::Result<Option<Mask>> {
    let bytes = blob.read_range(0, MOST_BYTES + 1)?;
    Ok((bytes.len() as u64 <= MOST_BYTES).then(|| Mask::of(bytes)))
}

/// The bytes of a file that were looked at before they are shown.
#[derive(Debug)]
pub(crate) struct Copied {
    bytes: Memory,
    masked: u64,
    stamp: Option<Stamp>,
}

impl Copied {
    /// All bytes of a file, in which nothing is masked.
    pub(crate) fn new(bytes: Vec<u8>, stamp: Option<Stamp>) -> Self {
        Self { bytes: Memory::new(bytes), masked: 0, stamp }
    }
}

impl Blob for Copied {
    fn len(&self) -> Option<u64> {
        self.bytes.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read_at(offset, buffer)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        Ok(self.stamp)
    }

    fn masked(&self) -> u64 {
        self.masked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(range: Range<u64>, bytes: &str) -> Splice {
        Splice { range, bytes: bytes.as_bytes().to_vec() }
    }

    /// Whether a splice of a text may be made.
    fn survives(text: &str, splice: &Splice) -> bool {
        let index = |at: u64| usize::try_from(at).unwrap();
        let (start, end) = (index(splice.range.start), index(splice.range.end));
        let made = [&text.as_bytes()[..start], &splice.bytes, &text.as_bytes()[end..]].concat();
        Mask::of(text.as_bytes().to_vec()).survives(std::slice::from_ref(splice), &Mask::of(made))
    }

    #[test]
    fn git_configurations_are_known_by_their_paths() {
        for path in [
            ".git/config",
            "/a/.GIT/Config",
            "a/.git/config.worktree",
            "/a/.git/worktrees/b/config.worktree",
            "/a/.git/modules/b/c/config",
            "/srv/a.git/config",
            "/home/me/.gitconfig",
            ".gitconfig-work",
            "/etc/gitconfig",
            ".config/git/config",
            "a/.gitmodules",
            ".git/config.bak",
            ".git/config~",
            "a.zip:b/.git/config",
            "a.git.tar:config",
        ] {
            assert!(is_git_config(Path::new(path)), "{path}");
        }
        for path in ["config", "a/config", ".git/HEAD", ".git/hooks/config", "git/config", ".gitignore", "a/config.rs"]
        {
            assert!(!is_git_config(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_mask_keeps_the_length_and_the_lines() {
        let text = "url = https://me:pw@host/\nextraheader = a \\\n b\n";
        let mask = Mask::of(text.as_bytes().to_vec());
        assert_eq!(mask.count(), 2);
        assert_eq!(mask.shown().as_slice(), b"url = https://*****@host/\nextraheader = ***\n**\n".as_slice());
        assert_eq!(mask.original().len(), mask.shown().len());
    }

    #[test]
    fn splices_beside_a_credential_leave_it_alone() {
        let text = "name = a\nurl = https://me:pw@host/\nname = b\n";
        assert!(survives(text, &splice(0..9, "name = other\n")));
        assert!(survives(text, &splice(35..44, "")));
        assert!(survives(text, &splice(9..9, "x = 1\n")));
        assert!(survives(text, &splice(35..35, "x = 1\n")));
        assert!(!survives(text, &splice(9..15, "url = ")));
        assert!(!survives(text, &splice(9..35, "")));
        assert!(!survives(text, &splice(34..35, "")));
    }

    #[test]
    fn no_splice_brings_a_credential_to_light() {
        let text = "extraheader = a \\\n b\n";
        assert!(!survives(text, &splice(18..18, "x\n")));
        let text = "extraheader \\\n= abc\n";
        assert!(!survives(text, &splice(0..11, "x")));
        assert!(survives(text, &splice(0..0, "x")));
    }
}
