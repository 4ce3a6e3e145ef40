//! What the path of a write means.

use std::path::PathBuf;
use std::sync::Arc;

use readstone_address::MOST_CUTS;
use readstone_base::{Blob, Fault, Holds, Tag, ending, escape_name, holds};
use readstone_host::{Host, Object, Opened};
use readstone_source::Fresh;

use crate::call::Call;
use crate::change::ChangeError;
use crate::error::fault;

/// What is written.
pub(super) enum Place {
    /// A file of its own.
    File(Target),
    /// An entry of an archive.
    Entry {
        /// The archive.
        target: Target,
        /// The name of the entry.
        inner: String,
    },
    /// A row of a database.
    Row {
        /// The database.
        target: Target,
        /// What stands behind it.
        tail: String,
    },
    /// Merge conflicts.
    Conflicts(String),
}

/// A file that is written or lies around what is.
#[derive(Debug)]
pub(super) struct Target {
    /// Its address, as the caller spelled it.
    pub(super) path: String,
    /// Where it is: without links when it is there.
    pub(super) real: PathBuf,
    pub(super) host: Host,
    /// Its bytes, when it is there.
    pub(super) blob: Option<Arc<dyn Blob>>,
    pub(super) secret: Option<String>,
}

/// Finds out what a path means: a file that is really called so comes first.
pub(super) fn place(call: &Call<'_>, path: &str) -> Result<Place, Fault> {
    if let Some(which) = path.strip_prefix("conflict://") {
        return Ok(Place::Conflicts(which.to_owned()));
    }
    if path.is_empty() {
        return Err(unfit(path, "a path is needed"));
    }
    if path.contains("://") {
        let ground = call.sources.ground(path, &call.opening(Fresh::Keep))?;
        let ground = ground
            .ok_or_else(|| unfit(path, "of such addresses, only those of local:// and conflict:// are written"))?;
        return Ok(Place::File(there(call, ground.host, (path, ground.path))?));
    }
    if path == "-" {
        return Err(unfit(path, "a path is needed"));
    }
    if let Some(target) = opened(call, path)? {
        return Ok(Place::File(target));
    }
    // The first part that is a file holds the rest.
    for (at, _) in path.match_indices([':', '?']).take(MOST_CUTS) {
        call.budget.check().map_err(|_| fault(readstone_host::Error::TimedOut { path: path.to_owned() }))?;
        let (outer, tail) = (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default());
        let Some(target) = opened(call, outer)? else { continue };
        return inside(target, tail, path.get(at..).unwrap_or_default());
    }
    missing(call, path)
}

/// What is written inside a file that is there.
fn inside(target: Target, tail: &str, spelled: &str) -> Result<Place, Fault> {
    if is_database(&target)? {
        let tail = if spelled.starts_with('?') { spelled.to_owned() } else { tail.to_owned() };
        return Ok(Place::Row { target, tail });
    }
    let failed = |cause| readstone_formats::unreadable(&target.path, cause);
    let archive = match &target.blob {
        Some(blob) => readstone_formats::archive_kind(&**blob).map_err(failed)?.is_some(),
        None => false,
    };
    if archive {
        return Ok(Place::Entry { target, inner: tail.to_owned() });
    }
    if readstone_formats::archive_form(&target.path).is_some() || holds(&target.path) == Some(Holds::Database) {
        return Err(unfit(
            &target.path,
            "it is called like an archive or a database and is none, so nothing can be put in it",
        ));
    }
    let why = "a part of a file is changed by edit; write takes the whole file by its path alone";
    Err(unfit(&format!("{}{spelled}", target.path), why))
}

