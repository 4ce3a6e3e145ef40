//! `conflict://`: merge conflicts that were shown, with their sides.

use readstone_address::Reading;
use readstone_base::{Fault, Note, Span, conflict_marker};
use readstone_source::{Drawer, Opening, Scheme, Sourced};
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::error::Error;
use crate::list::{self, List};
use crate::near::missing;

/// A merge conflict as a session keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictRecord {
    /// The file, as the caller spelled it.
    pub path: String,
    /// The line of the first marker.
    pub first: u64,
    /// The line of the last marker.
    pub last: u64,
    /// The region, with its markers.
    pub text: String,
    /// What the one side has.
    pub ours: String,
    /// What both came from, where the markers show it.
    pub base: Option<String>,
    /// What the other side has.
    pub theirs: String,
}

/// The sides of a merge conflict, in whole lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// What the one side has.
    pub ours: String,
    /// What both came from, where the markers show it.
    pub base: Option<String>,
    /// What the other side has.
    pub theirs: String,
}

/// Where in a region a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Before,
    Ours,
    Base,
    Theirs,
    Behind,
}

impl ConflictRecord {
    /// The record of a region, `None` when its markers are not all there.
    pub fn of(path: &str, lines: (u64, u64), text: &str) -> Option<Self> {
        let Sides { ours, base, theirs } = Self::split(text)?;
        let (first, last) = lines;
        Some(Self { path: path.to_owned(), first, last, text: text.to_owned(), ours, base, theirs })
    }

    /// The sides of a region, from its first marker to its last; `None` when one is missing.
    pub fn split(text: &str) -> Option<Sides> {
        let mut sides = Sides::default();
        let mut at = At::Before;
        for line in text.split_inclusive('\n') {
            at = match (conflict_marker(line), at) {
                (Some('<'), At::Before) => At::Ours,
                (Some('|'), At::Ours) => {
                    sides.base = Some(String::new());
                    At::Base
                }
                (Some('='), At::Ours | At::Base) => At::Theirs,
                (Some('>'), At::Theirs) => At::Behind,
                (_, At::Before | At::Behind) if line.trim().is_empty() => at,
                (_, At::Before | At::Behind) => return None,
                (_, At::Ours | At::Base | At::Theirs) => sides.take(line, at),
            };
        }
        (at == At::Behind).then_some(sides)
    }

    /// Where it stood; whether it still does, only the file could tell.
    fn stands(&self) -> Note {
        let what = "the conflict, as it was when path:conflicts was read, stood";
        let lines = Span::new(self.first, self.last);
        Note::Stands { what, lines, address: format!("{}:{}-{}", self.path, self.first, self.last) }
    }

    /// The bytes under which a session keeps it.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Sides {
    fn take(&mut self, line: &str, at: At) -> At {
        match at {
            At::Ours => self.ours.push_str(line),
            At::Base => self.base.get_or_insert_default().push_str(line),
            At::Theirs => self.theirs.push_str(line),
            At::Before | At::Behind => {}
        }
        at
    }
}

/// Merge conflicts that were shown.
#[derive(Debug)]
pub(super) struct Conflict;

impl Scheme for Conflict {
    fn name(&self) -> &'static str {
        "conflict"
    }

    fn form(&self) -> &'static str {
        "conflict://[ID[/ours|/theirs|/base]]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        if asked.path.is_empty() {
            return list_all(&asked, opening);
        }
        let (id, scope) = match asked.path.trim_end_matches('/').split_once('/') {
            Some((id, scope)) => (id, Some(scope)),
            None => (asked.path.trim_end_matches('/'), None),
        };
        let Some(record) = kept(opening, id) else {
            return Err(missing(&asked, id, || opening.beyond.drawers.names(Drawer::Conflicts)));
        };
        let stands = record.stands();
        let text = match scope {
            None => record.text,
            Some("ours") => record.ours,
            Some("theirs") => record.theirs,
            Some("base") => record.base.ok_or_else(|| no_base(&asked, id))?,
            // What stands behind a side is perhaps a selector.
            Some(other) if other.contains(':') => return Err(missing(&asked, asked.path, || scopes(id))),
            Some(_) => return Err(asked.bad("a conflict has the sides ours, theirs and base")),
        };
        let mut made = list::text(&asked, asked.path.trim_end_matches('/'), text);
        made.notes.push(stands);
        Ok(made)
    }
}

fn scopes(id: &str) -> Vec<String> {
    ["ours", "theirs", "base"].map(|scope| format!("{id}/{scope}")).to_vec()
}

fn no_base(asked: &Asked<'_>, id: &str) -> Fault {
    Box::new(Error::Extraction {
        address: asked.address.to_owned(),
        why: "the markers of this conflict show two sides and no base".to_owned(),
        whole: asked.at(id),
    })
}

fn kept(opening: &Opening<'_>, id: &str) -> Option<ConflictRecord> {
    serde_json::from_slice(&opening.beyond.drawers.get(Drawer::Conflicts, id)?).ok()
}

fn list_all(asked: &Asked<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
    let mut list = List::or("no conflict that was shown stands open; path:conflicts shows those of a file");
    for name in opening.beyond.drawers.names(Drawer::Conflicts) {
        opening.budget.check().map_err(|_| super::late(asked))?;
        if let Some(record) = kept(opening, &name) {
            let sides = if record.base.is_some() { "ours, theirs, base" } else { "ours, theirs" };
            let ConflictRecord { path, first, last, .. } = record;
            list.push(&asked.at(&name), &format!("{path}:{first}-{last}  {sides}"));
        }
    }
    Ok(list.sourced(asked, ""))
}
