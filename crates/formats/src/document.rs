//! Documents: converted to Markdown by a worker, shown in pages, slides, sheets or as one text.

mod compound;
mod error;
mod form;
mod known;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_address::{Selector, cuts};
use readstone_base::{Class, Fault, Guess, Instead, Kind, Lend, Span};
use readstone_convert::{Bounds, Form, Made, Refusal, Wish};
use readstone_source::{Container, Content, Converted, Entered, Lookalikes, Meant, Opening, Piece, Reached};
use serde::{Deserialize, Serialize};

use crate::work::{pack, whole};
use known::{Known, Source, shown_name};
use text::Sections;

pub(crate) use error::Error;
pub(crate) use form::extension;
pub(crate) use known::{bounds, note};

/// What this kind of work is called.
pub(crate) const TASK: &str = "document";

/// What a worker is asked.
#[derive(Serialize, Deserialize)]
struct Asked {
    form: Form,
    wish: Wish,
    bounds: Bounds,
}

/// Does the work: the answer is what was made with its texts behind it, or why nothing was.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let Asked { form, wish, bounds } = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let bytes = whole(lend)?;
    let mut made: Result<Made, Refusal> = readstone_convert::document(form, &bytes, &wish, &bounds);
    drop(bytes);
    let mut texts = String::new();
    let mut lengths = Vec::new();
    for section in made.iter_mut().flat_map(|made| made.sections.iter_mut()) {
        lengths.push(section.text.len());
        texts.push_str(&std::mem::take(&mut section.text));
    }
    pack(&(made, lengths), texts.as_bytes())
}

/// A piece as a document, when it is one.
pub(crate) fn container(piece: &Piece, head: &[u8], opening: &Opening<'_>) -> Option<Arc<dyn Container>> {
    let form = form::of(head, piece, opening)?;
    Some(Arc::new(Document { source: Source { piece: piece.clone(), form }, head: head.to_vec() }))
}

/// A document.
#[derive(Debug)]
struct Document {
    source: Source,
    head: Vec<u8>,
}

/// What a tail asks for.
#[derive(Clone, Copy)]
enum Asks<'t> {
    /// Everything, or lines of it.
    All(Option<&'t str>),
    /// Some pages, and lines of them.
    Pages(Span, Option<&'t str>),
    /// Something by its name.
    Named(&'t str),
}

impl Container for Document {
    fn is_end(&self) -> bool {
        true
    }

    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let tail = tail.filter(|tail| !tail.is_empty());
        if tail.is_some_and(Selector::is_of_bytes) {
            return Ok(Entered::Itself);
        }
        let asked = asks(tail);
        // A part of the package can be seen without converting the whole, and whatever is wrong with it.
        if let Asks::Named(tail) = asked
            && tail.contains('/')
            && let Some(entered) = self.part(tail, opening)?
        {
            return Ok(entered);
        }
        let wanted = if let Asks::Pages(span, _) = asked { Some(span) } else { None };
        let known = self.source.known(wanted, opening).map_err(|error| Box::new(error) as Fault)?;
        if let Some((number, path, rest)) = tail.and_then(|tail| self.sheet(&known, tail)) {
            return Ok(self.sections(&known, (Span::new(number, number), path), rest, opening));
        }
        match asked {
            Asks::All(rest) => Ok(self.all(&known, rest, opening)),
            Asks::Pages(span, rest) => self.pages(&known, span, rest, opening),
            Asks::Named(tail) => match self.part(tail, opening)? {
                Some(entered) => Ok(entered),
                None => Err(Box::new(self.unknown(&known, tail))),
            },
        }
    }
}

impl Document {
    fn all(&self, known: &Arc<Known>, rest: Option<&str>, opening: &Opening<'_>) -> Entered {
        let path = self.source.piece.path.clone();
        match known.flowing() {
            Some((text, lack)) => {
                let content = Content::Converted(Converted::text(Kind::Document, text));
                reached(content, path, rest, known.notes(lack.as_ref()))
            }
            None => self.sections(known, (Span::new(1, known.count()), path), rest, opening),
        }
    }

    /// The sheet that the beginning of a tail names, its address, and what stands behind it. A selector is no name,
    /// apart from a number: what a reply offers must mean the same whatever the sheets are called.
    fn sheet<'t>(&self, known: &Known, tail: &'t str) -> Option<(u64, String, Option<&'t str>)> {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let mut ways = cuts(tail)
            .filter(|(name, _)| is_number(name) || Selector::parse(name).is_err() && asked_pages(name).is_none());
        let (number, name, rest) = ways.find_map(|(name, rest)| Some((known.sheet(name)?, name, rest)))?;
        let own = known.names().get(usize::try_from(number - 1).ok()?).map_or(name.to_owned(), |own| shown_name(own));
        Some((number, format!("{}:{own}", self.source.piece.path), rest.filter(|rest| !rest.is_empty())))
    }

    fn pages(
        &self,
        known: &Arc<Known>,
        span: Span,
        rest: Option<&str>,
        opening: &Opening<'_>,
    ) -> Result<Entered, Fault> {
        let path = &self.source.piece.path;
        let Some(unit) = known.unit() else {
            let extension = self.source.form.name();
            return Err(Box::new(Error::NoPages { path: path.clone(), extension }));
        };
        let count = known.count();
        if span.first == 0 || span.first > count {
            return Err(Box::new(Error::NoSection { path: path.clone(), asked: span.first, unit, count }));
        }
        let window = Span::new(span.first, span.last.min(count));
        let address = known::address(path, span);
        Ok(self.sections(known, (window, address), rest, opening))
    }

    fn sections(
        &self,
        known: &Arc<Known>,
        (window, path): (Span, String),
        rest: Option<&str>,
        opening: &Opening<'_>,
    ) -> Entered {
        let sections = Sections {
            source: self.source.clone(),
            known: Arc::clone(known),
            window,
            path: path.clone(),
            works: Arc::clone(opening.works),
            limits: opening.limits.clone(),
        };
        reached(Content::Document(Box::new(sections)), path, rest, Vec::new())
    }

    /// A part of the package that the document is.
    fn part(&self, tail: &str, opening: &Opening<'_>) -> Result<Option<Entered>, Fault> {
        #[cfg(feature = "archives")]
        if let Some(archive) = crate::archive::archives(&self.head, &self.source.piece, Some(tail), opening)? {
            return match archive.enter(Some(tail), opening) {
                Err(fault) if fault.class() == Class::Missing => Ok(None),
                other => other.map(Some),
            };
        }
        let _ = (&self.head, opening, tail);
        Ok(None)
    }

    fn unknown(&self, known: &Known, tail: &str) -> Error {
        let path = self.source.piece.path.clone();
        if !known.names().is_empty() {
            return self.no_sheet(known, tail);
        }
        let takes = if known.unit().is_some() {
            "pages such as :p3-5, and lines of its text such as :10-80"
        } else {
            "lines of its text such as :10-80"
        };
        Error::BadSelector { path, tail: tail.to_owned(), takes }
    }
}

