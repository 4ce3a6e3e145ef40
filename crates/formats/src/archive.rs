//! Archives: zip, tar and 7z, entered by the names of their entries.

mod beside;
mod children;
mod enter;
mod error;
mod index;
mod listing;
mod meant;
mod members;
mod names;
mod put;
mod seven;
mod tar;
mod zip;

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Blob, Fault, unescape_name};
use readstone_source::{Container, Judge, Opening, Piece};

use crate::packed::{self, Trouble, trouble_in};
use enter::Archive;

pub(crate) use error::Error;
pub use put::{ArchiveEntry, ArchiveForm, EntryPlan, PutInto, archive_form, archive_kind, plan_entry};
pub(crate) use tar::is_tar;

/// Bytes looked at to tell what something is.
const HEAD: u64 = 512;

/// The beginning of a piece's bytes.
pub(crate) fn head(piece: &Piece) -> io::Result<Vec<u8>> {
    piece.blob.read_range(0, HEAD)
}

/// How long a blob is, found out by reading it where it does not tell.
pub(crate) fn length(blob: &Arc<dyn Blob>, opening: &Opening<'_>) -> io::Result<u64> {
    let most = opening.limits.unpack_bytes;
    match packed::measure(&**blob, most)? {
        (size, true) => Ok(size),
        (..) => Err(Trouble::TooBig { what: "what is inside", asks: None, limit: "unpack_bytes" }.into()),
    }
}

/// Opens an archive or a compressed file, by its content. `tail` is what the address says behind it: bytes that are
/// something else at first sight are searched for an archive at their end only when something inside is asked for.
pub(crate) fn archives(
    head: &[u8],
    piece: &Piece,
    tail: Option<&str>,
    opening: &Opening<'_>,
) -> Result<Option<Arc<dyn Container>>, Fault> {
    if let Some(stream) = packed::open(head, piece) {
        return Ok(Some(stream));
    }
    if zip::begins(head) {
        return Ok(Some(Archive::shared(zip::Zip::new(piece))));
    }
    if seven::begins(head) {
        return Ok(Some(Archive::shared(seven::Seven::new(piece))));
    }
    if is_tar(head) {
        return Ok(Some(Archive::shared(tar::Tar::new(piece, opening))));
    }
    if inner_wanted(tail) && zip::ends(piece, opening)? {
        return Ok(Some(Archive::shared(zip::Zip::new(piece))));
    }
    Ok(None)
}

/// Passes the names of the entries of a zip archive; none when it cannot be walked.
#[cfg(feature = "documents")]
pub(crate) fn each_zip_name(piece: &Piece, opening: &Opening<'_>, mut pass: impl FnMut(&[u8])) {
    use members::Members as _;
    if let Ok(index) = zip::Zip::new(piece).all(opening) {
        (0..index.len()).for_each(|at| pass(index.name(at)));
    }
}

/// An error of reading that comes from what is compressed, as the failure of whoever asked for `address`; any other is
/// given back.
pub(crate) fn fault_in(address: &str, error: io::Error) -> Result<Fault, io::Error> {
    if trouble_in(&error).is_some() { Ok(Error::from_io(address, error).boxed()) } else { Err(error) }
}

/// The rule that withholds a name. What some systems take for a slash in it is taken for one here.
pub(crate) fn denies(judge: &dyn Judge, name: &[u8]) -> Option<String> {
    let verdict = |name: &[u8]| judge.denies(Path::new(OsStr::from_bytes(name)));
    verdict(name).or_else(|| {
        let slashed = || name.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect::<Vec<_>>();
        name.contains(&b'\\').then(slashed).and_then(|name| verdict(&name))
    })
}

/// Whether a name is withheld only because it is that of a key, which may turn out to be public.
fn may_be_public(judge: &dyn Judge, name: &[u8]) -> bool {
    let slashed: Vec<u8> = name.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
    [name, &slashed].into_iter().all(|name| judge.is_key_file(Path::new(OsStr::from_bytes(name))))
}

/// The rule for secrets that speaks of an entry, or of what is compressed in it: it withholds it, warns of it, or masks
/// what it holds.
fn secret(judge: &dyn Judge, name: &[u8]) -> Option<String> {
    let verdict = |name: &[u8]| {
        let path = Path::new(OsStr::from_bytes(name));
        let masked = || judge.masks(path).then(|| "git configurations".to_owned());
        denies(judge, name).or_else(|| judge.warns(path)).or_else(masked)
    };
    let inner = || std::str::from_utf8(name).ok().map(packed::inner_name).filter(|inner| inner.as_bytes() != name);
    verdict(name).or_else(|| inner().and_then(|inner| verdict(inner.as_bytes())))
}

/// The rule that withholds a name as it is shown.
pub(crate) fn denies_shown(judge: &dyn Judge, shown: &str) -> Option<String> {
    let unescaped = || unescape_name(shown).and_then(|name| denies(judge, name.as_bytes()));
    denies(judge, shown.as_bytes()).or_else(unescaped)
}

/// Whether a tail asks for something inside, rather than for a part of the bytes themselves.
fn inner_wanted(tail: Option<&str>) -> bool {
    tail.is_some_and(|tail| !tail.is_empty() && !tail.starts_with('?') && Selector::parse(tail).is_err())
}
