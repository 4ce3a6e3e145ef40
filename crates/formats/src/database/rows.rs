//! Rows of a table or a result, handed over one by one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Next, Note};
use readstone_source::{TableRow, Take};
use rusqlite::Rows as Cursor;
use serde::{Deserialize, Serialize};

use crate::database::error::{Error, Result};
use crate::database::keys::{Calls, Namer};
use crate::database::session::Session;
use crate::database::source::{Source, TRIES};
use crate::database::values::{HEAD, careful_cells, cells, weight};
use crate::database::watch::lock;

/// So many bytes of rows are read before the first is handed over: up to there a change of the files goes unnoticed by
/// whoever reads, because all is read again.
const AHEAD: usize = 128 * 1024;
/// Seconds in which a sample must be read.
const SAMPLE: u64 = 2;

/// Which rows are read, and how they are called.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The statement.
    pub(super) sql: String,
    /// Rows to be passed over.
    pub(super) skip: u64,
    /// Rows to be shown at most; one more is read.
    pub(super) limit: u64,
    /// The names of the columns that are shown.
    pub(super) columns: Vec<String>,
    /// How the cells are called.
    pub(super) calls: Calls,
    /// Whether the engine must be told what time it is.
    pub(super) timed: bool,
    /// A statement that gives the same rows without touching values beyond the limit.
    pub(super) careful: Option<String>,
}

/// Lines above rows, which are a sample then: where they cannot be read, the lines are shown without them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The lines.
    pub(super) lines: Vec<String>,
    /// The call that shows them whole.
    pub(super) rest: String,
}

/// Where the rows come from.
#[derive(Debug)]
pub(super) enum Body {
    /// They were read already.
    Ready(Vec<String>, Vec<TableRow>),
    /// They will be read.
    Planned(Plan),
}

/// How the call is spelled that shows the rows from a number on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Onward {
    /// As a table with parameters: what stands before the offset, and behind it.
    Offset(String, String),
    /// As a query: what stands before the number, and behind it.
    Row(String, String),
    /// Nothing follows; this shows where it stands.
    Nothing(String),
}

impl Onward {
    /// The call that shows the rows from a number on.
    pub(super) fn from(&self, number: u64) -> Next {
        match self {
            Self::Offset(before, behind) => Next::read(format!("{before}{}{behind}", number.saturating_sub(1))),
            Self::Row(before, behind) => Next::read(format!("{before}{number}{behind}")),
            Self::Nothing(path) => Next::read(path.clone()),
        }
    }
}

/// Rows that are read.
#[derive(Debug)]
pub(super) struct Rows {
    /// The database.
    pub(super) source: Arc<Source>,
    /// Whether they are a sample below lines that matter more.
    pub(super) is_sample: bool,
    /// The number of the first.
    pub(super) first: u64,
    /// How many of them are passed over, since they were handed over before.
    pub(super) begin: u64,
    /// The rows.
    pub(super) body: Body,
    /// An open database, for the first reading.
    pub(super) held: Mutex<Option<Session>>,
    /// What was found out while reading.
    pub(super) outcome: Mutex<Outcome>,
}

/// What was found out while reading.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    notes: Vec<Note>,
    total: Option<u64>,
}

