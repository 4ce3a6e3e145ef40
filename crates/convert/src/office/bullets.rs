//! The bullets of presentations before 2007, whose paragraphs the library hands over without them.
//!
//! Repair of `office_oxide`: the body of a PowerPoint 97 slide comes as paragraphs, without bullets
//! and levels. Shown by: `harbour_deck.ppt` of the corpus, `ferry_fleet.ppt` of the corpus.

use office_oxide::ir::{Element, InlineContent, Section, build_nested_list, inline_to_text};
use office_oxide::ppt::{SlideText, TextRun, TextType};

use super::levels::letters;

/// One paragraph of the body of a slide.
struct Point {
    text: String,
    level: u8,
}

/// Makes lists of the paragraphs of bodies that have several.
pub(super) fn restore(part: &mut Section, slide: &SlideText) {
    let mut bodies: Vec<Vec<Point>> = slide.text_runs.iter().filter(|run| is_body(run)).map(points).collect();
    bodies.retain(|points| points.len() > 1);
    let mut bodies = bodies.into_iter().peekable();
    let mut elements = std::mem::take(&mut part.elements);
    let mut out: Vec<Element> = Vec::new();
    let mut index = 0;
    while let Some(rest) = elements.get_mut(index..).filter(|rest| !rest.is_empty()) {
        let taken = bodies.peek().and_then(|points| list_of(rest, points));
        if let Some((list, count)) = taken {
            bodies.next();
            out.push(list);
            index += count;
        } else if let Some(element) = rest.first_mut() {
            out.push(std::mem::replace(element, Element::PageBreak));
            index += 1;
        }
    }
    part.elements = out;
}

/// Whether a text is the body of a slide, or one that has levels as only lists have.
fn is_body(run: &TextRun) -> bool {
    match run.text_type {
        TextType::Body | TextType::HalfBody | TextType::QuarterBody => true,
        TextType::Other => run.para_formats.iter().any(|span| span.format.indent_level.is_some_and(|level| level > 0)),
        TextType::Title | TextType::Notes | TextType::CenterBody | TextType::CenterTitle => false,
    }
}

fn points(run: &TextRun) -> Vec<Point> {
    let mut points = Vec::new();
    let mut at = 0;
    for text in run.text.split(['\r', '\n']) {
        let level = run.para_formats.iter().find(|span| span.start <= at && at < span.end);
        let level = level.and_then(|span| span.format.indent_level).unwrap_or(0);
        at += text.chars().count() + 1;
        if !text.trim().is_empty() {
            points.push(Point { text: letters(text), level: u8::try_from(level.min(8)).unwrap_or(0) });
        }
    }
    points
}

/// The list at the beginning of some blocks, if they are the points, and how many blocks it takes.
fn list_of(blocks: &mut [Element], points: &[Point]) -> Option<(Element, usize)> {
    let same = blocks.len() >= points.len()
        && blocks.iter().zip(points).all(|(block, point)| {
            matches!(block, Element::Paragraph(paragraph)
                if letters(&inline_to_text(&paragraph.content)) == point.text)
        });
    if !same {
        return None;
    }
    let items: Vec<(u8, Vec<InlineContent>)> = blocks
        .iter_mut()
        .zip(points)
        .filter_map(|(block, point)| {
            let Element::Paragraph(paragraph) = block else { return None };
            Some((point.level, std::mem::take(&mut paragraph.content)))
        })
        .collect();
    Some((Element::List(build_nested_list(false, &items, 0)), points.len()))
}
