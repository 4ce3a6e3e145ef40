//! Random texts and random patches against a model that knows nothing but a list of lines.

use std::ops::Range;

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_base::Span;
use readstone_edit::{
    Hunk, Lines, Op, Place, Placed, Unresolved, apply, arrange, carry_spans, changes, differences, inverse, parse,
    resolve, splices,
};

use crate::text::{Form, Memory};

pub(crate) fn config(cases: u32, seed: u64) -> test_runner::Config {
    test_runner::Config {
        cases,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(seed),
        ..test_runner::Config::default()
    }
}

/// A line of the model: its text, its end, and whether it came with the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    text: String,
    end: &'static str,
    new: bool,
}

/// A text as a list of lines; only the last may be without an end, and only if it is not blank.
#[derive(Clone, Debug)]
struct Sheet {
    lines: Vec<Line>,
    mark: bool,
    form: Form,
}

const TEXTS: [&str; 8] = ["a", "b", "c", "", "}", "\u{E9}\u{4E0A}", "a\rb", "  long text"];

/// What patches are made of, and what they are not.
const WORDS: [&str; 30] = [
    "¶",
    "¶a#0A3B\n",
    "#",
    "0A3B",
    "a",
    "+",
    "-",
    "@@",
    "*** ",
    "Abort",
    "Begin Patch",
    "Update File:",
    "replace ",
    "delete ",
    "insert ",
    "before ",
    "after ",
    "block ",
    "head",
    "tail",
    "1",
    "23",
    "0",
    "..",
    "…",
    ":",
    " ",
    "\r",
    "\n",
    "\u{FEFF}",
];

fn row() -> impl Strategy<Value = String> {
    sample::select(TEXTS.to_vec()).prop_map(str::to_owned)
}

fn sheet() -> impl Strategy<Value = Sheet> {
    let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n")];
    let form = prop_oneof![Just(Form::Utf8), Just(Form::Utf16)];
    (collection::vec((row(), end), 0..14), any::<bool>(), any::<bool>(), form).prop_map(|(lines, open, mark, form)| {
        let mut lines: Vec<Line> = lines.into_iter().map(|(text, end)| Line { text, end, new: false }).collect();
        if let Some(last) = lines.last_mut().filter(|last| open && !last.text.is_empty()) {
            last.end = "";
        }
        Sheet { lines, mark, form }
    })
}

impl Sheet {
    fn bytes(&self) -> Vec<u8> {
        let mark = if self.mark { "\u{FEFF}" } else { "" };
        let text = self.lines.iter().flat_map(|line| [line.text.as_str(), line.end]).collect::<String>();
        match self.form {
            Form::Utf16 => format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Form::Utf8 | Form::Latin1 => format!("{mark}{text}").into_bytes(),
        }
    }

    fn texts(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.text.clone()).collect()
    }

    /// The end that a line beside line `number` has.
    fn near(&self, number: usize) -> &'static str {
        let end = |number: usize| number.checked_sub(1).and_then(|at| self.lines.get(at)).map_or("", |line| line.end);
        [end(number), end(number.saturating_sub(1)), "\n"].into_iter().find(|end| !end.is_empty()).unwrap()
    }

    /// What the operations make of it, one after the other from the last place to the first.
    fn edited(&self, placed: &[Placed]) -> Self {
        let mut lines = self.lines.clone();
        for each in placed.iter().rev() {
            let (at, goes, near) = match each.place {
                Place::Head => (0, 0, 1),
                Place::Before(line) => (index(line), 0, index(line) + 1),
                Place::Behind(line) => (index(line) + 1, 0, index(line) + 1),
                Place::Tail => (self.lines.len(), 0, self.lines.len()),
                Place::Lines(span) => {
                    let rows = self.replacement(index(span.first), index(span.last) + 1, &each.body);
                    lines.splice(index(span.first)..=index(span.last), rows);
                    continue;
                }
            };
            let end = self.near(near);
            let rows = each.body.iter().map(|text| Line { text: text.clone(), end, new: true });
            lines.splice(at..at + goes, rows.collect::<Vec<_>>());
        }
        self.close(&mut lines);
        Self { lines, ..self.clone() }
    }

    /// The lines that come in the place of a range: those it repeats at its edges as they are, the others new.
    fn replacement(&self, from: usize, to: usize, body: &[String]) -> Vec<Line> {
        let old = &self.lines[from..to];
        let most = old.len().min(body.len());
        let head = (0..most).take_while(|at| old[*at].text == body[*at]).count();
        let tail = (1..=most - head).take_while(|at| old[old.len() - at].text == body[body.len() - at]).count();
        let (first, last) = (from + head, to - tail);
        let lender = if first < last { last } else { from.max(first - usize::from(head > 0)) + 1 };
        let middle = body[head..body.len() - tail].iter().enumerate().map(|(at, text)| {
            let own = (first + at < last).then(|| self.lines[first + at].end).filter(|end| !end.is_empty());
            Line { text: text.clone(), end: own.unwrap_or_else(|| self.near(lender)), new: true }
        });
        old[..head].iter().cloned().chain(middle).chain(old[old.len() - tail..].iter().cloned()).collect()
    }

    /// A text that had no end at its last line has none again, if its last line came or stays.
    fn close(&self, lines: &mut [Line]) {
        let count = self.lines.len();
        if self.lines.last().is_none_or(|last| !last.end.is_empty()) {
            return;
        }
        let Some((last, others)) = lines.split_last_mut() else {
            return;
        };
        if last.new && !last.text.is_empty() {
            last.end = "";
        }
        others.iter_mut().filter(|line| line.end.is_empty()).for_each(|line| line.end = self.near(count));
    }
}

