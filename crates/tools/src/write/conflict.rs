//! Resolutions of merge conflicts.

use std::cell::OnceCell;
use std::collections::HashMap;

use readstone_base::{Class, Fault, Span, conflict_marker};
use readstone_edit::{Place, Placed};
use readstone_host::Held;
use readstone_resource::ConflictRecord;
use readstone_source::{Drawer, Drawers as _};

use super::WriteInput;
use super::file::conditional;
use super::place::unfit;
use crate::call::Call;
use crate::change::{Aim, Basis, ChangeError, Draft, Operations, aim, change_lines, hold_all};
use crate::conflicts::regions;
use crate::error::fault;

/// The changes that resolve a conflict, or all of them.
pub(super) fn drafts<'a>(call: &Call<'_>, input: &WriteInput, which: &str) -> Result<Vec<Draft<'a>>, Fault> {
    let address = format!("conflict://{which}");
    let records = records(call, &address, which)?;
    let mut files: Vec<(Aim, Vec<ConflictRecord>)> = Vec::new();
    for record in records {
        let aim = match aim(call, &record.path) {
            Ok(aim) => aim,
            Err(error) if which == ALL && error.class() == Class::Missing => continue,
            Err(error) if error.class() == Class::Missing => {
                return Err(fault(ChangeError::Gone { path: record.path.clone() }));
            }
            Err(error) => return Err(error),
        };
        // One file may have been shown under several names.
        let same = |(other, _): &&mut (Aim, Vec<ConflictRecord>)| {
            other.real == aim.real || (aim.identity.is_some() && other.identity == aim.identity)
        };
        match files.iter_mut().find(same) {
            Some((_, records)) => records.push(record),
            None => files.push((aim, vec![record])),
        }
    }
    let held = hold_all(call, &files.iter().map(|(aim, _)| aim).collect::<Vec<_>>());
    let mut drafts = Vec::with_capacity(files.len());
    let twins = Twins { call, known: OnceCell::new() };
    for ((aim, records), held) in files.iter().zip(held) {
        match draft(&twins, input, (aim, held?), records)? {
            Some(draft) => drafts.push(draft),
            // Of many, those are passed over that are no longer there.
            None if which == ALL => {}
            None => return Err(fault(ChangeError::NoConflict { path: aim.path.clone() })),
        }
    }
    if drafts.is_empty() {
        return Err(unfit(&address, "no conflict that was shown is still there; path:conflicts shows those of a file"));
    }
    Ok(drafts)
}

/// The sides of a conflict that stand for their text.
const SIDES: [&str; 4] = ["@ours", "@theirs", "@base", "@both"];

/// Stands for every conflict that was shown.
const ALL: &str = "*";

/// A conflict that was shown and not resolved here.
fn kept(call: &Call<'_>, name: &str) -> Option<ConflictRecord> {
    serde_json::from_slice(&call.session.get(Drawer::Conflicts, name)?).ok()
}

/// All of these.
fn all(call: &Call<'_>) -> Vec<ConflictRecord> {
    call.session.names(Drawer::Conflicts).iter().filter_map(|name| kept(call, name)).collect()
}

/// Forgets conflicts that were resolved: their numbers mean nothing any more.
pub(super) fn forget(call: &Call<'_>, which: &str) {
    let all = call.session.names(Drawer::Conflicts);
    for name in all.iter().filter(|name| which == ALL || name.as_str() == which) {
        call.session.put(Drawer::Conflicts, name, b"");
    }
}

/// The conflicts that an address names.
fn records(call: &Call<'_>, address: &str, which: &str) -> Result<Vec<ConflictRecord>, Fault> {
    if which == ALL {
        return Ok(all(call));
    }
    if which.contains('/') {
        return Err(unfit(address, "the sides of a conflict are only read; conflict://ID is written"));
    }
    let record = kept(call, which).ok_or_else(|| {
        unfit(address, "no conflict with this number stands open; path:conflicts shows those of a file")
    })?;
    Ok(vec![record])
}

