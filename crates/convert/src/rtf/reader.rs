//! Reads tokens and keeps what holds at each place.

use super::field::Field;
use super::flow::Flow;
use super::fonts::Fonts;
use super::inline::Look;
use super::lists::Lists;
use super::state::{Ending, Marks, Place, State};
use super::styles::Styles;
use super::token::{Token, Tokens};
use crate::{Bounds, Refusal};

/// A document that is being read.
pub(super) struct Reader<'a> {
    pub(super) tokens: Tokens<'a>,
    bounds: &'a Bounds,
    stack: Vec<State>,
    pub(super) now: State,
    /// Whether `\*` was read: a group that is not known may be passed over.
    pub(super) optional: bool,
    /// Characters of a substitute still to be passed over.
    substitutes: u32,
    /// Bytes that are not yet characters: some take two.
    bytes: Vec<u8>,
    /// The first half of a character that takes two numbers.
    half: Option<u16>,
    /// Whether bytes that are not escaped are in UTF-8, against the rules.
    raw_unicode: bool,
    pub(super) fonts: Fonts,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    pub(super) fields: Vec<Field>,
    pub(super) links: Vec<String>,
    /// The document, and inside of it what is read on the way, such as a footnote.
    pub(super) flows: Vec<Flow>,
    pub(super) notes: Vec<String>,
    pub(super) tally: Tally,
    /// Bytes of text so far.
    spent: u64,
}

/// What was met and is not in the text.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pictures: u64,
    pub(super) comments: u64,
    pub(super) margins: Vec<String>,
    pub(super) hidden: bool,
    pub(super) deleted: bool,
}

impl Tally {
    /// Keeps a header or footer; sections repeat them, and few have more than a dozen.
    pub(super) fn add_margin(&mut self, text: String) {
        if self.margins.len() < 16 && !self.margins.contains(&text) {
            self.margins.push(text);
        }
    }
}

