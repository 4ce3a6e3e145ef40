//! `undo`: takes back the last change, when what was changed is still as it was made.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use readstone_base::{Backing, Change, Class, Done, Fault, Kind, Page, Reply, Splice, TargetError, Upshot, Version};
use readstone_edit::{apply, differences};
use readstone_host::{Held, Mask};
use readstone_render::{Changed, changed};
use readstone_source::Head;
use readstone_view::Sheet;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::{Call, Effect, Tool};
use crate::change::{
    Aim, ChangeError, Content, Draft, Expected, Form, Record, Reversal, Texts, Title, Unmade, Whole, aim, bytes_of,
    commit, forget, hold_all, last, masked_warning, there, told, version_now,
};
use crate::error::fault;
use crate::lined::Lined;
use crate::target::bare;
use crate::write::{only_shown, told as done};

/// The input of `undo`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoInput {
    /// The file whose last change is taken back; left out, all that the last call changed.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// Only show what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// The tool.
#[derive(Debug)]
pub(crate) struct Undo;

impl Tool for Undo {
    const NAME: &'static str = "undo";
    const TITLE: &'static str = "Undo a change";
    const ABOUT: &'static str = "\
        Takes back the last change that `edit` or `write` made in this session, byte by byte, if the file is still \
        as that change made it.\n\
        - Called again, it takes back the one before.\n\
        - With `path`, it takes back the last change of that file.\n\
        - Rows of databases are not taken back: write the values that the reply showed.";
    const EFFECT: Effect = Effect::Writes;
    type Input = UndoInput;

    fn run(call: &Call<'_>, input: UndoInput) -> Reply {
        match answer(call, &input) {
            Ok(all) => changed(Self::NAME, &all),
            Err(error) => readstone_render::failure(Self::NAME, TargetError::of(&*error)),
        }
    }
}

fn answer(call: &Call<'_>, input: &UndoInput) -> Result<Vec<Changed>, Fault> {
    let whole = if input.path.is_some() { Whole::File } else { Whole::Call };
    let mut asked = input.path.as_deref().map(|path| Asked::of(call, path));
    let wanted = |title: &Title| asked.as_mut().is_none_or(|asked| asked.is(call, &title.path));
    let records = last(call, input.path.as_deref().unwrap_or("the last change"), wanted, whole)?;
    if records.is_empty() {
        return Err(fault(ChangeError::NothingToUndo { path: input.path.clone() }));
    }
    if let Some((_, lost)) = records.iter().find(|(_, record)| record.splices.is_none()) {
        return Err(fault(ChangeError::NotUndoable { path: lost.path.clone() }));
    }
    let (mut all, mut aims) = (Vec::new(), Vec::new());
    // The last first, as they are kept; in the reply they stand as in the call.
    for (_, record) in records.iter().rev() {
        match aim(call, &record.path) {
            Ok(aim) => aims.push((aim, record)),
            Err(error) if error.class() == Class::Missing && record.before.is_none() => all.push(gone(record)),
            Err(error) if error.class() == Class::Missing => {
                return Err(fault(ChangeError::GoneSince { path: record.path.clone() }));
            }
            Err(error) => return Err(error),
        }
    }
    let held = hold_all(call, &aims.iter().map(|(aim, _)| aim).collect::<Vec<_>>());
    let mut drafts = Vec::with_capacity(aims.len());
    for ((aim, record), held) in aims.iter().zip(held) {
        drafts.push(draft(call, aim, held?, record)?);
    }
    if input.dry_run {
        all.extend(drafts.into_iter().map(|draft| done(only_shown(draft.page))));
        return Ok(all);
    }
    let made = commit(call, drafts).map_err(Unmade::error)?;
    for page in made {
        all.push(page.map(done)?);
    }
    for (name, _) in &records {
        forget(call, name);
    }
    Ok(all)
}

/// What is said of something that was made and is gone already.
fn gone(record: &Record) -> Changed {
    let change = Change { summary: Some(Upshot::GoneAlready), ..Change::new(Done::Delete) };
    let path = record.path.clone();
    let page = Page {
        tool: "undo",
        address: path.clone(),
        path: Some(path),
        change: Some(change),
        ..bare(Kind::Text, Sheet::default())
    };
    done(page)
}

/// The file whose last change is asked for.
struct Asked<'a> {
    path: &'a str,
    real: Option<PathBuf>,
    /// Paths of changes, and whether they lead to it.
    known: HashMap<String, bool>,
}

impl<'a> Asked<'a> {
    fn of(call: &Call<'_>, path: &'a str) -> Self {
        Self { path, real: real(call, path), known: HashMap::new() }
    }

