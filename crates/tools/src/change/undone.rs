//! What a change replaced, kept so that it can be undone.

use readstone_base::{Change, Splice, Version, Warning};
use readstone_source::{Drawer, Drawers as _};
use serde::{Deserialize, Serialize};

use crate::call::Call;

/// What one change of one file replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The file, as the caller spelled it.
    pub(crate) path: String,
    /// What it was before; none when it was not there.
    pub(crate) before: Option<Version>,
    /// What it was made.
    pub(crate) after: Version,
    /// What makes the one of the other.
    pub(crate) splices: Vec<Splice>,
    /// Which call made the change.
    pub(crate) call: String,
}

/// What stands before the bytes.
#[derive(Serialize, Deserialize)]
struct Head {
    path: String,
    before: Option<String>,
    after: String,
    /// Where bytes go, and how many come.
    splices: Vec<(u64, u64, usize)>,
    call: String,
}

impl Record {
    fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            path: self.path.clone(),
            before: self.before.map(|version| version.to_string()),
            after: self.after.to_string(),
            splices: self.splices.iter().map(|one| (one.range.start, one.range.end, one.bytes.len())).collect(),
            call: self.call.clone(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        for splice in &self.splices {
            bytes.extend_from_slice(&splice.bytes);
        }
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head: Head = serde_json::from_slice(bytes.get(..end)?).ok()?;
        let mut at = end + 1;
        let mut splices = Vec::with_capacity(head.splices.len().min(1_024));
        for (start, stop, count) in head.splices {
            splices.push(Splice { range: start..stop, bytes: bytes.get(at..at.checked_add(count)?)?.to_vec() });
            at += count;
        }
        let before = match head.before {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        Some(Self { path: head.path, before, after: head.after.parse().ok()?, splices, call: head.call })
    }

    /// How many bytes it keeps.
    pub(crate) fn size(&self) -> u64 {
        self.splices.iter().map(|splice| splice.bytes.len() as u64).sum()
    }

    /// Lets the session keep it.
    pub(crate) fn keep(&self, call: &Call<'_>) {
        // A session that keeps nothing undoes nothing.
        let _ = call.session.add(Drawer::Changes, &self.to_bytes());
    }
}

/// What may be kept of what a change replaced: nothing of a secret, nor what is too much to be held. Says so where it cannot
/// be undone.
pub(crate) fn kept(undo: Option<Vec<Splice>>, secret: Option<&str>, change: &mut Change) -> Option<Vec<Splice>> {
    let Some(undo) = undo else {
        change.warnings.push(Warning::NotKept { limit: "undo_bytes" });
        return None;
    };
    if secret.is_some() && undo.iter().any(|splice| !splice.bytes.is_empty()) {
        change.warnings.push(Warning::SecretNotKept);
        return None;
    }
    Some(undo)
}

/// The last changes that can be undone: those of one call, or the one of a file. Each with the name under which it is kept.
pub(crate) fn last(call: &Call<'_>, wanted: impl Fn(&Record) -> bool, whole: Whole) -> Vec<(String, Record)> {
    let mut found: Vec<(String, Record)> = Vec::new();
    for name in call.session.names(Drawer::Changes).into_iter().rev() {
        let Some(record) = call.session.get(Drawer::Changes, &name).and_then(|bytes| Record::of_bytes(&bytes)) else {
            continue;
        };
        match found.first() {
            None if !wanted(&record) => {}
            None => found.push((name, record)),
            Some((_, first)) if whole == Whole::Call && first.call == record.call => found.push((name, record)),
            Some(_) => break,
        }
        if whole == Whole::File && !found.is_empty() {
            break;
        }
    }
    found
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
        let record = Record { path, before: None, after: version, splices, call };
        assert_eq!(Record::of_bytes(&record.to_bytes()), Some(record.clone()));
        let known = Record { before: Some(Version::from_bytes([9; 32])), ..record };
        assert_eq!(Record::of_bytes(&known.to_bytes()), Some(known));
        assert_eq!(Record::of_bytes(b""), None);
        assert_eq!(Record::of_bytes(b"{}\n"), None);
    }
}
