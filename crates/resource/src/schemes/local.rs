//! `local://`: the scratch folder of the session.

use std::path::Path;
use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::Fault;
use readstone_source::{Finding, Nature, Opening, Scheme, Sourced};

use crate::asked::Asked;
use crate::folder::{Folder, Step};
use crate::list::List;
use crate::near::missing;
use crate::places::Places;

/// The scratch folder of the session.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) places: Arc<Places>,
}

impl Scheme for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn form(&self) -> &'static str {
        "local://[PATH]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        let path = self.places.scratch_folder(opening.beyond.drawers);
        let path = path.ok_or_else(|| asked.no_folder(super::NO_SESSION))?;
        whole_folder(&self.places, &path, &asked, (opening, &[]))
    }
}

/// A folder, or what a path in it leads to; while it is not there, it is empty.
pub(super) fn whole_folder(
    places: &Places,
    path: &Path,
    asked: &Asked<'_>,
    (opening, endings): (&Opening<'_>, &[&str]),
) -> Result<Sourced, Fault> {
    let inside = asked.path.trim_end_matches('/');
    if !inside.is_empty() || !asked.path.is_empty() {
        // A wrong path is wrong whether the folder is there or not.
        asked.paths(asked.path)?;
    }
    match (Folder::perhaps(places, path, asked, opening)?, inside) {
        (None, "") => Ok(List::or("the folder is empty").sourced(asked, "")),
        (None, _) => Err(missing(asked, asked.path, Vec::new)),
        (Some(folder), "") => {
            let opened = folder.open(Path::new(""), opening).map_err(|error| asked.refused(error))?;
            Ok(asked.found("", Finding::Opened(opened), Nature::Editable))
        }
        (Some(folder), path) => {
            folder.follow(asked, &Step { before: "", path, endings, nature: Nature::Editable }, opening)
        }
    }
}