/// The change that resolves conflicts of one file; none when they are no longer there.
fn draft<'a>(
    twins: &Twins<'_>,
    input: &WriteInput,
    (aim, held): (&Aim, Held),
    records: &[ConflictRecord],
) -> Result<Option<Draft<'a>>, Fault> {
    let call = twins.call;
    let gone = || fault(ChangeError::Gone { path: aim.path.clone() });
    let basis = Basis::of(call, aim, held.blob().ok_or_else(gone)?)?;
    conditional(call, input, (&aim.path, Some(&aim.real)), Some(basis.version))?;
    let text = basis.characters();
    let regions: Vec<_> = regions(&text).into_iter().map(|(span, text)| (span, without_ends(text))).collect();
    let (mut placed, mut lost) = (Vec::<Placed>::new(), false);
    for record in records {
        let Some(span) = standing(record, &regions, twins) else {
            lost = true;
            continue;
        };
        if placed.iter().any(|other| other.place == Place::Lines(span)) {
            continue;
        }
        placed.push(Placed { line: 0, place: Place::Lines(span), body: resolution(input, record)? });
    }
    // One that is gone was resolved elsewhere; one that is there in other words would be left behind unseen.
    if lost && regions.len() > placed.len() {
        return Err(fault(ChangeError::NoConflict { path: aim.path.clone() }));
    }
    if placed.is_empty() {
        return Ok(None);
    }
    placed.sort_by_key(|placed| if let Place::Lines(span) = placed.place { span.first } else { 0 });
    let known = call.session.shown(&aim.real, &basis.version).unwrap_or_default();
    let operations = Operations { placed, blocks: Vec::new(), recovered: None, known: Some(known) };
    change_lines(call, (aim, &basis), operations, (held, basis.tag())).map(Some).map_err(|refusal| refusal.error)
}

/// How many conflicts of a path that were shown have the same lines; counted once, when that is first asked.
struct Twins<'a> {
    call: &'a Call<'a>,
    known: OnceCell<HashMap<(String, String), usize>>,
}

impl Twins<'_> {
    /// Whether no other conflict that was shown could be taken for this one.
    fn has_none(&self, record: &ConflictRecord) -> bool {
        let key = |record: &ConflictRecord| (record.path.clone(), without_ends(&record.text).join("\n"));
        let known = self.known.get_or_init(|| {
            let mut known = HashMap::new();
            for record in all(self.call) {
                *known.entry(key(&record)).or_default() += 1;
            }
            known
        });
        // It is among them itself.
        known.get(&key(record)).is_none_or(|count| *count <= 1)
    }
}

/// Where a conflict stands: where it was shown, or the only place that has its text, if no other had it.
fn standing(record: &ConflictRecord, regions: &[(Span, Vec<&str>)], twins: &Twins<'_>) -> Option<Span> {
    let own = without_ends(&record.text);
    let mut same = regions.iter().filter(|(_, text)| *text == own);
    let first = same.clone().find(|(span, _)| span.first == record.first);
    match (first, same.next(), same.next()) {
        (Some((span, _)), ..) => Some(*span),
        (None, Some((span, _)), None) if twins.has_none(record) => Some(*span),
        (None, ..) => None,
    }
}

fn without_ends(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The lines that take the place of a conflict.
fn resolution(input: &WriteInput, record: &ConflictRecord) -> Result<Vec<String>, Fault> {
    let words: Vec<&str> = input.content.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // A line of code may be one word with this sign before it: where the conflict has such a line, that is meant.
    let is_line = |word: &str| record.text.lines().any(|line| line.trim() == word);
    if let [word] = words.as_slice()
        && word.len() > 1
        && word.starts_with('@')
        && !word.contains(char::is_whitespace)
        && !SIDES.contains(word)
        && !is_line(word)
    {
        return Err(unfit(word, "a side is @ours, @theirs, @base or @both"));
    }
    if !words.is_empty() && words.iter().all(|word| SIDES.contains(word)) {
        let mut text = String::new();
        for word in words {
            text.push_str(&side(word, record)?);
        }
        return Ok(text.lines().map(str::to_owned).collect());
    }
    if input.path.ends_with("://*") {
        let why = "all conflicts together take @ours, @theirs, @base or @both; text resolves one of them";
        return Err(unfit(&input.path, why));
    }
    if input.content.lines().any(|line| matches!(conflict_marker(line), Some('<' | '>'))) {
        return Err(unfit(&input.path, "the content still holds markers of a conflict"));
    }
    Ok(input.content.lines().map(str::to_owned).collect())
}

/// A side of a conflict by its word.
fn side(word: &str, record: &ConflictRecord) -> Result<String, Fault> {
    match word {
        "@ours" => Ok(record.ours.clone()),
        "@theirs" => Ok(record.theirs.clone()),
        "@both" => Ok(format!("{}{}", record.ours, record.theirs)),
        "@base" => {
            let address = format!("{}:{}-{}", record.path, record.first, record.last);
            record.base.clone().ok_or_else(|| unfit(&address, "the markers of this conflict show no base"))
        }
        _ => Err(unfit(word, "a side is @ours, @theirs, @base or @both")),
    }
}