    /// Whether another path leads to it.
    fn is(&mut self, call: &Call<'_>, other: &str) -> bool {
        // An entry is taken back with its archive.
        let inside = self.path.strip_prefix(other).is_some_and(|rest| rest.starts_with(':'));
        if self.path == other || inside {
            return true;
        }
        if self.real.is_none() {
            return false;
        }
        if let Some(known) = self.known.get(other) {
            return *known;
        }
        let same = real(call, other) == self.real;
        self.known.insert(other.to_owned(), same);
        same
    }
}

/// Where a path leads, without links.
fn real(call: &Call<'_>, path: &str) -> Option<PathBuf> {
    there(call, path).ok().flatten().map(|aim| aim.real)
}

/// The change that takes a change back.
fn draft<'a>(call: &Call<'_>, aim: &Aim, held: Held, record: &Record) -> Result<Draft<'a>, Fault> {
    let failed = |cause| readstone_formats::unreadable(&aim.path, cause);
    let stale = || fault(ChangeError::ChangedSince { path: aim.path.clone() });
    let blob = held.blob().cloned().ok_or_else(stale)?;
    let now = version_now(call, &aim.path, &*blob)?;
    if Some(now) != record.after {
        return Err(stale());
    }
    let size = blob.len().unwrap_or(0);
    let mut change = Change { before: Some(now), ..Change::new(Done::Restore) };
    let expected = Expected::Version(now);
    if record.before.is_none() {
        change.done = Done::Delete;
        change.summary = Some(Upshot::Unmade);
        let page = page(aim, change, None);
        let (backing, known) = (None, Vec::new());
        return Ok(Draft {
            page,
            held,
            expected,
            content: Content::Gone,
            backing,
            known,
            undo: Reversal::Itself,
            undo_path: None,
        });
    }
    let splices = bounded(record.splices.as_deref().unwrap_or_default(), size);
    let (mut editable, mut masked) = (true, None);
    let (content, backing) = if size <= call.limits.undo_bytes || held.mask().is_some() {
        let old = blob.read_range(0, size).map_err(failed)?;
        let made = held.mask().map(|mask| Mask::of(apply(mask.original(), &splices)));
        masked = made.as_ref().and_then(masked_warning);
        let whole = || Arc::new(apply(&old, &splices));
        let new = made.as_ref().map_or_else(whole, |made| Arc::clone(made.shown()));
        let original = made.map_or_else(|| Arc::clone(&new), |made| Arc::clone(made.original()));
        if Some(readstone_source::version_of(&new)) != record.before {
            return Err(stale());
        }
        // The lines of a notebook are those of its text, not of what it is stored as.
        editable = aim.form == Form::Notebook || tell(call, &mut change, &old, &new);
        let bytes = (editable && new.len() as u64 <= call.limits.edit_bytes).then(|| Arc::clone(&new));
        (
            Content::Whole(original),
            bytes.map(|bytes| Backing { path: aim.real.clone(), bytes: Some(bytes), known: Vec::new() }),
        )
    } else {
        (Content::Spliced { blob, size, splices }, None)
    };
    change.summary = Some(Upshot::TakenBack);
    change.warnings.extend(masked);
    let backing = backing.filter(|_| aim.secret.is_none());
    let page = Page { editable, ..page(aim, change, record.before) };
    Ok(Draft { page, held, expected, content, backing, known: Vec::new(), undo: Reversal::Itself, undo_path: None })
}

/// What is put back, where all of a file is meant by a range without an end.
fn bounded(splices: &[Splice], size: u64) -> Vec<Splice> {
    let bound = |splice: &Splice| Splice { range: splice.range.start..splice.range.end.min(size), ..splice.clone() };
    splices.iter().map(bound).collect()
}

fn page(aim: &Aim, change: Change, version: Option<Version>) -> Page {
    Page {
        tool: "undo",
        address: aim.path.clone(),
        path: Some(aim.path.clone()),
        version,
        editable: version.is_some(),
        change: Some(change),
        ..bare(Kind::Text, Sheet::default())
    }
}

/// What is said of the lines that come back and go; false when there are none.
fn tell(call: &Call<'_>, change: &mut Change, old: &[u8], new: &[u8]) -> bool {
    let coding = |bytes: &[u8]| {
        let text = Some(bytes).filter(|bytes| !readstone_formats::is_signed(bytes))?;
        readstone_formats::coding_of(&Head { bytes: text, samples: &[], size: text.len() as u64 })
    };
    let (Some(then), Some(now)) = (coding(old), coding(new)) else { return false };
    let (before, after) = (Lined::of(old, &*then), Lined::of(new, &*now));
    let places = differences(&before.texts(), &after.texts());
    let most = bytes_of(call.limits.diff_line_chars);
    let told = told(call, &places, &Texts { before: (&before, &*then), after: (&after, &*now), most });
    *change = Change { done: change.done, before: change.before, ..told };
    true
}
