//! A row of a database.

use readstone_base::{Blob as _, Change, Done, Fault, Kind, Outcome, Page, Tag, Warning};
use readstone_formats::{RowDone, RowEffect, RowText, RowWrite, RowWritten, write_row};
use readstone_view::Sheet;

use super::WriteInput;
use super::place::{Target, unfit};
use crate::call::Call;
use crate::change::ChangeError;
use crate::error::fault;
use crate::target::bare;

/// Writes a row, in one transaction of the database.
pub(super) fn write(call: &Call<'_>, input: &WriteInput, target: &Target, tail: &str) -> Result<Page, Fault> {
    let stamp = target.blob.as_ref().and_then(|blob| blob.stamp_when_opened().ok().flatten());
    let effect = if input.dry_run { RowEffect::Dry } else { RowEffect::Real };
    let only_if = |before: Option<&RowText>| accepted(input, target, before);
    let write = RowWrite {
        path: &target.real,
        identity: stamp.map(|stamp| stamp.identity),
        database: &target.path,
        tail,
        content: &input.content,
        effect,
        only_if: &only_if,
    };
    let written = write_row(&write, call.limits, call.budget)?;
    let mut change = Change::new(match written.done {
        RowDone::Inserted => Done::Create,
        RowDone::Updated | RowDone::NoneUpdated | RowDone::NoneDeleted | RowDone::Ignored => Done::Update,
        RowDone::Deleted => Done::Delete,
    });
    if input.dry_run {
        change.effect = Outcome::Shown;
    }
    change.summary = Some(summary(&written));
    if written.triggered_rows > 0 {
        let (rows, tables) = (written.triggered_rows, written.triggered.clone());
        change.warnings.push(Warning::Triggered { rows, tables });
    }
    let key = written.key.as_ref().map(|key| format!(":{key}")).unwrap_or_default();
    Ok(Page {
        tool: "write",
        address: input.path.clone(),
        path: Some(format!("{}{key}", written.table)),
        change: Some(change),
        ..bare(Kind::Table, Sheet::default())
    })
}

/// The tag of a row: that of the text it is shown as where it is written.
fn tag_of(row: &RowText) -> Tag {
    Tag::of(&readstone_source::version_of(row.json.as_bytes()))
}

/// Whether a row is what the caller thinks it is.
fn accepted(input: &WriteInput, target: &Target, before: Option<&RowText>) -> Result<(), Fault> {
    let Some(asked) = &input.if_tag else { return Ok(()) };
    let asked = asked.trim().trim_start_matches('#');
    let now = before.map(tag_of);
    let other = |asked| Err(fault(ChangeError::OtherVersion { path: input.path.clone(), asked, now }));
    if asked.eq_ignore_ascii_case("new") {
        return if now.is_none() { Ok(()) } else { other("that of a new row".to_owned()) };
    }
    match asked.parse::<Tag>() {
        Ok(wanted) if now == Some(wanted) => Ok(()),
        Ok(wanted) => other(format!("#{wanted}")),
        Err(()) => Err(unfit(&target.path, "if_tag takes the tag of a row, as a write of it showed it, or `new`")),
    }
}

/// What became of a row.
fn summary(written: &RowWritten) -> String {
    let RowWritten { done, table, before, after, .. } = written;
    let key = written.key.as_ref().map(|key| format!(" '{key}'")).unwrap_or_default();
    let none = |what: &str| {
        let expected = written.expected.as_ref().map(|form| format!("; a key looks like {form}")).unwrap_or_default();
        format!("No row{key} in {table}: nothing was {what}{expected}")
    };
    let mut text = match done {
        RowDone::Inserted => format!("Inserted row{key} into {table}"),
        RowDone::Updated if written.columns.is_empty() => {
            format!("Row{key} in {table} already has these values")
        }
        RowDone::Updated => format!("Updated row{key} in {table}: {}", written.columns.join(", ")),
        RowDone::Deleted => format!("Deleted row{key} from {table}"),
        RowDone::NoneUpdated => none("updated"),
        RowDone::NoneDeleted => none("deleted"),
        RowDone::Ignored => format!("A trigger of {table} kept the row from being written"),
    };
    for (word, row) in [("was", before), ("is", after)] {
        if let Some(row) = row {
            let cut = if row.whole { "" } else { " (in part)" };
            text.push_str(&format!("\n{word} #{}{cut}: {}", tag_of(row), row.json));
        }
    }
    text
}
