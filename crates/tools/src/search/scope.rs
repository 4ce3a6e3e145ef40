//! What is to be searched: the entries of `paths`, each opened or missing.

use std::path::{Path, PathBuf};

use readstone_address::{Mode, Selector, colons};
use readstone_base::{Class, Fault, FoundNote, Kind, Next, Words};
use readstone_formats::is_called_web_page;
use readstone_host::Directory;
use readstone_search::{Entry, FindError, Glob, Globs, World, entries, open_all};
use readstone_source::{Body, Content, Fresh, Node, Opening, locate_exactly, near_paths};

use super::hunt::as_text;
use crate::call::Call;
use crate::error::{Error, fault};
use crate::find_place::{from_root, is_root};

/// One thing to search.
pub(super) struct Scope {
    /// The address by which it was named.
    pub(super) address: String,
    /// What an entry names, or the base of its glob.
    pub(super) node: Node,
    /// The names below it that are meant.
    pub(super) globs: Option<Globs>,
}

/// All there is to search.
pub(super) struct Scopes {
    pub(super) list: Vec<Scope>,
    /// What does not exist.
    pub(super) missing: Vec<String>,
    /// What cannot be opened.
    pub(super) notes: Vec<FoundNote>,
}

/// A directory, and which files below it are meant.
pub(super) struct Tree {
    /// How it is shown before the names of what is below it.
    pub(super) shown: String,
    pub(super) real: PathBuf,
    pub(super) directory: Directory,
    pub(super) globs: Option<Globs>,
}

impl Tree {
    /// The directory that a node is.
    pub(super) fn of(node: Node, globs: Option<Globs>) -> Option<Self> {
        let Body::Directory(directory) = node.body else { return None };
        let shown = node.path.strip_prefix("./").unwrap_or(&node.path);
        let shown = if shown.contains("://") { shown } else { shown.trim_end_matches('/') };
        Some(Self { shown: shown.to_owned(), real: node.real, directory, globs })
    }
}

/// Opens all that is to be searched. Of several, one that cannot be opened is named; when none can, that is the failure.
pub(super) fn scopes(call: &Call<'_>, paths: &[String]) -> Result<Scopes, Fault> {
    let opening = call.opening(Fresh::Keep);
    let world = World { host: call.host, opening: &opening };
    let empty = "`paths` must contain non-empty paths or globs";
    let entries = entries(paths, &world, call.limits, empty).map_err(fault)?;
    let mut closed = Vec::new();
    let (opened, missing) = open_all(&entries, |entry| match open(call, entry, &opening) {
        Err(error) if entries.len() > 1 && is_its_own(&*error) => {
            closed.push((entry.text.clone(), error));
            Ok(None)
        }
        other => other.map(Some),
    })?;
    let list: Vec<Scope> = opened.into_iter().flatten().collect();
    match closed.pop() {
        Some((_, error)) if list.is_empty() => Err(error),
        other => {
            closed.extend(other);
            let told = |(address, error): (String, Fault)| FoundNote::Failed { address, why: error.to_string() };
            Ok(Scopes { list, missing, notes: closed.into_iter().map(told).collect() })
        }
    }
}

/// Whether a failure is that of one thing alone, and says nothing of the call.
fn is_its_own(error: &dyn readstone_base::Failure) -> bool {
    match error.class() {
        Class::Denied | Class::Broken | Class::TooBig | Class::Outside => true,
        Class::Request | Class::Missing | Class::Stale | Class::Stopped | Class::Bug => false,
    }
}

fn open(call: &Call<'_>, entry: &Entry, opening: &Opening<'_>) -> Result<Scope, Fault> {
    let bad = |what: String| fault(Error::BadInput(what));
    if let Some(glob) = &entry.glob
        && glob.rsplit_once(':').is_some_and(|(_, tail)| Selector::parse(tail).is_ok())
    {
        return Err(bad(format!("Line-range selector requires a single file, not a glob: {}", entry.text)));
    }
    if is_root(&entry.base) {
        return Err(from_root(call, "search", entry));
    }
    let locate = |address: &str| locate_exactly(call.host, address, opening);
    let node = locate(&entry.base).map_err(|error| missing(call, entry, error))?;
    let node = source(node, &locate);
    if node.real == Path::new("/") && matches!(node.body, Body::Directory(_)) {
        return Err(fault(FindError::Root { instead: None }));
    }
    let globs = entry.glob.as_ref().map(|glob| compile(glob, call)).transpose()?;
    if globs.is_some() && !matches!(node.body, Body::Directory(_) | Body::Content(_)) {
        return Err(fault(FindError::NotADirectory { path: node.path }));
    }
    Ok(Scope { address: entry.base.clone(), node, globs })
}

