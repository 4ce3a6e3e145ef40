//! Parts of a file by line numbers are the lines with those numbers.

use proptest::prelude::{Strategy, proptest};
use proptest::{collection, sample};
use readstone_base::{Limits, Span, Unit};
use serde_json::json;

use super::bounded::brief;
use super::make;
use super::stand::{NAME, Seen, Stand};
use super::trail::{Label, rows};
use super::twin::Twin;

proptest! {
    #![proptest_config(make::config(96))]

    #[test]
    fn a_range_shows_its_lines_with_context(file in make::file(), first in 1_u64..50, count in 1_u64..30, form in form()) {
        with_twin(&file.0, |stand, twin| ranged(stand, twin, Span::new(first, first + count - 1), form));
    }

    #[test]
    fn a_list_shows_exactly_its_lines(file in make::file(), spans in collection::vec((1_u64..50, 0_u64..6), 2..6)) {
        let spans: Vec<Span> = spans.into_iter().map(|(first, more)| Span::new(first, first + more)).collect();
        with_twin(&file.0, |stand, twin| listed(stand, twin, &spans));
    }

    #[test]
    fn the_last_lines_are_the_last(file in make::file(), count in 1_u64..60) {
        with_twin(&file.0, |stand, twin| {
            let total = twin.lines.len() as u64;
            let span = Span::new(total.saturating_sub(count) + 1, total);
            exactly(&stand.read(&format!("{NAME}:-{count}")), twin, &[span]);
            verbatim(&stand.read(&format!("{NAME}:-{count}:raw")), twin, &[span]);
            verbatim(&stand.read(&format!("{NAME}:raw:-{count}")), twin, &[span]);
        });
    }

    #[test]
    fn an_open_range_goes_to_the_end(file in make::file(), first in 1_u64..50) {
        with_twin(&file.0, |stand, twin| {
            let span = Span::new(first, twin.lines.len() as u64);
            for form in [format!("{first}-"), format!("{first}"), format!("L{first}"), format!("{first}..")] {
                exactly(&stand.read(&format!("{NAME}:{form}")), twin, &[span]);
                verbatim(&stand.read(&format!("{NAME}:{form}:raw")), twin, &[span]);
            }
        });
    }

    #[test]
    fn a_place_is_shown_among_its_neighbours(file in make::file(), line in 1_u64..50, column in 1_u64..400) {
        with_twin(&file.0, |stand, twin| {
            let page = stand.read(&format!("{NAME}:{line}:{column}"));
            let total = twin.lines.len() as u64;
            lines_are(&page, twin, &[Span::new(line.saturating_sub(10).max(1), line + 10)]);
            let past = page.target.notes.iter().any(|(code, _)| *code == "view.past_end");
            assert_eq!(past, line > total && total > 0, "{}", brief(&page.text));
        });
    }

    #[test]
    fn lines_given_beside_the_address_are_the_same(file in make::file(), first in 1_u64..50, count in 1_u64..30) {
        with_twin(&file.0, |stand, _| {
            let last = first + count - 1;
            for raw in [false, true] {
                let mode = if raw { ":raw" } else { "" };
                let named = stand.read(&format!("{NAME}:{first}-{last}{mode}"));
                let input = json!({ "path": NAME, "start_line": first, "end_line": last, "raw": raw });
                let beside = stand.read_with(&input);
                assert_eq!((named.text, named.bytes, named.target.next), (beside.text, beside.bytes, beside.target.next));
            }
        });
    }
}

/// How a range is written.
fn form() -> impl Strategy<Value = fn(Span) -> String> {
    let forms: Vec<fn(Span) -> String> = vec![
        |span| format!("{}-{}", span.first, span.last),
        |span| format!("{}+{}", span.first, span.count()),
        |span| format!("{}..{}", span.first, span.last),
        |span| format!("L{}-L{}", span.first, span.last),
        |span| format!("L{}+L{}", span.first, span.count()),
    ];
    sample::select(forms)
}

/// Runs a test on a file that fits one page and none of whose lines is cut.
fn with_twin(bytes: &[u8], test: impl Fn(&Stand, &Twin)) {
    let limits = Limits { line_chars: 65_536, page_bytes: 1 << 20, ..Limits::default() };
    let stand = Stand::with(bytes, &limits);
    let Some(encoding) = stand.read(NAME).target.encoding else { return };
    test(&stand, &Twin::new(bytes, encoding));
}

