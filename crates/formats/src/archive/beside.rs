//! What stands beside an entry, in the same directory of the same archive.

use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Limits};
use readstone_source::Beside;

use super::index::{Index, Kind};
use super::members::{Hand, Members};

/// The entries whose names begin with that of another.
#[derive(Debug)]
pub(super) struct Neighbours {
    pub(super) members: Arc<dyn Members>,
    pub(super) index: Arc<Index>,
    pub(super) name: Vec<u8>,
    pub(super) limits: Limits,
    pub(super) budget: Budget,
}

impl Beside for Neighbours {
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        let name = [self.name.as_slice(), suffix.as_bytes()].concat();
        let (found, _) = self.index.find(&name);
        let Some(number) = found.into_iter().rfind(|number| self.index.kind(*number) == Kind::File) else {
            return Ok(None);
        };
        let hand = Hand { limits: &self.limits, budget: &self.budget, opening: None };
        Ok(Some(self.members.open(&self.index, number, &hand)?.blob))
    }
}