/// A web page on disk is searched as it is written, and not as it is read; so are the lines of it that are asked for.
fn source(node: Node, locate: &dyn Fn(&str) -> Result<Node, Fault>) -> Node {
    let made = matches!(node.body, Body::Content(_)) && !node.path.contains("://");
    if !made || !is_called_web_page(&node.path) || node.selector.mode != Mode::Plain {
        return node;
    }
    let Selector { select, .. } = node.selector.clone();
    match locate(&as_text(node.path.clone())) {
        Ok(own) => Node { path: as_text(node.path), selector: Selector { select, mode: Mode::Plain }, ..own },
        Err(_) => node,
    }
}

fn compile(glob: &str, call: &Call<'_>) -> Result<Globs, Fault> {
    let bad = |problem| fault(FindError::BadGlob { glob: glob.to_owned(), problem });
    let mut globs = Globs::default();
    globs.push(Glob::new(glob, call.limits.glob_bytes).map_err(bad)?);
    Ok(globs)
}

/// That something does not exist, in the words of this tool, and what comes near.
fn missing(call: &Call<'_>, entry: &Entry, error: Fault) -> Fault {
    if error.class() != Class::Missing || entry.base.contains("://") {
        return error;
    }
    if let Some((path, _)) = entry.text.rsplit_once(':').filter(|(_, tail)| Selector::parse(tail).is_ok()) {
        let there = locate_exactly(call.host, path, &call.opening(Fresh::Keep)).is_ok();
        return if there { error } else { fault(Unfit::Ranged { path: path.to_owned() }) };
    }
    let whole = |path: String| match &entry.glob {
        Some(glob) => format!("{path}/{glob}"),
        None => path,
    };
    let near = near_paths(call.host, &entry.base, call.budget);
    let mut next: Vec<Next> = near.into_iter().map(|path| Next { tool: "search", argument: whole(path) }).collect();
    if next.is_empty() && !error.is_not_found() {
        // What a file holds instead can be searched as well as read.
        next.extend(error.next().into_iter().map(|near| Next { tool: "search", argument: whole(near.argument) }));
    }
    let name = entry.base.rsplit('/').next().unwrap_or(&entry.base);
    if next.is_empty() && !name.is_empty() && !name.contains(['*', '?', '[', '{', ':']) {
        next.push(Next { tool: "find", argument: format!("**/*{name}*") });
    }
    fault(FindError::NotFound { paths: vec![entry.text.clone()], next })
}

/// Something that was named and cannot be searched.
#[derive(Debug)]
pub(super) enum Unfit {
    /// Lines of a file that does not exist.
    Ranged { path: String },
    /// An entry of an archive that is no text.
    Member { path: String },
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ranged { path } => write!(f, "Path not found for line-range selector: {}", Words(path)),
            Self::Member { path } => write!(f, "Cannot search archive member(s): {}", Words(path)),
        }
    }
}

impl std::error::Error for Unfit {}

impl readstone_base::Failure for Unfit {
    fn code(&self) -> &'static str {
        match self {
            Self::Ranged { .. } => "find.not_found",
            Self::Member { .. } => "search.binary_member",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Ranged { .. } => Class::Missing,
            Self::Member { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Ranged { .. } => Vec::new(),
            Self::Member { path } => vec![Next::read(path.clone())],
        }
    }
}

/// Whether something lies in an archive.
pub(super) fn is_member(call: &Call<'_>, address: &str) -> bool {
    let archive = |path: &str| match locate_exactly(call.host, path, &call.opening(Fresh::Keep)) {
        Ok(Node { body: Body::Content(Content::Listing(listing)), .. }) => listing.kind() == Kind::Archive,
        Ok(_) | Err(_) => false,
    };
    let inside = !address.contains("://");
    inside && colons(address).into_iter().filter_map(|at| address.get(..at)).any(archive)
}

/// That lines were asked for of something that has none.
pub(super) fn not_one_file(path: &str, what: &str) -> Fault {
    fault(Error::BadInput(format!("Line-range selector requires a single file: {} is {what}", Words(path))))
}
