//! What an edit or a write did, in words.

use std::fmt::Write as _;

use readstone_base::{
    Change, DiffRow, DiffSign, Hand, NotKept, Outcome, Page, Part, Receipt, Reply, Shift, Status, Target, TargetError,
    Visible, Warning,
};

use crate::failure::error_text;
use crate::notes::{self, masked};
use crate::receipt::{of_failure, of_page};
use crate::size;
use crate::summary::summary;

/// Blocks of one file of which the lines are told.
const MOST_BLOCKS: usize = 100;

/// What became of one thing that a call was to change.
#[derive(Debug)]
pub enum Changed {
    /// It was changed, or would be.
    Done(Box<Page>),
    /// It was not, and why; with what is there now, where that helps.
    Refused {
        /// Its address.
        address: String,
        /// Why.
        error: TargetError,
        /// What is there now.
        page: Option<Box<Page>>,
    },
}

/// The reply of a call that changes things. When one of them is refused, nothing was changed.
pub fn changed(tool: &'static str, all: &[Changed]) -> Reply {
    let mut text = String::new();
    let mut targets = Vec::with_capacity(all.len());
    let mut first = None;
    for one in all {
        match one {
            Changed::Refused { address, error, page } => {
                let section = error_text(error) + &page.as_deref().map(section).unwrap_or_default();
                targets.push(refusal(address, error, page.as_deref(), &section));
                text.push_str(&section);
                first = first.or(Some(error));
            }
            Changed::Done(page) => {
                let section = section(page);
                targets.push(of_page(page, &section));
                text.push_str(&section);
            }
        }
    }
    let withheld: Vec<_> = all.iter().filter_map(withheld).collect();
    if !withheld.is_empty() {
        // Writing to a String cannot fail.
        let stuck =
            all.iter().any(|one| matches!(one, Changed::Refused { error, .. } if error.code == "host.not_put_back"));
        let words = if stuck { "not applied" } else { "nothing was applied; not at fault" };
        let _ = writeln!(text, "[{words}: {}]", withheld.join(", "));
    }
    let status = first.map_or(Status::Ok, |error| Status::Error(error.class));
    let receipt = Receipt { tool, targets, found: None, error: first.cloned() };
    Reply { status, parts: vec![Part::Text(text)], receipt }
}

/// The account of something that was refused: what is there now is told beside the error.
fn refusal(address: &str, error: &TargetError, page: Option<&Page>, text: &str) -> Target {
    let failure = of_failure(address, error, text);
    match page {
        Some(page) => Target { error: failure.error, ..of_page(page, text) },
        None => failure,
    }
}

/// The path of something that was held back because something else was refused.
fn withheld(one: &Changed) -> Option<String> {
    let Changed::Done(page) = one else { return None };
    let change = page.change.as_ref().filter(|change| change.effect == Outcome::Withheld);
    change.map(|_| Visible::of(page.path.as_deref().unwrap_or(&page.address)).text.into_owned())
}

fn section(page: &Page) -> String {
    let Some(change) = &page.change else { return String::new() };
    if change.effect == Outcome::Withheld && change.rows.is_empty() {
        return String::new();
    }
    let path = Visible::of(page.path.as_deref().unwrap_or(&page.address)).text;
    let tag = page.tag().filter(|_| page.editable).map(|tag| format!("#{tag}")).unwrap_or_default();
    let mut text = format!("¶{path}{tag}\n");
    for line in summary(page).iter().flat_map(|words| words.lines()) {
        let _ = writeln!(text, "{}", Visible::of(line).text);
    }
    for block in change.blocks.iter().take(MOST_BLOCKS) {
        let (operation, lines) = (&block.operation, block.lines);
        let count = size::count(lines.count(), "line");
        let _ = writeln!(text, "{operation} → resolved lines {}-{} ({count})", lines.first, lines.last);
    }
    if let Some(more) = change.blocks.len().checked_sub(MOST_BLOCKS).filter(|more| *more > 0) {
        let _ = writeln!(text, "… {}", size::count(more as u64, "more block"));
    }
    for row in &change.rows {
        push_row(&mut text, row);
    }
    if let Some(line) = line(page, change) {
        let _ = writeln!(text, "[{line}]");
    }
    if !change.warnings.is_empty() {
        text.push_str("Warnings:\n");
        for warning in &change.warnings {
            let _ = writeln!(text, "{}", words(warning).1);
        }
    }
    text
}

