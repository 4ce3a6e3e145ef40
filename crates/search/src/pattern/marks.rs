//! Marks in an expression: where it speaks of the ends of lines.

use regex_syntax::ast::{self, AssertionKind, Ast, ClassSetItem, Visitor};

/// Where an expression speaks of the ends of lines.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Each `$`.
    ends: Vec<(usize, usize)>,
    /// Each line feed that is not one of several choices.
    feeds: Vec<(usize, usize)>,
    /// Whether there is a line feed anywhere.
    pub(super) has_newline: bool,
    /// How many classes of characters are called by their names.
    pub(super) classes: u64,
}

impl Marks {
    /// The marks of an expression.
    pub(super) fn of(ast: &Ast) -> Self {
        match ast::visit(ast, Self::default()) {
            Ok(marks) => marks,
            Err(never) => match never {},
        }
    }

    /// Whether there is a `$`.
    pub(super) fn has_ends(&self) -> bool {
        !self.ends.is_empty()
    }

    /// The expression for many lines at once: `$` also stands before a carriage return.
    pub(super) fn within_lines(&self, text: &str) -> String {
        replaced(text, self.ends.iter().map(|place| (*place, END)).collect())
    }

    /// The expression for a text of several lines: `$` also stands before a carriage return, and a line feed also
    /// stands for CRLF.
    pub(super) fn across_lines(&self, text: &str) -> String {
        let ends = self.ends.iter().map(|place| (*place, END));
        let feeds = self.feeds.iter().map(|place| (*place, FEED));
        replaced(text, ends.chain(feeds).collect())
    }
}

/// The end of a line before LF, CRLF or CR.
const END: &str = "(?R:$)";
/// A line feed, with a carriage return before it or without.
const FEED: &str = r"(?:\r?\n)";

fn replaced(text: &str, mut places: Vec<((usize, usize), &str)>) -> String {
    places.sort_unstable();
    let (mut made, mut done) = (String::with_capacity(text.len() + places.len() * FEED.len()), 0);
    for ((start, end), by) in places {
        made.push_str(text.get(done..start).unwrap_or_default());
        made.push_str(by);
        done = end;
    }
    made.push_str(text.get(done..).unwrap_or_default());
    made
}

impl Visitor for Marks {
    type Output = Self;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        let place = |span: &ast::Span| (span.start.offset, span.end.offset);
        self.classes += u64::from(matches!(ast, Ast::ClassPerl(_) | Ast::ClassUnicode(_)));
        if let Ast::Assertion(assertion) = ast
            && assertion.kind == AssertionKind::EndLine
        {
            self.ends.push(place(&assertion.span));
        }
        if let Ast::Literal(literal) = ast
            && literal.c == '\n'
        {
            self.has_newline = true;
            self.feeds.push(place(&literal.span));
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        self.classes += u64::from(matches!(item, ClassSetItem::Perl(_) | ClassSetItem::Unicode(_)));
        self.has_newline |= matches!(item, ClassSetItem::Literal(literal) if literal.c == '\n');
        self.has_newline |= matches!(item, ClassSetItem::Range(range) if (range.start.c..=range.end.c).contains(&'\n'));
        Ok(())
    }
}
