//! Where a node begins and ends in the lines of a text.

use readstone_base::Span;
use tree_sitter::Node;

use crate::fold::Starts;
use crate::rules::{Role, Rules};

/// Where a node ends, without the blanks at its end and without comments there that belong to what comes next. Some
/// grammars give a comment to what stands before it; it does where it follows without a blank line or stands further
/// in.
pub(crate) fn end_of(node: Node<'_>, text: &str, starts: &Starts, rules: &Rules) -> usize {
    let first = node.start_byte();
    let mut end = first + text.get(first..node.end_byte()).unwrap_or_default().trim_end().len();
    let column = first - starts.offset(starts.line_of(first));
    if !is_comment(starts.line(text, starts.line_of(end.saturating_sub(1).max(first)))) {
        return end;
    }
    let mut touches = is_followed(text, starts, end);
    while let Some(comment) = node
        .descendant_for_byte_range(end.saturating_sub(1), end)
        .filter(|last| *last != node && last.end_byte() >= end && rules.is(Role::Doc, *last, text))
    {
        let start = comment.start_byte();
        let line = starts.line_of(start);
        let before = text.get(first..start).unwrap_or_default().trim_end().len() + first;
        let above = starts.line_of(before.saturating_sub(1));
        let further_in = start - starts.offset(line) > column;
        if further_in || !is_first(text, starts, start) || before <= first || !touches && above + 1 == line {
            return end;
        }
        end = before;
        touches = touches && above + 1 == line;
    }
    end
}

/// Whether a line may be the last of a comment that begins with a line: looking at the text is cheaper than at the
/// tree.
fn is_comment(line: &str) -> bool {
    let line = line.trim();
    ["#", "//", "/*", "--", "<!--", "%", ";"].iter().any(|sign| line.starts_with(sign))
        || ["*/", "-->", "#>"].iter().any(|sign| line.ends_with(sign))
}

/// Whether the line after the one with a byte holds something.
fn is_followed(text: &str, starts: &Starts, end: usize) -> bool {
    !starts.line(text, starts.line_of(end.saturating_sub(1)) + 1).trim().is_empty()
}

/// Whether nothing stands before a byte on its line.
pub(crate) fn is_first(text: &str, starts: &Starts, byte: usize) -> bool {
    let start = starts.offset(starts.line_of(byte));
    text.get(start..byte).is_some_and(|before| before.trim().is_empty())
}

/// The lines from one byte to before another.
pub(crate) fn lines_of(starts: &Starts, first: usize, end: usize) -> Span {
    Span::new(starts.line_of(first), starts.line_of(end.saturating_sub(1).max(first)))
}
