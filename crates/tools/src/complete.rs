//! Completion of paths, for those who type them.

use std::collections::BTreeSet;
use std::path::Path;

use readstone_base::{Budget, escape_name};
use readstone_host::{EntryKind, Object};

use crate::toolbox::Toolbox;

/// What a beginning can become.
#[derive(Clone, Debug, Default)]
pub struct Completion {
    /// Paths, in order; directories end with a slash.
    pub values: Vec<String>,
    /// How many there are in all.
    pub total: usize,
}

impl Toolbox {
    /// The paths that begin like this, at most `most` of them.
    pub fn complete(&self, beginning: &str, most: usize, budget: &Budget) -> Completion {
        let call = self.hand(budget);
        let (directory, name) = beginning
            .rsplit_once('/')
            .map_or(("", beginning), |(_, name)| beginning.split_at(beginning.len() - name.len()));
        let opened = call.host.open(Path::new(if directory.is_empty() { "." } else { directory }), budget);
        let Ok(Object::Directory(opened)) = opened.map(|opened| opened.object) else {
            return Completion::default();
        };
        let Ok(entries) = opened.names(call.limits.directory_entries, budget) else {
            return Completion::default();
        };
        let (mut values, mut total) = (BTreeSet::new(), 0);
        for entry in entries.iter().filter(|entry| call.host.may_name(&Path::new(directory).join(entry.name))) {
            let shown = escape_name(entry.name);
            if !shown.starts_with(name) || (name.is_empty() && shown.starts_with('.')) {
                continue;
            }
            total += 1;
            let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
            values.insert(format!("{directory}{shown}{slash}"));
            if values.len() > most {
                values.pop_last();
            }
        }
        let values = values.into_iter().collect();
        Completion { values, total }
    }
}
