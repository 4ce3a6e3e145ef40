//! Nothing is counted wrongly, and nothing is left out without a word.

use std::collections::BTreeSet;

use proptest::prelude::{Strategy, prop_oneof, proptest};
use proptest::sample;
use readstone_base::{Limits, Span, Unit, Visible, estimate_tokens};

use super::bounded::brief;
use super::make;
use super::stand::{NAME, Seen, Stand};
use super::trail::{Label, follow, rows};
use super::twin::{Twin, decode};

proptest! {
    #![proptest_config(make::config(128))]

    #[test]
    fn totals_are_right_or_absent(file in make::file(), limits in make::limits(), tail in part()) {
        check(&file.0, &limits, &tail, |page, twin, _| {
            let total = page.target.total;
            assert!(total.lines.is_none_or(|lines| lines == twin.lines.len() as u64), "{total:?}");
            assert!(total.bytes.is_none_or(|bytes| bytes == twin.size), "{total:?}");
        });
    }

    #[test]
    fn tokens_are_those_of_the_text(file in make::file(), limits in make::limits(), tail in part()) {
        check(&file.0, &limits, &tail, |page, _, _| {
            assert_eq!(page.target.tokens_shown, estimate_tokens(&page.text));
            let shown = page.target.shown.as_ref().is_some_and(|shown| !shown.ranges.is_empty());
            let total = page.target.tokens_total.filter(|_| shown);
            assert!(total.is_none_or(|total| total >= page.target.tokens_shown), "{total:?}: {}", brief(&page.text));
        });
    }

    #[test]
    fn shown_ranges_are_those_of_the_rows(file in make::file(), limits in make::limits(), tail in part()) {
        check(&file.0, &limits, &tail, shown_matches);
    }

    #[test]
    fn a_page_that_names_no_rest_has_none(
        file in make::file(), limits in make::limits(), roomy in proptest::bool::ANY,
        tail in sample::select(vec!["", ":raw", ":1-", ":1-:raw", ":b0", ":b0:raw", ":-1000000", ":-1000000:raw"])
    ) {
        let limits = if roomy { Limits { line_chars: 65_536, ..Limits::default() } } else { limits };
        whole(&file.0, &limits, tail);
    }

    #[test]
    fn what_is_replaced_and_spelled_out_is_counted(file in make::file(), limits in make::limits()) {
        counted(&file.0, &limits);
    }

    #[test]
    fn cut_lines_tell_how_much_is_missing(file in make::file(), limits in make::limits(), tail in part()) {
        check(&file.0, &limits, &tail, cuts_are_true);
    }
}

/// The end of an address of a page or a part.
fn part() -> impl Strategy<Value = String> {
    let numbers = (1_u64..50, 1_u64..50, sample::select(vec!["", ":raw"]));
    prop_oneof![
        sample::select(vec!["", ":raw", ":b0", ":b0:raw", ":-1000000", ":-1000000:raw"]).prop_map(str::to_owned),
        numbers.clone().prop_map(|(first, count, mode)| format!(":{first}+{count}{mode}")),
        numbers.clone().prop_map(|(first, count, mode)| format!(":{first},{}-{}{mode}", first + 2, first + 2 + count)),
        numbers.clone().prop_map(|(count, _, mode)| format!(":-{count}{mode}")),
        numbers.clone().prop_map(|(line, column, mode)| format!(":{line}:{}{mode}", column * 20)),
        numbers.prop_map(|(start, count, mode)| format!(":b{}+{}{mode}", start * 30, count * 30)),
    ]
}

/// Holds every page of a trail against the twin.
fn check(bytes: &[u8], limits: &Limits, tail: &str, test: impl Fn(&Seen, &Twin, &[u8])) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = stand.read(NAME).target.encoding else { return };
    let twin = Twin::new(bytes, encoding);
    for page in follow(&stand, &format!("{NAME}{tail}"), bytes.len()) {
        test(&page, &twin, bytes);
    }
}

