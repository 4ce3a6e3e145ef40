//! Footnotes, endnotes and comments: numbered as they are met, told at the end.
//!
//! Repair of `office_oxide`: the mark of a footnote is lost. Shown by:
//! `fault_marks_of_footnotes_are_lost`, `tests/all/office/flow.rs`.
//!
//! Repair of `office_oxide`: a comment does not say which words it is about. Shown by:
//! `fault_comments_do_not_name_what_they_are_about`, `tests/all/office/flow.rs`.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The two series of notes, which number their notes independently.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Foot,
    End,
}

/// How much of the text a comment stands at is quoted.
const QUOTED: usize = 80;

/// The notes and comments of one section.
#[derive(Default)]
pub(super) struct Notes {
    numbers: HashMap<(Kind, u32), usize>,
    texts: Vec<(usize, String)>,
    open: Vec<(u32, String)>,
    anchors: HashMap<u32, String>,
    comments: Vec<String>,
}

impl Notes {
    /// The number a note is shown under.
    fn number(&mut self, kind: Kind, id: u32) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry((kind, id)).or_insert(next)
    }

    /// Adds the mark of a note to the text.
    pub(super) fn push_mark(&mut self, out: &mut String, kind: Kind, id: u32) {
        let number = self.number(kind, id);
        let _ = write!(out, "[^{number}]");
    }

    /// Keeps the text of a note.
    pub(super) fn note(&mut self, kind: Kind, id: u32, text: String) {
        let number = self.number(kind, id);
        self.texts.push((number, text));
    }

    /// From here on the text is what a comment is about.
    pub(super) fn comment_starts(&mut self, id: u32) {
        // A document opens a handful of ranges at once; more are not worth their cost.
        if self.open.len() < 16 {
            self.open.push((id, String::new()));
        }
    }

    /// Up to here the text was what a comment is about.
    pub(super) fn comment_ends(&mut self, id: u32) {
        if let Some(at) = self.open.iter().position(|(open, _)| *open == id) {
            let (id, text) = self.open.remove(at);
            self.anchors.entry(id).or_insert(text);
        }
    }

    /// Text that was shown, for the comments whose range is open.
    pub(super) fn heard(&mut self, text: &str) {
        for (_, quote) in &mut self.open {
            if quote.chars().count() <= QUOTED {
                quote.extend(text.chars().take(QUOTED + 1));
            }
        }
    }

    /// Keeps the text of a comment.
    pub(super) fn comment(&mut self, id: Option<u32>, author: Option<&str>, text: &str) {
        let anchor =
            id.and_then(|id| self.anchors.get(&id)).map(|quote| one_line(quote)).filter(|quote| !quote.is_empty());
        let mut line = String::from("- ");
        line.push_str(author.filter(|author| !author.trim().is_empty()).unwrap_or("Comment"));
        if let Some(quote) = anchor {
            let cut = quote.chars().count() > QUOTED;
            line.push_str(" on “");
            line.extend(quote.chars().take(QUOTED));
            line.push_str(if cut { "…”" } else { "”" });
        }
        line.push_str(": ");
        line.push_str(&one_line(text));
        self.comments.push(line);
    }

    /// Adds the notes in the order of their numbers, then the comments.
    pub(super) fn finish(mut self, out: &mut String) {
        self.texts.sort_by_key(|(number, _)| *number);
        for (number, text) in &self.texts {
            super::blocks::separate(out);
            let _ = write!(out, "[^{number}]: {}", text.trim().replace("\n\n", "\n").replace('\n', "\n    "));
        }
        if !self.comments.is_empty() {
            super::blocks::separate(out);
            out.push_str("### Comments\n\n");
            out.push_str(&self.comments.join("\n"));
        }
    }
}

/// Text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Who wrote a comment, behind a space and in brackets, where that is known.
pub(super) fn author(name: Option<&str>) -> String {
    name.map(str::trim).filter(|name| !name.is_empty()).map(|name| format!(" ({name})")).unwrap_or_default()
}
