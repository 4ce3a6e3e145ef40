//! The sheet of styles: which of them are headings.

use std::collections::HashMap;

/// The paragraph styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    known: HashMap<i32, Level>,
    current: Option<(i32, Style)>,
}

/// What of a style matters to its paragraphs.
#[derive(Clone, Copy, Debug)]
struct Level {
    outline: Option<i32>,
    parent: Option<i32>,
}

#[derive(Debug, Default)]
struct Style {
    name: String,
    outline: Option<i32>,
    parent: Option<i32>,
}

/// Longer names are cut; a heading is recognised by its beginning.
const NAME_BYTES: usize = 128;
/// How many styles a style may be made from, one from the other.
const PARENTS: usize = 12;

/// What a heading is called in programs that translate the names of their styles.
const HEADINGS: [&str; 20] = [
    "heading",
    "überschrift",
    "titre",
    "título",
    "titulo",
    "titolo",
    "encabezado",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "заголовок",
    "nagłówek",
    "nadpis",
    "címsor",
    "başlık",
    "標題",
    "标题",
    "見出し",
    "제목",
];

impl Styles {
    /// A style begins: those without a number are number 0.
    pub(super) fn begin(&mut self) {
        self.finish();
        self.current = Some((0, Style::default()));
    }

    /// A control word inside the sheet.
    pub(super) fn word(&mut self, name: &[u8], number: Option<i32>) {
        let Some((place, style)) = &mut self.current else { return };
        match name {
            b"s" => *place = number.unwrap_or(0),
            // Styles of characters, sections and tables have numbers of their own.
            b"cs" | b"ds" | b"ts" => *place = -1,
            b"outlinelevel" => style.outline = number,
            b"sbasedon" => style.parent = number,
            _ => {}
        }
    }

    /// Text inside the sheet: the name of a style, and a semicolon.
    pub(super) fn text(&mut self, text: &str) {
        if let Some((_, style)) = &mut self.current
            && style.name.len() + text.len() <= NAME_BYTES
        {
            style.name.push_str(text);
        }
        if text.contains(';') {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if let Some((number, style)) = self.current.take()
            && number >= 0
        {
            let outline = style.outline.or_else(|| outline_of_name(&style.name));
            self.known.insert(number, Level { outline, parent: style.parent });
        }
    }

    /// The level of a paragraph among headings, from 1, if it is one.
    pub(super) fn heading(&self, number: i32, own: Option<i32>) -> Option<u8> {
        own.or_else(|| self.outline(number)).and_then(|outline| match outline {
            0..=8 => u8::try_from(outline + 1).ok(),
            _ => None,
        })
    }

    fn outline(&self, number: i32) -> Option<i32> {
        let mut number = number;
        for _ in 0..PARENTS {
            let style = self.known.get(&number)?;
            if style.outline.is_some() {
                return style.outline;
            }
            number = style.parent.filter(|parent| *parent != number)?;
        }
        None
    }
}

/// The level that a name such as `heading 2` tells, from 0.
fn outline_of_name(name: &str) -> Option<i32> {
    let name = name.trim_end_matches(';').trim().to_lowercase();
    if name == "title" {
        return Some(0);
    }
    let level = HEADINGS.iter().find_map(|word| name.strip_prefix(word))?.trim_start();
    let digits = level.len() - level.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let behind = level.get(digits..)?;
    if !behind.is_empty() && !behind.starts_with([',', ';']) {
        return None;
    }
    level.get(..digits)?.parse::<i32>().ok().filter(|level| (1..=9).contains(level)).map(|level| level - 1)
}
