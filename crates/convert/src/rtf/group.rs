//! Groups that begin, and groups that end.

use super::field::{Field, Order};
use super::flow::Flow;
use super::place::{Group, Stream};
use super::reader::Reader;
use super::state::{Ending, Marks, Place};

impl Reader<'_> {
    /// Whether a control word makes its group something; then that is done.
    pub(super) fn enter(&mut self, name: &[u8]) -> bool {
        let Some(group) = Group::of_word(name) else {
            // Styles of characters may be passed over by those who do not know them.
            let skipped = self.optional && self.depth() > 1 && self.now.place != Place::Styles;
            if skipped {
                self.tokens.skip_rest();
            }
            return skipped;
        };
        // The outermost group is the document, whatever is written in it.
        if self.depth() > 1 {
            self.enter_group(group, name);
        }
        true
    }

    fn enter_group(&mut self, group: Group, name: &[u8]) {
        match group {
            Group::Skipped => self.tokens.skip_rest(),
            Group::Picture => {
                self.tally.pictures += 1;
                self.tokens.skip_rest();
            }
            Group::Fonts => self.now.place = Place::Fonts,
            Group::Styles => self.now.place = Place::Styles,
            Group::Lists => self.now.place = Place::Lists,
            Group::Overrides => self.now.place = Place::Overrides,
            Group::Label => self.enter_label(),
            Group::Field | Group::Instruction | Group::Form | Group::Choice => self.enter_field(group, name),
            Group::Shown => self.enter_shown(),
            Group::Stream(stream) => self.enter_stream(stream),
            Group::Between => self.between(),
            Group::Formula => self.enter_part("$", "$"),
            Group::Part(before, behind) => self.enter_part(before, behind),
        }
    }

    fn enter_label(&mut self) {
        if self.now.place != Place::Body {
            self.tokens.skip_rest();
            return;
        }
        self.now.place = Place::Label;
        if let Some(flow) = self.flows.last_mut() {
            flow.label = Some(String::new());
        }
    }

    fn between(&mut self) {
        if self.now.place != Place::Between {
            self.now.under = self.now.place;
            self.now.place = Place::Between;
        }
    }

    fn enter_field(&mut self, group: Group, name: &[u8]) {
        let last = self.fields.len().checked_sub(1);
        match (group, last) {
            (Group::Field, _) if self.now.ending == Ending::Plain => {
                self.fields.push(Field::default());
                self.now.ending = Ending::Field;
                self.between();
            }
            (Group::Instruction, Some(last)) if self.now.ending == Ending::Plain => {
                self.now.place = Place::Instruction(last);
                self.now.ending = Ending::Instruction;
            }
            (Group::Form, Some(last)) => self.now.place = Place::Form(last),
            (Group::Choice, Some(last)) => {
                if let Some(field) = self.fields.get_mut(last) {
                    field.form.word(name, None);
                }
                self.now.place = Place::Choice(last);
            }
            _ => self.tokens.skip_rest(),
        }
    }

    /// Text that is shown: of a field, of an object, or the better one of two.
    fn enter_shown(&mut self) {
        if self.now.place != Place::Between {
            return;
        }
        self.now.place = self.now.under;
        let Some(field) = self.fields.last() else { return };
        if field.shown {
            self.tokens.skip_rest();
        } else if field.link.is_some() {
            self.now.link = field.link;
        }
    }

    fn enter_stream(&mut self, stream: Stream) {
        let shown = if self.now.place == Place::Between { self.now.under } else { self.now.place };
        if shown != Place::Body || self.now.ending != Ending::Plain {
            self.tokens.skip_rest();
            return;
        }
        let gone = self.now.marks.has(Marks::HIDDEN) || self.now.marks.has(Marks::DELETED);
        self.now.ending = match stream {
            Stream::Note if gone => Ending::Gone,
            Stream::Note => Ending::Note(self.begin_note()),
            Stream::Frame => Ending::Frame,
            Stream::Margin => Ending::Margin,
            Stream::Comment => Ending::Comment,
        };
        self.now.place = Place::Body;
        self.now.under = Place::Body;
        self.now.paragraph = super::state::Paragraph::default();
        self.now.marks = Marks::default();
        self.now.link = None;
        self.flows.push(Flow::new());
    }

    /// Sets the mark of a note into the text and gives its number, from 0.
    fn begin_note(&mut self) -> usize {
        let number = self.notes.len();
        self.notes.push(String::new());
        let paragraph = self.now.paragraph;
        if let Some(flow) = self.flows.last_mut() {
            flow.seen.get_or_insert(paragraph);
            flow.inline.attach(&format!("[^{}]", number + 1));
        }
        number
    }

    fn enter_part(&mut self, before: &str, behind: &'static str) {
        if self.now.place == Place::Body && self.now.ending == Ending::Plain {
            self.put(before);
            self.now.ending = Ending::Mark(behind);
        }
    }

    /// Does what is to be done at the end of a group.
    pub(super) fn end_group(&mut self) {
        match self.now.ending {
            Ending::Plain => {
                if self.now.place == Place::Fonts && self.outer_place() != Place::Fonts {
                    self.fonts.finish();
                }
            }
            Ending::Mark(behind) => self.put(behind),
            Ending::Field => {
                self.fields.pop();
            }
            Ending::Instruction => self.end_instruction(),
            Ending::Note(_) | Ending::Frame | Ending::Margin | Ending::Comment | Ending::Gone => self.end_flow(),
        }
    }

    fn end_instruction(&mut self) {
        let Place::Instruction(number) = self.now.place else { return };
        let Some(field) = self.fields.get_mut(number) else { return };
        match field.order() {
            Order::Text => {}
            Order::Link(target) => {
                field.link = Some(self.links.len());
                self.links.push(target);
            }
            Order::Show(text) => {
                field.shown = true;
                self.now.place = self.now.under;
                self.put(&text);
            }
        }
    }

    fn end_flow(&mut self) {
        self.end_paragraph();
        let ending = self.now.ending;
        if self.flows.len() < 2 {
            return;
        }
        let Some(text) = self.flows.pop().map(|mut flow| flow.finish()) else { return };
        match ending {
            Ending::Note(number) => {
                if let Some(note) = self.notes.get_mut(number) {
                    *note = text;
                }
            }
            Ending::Frame => {
                if let Some(flow) = self.flows.last_mut() {
                    flow.add_frame(text);
                }
            }
            Ending::Margin if !text.is_empty() => self.tally.add_margin(text),
            Ending::Comment if !text.is_empty() => self.tally.comments += 1,
            // The last four have no stream.
            Ending::Margin
            | Ending::Comment
            | Ending::Gone
            | Ending::Plain
            | Ending::Field
            | Ending::Instruction
            | Ending::Mark(_) => {}
        }
    }
}
