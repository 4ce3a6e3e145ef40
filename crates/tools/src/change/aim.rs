//! What is to be changed: from the path of a header to a file.

use std::path::PathBuf;

use readstone_address::is_web;
use readstone_base::{Blob, Fault, Holds, Identity, holds};
use readstone_host::{Host, Object};
use readstone_source::{Body, Content, Fresh, Nature, Node};

use super::error::Error;
use crate::call::Call;
use crate::error::fault;

/// A file that is to be changed.
#[derive(Debug)]
pub(crate) struct Aim {
    /// The address that opens it, as the caller spelled it.
    pub(crate) path: String,
    /// Its path without links.
    pub(crate) real: PathBuf,
    /// What opens it.
    pub(crate) host: Host,
    /// How its lines are numbered.
    pub(crate) form: Form,
    /// Which file it is, whatever it is called.
    pub(crate) identity: Option<Identity>,
    /// The rule by which it is a secret, of which nothing is kept.
    pub(crate) secret: Option<String>,
}

/// What the lines are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The bytes of the file.
    Text,
    /// The text of a notebook.
    Notebook,
}

/// Finds what a header names, as it is spelled: nothing is guessed.
pub(crate) fn aim(call: &Call<'_>, path: &str) -> Result<Aim, Fault> {
    if let Some(aim) = there(call, path)? {
        return Ok(aim);
    }
    let near = readstone_source::near_paths(call.host, path, call.budget);
    Err(fault(Error::NotFound { path: path.to_owned(), near }))
}

/// What a path leads to; none when there is nothing.
pub(crate) fn there(call: &Call<'_>, path: &str) -> Result<Option<Aim>, Fault> {
    if path == "-" || is_web(path) {
        return Err(fault(Error::NotEditable { path: path.to_owned(), why: "only files are changed" }));
    }
    if !path.contains("://") {
        let bare = path.strip_suffix(":source");
        for path in [Some(path), bare].into_iter().flatten() {
            match readstone_source::open_path(call.host, path, call.budget) {
                Ok((opened, shown)) => {
                    let Object::File { blob, .. } = &opened.object else {
                        return Err(fault(Error::Directory { path: shown }));
                    };
                    let identity = identity_of(&**blob);
                    let (host, form) = (call.host.clone(), form_of(&shown));
                    let (real, secret) = (opened.real, opened.secret);
                    return Ok(Some(Aim { path: shown, real, host, form, identity, secret }));
                }
                Err(readstone_source::Error::Host(error)) if error.is_missing() => {}
                Err(error) => return Err(fault(error)),
            }
        }
    }
    match readstone_source::locate_exactly(call.host, path, &call.opening(Fresh::Keep)) {
        Err(error) if error.is_not_found() => Ok(None),
        node => of_node(call, node?).map(Some),
    }
}

fn of_node(call: &Call<'_>, node: Node) -> Result<Aim, Fault> {
    let not = |why| Err(fault(Error::NotEditable { path: node.path.clone(), why }));
    if node.nature != Nature::Editable {
        return not(
            "what lies inside another file or is made by a program has no tag; `write` replaces entries and rows",
        );
    }
    let (form, identity) = match &node.body {
        Body::Directory(_) => return Err(fault(Error::Directory { path: node.path })),
        Body::File { blob, .. } => (Form::Text, identity_of(&**blob)),
        Body::Content(Content::Converted(made)) if made.original.is_some() => (Form::Notebook, None),
        Body::Content(_) => return not("it is no text"),
    };
    let host = node.host.unwrap_or_else(|| call.host.clone());
    Ok(Aim { path: node.path, real: node.real, host, form, identity, secret: node.secret })
}

fn identity_of(blob: &dyn Blob) -> Option<Identity> {
    blob.stamp_when_opened().ok().flatten().map(|stamp| stamp.identity)
}

/// Whether a file is called like a notebook; one that is none is edited as the text it is.
pub(crate) fn form_of(path: &str) -> Form {
    if holds(path) == Some(Holds::Notebook) { Form::Notebook } else { Form::Text }
}
