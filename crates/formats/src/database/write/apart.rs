//! A row that is written by another process, which may open the database and nothing else.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{
    Blob, Budget, Class, Failure as _, Fault, Gate, Identity, Lend, Limits, Pace, Spoiled, Step, Stopped, Task,
    Version, Workshop,
};
use readstone_host::SystemClock;
use serde::{Deserialize, Serialize};

use crate::database::error::Error;
use crate::database::relay::Relayed;
use crate::database::remote::unusual;
use crate::database::write::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row};
use crate::work::{pack, unpack};

/// The name of this kind of work.
pub(crate) const TASK: &str = "row";
/// The pause before another attempt.
const PAUSE: Duration = Duration::from_millis(3);

/// A question for a writer.
#[derive(Serialize, Deserialize)]
struct Asked {
    path: Vec<u8>,
    identity: Option<(u64, u64)>,
    database: String,
    tail: String,
    content: String,
    is_real: bool,
    is_judged: bool,
    limits: Vec<(String, u64)>,
}

/// What became of a row.
#[derive(Serialize, Deserialize)]
struct Form {
    done: u8,
    table: String,
    key: Option<String>,
    expected: Option<String>,
    columns: Vec<String>,
    before: Option<TextForm>,
    after: Option<TextForm>,
    triggered_rows: u64,
    triggered: Vec<(String, u64)>,
}

/// A row, as it is sent.
#[derive(Serialize, Deserialize)]
struct TextForm {
    json: String,
    whole: bool,
    version: [u8; 32],
}

/// The ends that a write can have, by their numbers.
const DONE: [RowDone; 7] = [
    RowDone::Inserted,
    RowDone::Updated,
    RowDone::NoneUpdated,
    RowDone::Deleted,
    RowDone::NoneDeleted,
    RowDone::Ignored,
    RowDone::Refused,
];

impl From<&RowText> for TextForm {
    fn from(text: &RowText) -> Self {
        Self { json: text.json.clone(), whole: text.whole, version: *text.version.as_bytes() }
    }
}

impl From<TextForm> for RowText {
    fn from(form: TextForm) -> Self {
        Self { json: form.json, whole: form.whole, version: Version::from_bytes(form.version) }
    }
}

impl Form {
    fn of(written: RowWritten) -> Self {
        let RowWritten { done, table, key, expected, columns, before, after, triggered_rows, triggered } = written;
        let done = DONE.iter().position(|known| *known == done).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX);
        let (before, after) = (before.as_ref().map(TextForm::from), after.as_ref().map(TextForm::from));
        Self { done, table, key, expected, columns, before, after, triggered_rows, triggered }
    }

    fn read(self) -> Option<RowWritten> {
        let Self { done, table, key, expected, columns, before, after, triggered_rows, triggered } = self;
        let done = *DONE.get(usize::from(done))?;
        let (before, after) = (before.map(RowText::from), after.map(RowText::from));
        Some(RowWritten { done, table, key, expected, columns, before, after, triggered_rows, triggered })
    }
}

/// Has a row written by a process of its own.
pub fn write_row_apart(
    write: &RowWrite<'_>,
    limits: &Limits,
    (works, budget): (&dyn Workshop, &Budget),
) -> Result<RowWritten, Fault> {
    let patience = budget.within(Duration::from_millis(limits.lock_ms));
    loop {
        let written = attempt(write, limits, works, budget)?;
        match written {
            // The journal that the writer may open was removed by another writer, which came first.
            Err(relayed)
                if relayed.is_shut_out() && works.is_apart() && patience.still_wanted().is_ok() && is_open(write) =>
            {
                let _ = patience.sleep(PAUSE);
            }
            Err(relayed) if relayed.code() == "database.cancelled" => {
                let late = budget.still_wanted() == Err(Stopped::Deadline);
                let path = write.database.to_owned();
                return Err(if late { Error::Late { path } } else { Error::Cancelled }.into());
            }
            written => return Ok(written?),
        }
    }
}

/// Whether files can be made next to the database.
fn is_open(write: &RowWrite<'_>) -> bool {
    write.path.parent().is_some_and(readstone_host::is_writable)
}

