//! The text of one paragraph, with its marks.

use super::state::Marks;

/// How a stretch of text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look<'a> {
    pub(super) marks: Marks,
    pub(super) link: Option<&'a str>,
}

/// A paragraph that is being written. White space waits until it is known what follows, so that marks stand at words.
#[derive(Debug, Default)]
pub(super) struct Inline {
    out: String,
    space: String,
    open: Vec<Marks>,
    link: Option<Link>,
}

#[derive(Debug)]
struct Link {
    target: String,
    start: usize,
}

/// The marks in the order in which they are nested, and what is written for them.
const SIGNS: [(Marks, &str, &str); 5] = [
    (Marks::STRIKE, "~~", "~~"),
    (Marks::BOLD, "**", "**"),
    (Marks::ITALIC, "*", "*"),
    (Marks::RAISED, "<sup>", "</sup>"),
    (Marks::LOWERED, "<sub>", "</sub>"),
];

impl Inline {
    /// Adds text that looks so.
    pub(super) fn push(&mut self, look: Look<'_>, text: &str) {
        let words = text.trim_start();
        self.space.push_str(text.get(..text.len() - words.len()).unwrap_or_default());
        let Some(first) = words.chars().next() else { return };
        let mut marks = look.marks;
        // Raised letters are endings of numbers (1st) and abbreviations; raised digits change what is said.
        if first.is_alphabetic() {
            marks = marks.without(Marks::RAISED).without(Marks::LOWERED);
        }
        self.turn(Look { marks, ..look });
        let body = words.trim_end();
        self.out.push_str(body);
        self.space.push_str(words.get(body.len()..).unwrap_or_default());
    }

    /// Adds something that belongs to the word before it, whatever that looks like.
    pub(super) fn attach(&mut self, text: &str) {
        let space = std::mem::take(&mut self.space);
        self.out.push_str(&space);
        self.out.push_str(text);
    }

    /// Whether nothing but white space was added.
    pub(super) fn is_blank(&self) -> bool {
        self.out.is_empty()
    }

    /// Ends the paragraph and gives its text, without white space at either end.
    pub(super) fn take(&mut self) -> String {
        self.space.clear();
        self.turn(Look::default());
        std::mem::take(&mut self.out)
    }

    /// Closes what does not hold any more, writes the white space, opens what holds now.
    fn turn(&mut self, look: Look<'_>) {
        let same = self.link.as_ref().map(|link| link.target.as_str()) == look.link;
        let keep = if same { self.open.iter().take_while(|mark| look.marks.has(**mark)).count() } else { 0 };
        while self.open.len() > keep {
            let Some(mark) = self.open.pop() else { break };
            self.out.push_str(SIGNS.iter().find(|sign| sign.0 == mark).map_or("", |sign| sign.2));
        }
        if !same {
            self.close_link();
        }
        // No white space begins a paragraph: four spaces would make code of it.
        if !self.out.is_empty() {
            self.out.push_str(&self.space);
        }
        self.space.clear();
        if !same && let Some(target) = look.link {
            self.out.push('[');
            self.link = Some(Link { target: target.to_owned(), start: self.out.len() });
        }
        for (mark, sign, _) in SIGNS {
            if look.marks.has(mark) && !self.open.contains(&mark) {
                self.out.push_str(sign);
                self.open.push(mark);
            }
        }
    }

    fn close_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let text = self.out.get(link.start..).unwrap_or_default();
        let address = link.target.strip_prefix("mailto:").unwrap_or(&link.target);
        if text == link.target || text == address {
            self.out.remove(link.start - 1);
        } else if link.target.contains(['(', ')', ' ', '<', '>']) {
            let target = link.target.replace('<', "%3C").replace('>', "%3E");
            self.out.extend(["](<", &target, ">)"]);
        } else {
            self.out.extend(["](", &link.target, ")"]);
        }
    }
}
