//! The body of a document: paragraphs, headings, lists, notes, frames.

use std::collections::HashMap;
use std::mem;

use super::inline::{Format, Inline, Look, Place};
use super::out::Out;
use super::styles::{Kind, Styles};
use super::xml::{Element, Space, Step, Walker};
use crate::Refusal;
use crate::package::Package;

/// What a document is: some things are written otherwise in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Genre {
    Text,
    Deck,
    Sheets,
}

/// A document while it is read.
pub(crate) struct Reading<'a, 'p, 'b> {
    pub(crate) walk: Walker<'a>,
    pub(crate) styles: &'a Styles,
    pub(crate) genre: Genre,
    /// Where embedded objects are found; an object has none of its own.
    pub(crate) parts: Option<&'p mut Package<'b>>,
    pub(crate) depth: u64,
    /// Bytes that may be made of it.
    pub(crate) most: usize,
    /// Bytes made of it so far.
    pub(crate) made: usize,
    pub(crate) notes: Vec<String>,
    pub(crate) comments: u64,
    pub(crate) pictures: u64,
    /// The styles of the lists in which the text is.
    pub(crate) lists: Vec<String>,
    /// The number that a level of a list style used last.
    pub(crate) numbers: HashMap<(String, usize), usize>,
    /// In how many cells of tables the text is.
    pub(crate) cells: usize,
}

impl<'a> Reading<'a, '_, '_> {
    /// A document at its start, without a package of objects.
    pub(crate) fn new(text: &'a str, styles: &'a Styles, genre: Genre, depth: u64, most: usize) -> Self {
        Self {
            walk: Walker::new(text, depth),
            styles,
            genre,
            parts: None,
            depth,
            most,
            made: 0,
            notes: Vec::new(),
            comments: 0,
            pictures: 0,
            lists: Vec::new(),
            numbers: HashMap::new(),
            cells: 0,
        }
    }

