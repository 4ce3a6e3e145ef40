//! YAML by hand: its lines say by their indents what lies in what, also where templates stand between them, and however
//! deep or long a file is.
//!
//! Keys are items. What lies in a list has no name; its parts are blocks. A document that says its kind and its name,
//! as those for Kubernetes do, is an item around its keys.

mod line;

use readstone_base::Span;

use crate::block::NoBlock;
use crate::fold::{Starts, fold};
use crate::item::{Item, MOST_DEPTH, MOST_ITEMS, MOST_NAME, Outline, Sort};
use crate::parse::Unparsed;
use crate::yaml::line::{Open, is_block_text, key};

/// Entries one inside the other.
const MOST_OPEN: usize = 500;
/// Parts of lists that begin on one line.
const MOST_PARTS: usize = 60;
/// Lines between two looks whether to go on.
const STRIDE: u64 = 4_096;

/// The structure of a text.
pub(crate) fn outline(text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed> {
    let starts = Starts::of(text);
    let entries = entries(text, &starts, stop)?;
    let mut outline = Outline { lines: starts.count(), ..Outline::default() };
    // Where the item of each entry stands, if it or one around it has one.
    let mut places: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let parent = entry.parent.and_then(|at| places.get(at).copied().flatten());
        let depth = parent.and_then(|at| outline.items.get(at)).map_or(0, |item| item.depth + 1);
        if outline.items.len() == MOST_ITEMS {
            outline.cut = Some(entry.lines.first);
            break;
        }
        let fits = depth < MOST_DEPTH && !entry.is_listed;
        let Some(name) = entry.name.clone().filter(|_| fits) else {
            if entry.lines.first < entry.lines.last && entry.is_first {
                outline.blocks.push(entry.lines);
            }
            places.push(parent);
            continue;
        };
        if let Some(parent) = parent.and_then(|at| outline.items.get_mut(at)) {
            parent.sort = Sort::Scope;
        }
        places.push(Some(outline.items.len()));
        outline.items.push(item(text, &starts, entry, (parent, depth, name)));
    }
    outline.blocks.sort_unstable();
    outline.blocks.dedup();
    Ok(outline)
}

fn item(text: &str, starts: &Starts, entry: &Entry, (parent, depth, name): (Option<usize>, usize, String)) -> Item {
    let first = starts.offset(entry.lines.first);
    let last = starts.line(text, entry.lines.last).trim_end().len();
    let (head, row) = fold(text, starts, (first, first, starts.offset(entry.lines.last) + last), None);
    Item {
        kind: if entry.sort == Kind::Document { "document" } else { "key" }.into(),
        sort: Sort::Leaf,
        name: name.chars().take(MOST_NAME).collect(),
        owner: entry.owner.clone(),
        detail: None,
        parent,
        depth,
        lines: Span::new(entry.doc.map_or(entry.lines.first, |doc| doc.first), entry.lines.last),
        start: entry.lines.first,
        doc: entry.doc,
        inner_doc: None,
        head,
        fold: row,
    }
}

/// The lines of what begins on a line: a key, a part of a list, a comment.
pub(crate) fn block_at(text: &str, starts: &Starts, first: usize) -> Result<Span, NoBlock> {
    let line = starts.line_of(first);
    let entries = entries(text, starts, &mut || false).map_err(NoBlock::Unparsed)?;
    let is_block = |entry: &&Entry| entry.is_first && entry.sort != Kind::Document;
    if let Some(entry) = entries.iter().filter(is_block).find(|entry| entry.lines.first == line) {
        return Ok(entry.lines);
    }
    let around =
        entries.iter().filter(is_block).rev().find(|entry| entry.lines.contains(line)).map(|entry| entry.lines);
    let own = starts.line(text, line).trim_start();
    let is_text = around.is_some_and(|around| around.last > line);
    if own.starts_with('#') && !is_text {
        return Ok(Span::new(line, line));
    }
    Err(if own.starts_with(['}', ']']) { NoBlock::Closing { block: around } } else { NoBlock::Nothing { around } })
}

