//! What the engine asks while it works: whether to go on, and whether a step is allowed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use readstone_base::{Budget, Stopped};

/// Takes a lock; a thread that died while it held it has left nothing half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches one use of a database.
#[derive(Debug)]
pub(super) struct Watch {
    budget: Mutex<Budget>,
    stopped: Mutex<Option<Stopped>>,
    trouble: Mutex<Option<String>>,
    refused: Mutex<Option<String>>,
    scope: Mutex<Scope>,
    torn: AtomicBool,
    full: AtomicBool,
    asked: AtomicU32,
}

/// Which tables may be read.
#[derive(Debug)]
pub(super) enum Scope {
    /// All of them.
    All,
    /// All of them, and they are noted.
    Noted(BTreeSet<String>),
    /// Only these.
    Only(BTreeSet<String>),
}

/// The gate, where calls make way for each other, is passed once in so many questions.
const GATE: u32 = 16;

impl Watch {
    /// A watch for a call.
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            budget: Mutex::new(budget.clone()),
            stopped: Mutex::default(),
            trouble: Mutex::default(),
            refused: Mutex::default(),
            scope: Mutex::new(Scope::All),
            torn: AtomicBool::new(false),
            full: AtomicBool::new(false),
            asked: AtomicU32::new(0),
        }
    }

    /// Goes on under another budget.
    pub(super) fn renew(&self, budget: &Budget) {
        *lock(&self.budget) = budget.clone();
        *lock(&self.stopped) = None;
    }

    /// Whether the work has to stop.
    pub(super) fn must_stop(&self) -> bool {
        let budget = lock(&self.budget).clone();
        let turn = self.asked.fetch_add(1, Ordering::Relaxed);
        let answer = if turn % GATE == GATE - 1 { budget.check() } else { budget.still_wanted() };
        answer.is_err_and(|why| {
            *lock(&self.stopped) = Some(why);
            true
        })
    }

    /// Whether the work has to stop. A call that writes has no gate at which it lets others pass: they may wait for what
    /// it holds.
    pub(super) fn is_unwanted(&self) -> bool {
        let answer = lock(&self.budget).check();
        answer.is_err_and(|why| {
            *lock(&self.stopped) = Some(why);
            true
        })
    }

    /// Why the work was stopped, if it was.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        *lock(&self.stopped)
    }

    /// Notes what the world said when bytes could not be read.
    pub(super) fn note_trouble(&self, words: String) {
        lock(&self.trouble).get_or_insert(words);
    }

    /// What the world said.
    pub(super) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// Notes that the file ends inside a page.
    pub(super) fn note_torn(&self) {
        self.torn.store(true, Ordering::Relaxed);
    }

    /// Whether the file ends inside a page that was read.
    pub(super) fn is_torn(&self) -> bool {
        self.torn.load(Ordering::Relaxed)
    }

    /// Notes that there was no memory for what the engine wrote.
    pub(super) fn note_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Whether there was no memory for what the engine wrote.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Notes a step that is not allowed.
    pub(super) fn refuse(&self, what: String) {
        lock(&self.refused).get_or_insert(what);
    }

    /// The first step that was not allowed, which is forgotten then.
    pub(super) fn take_refused(&self) -> Option<String> {
        lock(&self.refused).take()
    }

    /// Sets which tables may be read, and gives back what was set before.
    pub(super) fn set_scope(&self, scope: Scope) -> Scope {
        std::mem::replace(&mut *lock(&self.scope), scope)
    }

    /// Whether a table may be read.
    pub(super) fn may_read(&self, table: &str) -> bool {
        match &mut *lock(&self.scope) {
            Scope::All => true,
            Scope::Noted(tables) => {
                tables.insert(table.to_ascii_lowercase());
                true
            }
            Scope::Only(tables) => tables.contains(&table.to_ascii_lowercase()),
        }
    }
}