    /// Counts bytes that were made; when there are too many, the document ends here.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.made = self.made.saturating_add(bytes);
        if self.is_cut() {
            self.walk.stop();
        }
    }

    /// Whether more was made than may be.
    pub(crate) fn is_cut(&self) -> bool {
        self.made > self.most
    }

    /// Writes the blocks of the element that was opened last.
    pub(crate) fn blocks(&mut self, out: &mut Out) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(element) => self.block(&element, out)?,
                Step::Text(text) => {
                    self.count(text.len());
                    out.put(text.trim());
                }
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    /// Writes one block.
    pub(crate) fn block(&mut self, element: &Element<'_>, out: &mut Out) -> Result<(), Refusal> {
        match (element.space, element.local()) {
            (Space::Text, "p") => self.paragraph(element, out),
            (Space::Text, "h") => self.heading(element, out),
            (Space::Text, "list") => self.list(element, out),
            (Space::Text, "index-body") => self.index(out),
            (Space::Table, "table") => self.table(out),
            (Space::Draw, "frame") => {
                let picture = self.frame(out)?;
                out.put(&picture.unwrap_or_default());
                Ok(())
            }
            (Space::Office, "annotation") => {
                self.comments += 1;
                self.walk.skip()
            }
            // What was deleted, what an index is made from, and what is no text.
            (Space::Text, "tracked-changes" | "script")
            | (
                Space::Office,
                "forms" | "binary-data" | "event-listeners" | "scripts" | "automatic-styles" | "styles",
            )
            | (Space::Svg, "title" | "desc") => self.walk.skip(),
            (Space::Text, name) if name.ends_with("-source") || name.ends_with("-decls") => self.walk.skip(),
            (_, _) => self.blocks(out),
        }
    }

    fn paragraph(&mut self, element: &Element<'_>, out: &mut Out) -> Result<(), Refusal> {
        let (kind, format) = self.styles.paragraph(&element.get("style-name").unwrap_or_default());
        let mut inline = Inline::new();
        let mut after = Out::default();
        let plain = !matches!(kind, Kind::Plain | Kind::Quote);
        self.inline(&mut inline, if plain { Format::default() } else { format }, &mut after)?;
        let text = if plain || self.genre == Genre::Sheets { inline.plain() } else { inline.markdown() };
        self.count(text.len());
        match kind {
            Kind::Title if self.cells == 0 => out.heading(1, &text),
            Kind::Heading(level) if self.cells == 0 => out.heading(level, &text),
            Kind::Code if self.cells == 0 => text.lines().chain(text.is_empty().then_some("")).for_each(|line| {
                out.code(line);
            }),
            Kind::Quote => out.put(&quoted(text.trim())),
            Kind::Plain | Kind::Title | Kind::Heading(_) | Kind::Code => out.put(text.trim()),
        }
        out.append(after);
        Ok(())
    }

    fn heading(&mut self, element: &Element<'_>, out: &mut Out) -> Result<(), Refusal> {
        let level = element.number("outline-level", 6).unwrap_or(1);
        let mut inline = Inline::new();
        let mut after = Out::default();
        self.inline(&mut inline, Format::default(), &mut after)?;
        let text = inline.markdown();
        self.count(text.len());
        if self.cells > 0 {
            out.put(text.trim());
        } else {
            out.heading(level, &text);
        }
        out.append(after);
        Ok(())
    }

    fn list(&mut self, element: &Element<'_>, out: &mut Out) -> Result<(), Refusal> {
        let level = self.lists.len();
        let style = element.get("style-name").or_else(|| self.lists.last().cloned()).unwrap_or_default();
        let marks = self.styles.level(&style, level);
        let place = (style.clone(), level);
        let before = self.numbers.get(&place).copied();
        // A deck has a list of its own for each item.
        let goes_on = element.get("continue-numbering").is_some_and(|value| value == "true")
            || element.get("continue-list").is_some()
            || (self.genre == Genre::Deck && out.in_list());
        let mut number = before.filter(|_| goes_on).map_or(marks.start, |before| before.saturating_add(1));
        if !goes_on {
            out.apart();
        }
        let outer = out.unmark();
        self.lists.push(style);
        out.enter();
        loop {
            match self.walk.next()? {
                Step::Open(item) if item.local() == "list-item" => {
                    number = item.number("start-value", 1_000_000).unwrap_or(number);
                    out.item(marks.numbers.map_or("-".to_owned(), |signs| format!("{}.", signs.write(number))));
                    self.blocks(out)?;
                    if out.unmark().is_none() {
                        self.numbers.insert(place.clone(), number);
                        number += 1;
                    }
                }
                Step::Open(_) => self.blocks(out)?,
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        out.leave();
        self.lists.pop();
        if let Some(marker) = outer {
            out.item(marker);
        }
        Ok(())
    }

    /// An index or a table of contents: its title, and a list of its entries.
    fn index(&mut self, out: &mut Out) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(entry) if (entry.space, entry.local()) == (Space::Text, "p") => {
                    out.enter();
                    out.item("-".to_owned());
                    self.paragraph(&entry, out)?;
                    out.leave();
                }
                Step::Open(other) => self.block(&other, out)?,
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    /// Takes the text of the element that was opened last; frames in it come after the paragraph.
    fn inline(&mut self, into: &mut Inline, format: Format, after: &mut Out) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(element) => self.piece(&element, into, format, after)?,
                // Programs for sheets show the blanks of a cell as they stand.
                Step::Text(text) if self.genre == Genre::Sheets && !text.contains('\n') => into.exact(&text, format),
                Step::Text(text) => into.push(&text, format),
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    fn piece(
        &mut self,
        element: &Element<'_>,
        into: &mut Inline,
        format: Format,
        after: &mut Out,
    ) -> Result<(), Refusal> {
        match (element.space, element.local()) {
            (Space::Text, "s") => {
                into.exact(&" ".repeat(element.number("c", 1000).unwrap_or(1)), format);
                self.walk.skip()
            }
            (Space::Text, "tab") => {
                into.exact("\t", format);
                self.walk.skip()
            }
            (Space::Text, "line-break") => {
                into.exact("\n", format);
                self.walk.skip()
            }
            (Space::Text, "span") => {
                let format = self.styles.span(&element.get("style-name").unwrap_or_default(), format);
                self.inline(into, format, after)
            }
            (Space::Text, "a") => self.link(element, into, format, after),
            (Space::Text, "note") => self.note(into, format),
            (Space::Text, "ruby-text") => {
                into.exact("(", format);
                self.inline(into, format, after)?;
                into.exact(")", format);
                Ok(())
            }
            // On a slide this is a sign that stands for the number.
            (Space::Text, "page-number") if self.genre == Genre::Deck => self.walk.skip(),
            (Space::Draw, "frame") => {
                let picture = self.frame(after)?;
                into.exact(&picture.unwrap_or_default(), format);
                Ok(())
            }
            (Space::Draw | Space::Table | Space::Office, _) | (Space::Text, "p" | "h" | "list" | "script") => {
                self.block(element, after)
            }
            (_, _) => self.inline(into, format, after),
        }
    }

    fn link(
        &mut self,
        element: &Element<'_>,
        into: &mut Inline,
        format: Format,
        after: &mut Out,
    ) -> Result<(), Refusal> {
        let target = element.get("href").unwrap_or_default();
        let mut inner = Inline::new();
        self.inline(&mut inner, Format::default(), after)?;
        let text = inner.markdown();
        let words = text.trim();
        if words.is_empty() || target.is_empty() || target.starts_with('#') || words == target {
            into.exact(&text, format);
        } else {
            let pad = |blank: bool| if blank { " " } else { "" };
            let end = pad(text.ends_with(char::is_whitespace));
            into.exact(&format!("[{words}]({}){end}", address(&target)), format);
        }
        Ok(())
    }

    fn note(&mut self, into: &mut Inline, format: Format) -> Result<(), Refusal> {
        self.notes.push(String::new());
        let number = self.notes.len();
        let (lists, cells) = (mem::take(&mut self.lists), mem::take(&mut self.cells));
        let mut body = Out::default();
        loop {
            match self.walk.next()? {
                Step::Open(part) if part.local() == "note-body" => self.blocks(&mut body)?,
                Step::Open(_) => self.walk.skip()?,
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        (self.lists, self.cells) = (lists, cells);
        self.notes.get_mut(number - 1).into_iter().for_each(|note| *note = mem::take(&mut body).finish());
        let mut mark = format.without(Look::Code);
        mark.place = Place::Line;
        into.exact(&format!("[^{number}]"), mark);
        Ok(())
    }

    /// The text of all notes, as definitions.
    pub(crate) fn definitions(&mut self) -> String {
        let mut text = String::new();
        for (index, note) in mem::take(&mut self.notes).iter().enumerate() {
            let number = (index + 1).to_string();
            text.extend(["[^", &number, "]: ", &note.replace('\n', "\n    "), "\n"]);
        }
        text
    }
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}

/// An address as the target of a link.
pub(crate) fn address(target: &str) -> String {
    if target.contains([' ', '(', ')', '<', '>']) {
        format!("<{}>", target.replace('<', "%3C").replace('>', "%3E").replace('\n', ""))
    } else {
        target.replace('\n', "")
    }
}