fn attempt(
    write: &RowWrite<'_>,
    limits: &Limits,
    works: &dyn Workshop,
    budget: &Budget,
) -> Result<Result<RowWritten, Relayed>, Fault> {
    let asked = Asked {
        path: write.path.as_os_str().as_bytes().to_vec(),
        identity: write.identity.map(|identity| (identity.device, identity.inode)),
        database: write.database.to_owned(),
        tail: write.tail.to_owned(),
        content: write.content.to_owned(),
        is_real: write.effect == RowEffect::Real,
        is_judged: write.judge.is_some(),
        limits: unusual(limits),
    };
    let ask = serde_json::to_vec(&asked).unwrap_or_default();
    let task = Task { what: TASK, pace: Pace::Brief, ask: &ask, lend: Arc::new(Nothing(budget.clone())) };
    let mut judge = |row: Vec<u8>| {
        let row = serde_json::from_slice::<Option<TextForm>>(&row).ok();
        let row = row.map(|row| row.map(RowText::from));
        row.is_some_and(|row| write.judge.is_none_or(|judge| judge.accepts(row.as_ref())))
    };
    let path = || write.database.to_owned();
    let nonsense = || Error::Failed { path: path(), words: "the answer of the writer makes no sense".to_owned() };
    let answer = works.write(&task, write.path, &mut judge, budget).map_err(|spoiled| match spoiled {
        Spoiled::NotStarted(_) => Error::Spoiled { path: path(), words: spoiled.to_string(), class: Class::Outside },
        Spoiled::Stopped(_) | Spoiled::Limit { .. } | Spoiled::Crashed(_) => {
            Error::Failed { path: path(), words: spoiled.to_string() }
        }
    })?;
    let found = unpack::<Result<Form, Relayed>>(answer).ok_or_else(nonsense)?.head;
    Ok(match found {
        Ok(form) => Ok(form.read().ok_or_else(nonsense)?),
        Err(relayed) => Err(relayed),
    })
}

/// Hands out nothing: a writer opens the database itself.
struct Nothing(Budget);

impl Lend for Nothing {
    fn lend(&self, _: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        Ok(None)
    }

    fn check(&self) -> Result<(), Stopped> {
        self.0.still_wanted()
    }
}

/// Writes the row, in the process that may.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let asked: Asked = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    for (name, value) in &asked.limits {
        limits.set(name, *value)?;
    }
    let path = PathBuf::from(OsString::from_vec(asked.path));
    let leash = Arc::new(Leash(Arc::clone(lend)));
    let budget = Budget::new(Arc::new(SystemClock::new(None)), None).behind(leash);
    let asking = Asking(Arc::clone(lend));
    let judge: Option<&dyn RowJudge> = if asked.is_judged { Some(&asking) } else { None };
    let write = RowWrite {
        path: &path,
        identity: asked.identity.map(|(device, inode)| Identity { device, inode }),
        database: &asked.database,
        tail: &asked.tail,
        content: &asked.content,
        effect: if asked.is_real { RowEffect::Real } else { RowEffect::Dry },
        judge,
    };
    let written = write_row(&write, &limits, &budget);
    pack(&written.map(Form::of).map_err(|fault| Relayed::of(&*fault)), &[])
}

/// Asks the process that wants the row written.
struct Asking(Arc<dyn Lend>);

impl std::fmt::Debug for Asking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Asking")
    }
}

impl RowJudge for Asking {
    fn accepts(&self, before: Option<&RowText>) -> bool {
        let row = serde_json::to_vec(&before.map(TextForm::from));
        // Without an answer the row is not written.
        row.is_ok_and(|row| self.0.emit(row).unwrap_or(false))
    }
}

/// Ends the work when its caller is gone.
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

/// Prepares a process that writes rows, as long as it may still open files: SQLite draws its random numbers from what it
/// reads once.
pub(crate) fn prepare_writing() {
    let drawn = rusqlite::Connection::open_in_memory()
        .and_then(|connection| connection.query_row("SELECT length(randomblob(8))", [], |row| row.get::<_, i64>(0)));
    drop(drawn);
}
