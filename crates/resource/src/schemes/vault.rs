//! `vault://`: configured folders of notes, such as an Obsidian vault.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use readstone_address::Reading;
use readstone_base::{Budget, Fault, Hidden, Kind, Span, TreeRow, TreeSize, When, escape_name};
use readstone_host::{Directory, Entries, Entry, EntryKind, Object, Opened};
use readstone_source::{Content, Finding, Listing, Nature, Opening, Scheme, Sourced};

use crate::asked::{Asked, decode};
use crate::error::Error;
use crate::folder::{Folder, Step, is_hidden};
use crate::list::{List, one_line};
use crate::near::missing;
use crate::places::Guarded;

/// What programs keep in a vault for themselves.
const OWN: [&str; 2] = [".obsidian", ".trash"];
/// How the names of notes end.
const ENDINGS: [&str; 1] = [".md"];
/// Folders of a vault that are looked into for a note.
const MOST_FOLDERS: usize = 2_000;
/// Characters of where a link leads.
const MOST_TARGET: usize = 200;
/// Levels of folders that are looked into for a note.
const DEPTH: usize = 16;

/// Configured folders of notes.
#[derive(Debug)]
pub(super) struct Vault {
    pub(super) places: Arc<Guarded>,
}

impl Scheme for Vault {
    fn name(&self) -> &'static str {
        "vault"
    }

    fn form(&self) -> &'static str {
        "vault://[NAME[/PATH]]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        if asked.path.is_empty() {
            return Ok(self.list(&asked, opening));
        }
        if self.places.vaults.is_empty() {
            return Err(asked.no_folder("no vault is configured"));
        }
        let (name, inner) = asked.path.split_once('/').unwrap_or((asked.path, ""));
        let Some((name, path)) = self.vault(name) else {
            let known = || self.named().map(|(name, _)| name.clone()).collect();
            return Err(missing(&asked, name, known));
        };
        let folder = Folder::named(&self.places, path, opening.limits);
        let folder = folder.ok_or_else(|| asked.no_folder("the folder of this vault cannot be opened"))?;
        let paths = asked.paths(inner)?;
        let before = format!("{name}/");
        let inner = inner.trim_end_matches('/');
        let own = |path: &PathBuf| path.components().any(|part| OWN.iter().any(|own| part.as_os_str() == *own));
        if paths.iter().any(own) {
            let why = "programs keep it in the vault for themselves";
            return Err(Box::new(Error::Hidden { address: asked.address.to_owned(), why }));
        }
        let step = Step { before: &before, path: inner, endings: &ENDINGS, nature: Nature::Editable };
        if let Some(found) = folder.find(&asked, &step, opening)? {
            return Ok(listed(&folder, found, opening));
        }
        match wiki(&folder, inner, opening).as_slice() {
            [] => folder.follow(&asked, &step, opening),
            [one] => folder.follow(&asked, &Step { path: one, endings: &[], ..step }, opening),
            several => Err(Box::new(ambiguous(&asked, &before, several))),
        }
    }
}

impl Vault {
    /// The vaults that an address can name.
    fn named(&self) -> impl Iterator<Item = &(String, PathBuf)> {
        self.places.vaults.iter().filter(|(name, _)| !name.is_empty() && !name.contains('/'))
    }

    fn vault(&self, name: &str) -> Option<(&str, &Path)> {
        let called = |wanted: &str| self.named().find(|(known, _)| known == wanted);
        let folded = || self.named().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let decoded = || called(&decode(name)?);
        let (name, path) = called(name).or_else(decoded).or_else(folded)?;
        Some((name, path))
    }

    fn list(&self, asked: &Asked<'_>, opening: &Opening<'_>) -> Sourced {
        let mut list = List::or("no vault is configured; the setting is vaults");
        for (name, path) in self.named() {
            let there = Folder::named(&self.places, path, opening.limits).is_some();
            list.push(&asked.at(name), if there { "" } else { "(cannot be opened)" });
        }
        list.sourced(asked, "")
    }
}

fn ambiguous(asked: &Asked<'_>, before: &str, several: &[String]) -> Error {
    let names: Vec<String> = several.iter().map(|path| format!("{before}{path}")).collect();
    let next = names.iter().take(3).map(|name| asked.at(name)).collect();
    let total = names.len();
    Error::NotFound { address: asked.address.to_owned(), known: names.into_iter().take(10).collect(), total, next }
}

