//! The work of a worker on a database that another process has open.

use std::sync::{Arc, Mutex};

use readstone_base::{Budget, Fault, Gate, Lend, Limits, Note, Step, Stopped};
use readstone_host::SystemClock;
use readstone_source::{Beside, Piece, Shape, TableRow, Take};

use crate::database::cell::{Cell, Far};
use crate::database::count;
use crate::database::error::{Error, Result};
use crate::database::job::{Asked, CellFound, End, Found, Job, RowsFound, Seen, Value};
use crate::database::query::{Goal, Shown};
use crate::database::relay::{Relayed, Said, SizeForm, write_row};
use crate::database::route::Route;
use crate::database::rows::{Body, Outcome, Rows};
use crate::database::schema::Schema;
use crate::database::source::{Attempt, Source};
use crate::work::pack;

/// The first rows end when they have this many times the bytes of a page.
const PAGES: u64 = 4;
/// Further rows are handed over in parts of this size.
const PART: usize = 128 * 1024;

/// Does the work.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> std::result::Result<Vec<u8>, String> {
    let asked: Asked = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    for (name, value) in &asked.limits {
        limits.set(name, *value)?;
    }
    (limits.query_rows, limits.query_max_rows) = asked.rows;
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is no database")?;
    let beside = Arc::new(Neighbours(Arc::clone(lend)));
    let piece = Piece { blob, path: asked.path, name: asked.name, stamp: None, beside };
    let leash = Leash(Arc::clone(lend));
    let budget = Budget::new(Arc::new(SystemClock::new(Some(asked.now))), None).behind(Arc::new(leash));
    let source = Source::new(&piece, &limits);
    let source = if matches!(asked.job, Job::Enter(_)) { source.watched() } else { source };
    let reading = Reading { source: Arc::new(source), budget };
    if let Some(what) = &asked.damage {
        reading.source.pass_over(what);
    }
    let mut bytes = Vec::new();
    let found = match asked.job {
        Job::Enter(tail) => reading.enter(tail.as_deref(), &mut bytes),
        Job::GoOn(tail, begin, seen) => reading.go_on(tail.as_deref(), begin, &seen, lend),
        Job::Count(objects) => reading.source.open(&reading.budget).and_then(|session| {
            let sizes = count::sizes(&session, &objects, limits.count_rows, &reading.budget)?;
            Ok(Found::Sizes(sizes.iter().map(SizeForm::from).collect()))
        }),
        Job::Part(far, offset, most, seen) => reading.part(&far, (offset, most), &seen, &mut bytes),
    };
    pack(&found.map_err(|error| Relayed::of(&error)), &bytes)
}

/// A database that is read.
struct Reading {
    source: Arc<Source>,
    budget: Budget,
}

impl Reading {
    /// Follows a tail.
    fn attempt(&self, tail: Option<&str>) -> Result<Attempt<Goal>> {
        let (source, budget) = (&self.source, &self.budget);
        source.attempt(budget, |session| {
            let schema = Schema::load(session)?;
            if schema.is_odd && !tail.is_some_and(|tail| tail.contains('?')) {
                session.trust_own_statements()?;
            }
            Route { source, session, schema: &schema, budget }.enter(tail)
        })
    }

    fn enter(&self, tail: Option<&str>, bytes: &mut Vec<u8>) -> Result<Found> {
        let Attempt { value, session, changed } = self.attempt(tail)?;
        let mut notes = session.notes();
        notes.extend(self.source.impairment());
        // Rows that are still to be read say so themselves.
        let is_read = !matches!(&value, Goal::Rows(shown) if matches!(shown.body, Body::Planned(_)));
        if changed && is_read {
            notes.push(Note::Changed);
        }
        let seen = Seen::from(session.marks());
        match value {
            Goal::Itself => Ok(Found::Itself),
            Goal::Listing(objects, rest) => Ok(Found::Listing { objects, rest, said: Said::all(&notes) }),
            Goal::Rows(shown) => {
                let Shown { path, head, shape, first, body, onward, notes: more } = *shown;
                notes.extend(more);
                let held = Mutex::new(Some(session).filter(|_| matches!(body, Body::Planned(_))));
                let (source, outcome) = (Arc::clone(&self.source), Mutex::new(Outcome::default()));
                let rows = Rows { source, is_sample: head.is_some(), first, begin: 0, body, held, outcome };
                let room = usize::try_from(PAGES * self.source.limits().page_bytes).unwrap_or(usize::MAX);
                let mut taken = Taken { columns: Vec::new(), bytes, room, is_full: false };
                let more = rows.pull(&mut taken, &self.budget)?;
                let end = match (more, taken.is_full) {
                    (false, _) => End::Last,
                    (true, false) => End::More,
                    (true, true) => End::Paused,
                };
                Ok(Found::Rows(RowsFound {
                    path,
                    head,
                    is_record: shape == Shape::Record,
                    first,
                    columns: taken.columns,
                    end,
                    total: rows.total().filter(|_| end == End::Last),
                    onward,
                    said: Said::all(&notes),
                    after: Said::all(&rows.notes()),
                    seen,
                }))
            }
            Goal::Cell { cell, path, name, rest, notes: more } => {
                notes.extend(more);
                let said = Said::all(&notes);
                let place = CellFound { path, name, rest, said, is_alone: session.is_alone() };
                let value = match cell {
                    Cell::Nothing => Value::Null,
                    Cell::Text(text) => {
                        *bytes = text;
                        Value::Text
                    }
                    Cell::Bytes(value) => {
                        *bytes = value;
                        Value::Bytes
                    }
                    Cell::Far(far) => Value::Far(far, seen),
                };
                Ok(Found::Cell(place, value))
            }
        }
    }

