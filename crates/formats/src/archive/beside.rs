//! What stands beside an entry, in the same directory of the same archive.

use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Limits, Workshop};
use readstone_source::{Beside, Judge, Opening};

use super::denies;
use super::error::Error;
use super::index::{Index, Kind};
use super::members::{Hand, Members, address};

/// The entries whose names begin with that of another.
#[derive(Debug)]
pub(super) struct Neighbours {
    pub(super) members: Arc<dyn Members>,
    /// What was found of the archive; `None` when that is not all of it.
    pub(super) index: Option<Arc<Index>>,
    pub(super) name: Vec<u8>,
    /// Which of the names that may be asked for are withheld, and by which rule.
    pub(super) verdicts: Vec<(&'static str, Option<String>)>,
    pub(super) limits: Limits,
    pub(super) budget: Budget,
    pub(super) works: Arc<dyn Workshop>,
}

impl Beside for Neighbours {
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        let Some((_, verdict)) = self.verdicts.iter().find(|(known, _)| *known == suffix) else { return Ok(None) };
        let name = [self.name.as_slice(), suffix.as_bytes()].concat();
        let index = match &self.index {
            Some(index) => Arc::clone(index),
            None => self.members.all(&self.opening())?,
        };
        let (found, _) = index.find(&name);
        let Some(number) = found.into_iter().rfind(|number| index.kind(*number) == Kind::File) else {
            return Ok(None);
        };
        if let Some(rule) = verdict {
            let address = address(self.members.piece(), &index, number);
            return Err(Error::Denied { address, rule: rule.clone() }.boxed());
        }
        let hand = Hand { limits: &self.limits, budget: &self.budget, opening: None };
        Ok(Some(self.members.open(&index, number, &hand)?.blob))
    }
}

/// What may be asked for beside an entry: the log of a database, and what else belongs to one.
const SUFFIXES: [&str; 3] = ["-wal", "-journal", "-shm"];

impl Neighbours {
    /// What the policy says of the names beside one; it cannot be asked later.
    pub(super) fn verdicts(name: &[u8], judge: &dyn Judge) -> Vec<(&'static str, Option<String>)> {
        let verdict = |suffix: &str| denies(judge, &[name, suffix.as_bytes()].concat());
        SUFFIXES.iter().map(|suffix| (*suffix, verdict(suffix))).collect()
    }

    /// Nothing else is at hand: what stands beside an entry outlives the call's own helpers.
    fn opening(&self) -> Opening<'_> {
        Opening::bare(&self.limits, &self.budget, &self.works)
    }
}
