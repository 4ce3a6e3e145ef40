//! What changed, shown briefly; and what was shown, as lines of the next version.

use readstone_base::{DiffSign, Shift, Span};
use readstone_edit::{
    Changed, Excerpt, Place, Placed, Preview, Room, Sides, carry_spans, changes, differences, preview,
};

struct Two {
    old: Vec<String>,
    new: Vec<String>,
}

fn excerpt(lines: &[String], line: u64) -> Excerpt {
    Excerpt { text: lines[usize::try_from(line).unwrap() - 1].clone(), cut: false }
}

impl Sides for Two {
    fn old_count(&self) -> u64 {
        self.old.len() as u64
    }

    fn new_count(&self) -> u64 {
        self.new.len() as u64
    }

    fn old_line(&self, line: u64) -> Excerpt {
        excerpt(&self.old, line)
    }

    fn new_line(&self, line: u64) -> Excerpt {
        excerpt(&self.new, line)
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn numbers(range: std::ops::RangeInclusive<u64>) -> Vec<String> {
    range.map(|line| format!("l{line}")).collect()
}

fn shown(old: &[String], new: &[String], room: Room) -> Preview {
    let sides = Two { old: old.to_vec(), new: new.to_vec() };
    preview(&differences(old, new), &sides, room)
}

fn rows(preview: &Preview) -> Vec<String> {
    let row = |sign: DiffSign, text: &str| match sign {
        DiffSign::Gone(line) => format!("-{line}:{text}"),
        DiffSign::New(line) => format!("+{line}:{text}"),
        DiffSign::Same(line) => format!(" {line}:{text}"),
        DiffSign::MoreGone(count) => format!("-({count})"),
        DiffSign::Named(number) => format!("*{number}:{text}"),
        DiffSign::MoreNew(count) => format!("+({count})"),
    };
    preview.rows.iter().map(|each| row(each.sign, &each.text)).collect()
}

fn changed(before: std::ops::Range<u64>, after: std::ops::Range<u64>) -> Changed {
    Changed { before, after }
}

#[test]
fn a_place_is_shown_with_a_line_on_each_side() {
    let preview = shown(&words("a b c d e"), &words("a b X Y d e"), Room::default());
    assert_eq!(rows(&preview), [" 2:b", "-3:c", "+3:X", "+4:Y", " 5:d"]);
    assert_eq!(preview.shifts, [Shift { after: 3, by: 1 }]);
    assert_eq!((preview.first_changed, preview.added, preview.removed), (Some(3), 2, 1));
}

#[test]
fn the_ends_of_the_text_have_no_line_beside_them() {
    assert_eq!(rows(&shown(&words("a b"), &words("X a b"), Room::default())), ["+1:X", " 2:a"]);
    let tail = shown(&words("a b"), &words("a b X"), Room::default());
    assert_eq!(rows(&tail), [" 2:b", "+3:X"]);
    assert_eq!(tail.shifts, [], "no line behind it moved");
    let gone = shown(&words("a b"), &words(""), Room::default());
    assert_eq!(rows(&gone), ["-1:a", "-2:b"]);
    assert_eq!((gone.first_changed, gone.removed), (None, 2));
    let end = shown(&words("a b c"), &words("a b"), Room::default());
    assert_eq!((rows(&end), end.first_changed), (vec![" 2:b".to_owned(), "-3:c".to_owned()], Some(2)));
    assert_eq!(shown(&words("a"), &words("a"), Room::default()), Preview::default());
}

#[test]
fn places_near_each_other_share_the_line_between() {
    let preview = shown(&words("a b c d e"), &words("a X c Y e"), Room::default());
    assert_eq!(rows(&preview), [" 1:a", "-2:b", "+2:X", " 3:c", "-4:d", "+4:Y", " 5:e"]);
    assert_eq!(preview.shifts, []);
    let two = shown(&words("a b c c2 d e"), &words("a X c c2 Y e"), Room::default());
    assert_eq!(rows(&two), [" 1:a", "-2:b", "+2:X", " 3:c", " 4:c2", "-5:d", "+5:Y", " 6:e"]);
}

#[test]
fn shifts_add_up_from_place_to_place() {
    let preview = shown(&words("a b c d e f g h"), &words("a X b c e f Y Z W g h"), Room::default());
    assert_eq!(
        preview.shifts,
        [Shift { after: 1, by: 1 }, Shift { after: 4, by: 0 }, Shift { after: 6, by: 3 }],
        "{:?}",
        rows(&preview)
    );
    let few = shown(&words("a b c d e f g h"), &words("a X b c e f Y Z W g h"), Room { shifts: 2, ..Room::default() });
    assert_eq!(few.shifts, [], "a part of them would say the wrong thing");
}

#[test]
fn a_long_run_is_shown_by_its_ends() {
    let preview = shown(&numbers(1..=30), &numbers(1..=1), Room { run: 5, ..Room::default() });
    assert_eq!(rows(&preview), [" 1:l1", "-2:l2", "-3:l3", "-4:l4", "-(24)", "-29:l29", "-30:l30"]);
    let back = shown(&numbers(1..=1), &numbers(1..=30), Room { run: 5, ..Room::default() });
    assert_eq!(rows(&back), [" 1:l1", "+2:l2", "+3:l3", "+4:l4", "+(24)", "+29:l29", "+30:l30"]);
    assert_eq!((back.added, back.removed), (29, 0));
}

#[test]
fn what_has_no_room_is_counted() {
    let old = numbers(1..=100);
    let new: Vec<String> =
        old.iter().enumerate().map(|(at, line)| if at % 5 == 2 { format!("X{at}") } else { line.clone() }).collect();
    let preview = shown(&old, &new, Room { rows: 10, ..Room::default() });
    assert!(preview.rows.len() <= 12, "{:?}", rows(&preview));
    let count = |sign: char| {
        rows(&preview)
            .iter()
            .filter_map(|row| row.strip_prefix(sign))
            .map(|row| row.strip_prefix('(').map_or(1, |more| more.trim_end_matches(')').parse().unwrap()))
            .sum::<u64>()
    };
    assert_eq!((count('-'), count('+')), (20, 20), "{:?}", rows(&preview));
    assert_eq!((preview.removed, preview.added), (20, 20));
}

#[test]
fn lines_are_cut_and_made_visible() {
    let new = vec!["x".repeat(30), "a\u{1b}[2Jb\u{202E}".to_owned()];
    let preview = shown(&[], &new, Room { chars: 12, ..Room::default() });
    assert_eq!((preview.rows[0].text.len(), preview.rows[0].cut), (12, true));
    assert!(!preview.rows[1].text.contains(['\u{1b}', '\u{202E}']), "{:?}", preview.rows[1]);
    assert!(!preview.rows[1].cut);
}

#[test]
fn operations_are_changed_places_without_what_they_repeat() {
    let old = words("a b c d e f");
    let read = |line: u64| old.get(usize::try_from(line).unwrap() - 1).cloned();
    let placed = |place, body: &str| Placed { line: 1, place, body: words(body) };
    let all = [
        placed(Place::Head, "H"),
        placed(Place::Lines(Span::new(1, 5)), "a X c d2 d e"),
        placed(Place::Behind(5), "I"),
        placed(Place::Lines(Span::new(6, 6)), ""),
        placed(Place::Tail, "T"),
    ];
    assert_eq!(
        changes(&all, 6, &read),
        [changed(0..0, 0..1), changed(1..2, 2..3), changed(3..3, 4..5), changed(5..6, 7..9)]
    );
    assert_eq!(changes(&[placed(Place::Lines(Span::new(2, 3)), "b c")], 6, &read), []);
    assert_eq!(
        changes(&[placed(Place::Lines(Span::new(2, 3)), "b c")], 6, &|_| None),
        [changed(1..3, 1..3)],
        "a line that cannot be told is another"
    );
}

#[test]
fn what_was_shown_is_shown_by_its_new_numbers() {
    let places = [changed(2..4, 2..3), changed(6..6, 5..8), changed(9..10, 11..11)];
    assert_eq!(carry_spans(&[Span::new(1, 10)], &places), [Span::new(1, 2), Span::new(4, 5), Span::new(9, 11)]);
    assert_eq!(carry_spans(&[Span::new(3, 4)], &places), []);
    assert_eq!(carry_spans(&[Span::new(7, 7), Span::new(12, 13)], &places), [Span::new(9, 9), Span::new(13, 14)]);
    assert_eq!(carry_spans(&[Span::new(2, 5)], &[]), [Span::new(2, 5)]);
    assert_eq!(places[1].came(), Some(Span::new(6, 8)));
    assert_eq!(places[1].went(), None);
    assert_eq!(places[0].went(), Some(Span::new(3, 4)));
}
