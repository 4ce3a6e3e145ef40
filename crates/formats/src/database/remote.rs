//! Queries of the caller's own, run by a worker: what they cost, they cost there.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{
    Blob, Budget, Class, Failure, Fault, Gate, LIMITS, Lend, Limits, Next, Note, Pace, Spoiled, Step, Stopped, Task,
};
use readstone_host::SystemClock;
use readstone_source::{Alone, Beside, Entered, Opening, Piece, Table as _, TableRow, Take};
use serde::{Deserialize, Serialize};

use crate::database::cell::Cell;
use crate::database::error::Error;
use crate::database::query::{Goal, Shown};
use crate::database::relay::{Relayed, RowForm, Said};
use crate::database::rows::{Body, Onward, Outcome, Rows};
use crate::database::source::Source;
use crate::database::{Database, reached, text};
use crate::work::{Pair, pack, unpack};

/// What this kind of work is called.
pub(crate) const TASK: &str = "query";
/// Rows are handed back until they have so many times the bytes of a page.
const PAGES: u64 = 4;

/// What a worker is asked.
#[derive(Serialize, Deserialize)]
struct Asked {
    path: String,
    name: String,
    tail: String,
    limits: Vec<(String, u64)>,
    now: i64,
}

/// What a worker found; the bytes of its values stand behind it.
#[derive(Serialize, Deserialize)]
enum Found {
    /// Rows.
    Rows {
        path: String,
        record: bool,
        first: u64,
        columns: Vec<String>,
        rows: Vec<RowForm>,
        more: bool,
        total: Option<u64>,
        onward: Onward,
        said: Vec<Said>,
    },
    /// A cell: text, or else bytes.
    Cell { path: String, name: String, is_text: bool, rest: Option<String>, said: Vec<Said> },
    /// A cell with nothing in it.
    Null { path: String, rest: Option<String>, said: Vec<Said> },
}

/// Has a query run by a worker.
pub(super) fn ask(database: &Database, tail: &str, opening: &Opening<'_>) -> Result<Entered, Fault> {
    let source = &database.source;
    let limits = LIMITS.iter().filter_map(|limit| Some((limit.name.to_owned(), opening.limits.get(limit.name)?)));
    let asked = Asked {
        path: source.path().to_owned(),
        name: source.name().to_owned(),
        tail: tail.to_owned(),
        limits: limits.collect(),
        now: opening.budget.clock().wall(),
    };
    let ask = serde_json::to_vec(&asked).unwrap_or_default();
    let lender =
        Arc::new(Lender { source: Arc::clone(source), budget: opening.budget.clone(), fault: Mutex::default() });
    let task = Task { what: TASK, pace: Pace::Open, ask: &ask, lend: Arc::<Lender>::clone(&lender) };
    let answer = match opening.works.work(&task, opening.budget) {
        Ok(answer) => answer,
        Err(Spoiled::Stopped(why)) => return Err(Error::stopped(why, source.path()).into()),
        Err(spoiled) => {
            return Err(Error::Spoiled {
                path: source.path().to_owned(),
                words: spoiled.to_string(),
                class: spoiled.class(),
            }
            .into());
        }
    };
    let withheld = lender.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(fault) = withheld {
        return Err(fault);
    }
    let nonsense = || Error::Spoiled {
        path: source.path().to_owned(),
        words: "the answer of the worker makes no sense".to_owned(),
        class: Class::Bug,
    };
    let Pair { head, body } = unpack::<Result<Found, Relayed>>(answer).ok_or_else(nonsense)?;
    let found = head.map_err(|relayed| Box::new(relayed) as Fault)?;
    Ok(entered(database, found, body).ok_or_else(nonsense)?)
}

/// What was found, as if it had been found here.
fn entered(database: &Database, found: Found, bytes: Vec<u8>) -> Option<Entered> {
    let notes = |said: Vec<Said>| said.into_iter().map(Note::from).collect::<Vec<_>>();
    Some(match found {
        Found::Rows { path, record, first, columns, rows, more, total, onward, said } => {
            let mut bytes = bytes.as_slice();
            let rows = rows.into_iter().map(|row| row.read(&mut bytes)).collect::<Option<Vec<TableRow>>>()?;
            let body = Body::Fetched { columns, rows, more, total };
            let shape = if record { readstone_source::Shape::Record } else { readstone_source::Shape::Any };
            let table = Rows {
                source: Arc::clone(&database.source),
                head: None,
                shape,
                first,
                body,
                onward,
                held: Mutex::default(),
                outcome: Mutex::new(Outcome::default()),
            };
            reached(readstone_source::Content::Table(Box::new(table)), path, None, notes(said))
        }
        Found::Cell { path, is_text: true, rest, said, .. } => reached(text(bytes), path, rest, notes(said)),
        Found::Cell { path, name, rest, said, .. } => {
            let stamp = database.source.stamp().map(|stamp| stamp.part(path.as_bytes()));
            let blob = Arc::new(readstone_base::Memory::new(bytes));
            let piece = Piece { blob, path, name, stamp, beside: Arc::new(Alone) };
            Entered::Piece { piece, rest, notes: notes(said) }
        }
        Found::Null { path, rest, said } => {
            let mut notes = notes(said);
            notes.push(Note::IsNull);
            reached(text(Vec::new()), path, rest, notes)
        }
    })
}

