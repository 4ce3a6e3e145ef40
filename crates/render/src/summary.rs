//! What a change came to, in words.

use std::fmt::Write as _;

use readstone_base::{Change, Done, EntryBefore, Outcome, Page, RowAct, RowSummary, Upshot, size_text};

use crate::size;

/// What is said of a change beside its rows.
pub(crate) fn summary(page: &Page) -> Option<String> {
    let change = page.change.as_ref()?;
    let name = page.path.as_deref().unwrap_or(&page.address);
    Some(match change.summary.as_ref()? {
        Upshot::Written { size, lines, encoding, ends } => {
            let verb = if change.done == Done::Create {
                said(change, "Created", "Would create")
            } else {
                said(change, "Wrote", "Would write")
            };
            let lines = lines.map(|lines| format!(", {}", size::count(lines, "line"))).unwrap_or_default();
            let encoding = encoding.map(|name| format!(", in {name}")).unwrap_or_default();
            let ends = ends.map(|name| format!(", with {name} as before")).unwrap_or_default();
            format!("{verb} {name}: {}{lines}{encoding}{ends}", size_text(*size))
        }
        Upshot::Entry { size, tag, before } => {
            let size = size_text(*size);
            let (wrote, created) = (said(change, "Wrote", "Would write"), said(change, "Created", "Would create"));
            match before {
                EntryBefore::Entry(old) => {
                    format!("{wrote} {name}: {size} (#{tag}) in the place of {}", size_text(*old))
                }
                EntryBefore::Archive => format!("{created} {name}: {size} (#{tag})"),
                EntryBefore::Nothing => format!("{created} {name}: {size} (#{tag}), in a new archive"),
            }
        }
        Upshot::Row(row) => of_row(change, row),
        Upshot::Same => format!("Nothing to write: {name} already has this content"),
        Upshot::TakenBack => format!("{} the last change of {name}", said(change, "Took back", "Would take back")),
        Upshot::Unmade => {
            let (verb, gone) = (said(change, "Took back", "Would take back"), said(change, "is", "would be"));
            format!("{verb} the making of {name}: it {gone} gone")
        }
        Upshot::GoneAlready => format!("{name} was made by the last change and is gone already"),
    })
}

/// One word for what was done, another for what would be.
fn said(change: &Change, done: &'static str, would: &'static str) -> &'static str {
    match change.effect {
        Outcome::Applied | Outcome::Withheld => done,
        Outcome::Shown => would,
    }
}

fn of_row(change: &Change, row: &RowSummary) -> String {
    let RowSummary { act, table, before, after, .. } = row;
    let key = row.key.as_ref().map(|key| format!(" '{key}'")).unwrap_or_default();
    let form = row.expected.as_ref().map(|form| format!("; the key is {form}")).unwrap_or_default();
    let mut text = match act {
        RowAct::Inserted => format!("{} row{key} into {table}", said(change, "Inserted", "Would insert")),
        RowAct::Updated if row.columns.is_empty() => format!("Row{key} in {table} already has these values"),
        RowAct::Updated => {
            format!("{} row{key} in {table}: {}", said(change, "Updated", "Would update"), row.columns.join(", "))
        }
        RowAct::Deleted => format!("{} row{key} from {table}", said(change, "Deleted", "Would delete")),
        RowAct::NoneUpdated => {
            format!("No row{key} in {table}: nothing was updated{form}. To insert a row, write to {table}")
        }
        RowAct::NoneDeleted => format!("No row{key} in {table}: nothing was deleted{form}"),
        RowAct::Ignored => format!("A trigger of {table} kept the row from being written"),
    };
    let same = before.as_ref().zip(after.as_ref()).is_some_and(|(before, after)| before.tag == after.tag);
    for (word, shot) in [("was", before.as_ref().filter(|_| !same)), ("is", after.as_ref())] {
        if let Some(shot) = shot {
            let cut = if shot.whole { "" } else { " (in part)" };
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{word} #{}{cut}: {}", shot.tag, shot.json);
        }
    }
    text
}
