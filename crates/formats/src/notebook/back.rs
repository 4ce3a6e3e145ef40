//! From the text back to a notebook: only what the text changes is written anew, everything else keeps its bytes.

use std::borrow::Cow;
use std::collections::HashSet;

use readstone_base::Limits;

use super::book::{Book, Cell, CellKind, Version};
use super::error::Error;
use super::form::{self, Block, Marker};
use super::json::Json;
use super::output::{Extent, Sheet};
use super::rewrite::Writer;

/// A notebook without cells.
const FRESH: &str = "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n";

/// Applies a text to the notebook it was made from, with the limits of [`Limits::default`].
pub fn to_notebook(text: &str, original: &[u8]) -> Result<Vec<u8>, Error> {
    to_notebook_within(text, original, &Limits::default())
}

/// A new notebook of a text.
pub fn new_notebook(text: &str) -> Result<Vec<u8>, Error> {
    to_notebook(text, FRESH.as_bytes())
}

/// Applies a text to the notebook it was made from under these limits.
///
/// A cell is the one its marker numbers; without a number, with one that is taken or that no cell has, it is new. Cells
/// whose markers are gone are removed, and the order is that of the text. Outputs stay as they are.
pub fn to_notebook_within(text: &str, original: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
    let book = Book::open(original)?;
    let cells = book.cells().collect::<Result<Vec<_>, _>>()?;
    let blocks = form::blocks(text).map_err(|error| unless_json(error, text))?;
    let wanted = wanted(&blocks, &book, cells.len())?;
    let kept: HashSet<usize> = wanted.iter().filter_map(|cell| cell.number).collect();
    for block in &blocks {
        let cell = |number: usize| cells.get(number).filter(|_| kept.contains(&number));
        check_section(block, cell, limits)?;
    }
    let mut writer = Writer::new(&book, &cells);
    let mut made = Vec::with_capacity(wanted.len());
    for cell in &wanted {
        let list = cell.number.and_then(|number| cells.get(number)).map(|cell| cell.list);
        made.push((list, writer.cell(cell)?));
    }
    let mut notebook = String::with_capacity(original.len() + text.len() / 4);
    notebook.push_str(if book.mark > 0 { "\u{FEFF}" } else { "" });
    let mut at = 0;
    for (list, made) in book.lists.iter().zip(by_list(made, &book)?) {
        notebook.push_str(book.text.get(at..list.at).unwrap_or_default());
        writer.list(&mut notebook, *list, &made);
        at = list.end();
    }
    notebook.push_str(book.text.get(at..).unwrap_or_default());
    Ok(notebook.into_bytes())
}

/// Why a text is no notebook: what was meant as JSON has no markers to be missed.
fn unless_json(error: Error, text: &str) -> Error {
    let json = text.trim_start().starts_with('{');
    json.then(|| Book::open(text.as_bytes()).err()).flatten().unwrap_or(error)
}

/// A cell as the text wants it.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Its number in the notebook; `None` when it is new.
    pub(super) number: Option<usize>,
    /// What it shall be.
    pub(super) kind: CellKind,
    /// Its source.
    pub(super) source: String,
}

fn wanted(blocks: &[Block<'_>], book: &Book<'_>, count: usize) -> Result<Vec<Wanted>, Error> {
    let mut taken = HashSet::new();
    let mut wanted = Vec::new();
    for block in blocks {
        let Marker::Cell(kind, number) = block.marker else {
            continue;
        };
        if book.version == Version::Four && matches!(kind, CellKind::Heading(_)) {
            return Err(Error::BadMarker { line: block.line, text: "# %% [heading]".to_owned() });
        }
        let number = number.filter(|number| *number < count && taken.insert(*number));
        wanted.push(Wanted { number, kind, source: form::source_of(block.body) });
    }
    Ok(wanted)
}

/// Outputs and attachments are either as they are shown, or the text is wrong.
fn check_section<'c, 'a: 'c>(
    block: &Block<'_>,
    kept: impl Fn(usize) -> Option<&'c Cell<'a>>,
    limits: &Limits,
) -> Result<(), Error> {
    let (Marker::Outputs(number) | Marker::Attachments(number)) = block.marker else {
        return Ok(());
    };
    let changed = || Error::OutputsChanged { line: block.line, cell: number };
    let cell = kept(number).ok_or_else(changed)?;
    let mut sheet = Sheet::new(Extent::Cut, limits);
    if matches!(block.marker, Marker::Outputs(_)) {
        sheet.outputs(cell, number)?;
    } else {
        sheet.attachments(cell, number);
    }
    let (_, shown) = sheet.out.split_once('\n').ok_or_else(changed)?;
    let same = block.body.trim_end_matches(['\n', '\r']) == shown.trim_end_matches(['\n', '\r']);
    if same { Ok(()) } else { Err(changed()) }
}

/// A cell that was written: the list it stood in, its JSON.
pub(super) type Made<'a> = (Option<usize>, Cow<'a, str>);

/// Shares cells out to the lists they stood in. The text orders them; a cell that comes later than one of a later list
/// joins that list, and a new one joins the list of the cell before it.
fn by_list<'a>(made: Vec<Made<'a>>, book: &Book<'_>) -> Result<Vec<Vec<Made<'a>>>, Error> {
    let mut lists: Vec<Vec<Made<'a>>> = book.lists.iter().map(|_| Vec::new()).collect();
    let mut current = 0;
    for cell in made {
        current = cell.0.map_or(current, |list| current.max(list));
        lists.get_mut(current).ok_or_else(|| Error::unsound("it has no worksheet that could hold a cell"))?.push(cell);
    }
    Ok(lists)
}

/// The names of cells.
pub(super) fn ids(cells: &[Cell<'_>]) -> HashSet<String> {
    let members = cells.iter().filter_map(|cell| cell.json.members()).flatten();
    members
        .filter(|member| member.key == "id")
        .filter_map(|member| Json::shown(member.value))
        .map(String::from)
        .collect()
}
