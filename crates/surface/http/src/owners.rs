//! Whose session of an older protocol revision it is: an id opens it only together with its own token.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The owners of sessions.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    known: Mutex<VecDeque<(String, String)>>,
}

/// Owners that are remembered; far more than there can be sessions.
const MOST: usize = 65_536;

impl Owners {
    /// Notes who opened a session.
    pub(crate) fn note(&self, id: &str, owner: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().any(|(noted, _)| noted == id) {
            return;
        }
        known.push_back((id.to_owned(), owner.to_owned()));
        if known.len() > MOST {
            known.pop_front();
        }
    }

    /// Whether a session, if it is known at all, belongs to this owner.
    pub(crate) fn allows(&self, id: &str, owner: &str) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(noted, _)| noted == id).is_none_or(|(_, noted)| noted == owner)
    }
}
