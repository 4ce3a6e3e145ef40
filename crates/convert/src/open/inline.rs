//! The text of one paragraph, with its emphasis in Markdown.

/// How text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Format {
    looks: u8,
    pub(crate) place: Place,
}

/// One way in which text can look, in the order in which marks stand around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Bold,
    Italic,
    Struck,
    Code,
}

const LOOKS: [(Look, &str); 4] = [(Look::Bold, "**"), (Look::Italic, "*"), (Look::Struck, "~~"), (Look::Code, "`")];

/// Where text stands beside the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    #[default]
    Line,
    Above,
    Below,
}

impl Look {
    fn bit(self) -> u8 {
        match self {
            Self::Bold => 1,
            Self::Italic => 2,
            Self::Struck => 4,
            Self::Code => 8,
        }
    }
}

impl Format {
    /// This, and that look.
    pub(crate) fn with(self, look: Look) -> Self {
        Self { looks: self.looks | look.bit(), ..self }
    }

    /// This without that look.
    pub(crate) fn without(self, look: Look) -> Self {
        Self { looks: self.looks & !look.bit(), ..self }
    }

    /// The marks around text that looks so, the outermost first.
    fn marks(self) -> Vec<(&'static str, &'static str)> {
        let mut marks = Vec::new();
        match self.place {
            Place::Line => {}
            Place::Above => marks.push(("<sup>", "</sup>")),
            Place::Below => marks.push(("<sub>", "</sub>")),
        }
        let looks = LOOKS.iter().filter(|(look, _)| self.looks & look.bit() != 0);
        marks.extend(looks.map(|(_, mark)| (*mark, *mark)));
        marks
    }
}

/// A paragraph while it is read.
pub(crate) struct Inline {
    spans: Vec<(Format, String)>,
    after_blank: bool,
}

impl Inline {
    /// An empty paragraph.
    pub(crate) fn new() -> Self {
        Self { spans: Vec::new(), after_blank: true }
    }

    /// Adds text of the source, in which a run of white space is one space.
    pub(crate) fn push(&mut self, text: &str, format: Format) {
        let mut taken = String::with_capacity(text.len());
        for sign in text.chars() {
            let blank = matches!(sign, ' ' | '\t' | '\n' | '\r');
            if !blank {
                taken.push(sign);
            } else if !self.after_blank {
                taken.push(' ');
            }
            self.after_blank = blank;
        }
        self.add(&taken, format);
    }

    /// Adds text as it stands: spaces, tabs, line breaks and what is Markdown already.
    pub(crate) fn exact(&mut self, text: &str, format: Format) {
        self.after_blank = text.ends_with('\n');
        self.add(text, format);
    }

    fn add(&mut self, text: &str, format: Format) {
        if text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some((last, whole)) if *last == format => whole.push_str(text),
            Some(_) | None => self.spans.push((format, text.to_owned())),
        }
    }

    /// The text without emphasis.
    pub(crate) fn plain(&self) -> String {
        self.spans.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The text in Markdown. Marks hug the words: white space at the edge of a span goes outside.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<(&str, &str)> = Vec::new();
        let mut blank = String::new();
        for (format, text) in &self.spans {
            let core = text.trim();
            if core.is_empty() {
                blank.push_str(text);
                continue;
            }
            let marks = format.marks();
            let same = open.iter().zip(&marks).take_while(|(one, two)| one == two).count();
            for (_, close) in open.drain(same..).rev() {
                out.push_str(close);
            }
            out.push_str(&blank);
            out.push_str(text.get(..text.len() - text.trim_start().len()).unwrap_or_default());
            for mark in marks.into_iter().skip(same) {
                out.push_str(mark.0);
                open.push(mark);
            }
            out.push_str(core);
            blank.clear();
            blank.push_str(text.get(text.trim_end().len()..).unwrap_or_default());
        }
        for (_, close) in open.iter().rev() {
            out.push_str(close);
        }
        out
    }
}
