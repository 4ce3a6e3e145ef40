//! The pages of a file.

use std::collections::HashSet;

use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject};

use super::Id;

/// Levels of the page tree from which a page takes what it does not say itself.
const LEVELS: usize = 64;
/// Object numbers that are tried where the page tree is lost: at least and at most.
const NUMBERS: (usize, usize) = (1 << 12, 1 << 20);

/// What the page tree holds.
pub(super) struct Tree {
    /// The pages, in order.
    pub(super) pages: Vec<Id>,
    /// How many there should be.
    pub(super) declared: Option<usize>,
    /// Nodes that could not be read; each may have held any number of pages.
    pub(super) missing: usize,
    /// Whether there was no page tree, and these are the pages that were found without one.
    pub(super) gathered: bool,
}

/// Walks the page tree; where that gives nothing, the pages are gathered from all objects, of which a file of `length`
/// bytes can have about as many.
pub(super) fn pages(file: &RawDocument, length: usize) -> Tree {
    let declared = file.declared_page_count().and_then(|count| usize::try_from(count).ok());
    let mut tree = Tree { pages: Vec::new(), declared, missing: 0, gathered: false };
    let root =
        file.catalog().ok().and_then(|catalog| catalog.get(b"Pages".as_slice())).and_then(PdfObject::as_reference);
    let mut seen = HashSet::new();
    let mut open: Vec<Id> = root.into_iter().collect();
    while let Some(id) = open.pop() {
        let Ok(node) = file.get_dict(id) else {
            tree.missing = tree.missing.saturating_add(1);
            continue;
        };
        match kids(file, node) {
            None if is_page(node) => tree.pages.push(id),
            Some(kids) if seen.insert(id) => open.extend(kids.iter().rev().filter_map(PdfObject::as_reference)),
            // A loop is walked once.
            Some(_) => {}
            None => tree.missing = tree.missing.saturating_add(1),
        }
    }
    if tree.pages.is_empty() {
        gather(file, length, &mut tree);
    }
    tree
}

/// The nodes below one, if it is not a page.
fn kids<'a>(file: &'a RawDocument, node: &'a PdfDict) -> Option<&'a [PdfObject]> {
    if kind(node) == Some(b"Page") {
        return None;
    }
    node.get(b"Kids".as_slice()).and_then(|kids| file.resolve(kids).as_array())
}

fn kind(node: &PdfDict) -> Option<&[u8]> {
    node.get(b"Type".as_slice()).and_then(PdfObject::as_name)
}

fn is_page(node: &PdfDict) -> bool {
    match kind(node) {
        Some(name) => name == b"Page",
        None => node.contains_key(b"Contents".as_slice()) || node.contains_key(b"MediaBox".as_slice()),
    }
}

fn gather(file: &RawDocument, length: usize, tree: &mut Tree) {
    tree.gathered = true;
    let numbers = u32::try_from(length.clamp(NUMBERS.0, NUMBERS.1)).unwrap_or(u32::MAX);
    let named = |number: u32| file.get_dict((number, 0)).ok().and_then(kind) == Some(b"Page");
    tree.pages = (1..numbers).filter(|&number| named(number)).map(|number| (number, 0)).collect();
}

/// The dictionaries from which a page takes what it says, its own first.
pub(super) fn line(file: &RawDocument, page: Id) -> Vec<&PdfDict> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(page);
    while let Some(id) = next.filter(|&id| found.len() < LEVELS && seen.insert(id)) {
        let Ok(node) = file.get_dict(id) else {
            break;
        };
        found.push(node);
        next = node.get(b"Parent".as_slice()).and_then(PdfObject::as_reference);
    }
    found
}
