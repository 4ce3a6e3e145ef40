//! Runs of text in Markdown.

use office_oxide::ir::{InlineContent, TextSpan, VerticalAlign};

use super::notes::Notes;

/// How the text of a run stands out.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look<'a> {
    /// What stands before and behind it, the same read backwards.
    marks: &'static str,
    link: Option<&'a str>,
}

/// Whether letters may stand out by weight: in headings and heads of tables they do so anyway.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Shown,
    Dropped,
}

/// Makes one text of the runs of a paragraph.
pub(super) fn line(content: &[InlineContent], weight: Weight, notes: &mut Notes) -> String {
    let mut out = String::new();
    let mut held = String::new();
    let mut look: Option<Look<'_>> = None;
    for item in content {
        let InlineContent::Text(span) = item else {
            // A break does not end a look: `**one\ntwo**` is still one bold phrase.
            if matches!(item, InlineContent::LineBreak) {
                held.push('\n');
                notes.heard("\n");
                continue;
            }
            flush(&mut out, &mut held, look);
            mark(&mut out, item, notes);
            continue;
        };
        let next = look_of(span, weight);
        if !held.trim().is_empty() && look != Some(next) && !span.text.trim().is_empty() {
            flush(&mut out, &mut held, look);
        }
        if held.trim().is_empty() || !span.text.trim().is_empty() {
            look = Some(next);
        }
        push_shifted(&mut held, span);
        notes.heard(&span.text);
    }
    flush(&mut out, &mut held, look);
    out
}

fn look_of(span: &TextSpan, weight: Weight) -> Look<'_> {
    let shown = weight == Weight::Shown;
    let link = span.hyperlink.as_deref().map(str::trim).filter(|link| !link.is_empty());
    let marks = match (span.bold && shown, span.italic && shown, span.strikethrough) {
        (false, false, false) => "",
        (false, false, true) => "~~",
        (false, true, false) => "*",
        (false, true, true) => "~~*",
        (true, false, false) => "**",
        (true, false, true) => "~~**",
        (true, true, false) => "***",
        (true, true, true) => "~~***",
    };
    Look { marks, link }
}

/// Adds text that may be raised or lowered.
fn push_shifted(held: &mut String, span: &TextSpan) {
    let (open, close) = match span.vertical_align {
        Some(VerticalAlign::Superscript) => ("<sup>", "</sup>"),
        Some(VerticalAlign::Subscript) => ("<sub>", "</sub>"),
        Some(VerticalAlign::Baseline) | None => return push_clean(held, &span.text),
    };
    let mut text = String::new();
    push_clean(&mut text, &span.text);
    let inner = text.trim();
    if inner.is_empty() {
        held.push_str(&text);
        return;
    }
    let before = text.len() - text.trim_start().len();
    // Word cuts one phrase into several runs.
    if before == 0 && held.ends_with(close) {
        held.truncate(held.len() - close.len());
    } else {
        held.push_str(text.get(..before).unwrap_or_default());
        held.push_str(open);
    }
    held.push_str(inner);
    held.push_str(close);
    held.push_str(text.get(text.trim_end().len()..).unwrap_or_default());
}

fn mark(out: &mut String, item: &InlineContent, notes: &mut Notes) {
    match item {
        InlineContent::FootnoteRef(note) => notes.push_mark(out, super::notes::Kind::Foot, note.note_id),
        InlineContent::EndnoteRef(note) => notes.push_mark(out, super::notes::Kind::End, note.note_id),
        InlineContent::CommentStart(anchor) => notes.comment_starts(anchor.comment_id),
        InlineContent::CommentRef(anchor) => notes.comment_ends(anchor.comment_id),
        // Text and breaks are handled by the caller; what later versions add cannot be named.
        InlineContent::Text(_) | InlineContent::LineBreak | _ => {}
    }
}

/// Ends a stretch of one look; the space at its edges stays outside of the marks.
fn flush(out: &mut String, held: &mut String, look: Option<Look<'_>>) {
    let text = std::mem::take(held);
    let inner = text.trim();
    let (Some(look), false) = (look, inner.is_empty()) else {
        out.push_str(&text);
        return;
    };
    let before = text.len() - text.trim_start().len();
    out.push_str(text.get(..before).unwrap_or_default());
    let close: String = look.marks.chars().rev().collect();
    if let Some(link) = look.link {
        push_link(out, &format!("{}{inner}{close}", look.marks), link);
    } else {
        out.push_str(look.marks);
        out.push_str(inner);
        out.push_str(&close);
    }
    out.push_str(text.get(text.trim_end().len()..).unwrap_or_default());
}

/// Adds a link; one whose text is its target stands as it is.
pub(super) fn push_link(out: &mut String, text: &str, link: &str) {
    if text == link || link.strip_prefix("mailto:") == Some(text) {
        out.push_str(text);
        return;
    }
    out.push('[');
    out.push_str(&text.replace('[', "\\[").replace(']', "\\]"));
    out.push_str("](");
    for sign in link.chars() {
        match sign {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            sign if sign.is_whitespace() => out.push_str("%20"),
            sign if sign.is_control() => {}
            sign => out.push(sign),
        }
    }
    out.push(')');
}

/// Adds text with one kind of line end and without control characters.
pub(super) fn push_clean(out: &mut String, text: &str) {
    if !text.bytes().any(|byte| byte < b' ') {
        out.push_str(text);
        return;
    }
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\r' if signs.peek() == Some(&'\n') => {}
            '\r' | '\u{b}' | '\u{c}' => out.push('\n'),
            '\n' | '\t' => out.push(sign),
            sign if sign.is_control() => {}
            sign => out.push(sign),
        }
    }
}
