//! What styles say of text: how it looks, what kind of paragraph it is, how lists are marked.

use std::collections::HashMap;

use super::inline::{Format, Look, Place};
use super::xml::{Element, Space, Step, Walker};
use crate::Refusal;
use crate::markdown::roman;

/// Styles that stand upon each other are followed so far.
const MOST_PARENTS: usize = 16;
/// Styles that are remembered at most.
const MOST_STYLES: usize = 100_000;
/// Levels that a list style describes.
const MOST_LEVELS: usize = 10;

/// What kind of paragraph something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Title,
    /// A heading of a level by its style only.
    Heading(usize),
    Code,
    Quote,
}

/// How a level of a list is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// The signs of its numbers, or none for bullets.
    pub(crate) numbers: Option<Numbers>,
    /// Its first number.
    pub(crate) start: usize,
}

impl Level {
    fn of(element: &Element<'_>) -> Self {
        let numbers = numbers(&element.get("num-format").unwrap_or_default());
        Self { numbers, start: element.number("start-value", 1_000_000).unwrap_or(1) }
    }
}

/// The signs of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    Decimal,
    Letters,
    Capitals,
    Roman,
    RomanCapitals,
}

/// The styles of a document.
#[derive(Default)]
pub(crate) struct Styles {
    known: HashMap<String, Style>,
    lists: HashMap<String, [Option<Level>; MOST_LEVELS]>,
    /// Whether its pages have words above or below the text.
    pub(crate) has_margins: bool,
}

#[derive(Default)]
struct Style {
    parent: Option<String>,
    looks: Vec<(Look, bool)>,
    place: Option<Place>,
}

impl Styles {
    /// Takes the styles of a part that has styles only, or of its beginning up to its body.
    pub(crate) fn read(&mut self, text: &str, depth: u64) -> Result<(), Refusal> {
        let mut walker = Walker::new(text, depth);
        loop {
            match walker.next()? {
                Step::Open(element) => match (element.space, element.local()) {
                    (Space::Style, "style") => self.style(&element, &mut walker)?,
                    (Space::Text, "list-style") => self.list(&element, &mut walker)?,
                    (Space::Style, "header" | "footer" | "header-left" | "footer-left" | "header-first") => {
                        let words = walker.words()?;
                        self.has_margins |= words.chars().any(char::is_alphabetic);
                    }
                    (Space::Office, "body") => return Ok(()),
                    (_, _) => {}
                },
                Step::Close | Step::Text(_) => {}
                Step::End => return Ok(()),
            }
        }
    }

    fn style(&mut self, element: &Element<'_>, walker: &mut Walker<'_>) -> Result<(), Refusal> {
        let mut style = Style { parent: element.get("parent-style-name"), ..Style::default() };
        let mut inner = 0_u64;
        loop {
            match walker.next()? {
                Step::Open(part) => {
                    inner += 1;
                    if part.local() == "text-properties" {
                        style.take(&part);
                    }
                }
                Step::Close if inner == 0 => break,
                Step::Close => inner -= 1,
                Step::Text(_) => {}
                Step::End => break,
            }
        }
        if let (Some(name), true) = (element.get("name"), self.known.len() < MOST_STYLES) {
            self.known.insert(key(&element.get("family").unwrap_or_default(), &name), style);
        }
        Ok(())
    }

    fn list(&mut self, element: &Element<'_>, walker: &mut Walker<'_>) -> Result<(), Refusal> {
        let mut levels = [None; MOST_LEVELS];
        let mut inner = 0_u64;
        loop {
            match walker.next()? {
                Step::Open(part) => {
                    inner += 1;
                    let at = part.number("level", MOST_LEVELS).unwrap_or(1).saturating_sub(1);
                    let is_level = part.local().starts_with("list-level-style-");
                    if let Some(level) = levels.get_mut(at).filter(|_| is_level) {
                        *level = Some(Level::of(&part));
                    }
                }
                Step::Close if inner == 0 => break,
                Step::Close => inner -= 1,
                Step::Text(_) => {}
                Step::End => break,
            }
        }
        if let (Some(name), true) = (element.get("name"), self.lists.len() < MOST_STYLES) {
            self.lists.insert(name, levels);
        }
        Ok(())
    }

    /// How a level of a list is marked; levels count from 0. One of which nothing is said is marked as the one above.
    pub(crate) fn level(&self, list: &str, level: usize) -> Level {
        let levels = self.lists.get(list).and_then(|levels| levels.get(..=level.min(MOST_LEVELS - 1)));
        let known = levels.and_then(|levels| levels.iter().rev().flatten().next());
        known.copied().unwrap_or(Level { numbers: None, start: 1 })
    }

