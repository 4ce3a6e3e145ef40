//! The schemes there are: one file each.

mod agent;
mod artifact;
mod conflict;
mod history;
mod local;
mod memory;
mod readstone;
mod rule;
mod skill;
mod vault;

use std::path::PathBuf;
use std::sync::Arc;

use readstone_source::{Opening, Scheme};

use crate::asked::Asked;
use crate::folder::Folder;
use crate::places::{Guarded, Places};
use crate::router::Router;

pub use artifact::{ArtifactRecord, Provenance};
pub use conflict::{ConflictRecord, Sides};

/// A router that knows every scheme of a session's own.
pub fn standard(places: &Places) -> Router {
    let places = Arc::new(Guarded::new(places));
    let schemes: [Arc<dyn Scheme>; 10] = [
        Arc::new(artifact::Artifact),
        Arc::new(local::Local { places: Arc::clone(&places) }),
        Arc::new(skill::Skill { places: Arc::clone(&places) }),
        Arc::new(rule::Rule { places: Arc::clone(&places) }),
        Arc::new(memory::Memory { places: Arc::clone(&places) }),
        Arc::new(vault::Vault { places: Arc::clone(&places) }),
        Arc::new(agent::Agent { places: Arc::clone(&places) }),
        Arc::new(history::History { places }),
        Arc::new(readstone::Manual),
        Arc::new(conflict::Conflict),
    ];
    schemes.into_iter().fold(Router::default(), Router::with)
}

/// What is said where a session has no folder.
const NO_SESSION: &str = "this session has no folder, because nothing is kept of it";

/// The folder of the session; inside is nothing while it is not there.
fn session_folder(
    places: &Guarded,
    asked: &Asked<'_>,
    opening: &Opening<'_>,
) -> Result<Option<Folder>, readstone_base::Fault> {
    let path: PathBuf = places.session_folder(opening.beyond.drawers).ok_or_else(|| asked.no_folder(NO_SESSION))?;
    Folder::perhaps(places, &path, asked, opening)
}

/// That the time of the call ended.
fn late(asked: &Asked<'_>) -> readstone_base::Fault {
    Box::new(readstone_host::Error::TimedOut { path: asked.address.to_owned() })
}
