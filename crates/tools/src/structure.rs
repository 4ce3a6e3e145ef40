//! What is declared in a text, found out once and kept, and the pages that show it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Fault, Holds, Kind, NoOutline, Note, Span, Stamp, Version, holds};
use readstone_outline::{Item, Language, Outline, absent_feature};
use readstone_source::{Coding, Shelf as _};
use readstone_view::{Ask, Sheet, Structure, Text};

use crate::call::Call;
use crate::craft::{Tongue, parsed};
use crate::error::fault;

/// A text that is at hand whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<'a> {
    /// What it is called.
    pub(crate) name: &'a str,
    /// What it is, or was made from.
    pub(crate) kind: Kind,
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Their hash.
    pub(crate) version: Version,
}

/// Files with fewer lines are not summarised.
const FEWEST_LINES: u64 = 20;
/// Bytes an item takes in memory beside its texts, about.
const ITEM_BYTES: usize = 256;

/// What is kept of a text: its structure, or why there is none.
type Kept = Result<Arc<Outline>, NoOutline>;

/// The selected part of a text: by lines and bytes, by what it means, or in summary where it is too long for a page.
pub(crate) fn shown(
    call: &Call<'_>,
    text: &mut Text<'_>,
    whole: Option<&Whole<'_>>,
    ask: &Ask<'_>,
) -> Result<Sheet, Fault> {
    if ask.selector.is_by_meaning() {
        return by_meaning(call, text, whole, ask);
    }
    let mut sheet = readstone_view::show(text, ask).map_err(fault)?;
    let Some(whole) = whole.filter(|whole| whole.kind == Kind::Text && ask.selector.mode == Mode::Plain) else {
        return Ok(sheet);
    };
    match &ask.selector.select {
        Select::All if is_long(call, &sheet, ask) => match outline_of(call, &text.coding, whole) {
            Ok(outline) => {
                let characters = Characters::of(&*text.coding, whole.bytes);
                let known = characters.structure(&outline);
                if let Some(summary) = readstone_view::summary(text, &known, ask).map_err(fault)? {
                    return Ok(summary);
                }
            }
            Err(why @ (NoOutline::Slow(_) | NoOutline::Costly(_) | NoOutline::Deep | NoOutline::Failed)) => {
                sheet.notes.push(Note::NoOutline(why));
            }
            Err(NoOutline::Language | NoOutline::Feature(_) | NoOutline::Bare | NoOutline::Large(_)) => {}
        },
        Select::From(_) | Select::Range(_) | Select::Many(_) | Select::Around { .. } => {
            let note = within(call, text, whole, &sheet);
            sheet.notes.splice(0..0, note);
        }
        Select::All
        | Select::Last(_)
        | Select::Window { .. }
        | Select::Symbol(_)
        | Select::Block { .. }
        | Select::Rest { .. } => {}
    }
    Ok(sheet)
}

/// Whether a file does not fit on a page and is small enough for a summary. Who says how many lines to show wants lines.
fn is_long(call: &Call<'_>, sheet: &Sheet, ask: &Ask<'_>) -> bool {
    let limits = call.limits;
    let total = sheet.coverage.total;
    let (Some(lines), Some(bytes)) = (total.lines, total.bytes) else {
        return false;
    };
    let labels = lines.saturating_mul(u64::from(lines.max(1).ilog10()) + 1);
    // A client that takes less than a page is shown a summary earlier.
    let (page_lines, page_bytes) =
        (limits.page_lines.min(ask.room.client.rows), limits.page_bytes.min(ask.room.client.bytes));
    let long = lines > page_lines || bytes.saturating_add(labels) > page_bytes;
    let small = bytes <= limits.summary_file_bytes && lines <= limits.summary_file_lines;
    // A few long lines have nothing in them to fold.
    let several = lines >= FEWEST_LINES;
    long && small && several && !sheet.coverage.complete && ask.room.lines.is_none()
}

/// What lies around the lines on a page.
fn within(call: &Call<'_>, text: &Text<'_>, whole: &Whole<'_>, sheet: &Sheet) -> Option<Note> {
    let coverage = &sheet.coverage;
    let seen = coverage.shown.iter().chain(&coverage.context);
    let first = seen.map(|span| span.first).min().filter(|first| *first > 1)?;
    let last = coverage.shown.last()?.last;
    if whole.bytes.len() as u64 > call.limits.within_bytes {
        return None;
    }
    readstone_view::within(&*outline_of(call, &text.coding, whole).ok()?, Span::new(first, last))
}

/// The outline, or what is named by its meaning.
fn by_meaning(call: &Call<'_>, text: &mut Text<'_>, whole: Option<&Whole<'_>>, ask: &Ask<'_>) -> Result<Sheet, Fault> {
    let found = match whole {
        Some(whole) => outline_of(call, &text.coding, whole).map(|outline| (outline, whole)),
        None => Err(NoOutline::Large("edit_bytes")),
    };
    let why = match found {
        Ok((outline, whole)) if !outline.items.is_empty() || ask.selector.select.is_structural() => {
            let characters = Characters::of(&*text.coding, whole.bytes);
            let known = characters.structure(&outline);
            return readstone_view::structured(text, &known, ask).map_err(fault);
        }
        Ok(_) => NoOutline::Bare,
        Err(why) => why,
    };
    if ask.selector.select.is_structural() {
        return Err(fault(no_structure(why, ask)));
    }
    // Without an outline the text itself is the next best answer.
    let plain = Selector { mode: Mode::Plain, ..ask.selector.clone() };
    let mut sheet = readstone_view::show(text, &Ask { selector: &plain, ..*ask }).map_err(fault)?;
    sheet.notes.insert(0, Note::NoOutline(why));
    Ok(sheet)
}

