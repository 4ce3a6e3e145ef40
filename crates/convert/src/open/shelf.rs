//! Sections while they are gathered: which are wanted, and how much fits.

use crate::html::shorten;
use crate::{Bounds, Made, Parts, Refusal, Remark, Section, State, Wish};

/// What was made so far.
pub(crate) struct Shelf {
    pub(crate) made: Made,
    wish: Wish,
    /// Bytes of text so far.
    given: u64,
    most: u64,
    full: bool,
}

impl Shelf {
    /// An empty one.
    pub(crate) fn new(parts: Parts, wish: &Wish, bounds: &Bounds) -> Self {
        let (names, sections, remarks) = (Vec::new(), Vec::new(), Vec::new());
        let made = Made { parts, count: 0, names, first: wish.first.max(1), sections, remarks };
        Self { made, wish: *wish, given: 0, most: bounds.text_bytes, full: false }
    }

    /// Counts a section, and says whether it is to be made.
    pub(crate) fn wants_next(&mut self) -> bool {
        self.made.count += 1;
        let number = self.made.count;
        let has_room = self.made.sections.is_empty() || (self.given < self.wish.enough && !self.full);
        number >= self.wish.first && number <= self.wish.last && has_room
    }

    /// Keeps a section. One that does not fit is cut if it is the first, and else left for another time: what the text
    /// of a section is does not depend on the ones before.
    pub(crate) fn take(&mut self, mut section: Section) {
        if self.given.saturating_add(section.text.len() as u64) > self.most {
            self.cut();
        }
        if self.full && !self.made.sections.is_empty() {
            return;
        }
        shorten(&mut section.text, usize::try_from(self.most).unwrap_or(usize::MAX));
        self.given += section.text.len() as u64;
        self.made.sections.push(section);
    }

    /// Says that not all text is given.
    pub(crate) fn cut(&mut self) {
        self.full = true;
        self.remark(Remark::Cut { limit: "text_bytes".to_owned() });
    }

    /// Says something once.
    pub(crate) fn remark(&mut self, remark: Remark) {
        if !self.made.remarks.contains(&remark) {
            self.made.remarks.push(remark);
        }
    }

    /// Says that something is damaged, which is a refusal where there is no text.
    pub(crate) fn damaged(&mut self, what: String) -> Result<(), Refusal> {
        // Where only some sections were asked for, the others may be whole.
        let all = self.made.sections.len() as u64 == self.made.count;
        if all && self.made.sections.iter().all(|section| section.text.is_empty()) {
            return Err(Refusal::Damaged(what));
        }
        self.remark(Remark::Damaged(what));
        Ok(())
    }

    /// What was made; nothing at all is a refusal.
    pub(crate) fn finish(self) -> Result<Made, Refusal> {
        let all = self.made.sections.len() as u64 == self.made.count;
        if all && self.made.sections.iter().all(|section| section.state == State::Blank) {
            return Err(Refusal::Empty);
        }
        Ok(self.made)
    }
}
