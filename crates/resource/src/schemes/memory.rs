//! `memory://`: a folder of notes.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::Fault;
use readstone_source::{Opening, Scheme, Sourced};

use super::local::whole_folder;
use crate::asked::Asked;
use crate::folder::Folder;
use crate::places::Guarded;

/// A folder of notes.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) places: Arc<Guarded>,
}

impl Scheme for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn form(&self) -> &'static str {
        "memory://[PATH]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        let path = self.places.memory.as_ref();
        let path = path.ok_or_else(|| asked.no_folder("no folder of notes is configured"))?;
        let folder = Folder::perhaps(&self.places, path, &asked, opening)?;
        whole_folder(folder, &asked, (opening, &[".md"]))
    }
}
