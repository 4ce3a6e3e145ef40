//! PDF.
//!
//! The file is loaded once, and the pages asked for are copied into small files of their own (see [`excerpt`]), which
//! the library turns into paragraphs, lists and tables. So the cost follows the pages asked for, every page is worked
//! out from itself alone, and what a page unpacks to is known before anything is laid out.

mod annotations;
mod excerpt;
mod folio;
mod font;
mod guard;
mod markdown;
mod page;
mod place;
mod tree;
mod unpack;
mod weight;
mod write;

use unpdf::ErrorKind;
use unpdf::parser::raw::RawDocument;

use crate::{Bounds, Made, Parts, Refusal, Remark, Section, State, Wish};
use tree::Tree;

/// The number and the generation of an object.
type Id = (u32, u16);

/// How many pages are copied and laid out at a time.
const BLOCK: usize = 64;

/// A file of which not even the catalog is left is read once more with this behind it, which makes the library look for
/// every object by itself. No real file has an object of that number.
///
/// Repair of `unpdf`: a file without a catalog and a table of objects is unreadable. Shown by:
/// `fault_a_file_without_a_catalog_is_unreadable`, `tests/all/pdf.rs`.
const CATALOG: &[u8] = b"\n8388606 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 8388606 0 R>>\n";
/// Files larger than this are not copied for that.
const MENDED_BYTES: usize = 64 << 20;

/// Makes text of a PDF.
pub(crate) fn document(bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let bytes = guard::body(bytes)?;
    guard::check(bytes, bounds)?;
    let file = load(bytes)?;
    let tree = tree::pages(&file, bytes.len());
    if tree.pages.is_empty() {
        return Err(Refusal::Damaged(no_page(&tree)));
    }
    let count = tree.pages.len();
    let first = usize::try_from(wish.first.max(1)).unwrap_or(usize::MAX);
    let last = usize::try_from(wish.last).unwrap_or(usize::MAX).min(count);
    let mut made = Made {
        parts: Parts::Pages,
        count: u64::try_from(count).unwrap_or(u64::MAX),
        names: Vec::new(),
        first: wish.first.max(1),
        sections: Vec::new(),
        remarks: damage(&file, &tree),
    };
    let asked = tree.pages.get(first.saturating_sub(1)..last).unwrap_or_default();
    fill(&mut made, &file, asked, (wish, bounds));
    Ok(made)
}

fn load(bytes: &[u8]) -> Result<RawDocument, Refusal> {
    let error = match RawDocument::load(bytes) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    let words = error.to_string();
    let kind = error.kind();
    // The last is a way of encrypting that takes certificates instead of a password.
    if matches!(kind, ErrorKind::Encrypted | ErrorKind::InvalidPassword) || words.contains("Encrypt dictionary") {
        return Err(Refusal::Encrypted);
    }
    if kind == ErrorKind::UnsupportedVersion {
        return Err(Refusal::Unsupported { what: plain(&words) });
    }
    if bytes.len() <= MENDED_BYTES {
        let mended = [bytes, CATALOG].concat();
        if let Ok(file) = RawDocument::load(&mended) {
            return Ok(file);
        }
    }
    Err(Refusal::Damaged(plain(&words)))
}

/// What the library says, without the words that say who says it.
fn plain(words: &str) -> String {
    let said =
        ["PDF parsing error: ", "Corrupted PDF structure: ", "Missing required object: ", "Unsupported PDF version: "];
    said.iter().find_map(|start| words.strip_prefix(start)).unwrap_or(words).to_owned()
}

fn no_page(tree: &Tree) -> String {
    match tree.declared {
        Some(declared) if declared > 0 => format!("none of the {declared} pages it declares could be found"),
        Some(_) | None => "no page could be found in it".to_owned(),
    }
}

fn damage(file: &RawDocument, tree: &Tree) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if tree.gathered {
        remarks.push(Remark::Damaged("its page tree; the pages are in the order of their objects".to_owned()));
    } else if tree.missing > 0 {
        remarks.push(Remark::Damaged("its page tree; pages may be missing".to_owned()));
    } else if let Some(declared) = tree.declared.filter(|&declared| tree.pages.len() < declared) {
        remarks
            .push(Remark::Damaged(format!("its page tree declares {declared} pages and holds {}", tree.pages.len())));
    }
    if file.xref_reconstructed() {
        remarks.push(Remark::Damaged("its table of objects, which was rebuilt; parts may be missing".to_owned()));
    }
    remarks
}

/// Adds the sections of the pages asked for, as far as the wish and the bounds go.
fn fill(made: &mut Made, file: &RawDocument, mut asked: &[Id], (wish, bounds): (&Wish, &Bounds)) {
    let mut so_far = 0_u64;
    while !asked.is_empty() {
        let block = asked.get(..BLOCK).unwrap_or(asked);
        let excerpt = excerpt::excerpt(file, block);
        let taken = excerpt.pages.len().max(1);
        let mut more = true;
        page::sections(file, block, &excerpt, &mut |mut section| {
            let room = bounds.text_bytes.saturating_sub(so_far);
            // A page that does not fit is left to the next wish, which has all the room for it.
            if !made.sections.is_empty() && section.text.len() as u64 > room {
                more = false;
                return false;
            }
            if cut(&mut section, room) {
                made.remarks.push(Remark::Cut { limit: "text_bytes".to_owned() });
                more = false;
            }
            so_far = so_far.saturating_add(section.text.len() as u64);
            made.sections.push(section);
            more = more && so_far < wish.enough;
            more
        });
        if !more {
            return;
        }
        asked = asked.get(taken..).unwrap_or_default();
    }
}

/// Cuts a text that is longer than there is room for.
fn cut(section: &mut Section, room: u64) -> bool {
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    if section.text.len() <= room {
        return false;
    }
    section.text.truncate(section.text.floor_char_boundary(room));
    section.state = State::Lacking("it is longer than is given".to_owned());
    true
}
