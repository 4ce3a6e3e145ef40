//! SQLite databases: their tables, rows, cells and queries, read through blobs and never by name.
//!
//! SQLite itself does the reading. It opens files of ours ([`files`]) that pass on the bytes of blobs and keep in
//! memory whatever it writes, so that a log is read and an unfinished transaction undone without touching anything. A
//! [`session::Session`] is one such opening, bounded and watched; [`route::Route`] finds what an address names in it.
//! Only [`write`] is different: there a row is changed, and SQLite opens the file itself.

mod bytes;
mod cell;
mod clock;
mod engine;
mod error;
mod files;
mod held;
mod keys;
mod listing;
mod locks;
mod lookup;
mod params;
mod query;
mod relay;
mod remote;
mod result;
mod route;
mod rows;
mod rules;
mod schema;
mod selector;
mod session;
mod source;
mod spelling;
mod values;
mod watch;
mod write;

use std::sync::{Arc, Mutex};

use readstone_base::{Blob, Budget, Fault, Kind, Memory, Note};
use readstone_source::{Alone, Container, Content, Converted, Entered, Opening, Piece, Reached};

use cell::{Cell, Pieces};
use query::{Goal, Shown};
use route::Route;
use rows::{Body, Outcome, Rows};
use schema::Schema;
use session::Session;
use source::{Attempt, Source};

pub(crate) use remote::{TASK, work};
pub use write::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row};

/// Opens a piece as a database, when it begins like one, whatever its name.
pub(crate) fn open(piece: &Piece, head: &[u8], opening: &Opening<'_>) -> Option<Arc<dyn Container>> {
    if !crate::is_database(head) {
        return None;
    }
    Some(Arc::new(Database { source: Arc::new(Source::new(piece, opening.limits)) }))
}

/// A database.
#[derive(Debug)]
struct Database {
    source: Arc<Source>,
}

impl Container for Database {
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> std::result::Result<Entered, Fault> {
        if let Some(tail) = tail.filter(|tail| tail.starts_with('?')) {
            return remote::ask(self, tail, opening);
        }
        match self.attempt(tail, opening.budget) {
            Ok(attempt) => Ok(self.entered(attempt)),
            // The bytes can be seen whatever is wrong with what they mean.
            Err(error) if tail.is_some_and(selector::is_of_bytes) && !error.is_of_place() => Ok(Entered::Itself),
            Err(error) => Err(error.into()),
        }
    }
}

impl Database {
    /// Follows a tail.
    fn attempt(&self, tail: Option<&str>, budget: &Budget) -> error::Result<Attempt<Goal>> {
        self.source.attempt(budget, |session| {
            let schema = Schema::load(session)?;
            if schema.is_odd && !tail.is_some_and(|tail| tail.contains('?')) {
                session.trust_own_statements()?;
            }
            Route { source: &self.source, session, schema: &schema, budget }.enter(tail)
        })
    }

    fn entered(&self, attempt: Attempt<Goal>) -> Entered {
        let Attempt { value, session, changed } = attempt;
        let mut own = session.notes();
        own.extend(self.source.impairment());
        // Rows that are still to be read say so themselves.
        let is_read = !matches!(&value, Goal::Rows(shown) if matches!(shown.body, Body::Planned(_)));
        if changed && is_read {
            own.push(Note::Changed);
        }
        match value {
            Goal::Itself => Entered::Itself,
            Goal::Listing(objects, rest) => {
                let source = Arc::clone(&self.source);
                let listing = listing::Tables { source, objects, held: Mutex::new(Some(session)) };
                let path = self.source.path().to_owned();
                reached(Content::Listing(Box::new(listing)), path, rest, own)
            }
            Goal::Rows(shown) => self.rows(*shown, session, own),
            Goal::Cell { cell, path, name, rest, notes } => {
                own.extend(notes);
                let stamp = self.source.stamp().filter(|_| session.is_alone());
                let stamp = stamp.map(|stamp| stamp.part(path.as_bytes()));
                let blob: Arc<dyn Blob> = match cell {
                    Cell::Nothing => {
                        own.push(Note::IsNull);
                        return reached(text(Vec::new()), path, rest, own);
                    }
                    Cell::Text(bytes) => return reached(text(bytes), path, rest, own),
                    Cell::Bytes(bytes) => Arc::new(Memory::new(bytes)),
                    Cell::Far(far) => Arc::new(Pieces::new(far, session)),
                };
                let piece = Piece { blob, path, name, stamp, beside: Arc::new(Alone) };
                Entered::Piece { piece, rest, notes: own }
            }
        }
    }

    fn rows(&self, shown: Shown, session: Session, mut notes: Vec<Note>) -> Entered {
        let Shown { path, head, shape, first, body, onward, notes: more } = shown;
        notes.extend(more);
        // Rows that were read already need no open database, which keeps writers waiting.
        let held = Some(session).filter(|_| matches!(body, Body::Planned(_)));
        let rows = Rows {
            source: Arc::clone(&self.source),
            head,
            shape,
            first,
            body,
            onward,
            held: Mutex::new(held),
            outcome: Mutex::new(Outcome::default()),
        };
        reached(Content::Table(Box::new(rows)), path, None, notes)
    }
}

/// Text that is nothing else, whatever its bytes look like.
fn text(bytes: Vec<u8>) -> Content {
    Content::Converted(Converted::text(Kind::Text, bytes))
}

fn reached(content: Content, path: String, rest: Option<String>, notes: Vec<Note>) -> Entered {
    Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() }))
}
