//! Where the folders are that internal addresses lead to.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use readstone_host::{Secrets, Stance};
use readstone_source::{Drawers, version_of};

/// The folders that internal addresses lead to.
#[derive(Clone, Debug)]
pub struct Places {
    /// The working root.
    pub project: PathBuf,
    /// The user's home directory, where the user's own skills and rules are looked for.
    pub home: Option<PathBuf>,
    /// The folder that holds one folder for every session.
    pub sessions: Option<PathBuf>,
    /// The one folder of all sessions, in their place.
    pub session: Option<PathBuf>,
    /// Further folders of skills; they come first.
    pub skills: Vec<PathBuf>,
    /// Further folders of rules; they come first.
    pub rules: Vec<PathBuf>,
    /// The folder of notes.
    pub memory: Option<PathBuf>,
    /// Folders of notes by name.
    pub vaults: Vec<(String, PathBuf)>,
    /// What to do about files that hold secrets.
    pub stance: Stance,
    /// Globs of files that are withheld in any case.
    pub deny: Vec<String>,
}

impl Places {
    /// Only the usual folders of a project, with secrets withheld.
    pub fn of_project(project: PathBuf) -> Self {
        Self {
            project,
            home: None,
            sessions: None,
            session: None,
            skills: Vec::new(),
            rules: Vec::new(),
            memory: None,
            vaults: Vec::new(),
            stance: Stance::Deny,
            deny: Vec::new(),
        }
    }

    /// The folder of a session, which need not be there yet; `None` when nothing is kept.
    pub fn session_folder(&self, drawers: &dyn Drawers) -> Option<PathBuf> {
        if let Some(fixed) = &self.session {
            return Some(fixed.clone());
        }
        let name = Some(drawers.session()).filter(|name| !name.is_empty())?;
        Some(self.sessions.as_ref()?.join(Self::session_name(name)))
    }

    /// What the folder of the session called so is called; names hold what no file name may.
    pub fn session_name(session: &str) -> String {
        let hash = version_of(session.as_bytes());
        let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
        hash.as_bytes().iter().take(16).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

/// What the scratch folder is called in the folder of a session.
pub(crate) const SCRATCH: &str = "local";

/// The folders with the rules for what is withheld in them, which take long to make.
#[derive(Debug)]
pub(crate) struct Guarded {
    places: Places,
    /// `None` when the globs of what is withheld cannot be read; then nothing is opened.
    pub(crate) secrets: Option<Arc<Secrets>>,
}

impl Guarded {
    pub(crate) fn new(places: &Places) -> Self {
        let secrets = Secrets::new(places.stance, &places.deny).ok().map(Arc::new);
        Self { places: places.clone(), secrets }
    }
}

impl Deref for Guarded {
    type Target = Places;

    fn deref(&self) -> &Places {
        &self.places
    }
}
