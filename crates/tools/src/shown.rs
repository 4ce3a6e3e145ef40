//! What a caller was shown: the text behind a tag, and which of its lines.

use readstone_base::{Backing, Block, Label, Page, Span, Spot, Unit, Version};
use readstone_session::Text;

use crate::call::Call;

/// Lets the session keep what a page shows of a file that can be edited.
pub(crate) fn keep(call: &Call<'_>, page: &Page) {
    if let Some((version, backing)) = page.version.zip(page.backing.as_ref()) {
        keep_lines(call, version, backing, lines_of(page));
    }
}

/// The same with the lines named.
pub(crate) fn keep_lines(call: &Call<'_>, version: Version, backing: &Backing, mut shown: Vec<Span>) {
    shown.extend(&backing.known);
    let bytes = backing.bytes.as_ref().map(|bytes| bytes.as_slice());
    call.session.keep(&backing.path, Text { version, bytes, shown: &shown });
}

/// The lines that stand on a page as they stand in the file.
fn lines_of(page: &Page) -> Vec<Span> {
    let mut lines = Vec::new();
    for block in &page.blocks {
        match block {
            Block::Rows(rows) => {
                // What is cut was not shown; its rest could go unseen.
                for row in rows.iter().filter(|row| row.cut.is_none()) {
                    if let Label::Line(number) = row.label {
                        Span::extend(&mut lines, number);
                    }
                }
            }
            Block::Hits(hits) => {
                for row in hits.rows.iter().filter(|row| !row.cut) {
                    if let Spot::Line(number) = row.spot {
                        Span::extend(&mut lines, number);
                    }
                }
            }
            Block::Raw(_) if page.coverage.unit == Unit::Lines => lines.extend(&page.coverage.shown),
            Block::Raw(_)
            | Block::Dump(_)
            | Block::Tree(_)
            | Block::Head(_)
            | Block::Grid(_)
            | Block::Records(_)
            | Block::Files(_) => {}
        }
    }
    lines
}
