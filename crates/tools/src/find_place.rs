//! A place to look in: an entry of `paths`, opened.

use std::path::{Path, PathBuf};

use readstone_address::{Selector, is_web};
use readstone_base::{Blob, Failure as _, Fault, Kind, Next};
use readstone_host::{Directory, Object, Opened};
use readstone_search::{Entry, FindError, Glob, Named};
use readstone_source::{Body, Content, Nature, Node, Opening, locate_exactly, near_paths, open_path};

use crate::call::Call;
use crate::error::fault;

/// What an entry leads to.
pub(crate) enum Place {
    /// A directory on disk.
    Directory { shown: String, directory: Directory, real: PathBuf, glob: Glob },
    /// A directory that only a listing tells of.
    Listing { address: String, glob: Glob },
    /// A file.
    File(Named),
}

/// Why nothing starts from `/`, which for `read` is the root of the work: the same is offered below that.
pub(crate) fn from_root(call: &Call<'_>, tool: &'static str, entry: &Entry) -> Fault {
    let argument = entry.glob.clone().unwrap_or_else(|| ".".to_owned());
    let instead = (call.host.policy().place() != Path::new("/")).then_some(Next { tool, argument });
    fault(FindError::Root { instead })
}

/// Opens an entry as it is spelled: nothing is guessed.
pub(crate) fn place(call: &Call<'_>, entry: &Entry, opening: &Opening<'_>) -> Result<Place, Fault> {
    let glob = match &entry.glob {
        Some(text) => Glob::new(text, call.limits.glob_bytes)
            .map_err(|problem| fault(FindError::BadGlob { glob: entry.text.clone(), problem }))?,
        None => Glob::everything(),
    };
    let base = entry.base.as_str();
    if is_root(base) {
        return Err(from_root(call, "find", entry));
    }
    let behind = base.contains([':', '?', '#']);
    match open_path(call.host, base, opening.budget) {
        Ok((Opened { object: Object::Directory(directory), real, .. }, shown)) => {
            if is_root(&shown) || real == Path::new("/") {
                return Err(fault(FindError::Root { instead: None }));
            }
            Ok(Place::Directory { shown: tidy(&shown), directory, real, glob })
        }
        Ok((Opened { object: Object::File { blob, .. }, real, .. }, shown)) => {
            file(entry, Named { shown: tidy(&shown), real, modified: modified(&*blob) })
        }
        Err(readstone_source::Error::Unsupported { address }) if is_web(&address) => {
            Err(fault(FindError::NotAPath { address }))
        }
        Err(readstone_source::Error::Unsupported { .. }) => inside(call, entry, glob, opening),
        Err(readstone_source::Error::Host(error)) if error.is_missing() && behind && !base.starts_with("-:") => {
            inside(call, entry, glob, opening)
        }
        Err(readstone_source::Error::Host(error)) if error.is_not_found() && !error.is_broken_link() => {
            Err(missing(call, entry, opening))
        }
        Err(error) => Err(fault(error)),
    }
}

/// What lies in a file, or behind a scheme.
fn inside(call: &Call<'_>, entry: &Entry, glob: Glob, opening: &Opening<'_>) -> Result<Place, Fault> {
    let node = match locate_exactly(call.host, &entry.base, opening) {
        Err(fault) if fault.is_not_found() => return Err(missing(call, entry, opening)),
        other => other?,
    };
    if node.selector != Selector::default() || node.since.is_some() {
        return Err(fault(FindError::Part { address: entry.base.clone(), path: node.path }));
    }
    let Node { path, real, body, nature, .. } = node;
    let real = if nature == Nature::Editable { real } else { PathBuf::new() };
    match body {
        Body::Directory(directory) => Ok(Place::Directory { shown: path, directory, real, glob }),
        Body::File { blob, .. } => {
            let modified = modified(&*blob).filter(|_| nature == Nature::Editable);
            file(entry, Named { shown: path, real, modified })
        }
        Body::Content(Content::Listing(list)) if list.kind() != Kind::Database => {
            Ok(Place::Listing { address: path, glob })
        }
        Body::Content(Content::Listing(_) | Content::Table(_)) => Err(fault(FindError::NotAPath { address: path })),
        Body::Content(Content::Converted(_) | Content::Document(_) | Content::Picture) => {
            file(entry, Named { shown: path, real: PathBuf::new(), modified: None })
        }
    }
}

/// A file that was named; below it there is nothing.
fn file(entry: &Entry, named: Named) -> Result<Place, Fault> {
    match entry.glob {
        Some(_) => Err(fault(FindError::NotADirectory { path: named.shown })),
        None => Ok(Place::File(named)),
    }
}

fn modified(blob: &dyn Blob) -> Option<i64> {
    let stamp = blob.stamp_when_opened().ok().flatten()?;
    i64::try_from(stamp.modified).ok()
}

/// What is missing, and what comes near.
fn missing(call: &Call<'_>, entry: &Entry, opening: &Opening<'_>) -> Fault {
    let near = near_paths(call.host, &entry.base, opening.budget);
    let whole = |path: String| match &entry.glob {
        Some(glob) => format!("{path}/{glob}"),
        None => path,
    };
    let next = near.into_iter().map(|path| Next { tool: "find", argument: whole(path) }).collect();
    fault(FindError::NotFound { paths: vec![entry.text.clone()], next })
}

/// Whether a path is spelled as the root of the file system.
pub(crate) fn is_root(base: &str) -> bool {
    base.starts_with('/') && base.split('/').all(|name| name.is_empty() || name == ".")
}

/// A path without what says nothing: `./` before it and slashes behind it.
fn tidy(shown: &str) -> String {
    let mut tidy = shown.trim_end_matches('/');
    while let Some(rest) = tidy.strip_prefix("./") {
        tidy = rest.trim_start_matches('/');
    }
    if tidy.is_empty() { ".".to_owned() } else { tidy.to_owned() }
}
