//! Whose session of an older protocol revision it is: an id opens it only together with its own token.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The owners of sessions.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    known: Mutex<HashMap<String, String>>,
}

/// Owners that are remembered, most of them of sessions that are long over; then all are forgotten, and ids that
/// nobody can guess are all that is asked for.
const MOST: usize = 65_536;

impl Owners {
    /// Notes who opened a session.
    pub(crate) fn note(&self, id: &str, owner: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.entry(id.to_owned()).or_insert_with(|| owner.to_owned());
    }

    /// Whether a session, if it is known at all, belongs to this owner.
    pub(crate) fn allows(&self, id: &str, owner: &str) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(id).is_none_or(|noted| noted == owner)
    }
}
