//! Texts that somebody else changed: an operation lands where the lines are that were meant, or nowhere.

use proptest::prelude::{Strategy, any, proptest};
use proptest::{collection, sample};
use readstone_base::Span;
use readstone_edit::{Place, Placed, carry};

use crate::model::config;

/// A line that knows where it comes from: its number in the first version, or nothing.
#[derive(Clone, Debug)]
struct Known {
    text: String,
    from: Option<usize>,
}

/// A change by another hand: at a place of the first version, so many lines go and so many come.
#[derive(Clone, Debug)]
struct Other {
    at: sample::Index,
    goes: usize,
    comes: usize,
}

fn other() -> impl Strategy<Value = Other> {
    (any::<sample::Index>(), 0..3_usize, 0..3_usize).prop_map(|(at, goes, comes)| Other { at, goes, comes })
}

/// A text whose lines are different, but for some that occur again and again.
fn text(repeated: u32) -> impl Strategy<Value = Vec<String>> {
    collection::vec((0..10_u32, 0..3_usize), 3..40).prop_map(move |lines| {
        let line = |(at, (kind, which)): (usize, (u32, usize))| {
            if kind < repeated { ["}", "", "end"][which].to_owned() } else { format!("line {at}") }
        };
        lines.into_iter().enumerate().map(line).collect()
    })
}

/// What others made of a text; what they wrote is new.
fn changed(then: &[String], others: &[Other]) -> Vec<Known> {
    let known = then.iter().enumerate().map(|(at, text)| Known { text: text.clone(), from: Some(at + 1) });
    let mut goes = vec![false; then.len() + 1];
    let mut comes = vec![0; then.len() + 1];
    for other in others {
        let at = other.at.index(then.len() + 1);
        comes[at] += other.comes;
        goes.iter_mut().skip(at).take(other.goes).for_each(|line| *line = true);
    }
    let mut now = Vec::new();
    let mut fresh = 0;
    for (at, line) in known.map(Some).chain([None]).enumerate() {
        for _ in 0..comes[at] {
            fresh += 1;
            now.push(Known { text: format!("other {fresh}"), from: None });
        }
        now.extend(line.filter(|_| !goes[at]));
    }
    now
}

fn place(lines: u64) -> impl Strategy<Value = Place> {
    (0..4_u8, 1..=lines, 0..3_u64).prop_map(move |(kind, first, more)| match kind {
        0 => Place::Before(first),
        1 => Place::Behind(first),
        _ => Place::Lines(Span::new(first, (first + more).min(lines))),
    })
}

/// Where a place is now: the lines it names by their origin, with the same text beside them. The beginning and the end
/// of a text are lines too.
fn truth(place: Place, then: &[String], now: &[Known]) -> Option<Place> {
    let (named, above, below) = match place {
        Place::Lines(span) => (span, true, true),
        Place::Before(line) => (Span::new(line, line), true, false),
        Place::Behind(line) => (Span::new(line, line), false, true),
        Place::Head | Place::Tail => return Some(place),
    };
    let (first, last) = (usize::try_from(named.first).unwrap(), usize::try_from(named.last).unwrap());
    let at = now.iter().position(|line| line.from == Some(first))?;
    let stands = (first..=last).zip(at..).all(|(line, at)| now.get(at).is_some_and(|there| there.from == Some(line)));
    let text = |at: Option<usize>| at.and_then(|at| now.get(at)).map(|line| line.text.as_str());
    let over = first.checked_sub(2).and_then(|at| then.get(at)).map(String::as_str);
    let under = then.get(last).map(String::as_str);
    if !stands || above && over != text(at.checked_sub(1)) || below && under != text(Some(at + last + 1 - first)) {
        return None;
    }
    let moved = |line: u64| line + u64::try_from(at + 1).unwrap() - u64::try_from(first).unwrap();
    Some(match place {
        Place::Lines(span) => Place::Lines(Span::new(moved(span.first), moved(span.last))),
        Place::Before(line) => Place::Before(moved(line)),
        Place::Behind(line) => Place::Behind(moved(line)),
        Place::Head | Place::Tail => place,
    })
}

/// A text, what others did to it, and a place in it.
fn scene(repeated: u32) -> impl Strategy<Value = (Vec<String>, Vec<Other>, Place)> {
    text(repeated).prop_flat_map(|then| {
        let place = place(then.len() as u64);
        (proptest::prelude::Just(then), collection::vec(other(), 0..4), place)
    })
}

fn index(line: u64) -> Option<usize> {
    usize::try_from(line).unwrap().checked_sub(1)
}

fn carried(place: Place, then: &[String], now: &[Known]) -> Option<Place> {
    let texts: Vec<String> = now.iter().map(|line| line.text.clone()).collect();
    let placed = [Placed { line: 1, place, body: vec!["mine".to_owned()] }];
    carry(&placed, then, &texts).map(|carried| carried[0].place)
}

proptest! {
    #![proptest_config(config(2048, 0xED17_0003))]

    #[test]
    fn where_every_line_is_another_a_place_is_found_whenever_it_stands((then, others, place) in scene(0)) {
        let now = changed(&then, &others);
        assert_eq!(carried(place, &then, &now), truth(place, &then, &now), "{then:?} {now:?}");
    }

    #[test]
    fn where_lines_repeat_a_place_is_the_right_one_or_none((then, others, place) in scene(6)) {
        let now = changed(&then, &others);
        if let Some(found) = carried(place, &then, &now) {
            assert_eq!(Some(found), truth(place, &then, &now), "{then:?} {now:?}");
        }
    }

    #[test]
    fn a_place_never_lands_on_other_text(
        (then, others, place) in scene(9),
        mixed in collection::vec((any::<sample::Index>(), any::<sample::Index>()), 0..6),
    ) {
        let mut now = changed(&then, &others);
        // Lines are copied about, so that nothing but their text can tell.
        for (from, to) in mixed {
            if !now.is_empty() {
                let line = now[from.index(now.len())].clone();
                let at = to.index(now.len());
                now.insert(at, line);
            }
        }
        let text_at = |text: &[String], line: u64| index(line).and_then(|at| text.get(at)).cloned();
        let lands = |place, text: &[String]| match place {
            Place::Lines(Span { first, last }) => (first - 1..=last + 1).map(|line| text_at(text, line)).collect(),
            Place::Before(line) | Place::Behind(line) => vec![text_at(text, line)],
            Place::Head | Place::Tail => Vec::new(),
        };
        if let Some(found) = carried(place, &then, &now) {
            let texts: Vec<String> = now.iter().map(|line| line.text.clone()).collect();
            assert_eq!(lands(found, &texts), lands(place, &then), "{then:?} {texts:?}");
        }
    }
}
