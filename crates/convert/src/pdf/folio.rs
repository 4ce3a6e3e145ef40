//! Page numbers, which the library leaves out of its paragraphs.
//!
//! Repair of `unpdf`: it leaves out page numbers. Shown by: `fault_page_numbers_are_left_out`,
//! `tests/all/pdf.rs`.

use unpdf::parser::backend::{PdfBackend, RawBackend};
use unpdf::parser::{LayoutAnalyzer, TextSpan};

/// The part of its size by which two pieces of one number may stand apart.
const GAP: f32 = 0.3;

/// The page numbers of an excerpt.
pub(super) struct Folios {
    backend: Option<RawBackend>,
}

/// What stands above and below the text of a page.
#[derive(Default)]
pub(super) struct Folio {
    pub(super) above: Vec<String>,
    pub(super) below: Vec<String>,
}

impl Folios {
    pub(super) fn new(excerpt: &[u8]) -> Self {
        Self { backend: RawBackend::load_bytes(excerpt).ok() }
    }

    /// The pieces of text of a page of the excerpt, and where they stand.
    pub(super) fn spans(&self, number: u32) -> Vec<TextSpan> {
        let analyzer = self.backend.as_ref().map(|backend| LayoutAnalyzer::new(backend).with_ocr_suppression(false));
        analyzer.and_then(|analyzer| analyzer.extract_page_spans(number).ok()).unwrap_or_default()
    }

    /// What was left out of a page of the excerpt.
    pub(super) fn of(&self, number: u32) -> Folio {
        self.backend.as_ref().and_then(|backend| left_out(backend, number)).unwrap_or_default()
    }
}

fn left_out(backend: &RawBackend, number: u32) -> Option<Folio> {
    let area = backend.crop_box(*backend.pages().get(&number)?);
    let middle = f32::midpoint(area.lly, area.ury);
    let analyzer = LayoutAnalyzer::new(backend).with_ocr_suppression(false);
    let spans = analyzer.extract_page_spans(number).ok()?;
    let mut kept = spans.clone();
    analyzer.filter_spans_for_page(&mut kept, number);
    let mut kept = kept.iter().peekable();
    let mut folio = Folio::default();
    let mut last: Option<&TextSpan> = None;
    for span in &spans {
        if kept.next_if(|other| is_same(other, span)).is_some() || span.text.trim().is_empty() {
            continue;
        }
        let lines = if span.y > middle { &mut folio.above } else { &mut folio.below };
        match (last.filter(|last| is_beside(last, span)), lines.last_mut()) {
            (Some(last), Some(line)) => {
                if span.x - (last.x + last.width) > GAP * span.font_size {
                    line.push(' ');
                }
                line.push_str(span.text.trim());
            }
            (_, _) => lines.push(span.text.trim().to_owned()),
        }
        last = Some(span);
    }
    Some(folio)
}

fn is_same(one: &TextSpan, other: &TextSpan) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < f32::EPSILON;
    one.text == other.text && near(one.x, other.x) && near(one.y, other.y)
}

/// Whether a piece follows another on its line.
fn is_beside(last: &TextSpan, next: &TextSpan) -> bool {
    (last.y - next.y).abs() < next.font_size * GAP && next.x >= last.x
}
