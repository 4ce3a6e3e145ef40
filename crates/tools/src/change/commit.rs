//! Making changes true: all of them or none.

use std::io::{self, Write};
use std::sync::Arc;

use readstone_base::{Backing, Blob, Budget, Fault, Outcome, Page, Span, Version, Warning};
use readstone_host::{Durable, Held, Mode, New, Prepared, Swapped};
use readstone_session::Durability;

use super::aim::Aim;
use super::draft::{Content, Draft, Expected};
use super::error::Error;
use super::undone::{Record, Reversal};
use crate::call::Call;
use crate::error::fault;
use crate::shown;

/// How much is copied at a time.
const PIECE: u64 = 1024 * 1024;

/// Opens a file for a change and locks it.
fn hold(call: &Call<'_>, aim: &Aim) -> Result<Held, Fault> {
    aim.host.hold(&aim.real, call.budget).map_err(|error| fault(error.named(&aim.path)))
}

/// Opens files and locks them in the order of their paths, so that two calls never wait for each other; a file that has a
/// second name among them is refused under that, for a call would wait for itself.
pub(crate) fn hold_all(call: &Call<'_>, aims: &[&Aim]) -> Vec<Result<Held, Fault>> {
    let mut order: Vec<(usize, &Aim)> = aims.iter().copied().enumerate().collect();
    order.sort_by(|(one, first), (other, second)| first.real.cmp(&second.real).then(one.cmp(other)));
    let mut held: Vec<(usize, Result<Held, Fault>)> = Vec::with_capacity(aims.len());
    for (index, aim) in order {
        let same = |other: &&&Aim| other.real == aim.real || (aim.identity.is_some() && other.identity == aim.identity);
        let first = aims.iter().take(index).find(same);
        held.push((
            index,
            match first {
                Some(other) => {
                    let (path, other) = (aim.path.clone(), other.path.clone());
                    Err(fault(Error::Twice { path, other }))
                }
                None => hold(call, aim),
            },
        ));
    }
    held.sort_by_key(|(index, _)| *index);
    held.into_iter().map(|(_, held)| held).collect()
}

/// What became of one change.
pub(crate) type Made = Result<Page, Fault>;

/// Why none of several changes was made.
pub(crate) struct Unmade {
    /// Those that failed, by their numbers: those that could not be put back, and the one that could not be made.
    pub(crate) failed: Vec<(usize, Fault)>,
    /// Whether another try may do better: a file changed in between.
    pub(crate) again: bool,
    /// What is said of each of them.
    pub(crate) pages: Vec<Page>,
}

impl Unmade {
    /// The first failure.
    pub(crate) fn error(self) -> Fault {
        let none = || fault(readstone_host::Error::Changed { path: String::new() });
        self.failed.into_iter().next().map_or_else(none, |(_, error)| error)
    }
}

/// A change on its way.
struct Step {
    page: Page,
    expected: Expected,
    /// The bytes of a git configuration, which have another version than what is shown of them.
    original: Option<Arc<Vec<u8>>>,
    version: Option<Version>,
    rest: Rest,
}

/// What is done when a change was made.
struct Rest {
    backing: Option<Backing>,
    known: Vec<Span>,
    undo: Reversal,
    undo_path: Option<String>,
}

/// Makes changes: writes all the new contents beside the files, then puts them in their places, and takes all back when one
/// of them cannot be.
pub(crate) fn commit(call: &Call<'_>, drafts: Vec<Draft<'_>>) -> Result<Vec<Made>, Unmade> {
    let durable = match call.writing.durability {
        Durability::Disk => Durable::Yes,
        Durability::System => Durable::No,
    };
    let pages: Vec<Page> = drafts.iter().map(|draft| draft.page.clone()).collect();
    let mut steps = Vec::with_capacity(drafts.len());
    let mut ready = Vec::with_capacity(drafts.len());
    for (index, draft) in drafts.into_iter().enumerate() {
        match prepare(call.budget, draft, durable) {
            Ok((step, prepared)) => {
                steps.push(step);
                ready.push(prepared);
            }
            Err(error) => return Err(unmade((index, error), Vec::new(), pages)),
        }
    }
    // What has begun is ended, whoever still waits for it.
    let untimed = Budget::new(Arc::clone(call.budget.clock()), None);
    let mut swapped: Vec<Swapped> = Vec::with_capacity(ready.len());
    for (index, (prepared, step)) in ready.into_iter().zip(&steps).enumerate() {
        match prepared.swap(&|blob| is_as_expected(step, blob, &untimed)) {
            Ok(done) => swapped.push(done),
            Err(error) => return Err(unmade((index, error), swapped, pages)),
        }
    }
    for index in 0..swapped.len() {
        let settled = swapped.get_mut(index).map_or(Ok(()), Swapped::settle);
        if let Err(error) = settled {
            return Err(unmade((index, error), swapped, pages));
        }
    }
    let name = call_name();
    let made = steps.into_iter().zip(swapped).map(|(step, swapped)| match swapped.finish() {
        Ok(finished) => Ok(remember(call, step, finished.made.len(), &name)),
        Err(error) => Err(fault(error.named(&name_of(&step.page)))),
    });
    Ok(made.collect())
}