    /// How text of a character style looks, in text that looks so.
    pub(crate) fn span(&self, name: &str, around: Format) -> Format {
        let mut format = around;
        let chain = self.chain("text", name);
        for (_, style) in chain.iter().rev() {
            style.apply(&mut format);
        }
        for name in chain.iter().map(|(name, _)| *name).chain([name]) {
            match plain_name(name).as_str() {
                "Source_Text" | "Teletype" | "Verbatim_Char" => format = format.with(Look::Code),
                "Strong_Emphasis" => format = format.with(Look::Bold),
                "Emphasis" => format = format.with(Look::Italic),
                _ => {}
            }
        }
        format
    }

    /// What kind of paragraph one of a style is, and how its text looks. What a named style looks like is what that
    /// kind of paragraph looks like, so only the paragraph's own look counts.
    pub(crate) fn paragraph(&self, name: &str) -> (Kind, Format) {
        let chain = self.chain("paragraph", name);
        let mut format = Format::default();
        let own = chain.first().filter(|(name, _)| chain.len() > 1 || !name.contains("_20_"));
        if let Some((_, style)) = own {
            style.apply(&mut format);
        }
        let names = chain.iter().map(|(name, _)| *name).chain([name]);
        let kind = names.map(kind).find(|kind| *kind != Kind::Plain).unwrap_or(Kind::Plain);
        (kind, format)
    }

    fn chain<'s>(&'s self, family: &str, name: &'s str) -> Vec<(&'s str, &'s Style)> {
        let mut chain = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next.filter(|_| chain.len() < MOST_PARENTS) {
            let Some(style) = self.known.get(&key(family, name)) else { break };
            chain.push((name, style));
            next = style.parent.as_deref();
        }
        chain
    }
}

impl Style {
    fn take(&mut self, part: &Element<'_>) {
        let weight = part.get("font-weight");
        let heavy = |weight: String| weight == "bold" || weight.parse().is_ok_and(|weight: u32| weight >= 600);
        self.looks.extend(weight.map(|weight| (Look::Bold, heavy(weight))));
        self.looks.extend(part.get("font-style").map(|style| (Look::Italic, style != "normal")));
        let line = part.get("text-line-through-style").or_else(|| part.get("text-line-through-type"));
        self.looks.extend(line.map(|line| (Look::Struck, line != "none")));
        self.place = part.get("text-position").map(|position| {
            let word = position.split_whitespace().next().unwrap_or_default();
            match word.trim_end_matches('%').parse::<i32>() {
                _ if word == "super" => Place::Above,
                _ if word == "sub" => Place::Below,
                Ok(raised) if raised > 0 => Place::Above,
                Ok(raised) if raised < 0 => Place::Below,
                Ok(_) | Err(_) => Place::Line,
            }
        });
    }

    fn apply(&self, format: &mut Format) {
        for (look, on) in &self.looks {
            *format = if *on { format.with(*look) } else { format.without(*look) };
        }
        format.place = self.place.unwrap_or(format.place);
    }
}

fn key(family: &str, name: &str) -> String {
    format!("{family}/{name}")
}

/// The name of a style with its blanks in one form: programs write them in two.
fn plain_name(name: &str) -> String {
    name.replace("_20_", "_")
}

fn kind(name: &str) -> Kind {
    match plain_name(name).as_str() {
        "Title" => Kind::Title,
        "Quotations" | "Quote" | "Block_Text" => Kind::Quote,
        "Preformatted_Text" | "Source_Code" | "SourceCode" => Kind::Code,
        name => match name.strip_prefix("Heading_").and_then(|level| level.parse().ok()) {
            Some(level @ 1..=6) => Kind::Heading(level),
            Some(_) | None => Kind::Plain,
        },
    }
}

fn numbers(format: &str) -> Option<Numbers> {
    match format {
        "" => None,
        "a" => Some(Numbers::Letters),
        "A" => Some(Numbers::Capitals),
        "i" => Some(Numbers::Roman),
        "I" => Some(Numbers::RomanCapitals),
        _ => Some(Numbers::Decimal),
    }
}

impl Numbers {
    /// A number in these signs.
    pub(crate) fn write(self, number: usize) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::Letters => letters(number),
            Self::Capitals => letters(number).to_uppercase(),
            Self::Roman => roman(number as u64),
            Self::RomanCapitals => roman(number as u64).to_uppercase(),
        }
    }
}

/// The name of a column, or the mark of an item: a to z, then aa.
pub(crate) fn letters(number: usize) -> String {
    let mut signs = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        signs.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    signs.iter().rev().collect()
}
