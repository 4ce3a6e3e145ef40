//! What a change replaced, kept so that it can be undone.

use readstone_base::{Change, Fault, NotKept, Splice, Version, Warning};
use readstone_source::{Drawer, Drawers as _};
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::fault;

/// What one change of one thing replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The file or the row, as the caller spelled it.
    pub(crate) path: String,
    /// What it was before; none when it was not there.
    pub(crate) before: Option<Version>,
    /// What it was made, where that has a version.
    pub(crate) after: Option<Version>,
    /// What makes the one of the other; none when that is not kept.
    pub(crate) splices: Option<Vec<Splice>>,
    /// Which call made the change.
    pub(crate) call: String,
}

/// What undoes a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reversal {
    /// These splices.
    By(Vec<Splice>),
    /// Nothing, for this reason.
    Not(NotKept),
    /// It undoes one itself, which is not undone again.
    Itself,
}

/// What stands before the bytes.
#[derive(Serialize, Deserialize)]
struct Head {
    path: String,
    before: Option<String>,
    after: Option<String>,
    /// Where bytes go, and how many come.
    splices: Option<Vec<(u64, u64, usize)>>,
    call: String,
}

impl Record {
    fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            path: self.path.clone(),
            before: self.before.map(|version| version.to_string()),
            after: self.after.map(|version| version.to_string()),
            splices: self
                .splices
                .as_ref()
                .map(|splices| splices.iter().map(|one| (one.range.start, one.range.end, one.bytes.len())).collect()),
            call: self.call.clone(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        for splice in self.splices.iter().flatten() {
            bytes.extend_from_slice(&splice.bytes);
        }
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, mut at) = head(bytes)?;
        let mut splices = Vec::new();
        for (start, stop, count) in head.splices.iter().flatten() {
            splices.push(Splice { range: *start..*stop, bytes: bytes.get(at..at.checked_add(*count)?)?.to_vec() });
            at += count;
        }
        let version = |text: Option<String>| text.map(|text| text.parse::<Version>()).transpose().ok();
        let (before, after) = (version(head.before)?, version(head.after)?);
        let splices = head.splices.is_some().then_some(splices);
        Some(Self { path: head.path, before, after, splices, call: head.call })
    }

    /// Lets the session keep it; says why not, where what it holds is not kept. That there was a change is, so that nobody
    /// takes back an earlier one for it.
    pub(crate) fn keep(self, call: &Call<'_>) -> Option<NotKept> {
        let size: u64 = self.splices.iter().flatten().map(|splice| splice.bytes.len() as u64).sum();
        let large = size > call.limits.undo_bytes;
        if !large && call.session.add(Drawer::Changes, &self.to_bytes()).is_some() {
            return None;
        }
        let whole = self.splices.is_some();
        let bare = Self { splices: None, ..self };
        let kept = call.session.add(Drawer::Changes, &bare.to_bytes()).is_some();
        // A session that keeps nothing need not be told so with every change.
        (whole && kept).then_some(if large { NotKept::Large("undo_bytes") } else { NotKept::NoRoom })
    }
}

/// What may be kept of what a change replaced: nothing of a secret, nor what is too much to be held. Says so where it cannot
/// be undone.
pub(crate) fn kept(undo: Option<Vec<Splice>>, secret: Option<&str>, change: &mut Change) -> Reversal {
    let why = match &undo {
        None => NotKept::Large("undo_bytes"),
        Some(undo) if secret.is_some() && undo.iter().any(|splice| !splice.bytes.is_empty()) => NotKept::Secret,
        Some(_) => return undo.map_or(Reversal::Itself, Reversal::By),
    };
    change.warnings.push(Warning::NotKept(why));
    Reversal::Not(why)
}

/// What stands before the bytes of a record, and where these begin.
fn head(bytes: &[u8]) -> Option<(Head, usize)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(bytes.get(..end)?).ok()?, end + 1))
}

