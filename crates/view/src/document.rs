//! Documents: sections become one text, and a page of it ends with a section where it can.

use std::sync::Arc;

use readstone_address::{Select, Selector};
use readstone_base::{Fault, Lack, Limits, Memory, Next, Note, Span};
use readstone_source::{Coding, Document, LineIndex, Section};

use crate::room::{Ask, Room};
use crate::text::{Sheet, Text, show};

/// Shows the selected part of a document. `coding` is that of its text, UTF-8.
pub fn document(document: &dyn Document, coding: &Arc<dyn Coding>, ask: &Ask<'_>) -> Result<Sheet, Fault> {
    let pulled = pull(document, ask)?;
    let limits = limits_for(ask.limits);
    let ask = &Ask { limits: &limits, ..*ask };
    let mut sheet = pulled.show(coding, ask)?;
    if ask.selector.select == Select::All {
        let end = pulled.end(&sheet, ask);
        if let End::Before(section, line) = end {
            let room = Room { lines: Some(line - 1), ..ask.room };
            let cut_by = sheet.coverage.cut_by;
            sheet = pulled.show(coding, &Ask { room, ..*ask })?;
            sheet.coverage.cut_by = cut_by;
            sheet.coverage.next = Some(from(document, section, ask));
        }
        pulled.count_sections(&mut sheet, document, end);
    } else if pulled.more {
        sheet.coverage.complete = false;
        sheet.coverage.total.lines = None;
        sheet.coverage.total.bytes = None;
    }
    // Lines that were cut go on first, and then what was not pulled.
    let rests = format!("{}:=", ask.path);
    if let Some(next) = sheet.coverage.next.as_mut().filter(|_| pulled.more && is_open(ask.selector))
        && next.argument.starts_with(&rests)
        && !next.argument.ends_with('-')
    {
        let lines = memchr::memchr_iter(b'\n', &pulled.text).count();
        next.argument = format!("{},{}-", next.argument, lines + 1);
    }
    if pulled.more && sheet.coverage.next.is_none() && is_open(ask.selector) {
        sheet.coverage.next = Some(from(document, pulled.behind, ask));
        sheet.coverage.complete = false;
    }
    sheet.coverage.total.sections = Some((document.unit(), document.count()));
    sheet.notes.retain(|note| !matches!(note, Note::Empty | Note::NoFinalNewline));
    sheet.notes.extend(pulled.lacks(document, sheet.coverage.shown.as_slice(), ask.selector));
    sheet.notes.extend(document.notes());
    Ok(sheet)
}

/// The whole text of a document.
pub fn document_text(document: &dyn Document, ask: &Ask<'_>) -> Result<Arc<Vec<u8>>, Fault> {
    let all = Selector { select: Select::Last(u64::MAX), ..Selector::default() };
    Ok(pull(document, &Ask { selector: &all, ..*ask })?.text)
}

/// A paragraph is a line, and not cut as early as a line of code.
pub fn limits_for(limits: &Limits) -> Limits {
    const PARAGRAPH: u64 = 16 * 1024;
    Limits { line_chars: limits.line_chars.max(PARAGRAPH.min(limits.page_bytes)), ..limits.clone() }
}

fn is_open(selector: &Selector) -> bool {
    matches!(selector.select, Select::All | Select::From(_))
}

/// The call that shows what was asked for from a section on.
fn from(document: &dyn Document, section: u64, ask: &Ask<'_>) -> Next {
    let window = document.window();
    let last = if window.last >= document.count() { u64::MAX } else { window.last };
    Next { argument: document.address(Span::new(section, last)), ..ask.next(Select::All) }
}

/// Sections in order, as far as they were needed.
struct Pulled {
    sections: Vec<Arc<Section>>,
    /// The line at which each begins; those without text begin where the next one does.
    starts: Vec<u64>,
    text: Arc<Vec<u8>>,
    /// Whether sections that were asked for follow.
    more: bool,
    /// The number of the first that follows.
    behind: u64,
}

/// Where a page ends.
#[derive(Clone, Copy)]
enum End {
    /// With the last section there is.
    Last,
    /// Before this section, which begins at this line.
    Before(u64, u64),
    /// Inside this section.
    Inside(u64),
    /// With this section, of which or before which lines were cut.
    Cut(u64),
}

/// How much text a selection needs: so many lines, or so many bytes behind a line.
struct Need {
    lines: u64,
    bytes_behind: u64,
}

impl Need {
    fn of(ask: &Ask<'_>) -> Self {
        let limits = ask.limits;
        // More than a page takes, so that it ends by its own limits.
        let page = 2 * ask.room.page_bytes(limits).0;
        let lines = |last: u64| Self { lines: last.saturating_add(limits.context_after + 1), bytes_behind: 0 };
        match &ask.selector.select {
            Select::All => Self { lines: 0, bytes_behind: page },
            Select::From(first) => Self { lines: *first, bytes_behind: page },
            Select::Range(span) => lines(span.last),
            Select::Many(spans) => lines(spans.last().map_or(u64::MAX, |span| span.last)),
            Select::Around { line, .. } => lines(line.saturating_add(limits.around_lines)),
            Select::Last(_)
            | Select::Window { .. }
            | Select::Symbol(_)
            | Select::Block { .. }
            | Select::Rest { .. } => lines(u64::MAX),
        }
    }
}