/// `-N:` before a line that went, `+N:` before one that came, ` N:` before one beside it, `*N:` before one that was named.
fn push_row(text: &mut String, row: &DiffRow) {
    let cut = if row.cut { "…" } else { "" };
    let _ = match row.sign {
        DiffSign::Gone(number) => writeln!(text, "-{number}:{}{cut}", row.text),
        DiffSign::New(number) => writeln!(text, "+{number}:{}{cut}", row.text),
        DiffSign::Same(number) => writeln!(text, " {number}:{}{cut}", row.text),
        DiffSign::Named(number) => writeln!(text, "*{number}:{}{cut}", row.text),
        DiffSign::MoreGone(count) => writeln!(text, "-… {}", size::count(count, "more line")),
        DiffSign::MoreNew(count) => writeln!(text, "+… {}", size::count(count, "more line")),
    };
}

/// The line behind the rows; none when nothing need be said.
fn line(page: &Page, change: &Change) -> Option<String> {
    let mut parts = Vec::new();
    if change.effect == Outcome::Shown {
        parts.push("dry run: nothing was written".to_owned());
    }
    if !change.shifts.is_empty() {
        parts.push(moved(&change.shifts));
    }
    parts.extend(page.notes.iter().map(|note| notes::words(note, page).1));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// How lines moved: `lines after 105: +2, after 300: -1`.
fn moved(shifts: &[Shift]) -> String {
    let part = |shift: &Shift| match shift.by {
        0 => format!("after {}: as before", shift.after),
        by => format!("after {}: {by:+}", shift.after),
    };
    format!("lines {}", shifts.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// The code and the words of a warning.
pub(crate) fn words(warning: &Warning) -> (&'static str, String) {
    match warning {
        Warning::BareRows { count } => (
            "edit.bare_rows",
            format!(
                "{} taken for text; begin every row with +",
                size::counted(*count, "row without + was", "rows without + were")
            ),
        ),
        Warning::Recovered { tag, by: Hand::Session } => (
            "edit.recovered",
            format!(
                "the file was changed after #{tag} by this session; the operations were carried over to the same \
                 lines, where they stand now. Use the tag above from here on"
            ),
        ),
        Warning::Recovered { tag, by: Hand::Other } => (
            "edit.recovered",
            format!(
                "the file was changed after #{tag} by somebody else, in other lines; the operations were carried over \
                 to the same lines, where they stand now. Look at the rows above before going on"
            ),
        ),
        Warning::LinksBroken { count } => (
            "write.links_broken",
            format!(
                "the file had {} the old text",
                size::counted(*count, "other name, which keeps", "other names, which keep")
            ),
        ),
        Warning::LinkedEntries { count } => (
            "archive.linked",
            format!(
                "{} to it in the archive, which now mean the new text",
                size::counted(*count, "entry links", "entries link")
            ),
        ),
        Warning::Generated { marker } => (
            "write.generated",
            format!("the file says that it is generated ({}); the change may be lost", Visible::of(marker).text),
        ),
        Warning::Stripped { lines } => (
            "write.stripped",
            format!("a pasted header and the numbers before {} were taken away", size::count(*lines, "line")),
        ),
        Warning::Executable => ("write.executable", "the file is executable, for it begins with #!".to_owned()),
        Warning::Folders { count } => {
            ("write.folders", format!("{} made", size::counted(*count, "directory was", "directories were")))
        }
        Warning::Triggered { rows, tables } => ("database.triggered", triggered(*rows, tables)),
        Warning::Masked { count } => ("host.masked", masked(*count)),
        Warning::NotKept(why) => {
            let why = match why {
                NotKept::Large(limit) => format!("what was replaced is too large to be kept ({limit})"),
                NotKept::Secret => "nothing of a secret is kept".to_owned(),
                NotKept::NoRoom => "there is no room to keep what was replaced".to_owned(),
            };
            ("write.not_kept", format!("{why}: the change cannot be undone"))
        }
    }
}

/// That triggers changed further rows, and where.
fn triggered(rows: u64, tables: &[(String, u64)]) -> String {
    let tables: Vec<String> =
        tables.iter().map(|(table, count)| format!("{count} in {}", Visible::of(table).text)).collect();
    let of = if tables.is_empty() { String::new() } else { format!(" ({})", tables.join(", ")) };
    format!("triggers changed {}{of}", size::count(rows, "further row"))
}
