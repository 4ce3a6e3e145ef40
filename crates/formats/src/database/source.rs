//! Where a database comes from, and how it is read although others may be writing it.

use std::sync::{Arc, OnceLock};

use readstone_base::{Blob, Budget, Class, Limits, Memory, Note, Stamp, plain_words};
use readstone_source::{Beside, Piece};

use crate::database::error::{Error, Result};
use crate::database::session::{Damage, Session};

/// A database that changes under the reader is read at most this often.
pub(super) const TRIES: usize = 8;
/// A blob that cannot be read out of order is read in pieces of this size.
const PIECE: usize = 256 * 1024;

/// A database and what is needed to open it, again and again if need be.
#[derive(Debug)]
pub(super) struct Source {
    piece: Piece,
    limits: Limits,
    loaded: OnceLock<Arc<dyn Blob>>,
    /// What is wrong with it, once that is known.
    damage: OnceLock<String>,
    /// Whether the caller looks for changes of the files, and asks again where they changed.
    is_watched: bool,
}

/// What came of an attempt to read.
pub(super) struct Attempt<T> {
    /// What was read.
    pub(super) value: T,
    /// Where it was read.
    pub(super) session: Session,
    /// True when the files changed meanwhile, each time.
    pub(super) changed: bool,
}

impl Source {
    /// A database.
    pub(super) fn new(piece: &Piece, limits: &Limits) -> Self {
        Self {
            piece: piece.clone(),
            limits: limits.clone(),
            loaded: OnceLock::new(),
            damage: OnceLock::new(),
            is_watched: false,
        }
    }

    /// The same database, whose files the caller watches.
    pub(super) fn watched(self) -> Self {
        Self { is_watched: true, ..self }
    }

    /// Whether the caller watches the files.
    pub(super) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// The address of the database.
    pub(super) fn path(&self) -> &str {
        &self.piece.path
    }

    /// Its own name.
    pub(super) fn name(&self) -> &str {
        &self.piece.name
    }

    /// The limits in force.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What must be said of it where it is damaged and was read all the same.
    pub(super) fn impairment(&self) -> Option<Note> {
        self.damage.get().map(|what| Note::Impaired { what: what.clone() })
    }

    /// What is wrong with it, as far as that is known.
    pub(super) fn damage(&self) -> Option<String> {
        self.damage.get().cloned()
    }

    /// Notes what is wrong with it; it is read all the same from now on.
    pub(super) fn pass_over(&self, what: &str) {
        self.damage.get_or_init(|| what.to_owned());
    }

    /// What stands beside it.
    pub(super) fn neighbours(&self) -> Arc<dyn Beside> {
        Arc::clone(&self.piece.beside)
    }

    /// Who it is.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.piece.stamp
    }

    /// What stands beside it under its name with something behind it, unless that is empty.
    pub(super) fn beside(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>> {
        let opened = self.piece.beside.open(suffix);
        // What the system says of it names it by a path that is not the caller's.
        let found = opened.map_err(|fault| {
            let why = if fault.class() == Class::Denied { "permission denied" } else { "reading it failed" };
            let words = format!("{}{suffix}, which belongs to it: {why}", self.name());
            Error::Unreadable { path: self.path().to_owned(), words, class: fault.class() }
        })?;
        Ok(found.filter(|blob| blob.len() != Some(0)))
    }

    /// The bytes of the database, in a form that can be read out of order.
    pub(super) fn main(&self, budget: &Budget) -> Result<Arc<dyn Blob>> {
        if !self.piece.blob.is_serial() && self.piece.blob.len().is_some() {
            return Ok(Arc::clone(&self.piece.blob));
        }
        if let Some(loaded) = self.loaded.get() {
            return Ok(Arc::clone(loaded));
        }
        let loaded: Arc<dyn Blob> = Arc::new(Memory::new(self.load(budget)?));
        Ok(Arc::clone(self.loaded.get_or_init(|| loaded)))
    }

    fn load(&self, budget: &Budget) -> Result<Vec<u8>> {
        let most = self.limits.unpack_memory;
        let too_big = || Error::TooBig { path: self.path().to_owned(), limit: "unpack_memory", value: most };
        if self.piece.blob.len().is_some_and(|length| length > most) {
            return Err(too_big());
        }
        let mut bytes = Vec::new();
        let mut piece = vec![0; PIECE];
        loop {
            budget.check().map_err(|why| Error::stopped(why, self.path()))?;
            let read = self.piece.blob.read_at(bytes.len() as u64, &mut piece);
            let count = read.map_err(|cause| self.unreadable(plain_words(&cause)))?;
            bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
            if bytes.len() as u64 > most {
                return Err(too_big());
            }
            if count < piece.len() {
                return Ok(bytes);
            }
        }
    }

    /// What is said of bytes that cannot be read.
    pub(super) fn unreadable(&self, words: String) -> Error {
        Error::Unreadable { path: self.path().to_owned(), words, class: Class::Broken }
    }

    /// Opens the database as it was opened last.
    pub(super) fn open(&self, budget: &Budget) -> Result<Session> {
        let damage = if self.damage.get().is_some() { Damage::Passed } else { Damage::Told };
        Session::open(self, budget, damage)
    }

    /// Reads something, and once more when the files changed meanwhile. Where the list of tables is damaged, what is
    /// left of it is read.
    pub(super) fn attempt<T>(
        &self,
        budget: &Budget,
        mut work: impl FnMut(&mut Session) -> Result<T>,
    ) -> Result<Attempt<T>> {
        match self.attempt_as_is(budget, &mut work) {
            Err(Error::Corrupt { path, words }) if self.damage.set(words.clone()).is_ok() => {
                match self.attempt_as_is(budget, &mut work) {
                    // A table that is missing from a damaged list is missing because of the damage.
                    Err(Error::NoTable { .. } | Error::Corrupt { .. } | Error::BadQuery { .. }) => {
                        Err(Error::Corrupt { path, words })
                    }
                    other => other,
                }
            }
            other => other,
        }
    }

    fn attempt_as_is<T>(&self, budget: &Budget, work: &mut dyn FnMut(&mut Session) -> Result<T>) -> Result<Attempt<T>> {
        let mut tries = 1;
        loop {
            let mut session = self.open(budget)?;
            let result = work(&mut session);
            let changed = if result.is_ok() { session.is_changed_unseen() } else { session.is_changed() };
            let again = result.as_ref().err().is_none_or(Error::is_passing);
            if changed && again && tries < TRIES {
                tries += 1;
                continue;
            }
            // Half of one version and half of another look like damage.
            let result = result.map_err(|error| if changed { error.of_changing(self.path()) } else { error });
            return result.map(|value| Attempt { value, session, changed });
        }
    }
}
