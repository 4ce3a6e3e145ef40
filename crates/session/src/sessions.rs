//! Many sessions on one store, for a server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::session::{Room, Session};
use crate::shelf::MemoryShelf;
use crate::store::Store;

/// The sessions of a server, by name; what the least recently used one knew beyond its store is forgotten first.
#[derive(Debug)]
pub struct Sessions {
    store: Arc<dyn Store>,
    room: Room,
    shelf: Arc<MemoryShelf>,
    most: usize,
    held: Mutex<VecDeque<Arc<Session>>>,
}

impl Sessions {
    /// Up to `most` sessions that keep their texts in `store`, as far as there is room. What is found out about files
    /// is the same for all of them, so they share one `shelf`.
    pub fn new(store: Arc<dyn Store>, room: Room, shelf: Arc<MemoryShelf>, most: u64) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        Self { store, room, shelf, most, held: Mutex::default() }
    }

    /// The session called so.
    pub fn get(&self, name: &str) -> Arc<Session> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // The newest stand at the end, where they are found at once.
        if let Some(newest) = held.back().filter(|newest| newest.name() == name) {
            return Arc::clone(newest);
        }
        let known = held.iter().rposition(|session| session.name() == name);
        if let Some(session) = known.and_then(|at| held.remove(at)) {
            held.push_back(Arc::clone(&session));
            return session;
        }
        let session =
            Arc::new(Session::new(name.to_owned(), Arc::clone(&self.store), self.room, Arc::clone(&self.shelf)));
        held.push_back(Arc::clone(&session));
        if held.len() > self.most {
            held.pop_front();
        }
        session
    }

    /// How many are held.
    pub fn count(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
