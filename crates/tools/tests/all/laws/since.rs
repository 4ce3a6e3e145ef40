//! What changed since a version, put onto that version, gives the file as it is.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample};
use readstone_base::Limits;

use super::bounded::brief;
use super::make;
use super::stand::{NAME, Seen, Stand};
use super::trail::{Label, rows};
use super::twin::Twin;

proptest! {
    #![proptest_config(make::config(128))]

    #[test]
    fn the_hunks_make_the_new_lines_of_the_old(old in make::text(), edits in edits()) {
        let new = edit(&old, &edits);
        changed(old.as_bytes(), new.as_bytes(), &roomy());
    }

    #[test]
    fn any_file_can_follow_any_other(old in make::file(), new in make::file()) {
        changed(&old.0, &new.0, &roomy());
    }

    #[test]
    fn a_page_of_changes_that_is_full_leads_on(old in make::text(), edits in edits(), limits in make::limits()) {
        let new = edit(&old, &edits);
        let limits = Limits { edit_bytes: Limits::default().edit_bytes, ..limits };
        full(old.as_bytes(), new.as_bytes(), &limits);
    }

    #[test]
    fn a_file_that_stayed_is_unchanged(file in make::file(), limits in make::limits()) {
        let limits = Limits { edit_bytes: Limits::default().edit_bytes, ..limits };
        let stand = Stand::with(&file.0, &limits);
        let first = stand.read(NAME);
        if let Some(tag) = &first.target.tag {
            let again = stand.read(&format!("{NAME}#{tag}"));
            assert!(has(&again, "session.unchanged"), "{}", brief(&again.text));
            assert_eq!(again.target.next, None);
            assert_eq!(rows(&again), []);
        }
    }

    #[test]
    fn a_version_that_is_not_held_gives_the_whole(file in make::file(), limits in make::limits(), number in any::<u16>()) {
        let limits = Limits { edit_bytes: Limits::default().edit_bytes, ..limits };
        let stand = Stand::with(&file.0, &limits);
        let plain = stand.read(NAME);
        let tag = format!("{number:04X}");
        if plain.target.tag.as_ref().is_none_or(|own| *own == tag) {
            return Ok(());
        }
        let page = stand.read(&format!("{NAME}#{tag}"));
        assert!(has(&page, "session.forgotten"), "{}", brief(&page.text));
        assert_eq!(rows(&page), rows(&plain));
        assert_eq!(page.target.next, plain.target.next);
    }
}

fn roomy() -> Limits {
    Limits { page_bytes: 1 << 20, line_chars: 65_536, ..Limits::default() }
}

/// A change of a text at some line: how many lines go, and what comes.
type Edit = (sample::Index, usize, Vec<String>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let line = prop_oneof![Just(String::new()), "[ab{}]{1,3}", Just("中 new".to_owned()), Just("}\r".to_owned())];
    collection::vec((any::<sample::Index>(), 0_usize..5, collection::vec(line, 0..4)), 1..5)
}

fn edit(text: &str, edits: &[Edit]) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (place, gone, come) in edits {
        let at = place.index(lines.len() + 1);
        let end = (at + gone).min(lines.len());
        lines.splice(at..end, come.iter().map(|line| format!("{line}\n")));
    }
    lines.concat()
}

/// Reads a file, changes it, and asks what changed; `None` when one of the two is no text.
fn ask(old: &[u8], new: &[u8], limits: &Limits) -> Option<(Stand, Seen, Twin, Twin)> {
    let stand = Stand::with(old, limits);
    let before = stand.read(NAME);
    let tag = before.target.tag.clone()?;
    stand.write(NAME, new);
    let page = stand.read(&format!("{NAME}#{tag}"));
    let (then, now) = (before.target.encoding?, page.target.encoding?);
    Some((stand, page, Twin::new(old, then), Twin::new(new, now)))
}