fn shown_matches(page: &Seen, twin: &Twin, bytes: &[u8]) {
    let Some(shown) = &page.target.shown else { return };
    match (shown.unit, page.verbatim) {
        (Unit::Lines, false) => {
            let numbers =
                |spans: &[Span]| spans.iter().flat_map(|span| span.first..=span.last).collect::<BTreeSet<_>>();
            let told: BTreeSet<u64> = &numbers(&shown.ranges) | &numbers(&shown.context);
            assert!(numbers(&shown.ranges).is_disjoint(&numbers(&shown.context)), "context that was asked for");
            let found = rows(page).into_iter().map(|row| match row.label {
                Label::Line(number) => number,
                other @ (Label::Byte(_) | Label::Gone(_)) => panic!("{other:?} among lines"),
            });
            let found: Vec<u64> = found.collect();
            assert_eq!(found, told.into_iter().collect::<Vec<_>>(), "{}", brief(&page.text));
        }
        (Unit::Bytes, false) => {
            let encoding = page.target.encoding.expect("text has one");
            for cut in page.target.cuts.iter().filter(|cut| cut.after.is_some_and(|after| after > 0)) {
                let missing = cut.start.expect("a place in the file") + cut.shown;
                let told = shown.ranges.iter().any(|span| span.contains(missing));
                assert!(!told, "byte {missing} is not shown, but told in {:?}: {}", shown.ranges, brief(&page.text));
            }
            if !page.target.cuts.is_empty() {
                return;
            }
            let told = shown.ranges.iter().flat_map(|span| lines_of(&bytes[range(*span)], encoding));
            let found = rows(page).into_iter().map(|row| row.text);
            assert_eq!(
                found.collect::<Vec<_>>(),
                told.collect::<Vec<_>>(),
                "{:?}: {}",
                shown.ranges,
                brief(&page.text)
            );
        }
        (Unit::Lines, true) => {
            let told = shown.ranges.iter().flat_map(|span| &twin.raw[range(Span::new(span.first - 1, span.last - 1))]);
            let told: Vec<u8> = told.flatten().copied().collect();
            // Only the last line may be there in part, and then the rest of it comes next.
            let next = page.target.next.as_deref().unwrap_or_default();
            assert!(told.starts_with(&page.bytes), "{:?}: {}", shown.ranges, brief(&page.text));
            assert!(told == page.bytes || next.contains(":="), "{:?}, next {next:?}", shown.ranges);
        }
        (Unit::Bytes, true) => {
            let told: Vec<u8> = shown.ranges.iter().flat_map(|span| bytes[range(*span)].to_vec()).collect();
            // A window tells of its lines, and the mark before the first of them comes along.
            assert!(page.bytes.ends_with(&told), "{:?}: {}", shown.ranges, brief(&page.text));
            assert!(page.bytes.len() - told.len() <= 4, "{:?}: {}", shown.ranges, brief(&page.text));
        }
        (Unit::Entries | Unit::Rows | Unit::Pages | Unit::Slides | Unit::Sheets | Unit::Chapters, _) => {
            panic!("entries of a file")
        }
    }
}

fn range(span: Span) -> std::ops::RangeInclusive<usize> {
    usize::try_from(span.first).unwrap()..=usize::try_from(span.last).unwrap()
}

fn lines_of(bytes: &[u8], encoding: &str) -> Vec<String> {
    Twin::new(bytes, encoding).lines
}

fn whole(bytes: &[u8], limits: &Limits, tail: &str) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = stand.read(NAME).target.encoding else { return };
    let twin = Twin::new(bytes, encoding);
    let page = stand.read(&format!("{NAME}{tail}"));
    if page.target.next.is_some() {
        return;
    }
    if page.verbatim {
        // The last lines begin behind a byte order mark.
        assert!(bytes.ends_with(&page.bytes) && bytes.len() - page.bytes.len() <= 4, "{}", brief(&page.text));
        assert!(tail.contains('-') || page.bytes == bytes, "{}", brief(&page.text));
    } else if page.target.cuts.is_empty() {
        let found: Vec<String> = rows(&page).into_iter().map(|row| row.text).collect();
        assert_eq!(found, twin.lines, "{}", brief(&page.text));
    } else {
        assert!(
            page.target.cuts.iter().any(|cut| cut.next.is_some()),
            "a cut that leads nowhere: {}",
            brief(&page.text)
        );
    }
}

