//! Untrusted text made visible: nothing in it can move the cursor, turn the direction or hide.

use std::borrow::Cow;
use std::fmt::Write as _;

/// How many characters of each dangerous class a text held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Control characters, shown as `\xNN`.
    pub control: u64,
    /// Characters that turn the writing direction, shown as `<U+NNNN>`.
    pub bidi: u64,
    /// Characters of the tag block, shown as `<U+ENNNN>`.
    pub tag: u64,
    /// Characters without width that join or separate nothing, shown as `<U+NNNN>`.
    pub invisible: u64,
}

impl Marks {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Self) {
        self.control += other.control;
        self.bidi += other.bidi;
        self.tag += other.tag;
        self.invisible += other.invisible;
    }
}

/// A text as it may be shown, with the count of what had to be spelled out.
#[derive(Clone, Debug)]
pub struct Visible<'a> {
    /// The text, safe to print.
    pub text: Cow<'a, str>,
    /// What was spelled out.
    pub marks: Marks,
}

impl<'a> Visible<'a> {
    /// Spells out every dangerous character of `text`; a tab stays.
    pub fn of(text: &'a str) -> Self {
        // Nearly every line is printable ASCII, which is told without decoding it.
        if !text.bytes().fold(false, |odd, byte| odd | !matches!(byte, b' '..=b'~' | b'\t')) {
            return Self { text: Cow::Borrowed(text), marks: Marks::default() };
        }
        let dangerous = |character: char| class(character) != CharClass::Plain;
        let Some(first) = text.find(dangerous) else {
            return Self { text: Cow::Borrowed(text), marks: Marks::default() };
        };
        let (clean, rest) = text.split_at(first);
        let mut shown = String::with_capacity(text.len() + 32);
        shown.push_str(clean);
        let mut marks = Marks::default();
        for character in rest.chars() {
            spell(&mut shown, &mut marks, character);
        }
        Self { text: Cow::Owned(shown), marks }
    }
}

fn spell(shown: &mut String, marks: &mut Marks, character: char) {
    let code = u32::from(character);
    let count = match class(character) {
        CharClass::Plain => return shown.push(character),
        CharClass::Control => {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\x{code:02x}");
            marks.control += 1;
            return;
        }
        CharClass::Bidi => &mut marks.bidi,
        CharClass::Tag => &mut marks.tag,
        CharClass::Invisible => &mut marks.invisible,
    };
    *count += 1;
    let _ = write!(shown, "<U+{code:04X}>");
}

/// What a character can do to its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharClass {
    /// Nothing: it is shown as it is.
    Plain,
    /// It moves the cursor or speaks to the terminal.
    Control,
    /// It turns the writing direction.
    Bidi,
    /// It is a hidden copy of an ASCII character.
    Tag,
    /// It takes no room and joins nothing.
    Invisible,
}

pub(crate) fn class(character: char) -> CharClass {
    match character {
        '\t' | ' '..='~' => CharClass::Plain,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => CharClass::Control,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => CharClass::Bidi,
        '\u{E0000}'..='\u{E007F}' => CharClass::Tag,
        // Soft hyphen, fillers, zero-width space and word joiner, the byte order mark inside a text, line and paragraph
        // separators, and the selectors beyond the first plane, which can carry a hidden message.
        '\u{AD}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{FFA0}'
        | '\u{E0100}'..='\u{E01EF}'
        | '\u{200B}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' => CharClass::Invisible,
        _ => CharClass::Plain,
    }
}