/// How reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the last brace.
    Closed,
    /// Within a group.
    Open,
    /// With the file, long after a brace that closed the document.
    Beyond,
    /// At the limit of the text.
    Cut,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], bounds: &'a Bounds) -> Self {
        Self {
            tokens: Tokens::new(bytes),
            bounds,
            stack: Vec::new(),
            now: State::new(),
            optional: false,
            substitutes: 0,
            bytes: Vec::new(),
            half: None,
            raw_unicode: !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok(),
            fonts: Fonts::new(),
            styles: Styles::default(),
            lists: Lists::default(),
            fields: Vec::new(),
            links: Vec::new(),
            flows: vec![Flow::new()],
            notes: Vec::new(),
            tally: Tally::default(),
            spent: 0,
        }
    }

    /// Reads to the end.
    pub(super) fn read(&mut self) -> Result<End, Refusal> {
        let mut end = End::Open;
        while let Some(token) = self.tokens.next() {
            self.token(token)?;
            if token == Token::Close && self.stack.is_empty() {
                // A brace too many must not hide the rest of the text.
                if end == End::Open && !goes_on(self.tokens.rest()) {
                    end = End::Closed;
                    break;
                }
                end = End::Beyond;
                self.stack.push(self.now);
            }
            if self.spent > self.bounds.text_bytes {
                end = End::Cut;
                break;
            }
        }
        self.flush();
        // What is open when the file ends is shown as far as it goes.
        while !self.stack.is_empty() {
            self.close();
        }
        self.end_paragraph();
        Ok(end)
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), Refusal> {
        match token {
            Token::Text(bytes) => self.text(bytes),
            Token::Hex(byte) => self.byte(byte),
            Token::Word(name, number) => self.word_or_substitute(name, number),
            Token::Symbol(symbol) => self.symbol_or_substitute(symbol),
            Token::Open => self.open()?,
            Token::Close => {
                self.flush();
                self.close();
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Refusal> {
        self.flush();
        self.substitutes = 0;
        self.optional = false;
        if self.stack.len() as u64 >= self.bounds.depth {
            return Err(Refusal::TooLarge { limit: "depth".to_owned(), value: self.bounds.depth });
        }
        // Each group right inside of the sheet is a style.
        if self.now.place == Place::Styles && self.outer_place() != Place::Styles {
            self.styles.begin();
        }
        self.stack.push(self.now);
        self.now.ending = Ending::Plain;
        Ok(())
    }

    fn close(&mut self) {
        self.substitutes = 0;
        self.optional = false;
        self.end_group();
        if let Some(outer) = self.stack.pop() {
            self.now = outer;
        }
    }

    /// How many groups are open.
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Where text outside of the group goes.
    pub(super) fn outer_place(&self) -> Place {
        self.stack.last().map_or(Place::Body, |outer| outer.place)
    }

    fn text(&mut self, bytes: &[u8]) {
        self.optional = false;
        let skipped = (self.substitutes as usize).min(bytes.len());
        self.substitutes -= u32::try_from(skipped).unwrap_or(0);
        let bytes = bytes.get(skipped..).unwrap_or_default();
        if self.raw_unicode && !bytes.is_ascii() {
            self.flush();
            self.put(&String::from_utf8_lossy(bytes));
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.substitutes > 0 {
            self.substitutes -= 1;
        } else {
            self.bytes.push(byte);
        }
    }

    fn symbol_or_substitute(&mut self, symbol: u8) {
        match symbol {
            b'\\' | b'{' | b'}' => self.byte(symbol),
            b'*' => self.optional = true,
            _ if self.substitutes > 0 && symbol != b'\n' && symbol != b'\r' => self.substitutes -= 1,
            _ => {
                self.flush();
                self.symbol(symbol);
            }
        }
    }

    fn word_or_substitute(&mut self, name: &[u8], number: Option<i32>) {
        if name == b"u" {
            self.flush_bytes();
            self.unicode(number.unwrap_or(0));
            return;
        }
        let sign = super::word::sign(name);
        // Words that are no characters do something that must not be lost, substitute or not.
        if std::mem::take(&mut self.substitutes) > 0 && sign.is_some() {
            return;
        }
        self.flush();
        match sign {
            Some(sign) => self.put(sign),
            None if self.enter(name) => {}
            None => self.word(name, number),
        }
        self.optional = false;
    }

    fn unicode(&mut self, number: i32) {
        self.substitutes = self.now.substitutes;
        // Numbers above 32767 are written as negative ones.
        let Ok(unit) = u16::try_from(number & 0xffff) else { return };
        if (0x10000..=0x0010_ffff).contains(&number) {
            self.flush_half();
            self.put_char(u32::try_from(number).ok().and_then(char::from_u32));
            return;
        }
        match (self.half.take(), unit) {
            (None, 0xd800..=0xdbff) => self.half = Some(unit),
            (Some(high), 0xdc00..=0xdfff) => {
                let sign = char::decode_utf16([high, unit]).next().and_then(Result::ok);
                self.put_char(sign);
            }
            (high, _) => {
                self.half = high;
                self.flush_half();
                self.one_unit(unit);
            }
        }
    }

    fn one_unit(&mut self, unit: u16) {
        match unit {
            0xd800..=0xdbff => self.half = Some(unit),
            // Signs of a font, by their places in it.
            0xf020..=0xf0ff => {
                let byte = unit.to_le_bytes().first().copied().unwrap_or(0);
                let font = self.fonts.symbols(self.now.font);
                let sign = match (font, byte) {
                    (Some(font), byte) => font.sign(byte),
                    (None, 0xb7) => '•',
                    (None, byte) => char::from(byte),
                };
                self.put_char(Some(sign));
            }
            _ => self.put_char(char::from_u32(u32::from(unit))),
        }
    }

    fn put_char(&mut self, sign: Option<char>) {
        let sign = sign.unwrap_or(char::REPLACEMENT_CHARACTER);
        self.put(sign.encode_utf8(&mut [0; 4]));
    }

    /// Counts what takes memory and is no text.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.spent += bytes;
    }

    /// Makes characters of what was read, since something else follows.
    pub(super) fn flush(&mut self) {
        self.flush_bytes();
        self.flush_half();
    }

    fn flush_half(&mut self) {
        if self.half.take().is_some() {
            self.put_char(None);
        }
    }

    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        self.flush_half();
        let bytes = std::mem::take(&mut self.bytes);
        let mut text = String::new();
        self.fonts.codec(self.now.font).decode(&bytes, &mut text);
        self.put(&text);
        self.bytes = bytes;
        self.bytes.clear();
    }

    /// Adds characters where they go.
    pub(super) fn put(&mut self, text: &str) {
        self.spent += text.len() as u64;
        if text.contains(is_noise) {
            let text: String = text.chars().filter(|sign| !is_noise(*sign)).collect();
            self.put_clean(&text);
        } else {
            self.put_clean(text);
        }
    }

    fn put_clean(&mut self, text: &str) {
        match self.now.place {
            Place::Body => self.put_body(text),
            Place::Label => {
                if let Some(flow) = self.flows.last_mut() {
                    flow.label.get_or_insert_default().push_str(text);
                }
            }
            Place::Fonts => self.fonts.text(text),
            Place::Styles => self.styles.text(text),
            Place::Instruction(field) => {
                if let Some(field) = self.fields.get_mut(field) {
                    field.instruct(text);
                }
            }
            Place::Choice(field) => {
                if let Some(choice) = self.fields.get_mut(field).and_then(|field| field.form.choices.last_mut()) {
                    choice.push_str(text);
                }
            }
            Place::Lists | Place::Overrides | Place::Form(_) | Place::Between => {}
        }
    }

    fn put_body(&mut self, text: &str) {
        let blank = text.trim().is_empty();
        let mut marks = self.now.marks;
        if marks.has(Marks::HIDDEN) || marks.has(Marks::DELETED) {
            self.tally.hidden |= marks.has(Marks::HIDDEN) && !blank;
            self.tally.deleted |= marks.has(Marks::DELETED) && !blank;
            return;
        }
        let paragraph = self.now.paragraph;
        let strong = marks.has(Marks::BOLD) || marks.has(Marks::ITALIC);
        if strong && self.styles.heading(paragraph.style, paragraph.outline).is_some() {
            marks = marks.without(Marks::BOLD).without(Marks::ITALIC);
        }
        let link = self.now.link.and_then(|link| self.links.get(link)).map(String::as_str);
        if let Some(flow) = self.flows.last_mut() {
            if !blank {
                flow.seen = Some(paragraph);
            }
            flow.inline.push(Look { marks, link }, text);
        }
    }
}

/// Whether there are paragraphs in what follows the document.
fn goes_on(rest: &[u8]) -> bool {
    rest.windows(4).any(|window| window == b"\\par")
}

/// Characters that mean nothing in a text.
fn is_noise(sign: char) -> bool {
    sign.is_control() && sign != '\t' && sign != '\n'
}