/// Where a whole file is on one page, its notes tell all there is to tell.
fn counted(bytes: &[u8], limits: &Limits) {
    let stand = Stand::with(bytes, &Limits { line_chars: 65_536, page_bytes: 1 << 20, ..limits.clone() });
    let page = stand.read(NAME);
    let Some(encoding) = page.target.encoding else { return };
    if page.target.next.is_some() {
        return;
    }
    let twin = Twin::new(bytes, encoding);
    let words = |code: &str| {
        let mut notes = page.target.notes.iter();
        notes.find(|(found, _)| *found == code).map(|(_, words)| words.as_str()).unwrap_or_default()
    };
    let replaced = decode(bytes, encoding).matches(char::REPLACEMENT_CHARACTER).count();
    assert_eq!(number(words("text.replaced")), replaced, "{}", brief(&page.text));
    let (mut marks, mut crlf, mut lf) = (readstone_base::Marks::default(), 0, 0);
    for (line, number) in twin.raw.iter().zip(0..) {
        let text = decode(line, encoding);
        let text = if number == 0 { text.trim_start_matches('\u{feff}') } else { &text };
        let inner = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
        marks.add(Visible::of(inner).marks);
        crlf += usize::from(text.ends_with("\r\n"));
        lf += usize::from(text.ends_with('\n') && !text.ends_with("\r\n"));
    }
    let told = words("text.marks");
    let kinds = [
        (marks.control, "control character"),
        (marks.bidi, "bidi control"),
        (marks.tag, "tag character"),
        (marks.invisible, "invisible character"),
    ];
    for (count, noun) in kinds {
        let said = told.split(", ").find(|said| said.contains(&format!(" {noun}"))).unwrap_or_default();
        assert_eq!(number(said) as u64, count, "{noun}: {told}");
    }
    assert_eq!(words("text.crlf").is_empty(), crlf == 0 || lf > 0, "{crlf} CRLF and {lf} LF");
    assert_eq!(words("text.mixed_ends").is_empty(), crlf == 0 || lf == 0, "{crlf} CRLF and {lf} LF");
    let open = twin.raw.last().is_some_and(|line| !decode(line, encoding).ends_with('\n'));
    assert_eq!(!words("text.no_final_newline").is_empty(), open, "{:?}", page.target.notes);
}

/// The number a note begins with; 0 where there is no note.
fn number(words: &str) -> usize {
    words.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn cuts_are_true(page: &Seen, twin: &Twin, bytes: &[u8]) {
    let encoding = page.target.encoding.expect("text has one");
    for cut in &page.target.cuts {
        let shown_from = cut.start.expect("a place in the file");
        let number = usize::try_from(twin.line_at(shown_from)).unwrap() - 1;
        let start = twin.starts[number];
        let end = twin.starts.get(number + 1).copied().unwrap_or(twin.size);
        let line = decode(&bytes[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()], encoding);
        let feed = if line.ends_with("\r\n") { 2 } else { u64::from(line.ends_with('\n')) };
        let width = if encoding.starts_with("utf-16") {
            2
        } else if encoding.starts_with("utf-32") {
            4
        } else {
            1
        };
        let end = end - feed * width;
        assert!(cut.before.is_none_or(|before| start + before == shown_from), "line {}: {cut:?}", number + 1);
        assert!(
            cut.after.is_none_or(|after| shown_from + cut.shown + after == end),
            "line {} ends at {end}: {cut:?}",
            number + 1
        );
    }
}

#[test]
fn bytes_of_a_cut_last_line_are_not_told_as_shown() {
    let bytes = "x\n".repeat(40) + &"y".repeat(30) + "\n";
    let limits = Limits { edit_bytes: 1, number_bytes: 64, line_chars: 10, ..Limits::default() };
    let page = Stand::with(bytes.as_bytes(), &limits).read(&format!("{NAME}:-1"));
    let shown = page.target.shown.expect("a line");
    assert_eq!((shown.unit, shown.ranges), (Unit::Bytes, vec![Span::new(80, 89)]), "{}", brief(&page.text));
}

#[test]
fn a_slice_from_the_middle_of_a_line_tells_that_the_line_goes_on() {
    let page = Stand::with(b"0123456789\n", &Limits::default()).read(&format!("{NAME}:=3+4"));
    let [cut] = page.target.cuts.as_slice() else { panic!("one cut: {}", brief(&page.text)) };
    assert_eq!((cut.start, cut.shown, cut.before), (Some(3), 4, Some(3)), "{}", brief(&page.text));
    assert!(cut.after.is_none_or(|after| after == 3), "{}", brief(&page.text));
}
