//! The text of pages, and how much of them it is.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use unpdf::parser::raw::RawDocument;
use unpdf::render::{CleanupPipeline, to_markdown};
use unpdf::{CleanupOptions, Document, Page, PageSelection, PageStreamOptions, ParseEvent, PdfParser, RenderOptions};

use super::excerpt::{Drawn, Excerpt, Lack};
use super::folio::{Folio, Folios};
use super::{Id, annotations, markdown, place};
use crate::{Section, State};

const NO_MAP: &str = "fonts without a Unicode map";
const NO_CONTENT: &str = "its content is missing";
const NO_STREAM: &str = "a part of the page is damaged";
const NO_LAYOUT: &str = "the page could not be worked out";
const TOO_LARGE: &str = "the drawing is too large";

/// Of so many characters one may be a replacement or a private one before a text counts as lacking.
const ODD_SHARE: usize = 50;

/// Makes the sections of the pages of an excerpt, one by one, until no more are wanted.
///
/// Repair of `unpdf`: it can panic on a damaged page. Shown by: `tests/all/pdf_hostile.rs`.
pub(super) fn sections(file: &RawDocument, pages: &[Id], excerpt: &Excerpt, take: &mut dyn FnMut(Section) -> bool) {
    let mut done = Done { file, pages, excerpt, take, count: 0, more: true, renderer: Renderer::new(), folios: None };
    let parser = catch_unwind(|| PdfParser::from_bytes(&excerpt.bytes));
    if let Ok(Ok(parser)) = parser {
        while done.wants_more() {
            let before = done.count;
            // The library can fail on a page in a way that it does not foresee; the others are worth having.
            let ended = catch_unwind(AssertUnwindSafe(|| done.run(&parser)));
            if ended.is_err() || done.count == before {
                done.give_up();
            }
        }
    }
    while done.wants_more() {
        done.give_up();
    }
}

struct Done<'a> {
    file: &'a RawDocument,
    pages: &'a [Id],
    excerpt: &'a Excerpt,
    take: &'a mut dyn FnMut(Section) -> bool,
    count: usize,
    more: bool,
    renderer: Renderer,
    folios: Option<Folios>,
}

impl Done<'_> {
    fn wants_more(&self) -> bool {
        self.more && self.count < self.excerpt.pages.len()
    }

    fn run(&mut self, parser: &PdfParser) {
        let first = u32::try_from(self.count.saturating_add(1)).unwrap_or(u32::MAX);
        let options = PageStreamOptions {
            pages: PageSelection::Range(first..=u32::MAX),
            parallel: false,
            suppress_low_confidence_ocr: false,
            ..PageStreamOptions::default()
        };
        let ended = parser.for_each_page(options, |event| {
            match event {
                ParseEvent::PageParsed(page) => self.add(page),
                ParseEvent::PageFailed { .. } => self.give_up(),
                ParseEvent::DocumentStart { .. } | ParseEvent::Progress { .. } | ParseEvent::DocumentEnd { .. } => {}
            }
            if self.wants_more() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(ended);
    }

    fn add(&mut self, mut page: Page) {
        let Some(drawn) = self.excerpt.pages.get(self.count) else {
            return;
        };
        let notes = self.pages.get(self.count).map(|&id| annotations::notes(self.file, id)).unwrap_or_default();
        if place::is_doubtful(&page) {
            let spans = self.folios().spans(page.number);
            place::settle(&mut page.elements, spans);
        }
        let elements = std::mem::take(&mut page.elements);
        let facts = page.clone();
        page.elements = elements;
        let text = self.renderer.render(page);
        let folio = if facts.omitted_page_number_chars > 0 { self.folios().of(facts.number) } else { Folio::default() };
        let parts = folio.above.iter().chain([&text]).chain(&folio.below).chain([&notes]);
        let parts: Vec<&str> = parts.map(String::as_str).filter(|part| !part.is_empty()).collect();
        let text = parts.join("\n\n");
        let state = state(&facts, drawn, &text);
        self.give(Section { name: None, text, state });
    }

    fn folios(&mut self) -> &Folios {
        let excerpt = &self.excerpt.bytes;
        self.folios.get_or_insert_with(|| Folios::new(excerpt))
    }

    /// Gives a page of which nothing is known.
    fn give_up(&mut self) {
        self.give(Section { name: None, text: String::new(), state: State::Lacking(NO_LAYOUT.to_owned()) });
    }

    fn give(&mut self, section: Section) {
        self.count = self.count.saturating_add(1);
        self.more = (self.take)(section);
    }
}

fn state(page: &Page, drawn: &Drawn, text: &str) -> State {
    let lacking = |why: &str| State::Lacking(why.to_owned());
    if drawn.lack == Lack::TooLarge {
        return lacking(TOO_LARGE);
    }
    if drawn.lack == Lack::Missing && text.is_empty() {
        return lacking(NO_CONTENT);
    }
    if drawn.lack == Lack::Missing || page.undecodable_content_streams > 0 {
        return lacking(NO_STREAM);
    }
    if page.suppressed_text_runs > 0 || page.undecoded_text_codes > 0 || is_odd(text) {
        return lacking(NO_MAP);
    }
    if !text.is_empty() {
        return State::Whole;
    }
    if drawn.draws || page.image_op_count > 0 { State::NoText } else { State::Blank }
}

/// Whether many characters of a text say nothing: those that stand for unknown ones, and those without a meaning.
fn is_odd(text: &str) -> bool {
    let private = |sign: &char| matches!(sign, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}');
    let odd = text.chars().filter(private).count();
    odd > 0 && odd.saturating_mul(ODD_SHARE) >= text.chars().filter(|sign| !sign.is_whitespace()).count()
}

/// Makes Markdown of pages.
struct Renderer {
    options: RenderOptions,
    letters: CleanupPipeline,
}

impl Renderer {
    fn new() -> Self {
        // Nothing that deletes: composed letters and taken-apart ligatures are all that is wanted.
        let letters = CleanupOptions {
            fix_ligatures: true,
            normalize_whitespace: false,
            preserve_frontmatter: false,
            ..CleanupOptions::minimal()
        };
        let options = RenderOptions { escape_special_chars: false, ..RenderOptions::new().without_cleanup() };
        Self { options, letters: CleanupPipeline::new(letters) }
    }

    fn render(&self, mut page: Page) -> String {
        markdown::escape_bars(&mut page.elements);
        let mut document = Document::new();
        document.add_page(page);
        let text = to_markdown(&document, &self.options).unwrap_or_default();
        markdown::tidy(&self.letters.process(&text))
    }
}
