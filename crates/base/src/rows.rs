//! Rows of text: a page has thousands, so their texts stand one behind the other in one string.

use crate::span::Span;

/// The rows of a page.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    text: String,
    places: Vec<Place>,
}

/// Bytes of a line, about.
const USUAL_LINE: usize = 48;

#[derive(Clone, Debug)]
struct Place {
    label: Label,
    /// Where the row's text ends; it begins where the one before it ends.
    end: usize,
    /// Boxed, since hardly any row has it.
    cut: Option<Box<Cut>>,
    inside: Option<Box<Inside>>,
}

/// A line, or a slice of one.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// What stands before the text.
    pub label: Label,
    /// The text, already made visible.
    pub text: &'a str,
    /// Set when the text is not the whole line.
    pub cut: Option<&'a Cut>,
    /// Set when the row stands for lines in which things are declared.
    pub inside: Option<&'a Inside>,
}

impl Rows {
    /// Makes room for so many bytes of text, so that a page is not copied while it grows.
    pub fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
        self.places.reserve(bytes / USUAL_LINE);
    }

    /// Adds a row.
    pub fn push(&mut self, label: Label, text: &str, cut: Option<Cut>) {
        self.text.push_str(text);
        self.places.push(Place { label, end: self.text.len(), cut: cut.map(Box::new), inside: None });
    }

    /// Adds a row that stands for several lines.
    pub fn push_fold(&mut self, lines: Span, text: &str, inside: Option<Inside>) {
        self.text.push_str(text);
        let (label, end) = (Label::Lines(lines), self.text.len());
        self.places.push(Place { label, end, cut: None, inside: inside.map(Box::new) });
    }

    /// Adds the rows of another page behind these.
    pub fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        self.places.extend(other.places.iter().map(|place| Place { end: start + place.end, ..place.clone() }));
    }

    /// Lets the rests of cut lines be read under another address.
    pub fn readdress(&mut self, from: &str, to: &str) {
        for next in self.places.iter_mut().filter_map(|place| place.cut.as_mut()?.next.as_mut()) {
            if let Some(rest) = next.strip_prefix(from) {
                *next = format!("{to}{rest}");
            }
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many bytes their texts have together.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The rows in their order.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let mut start = 0;
        self.places.iter().map(move |place| {
            let text = self.text.get(start..place.end).unwrap_or_default();
            start = place.end;
            Row { label: place.label, text, cut: place.cut.as_deref(), inside: place.inside.as_deref() }
        })
    }
}

/// The number before a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The line's number.
    Line(u64),
    /// The offset of the row's first byte, where the line's number is not known.
    Byte(u64),
    /// The number that a line had which is no longer there.
    Gone(u64),
    /// The numbers of the lines that the row stands for.
    Lines(Span),
}

/// What is declared in lines that a row stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// How many things.
    pub names: u64,
    /// What they are called, where they are few.
    pub told: Vec<String>,
    /// The address that shows them.
    pub next: String,
}

/// Which part of its line a row shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The file offset of the first byte shown, where it is known.
    pub start: Option<u64>,
    /// How many bytes are shown.
    pub shown: u64,
    /// How many bytes of the line stand before them, where that is known.
    pub before: Option<u64>,
    /// How many bytes of the line are left after them, where that is known.
    pub after: Option<u64>,
    /// The address of what is left.
    pub next: Option<String>,
}
