//! Following `next` through a document shows every byte of it once, wherever pages end.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Block, Budget, Fault, Fixed, Lack, Limits, Note, Span, Unit};
use readstone_source::{Coding, Decoded, Document, Newline, Section};
use readstone_view::{Ask, Room, document};

/// UTF-8 without a mark, for texts that are ASCII.
#[derive(Debug)]
struct Ascii;

impl Coding for Ascii {
    fn name(&self) -> &'static str {
        "utf-8"
    }

    fn mark(&self) -> u64 {
        0
    }

    fn newline(&self) -> Newline {
        Newline::Byte
    }

    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a> {
        Decoded { text: std::str::from_utf8(bytes).unwrap().into(), replaced: Vec::new() }
    }

    fn resync(&self, _: &[u8]) -> usize {
        0
    }

    fn boundary(&self, bytes: &[u8], most: usize) -> usize {
        most.min(bytes.len())
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        Ok(text.as_bytes().to_vec())
    }
}

/// A document of which a few sections are made at a time.
#[derive(Debug)]
struct Made {
    sections: Vec<Arc<Section>>,
    window: Span,
}

impl Document for Made {
    fn unit(&self) -> Unit {
        Unit::Pages
    }

    fn count(&self) -> u64 {
        self.sections.len() as u64
    }

    fn window(&self) -> Span {
        self.window
    }

    fn sections(&self, first: u64, enough: u64, _: &Budget) -> Result<Vec<Arc<Section>>, Fault> {
        let from = usize::try_from(first - 1).unwrap();
        let mut bytes = 0;
        let rest = self.sections.iter().skip(from).cloned();
        Ok(rest
            .take_while(|section| {
                let wanted = bytes == 0 || bytes < enough;
                bytes += section.text.len() as u64;
                wanted
            })
            .collect())
    }

    fn address(&self, sections: Span) -> String {
        let last = if sections.last == u64::MAX { String::new() } else { sections.last.to_string() };
        format!("d:p{}-{last}", sections.first)
    }

    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}

/// Sections of these lines each, every third without any.
fn sections(count: u64, line: impl Fn(u64, u64) -> String) -> Vec<Arc<Section>> {
    let text = |number: u64| (0..=number % 7).map(|at| line(number, at) + "\n").collect::<String>() + "\n";
    let section = |number: u64| {
        let (text, lack) =
            if number.is_multiple_of(3) { (String::new(), Some(Lack::Text)) } else { (text(number), None) };
        Arc::new(Section { number, text, lack })
    };
    (1..=count).map(section).collect()
}

/// Every row of every page, the notes about sections, and how many pages there were.
fn follow(sections: &[Arc<Section>], limits: &Limits, room: Room) -> (Vec<String>, Vec<Span>, usize) {
    let budget = Budget::new(Arc::new(Fixed(0)), None);
    let coding: Arc<dyn Coding> = Arc::new(Ascii);
    let (mut address, mut rows, mut lacking, mut pages) = ("d".to_owned(), Vec::new(), Vec::new(), 0);
    loop {
        let (path, window, selector) = read(&address, sections.len() as u64);
        let made = Made { sections: sections.to_vec(), window };
        let ask = Ask { path: &path, selector: &selector, limits, room, budget: &budget };
        let sheet = document(&made, &coding, &ask).unwrap();
        for block in &sheet.blocks {
            let Block::Rows(shown) = block else { panic!("{block:?}") };
            rows.extend(shown.iter().map(|row| row.text.to_owned()));
        }
        for note in &sheet.notes {
            if let Note::Lacking { sections, .. } = note {
                lacking.extend(sections.iter().copied());
            }
        }
        pages += 1;
        assert!(pages < 5_000, "it goes on for ever at {address}");
        match sheet.coverage.next {
            Some(next) => address = next.argument,
            None => return (rows, Span::merge(lacking), pages),
        }
    }
}

/// The path, the sections and the selector of an address of the document.
fn read(address: &str, count: u64) -> (String, Span, Selector) {
    let tail = address.strip_prefix("d").unwrap().trim_start_matches(':');
    let Some(pages) = tail.strip_prefix('p') else {
        return ("d".to_owned(), Span::new(1, count), Selector::parse(tail).unwrap_or_default());
    };
    let (pages, rest) = pages.split_once(':').unwrap_or((pages, ""));
    let first = pages.trim_end_matches('-').parse().expect("a page");
    (format!("d:p{pages}"), Span::new(first, count), Selector::parse(rest).unwrap_or_default())
}

fn small(page_lines: u64, page_bytes: u64) -> Limits {
    Limits { page_lines, page_bytes, ..Limits::default() }
}

#[test]
fn every_line_is_shown_once_and_every_section_without_text_is_named() {
    let sections = sections(40, |number, at| format!("line {at} of page {number}"));
    let whole: Vec<String> = sections.iter().flat_map(|section| section.text.lines().map(str::to_owned)).collect();
    let blank = (1..=40).filter(|number| number % 3 == 0);
    for (lines, bytes) in [(5, 50_000), (9, 300), (100, 700), (2_000, 50_000), (3, 40)] {
        let (rows, lacking, _) = follow(&sections, &small(lines, bytes), Room::default());
        // The blank line behind the last section is not shown.
        let shown: Vec<&String> = rows.iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(shown, whole.iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(), "{lines} {bytes}");
        assert_eq!(
            lacking.iter().flat_map(|span| span.first..=span.last).collect::<Vec<_>>(),
            blank.clone().collect::<Vec<_>>()
        );
    }
}

#[test]
fn lines_that_are_cut_go_on_before_what_was_not_yet_made() {
    let long = |number: u64, at: u64| {
        if at == 0 && number % 5 == 1 { "w".repeat(40_000) } else { format!("line {at} of {number}") }
    };
    let sections = sections(30, long);
    let bytes: usize = sections.iter().flat_map(|section| section.text.lines()).map(str::len).sum();
    for (lines, room) in [(2_000, 20_000), (20, 20_000), (2_000, 60_000)] {
        let (rows, ..) = follow(&sections, &small(lines, room), Room::default());
        assert_eq!(rows.iter().map(String::len).sum::<usize>(), bytes, "{lines} {room}");
        let ends = rows.iter().filter(|row| row.starts_with("line ")).count();
        let lines = sections.iter().flat_map(|section| section.text.lines()).filter(|line| line.starts_with("line "));
        assert_eq!(ends, lines.count());
    }
}
