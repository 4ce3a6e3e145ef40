//! Operations on a text that has changed since: carried over where that is certain, and nowhere else.

use readstone_base::Span;
use readstone_edit::{Place, Placed, carry};

fn lines(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn one(place: Place) -> [Placed; 1] {
    [Placed { line: 2, place, body: vec!["new".to_owned()] }]
}

/// Where an operation lands; nothing where that is not certain.
fn lands(place: Place, then: &str, now: &str) -> Option<Place> {
    carry(&one(place), &lines(then), &lines(now)).map(|carried| {
        assert_eq!((carried.len(), carried[0].line, carried[0].body.as_slice()), (1, 2, &["new".to_owned()][..]));
        carried[0].place
    })
}

fn span(first: u64, last: u64) -> Place {
    Place::Lines(Span::new(first, last))
}

#[test]
fn a_text_that_did_not_change_changes_no_place() {
    let then = "a b a b a b";
    for place in
        [span(1, 6), span(3, 3), Place::Before(1), Place::Behind(6), Place::Behind(3), Place::Head, Place::Tail]
    {
        assert_eq!(lands(place, then, then), Some(place));
    }
}

#[test]
fn lines_that_moved_are_followed() {
    let (then, now) = ("a b c d e f", "x y a b c d e f");
    assert_eq!(lands(span(3, 4), then, now), Some(span(5, 6)));
    assert_eq!(lands(Place::Before(3), then, now), Some(Place::Before(5)));
    assert_eq!(lands(Place::Behind(6), then, now), Some(Place::Behind(8)));
    assert_eq!(lands(span(6, 6), then, now), Some(span(8, 8)));
    assert_eq!(lands(span(3, 4), now, then), Some(span(1, 2)).filter(|_| false), "line a lost the line before it");
    assert_eq!(lands(span(5, 6), now, then), Some(span(3, 4)));
}

#[test]
fn a_line_that_changed_or_has_another_beside_it_is_not_certain() {
    let then = "a b c d e";
    for now in
        ["a b X d e", "a X c d e", "a b c X e", "a b c X d e", "a b X c d e", "a c d e", "a b d e", "a b c e", ""]
    {
        assert_eq!(lands(span(3, 3), then, now), None, "{now}");
    }
    for now in ["X a b c d e", "X b c d e", "a b c d X", "a X b c d e", "b c d e", "a b c d"] {
        assert!(lands(span(3, 3), then, now).is_some(), "{now}");
    }
}

#[test]
fn an_insertion_needs_the_two_lines_it_stands_between() {
    let then = "a b c d";
    assert_eq!(lands(Place::Behind(2), then, "a b X c d"), None);
    assert_eq!(lands(Place::Before(3), then, "a b X c d"), None);
    assert_eq!(lands(Place::Behind(2), then, "X b c d"), Some(Place::Behind(2)));
    assert_eq!(lands(Place::Behind(4), then, "a b c d X"), None, "the end is a neighbour too");
    assert_eq!(lands(Place::Before(1), then, "X a b c d"), None, "and so is the beginning");
    assert_eq!(lands(Place::Behind(4), then, "X a b c d"), Some(Place::Behind(5)));
}

#[test]
fn the_head_and_the_tail_are_always_there() {
    for now in ["", "x y z", "b a"] {
        assert_eq!(lands(Place::Head, "a b", now), Some(Place::Head));
        assert_eq!(lands(Place::Tail, "a b", now), Some(Place::Tail));
    }
    assert_eq!(lands(Place::Tail, "", "x"), Some(Place::Tail));
}

#[test]
fn equal_lines_are_told_apart_by_what_is_around_them() {
    let then = "f { x } g { x } h { x }";
    assert_eq!(lands(span(7, 7), then, "NEW f { x } g { x } h { x }"), Some(span(8, 8)));
    assert_eq!(lands(span(7, 7), then, "f { CHANGED } g { x } h { x }"), Some(span(7, 7)));
    assert_eq!(lands(span(7, 7), then, "g { x } h { x }"), Some(span(3, 3)));
}

#[test]
fn a_copy_beside_the_lines_leaves_it_open_which_are_meant() {
    assert_eq!(lands(span(2, 2), "a x b", "a x b a x b"), None);
    assert_eq!(lands(span(2, 2), "a x b m", "a x b m a x b"), Some(span(2, 2)), "the copy is elsewhere");
    assert_eq!(lands(span(3, 3), "u a x b v", "u a x b a x b v"), None);
}

#[test]
fn one_of_many_equal_lines_less_leaves_it_open_which_went() {
    for (then, now) in
        [("u x x x x v", "u x x x v"), ("u x x x x v", "u x x x x x v"), ("u a b a b a b v", "u a b a b v")]
    {
        for line in 2..lines(then).len() as u64 {
            assert_eq!(lands(span(line, line), then, now), None, "{then} {now} {line}");
        }
        for line in 2..=lines(then).len() as u64 - 2 {
            assert_eq!(lands(Place::Behind(line), then, now), None, "{then} {now} {line}");
        }
    }
}

#[test]
fn two_blocks_that_changed_places_are_not_followed_to_the_wrong_one() {
    let (then, now) = ("f a x b g c x d", "g c x d f a x b");
    for line in [3, 7] {
        if let Some(Place::Lines(span)) = lands(span(line, line), then, now) {
            let landed = usize::try_from(span.first).unwrap() - 1;
            let at = usize::try_from(line).unwrap() - 1;
            assert_eq!(lines(now)[landed - 1], lines(then)[at - 1]);
        }
    }
}

#[test]
fn all_operations_are_certain_or_none_is() {
    let then = lines("a b c d e f g h");
    let now = lines("a X c d e f g h");
    let at = |place| Placed { line: 1, place, body: Vec::new() };
    assert!(carry(&[at(span(5, 5)), at(span(7, 7))], &then, &now).is_some());
    assert!(carry(&[at(span(2, 2)), at(span(7, 7))], &then, &now).is_none());
    assert_eq!(carry(&[], &then, &now), Some(Vec::new()));
}

#[test]
fn a_place_behind_the_end_is_not_certain() {
    assert_eq!(lands(span(5, 9), "a b", "a b"), None);
    assert_eq!(lands(Place::Behind(u64::MAX), "a b", "a b"), None);
    assert_eq!(lands(Place::Before(0), "a b", "a b"), None);
}

#[test]
fn a_large_text_of_equal_lines_comes_to_an_end() {
    let then = vec!["x"; 50_000];
    let mut now = then.clone();
    now.insert(25_000, "y");
    let many: Vec<Placed> =
        (1..=500).map(|at| Placed { line: at, place: span(at * 90, at * 90), body: Vec::new() }).collect();
    assert_eq!(carry(&many, &then, &now), None);
    let mut noisy: Vec<String> = (0..50_000).map(|at: u32| (at % 7).to_string()).collect();
    let then = noisy.clone();
    for at in (0..50_000).step_by(10) {
        noisy[at] = format!("changed {at}");
    }
    assert_eq!(carry(&many, &then, &noisy), None);
}
