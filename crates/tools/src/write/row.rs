//! A row of a database.

use std::fmt::Write as _;

use readstone_base::{Change, Done, Fault, Kind, Outcome, Page, Tag, Warning};
use readstone_formats::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row};
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
    let wanted = Wanted::of(input, target)?;
    let judge: Option<&dyn RowJudge> = if let Some(wanted) = &wanted { Some(wanted) } else { None };
    let write = RowWrite {
        path: &target.real,
        identity: stamp.map(|stamp| stamp.identity),
        database: &target.path,
        tail,
        content: &input.content,
        effect,
        judge,
    };
    let written = write_row(&write, call.limits, call.budget)?;
    if written.done == RowDone::Refused {
        let asked = wanted.map(|wanted| wanted.to_string()).unwrap_or_default();
        let now = written.before.as_ref().map(tag_of);
        return Err(fault(ChangeError::OtherVersion { path: input.path.clone(), asked, now }));
    }
    let mut change = Change::new(match written.done {
        RowDone::Inserted => Done::Create,
        RowDone::Updated | RowDone::NoneUpdated | RowDone::NoneDeleted | RowDone::Ignored | RowDone::Refused => {
            Done::Update
        }
        RowDone::Deleted => Done::Delete,
    });
    if input.dry_run {
        change.effect = Outcome::Shown;
    }
    change.summary = Some(summary(input, &written));
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

/// What a row must be to be written.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Nothing,
    Tag(Tag),
}

impl Wanted {
    fn of(input: &WriteInput, target: &Target) -> Result<Option<Self>, Fault> {
        let Some(asked) = &input.if_tag else { return Ok(None) };
        let asked = asked.trim().trim_start_matches('#');
        if asked.eq_ignore_ascii_case("new") {
            return Ok(Some(Self::Nothing));
        }
        let unknown = "if_tag takes the tag of a row, as a write of it showed it, or `new`";
        asked.parse().map(|tag| Some(Self::Tag(tag))).map_err(|()| unfit(&target.path, unknown))
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => f.write_str("that of a new row"),
            Self::Tag(tag) => write!(f, "#{tag}"),
        }
    }
}

impl RowJudge for Wanted {
    fn accepts(&self, before: Option<&RowText>) -> bool {
        match self {
            Self::Nothing => before.is_none(),
            Self::Tag(tag) => before.is_some_and(|row| tag_of(row) == *tag),
        }
    }
}

/// What became of a row.
fn summary(input: &WriteInput, written: &RowWritten) -> String {
    let RowWritten { done, table, before, after, .. } = written;
    let key = written.key.as_ref().map(|key| format!(" '{key}'")).unwrap_or_default();
    let form = written.expected.as_ref().map(|form| format!("; the key is {form}")).unwrap_or_default();
    let mut text = match done {
        RowDone::Inserted => format!("{} row{key} into {table}", input.says("Inserted", "Would insert")),
        RowDone::Updated if written.columns.is_empty() => {
            format!("Row{key} in {table} already has these values")
        }
        RowDone::Updated => {
            format!("{} row{key} in {table}: {}", input.says("Updated", "Would update"), written.columns.join(", "))
        }
        RowDone::Deleted => format!("{} row{key} from {table}", input.says("Deleted", "Would delete")),
        RowDone::NoneUpdated => {
            format!("No row{key} in {table}: nothing was updated{form}. A new row is written to {table}")
        }
        RowDone::NoneDeleted => format!("No row{key} in {table}: nothing was deleted{form}"),
        RowDone::Refused | RowDone::Ignored => format!("A trigger of {table} kept the row from being written"),
    };
    let same = before.as_ref().zip(after.as_ref()).is_some_and(|(before, after)| before.json == after.json);
    for (word, row) in [("was", before.as_ref().filter(|_| !same)), ("is", after.as_ref())] {
        if let Some(row) = row {
            let cut = if row.whole { "" } else { " (in part)" };
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{word} #{}{cut}: {}", tag_of(row), row.json);
        }
    }
    text
}
