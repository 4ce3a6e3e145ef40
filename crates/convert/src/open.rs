//! `OpenDocument`: texts, presentations and workbooks.

mod deck;
mod formula;
mod frame;
mod grid;
mod inline;
mod out;
mod reading;
mod sheet;
pub(crate) mod shelf;
mod styles;
mod table;
pub(crate) mod xml;

use crate::package::{Package, Part};
use crate::{Bounds, Made, Parts, Refusal, Remark, Section, State, Wish};

pub(crate) use deck::is_picture;
use out::Out;
use reading::{Genre, Reading};
use shelf::Shelf;
use styles::Styles;
use xml::{Element, Space, Step, Walker};

/// Makes text of a text document.
pub(crate) fn text(bytes: &[u8], _wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    convert(bytes, &Wish::ALL, bounds, Genre::Text)
}

/// Makes text of a presentation.
pub(crate) fn deck(bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    convert(bytes, wish, bounds, Genre::Deck)
}

/// Makes text of a workbook.
pub(crate) fn workbook(bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    convert(bytes, wish, bounds, Genre::Sheets)
}

fn convert(bytes: &[u8], wish: &Wish, bounds: &Bounds, genre: Genre) -> Result<Made, Refusal> {
    let mut package = Package::open(bytes, bounds)?;
    let manifest = package.text("META-INF/manifest.xml")?;
    if manifest.is_some_and(|part| part.content.contains("encryption-data")) {
        return Err(Refusal::Encrypted);
    }
    let Some(content) = package.text("content.xml")? else {
        return Err(Refusal::Damaged("content.xml is missing".to_owned()));
    };
    let mut styles = Styles::default();
    if let Some(part) = package.text("styles.xml")? {
        styles.read(&part.content, bounds.depth)?;
    }
    styles.read(&content.content, bounds.depth)?;
    let most = usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX);
    let mut reading = Reading::new(&content.content, &styles, genre, bounds.depth, most);
    reading.parts = Some(&mut package);
    let parts = match genre {
        Genre::Text => Parts::Flow,
        Genre::Deck => Parts::Slides,
        Genre::Sheets => Parts::Sheets,
    };
    let shelf = Shelf::new(parts, wish, bounds);
    Gathering { reading, shelf, shortened: 0 }.gather(&content, genre)
}

/// Sections while they are gathered.
struct Gathering<'a, 'p, 'b> {
    reading: Reading<'a, 'p, 'b>,
    shelf: Shelf,
    /// Rows that are not shown because they repeat the one before.
    shortened: u64,
}

impl Gathering<'_, '_, '_> {
    fn gather(mut self, content: &Part<String>, genre: Genre) -> Result<Made, Refusal> {
        let mut found = false;
        loop {
            match self.reading.walk.next()? {
                Step::Open(element) => match (element.space, element.local()) {
                    (Space::Office, "document-content" | "body") => {}
                    (Space::Office, "text" | "presentation" | "spreadsheet") => {
                        found = true;
                        match genre {
                            Genre::Text => self.flow()?,
                            Genre::Deck | Genre::Sheets => self.sections(kind(genre))?,
                        }
                    }
                    (_, _) => self.reading.walk.skip()?,
                },
                Step::Close | Step::Text(_) => {}
                Step::End => break,
            }
        }
        if self.reading.is_cut() && genre != Genre::Text {
            let names = named_again(&content.content, genre, self.reading.depth)?;
            self.shelf.made.count = names.len() as u64;
            if genre == Genre::Sheets {
                self.shelf.made.names = names;
            }
        }
        let fault = self.reading.walk.fault().map(str::to_owned);
        let fault = fault.or((!content.sound).then(|| "its checksum is wrong".to_owned()));
        if !found && fault.is_none() {
            return Err(Refusal::Damaged("content.xml has no body of this kind".to_owned()));
        }
        self.finish(fault)
    }

    fn flow(&mut self) -> Result<(), Refusal> {
        let mut out = Out::default();
        self.reading.blocks(&mut out)?;
        out.put(&self.reading.definitions());
        let mut text = out.finish();
        let state = match (text.lines().any(|line| !is_picture(line)), self.reading.pictures) {
            (true, _) => State::Whole,
            (false, 0) => State::Blank,
            (false, _) => State::NoText,
        };
        if state != State::Whole {
            text.clear();
        }
        self.shelf.made.count = 1;
        self.shelf.take(Section { name: None, text, state });
        Ok(())
    }

    fn sections(&mut self, kind: (Space, &str)) -> Result<(), Refusal> {
        loop {
            match self.reading.walk.next()? {
                Step::Open(element) if (element.space, element.local()) == kind => {
                    if self.reading.genre == Genre::Sheets {
                        self.shelf.made.names.push(element.get("name").unwrap_or_default());
                    }
                    if self.shelf.wants_next() {
                        self.section(&element)?;
                    } else {
                        self.reading.walk.skip()?;
                    }
                }
                Step::Open(_) => self.reading.walk.skip()?,
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    fn section(&mut self, element: &Element<'_>) -> Result<(), Refusal> {
        // What a section is must not depend on the ones before.
        self.reading.made = 0;
        self.reading.numbers.clear();
        let mut section = match self.reading.genre {
            Genre::Text | Genre::Deck => self.reading.slide(element)?,
            Genre::Sheets => {
                let sheet = self.reading.sheet()?;
                self.shortened += sheet.shortened;
                let state = if sheet.text.is_empty() { State::Blank } else { State::Whole };
                Section { name: Some(element.get("name").unwrap_or_default()), text: sheet.text, state }
            }
        };
        let notes = self.reading.definitions();
        if !notes.is_empty() {
            section.text = format!("{}\n\n{}", section.text, notes.trim_end());
        }
        if self.reading.is_cut() {
            self.shelf.cut();
        }
        self.shelf.take(section);
        Ok(())
    }

    fn finish(mut self, fault: Option<String>) -> Result<Made, Refusal> {
        if self.reading.is_cut() {
            self.shelf.cut();
        }
        if let Some(fault) = fault {
            self.shelf.damaged(format!("content.xml: {fault}"))?;
        }
        if self.reading.comments > 0 {
            self.shelf.remark(Remark::LeftOut(counted(self.reading.comments, "comment")));
        }
        if self.reading.genre == Genre::Text && self.reading.styles.has_margins {
            self.shelf.remark(Remark::LeftOut("page headers and footers".to_owned()));
        }
        if self.shortened > 0 {
            self.shelf.remark(Remark::LeftOut(counted(self.shortened, "row") + " that repeat the one before"));
        }
        self.shelf.finish()
    }
}

/// The element that is a section.
fn kind(genre: Genre) -> (Space, &'static str) {
    match genre {
        Genre::Text => (Space::Office, "text"),
        Genre::Deck => (Space::Draw, "page"),
        Genre::Sheets => (Space::Table, "table"),
    }
}

/// The names of all sections, which may be empty: reading ended early.
fn named_again(content: &str, genre: Genre, depth: u64) -> Result<Vec<String>, Refusal> {
    let mut walk = Walker::new(content, depth);
    let mut names = Vec::new();
    loop {
        match walk.next()? {
            Step::Open(element) if (element.space, element.local()) == kind(genre) => {
                names.push(element.get("name").unwrap_or_default());
                walk.skip()?;
            }
            Step::Open(element) => match (element.space, element.local()) {
                (Space::Office, "document-content" | "body" | "presentation" | "spreadsheet") => {}
                (_, _) => walk.skip()?,
            },
            Step::Close | Step::Text(_) => {}
            Step::End => return Ok(names),
        }
    }
}

fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
