//! `local://`: the scratch folder of the session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, unescape_name};
use readstone_host::{Object, Opened, make_state_folder};
use readstone_source::{Finding, Ground, Nature, Opening, Scheme, Sourced};

use crate::asked::Asked;
use crate::error::Error;
use crate::folder::{Folder, NO_DIRECTORY, Step};
use crate::list::List;
use crate::near::missing;
use crate::places::{Guarded, SCRATCH};

/// The scratch folder of the session.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) places: Arc<Guarded>,
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
        let scratch = match super::session_folder(&self.places, &asked, opening)? {
            Some(session) => inner(&session, &asked, opening)?,
            None => None,
        };
        whole_folder(scratch, &asked, (opening, &[]))
    }

    fn ground(&self, rest: &str, opening: &Opening<'_>) -> Result<Option<Ground>, Fault> {
        let address = format!("local://{rest}");
        let bad = |why| -> Fault { Box::new(Error::BadAddress { address: address.clone(), form: self.form(), why }) };
        let inside = unescape_name(rest).map_or_else(|| PathBuf::from(rest), PathBuf::from);
        let plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
        if rest.is_empty() || rest.ends_with('/') || !inside.components().all(plain) {
            return Err(bad("a file in it is written by its path, without .. and without a slash at the end"));
        }
        let session = self.places.session_folder(opening.beyond.drawers);
        let session = session.ok_or_else(|| bad("this session keeps no files"))?;
        make_state_folder(&session)
            .map_err(|cause| -> Fault { Box::new(readstone_host::Error::from_io(&address, cause)) })?;
        let folder = Folder::named(&self.places, &session, opening.limits).ok_or_else(|| bad(NO_DIRECTORY))?;
        Ok(Some(Ground { host: folder.into_host(), path: PathBuf::from(SCRATCH).join(inside) }))
    }
}

/// The scratch folder in that of the session, out of which no link leads; `None` while it is not there.
fn inner(session: &Folder, asked: &Asked<'_>, opening: &Opening<'_>) -> Result<Option<Folder>, Fault> {
    let scratch = session.below(Path::new(SCRATCH));
    match scratch.open(Path::new(""), opening) {
        Ok(Opened { object: Object::Directory(_), .. }) => Ok(Some(scratch)),
        Ok(Opened { object: Object::File { .. }, .. }) => Err(asked.no_folder(NO_DIRECTORY)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(asked.refused(error)),
    }
}

/// A folder, or what a path in it leads to; while it is not there, it is empty.
pub(super) fn whole_folder(
    folder: Option<Folder>,
    asked: &Asked<'_>,
    (opening, endings): (&Opening<'_>, &[&str]),
) -> Result<Sourced, Fault> {
    let inside = asked.path.trim_end_matches('/');
    if !inside.is_empty() || !asked.path.is_empty() {
        // A wrong path is wrong whether the folder is there or not.
        asked.paths(asked.path)?;
    }
    match (folder, inside) {
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
