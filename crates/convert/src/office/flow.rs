//! Documents that are one text: Word.

use office_oxide::Document;
use office_oxide::ir::{HeaderFooter, Section as Part};

use super::blocks::{Writer, separate};
use super::levels::Levels;
use super::{cut, failure, left, natures};
use crate::Refusal;
use crate::made::{Bounds, Made, Parts, Remark, Section, State};

/// The whole text: headers once, the body, footers once, the notes and the comments.
pub(super) fn made(document: &Document, bytes: &[u8], bounds: &Bounds) -> Result<Made, Refusal> {
    let ir = document.to_ir();
    let mut writer = Writer::new(bounds.depth);
    if let Some(new) = document.as_docx() {
        writer.levels = Levels::of(new);
    } else {
        writer.levels.bullets = natures::of(bytes);
    }
    let mut text = String::new();
    let mut seen: Vec<String> = Vec::new();
    for part in &ir.sections {
        margin(&mut writer, &mut text, &mut seen, heads(part));
    }
    for part in &ir.sections {
        writer.blocks(&mut text, &part.elements);
    }
    for part in &ir.sections {
        margin(&mut writer, &mut text, &mut seen, feet(part));
    }
    let picture = writer.picture;
    writer.notes.finish(&mut text);
    let mut text = text.trim_matches('\n').to_owned();
    let mut remarks = failure::losses(&ir);
    if let Some(new) = document.as_docx() {
        remarks.extend(left::out(new, bytes, bounds).map(|what| Remark::LeftOut(what.to_owned())));
    }
    let most = usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX);
    if text.len() > most {
        cut(&mut text, most);
        remarks.push(Remark::Cut { limit: "text_bytes".to_owned() });
    }
    let state = match (text.trim().is_empty(), picture) {
        (false, _) if remarks.iter().any(|remark| matches!(remark, Remark::Damaged(_))) => {
            State::Lacking("a part of it is damaged".to_owned())
        }
        (false, _) => State::Whole,
        (true, true) => State::NoText,
        (true, false) if !remarks.iter().any(|remark| matches!(remark, Remark::Damaged(_))) => {
            return Err(Refusal::Empty);
        }
        (true, false) => return Err(failure::damaged("no text could be read")),
    };
    let section = Section { name: None, text, state };
    Ok(Made { parts: Parts::Flow, count: 1, names: Vec::new(), first: 1, sections: vec![section], remarks })
}

fn heads(part: &Part) -> [Option<&HeaderFooter>; 3] {
    [part.first_page_header.as_ref(), part.header.as_ref(), part.even_page_header.as_ref()]
}

fn feet(part: &Part) -> [Option<&HeaderFooter>; 3] {
    [part.first_page_footer.as_ref(), part.footer.as_ref(), part.even_page_footer.as_ref()]
}

/// Adds what stands in the margin of pages, unless it stood there before or is only the number of the page.
fn margin(writer: &mut Writer, out: &mut String, seen: &mut Vec<String>, parts: [Option<&HeaderFooter>; 3]) {
    for part in parts.into_iter().flatten() {
        let text = writer.apart(&part.content);
        let text = text.trim();
        if !text.chars().any(char::is_alphabetic) || seen.iter().any(|other| other == text) {
            continue;
        }
        separate(out);
        out.push_str(text);
        seen.push(text.to_owned());
    }
}
