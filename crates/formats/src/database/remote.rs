//! Databases as a worker reads them: this process hands out bytes, and never opens a database itself.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{
    Blob, Budget, Class, Fault, Hear, LIMITS, Lend, Limits, Memory, Note, Pace, Spoiled, Stopped, Task, TreeSize,
    Workshop,
};
use readstone_source::{Alone, Content, Entered, Opening, Piece};

use crate::database::ahead::FIRST;
use crate::database::cell::Far;
use crate::database::error::Error;
use crate::database::far::Pieces;
use crate::database::job::{Asked, CellFound, Found, Job, Seen, Value};
use crate::database::listing::Tables;
use crate::database::locks::Quiet;
use crate::database::relay::{Relayed, Said, read_rows};
use crate::database::schema::Object;
use crate::database::session::{Marks, now};
use crate::database::source::{Source, TRIES};
use crate::database::table::FarTable;
use crate::database::watch::lock;
use crate::database::{reached, selector, text};
use crate::work::{Pair, unpack};

/// The name of this kind of work.
pub(crate) const TASK: &str = "database";

/// The answer of a worker, with the bytes that belong to it.
type Answer = Pair<Result<Found, Relayed>>;

/// A database, and the workshop that reads it.
pub(super) struct Remote {
    /// The database.
    pub(super) source: Arc<Source>,
    works: Arc<dyn Workshop>,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Remote {
    /// A database that is read where this opening has its work done.
    pub(super) fn new(source: &Arc<Source>, opening: &Opening<'_>) -> Arc<Self> {
        Arc::new(Self { source: Arc::clone(source), works: Arc::clone(opening.works) })
    }

    /// Follows the rest of an address after the database.
    pub(super) fn enter(self: &Arc<Self>, tail: Option<&str>, budget: &Budget) -> Result<Entered, Fault> {
        // SQL of the caller may last as long as the call; a key or a sample does not.
        let pace = if tail.is_some_and(|tail| tail.contains('?')) { Pace::Open } else { Pace::Brief };
        let job = Job::Enter(tail.map(str::to_owned));
        let is_of_bytes = tail.is_some_and(selector::is_of_bytes);
        let Pair { head, body } = match self.ask_until_quiet(&job, pace, budget) {
            Ok(found) => found,
            // The bytes can be seen whatever is wrong with what they mean.
            Err(_) if is_of_bytes => return Ok(Entered::Itself),
            Err(fault) => return Err(fault),
        };
        match head {
            Ok(found) => Ok(self.entered(tail, found, body).ok_or_else(|| self.nonsense())?),
            Err(relayed) if is_of_bytes && !relayed.is_of_place() => Ok(Entered::Itself),
            Err(relayed) => Err(Box::new(relayed)),
        }
    }

    /// How many rows some tables have.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other answer is wrong")]
    pub(super) fn count(&self, objects: &[Object], budget: &Budget) -> Result<Vec<TreeSize>, Fault> {
        let found = self.ask(Job::Count(objects.to_vec()), Pace::Brief, &mut |_| false, budget)?.head?;
        match found {
            Found::Sizes(sizes) if sizes.len() == objects.len() => Ok(sizes.into_iter().map(TreeSize::from).collect()),
            _ => Err(self.nonsense().into()),
        }
    }

    /// Reads further rows of an address; `hear` gets them in parts.
    pub(super) fn go_on(&self, job: Job, hear: Hear<'_>, budget: &Budget) -> Result<Found, Fault> {
        Ok(self.ask(job, Pace::Open, hear, budget)?.head?)
    }

    /// A part of a value; `None` when the database was changed since the value was found.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other answer is wrong")]
    pub(super) fn part(
        &self,
        (far, seen): (&Far, &Seen),
        offset: u64,
        most: u64,
        budget: &Budget,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let job = Job::Part(far.clone(), offset, most, seen.clone());
        // Another worker may be reading the value, as a database or a document of its own.
        let Pair { head, body } = self.ask(job, Pace::Inner, &mut |_| false, budget)?;
        match head? {
            Found::Part => Ok(Some(body)),
            Found::Others => Ok(None),
            _ => Err(self.nonsense().into()),
        }
    }

    /// An answer that cannot be one.
    pub(super) fn nonsense(&self) -> Error {
        let words = "the answer of the worker makes no sense".to_owned();
        Error::Spoiled { path: self.source.path().to_owned(), words, class: Class::Bug }
    }

    /// Asks, and again when the files changed meanwhile; when they do so each time, the answer says it.
    fn ask_until_quiet(&self, job: &Job, pace: Pace, budget: &Budget) -> Result<Answer, Fault> {
        let mut tries = 1;
        loop {
            let (mut answer, changed) = self.ask_and_look(job.clone(), pace, &mut |_| false, budget)?;
            let Ok(found) = answer.head.as_mut().map_err(drop) else { return Ok(answer) };
            if !changed || tries == TRIES {
                if changed {
                    found.note_changed();
                }
                return Ok(answer);
            }
            tries += 1;
        }
    }

    fn ask(&self, job: Job, pace: Pace, hear: Hear<'_>, budget: &Budget) -> Result<Answer, Fault> {
        Ok(self.ask_and_look(job, pace, hear, budget)?.0)
    }

    /// Asks, and looks whether the files changed meanwhile.
    fn ask_and_look(&self, job: Job, pace: Pace, hear: Hear<'_>, budget: &Budget) -> Result<(Answer, bool), Fault> {
        let source = &self.source;
        let asked = Asked {
            path: source.path().to_owned(),
            name: source.name().to_owned(),
            limits: unusual(source.limits()),
            rows: (source.limits().query_rows, source.limits().query_max_rows),
            damage: source.damage(),
            now: budget.clock().wall(),
            job,
        };
        let ask = serde_json::to_vec(&asked).unwrap_or_default();
        let lender = Arc::new(Lender {
            source: Arc::clone(source),
            budget: budget.clone(),
            fault: Mutex::default(),
            lent: Mutex::default(),
        });
        let task = Task { what: TASK, pace, ask: &ask, lend: Arc::<Lender>::clone(&lender) };
        let answer = self.works.stream(&task, hear, budget);
        // What could not be handed over says more than the worker that missed it.
        let withheld = lender.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(fault) = withheld {
            return Err(fault);
        }
        let answer = answer.map_err(|spoiled| self.spoiled(&spoiled))?;
        let found = unpack::<Result<Found, Relayed>>(answer).ok_or_else(|| self.nonsense())?;
        if let Some(what) = found.head.as_ref().ok().and_then(Found::damage) {
            source.pass_over(what);
        }
        Ok((found, lender.is_changed()))
    }

    fn spoiled(&self, spoiled: &Spoiled) -> Error {
        let path = self.source.path();
        match spoiled {
            Spoiled::Stopped(why) => Error::stopped(*why, path),
            Spoiled::Limit { .. } | Spoiled::Crashed(_) | Spoiled::NotStarted(_) => {
                Error::Spoiled { path: path.to_owned(), words: spoiled.to_string(), class: spoiled.class() }
            }
        }
    }

    /// Turns an answer into what a container gives.
    fn entered(self: &Arc<Self>, tail: Option<&str>, found: Found, body: Vec<u8>) -> Option<Entered> {
        Some(match found {
            Found::Itself => Entered::Itself,
            Found::Listing { objects, rest, said } => {
                let listing = Tables { remote: Arc::clone(self), objects };
                let path = self.source.path().to_owned();
                reached(Content::Listing(Box::new(listing)), path, rest, Said::notes(said))
            }
            Found::Rows(found) => {
                let (path, said) = (found.path.clone(), found.said.clone());
                let rows = read_rows(&body)?;
                let table = FarTable::new(Arc::clone(self), tail.map(str::to_owned), found, rows);
                reached(Content::Table(Box::new(table)), path, None, Said::notes(said))
            }
            Found::Cell(found, value) => self.cell(found, value, body),
            Found::Onward { .. } | Found::Sizes(_) | Found::Part | Found::Others => return None,
        })
    }

    fn cell(self: &Arc<Self>, found: CellFound, value: Value, body: Vec<u8>) -> Entered {
        let CellFound { path, name, rest, said, is_alone } = found;
        let mut notes = Said::notes(said);
        let blob: Arc<dyn Blob> = match value {
            Value::Null => {
                notes.push(Note::IsNull);
                return reached(text(Vec::new()), path, rest, notes);
            }
            Value::Text => return reached(text(body), path, rest, notes),
            Value::Bytes => Arc::new(Memory::new(body)),
            Value::Far(far, seen) => Arc::new(Pieces::new(Arc::clone(self), far, seen)),
        };
        let stamp = self.source.stamp().filter(|_| is_alone).map(|stamp| stamp.part(path.as_bytes()));
        let piece = Piece { blob, path, name, stamp, beside: Arc::new(Alone) };
        Entered::Piece { piece, rest, notes }
    }
}

/// The limits that are not the usual ones, but for those of rows.
pub(super) fn unusual(limits: &Limits) -> Vec<(String, u64)> {
    let usual = Limits { query_rows: limits.query_rows, query_max_rows: limits.query_max_rows, ..Limits::default() };
    let one = |name: &'static str| {
        let value = limits.get(name)?;
        (usual.get(name) != Some(value)).then(|| (name.to_owned(), value))
    };
    LIMITS.iter().filter_map(|limit| one(limit.name)).collect()
}