fn index(line: u64) -> usize {
    usize::try_from(line).unwrap() - 1
}

/// An operation on a text of so many lines.
fn hunk(lines: u64) -> impl Strategy<Value = Hunk> {
    let line = 1..=lines.max(1);
    let body = collection::vec(row(), 1..5);
    let op = (0..7_u8, line.clone(), 0..4_u64).prop_map(move |(kind, first, more)| match kind {
        _ if lines == 0 => [Op::Head, Op::Tail][usize::from(kind % 2)],
        0 | 1 => Op::Replace(Span::new(first, (first + more).min(lines))),
        2 => Op::Delete(Span::new(first, (first + more).min(lines))),
        3 => Op::Before(first),
        4 => Op::After(first),
        5 => Op::Head,
        _ => Op::Tail,
    });
    (op, body).prop_map(|(op, body)| Hunk { line: 0, op, body: if op.takes_rows() { body } else { Vec::new() } })
}

/// A text and a patch of it, with lines of the text repeated in it now and then.
fn edits() -> impl Strategy<Value = (Sheet, Vec<Hunk>)> {
    sheet().prop_flat_map(|sheet| {
        let lines = sheet.lines.len() as u64;
        (Just(sheet), collection::vec(hunk(lines), 1..6))
    })
}

/// The patch as it is written.
fn written(hunks: &[Hunk]) -> String {
    let mut patch = "¶a#0A3B\n".to_owned();
    for hunk in hunks {
        patch += &hunk.op.to_string();
        patch += if hunk.op.takes_rows() { ":\n" } else { "\n" };
        patch.extend(hunk.body.iter().flat_map(|row| ["+", row, "\n"]));
    }
    patch
}

/// Operations as the language gives them; nothing where two of them act on one line.
fn placed(hunks: &[Hunk], lines: u64) -> Option<Vec<Placed>> {
    let read = parse(&written(hunks)).unwrap().sections.remove(0).hunks;
    let told = |hunks: &[Hunk]| hunks.iter().map(|hunk| (hunk.op, hunk.body.clone())).collect::<Vec<_>>();
    assert_eq!(told(&read), told(hunks), "what is written is read back");
    let (placed, _) = resolve("a", read, lines, &mut |_| Err(Unresolved::default())).unwrap();
    arrange("a", placed, lines).ok()
}

/// The lines an operation takes, as the gap it stands in or the lines between two gaps.
fn gaps(op: Op, lines: u64) -> (u64, u64) {
    match op {
        Op::Replace(span) | Op::Delete(span) => (span.first - 1, span.last),
        Op::Before(line) => (line - 1, line - 1),
        Op::After(line) | Op::ReplaceBlock(line) | Op::DeleteBlock(line) | Op::AfterBlock(line) => (line, line),
        Op::Head => (0, 0),
        Op::Tail => (lines, lines),
    }
}

fn collide(one: (u64, u64), other: (u64, u64)) -> bool {
    one.0.max(other.0) < one.1.min(other.1)
        || (one.0 == one.1 && other.0 < one.0 && one.0 < other.1)
        || (other.0 == other.1 && one.0 < other.0 && other.0 < one.1)
}

/// The hunks that do not collide with an earlier one.
fn peaceful(hunks: Vec<Hunk>, lines: u64) -> Vec<Hunk> {
    let mut kept: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        if kept.iter().all(|other| !collide(gaps(hunk.op, lines), gaps(other.op, lines))) {
            kept.push(hunk);
        }
    }
    kept
}