fn no_structure(why: NoOutline, ask: &Ask<'_>) -> readstone_view::Error {
    let select = if let Select::Block { line, .. } = ask.selector.select { Select::From(line) } else { Select::All };
    let instead = join(ask.path, &Selector { select, mode: Mode::Plain });
    readstone_view::Error::NoStructure { path: ask.path.to_owned(), why, instead }
}

/// The characters of a text, without its byte order mark.
#[derive(Debug)]
pub(crate) struct Characters<'a> {
    pub(crate) text: Cow<'a, str>,
    mark: u64,
}

impl<'a> Characters<'a> {
    pub(crate) fn of(coding: &dyn Coding, bytes: &'a [u8]) -> Self {
        let mark = coding.mark();
        let behind = usize::try_from(mark).unwrap_or(0);
        Self { text: coding.decode(bytes.get(behind..).unwrap_or_default()).text, mark }
    }

    /// What of them is declared.
    pub(crate) fn structure(&'a self, outline: &'a Outline) -> Structure<'a> {
        // What was not changed by decoding has its lines where the file has them.
        let same = matches!(self.text, Cow::Borrowed(_));
        Structure::new(&self.text, outline, same.then_some(self.mark))
    }
}

/// What a text is in.
fn tongue(whole: &Whole<'_>) -> Option<Tongue> {
    match whole.kind {
        Kind::Text => language(whole.name, whole.bytes).map(Tongue::Of),
        Kind::Document | Kind::Web => Language::named("markdown").map(Tongue::Of),
        Kind::Notebook => Some(Tongue::Cells),
        Kind::Binary
        | Kind::Directory
        | Kind::Archive
        | Kind::Database
        | Kind::Table
        | Kind::Image
        | Kind::Unopened => None,
    }
}

/// The language of a text, by its name or its first line.
pub(crate) fn language(name: &str, bytes: &[u8]) -> Option<Language> {
    let (name, first_line) = marks(name, bytes);
    Language::of(name, first_line)
}

/// Why a text has no language.
pub(crate) fn no_language(name: &str, bytes: &[u8]) -> NoOutline {
    let (name, first_line) = marks(name, bytes);
    absent_feature(name, first_line).map_or(NoOutline::Language, NoOutline::Feature)
}

/// The name and the first line by which the language of a text is told.
fn marks<'a>(name: &'a str, bytes: &'a [u8]) -> (&'a str, &'a str) {
    // What a web address asks behind its path is no part of a name.
    let web = name.starts_with("http");
    let path = name.split(['?', '#']).next().filter(|_| web).unwrap_or(name);
    let name = path.rsplit([':', '/']).next().unwrap_or(path);
    // A compressed file is called like what is in it.
    let packed = name.rsplit_once('.').filter(|_| holds(name) == Some(Holds::Compressed)).map(|(inner, _)| inner);
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    (packed.unwrap_or(name), std::str::from_utf8(first).unwrap_or_default())
}

/// What is declared in a text; found out once for the same bytes.
pub(crate) fn outline_of(
    call: &Call<'_>,
    coding: &Arc<dyn Coding>,
    whole: &Whole<'_>,
) -> Result<Arc<Outline>, NoOutline> {
    let tongue = tongue(whole).ok_or_else(|| {
        if whole.kind == Kind::Text { no_language(whole.name, whole.bytes) } else { NoOutline::Language }
    })?;
    let stamp = Stamp::of_content(&whole.version, whole.bytes.len() as u64);
    let shelf = call.session.shelf();
    if let Some(kept) = shelf.take(stamp, tongue.name()).and_then(|kept| kept.downcast::<Kept>().ok()) {
        return Kept::clone(&kept);
    }
    let time = call.budget.within(Duration::from_millis(call.limits.outline_ms));
    let text = Characters::of(&**coding, whole.bytes).text;
    let kept: Kept = parsed(tongue, &text, call.works, &time).map(Arc::new);
    // With more time, or fewer others beside it, another call may do better.
    if !matches!(kept, Err(NoOutline::Slow(_))) {
        let size = kept.as_ref().map_or(0, |outline| size_of(outline));
        shelf.put(stamp, tongue.name(), Arc::new(Kept::clone(&kept)), size);
    }
    kept
}

/// What an outline takes in memory, about.
fn size_of(outline: &Outline) -> u64 {
    let item = |item: &Item| ITEM_BYTES + item.name.len() + item.fold.as_ref().map_or(0, String::len);
    let items: usize = outline.items.iter().map(item).sum();
    (items + 16 * outline.blocks.len()) as u64
}
