//! A row of a database.

use readstone_base::{Change, Done, Fault, Kind, Outcome, Page, RowAct, RowShot, RowSummary, Tag, Upshot, Warning};
use readstone_formats::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row_apart};
use readstone_view::Sheet;

use super::WriteInput;
use super::place::{Target, unfit};
use crate::call::Call;
use crate::change::{ChangeError, Record, call_name};
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
    let written = write_row_apart(&write, call.limits, (&**call.works, call.budget))?;
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
    change.summary = Some(Upshot::Row(summary(&written)));
    if written.triggered_rows > 0 {
        let (rows, tables) = (written.triggered_rows, written.triggered.clone());
        change.warnings.push(Warning::Triggered { rows, tables });
    }
    let key = written.key.as_ref().map(|key| format!(":{key}")).unwrap_or_default();
    let path = format!("{}{key}", written.table);
    let done = matches!(written.done, RowDone::Inserted | RowDone::Updated | RowDone::Deleted);
    if done && !input.dry_run {
        // It is not taken back, and nothing before it is in its place.
        let record = Record { path: path.clone(), before: None, after: None, splices: None, call: call_name() };
        let _ = record.keep(call);
    }
    Ok(Page {
        tool: "write",
        address: input.path.clone(),
        path: Some(path),
        change: Some(change),
        ..bare(Kind::Table, Sheet::default())
    })
}

/// The tag of a row: that of all its values.
fn tag_of(row: &RowText) -> Tag {
    Tag::of(&row.version)
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
fn summary(written: &RowWritten) -> RowSummary {
    let shot = |row: &RowText| RowShot { json: row.json.clone(), whole: row.whole, tag: tag_of(row) };
    RowSummary {
        act: match written.done {
            RowDone::Inserted => RowAct::Inserted,
            RowDone::Updated => RowAct::Updated,
            RowDone::Deleted => RowAct::Deleted,
            RowDone::NoneUpdated => RowAct::NoneUpdated,
            RowDone::NoneDeleted => RowAct::NoneDeleted,
            RowDone::Ignored | RowDone::Refused => RowAct::Ignored,
        },
        table: written.table.clone(),
        key: written.key.clone(),
        expected: written.expected.clone(),
        columns: written.columns.clone(),
        before: written.before.as_ref().map(shot),
        after: written.after.as_ref().map(shot),
    }
}