/// Applies operations to the bytes and compares with the model; gives the new text.
fn check(sheet: &Sheet, placed: &[Placed]) -> Sheet {
    let before = sheet.bytes();
    let text = Memory::new(&before, sheet.form);
    assert_eq!(text.count(), sheet.lines.len() as u64, "the model means the same lines");
    let forth = splices(placed, &text).unwrap();
    let after = apply(&before, &forth);
    let model = sheet.edited(placed);
    assert_eq!(text_of(&after, sheet.form), text_of(&model.bytes(), sheet.form), "{sheet:?} {placed:?}");
    assert_eq!(Memory::new(&after, sheet.form).count(), model.lines.len() as u64, "every row is a line");
    // Only what cancels out between places that do not touch is left for the caller to notice.
    assert!(forth.len() > 1 || forth.is_empty() == (before == after));
    assert!(forth.windows(2).all(|two| two[0].range.end < two[1].range.start), "{forth:?}");
    let back = inverse(&forth, &|range| text.bytes(range)).unwrap();
    assert_eq!(apply(&after, &back), before, "the inverse restores the bytes");
    let lines = model.lines.into_iter().map(|line| Line { new: false, ..line }).collect();
    Sheet { lines, ..model }
}

fn text_of(bytes: &[u8], form: Form) -> String {
    match form {
        Form::Utf16 => {
            String::from_utf16(&bytes.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect::<Vec<_>>())
                .unwrap()
        }
        Form::Utf8 | Form::Latin1 => String::from_utf8(bytes.to_vec()).unwrap(),
    }
}

proptest! {
    #![proptest_config(config(2048, 0xED17_0001))]

    #[test]
    fn bytes_change_as_the_model_says_and_change_back((sheet, hunks) in edits()) {
        let lines = sheet.lines.len() as u64;
        let hunks = peaceful(hunks, lines);
        let placed = placed(&hunks, lines).unwrap();
        check(&sheet, &placed);
    }

    #[test]
    fn operations_are_refused_exactly_when_they_collide((sheet, hunks) in edits()) {
        let lines = sheet.lines.len() as u64;
        let quiet = peaceful(hunks.clone(), lines).len() == hunks.len();
        assert_eq!(placed(&hunks, lines).is_some(), quiet, "{hunks:?}");
    }

    #[test]
    fn changed_places_lead_from_one_text_to_the_other(
        (sheet, hunks) in edits(),
        shown in collection::vec((1_u64..16, 0_u64..5), 0..4),
    ) {
        let lines = sheet.lines.len() as u64;
        let placed = placed(&peaceful(hunks, lines), lines).unwrap();
        let (old, new) = (sheet.texts(), sheet.edited(&placed).texts());
        let read = |line: u64| old.get(index(line)).cloned();
        let shown: Vec<Span> = shown.into_iter().map(|(first, more)| Span::new(first, first + more)).collect();
        for places in [changes(&placed, lines, &read), differences(&old, &new)] {
            let mut made = old.clone();
            for place in places.iter().rev() {
                let rows = new[index(place.after.start + 1)..index(place.after.end + 1)].to_vec();
                made.splice(index(place.before.start + 1)..index(place.before.end + 1), rows);
            }
            assert_eq!(made, new);
            assert!(places.windows(2).all(|two| two[0].before.end < two[1].before.start), "{places:?}");
            // Line by line: what stays moves by what went and came before it.
            let mut expected = Vec::new();
            for line in 1..=24_u64 {
                let gone = places.iter().any(|place| place.before.contains(&(line - 1)));
                if !gone && shown.iter().any(|span| span.contains(line)) {
                    let length = |range: &Range<u64>| i64::try_from(range.end - range.start).unwrap();
                    let moved: i64 = places
                        .iter()
                        .filter(|place| place.before.end < line)
                        .map(|place| length(&place.after) - length(&place.before))
                        .sum();
                    let line = line.checked_add_signed(moved).unwrap();
                    expected.push(Span::new(line, line));
                }
            }
            assert_eq!(carry_spans(&shown, &places), Span::merge(expected));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(words in collection::vec(sample::select(WORDS.to_vec()), 0..40)) {
        let input: String = words.concat();
        if let Ok(patch) = parse(&input) {
            assert!(patch.sections.iter().all(|section| !section.hunks.is_empty() && !section.path.is_empty()));
        }
    }
}

proptest! {
    #![proptest_config(config(4, 0xED17_0002))]

    #[test]
    fn a_chain_of_a_thousand_patches_never_touches_a_wrong_line(
        sheet in sheet(),
        steps in collection::vec((0_u64..1000, 0..7_u8, 0_u64..4, collection::vec(row(), 1..4)), 1000),
    ) {
        let mut sheet = sheet;
        for (at, kind, more, body) in steps {
            let lines = sheet.lines.len() as u64;
            let first = at % lines.max(1) + 1;
            let last = (first + more).min(lines);
            let (op, body) = match kind {
                0 | 1 if lines > 0 => (Op::Replace(Span::new(first, last)), body),
                2 | 3 if lines > 0 => (Op::Delete(Span::new(first, last)), Vec::new()),
                4 if lines > 0 => (Op::Before(first), body),
                5 if lines > 0 => (Op::After(first), body),
                _ => (if at % 2 == 0 { Op::Head } else { Op::Tail }, body),
            };
            let placed = placed(&[Hunk { line: 0, op, body }], lines).unwrap();
            sheet = check(&sheet, &placed);
        }
    }
}