/// A document, a key with its value, or a part of a list.
struct Entry {
    sort: Kind,
    column: usize,
    /// The entry it lies in.
    parent: Option<usize>,
    name: Option<String>,
    owner: Option<String>,
    lines: Span,
    doc: Option<Span>,
    /// Whether it lies in a list.
    is_listed: bool,
    /// Whether nothing stands before it on its line.
    is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document,
    Key,
    Part,
}

fn entries(text: &str, starts: &Starts, stop: &mut dyn FnMut() -> bool) -> Result<Vec<Entry>, Unparsed> {
    let mut read = Read::default();
    read.begin(1);
    for number in 1..=starts.count() {
        if number.is_multiple_of(STRIDE) && stop() {
            return Err(Unparsed::Stopped);
        }
        read.line(number, starts.line(text, number));
    }
    read.close(0, u64::MAX);
    Ok(read.entries)
}

#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    /// The entries around the line; the first is the document.
    open: Vec<usize>,
    /// The last line with something on it but a comment.
    content: u64,
    /// Comments since then: their lines and columns.
    comments: Vec<(u64, usize)>,
    /// The column behind which lines are text.
    text: Option<usize>,
    /// What a value leaves open, and the column of its key.
    value: Option<(Open, usize)>,
}

/// Where an entry begins.
#[derive(Clone, Copy)]
struct Place {
    number: u64,
    column: usize,
    is_first: bool,
}

impl Read {
    fn line(&mut self, number: u64, line: &str) {
        let own = line.trim_start();
        let column = line.len() - own.len();
        if own.is_empty() {
            return;
        }
        if let Some(outer) = self.text {
            if column > outer || self.open.len() == 1 && column == outer && !is_marker(line) {
                self.content = number;
                return;
            }
            self.text = None;
        }
        if let Some((open, outer)) = self.value {
            if column > outer || own.starts_with(['}', ']', '"', '\'']) || key(own).is_none() && !is_marker(line) {
                self.content = number;
                self.value = open.with(own).map(|open| (open, outer));
                return;
            }
            // What is never closed ends where the next key begins.
            self.value = None;
        }
        if own.starts_with('#') {
            self.comments.push((number, column));
        } else if is_marker(line) {
            self.close(0, number);
            self.begin(number);
            self.rest(number, line.get(3..).unwrap_or_default(), 4);
        } else if !(column == 0 && own.starts_with('%')) {
            self.rest(number, own, column);
        }
    }

    /// A document begins.
    fn begin(&mut self, number: u64) {
        self.open.clear();
        self.comments.clear();
        self.push(Entry {
            sort: Kind::Document,
            column: 0,
            parent: None,
            name: None,
            owner: None,
            lines: Span::new(number, number),
            doc: None,
            is_listed: false,
            is_first: true,
        });
    }

    /// What stands on a line from a column on.
    fn rest(&mut self, number: u64, own: &str, column: usize) {
        let mut own = own.trim_end();
        let mut place = Place { number, column, is_first: true };
        let deepest = self.open.last().and_then(|at| self.entries.get(*at)).map_or(0, |entry| entry.column);
        if self.open.len() > MOST_OPEN && column > deepest {
            self.content = number;
            return;
        }
        for _ in 0..MOST_PARTS {
            if !(own == "-" || own.starts_with("- ") || own == "?" || own.starts_with("? ")) {
                break;
            }
            let is_part = own.starts_with('-');
            let behind = own.get(1..).unwrap_or_default();
            own = behind.trim_start();
            if is_part {
                self.enter(Kind::Part, place);
                place = Place { column: place.column + 1 + behind.len() - own.len(), is_first: false, ..place };
            } else if key(own).is_none() && !own.is_empty() {
                // A key behind `?` stands where the sign does.
                return self.named(place, own);
            }
        }
        // The value of such a key.
        if let Some(value) = own.strip_prefix(": ") {
            own = value.trim_start();
        }
        let mut outer = self.open.last().and_then(|at| self.entries.get(*at)).map_or(0, |entry| entry.column);
        if let Some(found) = key(own) {
            self.named(place, found.name);
            own = found.value;
            outer = place.column;
        }
        self.content = number;
        self.comments.clear();
        if is_block_text(own) {
            self.text = Some(outer);
        } else {
            self.value = Open::of(own).map(|open| (open, outer));
            self.tell_document(own);
        }
    }