impl Document {
    /// What is said of a tail that begins with the name of no sheet.
    fn no_sheet(&self, known: &Known, tail: &str) -> Error {
        let (path, names) = (self.source.piece.path.clone(), known.names().to_vec());
        let (mut near, mut instead) = (Vec::new(), None);
        let selects = |rest: Option<&str>| rest.is_none_or(|rest| Selector::parse(rest).is_ok());
        // The shortest name with a selector behind it is what most callers mean; what stands behind it is kept.
        let ways = cuts(tail).filter(|(_, rest)| selects(*rest)).collect::<Vec<_>>();
        for (name, rest) in ways.into_iter().rev() {
            let mut alike = Lookalikes::new(Path::new(name));
            for name in &names {
                alike.pass(Path::new(name), &|_| true);
            }
            let behind = rest.map(|rest| format!(":{rest}")).unwrap_or_default();
            let address = |sheet: &PathBuf| self.address_of_sheet(known, &sheet.to_string_lossy());
            match alike.decide() {
                Meant::One { path: sheet, how } => {
                    let found = address(&sheet);
                    let whole = format!("{found}{behind}");
                    near = vec![whole.clone()];
                    let guess = Guess { asked: format!("{path}:{name}"), found, how };
                    instead = Some(Box::new(Instead { address: whole, guess }));
                }
                Meant::Near(sheets) => {
                    near = sheets.iter().map(|sheet| format!("{}{behind}", address(sheet))).collect();
                }
            }
            if !near.is_empty() {
                break;
            }
        }
        Error::NoSheet { path, asked: tail.to_owned(), names, near, instead }
    }

    /// The address of a sheet: its name, or its number where the name would be read as something else.
    fn address_of_sheet(&self, known: &Known, name: &str) -> String {
        let path = &self.source.piece.path;
        let number = known.names().iter().position(|own| own == name).map_or(1, |at| at as u64 + 1);
        let shown = shown_name(name);
        match self.sheet(known, &shown) {
            Some((found, _, None)) if found == number => format!("{path}:{shown}"),
            Some(_) | None => format!("{path}:p{number}"),
        }
    }
}

fn asks(tail: Option<&str>) -> Asks<'_> {
    let Some(tail) = tail else {
        return Asks::All(None);
    };
    if let Some((span, rest)) = asked_pages(tail) {
        return Asks::Pages(span, rest);
    }
    // A selector that is not sound is judged where the text is shown.
    let looks_sound = tail.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '='));
    if Selector::parse(tail).is_ok() || looks_sound { Asks::All(Some(tail)) } else { Asks::Named(tail) }
}

/// `p3`, `p3-5` and `p3-`, perhaps with a selector behind them.
fn asked_pages(tail: &str) -> Option<(Span, Option<&str>)> {
    let (pages, rest) = tail.split_once(':').map_or((tail, None), |(pages, rest)| (pages, Some(rest)));
    let pages = pages.strip_prefix('p')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
    let span = match pages.split_once('-') {
        Some((first, "")) => Span::new(number(first)?, u64::MAX),
        Some((first, last)) => Span::new(number(first)?, number(last)?),
        None => Span::new(number(pages)?, number(pages)?),
    };
    (span.last >= span.first).then_some((span, rest.filter(|rest| !rest.is_empty())))
}

fn reached(content: Content, path: String, rest: Option<&str>, notes: Vec<readstone_base::Note>) -> Entered {
    let rest = rest.map(str::to_owned);
    Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() }))
}