fn ranged(stand: &Stand, twin: &Twin, span: Span, form: fn(Span) -> String) {
    let total = twin.lines.len() as u64;
    let page = stand.read(&format!("{NAME}:{}", form(span)));
    for address in [format!("{NAME}:{}:raw", form(span)), format!("{NAME}:raw:{}", form(span))] {
        verbatim(&stand.read(&address), twin, &[span]);
    }
    if span.first > total {
        return exactly(&page, twin, &[span]);
    }
    let shown = page.target.shown.clone().expect("a range of a text");
    assert_eq!(shown.unit, Unit::Lines);
    assert_eq!(shown.ranges, [Span::new(span.first, span.last.min(total))]);
    let before = (span.first > 1).then(|| Span::new(span.first - 1, span.first - 1));
    let after = (span.last < total).then(|| Span::new(span.last + 1, (span.last + 3).min(total)));
    assert_eq!(shown.context, before.into_iter().chain(after).collect::<Vec<_>>());
    lines_are(&page, twin, &[Span::new(before.map_or(span.first, |span| span.first), span.last + 3)]);
    let end = after.map_or(span.last, |span| span.last);
    assert_eq!(page.target.next, (end < total).then(|| format!("{NAME}:{}-", end + 1)));
}

fn listed(stand: &Stand, twin: &Twin, spans: &[Span]) {
    let one = |span: &Span| match span.count() {
        1 => span.first.to_string(),
        _ => format!("{}-{}", span.first, span.last),
    };
    let list = spans.iter().map(one).collect::<Vec<_>>().join(",");
    let merged = Span::merge(spans.to_vec());
    exactly(&stand.read(&format!("{NAME}:{list}")), twin, &merged);
    verbatim(&stand.read(&format!("{NAME}:{list}:raw")), twin, &merged);
}

/// The page shows these lines, as far as they exist, and no context.
fn exactly(page: &Seen, twin: &Twin, spans: &[Span]) {
    lines_are(page, twin, spans);
    assert!(page.target.shown.as_ref().is_none_or(|shown| shown.context.is_empty()), "{:?}", page.target.shown);
    let past = page.target.notes.iter().any(|(code, _)| *code == "view.past_end");
    let none = spans.first().is_none_or(|span| span.first > twin.lines.len() as u64) && !twin.lines.is_empty();
    assert_eq!(past, none, "{spans:?}: {}", brief(&page.text));
}

fn lines_are(page: &Seen, twin: &Twin, spans: &[Span]) {
    let found: Vec<(u64, String)> = rows(page)
        .into_iter()
        .map(|row| match row.label {
            Label::Line(number) => (number, row.text),
            other @ (Label::Byte(_) | Label::Gone(_)) => panic!("{other:?} among lines"),
        })
        .collect();
    let wanted = |number: u64| spans.iter().any(|span| span.contains(number));
    let right = twin.lines.iter().cloned().zip(1_u64..).filter(|(_, number)| wanted(*number));
    let right: Vec<(u64, String)> = right.map(|(line, number)| (number, line)).collect();
    assert_eq!(found.len(), right.len(), "{spans:?} of {}: {}", twin.lines.len(), brief(&page.text));
    assert!(found == right, "{spans:?}: {}", brief(&page.text));
}

fn verbatim(page: &Seen, twin: &Twin, spans: &[Span]) {
    assert!(page.verbatim, "something was added: {}", brief(&page.text));
    let wanted = |number: u64| spans.iter().any(|span| span.contains(number));
    let lines = twin.raw.iter().zip(1_u64..).filter(|(_, number)| wanted(*number));
    let right: Vec<u8> = lines.flat_map(|(line, _)| line.clone()).collect();
    let mark = usize::try_from(twin.starts.first().copied().unwrap_or(0)).unwrap();
    let without_mark = if wanted(1) { &right[mark.min(right.len())..] } else { &right };
    // A mark is no part of the first line, but it may come along.
    assert!(
        page.bytes == right || page.bytes == without_mark || twin.raw.is_empty(),
        "{spans:?}: {}",
        brief(&page.text)
    );
}