/// Puts back what was put in its place already, the last first; what cannot be is told under its own name.
fn unmade((index, error): (usize, readstone_host::Error), swapped: Vec<Swapped>, pages: Vec<Page>) -> Unmade {
    let mut failed: Vec<(usize, readstone_host::Error)> = Vec::new();
    for (at, swapped) in swapped.into_iter().enumerate().rev() {
        failed.extend(swapped.back().err().map(|error| (at, error)));
    }
    let again = failed.is_empty() && matches!(error, readstone_host::Error::Changed { .. });
    // A file that could not be put back is changed, whatever else is to be said of it.
    if failed.iter().all(|(at, _)| *at != index) {
        failed.push((index, error));
    }
    let named = |(index, error): (usize, readstone_host::Error)| {
        let spelled = pages.get(index).map(name_of).unwrap_or_default();
        (index, fault(error.named(&spelled)))
    };
    let failed = failed.into_iter().map(named).collect();
    Unmade { failed, again, pages: pages.into_iter().map(withheld).collect() }
}

/// A page of something that was not done because something else could not be.
pub(crate) fn withheld(mut page: Page) -> Page {
    // Nobody has the version that would be there.
    (page.editable, page.version) = (false, None);
    if let Some(change) = &mut page.change {
        change.effect = Outcome::Withheld;
        change.rows.clear();
    }
    page
}

/// What the caller calls something.
fn name_of(page: &Page) -> String {
    page.path.clone().unwrap_or_else(|| page.address.clone())
}

/// Writes the new content beside the file.
fn prepare(budget: &Budget, draft: Draft<'_>, durable: Durable) -> Result<(Step, Prepared), readstone_host::Error> {
    let Draft { page, held, expected, mut content, backing, known, undo, undo_path } = draft;
    let mut version = None;
    let original = held.mask().map(|mask| Arc::clone(mask.original()));
    let prepared = if matches!(content, Content::Gone) {
        held.prepare_removal(durable)?
    } else {
        let mode = if matches!(content, Content::Script(_)) { Mode::Executable } else { Mode::Usual };
        let mut write = |out: &mut dyn Write| {
            let mut sink = Sink { out, hasher: blake3::Hasher::new() };
            put(&mut content, &mut sink, budget)?;
            version = Some(Version::from_bytes(*sink.hasher.finalize().as_bytes()));
            Ok(())
        };
        held.prepare(New { write: &mut write, mode, durable })?
    };
    // The version that is told, and kept, is that of what is shown.
    let version = if original.is_some() { page.version } else { version };
    Ok((Step { page, expected, original, version, rest: Rest { backing, known, undo, undo_path } }, prepared))
}

/// Hashes what passes.
struct Sink<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn put(content: &mut Content<'_>, sink: &mut Sink<'_>, budget: &Budget) -> io::Result<()> {
    match content {
        Content::Whole(bytes) | Content::Script(bytes) => sink.write_all(bytes),
        Content::Made(make) => make(sink),
        Content::Gone => Ok(()),
        Content::Spliced { blob, size, splices } => {
            let mut at = 0;
            for splice in splices {
                copy(&**blob, at..splice.range.start, sink, budget)?;
                sink.write_all(&splice.bytes)?;
                at = splice.range.end;
            }
            copy(&**blob, at..*size, sink, budget)
        }
    }
}

fn copy(blob: &dyn Blob, range: std::ops::Range<u64>, sink: &mut Sink<'_>, budget: &Budget) -> io::Result<()> {
    let mut at = range.start;
    while at < range.end {
        budget.check_heavy().map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        let piece = blob.read_range(at, range.end.min(at + PIECE))?;
        if piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sink.write_all(&piece)?;
        at += piece.len() as u64;
    }
    Ok(())
}

/// Whether a file still has the bytes that a change was made up for: their hash says so.
fn is_as_expected(step: &Step, blob: &dyn Blob, untimed: &Budget) -> io::Result<bool> {
    match (step.expected, &step.original) {
        (Expected::Nothing, _) => Ok(false),
        (Expected::Version(_), Some(original)) => Ok(blob.read_range(0, original.len() as u64 + 1)? == **original),
        (Expected::Version(version), None) => {
            Ok(readstone_source::version_of_blob(blob, untimed)?.is_ok_and(|now| now == version))
        }
    }
}

/// Keeps the new version and what undoes the change.
fn remember(call: &Call<'_>, step: Step, folders: usize, name: &str) -> Page {
    let Step { mut page, expected, version, original: _, rest: Rest { backing, known, undo, undo_path } } = step;
    if let Some((version, backing)) = version.zip(backing) {
        shown::keep_lines(call, version, &backing, known);
    }
    page.version = version;
    // The folder of a session is nobody's business.
    let internal = name_of(&page).contains("://");
    if let Some(change) = page.change.as_mut().filter(|_| folders > 0 && !internal) {
        change.warnings.push(Warning::Folders { count: folders as u64 });
    }
    let before = match expected {
        Expected::Nothing => None,
        Expected::Version(version) => Some(version),
    };
    let splices = match undo {
        Reversal::By(splices) => Some(splices),
        Reversal::Not(_) => None,
        Reversal::Itself => return page,
    };
    let path = undo_path.unwrap_or_else(|| name_of(&page));
    let record = Record { path, before, after: version, splices, call: name.to_owned() };
    if let (Some(why), Some(change)) = (record.keep(call), &mut page.change) {
        change.warnings.push(Warning::NotKept(why));
    }
    page
}

/// What tells a call from all others.
pub(crate) fn call_name() -> String {
    let [first, second, third, fourth, ..] = readstone_host::random_seed();
    u32::from_be_bytes([first, second, third, fourth]).to_string()
}