fn changed(old: &[u8], new: &[u8], limits: &Limits) {
    let Some((_, page, then, now)) = ask(old, new, limits) else { return };
    assert_eq!(has(&page, "session.unchanged"), old == new, "{}", brief(&page.text));
    assert_eq!(has(&page, "session.changes"), old != new, "{}", brief(&page.text));
    assert_eq!(page.target.next, None, "{}", brief(&page.text));
    assert_eq!(page.target.total.lines, Some(now.lines.len() as u64));
    let found = apply(&then, &page, now.lines.len());
    assert_eq!(found.len(), now.lines.len(), "{}", brief(&page.text));
    for (number, (found, right)) in (1..).zip(found.iter().zip(&now.lines)) {
        assert_eq!(found, right, "line {number}: {}", brief(&page.text));
    }
}

/// The old lines without those that went and with those that came.
fn apply(then: &Twin, page: &Seen, total: usize) -> Vec<String> {
    let (mut gone, mut come) = (BTreeSet::new(), BTreeMap::new());
    for row in rows(page) {
        match row.label {
            Label::Gone(number) => {
                let old = usize::try_from(number).unwrap() - 1;
                assert_eq!(then.lines.get(old), Some(&row.text), "line {number} was another");
                assert!(gone.insert(old), "line {number} went twice");
            }
            Label::Line(number) => assert!(come.insert(number, row.text).is_none(), "line {number} came twice"),
            Label::Byte(offset) => panic!("byte {offset} among lines"),
        }
    }
    let mut kept = then.lines.iter().zip(0..).filter(|(_, number)| !gone.contains(number)).map(|(line, _)| line);
    let lines = (1..=total as u64).map_while(|number| come.remove(&number).or_else(|| kept.next().cloned()));
    let lines: Vec<String> = lines.collect();
    assert_eq!(kept.next(), None, "a line that is neither gone nor there: {}", brief(&page.text));
    assert!(come.is_empty(), "lines behind the end: {}", brief(&page.text));
    lines
}

/// A page of changes may end early, but then it says so, and there is something where it leads.
fn full(old: &[u8], new: &[u8], limits: &Limits) {
    let Some((stand, page, ..)) = ask(old, new, limits) else { return };
    let whole = ask(old, new, &roomy()).expect("the same files").1;
    let (found, all) = (rows(&page), rows(&whole));
    // A row may be cut where the limits are small; then it begins like the whole one and says so.
    let alike = found.iter().zip(&all).all(|(row, whole)| {
        row.label == whole.label && (row == whole || row.cut.is_some() && whole.text.starts_with(&row.text))
    });
    assert!(found.len() <= all.len() && alike, "{}", brief(&page.text));
    assert_eq!(page.target.next.is_some(), found.len() < all.len(), "{}", brief(&page.text));
    assert_eq!(page.target.cut_by.is_some(), found.len() < all.len(), "{}", brief(&page.text));
    if let Some(next) = &page.target.next {
        let next = stand.read(next);
        assert!(!has(&next, "view.past_end"), "{}: {}", brief(&page.text), brief(&next.text));
    }
}

fn has(page: &Seen, code: &str) -> bool {
    page.target.notes.iter().any(|(found, _)| *found == code)
}

#[test]
fn lines_that_went_from_the_end_are_all_told() {
    let old = "kept\n".to_owned() + &"gone\n".repeat(40);
    let limits = Limits { page_lines: 10, ..Limits::default() };
    let (stand, first, ..) = ask(old.as_bytes(), b"kept\n", &limits).expect("two texts");
    let (mut pages, mut next) = (vec![first.clone()], first.target.next);
    while let Some(address) = next.take().filter(|_| pages.len() < 20) {
        let page = stand.read(&address);
        next.clone_from(&page.target.next);
        pages.push(page);
    }
    let gone = pages.iter().flat_map(rows).filter(|row| matches!(row.label, Label::Gone(_))).count();
    assert_eq!(gone, 40, "lines that went on {} pages", pages.len());
}

#[test]
fn changes_and_a_selection_of_lines_go_together() {
    let stand = Stand::with(b"one\ntwo\nthree\n", &Limits::default());
    let tag = stand.read(NAME).target.tag.expect("a tag");
    // A header pasted back with lines behind it asks for those lines of a file that stayed.
    let page = stand.read(&format!("{NAME}#{tag}:2-2"));
    assert!(page.text.contains("2:two") || has(&page, "session.unchanged"), "{}", brief(&page.text));
}
