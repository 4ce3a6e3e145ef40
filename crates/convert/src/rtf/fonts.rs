//! The table of fonts: which code page the bytes of a font are in.

use std::collections::{HashMap, HashSet};

use super::charset::{Codec, page_of_charset, page_of_name};
use super::symbol::SymbolFont;

/// The fonts of a document.
#[derive(Debug)]
pub(super) struct Fonts {
    known: HashMap<i32, Reading>,
    /// The code pages of the fonts that have one.
    pages: HashSet<i32>,
    /// The font of the table that is being read.
    current: Option<(i32, Font)>,
    /// The code page of the document.
    page: i32,
    /// The font of text that names none.
    pub(super) default: i32,
}

/// How the bytes of a font are read.
#[derive(Clone, Copy, Debug)]
enum Reading {
    /// As signs.
    Signs(SymbolFont),
    /// By this code page.
    Page(i32),
    /// By that of the document.
    Document,
    /// By the western one, if that is meant.
    Western,
}

#[derive(Debug, Default)]
struct Font {
    charset: Option<i32>,
    page: Option<i32>,
    name: String,
}

/// Longer names of fonts are nobody's.
const NAME_BYTES: usize = 128;

impl Fonts {
    pub(super) fn new() -> Self {
        Self { known: HashMap::new(), pages: HashSet::new(), current: None, page: 1252, default: 0 }
    }

    /// Sets the code page of the document.
    pub(super) fn set_page(&mut self, page: i32) {
        // Word writes 0 where it means the usual one.
        if page > 0 {
            self.page = page;
        }
    }

    /// A control word inside the table.
    pub(super) fn word(&mut self, name: &[u8], number: Option<i32>) {
        match name {
            b"f" => {
                self.finish();
                self.current = number.map(|number| (number, Font::default()));
            }
            b"fcharset" => self.change(|font| font.charset = number),
            b"cpg" => self.change(|font| font.page = number.filter(|page| *page > 0)),
            _ => {}
        }
    }

    /// Text inside the table: the name of a font, and a semicolon.
    pub(super) fn text(&mut self, text: &str) {
        self.change(|font| {
            if font.name.len() + text.len() <= NAME_BYTES {
                font.name.push_str(text);
            }
        });
        if text.contains(';') {
            self.finish();
        }
    }

    /// The font that is being read is complete.
    pub(super) fn finish(&mut self) {
        if let Some((number, font)) = self.current.take() {
            let reading = font.reading();
            if let Reading::Page(page) = reading {
                self.pages.insert(page);
            }
            self.known.insert(number, reading);
        }
    }

    fn change(&mut self, how: impl FnOnce(&mut Font)) {
        if let Some((_, font)) = &mut self.current {
            how(font);
        }
    }

    /// How the bytes of text in this font are read.
    pub(super) fn codec(&self, number: i32) -> Codec {
        let number = if number < 0 { self.default } else { number };
        match self.known.get(&number) {
            Some(Reading::Signs(font)) => Codec::Symbols(*font),
            Some(Reading::Page(page)) => Codec::of_page(*page),
            // Those who write a document in another page and know of character sets have a font with that set; where no
            // font has it, nobody thought of the set, and what is called western is not.
            Some(Reading::Western) if self.pages.contains(&self.page) => Codec::of_page(1252),
            Some(Reading::Western | Reading::Document) | None => Codec::of_page(self.page),
        }
    }

    /// The signs of the font of this number, if it is one of signs.
    pub(super) fn symbols(&self, number: i32) -> Option<SymbolFont> {
        match self.codec(number) {
            Codec::Symbols(font) => Some(font),
            Codec::Page(_) | Codec::Dos(_) => None,
        }
    }
}

impl Font {
    fn reading(&self) -> Reading {
        let name = self.name.split(';').next().unwrap_or_default().trim();
        if let Some(signs) = SymbolFont::of_name(name) {
            return Reading::Signs(signs);
        }
        let page = match self.charset {
            None | Some(0 | 1) => page_of_name(name),
            Some(charset) => page_of_charset(charset),
        };
        match (self.page.or(page), self.charset) {
            (Some(page), _) => Reading::Page(page),
            (None, Some(0)) => Reading::Western,
            (None, _) => Reading::Document,
        }
    }
}
