//! The change of one configuration file: planned from its text, checked, and then written.

use std::path::{Path, PathBuf};

use readstone_base::Fault;
use readstone_host::Mode;
use serde_json::Value;

use super::clients::Format;
use super::error::cannot;
use super::file::{Files, backup_of};
use super::place::Scope;
use super::wish::{Owner, Wish, lookup, same_beside};
use super::{json, toml};

/// The byte order mark that some editors of Windows write.
const MARK: char = '\u{feff}';

/// The copy of a file that was not there. It shows that names of the client's own tools came with us.
const NO_FILE: &[u8] = b"// There was no file before readstone was added.\n";

/// The call, as far as the change of one file depends on it.
#[derive(Debug)]
pub(super) struct Task<'a> {
    pub(super) format: Format,
    pub(super) aim: Aim,
    /// Whether the client has an entry of ours, perhaps in another file.
    pub(super) installed: bool,
    /// All that any call could have added to the file.
    pub(super) known: &'a [Wish],
}

/// Whether wishes are added or taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Add,
    Remove,
}

/// A planned change. Nothing is written before all of them are known to be right.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: PathBuf,
    before: Option<Vec<u8>>,
    after: Vec<u8>,
    /// The copy that is there now.
    backup: Option<Vec<u8>>,
    /// The value of the file before and after.
    pub(super) was: Value,
    pub(super) is: Value,
    /// Whether something of ours is in the file as it is now.
    had_ours: bool,
    /// The copy to be made, with the file as it was before us.
    copy: Option<Vec<u8>>,
}

/// Why a file is not changed.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It cannot be understood, so the user has to change it.
    Text(String),
    Other(Fault),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Other(fault)
    }
}

impl Change {
    /// Plans the change of a file.
    pub(super) fn plan(files: &Files<'_>, path: &Path, task: &Task<'_>, wishes: &[Wish]) -> Result<Self, Refusal> {
        let before = files.read(path)?;
        let backup = files.read(&backup_of(path))?;
        let refuse = |what: String| Refusal::Text(format!("{} cannot be changed: {what}", path.display()));
        let text = std::str::from_utf8(before.as_deref().unwrap_or_default())
            .map_err(|_| refuse("it is not UTF-8".to_owned()))?;
        let (mark, text) = text.strip_prefix(MARK).map_or(("", text), |rest| ("\u{feff}", rest));
        let original = backup.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
        let original = original.map(|text| text.strip_prefix(MARK).unwrap_or(text));
        let editor = Editor { format: task.format, aim: task.aim, original };
        let was = editor.parse(text).map_err(refuse)?;
        check_entries(path, wishes, &was)?;
        let had_ours = task.known.iter().any(|wish| is_ours(wish, task, &was));
        let after = wishes.iter().try_fold(text.to_owned(), |text, wish| editor.edit(&text, wish)).map_err(refuse)?;
        let is = editor.parse(&after).map_err(refuse)?;
        let entries = || wishes.iter().filter(|wish| wish.owner == Owner::Entry);
        let done = match task.aim {
            Aim::Add => entries().all(|wish| wish.names().iter().all(|name| wish.holds(&is, name))),
            Aim::Remove => entries().all(|wish| wish.present_in(&is).is_empty()),
        };
        // Whatever an unusual file made of the edit: what is not certainly right is not written.
        if !done || !same_beside(&was, &is, wishes) {
            return Err(refuse("its form is too unusual".to_owned()));
        }
        let after = if after.is_empty() { Vec::new() } else { format!("{mark}{after}").into_bytes() };
        let adds_names = |wish: &Wish| {
            wish.owner == Owner::Together && wish.names().iter().any(|name| !wish.present_in(&was).contains(name))
        };
        let copy = match &before {
            Some(before) if !had_ours => Some(before.clone()),
            _ if backup.is_none() && wishes.iter().any(adds_names) => Some(without_us(text, task, mark)),
            Some(_) | None => None,
        };
        Ok(Self { path: path.to_owned(), before, after, backup, was, is, had_ours, copy })
    }

    pub(super) fn is_needed(&self) -> bool {
        self.before.as_deref().unwrap_or_default() != self.after
    }

    pub(super) fn had_ours(&self) -> bool {
        self.had_ours
    }

