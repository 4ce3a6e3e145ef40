//! How many rows the tables of a database have, as far as there is time to count.

use std::time::Duration;

use readstone_base::{Budget, TreeSize};

use crate::database::error::{Error, Result};
use crate::database::schema::{Object, ObjectKind};
use crate::database::session::Session;
use crate::database::spelling::quoted;

/// Counting the rows of all tables of a window takes at most so long, in milliseconds.
const COUNTING: u64 = 150;
/// The most rows that are counted one by one.
const SMALL: u64 = 100_000;
/// The number of rows that are counted whatever was counted before.
const FEW: u64 = 1_000;
/// The steps in which rows are counted.
const STEPS: [u64; 3] = [10_000, SMALL, u64::MAX];

/// Why rows were not counted, in words.
pub(super) const WHY: [&str; 3] = ["out of time", "damaged", "not readable"];

/// The sizes of some tables, in their order; `most` rows are counted in all.
pub(super) fn sizes(session: &Session, objects: &[Object], most: u64, budget: &Budget) -> Result<Vec<TreeSize>> {
    session.renew(&budget.within(Duration::from_millis(COUNTING)));
    let mut count = Count { session, left: most, late: false };
    let mut sizes = Vec::with_capacity(objects.len());
    for object in objects {
        let size = count.size(object);
        // What ran out is the time for counting, unless it is that of the call.
        budget.check().map_err(|why| Error::stopped(why, &session.path))?;
        sizes.push(size?);
    }
    Ok(sizes)
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
