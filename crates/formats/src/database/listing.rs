//! The tables and views of a database, with how many rows they have.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Fault, Hidden, Kind, Mark, Span, TreeRow, TreeSize, When};
use readstone_source::Listing;

use crate::database::error::{Error, Result};
use crate::database::schema::{Object, ObjectKind};
use crate::database::session::Session;
use crate::database::source::Source;
use crate::database::spelling::{quoted, shown_table};
use crate::database::watch::lock;

/// Counting the rows of all tables of a window takes at most so long, in milliseconds.
const COUNTING: u64 = 150;

/// Characters of a name.
const NAME_CHARS: usize = 200;

/// Up to so many rows are counted one by one.
const SMALL: u64 = 100_000;
/// So many rows are counted whatever was counted before.
const FEW: u64 = 1_000;
/// The steps in which rows are counted.
const STEPS: [u64; 3] = [10_000, SMALL, u64::MAX];

/// The list of a database's tables and views.
#[derive(Debug)]
pub(super) struct Tables {
    /// The database.
    pub(super) source: Arc<Source>,
    /// What is listed.
    pub(super) objects: Vec<Object>,
    /// An open database, for the first reading.
    pub(super) held: Mutex<Option<Session>>,
}

impl Listing for Tables {
    fn kind(&self) -> Kind {
        Kind::Database
    }

    fn total(&self) -> Option<u64> {
        Some(self.objects.len() as u64)
    }

    fn rows(&self, window: Span, budget: &Budget) -> std::result::Result<Vec<TreeRow>, Fault> {
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(self.objects.len());
        let shown = self.objects.get(place(window.first.saturating_sub(1))..place(window.last)).unwrap_or_default();
        if shown.is_empty() {
            return Ok(Vec::new());
        }
        let session = match lock(&self.held).take() {
            Some(session) => session,
            None => self.source.open(budget)?,
        };
        let counting = budget.within(Duration::from_millis(COUNTING));
        session.renew(&counting);
        let mut count = Count { session: &session, left: self.source.limits().count_rows, late: false };
        let mut rows = Vec::with_capacity(shown.len());
        for object in shown {
            let size = count.size(object);
            // What ran out is the time for counting, unless it is that of the call.
            budget.check().map_err(|why| Error::stopped(why, self.source.path()))?;
            rows.push(row(object, size?));
        }
        Ok(rows)
    }

    fn hidden(&self) -> Vec<Hidden> {
        Vec::new()
    }
}

fn row(object: &Object, size: TreeSize) -> TreeRow {
    let name = shown_table(&object.name);
    let cut = name.char_indices().nth(NAME_CHARS).map(|(at, _)| at);
    let (name, marks) = match cut.and_then(|at| name.get(..at)) {
        Some(start) => (format!("{start}…"), vec![Mark::LongName(None)]),
        None => (name, Vec::new()),
    };
    TreeRow { depth: 0, name, size, when: When::Unknown, marks }
}

/// Counts rows as long as there is time.
struct Count<'a> {
    session: &'a Session,
    left: u64,
    late: bool,
}

impl Count<'_> {
    fn size(&mut self, object: &Object) -> Result<TreeSize> {
        if object.kind == ObjectKind::View {
            return Ok(TreeSize::View);
        }
        if self.late {
            return Ok(TreeSize::Uncounted("out of time"));
        }
        let mut known = 0;
        // In growing steps: when the time is up, what the last step found is known.
        for step in STEPS {
            let most = self.left.max(FEW).min(step);
            match self.count(object, most) {
                Ok(count) if count <= most => {
                    self.left = self.left.saturating_sub(count);
                    return Ok(TreeSize::Rows(count));
                }
                Ok(_) => known = most,
                Err(Error::Timeout { .. }) => {
                    self.late = true;
                    return Ok(if known == 0 { TreeSize::Uncounted("out of time") } else { TreeSize::AtLeast(known) });
                }
                Err(error @ (Error::Cancelled | Error::Locked { .. })) => return Err(error),
                Err(Error::Corrupt { .. } | Error::Unreadable { .. }) => return Ok(TreeSize::Uncounted("damaged")),
                Err(_) => return Ok(TreeSize::Uncounted("not readable")),
            }
            if most < step {
                break;
            }
        }
        self.left = 0;
        Ok(TreeSize::AtLeast(known))
    }

    /// Counts up to one more than `most`, or all rows: then the engine counts by pages, which is faster, but ends only
    /// with the last.
    fn count(&self, object: &Object, most: u64) -> Result<u64> {
        let name = quoted(&object.name);
        let sql = if most > SMALL {
            format!("SELECT count(*) FROM {name}")
        } else {
            format!("SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {})", most + 1)
        };
        let mut statement = self.session.statement(&sql)?;
        let count = self.session.run(|| statement.query_row([], |row| row.get::<_, i64>(0)))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}