/// What a record is of.
pub(crate) struct Title {
    /// The file or the row, as the caller spelled it.
    pub(crate) path: String,
    /// What it was made, where that has a version.
    after: Option<Version>,
    /// Which call made the change.
    call: String,
}

impl Title {
    /// That of the record with this name: what stands before the bytes says it, and they may be many.
    fn of(call: &Call<'_>, name: &str) -> Option<Self> {
        let mut record = call.session.beginning(Drawer::Changes, name, MOST_HEAD)?;
        if record.len() == MOST_HEAD && !record.contains(&b'\n') {
            record = call.session.get(Drawer::Changes, name)?;
        }
        let (head, _) = head(&record)?;
        let after = head.after.map(|text| text.parse()).transpose().ok()?;
        Some(Self { path: head.path, after, call: head.call })
    }
}

/// Most heads are shorter: only many splices make a longer one.
const MOST_HEAD: usize = 4 * 1024;

/// Whether the session made this version of a file.
pub(crate) fn has_made(call: &Call<'_>, (path, version): (&str, Version)) -> Result<bool, Fault> {
    let made = titles(call, path).find(|title| !matches!(title, Ok((_, title)) if title.after != Some(version)));
    made.transpose().map(|made| made.is_some())
}

/// The titles of all records, the last first, each with the name under which it is kept, while there is time.
fn titles<'a>(call: &'a Call<'_>, path: &'a str) -> impl Iterator<Item = Result<(String, Title), Fault>> + 'a {
    let late = |_| fault(readstone_host::Error::TimedOut { path: path.to_owned() });
    call.session.names(Drawer::Changes).into_iter().rev().filter_map(move |name| {
        if let Err(late) = call.budget.check().map_err(late) {
            return Some(Err(late));
        }
        Title::of(call, &name).map(|title| Ok((name, title)))
    })
}

/// The last change that is wanted, with the others of its call where all of that is; each with the name under which it is
/// kept. `path` is what is read where there is no time for it.
pub(crate) fn last(
    call: &Call<'_>,
    path: &str,
    mut wanted: impl FnMut(&Title) -> bool,
    whole: Whole,
) -> Result<Vec<(String, Record)>, Fault> {
    let mut found: Vec<(String, Record)> = Vec::new();
    for title in titles(call, path) {
        let (name, title) = title?;
        let is_wanted = match found.first() {
            None => wanted(&title),
            // Calls side by side may have changed other things in between.
            Some((_, first)) => first.call == title.call,
        };
        if is_wanted {
            let record = call.session.get(Drawer::Changes, &name).and_then(|bytes| Record::of_bytes(&bytes));
            found.extend(record.map(|record| (name, record)));
        }
        if whole == Whole::File && !found.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// How much is undone at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// What one call changed.
    Call,
    /// What was changed of one file.
    File,
}

/// Forgets a change that was undone.
pub(crate) fn forget(call: &Call<'_>, name: &str) {
    call.session.put(Drawer::Changes, name, b"");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_it_was_kept() {
        let version = Version::from_bytes([7; 32]);
        let splices =
            vec![Splice { range: 3..9, bytes: b"a\nb\xFF".to_vec() }, Splice { range: 12..12, bytes: Vec::new() }];
        let (path, call) = ("a b\n.txt".to_owned(), "x".to_owned());
        let record = Record { path, before: None, after: Some(version), splices: Some(splices), call };
        assert_eq!(Record::of_bytes(&record.to_bytes()), Some(record.clone()));
        let known = Record { before: Some(Version::from_bytes([9; 32])), ..record };
        assert_eq!(Record::of_bytes(&known.to_bytes()), Some(known.clone()));
        let bare = Record { after: None, splices: None, ..known };
        assert_eq!(Record::of_bytes(&bare.to_bytes()), Some(bare));
        assert_eq!(Record::of_bytes(b""), None);
        assert_eq!(Record::of_bytes(b"{}\n"), None);
    }
}