fn pull(document: &dyn Document, ask: &Ask<'_>) -> Result<Pulled, Fault> {
    let (need, window) = (Need::of(ask), document.window());
    let mut pulled =
        Pulled { sections: Vec::new(), starts: Vec::new(), text: Arc::default(), more: false, behind: window.first };
    let (mut text, mut lines, mut behind_line) = (Vec::new(), 0_u64, 0_u64);
    let enough = |pulled: &Pulled, lines: u64, behind_line: u64| {
        let many = ask.selector.select == Select::All && pulled.sections.len() as u64 >= ask.limits.document_pages;
        let all = pulled.behind > window.last;
        all || many || lines >= need.lines && behind_line >= need.bytes_behind && !pulled.sections.is_empty()
    };
    while !enough(&pulled, lines, behind_line) {
        let wanted = if need.lines == u64::MAX { u64::MAX } else { need.bytes_behind.max(ask.limits.page_bytes) };
        for section in document.sections(pulled.behind, wanted, ask.budget)? {
            // What is at hand already is no reason to take more.
            if enough(&pulled, lines, behind_line) {
                break;
            }
            pulled.starts.push(lines + 1);
            lines += memchr::memchr_iter(b'\n', section.text.as_bytes()).count() as u64;
            behind_line += if lines >= need.lines { section.text.len() as u64 } else { 0 };
            text.extend_from_slice(section.text.as_bytes());
            pulled.behind = section.number + 1;
            pulled.sections.push(section);
        }
    }
    pulled.more = pulled.behind <= window.last;
    // Sections end with a blank line, which the last one does not need.
    if !pulled.more && text.ends_with(b"\n\n") {
        text.pop();
    }
    pulled.text = Arc::new(text);
    Ok(pulled)
}

impl Pulled {
    fn show(&self, coding: &Arc<dyn Coding>, ask: &Ask<'_>) -> Result<Sheet, Fault> {
        let size = self.text.len() as u64;
        let blob = Arc::new(Memory::new(Arc::clone(&self.text)));
        let mut index = LineIndex::new(coding.newline(), size);
        drop(index.count_all(&*blob, ask.budget));
        let mut text = Text { blob, coding: Arc::clone(coding), size, index: &mut index };
        show(&mut text, ask).map_err(|error| Box::new(error) as Fault)
    }

    /// Where a page that begins with the first section ends.
    fn end(&self, sheet: &Sheet, ask: &Ask<'_>) -> End {
        let last = sheet.coverage.shown.last().map_or(0, |span| span.last);
        let Some(next) = &sheet.coverage.next else {
            return End::Last;
        };
        let begun = |line: u64| {
            let at = self.starts.iter().rposition(|start| *start <= line).unwrap_or(0);
            (self.sections.get(at).map_or(1, |section| section.number), self.starts.get(at).copied().unwrap_or(1))
        };
        // Lines that were cut go on first, wherever the page ends.
        let is_plain = *next == ask.next(Select::From(last + 1));
        match begun(last + 1) {
            (number, start) if start > 1 && is_plain => End::Before(number, start),
            _ if is_plain => End::Inside(begun(last).0),
            _ => End::Cut(begun(last).0),
        }
    }

    /// Counts in sections what is shown.
    fn count_sections(&self, sheet: &mut Sheet, document: &dyn Document, end: End) {
        let last = match end {
            End::Last => self.behind - 1,
            End::Before(section, _) => section - 1,
            End::Inside(section) | End::Cut(section) => section,
        };
        let coverage = &mut sheet.coverage;
        let first = document.window().first;
        coverage.unit = document.unit();
        coverage.shown = if last >= first { vec![Span::new(first, last)] } else { Vec::new() };
        coverage.complete = coverage.complete && !self.more && first == 1 && last >= document.count();
        coverage.total.lines = coverage.total.lines.filter(|_| !self.more);
        coverage.total.bytes = coverage.total.bytes.filter(|_| !self.more);
        if let End::Inside(number) = end {
            sheet.notes.push(Note::PartOf { unit: document.unit(), number });
        }
    }

    /// What the sections on the page lack: of a selection of lines, those between the first and the last of them.
    fn lacks(&self, document: &dyn Document, shown: &[Span], selector: &Selector) -> Vec<Note> {
        let (first, last) = (shown.first().map_or(1, |span| span.first), shown.last().map_or(0, |span| span.last));
        let of_lines = |at: usize| {
            let start = self.starts.get(at).copied().unwrap_or(0);
            start <= last && self.starts.get(at + 1).is_none_or(|next| *next >= first)
        };
        let all = selector.select == Select::All;
        let on_page = self.sections.iter().enumerate().filter_map(|(at, section)| {
            let is_on = if all { section.number <= last } else { of_lines(at) };
            is_on.then_some(section)
        });
        let mut lacks: Vec<(&Lack, Vec<Span>)> = Vec::new();
        for (lack, number) in on_page.filter_map(|section| Some((section.lack.as_ref()?, section.number))) {
            match lacks.iter_mut().find(|(known, _)| *known == lack) {
                Some((_, spans)) => Span::extend(spans, number),
                None => lacks.push((lack, vec![Span::new(number, number)])),
            }
        }
        let unit = document.unit();
        lacks.into_iter().map(|(lack, sections)| Note::Lacking { unit, sections, lack: lack.clone() }).collect()
    }
}