impl Rows {
    fn read(&self, plan: &Plan, take: &mut dyn Take, budget: &Budget) -> Result<bool> {
        let (mut tries, mut care) = (1, Care::None);
        loop {
            let session = self.session(plan, budget)?;
            let (first, may_retry) = (self.first, tries < TRIES);
            let namer = Namer::new(&session, &plan.calls);
            let begin = self.begin;
            let mut stream = Stream { plan, session: &session, namer, first, begin, handed: begin, care, may_retry };
            match stream.run(take) {
                Ok(Some(more)) => {
                    *lock(&self.outcome) = self.outcome_of(&stream, (!more).then_some(stream.handed));
                    return Ok(more);
                }
                Ok(None) => tries += 1,
                // The page ends before the row whose value is too big; the next page begins with it.
                Err(Error::Limit { .. }) if stream.handed > begin => return Ok(true),
                Err(Error::Limit { .. }) if plan.careful.is_some() && care == Care::None => care = Care::Taken,
                Err(error) if stream.handed == begin && may_retry && error.is_passing() && session.is_changed() => {
                    tries += 1;
                }
                Err(error) if session.is_changed() => return Err(error.of_changing(self.source.path())),
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads rows that are shown below what matters more; what goes wrong is said beside it.
    fn read_sample(&self, plan: &Plan, take: &mut dyn Take, budget: &Budget) -> Result<bool> {
        match self.read(plan, take, &budget.within(Duration::from_secs(SAMPLE))) {
            Err(error) if !error.ends_call(budget) => {
                lock(&self.outcome).notes.push(no_sample(&error));
                Ok(false)
            }
            result => result,
        }
    }

    /// The database as it was opened to find the rows, or opened again.
    fn session(&self, plan: &Plan, budget: &Budget) -> Result<Session> {
        if let Some(session) = lock(&self.held).take() {
            session.renew(budget);
            return Ok(session);
        }
        let session = self.source.open(budget)?;
        if plan.timed {
            session.tell_time(budget)?;
        }
        Ok(session)
    }

    /// What is to be said of a reading; `all` is how many rows it gave, if none follow.
    fn outcome_of(&self, stream: &Stream<'_>, all: Option<u64>) -> Outcome {
        let mut notes = Vec::new();
        if stream.session.is_changed_unseen() {
            notes.push(Note::Changed);
        }
        let total = match all {
            // Behind the end, the end is not known.
            Some(0) if self.first > 1 => None,
            Some(count) => Some(self.first - 1 + count),
            None => None,
        };
        Outcome { notes, total }
    }
}

impl Rows {
    /// Passes the names of the columns and then the rows, until there are no more or `take` wants none; true when more
    /// follow.
    pub(super) fn pull(&self, take: &mut dyn Take, budget: &Budget) -> Result<bool> {
        match &self.body {
            Body::Ready(columns, rows) => {
                take.columns(columns);
                Ok(!rows.iter().all(|row| take.row(row)))
            }
            Body::Planned(plan) if self.is_sample => self.read_sample(plan, take, budget),
            Body::Planned(plan) => {
                let read = self.read(plan, take, budget);
                read.map_err(|error| error.with_next(|| self.source.path().to_owned()))
            }
        }
    }

    /// How many rows there are, where that is known.
    pub(super) fn total(&self) -> Option<u64> {
        match &self.body {
            // Where the columns are not known, neither are the rows.
            Body::Ready(columns, rows) => Some(rows.len() as u64).filter(|_| self.first == 1 && !columns.is_empty()),
            Body::Planned(_) => lock(&self.outcome).total,
        }
    }

    /// What must be said once the rows were read.
    pub(super) fn notes(&self) -> Vec<Note> {
        lock(&self.outcome).notes.clone()
    }
}

/// What is said where a sample cannot be read.
pub(super) fn no_sample(error: &Error) -> Note {
    let late = || format!("reading them took longer than {SAMPLE} seconds");
    Note::NoSample { why: if error.is_late() { late() } else { error.to_string() } }
}

/// Whether values beyond the limit are left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    None,
    Taken,
}

/// One reading of a plan.
struct Stream<'a> {
    plan: &'a Plan,
    session: &'a Session,
    namer: Namer<'a>,
    first: u64,
    begin: u64,
    handed: u64,
    care: Care,
    may_retry: bool,
}

impl Stream<'_> {
    /// Reads and hands over; `None` when the files changed before anything was handed over and they may be
    /// read again.
    fn run(&mut self, take: &mut dyn Take) -> Result<Option<bool>> {
        let careful = self.plan.careful.as_ref().filter(|_| self.care == Care::Taken);
        let mut statement = self.session.statement(careful.unwrap_or(&self.plan.sql))?;
        let session = self.session;
        let mut cursor = session.run(|| statement.query([]))?;
        if !self.skip(&mut cursor)? {
            take.columns(&self.plan.columns);
            return Ok(Some(false));
        }
        let mut ahead = Vec::new();
        let mut bytes = 0;
        let mut ended = false;
        while bytes < AHEAD && self.begin + (ahead.len() as u64) <= self.plan.limit {
            let Some(row) = self.next(&mut cursor, self.begin + ahead.len() as u64)? else {
                ended = true;
                break;
            };
            bytes += weight(&row.cells);
            ahead.push(row);
        }
        if self.may_retry && session.is_changed_unseen() {
            return Ok(None);
        }
        take.columns(&self.plan.columns);
        for row in &ahead {
            if !self.hand(row, take) {
                return Ok(Some(true));
            }
        }
        while !ended {
            match self.next(&mut cursor, self.handed)? {
                Some(row) if self.hand(&row, take) => {}
                Some(_) => return Ok(Some(true)),
                None => ended = true,
            }
        }
        Ok(Some(false))
    }

    /// Hands a row over; false when it is one more than wanted, or did not fit.
    fn hand(&mut self, row: &TableRow, take: &mut dyn Take) -> bool {
        let taken = self.handed < self.plan.limit && take.row(row);
        self.handed += u64::from(taken);
        taken
    }

    fn skip(&self, cursor: &mut Cursor<'_>) -> Result<bool> {
        for _ in 0..self.plan.skip.saturating_add(self.begin) {
            if self.session.run(|| cursor.next().map(|row| row.is_none()))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn next(&self, cursor: &mut Cursor<'_>, index: u64) -> Result<Option<TableRow>> {
        let plan = self.plan;
        self.session.run(|| {
            let Some(row) = cursor.next()? else { return Ok(None) };
            let width = plan.columns.len();
            let (cells, keys) = match self.care {
                Care::None => (cells(row, width, HEAD)?, width),
                Care::Taken => {
                    let mut cells = careful_cells(row, width, HEAD)?;
                    self.namer.begin((row, 3 * width), &plan.columns, &mut cells);
                    (cells, 3 * width)
                }
            };
            let cell = self.namer.call(row, keys, self.first + index)?;
            Ok(Some(TableRow { cells, cell }))
        })
    }
}
