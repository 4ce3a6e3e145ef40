//! Rich Text Format: a text in which everything but letters is a control word.

mod blocks;
mod charset;
mod field;
mod flow;
mod fonts;
mod group;
mod inline;
mod lists;
mod place;
mod reader;
mod state;
mod styles;
mod symbol;
mod token;
mod word;

use crate::{Bounds, Made, Parts, Refusal, Remark, Section, State};
use reader::{End, Reader};

/// Makes text of a document: it flows, so that there is one section.
pub(crate) fn document(bytes: &[u8], bounds: &Bounds) -> Result<Made, Refusal> {
    let bytes = from_brace(bytes)?;
    let mut reader = Reader::new(bytes, bounds);
    let end = reader.read()?;
    let mut remarks = remarks(&reader, end);
    let mut text = text(&mut reader);
    let most = usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX);
    if text.len() > most || end == End::Cut {
        text.truncate(text.floor_char_boundary(most));
        text.truncate(text.trim_end().len());
        remarks.insert(0, Remark::Cut { limit: "text_bytes".to_owned() });
    }
    let state = match (text.is_empty(), end) {
        (false, _) | (true, End::Cut) => State::Whole,
        (true, End::Open | End::Beyond) => {
            return Err(Refusal::Damaged("it ends within a group, before any text".to_owned()));
        }
        (true, End::Closed) if reader.tally.pictures > 0 => State::NoText,
        (true, End::Closed) => return Err(Refusal::Empty),
    };
    let sections = vec![Section { name: None, text, state }];
    Ok(Made { parts: Parts::Flow, count: 1, names: Vec::new(), first: 1, sections, remarks })
}

/// The file from its first brace on; some have a mark of their encoding or empty lines before it.
fn from_brace(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(b"{\\rtf") {
        Ok(bytes)
    } else {
        Err(Refusal::Damaged("it does not begin as rich text does".to_owned()))
    }
}

/// The text with its notes behind it.
fn text(reader: &mut Reader<'_>) -> String {
    let mut text = reader.flows.first_mut().map(flow::Flow::finish).unwrap_or_default();
    for (index, note) in reader.notes.iter().enumerate() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.extend(["[^", &(index + 1).to_string(), "]: "]);
        for (index, line) in note.lines().enumerate() {
            if index > 0 {
                text.push_str(if line.is_empty() { "\n" } else { "\n    " });
            }
            text.push_str(line);
        }
    }
    // A document that has nothing but a letterhead has at least that.
    if text.is_empty() { reader.tally.margins.join("\n\n") } else { text }
}

fn remarks(reader: &Reader<'_>, end: End) -> Vec<Remark> {
    let tally = &reader.tally;
    let mut remarks = Vec::new();
    match end {
        End::Closed | End::Cut => {}
        End::Open => remarks.push(Remark::Damaged("it ends within a group".to_owned())),
        End::Beyond => remarks.push(Remark::Damaged("a brace closes it before its end".to_owned())),
    }
    let behind = reader.tokens.rest().iter().any(|byte| !byte.is_ascii_whitespace() && *byte != 0);
    if end == End::Closed && behind {
        remarks.push(Remark::LeftOut("what follows the end of the document".to_owned()));
    }
    let mut left_out = |what: String| remarks.push(Remark::LeftOut(what));
    match tally.pictures {
        0 => {}
        1 => left_out("1 picture".to_owned()),
        many => left_out(format!("{many} pictures")),
    }
    match tally.comments {
        0 => {}
        1 => left_out("1 comment".to_owned()),
        many => left_out(format!("{many} comments")),
    }
    if !tally.margins.is_empty() {
        left_out("headers and footers".to_owned());
    }
    if tally.hidden {
        left_out("hidden text".to_owned());
    }
    if tally.deleted {
        left_out("deleted text".to_owned());
    }
    remarks
}
