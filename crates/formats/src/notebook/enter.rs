//! A notebook as a container: the text of all cells, or one cell with its outputs.

use std::sync::Arc;

use readstone_base::{Fault, Image, Kind, Limits, Note};
use readstone_source::{Container, Content, Converted, Entered, Opening, Piece, Reached};

use super::error::Error;
use super::form::is_number;
use super::show::{self, NotebookText};

/// So much is read at a time.
const STRIDE: u64 = 1024 * 1024;
/// How often the cells are counted before the budget is asked.
const CELLS: usize = 64;
/// What is kept of a notebook is kept under this name.
const KEPT: &str = "notebook text";
/// Larger notebooks are not kept.
const MOST_KEPT: u64 = 8 * 1024 * 1024;

/// A file whose name is that of a notebook.
#[derive(Debug)]
pub(super) struct Notebook {
    pub(super) piece: Piece,
}

/// A notebook and its text, kept for the next page.
#[derive(Debug)]
struct Known {
    bytes: Arc<Vec<u8>>,
    text: Arc<Vec<u8>>,
    partial: u64,
    first_partial: Option<usize>,
    limits: (u64, u64),
}

/// What a tail asks for.
#[derive(Debug, PartialEq, Eq)]
enum Wish<'t> {
    Itself,
    Text(Option<&'t str>),
    Cell(&'t str, Option<&'t str>),
    Unknown(&'t str),
}

impl Container for Notebook {
    fn is_end(&self) -> bool {
        true
    }

    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let entered = match wish(tail) {
            Wish::Itself => Ok(Entered::Itself),
            Wish::Text(rest) => self.text(rest, opening),
            Wish::Cell(number, rest) => self.cell(number, rest, opening),
            Wish::Unknown(tail) => Err(Error::BadSelector { path: self.piece.path.clone(), tail: tail.to_owned() }),
        };
        entered.map_err(|error| Box::new(error) as Fault)
    }
}

