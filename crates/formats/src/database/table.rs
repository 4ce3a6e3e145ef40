//! Rows that a worker reads: the first come at once, and the others when they are wanted.

use std::sync::{Arc, Mutex};

use readstone_base::{Budget, Fault, Next, Note};
use readstone_source::{Shape, Table, TableRow, Take};

use crate::database::job::{End, Found, Job, RowsFound};
use crate::database::relay::{Said, read_rows};
use crate::database::remote::Remote;
use crate::database::watch::lock;

/// Rows of a table or a result.
#[derive(Debug)]
pub(super) struct FarTable {
    remote: Arc<Remote>,
    tail: Option<String>,
    head: Vec<String>,
    found: RowsFound,
    rows: Vec<TableRow>,
    outcome: Mutex<Outcome>,
}

/// Notes and the total, known after reading.
#[derive(Clone, Debug)]
struct Outcome {
    notes: Vec<Note>,
    total: Option<u64>,
}

impl FarTable {
    /// A table from the answer of a worker, with the first rows.
    pub(super) fn new(remote: Arc<Remote>, tail: Option<String>, found: RowsFound, rows: Vec<TableRow>) -> Self {
        let outcome = Mutex::new(Outcome { notes: Said::notes(found.after.clone()), total: found.total });
        let head = found.head.as_ref().map(|head| head.lines.clone()).unwrap_or_default();
        Self { remote, tail, head, found, rows, outcome }
    }

    /// Takes the rows after the first ones from a worker.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other answer is wrong")]
    fn go_on(&self, take: &mut dyn Take, budget: &Budget) -> Result<bool, Fault> {
        let (mut refused, mut spoiled) = (false, false);
        let job = Job::GoOn(self.tail.clone(), self.rows.len() as u64, self.found.seen.clone());
        let mut hear = |part: Vec<u8>| {
            let rows = read_rows(&part);
            spoiled = rows.is_none();
            refused = !rows.unwrap_or_default().iter().all(|row| take.row(row));
            !refused && !spoiled
        };
        let found = self.remote.go_on(job, &mut hear, budget)?;
        match found {
            Found::Onward { more, total, after } if !spoiled => {
                let total = total.filter(|_| !refused);
                *lock(&self.outcome) = Outcome { notes: Said::notes(after), total };
                Ok(more || refused)
            }
            _ => Err(self.remote.nonsense().into()),
        }
    }
}

impl Table for FarTable {
    fn head(&self) -> &[String] {
        &self.head
    }

    fn head_rest(&self) -> Option<Next> {
        self.found.head.as_ref().map(|head| Next::read(head.rest.clone()))
    }

    fn shape(&self) -> Shape {
        if self.found.is_record { Shape::Record } else { Shape::Any }
    }

    fn first(&self) -> u64 {
        self.found.first
    }

    fn pull(&self, take: &mut dyn Take, budget: &Budget) -> Result<bool, Fault> {
        take.columns(&self.found.columns);
        if !self.rows.iter().all(|row| take.row(row)) {
            return Ok(true);
        }
        match self.found.end {
            End::Last => Ok(false),
            End::More => Ok(true),
            End::Paused => self.go_on(take, budget),
        }
    }

    fn from(&self, number: u64) -> Next {
        self.found.onward.from(number)
    }

    fn total(&self) -> Option<u64> {
        lock(&self.outcome).total
    }

    fn notes(&self) -> Vec<Note> {
        lock(&self.outcome).notes.clone()
    }
}