/// Hands the database and what stands beside it to a worker.
struct Lender {
    source: Arc<Source>,
    budget: Budget,
    /// What could not be handed over, in its own words.
    fault: Mutex<Option<Fault>>,
}

impl Lend for Lender {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        let opened = match name {
            "" => self.source.main(&self.budget).map(Some),
            "-wal" | "-journal" | "-shm" => self.source.beside(name),
            _ => Ok(None),
        };
        opened.map_err(|error| {
            *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.into());
            io::Error::other("it cannot be handed over")
        })
    }

    fn check(&self) -> Result<(), Stopped> {
        self.budget.check()
    }
}

/// Ends the work when whoever asked for it does not want it any more.
struct Leash(Arc<dyn Lend>);

impl std::fmt::Debug for Leash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Leash")
    }
}

impl Gate for Leash {
    fn pass(&self, _: &Budget, _: Step) -> Result<(), Stopped> {
        self.0.check()
    }
}

/// Does the work: runs a query on a database that is somewhere else.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let asked: Asked = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    for (name, value) in &asked.limits {
        limits.set(name, *value)?;
    }
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is no database")?;
    let beside = Arc::new(Neighbours(Arc::clone(lend)));
    let piece = Piece { blob, path: asked.path, name: asked.name, stamp: None, beside };
    let leash = Leash(Arc::clone(lend));
    let budget = Budget::new(Arc::new(SystemClock::new(Some(asked.now))), None).behind(Arc::new(leash));
    let database = Database { source: Arc::new(Source::new(&piece, &limits)) };
    let mut bytes = Vec::new();
    let found = find(&database, &asked.tail, &budget, &mut bytes);
    pack(&found.map_err(|fault| Relayed::of(&*fault)), &bytes)
}

/// What stands beside a database that is somewhere else.
struct Neighbours(Arc<dyn Lend>);

impl Beside for Neighbours {
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        // Why it cannot be handed over is told by whoever has it.
        self.0.lend(suffix).map_err(|_| Error::bad("what belongs to it cannot be handed over").into())
    }
}

fn find(database: &Database, tail: &str, budget: &Budget, bytes: &mut Vec<u8>) -> Result<Found, Fault> {
    let attempt = database.attempt(Some(tail), budget)?;
    let mut said: Vec<Note> = attempt.session.notes();
    said.extend(database.source.impairment());
    match attempt.value {
        Goal::Rows(shown) => {
            let Shown { path, shape, first, body, onward, notes, .. } = *shown;
            said.extend(notes);
            let record = shape == readstone_source::Shape::Record;
            let is_ready = matches!(body, Body::Ready(..));
            if attempt.changed && is_ready {
                said.push(Note::Changed);
            }
            let held = Mutex::new(Some(attempt.session).filter(|_| !is_ready));
            let source = Arc::clone(&database.source);
            let outcome = Mutex::new(Outcome::default());
            let rows = Rows { source, head: None, shape, first, body, onward: onward.clone(), held, outcome };
            let room = PAGES * database.source.limits().page_bytes;
            let mut taken = Taken { columns: Vec::new(), rows: Vec::new(), bytes, room };
            let more = rows.pull(&mut taken, budget)?;
            said.extend(rows.notes());
            let (columns, forms) = (taken.columns, taken.rows);
            let said = said.iter().filter_map(Said::of).collect();
            Ok(Found::Rows { path, record, first, columns, rows: forms, more, total: rows.total(), onward, said })
        }
        Goal::Cell { cell, path, name, rest, notes } => {
            said.extend(notes);
            let said = said.iter().filter_map(Said::of).collect();
            let (is_text, value) = match cell {
                Cell::Nothing => return Ok(Found::Null { path, rest, said }),
                Cell::Text(value) => (true, value),
                Cell::Bytes(value) => (false, value),
                Cell::Far(_) => return Err(Error::bad("the value is too large for a query").into()),
            };
            *bytes = value;
            Ok(Found::Cell { path, name, is_text, rest, said })
        }
        Goal::Listing(..) | Goal::Itself => Err(Error::bad("it is no query").into()),
    }
}

/// Takes rows until there are more than any page shows.
struct Taken<'a> {
    columns: Vec<String>,
    rows: Vec<RowForm>,
    bytes: &'a mut Vec<u8>,
    room: u64,
}

impl Take for Taken<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        if self.bytes.len() as u64 > self.room {
            return false;
        }
        self.rows.push(RowForm::write(row, self.bytes));
        true
    }
}

impl Relayed {
    fn of(failure: &dyn Failure) -> Self {
        Self {
            code: failure.code().to_owned(),
            class: failure.class().name().to_owned(),
            message: failure.to_string(),
            next: failure.next().into_iter().map(|Next { argument, .. }| argument).collect(),
        }
    }
}