/// Hands the database and the files next to it to a worker.
struct Lender {
    source: Arc<Source>,
    budget: Budget,
    /// The failure of a file that could not be handed over.
    fault: Mutex<Option<Fault>>,
    /// Files that were handed over, with their marks at that time.
    lent: Mutex<Vec<Watched>>,
}

/// A file that was handed over, by its name, and the marks that it had then.
type Watched = (&'static str, Arc<dyn Blob>, Marks);

/// Files that a worker is sure to ask for. The database comes first, because writers are held off from then on.
const AHEAD: &[(&str, u64)] = &[("", FIRST), ("-wal", FIRST), ("-journal", FIRST)];

impl Lender {
    /// Whether a file that was handed over has changed.
    fn is_changed(&self) -> bool {
        let lent = lock(&self.lent);
        lent.iter().any(|(name, blob, before)| now(blob.as_ref(), name) != *before)
    }

    /// The database, on which writers are held off until the work is done.
    fn main(&self) -> Result<Arc<dyn Blob>, Error> {
        let blob = self.source.main(&self.budget)?;
        let (path, waited) = (self.source.path(), self.source.limits().lock_ms);
        match Quiet::of(blob, waited, &self.budget) {
            Ok(Some(quiet)) => Ok(Arc::new(quiet)),
            Ok(None) => match self.budget.still_wanted() {
                Err(why) => Err(Error::stopped(why, path)),
                Ok(()) => Err(Error::Locked { path: path.to_owned(), waited }),
            },
            Err(cause) => Err(self.source.unreadable(readstone_base::plain_words(&cause))),
        }
    }
}

impl Lend for Lender {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        let opened = match name {
            "" => self.main().map(Some),
            "-wal" | "-journal" | "-shm" => self.source.beside(name),
            // The journal of a transaction over several databases.
            _ if name.starts_with("-mj") => self.source.beside(name),
            _ => Ok(None),
        };
        let watched = ["", "-wal"].into_iter().find(|watched| *watched == name);
        if let (Ok(Some(blob)), Some(name)) = (&opened, watched) {
            let marks = now(blob.as_ref(), name);
            lock(&self.lent).push((name, Arc::clone(blob), marks));
        }
        opened.map_err(|error| {
            *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.into());
            io::Error::other("it cannot be handed over")
        })
    }

    fn check(&self) -> Result<(), Stopped> {
        self.budget.check()
    }

    fn ahead(&self) -> &[(&'static str, u64)] {
        AHEAD
    }
}
