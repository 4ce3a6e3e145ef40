//! What a group inherits from the group around it.

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Into the paragraph.
    Body,
    /// Into the number or bullet before the paragraph.
    Label,
    /// Into the name of a font.
    Fonts,
    /// Into the name of a style.
    Styles,
    /// Nowhere: the kinds of lists.
    Lists,
    /// Nowhere: which list a number means.
    Overrides,
    /// Into the instruction of the field with this number.
    Instruction(usize),
    /// Nowhere: what a field of a form says; the field with this number.
    Form(usize),
    /// Into a choice of a field of a form.
    Choice(usize),
    /// Nowhere: between groups of which some have text.
    Between,
}

/// What is done when the group closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing.
    Plain,
    /// The footnote or endnote with this number, from 0, is complete.
    Note(usize),
    /// A text box is complete.
    Frame,
    /// A header or footer is complete.
    Margin,
    /// A comment is complete.
    Comment,
    /// A note or the like in text that is not shown is complete.
    Gone,
    /// A field is complete.
    Field,
    /// The instruction of a field is complete.
    Instruction,
    /// Something written around its content ends so.
    Mark(&'static str),
}

/// How characters look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    pub(super) const STRIKE: Self = Self(1);
    pub(super) const BOLD: Self = Self(2);
    pub(super) const ITALIC: Self = Self(4);
    pub(super) const RAISED: Self = Self(8);
    pub(super) const LOWERED: Self = Self(16);
    pub(super) const HIDDEN: Self = Self(32);
    pub(super) const DELETED: Self = Self(64);

    pub(super) fn has(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }

    pub(super) fn with(self, mark: Self) -> Self {
        Self(self.0 | mark.0)
    }

    pub(super) fn without(self, mark: Self) -> Self {
        Self(self.0 & !mark.0)
    }
}

/// The form of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The number of its style.
    pub(super) style: i32,
    /// Its own level among headings, from 0; 9 is none.
    pub(super) outline: Option<i32>,
    /// Which list it is in; 0 for none.
    pub(super) list: i32,
    /// How deep in that list.
    pub(super) list_level: i32,
    /// How far it is indented.
    pub(super) indent: i32,
    /// How far its first line is indented more.
    pub(super) first_indent: i32,
    /// Whether it is in a table.
    pub(super) in_table: bool,
    /// How deep in tables it is, where that is said.
    pub(super) nested: usize,
}

impl Paragraph {
    /// How deep in tables it is.
    pub(super) fn tables(&self) -> usize {
        self.nested.max(usize::from(self.in_table))
    }
}

/// What holds at a place of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) place: Place,
    /// Where text goes that is inside of [`Place::Between`] and meant to be shown.
    pub(super) under: Place,
    pub(super) ending: Ending,
    pub(super) font: i32,
    pub(super) marks: Marks,
    /// The link it is part of.
    pub(super) link: Option<usize>,
    /// How many characters stand behind a Unicode character for those who cannot read it.
    pub(super) substitutes: u32,
    pub(super) paragraph: Paragraph,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            place: Place::Body,
            under: Place::Body,
            ending: Ending::Plain,
            font: -1,
            marks: Marks::default(),
            link: None,
            substitutes: 1,
            paragraph: Paragraph::default(),
        }
    }
}
