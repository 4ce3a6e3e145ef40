//! SQLite databases: their tables, rows, cells and queries, read through blobs and never by name.
//!
//! SQLite itself does the reading, in a worker ([`serve`]): this process only hands out bytes ([`remote`]). It opens
//! files of ours ([`files`]) that pass on the bytes of blobs and keep in memory whatever it writes, so that a log is
//! read and an unfinished transaction undone without touching anything. A [`session::Session`] is one such opening,
//! bounded and watched; [`route::Route`] finds what an address names in it. Only [`write`] is different: there a row is
//! changed, and SQLite opens the file itself.

mod ahead;
mod bytes;
mod cell;
mod clock;
mod count;
mod engine;
mod error;
mod far;
mod files;
mod held;
mod job;
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
mod serve;
mod session;
mod source;
mod spelling;
mod table;
mod values;
mod watch;
mod write;

use std::sync::Arc;

use readstone_base::{Fault, Kind, Note};
use readstone_source::{Container, Content, Converted, Entered, Opening, Piece, Reached};

use remote::Remote;
use source::Source;

pub(crate) use remote::TASK;
pub(crate) use serve::work;
pub use write::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row, write_row_apart};
pub(crate) use write::{TASK as ROW_TASK, prepare_writing, work as row_work};

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
        Remote::new(&self.source, opening).enter(tail, opening.budget)
    }
}

/// Text that is nothing else, whatever its bytes look like.
fn text(bytes: Vec<u8>) -> Content {
    Content::Converted(Converted::text(Kind::Text, bytes))
}

fn reached(content: Content, path: String, rest: Option<String>, notes: Vec<Note>) -> Entered {
    Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() }))
}
