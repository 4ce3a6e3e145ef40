//! What a Word document holds and does not show: hidden text, and text that was deleted while changes were tracked.
//!
//! Repair of `office_oxide`: it drops hidden and deleted text and does not say so. Shown by:
//! `fault_deleted_text_is_dropped_without_a_word`, `tests/all/office/flow.rs`.

use std::io::{Cursor, Read};

use office_oxide::docx::{BlockElement, DocxDocument, Paragraph, ParagraphContent, Run, RunContent};

use zip::ZipArchive;

use crate::made::Bounds;

/// How deleted text begins.
const DELETED: &[u8] = b"<w:delText";

/// Names of what is left out.
pub(super) fn out(document: &DocxDocument, bytes: &[u8], bounds: &Bounds) -> impl Iterator<Item = &'static str> {
    let hidden = hides(document, &document.body.elements, bounds.depth).then_some("hidden text");
    let parts = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];
    // The library passes over deleted text.
    let deleted = parts.iter().any(|name| holds(bytes, name).unwrap_or(false)).then_some("deleted text");
    hidden.into_iter().chain(deleted)
}

/// Whether a part of a package has deleted text. It is read piece by piece, because it may be large.
fn holds(bytes: &[u8], name: &str) -> Option<bool> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut part = archive.by_name(name).ok()?;
    let mut buffer = vec![0_u8; 64 << 10];
    let mut kept = 0;
    loop {
        let count = part.read(buffer.get_mut(kept..)?).ok()?;
        let filled = kept + count;
        if buffer.get(..filled)?.windows(DELETED.len()).any(|window| window == DELETED) {
            return Some(true);
        }
        if count == 0 {
            return Some(false);
        }
        // What is looked for may lie across two pieces.
        kept = filled.min(DELETED.len() - 1);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

fn hides(document: &DocxDocument, blocks: &[BlockElement], depth: u64) -> bool {
    let Some(deeper) = depth.checked_sub(1) else { return false };
    blocks.iter().any(|block| match block {
        BlockElement::Paragraph(paragraph) => has_hidden(document, paragraph),
        BlockElement::Table(table) => {
            table.rows.iter().flat_map(|row| &row.cells).any(|cell| hides(document, &cell.content, deeper))
        }
    })
}

fn has_hidden(document: &DocxDocument, paragraph: &Paragraph) -> bool {
    let style = paragraph.properties.as_ref().and_then(|properties| properties.style_id.as_deref());
    let is_hidden = |run: &Run| {
        let own = run.properties.as_ref();
        let hidden = match &document.styles {
            Some(styles) => styles.effective_hidden(style, own),
            None => own.and_then(|own| own.hidden).unwrap_or(false),
        };
        hidden && run.content.iter().any(|part| matches!(part, RunContent::Text(text) if !text.trim().is_empty()))
    };
    paragraph.content.iter().any(|content| match content {
        ParagraphContent::Run(run) => is_hidden(run),
        ParagraphContent::Hyperlink(link) => link.runs.iter().any(is_hidden),
    })
}