/// Something that is not there yet.
fn missing(call: &Call<'_>, path: &str) -> Result<Place, Fault> {
    for (at, _) in path.match_indices(':').take(MOST_CUTS) {
        let (outer, tail) = (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default());
        if readstone_formats::archive_form(outer).is_some() {
            let target = there(call, call.host.clone(), (outer, readstone_source::path_of(call.host, outer)))?;
            return Ok(Place::Entry { target, inner: tail.to_owned() });
        }
        if is_called_archive(outer) {
            return Err(unfit(outer, "a new archive is a .zip, .tar, .tar.gz or .tgz"));
        }
        if holds(outer) == Some(Holds::Database) {
            let near = readstone_source::near_paths(call.host, outer, call.budget);
            return Err(fault(ChangeError::NoDatabase { path: outer.to_owned(), near }));
        }
    }
    if path.ends_with('/') {
        return Err(unfit(path, "a name that ends with / is that of a directory"));
    }
    // Lines of a file that is not there are no new file.
    let reads = readstone_address::readings(path).map_err(fault)?;
    if reads.iter().any(|reading| reading.tail.is_some() && reading.selector().is_ok()) {
        let why =
            "it ends like a part of a file, and there is no such file; write takes the whole file by its path alone";
        return Err(unfit(path, why));
    }
    if let Some(why) = looks_like_a_part(call, path)? {
        return Err(unfit(path, why));
    }
    let real = readstone_source::path_of(call.host, path);
    // The header of the reply must lead to the file again, whatever it is called.
    let shown = if path.starts_with("~/") { path.to_owned() } else { escape_name(real.as_os_str()) };
    Ok(Place::File(there(call, call.host.clone(), (&shown, real))?))
}

/// Why a name that is not there yet is rather a part of something, or a header, than the name of a new file.
fn looks_like_a_part(call: &Call<'_>, path: &str) -> Result<Option<&'static str>, Fault> {
    if path.starts_with('¶') {
        return Ok(Some("a header begins so; write takes the path alone"));
    }
    if let Some((outer, tag)) = path.rsplit_once('#')
        && tag.parse::<Tag>().is_ok()
        && opened(call, outer)?.is_some()
    {
        return Ok(Some("it ends with a tag; write takes the path alone, and the tag as if_tag"));
    }
    let colon = path.split_once(':').map(|(outer, _)| outer.rsplit('/').next().unwrap_or(outer));
    let named = colon.is_some_and(|outer| outer.trim_start_matches('.').contains('.'));
    Ok(named.then_some("it looks like a part of a file that does not exist; a colon in a new name is not taken"))
}

/// A file as it is spelled; none when nothing is there.
fn opened(call: &Call<'_>, path: &str) -> Result<Option<Target>, Fault> {
    match readstone_source::open_path(call.host, path, call.budget) {
        Ok((opened, shown)) => Ok(Some(of_opened(call.host.clone(), opened, shown)?)),
        Err(readstone_source::Error::Host(error)) if error.is_missing() && !error.is_broken_link() => Ok(None),
        Err(error) => Err(fault(error)),
    }
}

fn of_opened(host: Host, opened: Opened, path: String) -> Result<Target, Fault> {
    let Opened { object, real, secret } = opened;
    match object {
        Object::Directory(_) => Err(fault(ChangeError::Directory { path })),
        Object::File { blob, .. } => Ok(Target { path, real, host, blob: Some(blob), secret }),
    }
}

/// A file that may be there or not, by its path for a host.
fn there(call: &Call<'_>, host: Host, (shown, path): (&str, PathBuf)) -> Result<Target, Fault> {
    match host.open(&path, call.budget) {
        Ok(opened) => of_opened(host, opened, shown.to_owned()),
        Err(error) if error.is_missing() && !error.is_broken_link() => {
            let secret = host.warns_of_name(&path);
            Ok(Target { path: shown.to_owned(), real: path, host, blob: None, secret })
        }
        Err(error) => Err(fault(error.named(shown))),
    }
}

fn is_database(target: &Target) -> Result<bool, Fault> {
    let failed = |cause| readstone_formats::unreadable(&target.path, cause);
    match &target.blob {
        Some(blob) => Ok(readstone_formats::is_database(&blob.read_range(0, 16).map_err(failed)?)),
        None => Ok(false),
    }
}

/// Whether a name is that of an archive, which may be compressed as a whole.
fn is_called_archive(path: &str) -> bool {
    match holds(path) {
        Some(Holds::Package | Holds::Archive) => true,
        Some(Holds::Compressed) => {
            path.rsplit_once('.').is_some_and(|(inner, _)| ending(inner).eq_ignore_ascii_case("tar"))
        }
        Some(Holds::Database | Holds::Document | Holds::Notebook | Holds::Picture | Holds::Rows | Holds::Json)
        | None => false,
    }
}

/// A refusal with its reason.
pub(super) fn unfit(path: &str, why: &str) -> Fault {
    fault(ChangeError::Unfit { path: path.to_owned(), why: why.to_owned() })
}
