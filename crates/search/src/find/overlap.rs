//! Overlap: what lies below one directory and is found below another, or was named.

use std::ffi::OsStr;
use std::path::Path;

use readstone_host::EntryKind;

use super::{Quest, Scope};
use crate::glob::{Globs, Within};

/// What the walk of a scope leaves to others.
#[derive(Debug)]
pub(super) struct Overlap<'a> {
    /// Directories below with a walk of their own, and what that finds.
    inner: Vec<(&'a Path, &'a Globs)>,
    /// Files below that were named.
    files: Vec<&'a Path>,
}

/// The same in one directory.
#[derive(Debug)]
pub(super) struct Elsewhere<'a> {
    globs: Vec<Within<'a>>,
    names: Vec<&'a OsStr>,
}

impl<'a> Overlap<'a> {
    /// What other parts of a quest find below a scope.
    pub(super) fn of(scope: &Scope, quest: &'a Quest) -> Self {
        let below = |real: &'a Path| real.strip_prefix(&scope.real).ok().filter(|below| !below.as_os_str().is_empty());
        let inner = quest.scopes.iter().filter_map(|other| Some((below(&other.real)?, &other.globs))).collect();
        let files = quest.files.iter().filter_map(|file| below(&file.real)).collect();
        Self { inner, files }
    }

    /// What others find in a directory below the scope.
    pub(super) fn within(&self, below: &Path) -> Elsewhere<'a> {
        let inside = |(inner, globs): &(&'a Path, &'a Globs)| Some(globs.within(below.strip_prefix(inner).ok()?));
        let own = |file: &&'a Path| file.file_name().filter(|_| file.parent() == Some(below));
        Elsewhere {
            globs: self.inner.iter().filter_map(inside).collect(),
            names: self.files.iter().filter_map(own).collect(),
        }
    }
}

impl Elsewhere<'_> {
    /// Whether another part of the quest finds this entry.
    pub(super) fn has(&mut self, name: &OsStr, kind: EntryKind) -> bool {
        self.names.contains(&name) || self.globs.iter_mut().any(|globs| globs.matches(name, kind))
    }
}