    fn named(&mut self, place: Place, name: &str) {
        self.enter(Kind::Key, place);
        if let Some(entry) = self.entries.last_mut() {
            entry.name = Some(name.to_owned()).filter(|name| !name.is_empty());
        }
    }

    /// Enters a key or a part of a list, which ends what stands further in or beside it.
    fn enter(&mut self, sort: Kind, Place { number, column, is_first }: Place) {
        let doc = if is_first { self.doc(number, column) } else { None };
        self.close_for(sort, column, doc.map_or(number, |doc| doc.first));
        let parent = self.open.last().copied();
        let around = parent.and_then(|at| self.entries.get(at));
        let is_listed = around.is_some_and(|entry| entry.is_listed || entry.sort == Kind::Part);
        let lines = Span::new(number, number);
        self.push(Entry { sort, column, parent, name: None, owner: None, lines, doc, is_listed, is_first });
        self.content = number;
        self.comments.clear();
    }

    fn push(&mut self, entry: Entry) {
        self.open.push(self.entries.len());
        self.entries.push(entry);
    }

    /// The comment right above a line that stands no further in.
    fn doc(&self, number: u64, column: usize) -> Option<Span> {
        let mut first = number;
        for (line, own) in self.comments.iter().rev() {
            if *line + 1 != first || *own > column {
                break;
            }
            first = *line;
        }
        (first < number).then(|| Span::new(first, number - 1))
    }

    /// Ends what cannot go on when a key or a part begins at a column.
    fn close_for(&mut self, sort: Kind, column: usize, before: u64) {
        // The parts of a list may stand right under its key.
        let under_key = |entry: &Entry| sort == Kind::Part && entry.sort == Kind::Key && entry.column == column;
        let keep = self
            .open
            .iter()
            .skip(1)
            .take_while(|at| self.entries.get(**at).is_some_and(|entry| entry.column < column || under_key(entry)));
        self.close(1 + keep.count(), before);
    }

    /// Ends the entries from a depth on, all before a line.
    fn close(&mut self, depth: usize, before: u64) {
        for at in self.open.drain(depth.min(self.open.len())..) {
            let Some(entry) = self.entries.get_mut(at) else {
                continue;
            };
            let column = entry.column;
            let further_in = |(line, own): &&(u64, usize)| *own > column && *line < before;
            let comment = self.comments.iter().rev().find(further_in).map_or(0, |(line, _)| *line);
            let last = if entry.sort == Kind::Document { self.content } else { self.content.max(comment) };
            entry.lines.last = last.max(entry.lines.first);
        }
    }

    /// Notes what a document says it is: `kind` and, in `metadata`, `name`.
    fn tell_document(&mut self, value: &str) {
        let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        let name =
            |at: usize| self.open.get(at).and_then(|at| self.entries.get(*at)).and_then(|entry| entry.name.as_deref());
        let is_kind = self.open.len() == 2 && name(1) == Some("kind");
        let is_name = self.open.len() == 3 && name(1) == Some("metadata") && name(2) == Some("name");
        let Some(document) = self.open.first().copied().filter(|_| !value.is_empty() && (is_kind || is_name)) else {
            return;
        };
        if let Some(document) = self.entries.get_mut(document) {
            let told = if is_kind { &mut document.owner } else { &mut document.name };
            *told = Some(value.to_owned());
        }
    }
}

/// Whether a line ends a document.
fn is_marker(line: &str) -> bool {
    line.starts_with("---") || line.trim_end() == "..."
}

#[cfg(test)]
mod tests;
