//! A JSON file as a container of values.

use std::sync::Arc;

use readstone_address::{Selector, cuts};
use readstone_base::{Fault, Kind, Note, Span};
use readstone_source::{Coding, Container, Content, Converted, Entered, Opening, Piece, Reached};

use super::error::Error;
use super::find::{Find, JsonPlace, JsonValue, Lack, Outcome};
use super::steps::{Step, address, below, steps};
use super::text::{Spot, Text};
use super::{Layout, layout};
use crate::stream;

/// A tail is read in so many ways at most: each goes through the file.
const MOST_WAYS: usize = 9;
/// So many calls are offered.
const MOST_OFFERS: usize = 3;

/// A file whose name is that of a JSON file.
#[derive(Debug)]
pub(super) struct Json {
    pub(super) piece: Piece,
}

impl Container for Json {
    fn is_end(&self) -> bool {
        true
    }

    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let Some(tail) = tail.filter(|tail| tail.starts_with('/')) else { return Ok(Entered::Itself) };
        let file = File::open(&self.piece, opening)?;
        let mut missing = None;
        for (pointer, rest) in cuts(tail).take(MOST_WAYS) {
            let steps = steps(pointer);
            match file.find(&steps)? {
                Outcome::Found(value) => return Ok(file.reached(&steps, rest, value)),
                Outcome::Large { place, ends } => return Err(file.too_large(&steps, place, ends).into()),
                Outcome::Missing(level, lack) => {
                    // What stands behind a colon is more likely meant as a selector where it is one.
                    let meant = missing.is_none() || rest.is_some_and(|rest| Selector::parse(rest).is_ok());
                    missing = Some((steps, level, lack)).filter(|_| meant).or(missing);
                }
            }
        }
        let (steps, level, lack) = missing.unwrap_or((Vec::new(), 0, Lack::Blank));
        Err(file.no_value(&steps, level, lack).into())
    }
}

/// The value that a pointer such as `/a/0` names in a piece called like a JSON file.
pub fn json_value(piece: &Piece, pointer: &str, opening: &Opening<'_>) -> Result<JsonValue, Fault> {
    let (file, steps) = (File::open(piece, opening)?, steps(pointer));
    match file.find(&steps)? {
        Outcome::Found(value) => Ok(value),
        Outcome::Large { place, ends } => Err(file.too_large(&steps, place, ends).into()),
        Outcome::Missing(level, lack) => Err(file.no_value(&steps, level, lack).into()),
    }
}

/// A JSON file that can be looked through.
struct File<'a> {
    piece: &'a Piece,
    opening: &'a Opening<'a>,
    coding: Arc<dyn Coding>,
    layout: Layout,
}

impl<'a> File<'a> {
    fn open(piece: &'a Piece, opening: &'a Opening<'a>) -> Result<Self, Fault> {
        opening.budget.check().map_err(|why| Error::stopped(why, &piece.path))?;
        let coding = stream::coding(&piece.blob, opening.limits.edit_bytes);
        let coding = coding.map_err(|cause| crate::unreadable(&piece.path, cause))?;
        let coding = coding.map_err(|what| Error::NotText { path: piece.path.clone(), what })?;
        Ok(Self { piece, opening, coding, layout: layout(piece).unwrap_or(Layout::Whole) })
    }

    fn find(&self, steps: &[Step]) -> Result<Outcome, Fault> {
        let text = Text::new(self.piece, Arc::clone(&self.coding), self.opening.budget);
        Find { text, steps, most: self.opening.limits.value_bytes }.run(self.layout)
    }

    fn reached(&self, steps: &[Step], rest: Option<&str>, value: JsonValue) -> Entered {
        let (path, text, coding) = (address(&self.piece.path, steps), Arc::new(value.text), self.coding.name());
        let JsonPlace { what, first_line, last_line, doubled } = value.place;
        let lines = Span::new(first_line, last_line);
        let there = format!("{}:{first_line}-{last_line}", self.piece.path);
        let stands = Note::Stands { what, lines, address: there };
        let content = Content::Converted(Converted::text(Kind::Text, text));
        let decoded = (coding != "utf-8").then_some(Note::Encoding(coding));
        let replaced = (value.replaced > 0).then(|| Note::Replaced { count: value.replaced, offsets: Vec::new() });
        let doubled = (doubled > 0).then_some(Note::Doubled { count: doubled });
        let notes = std::iter::once(stands).chain(doubled).chain(decoded).chain(replaced).collect();
        Entered::Content(Box::new(Reached { content, path, rest: rest.map(str::to_owned), notes, images: Vec::new() }))
    }

    fn no_value(&self, steps: &[Step], level: usize, lack: Lack) -> Error {
        let path = &self.piece.path;
        let before = steps.get(..level).unwrap_or_default();
        let step = steps.get(level).map_or_else(String::new, |step| step.name().to_owned());
        let there = address(path, before);
        let mut next = match &lack {
            Lack::Name(near) => near.names().map(|name| below(path, before, name)).collect::<Vec<_>>(),
            Lack::Element(count) | Lack::Line(count) => {
                let last = count.checked_sub(1).map(|last| below(path, before, &last.to_string()));
                last.into_iter().collect()
            }
            Lack::Blank | Lack::Inside(_) => Vec::new(),
        };
        next.truncate(MOST_OFFERS - 1);
        next.push(there.clone());
        Error::NoValue { there, step, lack, next }
    }

    fn too_large(&self, steps: &[Step], place: JsonPlace, (start, end): (Spot, Spot)) -> Error {
        let path = &self.piece.path;
        let bytes = start.offset.zip(end.offset).map(|(start, end)| end - start);
        let mut next = Vec::new();
        if place.what == "array" {
            next.push(below(path, steps, "0"));
        }
        next.push(match start.offset.zip(bytes) {
            Some((start, bytes)) => format!("{path}:={start}+{bytes}"),
            None => format!("{path}:{}-{}", start.line, end.line),
        });
        let most = self.opening.limits.value_bytes;
        Error::TooLarge { address: address(path, steps), place, bytes, most, next }
    }
}