    /// Hands over the rows of a tail after the first ones.
    fn go_on(&self, tail: Option<&str>, begin: u64, before: &Seen, lend: &Arc<dyn Lend>) -> Result<Found> {
        let Attempt { value, session, .. } = self.attempt(tail)?;
        let is_other = Seen::from(session.marks()) != *before;
        let Goal::Rows(shown) = value else { return Err(Error::bad("there are no rows")) };
        let Shown { head, first, body, .. } = *shown;
        let (source, held, outcome) = (Arc::clone(&self.source), Mutex::new(Some(session)), Mutex::default());
        let rows = Rows { source, is_sample: head.is_some(), first, begin, body, held, outcome };
        let mut parts = Parts { bytes: Vec::new(), lend, is_wanted: true };
        let more = rows.pull(&mut parts, &self.budget)?;
        let is_wanted = parts.is_wanted && parts.hand_over();
        let mut after = rows.notes();
        if is_other && !after.contains(&Note::Changed) {
            after.push(Note::Changed);
        }
        let more = more || !is_wanted;
        Ok(Found::Onward { more, total: rows.total().filter(|_| !more), after: Said::all(&after) })
    }

    fn part(&self, far: &Far, (offset, most): (u64, u64), before: &Seen, bytes: &mut Vec<u8>) -> Result<Found> {
        let session = self.source.open(&self.budget)?;
        if Seen::from(session.marks()) != *before {
            return Ok(Found::Others);
        }
        bytes.resize(usize::try_from(most).unwrap_or(usize::MAX), 0);
        let count = session.read_value(far, offset, bytes)?;
        bytes.truncate(count);
        if session.is_changed() { Ok(Found::Others) } else { Ok(Found::Part) }
    }
}

/// Takes the first rows, until there are more than any page shows.
struct Taken<'a> {
    columns: Vec<String>,
    bytes: &'a mut Vec<u8>,
    room: usize,
    is_full: bool,
}

impl Take for Taken<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        self.is_full = self.bytes.len() > self.room;
        if !self.is_full {
            write_row(row, self.bytes);
        }
        !self.is_full
    }
}

/// Takes further rows, and hands them over in parts.
struct Parts<'a> {
    bytes: Vec<u8>,
    lend: &'a Arc<dyn Lend>,
    is_wanted: bool,
}

impl Parts<'_> {
    /// Hands over what there is; false when no more is wanted.
    fn hand_over(&mut self) -> bool {
        let part = std::mem::take(&mut self.bytes);
        // A caller that does not answer wants no more.
        self.is_wanted = part.is_empty() || self.lend.emit(part).unwrap_or(false);
        self.is_wanted
    }
}

impl Take for Parts<'_> {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, row: &TableRow) -> bool {
        if self.bytes.len() >= PART && !self.hand_over() {
            return false;
        }
        write_row(row, &mut self.bytes);
        true
    }
}

/// Ends the work when its caller does not want it any more.
struct Leash(Arc<dyn Lend>);

impl std::fmt::Debug for Leash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Leash")
    }
}

impl Gate for Leash {
    fn pass(&self, _: &Budget, _: Step) -> std::result::Result<(), Stopped> {
        self.0.check()
    }
}

/// Files next to a database that another process has open.
struct Neighbours(Arc<dyn Lend>);

impl Beside for Neighbours {
    fn open(&self, suffix: &str) -> std::result::Result<Option<Arc<dyn readstone_base::Blob>>, Fault> {
        // The process that has the file says why it cannot be handed over.
        self.0.lend(suffix).map_err(|_| Error::bad("what belongs to it cannot be handed over").into())
    }
}
