//! What is to be searched: the entries of `paths`, each opened or missing.

use std::path::{Path, PathBuf};

use readstone_address::Selector;
use readstone_base::{Class, Fault, Next};
use readstone_host::Directory;
use readstone_search::{Entry, FindError, Glob, Globs, World, entries, open_all};
use readstone_source::{Body, Fresh, Node, Opening, locate_exactly};

use super::hunt::{as_text, is_web_page};
use crate::call::Call;
use crate::error::{Error, fault};

/// One thing to search.
pub(super) struct Scope {
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

/// Opens all that is to be searched.
pub(super) fn scopes(call: &Call<'_>, paths: &[String]) -> Result<Scopes, Fault> {
    let opening = call.opening(Fresh::Keep);
    let world = World { host: call.host, opening: &opening };
    let empty = "`paths` must contain non-empty paths or globs";
    let entries = entries(paths, &world, call.limits, empty).map_err(fault)?;
    let (list, missing) = open_all(&entries, |entry| open(call, entry, &opening))?;
    Ok(Scopes { list, missing })
}

fn open(call: &Call<'_>, entry: &Entry, opening: &Opening<'_>) -> Result<Scope, Fault> {
    let bad = |what: String| fault(Error::BadInput(what));
    if let Some(glob) = &entry.glob
        && glob.rsplit_once(':').is_some_and(|(_, tail)| Selector::parse(tail).is_ok())
    {
        return Err(bad(format!("Line-range selector requires a single file, not a glob: {}", entry.text)));
    }
    let locate = |address: &str| locate_exactly(call.host, address, opening);
    let node = locate(&entry.base).map_err(|error| missing(entry, error))?;
    let node = source(node, &locate);
    if node.real == Path::new("/") && matches!(node.body, Body::Directory(_)) {
        return Err(fault(FindError::Root));
    }
    let globs = entry.glob.as_ref().map(|glob| compile(glob, call)).transpose()?;
    if globs.is_some() && !matches!(node.body, Body::Directory(_) | Body::Content(_)) {
        return Err(fault(FindError::NotADirectory { path: node.path }));
    }
    Ok(Scope { node, globs })
}

/// A web page on disk is searched as it is written, and not as it is read.
fn source(node: Node, locate: &dyn Fn(&str) -> Result<Node, Fault>) -> Node {
    let made = matches!(node.body, Body::Content(_)) && !node.path.contains("://");
    if !made || !is_web_page(&node.path) || node.selector != Selector::default() {
        return node;
    }
    match locate(&as_text(node.path.clone())) {
        Ok(own) => Node { path: as_text(node.path), selector: Selector::default(), ..own },
        Err(_) => node,
    }
}

fn compile(glob: &str, call: &Call<'_>) -> Result<Globs, Fault> {
    let bad = |problem| fault(FindError::BadGlob { glob: glob.to_owned(), problem });
    let mut globs = Globs::default();
    globs.push(Glob::new(glob, call.limits.glob_bytes).map_err(bad)?);
    Ok(globs)
}

/// That something does not exist, in the words of this tool.
fn missing(entry: &Entry, error: Fault) -> Fault {
    if error.class() != Class::Missing || entry.base.contains("://") {
        return error;
    }
    if let Some((path, _)) = entry.text.rsplit_once(':').filter(|(_, tail)| Selector::parse(tail).is_ok()) {
        return fault(Ranged { path: path.to_owned() });
    }
    let name = entry.base.rsplit('/').next().unwrap_or(&entry.base);
    let plain = !name.is_empty() && !name.contains(['*', '?', '[', '{', ':']);
    let next = plain.then(|| Next { tool: "find", argument: format!("**/*{name}*") });
    fault(FindError::NotFound { paths: vec![entry.text.clone()], next: next.into_iter().collect() })
}

/// Lines of a file that does not exist.
#[derive(Debug)]
struct Ranged {
    path: String,
}

impl std::fmt::Display for Ranged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Path not found for line-range selector: {}", readstone_base::Words(&self.path))
    }
}

impl std::error::Error for Ranged {}

impl readstone_base::Failure for Ranged {
    fn code(&self) -> &'static str {
        "find.not_found"
    }

    fn class(&self) -> Class {
        Class::Missing
    }
}

/// That lines were asked for of a directory.
pub(super) fn range_on_directory(path: &str) -> Fault {
    fault(Error::BadInput(format!("Line-range selector requires a single file: {path} is a directory")))
}