/// The notes called so anywhere in a vault.
fn wiki(folder: &Folder, name: &str, opening: &Opening<'_>) -> Vec<String> {
    let mut spellings = vec![name.to_owned()];
    spellings.extend(decode(name));
    let wanted: Vec<String> = spellings.iter().map(|name| name.to_lowercase()).collect();
    if name.is_empty() || name.contains('/') {
        return Vec::new();
    }
    let budget = opening.budget.within(Duration::from_millis(opening.limits.suffix_ms));
    let opening = Opening { budget: &budget, ..*opening };
    let mut found = Vec::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    let mut seen = 0;
    while let Some((above, depth)) = folders.pop() {
        seen += 1;
        if seen > MOST_FOLDERS || budget.check().is_err() {
            // What was not looked into may hold another.
            return Vec::new();
        }
        for entry in folder.entries(&above, &opening).iter().filter(|entry| !is_hidden(entry.name)) {
            let path = above.join(entry.name);
            let own = escape_name(entry.name).to_lowercase();
            let stem = own.strip_suffix(".md").unwrap_or(&own);
            match entry.kind {
                EntryKind::Directory if depth < DEPTH => folders.push((path, depth + 1)),
                EntryKind::File if wanted.iter().any(|wanted| wanted == stem || *wanted == own) => {
                    found.push(escape_name(path.as_os_str()));
                }
                EntryKind::Directory
                | EntryKind::File
                | EntryKind::Link
                | EntryKind::Fifo
                | EntryKind::Socket
                | EntryKind::CharacterDevice
                | EntryKind::BlockDevice
                | EntryKind::Unknown => {}
            }
        }
    }
    found.sort();
    found
}

/// A folder of a vault without what programs keep in it for themselves; anything else as it is.
fn listed(folder: &Folder, found: Sourced, opening: &Opening<'_>) -> Sourced {
    let Sourced { path, tail, notes, web, nature, found, host } = found;
    let Finding::Opened(Opened { object: Object::Directory(directory), real, .. }) = found else {
        return Sourced { path, tail, notes, web, nature, found, host };
    };
    let mut entries = directory.entries(opening.limits.directory_entries, opening.budget).unwrap_or_default();
    let mut hidden = 0;
    entries.retain(|entry| {
        let own = OWN.iter().any(|own| entry.name == *own);
        let denied = !folder.may_name(&real.join(entry.name));
        hidden += u64::from(denied);
        !own && !denied
    });
    entries.sort_newest();
    let list = Notes { directory, entries, hidden, now: opening.budget.clock().wall() };
    let path = format!("{}/", path.trim_end_matches('/'));
    let found = Finding::Content(Content::Listing(Box::new(list)));
    Sourced { path, found, nature: Nature::Fixed, tail, notes, web, host }
}

/// A folder of notes.
#[derive(Debug)]
struct Notes {
    directory: Directory,
    entries: Entries,
    hidden: u64,
    now: i64,
}

impl Listing for Notes {
    fn kind(&self) -> Kind {
        Kind::Directory
    }

    fn total(&self) -> Option<u64> {
        (!self.entries.more).then_some(self.entries.len() as u64)
    }

    fn rows(&self, window: Span, _: &Budget) -> Result<Vec<TreeRow>, Fault> {
        let first = usize::try_from(window.first.saturating_sub(1)).unwrap_or(usize::MAX);
        let count = window.last.saturating_sub(window.first).saturating_add(1);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Ok(self.entries.iter().skip(first).take(count).map(|entry| self.row(entry)).collect())
    }

    fn hidden(&self) -> Vec<Hidden> {
        let denied = Hidden { reason: "denied", count: self.hidden, address: None };
        if self.hidden > 0 { vec![denied] } else { Vec::new() }
    }
}

impl Notes {
    fn row(&self, entry: Entry<'_>) -> TreeRow {
        let size = match entry.kind {
            EntryKind::Directory => TreeSize::Directory,
            EntryKind::File => TreeSize::File(entry.size),
            EntryKind::Link => {
                let target = self.directory.link_target(entry.name).unwrap_or_else(|| PathBuf::from("?"));
                TreeSize::Link(one_line(&escape_name(target.as_os_str()), MOST_TARGET))
            }
            EntryKind::Fifo => TreeSize::Special("fifo"),
            EntryKind::Socket => TreeSize::Special("socket"),
            EntryKind::CharacterDevice => TreeSize::Special("character device"),
            EntryKind::BlockDevice => TreeSize::Special("block device"),
            EntryKind::Unknown => TreeSize::Unreadable("it cannot be looked at"),
        };
        let when = entry.modified.map_or(When::Unknown, |modified| When::Ago(self.now.saturating_sub(modified)));
        TreeRow { depth: 0, name: escape_name(entry.name), size, when, marks: Vec::new() }
    }
}
