//! Presentations: a section for each slide.

use office_oxide::Document;
use office_oxide::ir::Section as Part;

use super::blocks::{Writer, separate};
use super::{Gathering, bullets, failure};
use crate::Refusal;
use crate::made::{Bounds, Made, Parts, Remark, Section, State, Wish};

/// The slides asked for.
pub(super) fn made(document: &Document, wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let count = match (document.as_pptx(), document.as_ppt()) {
        (Some(new), _) => new.slides.len(),
        (None, Some(old)) => old.slides.len(),
        (None, None) => 0,
    };
    let mut ir = document.to_ir();
    if let Some(old) = document.as_ppt() {
        for (part, slide) in ir.sections.iter_mut().zip(&old.slides) {
            bullets::restore(part, slide);
        }
    }
    let slides = ir.sections.get(..count.min(ir.sections.len())).unwrap_or_default();
    let mut gathering = Gathering::new(Parts::Slides, slides.len(), wish, bounds);
    let mut remarks = failure::losses(&ir);
    if ir.sections.len() > slides.len() {
        remarks.push(Remark::LeftOut("text of the slide masters".to_owned()));
    }
    if slides.iter().all(|slide| slide.elements.is_empty() && slide.speaker_notes.is_none()) {
        let damaged = remarks.iter().any(|remark| matches!(remark, Remark::Damaged(_)));
        return Err(if damaged { failure::damaged("no slide could be read") } else { Refusal::Empty });
    }
    for (index, slide) in slides.iter().enumerate() {
        if gathering.wants(index) {
            gathering.take(section(slide, bounds));
        }
    }
    let mut made = gathering.done();
    made.remarks.extend(remarks);
    Ok(made)
}

fn section(slide: &Part, bounds: &Bounds) -> Section {
    let mut writer = Writer::new(bounds.depth);
    writer.heading = Some(1);
    let mut text = String::new();
    writer.blocks(&mut text, &slide.elements);
    if let Some(notes) = &slide.speaker_notes {
        writer.heading = Some(4);
        let notes = writer.apart(notes);
        if !notes.trim().is_empty() {
            separate(&mut text);
            text.push_str("### Notes\n\n");
            text.push_str(notes.trim());
        }
    }
    let picture = writer.picture;
    writer.notes.finish(&mut text);
    let mut text = text.trim_matches('\n').to_owned();
    let state = match (text.trim().is_empty(), picture) {
        (false, _) => State::Whole,
        (true, true) => State::NoText,
        (true, false) => State::Blank,
    };
    if slide.hidden {
        text.insert_str(0, if text.is_empty() { "(hidden slide)" } else { "(hidden slide)\n\n" });
    }
    Section { name: None, text, state }
}