    /// The text before and after, for a diff.
    pub(super) fn texts(&self) -> (Option<String>, String) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (self.before.as_deref().map(text), text(&self.after))
    }

    /// Adds to the file, after a copy was made; gives the path of the copy. A file that holds something of ours is not copied
    /// again: the copy is the file as it was before us, or there is none because we made the file.
    pub(super) fn add(&self, files: &Files<'_>, scope: Scope) -> Result<Option<PathBuf>, Fault> {
        let path = backup_of(&self.path);
        if let Some(copy) = &self.copy {
            files.write(&path, self.backup.as_deref(), (copy, Mode::Private))?;
        }
        // Others read the file of a project; that of a user may hold secrets one day.
        let mode = if scope == Scope::Project { Mode::Usual } else { Mode::Private };
        if let Err(fault) = files.write(&self.path, self.before.as_deref(), (&self.after, mode)) {
            // A copy of a file that was not changed is of no use; the fault says more than one of its removal could.
            if let (Some(copy), None) = (&self.copy, &self.backup) {
                drop(files.remove(&path, copy));
            }
            return Err(fault);
        }
        Ok(self.copy.as_ref().filter(|copy| copy.as_slice() != NO_FILE).map(|_| path))
    }

    /// Takes out of the file. A file that we made and that is empty now is removed, and so is a copy that it is equal to.
    pub(super) fn remove(&self, files: &Files<'_>) -> Result<(), Fault> {
        let before = self.before.as_deref().unwrap_or_default();
        let is_new = self.backup.as_deref().is_none_or(|backup| backup == NO_FILE);
        if self.after.trim_ascii().is_empty() && is_new {
            files.remove(&self.path, before)?;
        } else {
            files.write(&self.path, Some(before), (&self.after, Mode::Private))?;
        }
        match &self.backup {
            Some(backup) if *backup == self.after || backup == NO_FILE => files.remove(&backup_of(&self.path), backup),
            Some(_) | None => Ok(()),
        }
    }
}

/// The file as it would be without us, for a copy.
fn without_us(text: &str, task: &Task<'_>, mark: &str) -> Vec<u8> {
    let editor = Editor { format: task.format, aim: Aim::Remove, original: None };
    let own = task.known.iter().filter(|wish| wish.owner != Owner::Together);
    let bare = own.fold(text.to_owned(), |text, wish| editor.edit(&text, wish).unwrap_or(text));
    if bare.trim().is_empty() { NO_FILE.to_vec() } else { format!("{mark}{bare}").into_bytes() }
}

/// Changes texts of one format.
struct Editor<'a> {
    format: Format,
    aim: Aim,
    original: Option<&'a str>,
}

impl Editor<'_> {
    fn parse(&self, text: &str) -> Result<Value, String> {
        if self.format == Format::Toml { toml::parse(text) } else { json::parse(text) }
    }

    fn edit(&self, text: &str, wish: &Wish) -> Result<String, String> {
        match (self.format == Format::Toml, self.aim) {
            (true, Aim::Add) => toml::add(text, wish),
            (true, Aim::Remove) => toml::remove(text, wish),
            (false, Aim::Add) => json::add(text, wish),
            (false, Aim::Remove) => json::remove(text, wish, self.original),
        }
    }
}

/// Whether something of ours is in a file. Names of the client's own tools are, where we are installed.
fn is_ours(wish: &Wish, task: &Task<'_>, document: &Value) -> bool {
    let present = wish.present_in(document).len();
    match wish.owner {
        Owner::Entry | Owner::Named => present > 0,
        Owner::Together => task.installed && present == wish.names().len(),
    }
}

/// An entry of another program by our name is an error.
fn check_entries(path: &Path, wishes: &[Wish], document: &Value) -> Result<(), Fault> {
    for wish in wishes.iter().filter(|wish| wish.owner == Owner::Entry) {
        for name in wish.present_in(document) {
            let entry = lookup(document, &wish.path).and_then(|servers| servers.get(name));
            if !entry.is_some_and(starts_us) {
                let file = path.display();
                return Err(cannot(format!(
                    "{file} has a server {name} that is another program: choose another --name"
                )));
            }
        }
    }
    Ok(())
}

/// Whether an entry starts Readstone: a word of its command says so, or it runs our command `mcp` under another name.
pub(super) fn starts_us(entry: &Value) -> bool {
    let words = |key: &str| -> Vec<String> {
        match entry.get(key) {
            Some(Value::String(word)) => vec![word.clone()],
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
        }
    };
    let mut all = words("command");
    all.extend(words("args"));
    all.get(1).is_some_and(|word| word == "mcp")
        || all.iter().any(|word| word.to_ascii_lowercase().contains("readstone"))
}