impl Notebook {
    fn text(&self, rest: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Error> {
        let known = match self.known(opening) {
            Ok(known) => known,
            Err(Error::NotNotebook { why }) => return Ok(self.stored(why, rest)),
            Err(error) => return Err(error),
        };
        let first = known.first_partial.map(|number| format!("{}:cell{number}", self.piece.path));
        let notes = first.map(|address| Note::Outputs { count: known.partial, address }).into_iter().collect();
        let original = Some(Arc::clone(&known.bytes));
        let path = self.piece.path.clone();
        Ok(reached(path, rest, Shown { text: Arc::clone(&known.text), original, notes, images: Vec::new() }))
    }

    fn cell(&self, asked: &str, rest: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Error> {
        let path = self.piece.path.clone();
        let bytes = self.bytes(opening);
        // A number beyond all numbers is that of no cell either.
        let number = asked.parse().unwrap_or(usize::MAX);
        let shown = bytes.and_then(|bytes| show::show_cell(&bytes, number, opening.limits));
        match shown {
            Ok(Ok(cell)) => {
                let text = Arc::new(cell.text.into_bytes());
                let raw = Note::Outputs { count: cell.named, address: format!("{path}:raw") };
                let notes = Some(raw).filter(|_| cell.named > 0).into_iter().collect();
                let shown = Shown { text, original: None, notes, images: cell.images };
                Ok(reached(format!("{path}:cell{number}"), rest, shown))
            }
            Ok(Err(count)) => Err(Error::NoCell { path, asked: asked.to_owned(), count }),
            Err(Error::NotNotebook { why }) => Err(Error::NoCells { path, why }),
            Err(error) => Err(error),
        }
    }

    /// The file as it is stored, under a name by which it is not taken for a notebook again.
    fn stored(&self, why: String, rest: Option<&str>) -> Entered {
        let name = format!("{}.json", self.piece.name);
        let piece = Piece { name, ..self.piece.clone() };
        Entered::Piece { piece, rest: rest.map(str::to_owned), notes: vec![Note::NotNotebook { why }] }
    }

    fn known(&self, opening: &Opening<'_>) -> Result<Arc<Known>, Error> {
        let limits = (opening.limits.output_lines, opening.limits.output_bytes);
        if let Some(known) = opening.known::<Known>(self.piece.stamp, KEPT).filter(|known| known.limits == limits) {
            return Ok(known);
        }
        let bytes = Arc::new(self.bytes(opening)?);
        let go_on = |number: usize| if number.is_multiple_of(CELLS) { self.check(opening) } else { Ok(()) };
        let NotebookText { text, partial, first_partial, .. } = show::show(&bytes, opening.limits, go_on)?;
        let text = Arc::new(text.into_bytes());
        let size = (bytes.len() + text.len()) as u64;
        let known = Arc::new(Known { bytes, text, partial, first_partial, limits });
        if size <= MOST_KEPT {
            opening.keep(self.piece.stamp, KEPT, Arc::clone(&known), size);
        }
        Ok(known)
    }

    /// All bytes, where they are not too many.
    fn bytes(&self, opening: &Opening<'_>) -> Result<Vec<u8>, Error> {
        let most = opening.limits.notebook_bytes;
        let too_large = || Error::unsound(format!("it is larger than notebook_bytes, {most} bytes"));
        let length = self.piece.blob.len();
        if length.is_some_and(|length| length > most) {
            return Err(too_large());
        }
        // What a file declares is not allocated at once.
        let declared = length.unwrap_or(most.saturating_add(1));
        let mut bytes = Vec::with_capacity(usize::try_from(declared.min(STRIDE)).unwrap_or(0));
        loop {
            self.check(opening)?;
            let start = bytes.len() as u64;
            let end = (start + STRIDE).min(declared);
            let piece = self.piece.blob.read_range(start, end);
            let piece = piece.map_err(|cause| Error::Io { path: self.piece.path.clone(), cause })?;
            bytes.extend_from_slice(&piece);
            if bytes.len() as u64 > most {
                return Err(too_large());
            }
            if (bytes.len() as u64) < end || end == declared {
                return Ok(bytes);
            }
        }
    }

    fn check(&self, opening: &Opening<'_>) -> Result<(), Error> {
        opening.budget.check().map_err(|why| Error::Stopped { path: self.piece.path.clone(), why })
    }
}

/// Text on its way out.
struct Shown {
    text: Arc<Vec<u8>>,
    original: Option<Arc<Vec<u8>>>,
    notes: Vec<Note>,
    images: Vec<Image>,
}

fn reached(path: String, rest: Option<&str>, shown: Shown) -> Entered {
    let Shown { text, original, notes, images } = shown;
    let content = Content::Converted(Converted { kind: Kind::Notebook, text, original, convert });
    Entered::Content(Box::new(Reached { content, path, rest: rest.map(str::to_owned), notes, images }))
}

fn convert(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    show::to_text(bytes, limits).ok().map(|shown| shown.text.into_bytes())
}

fn wish(tail: Option<&str>) -> Wish<'_> {
    let Some(tail) = tail.filter(|tail| !tail.is_empty()) else {
        return Wish::Text(None);
    };
    if let Some(cell) = tail.strip_prefix("cell") {
        let cell = cell.strip_prefix(':').unwrap_or(cell);
        let (number, rest) = cell.split_once(':').map_or((cell, None), |(number, rest)| (number, Some(rest)));
        let rest = rest.filter(|rest| !rest.is_empty());
        return if is_number(number) { Wish::Cell(number, rest) } else { Wish::Unknown(tail) };
    }
    // A name may hold colons.
    if tail.starts_with('@') {
        return Wish::Text(Some(tail));
    }
    let mut parts = tail.strip_suffix(':').unwrap_or(tail).split(':');
    if !parts.clone().all(is_selector) {
        return Wish::Unknown(tail);
    }
    if parts.any(|part| matches!(part, "raw" | "hex")) { Wish::Itself } else { Wish::Text(Some(tail)) }
}

/// Whether a part of a tail is a selector of text, sound or not: those are judged where text is shown.
fn is_selector(part: &str) -> bool {
    let number = part.strip_prefix(['L', 'b', '-', '=', '^', 'p']).unwrap_or(part);
    let words = ["raw", "hex", "conflicts", "all", "outline"];
    words.contains(&part) || part.starts_with('@') || number.starts_with(|first: char| first.is_ascii_digit())
}
