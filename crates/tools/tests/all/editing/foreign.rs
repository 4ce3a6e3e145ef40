//! Files that somebody else changed between the read and the edit: an edit lands where a merge would put it, or nowhere.

use proptest::prelude::{Just, Strategy, any, proptest};
use proptest::{collection, sample};
use readstone_base::{Status, Warning};
use serde_json::json;

use super::model::{Hunk, Place, config, written};
use super::stand::{Stand, change, code, next};

/// A change by another hand: at a place of the first version so many lines go, and so many come.
#[derive(Clone, Debug)]
struct Other {
    at: sample::Index,
    goes: usize,
    comes: usize,
}

/// A line and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    text: String,
    from: Option<usize>,
}

fn other() -> impl Strategy<Value = Other> {
    (any::<sample::Index>(), 0..3_usize, 0..3_usize).prop_map(|(at, goes, comes)| Other { at, goes, comes })
}

fn text(repeated: u32) -> impl Strategy<Value = Vec<String>> {
    collection::vec((0..10_u32, 0..3_usize), 3..40).prop_map(move |lines| {
        let line = |(at, (kind, which)): (usize, (u32, usize))| {
            if kind < repeated { ["}", "", "end"][which].to_owned() } else { format!("line {at}") }
        };
        lines.into_iter().enumerate().map(line).collect()
    })
}

/// What others made of a text.
fn changed(then: &[String], others: &[Other]) -> Vec<Known> {
    let mut goes = vec![false; then.len() + 1];
    let mut comes = vec![0; then.len() + 1];
    for other in others {
        let at = other.at.index(then.len() + 1);
        comes[at] += other.comes;
        goes.iter_mut().skip(at).take(other.goes).for_each(|line| *line = true);
    }
    let mut now = Vec::new();
    let mut fresh = 0;
    for at in 0..=then.len() {
        for _ in 0..comes[at] {
            fresh += 1;
            now.push(Known { text: format!("other {fresh}"), from: None });
        }
        if let Some(text) = then.get(at).filter(|_| !goes[at]) {
            now.push(Known { text: text.clone(), from: Some(at + 1) });
        }
    }
    now
}

fn hunk(lines: usize) -> impl Strategy<Value = Hunk> {
    (0..6_u8, 1..=lines, 0..3_usize).prop_map(move |(kind, first, more)| match kind {
        0 => Hunk::new(Place::Before(first), &["mine"]),
        1 => Hunk::new(Place::After(first), &["mine"]),
        2 => Hunk::new(Place::Delete(first, (first + more).min(lines)), &[]),
        3 => Hunk::new(Place::Head, &["mine"]),
        4 => Hunk::new(Place::Tail, &["mine"]),
        _ => Hunk::new(Place::Replace(first, (first + more).min(lines)), &["mine", "too"]),
    })
}

fn scene(repeated: u32) -> impl Strategy<Value = (Vec<String>, Vec<Other>, Hunk)> {
    text(repeated).prop_flat_map(|then| {
        let hunk = hunk(then.len());
        (Just(then), collection::vec(other(), 1..4), hunk)
    })
}

/// What a merge by the origin of lines makes of it; nothing where the lines meant, or those beside them, are others.
fn merged(then: &[String], now: &[Known], hunk: &Hunk) -> Option<Vec<String>> {
    let (named, above, below) = match hunk.place {
        Place::Replace(first, last) | Place::Delete(first, last) => ((first, last), true, true),
        Place::Before(line) => ((line, line), true, false),
        Place::After(line) => ((line, line), false, true),
        Place::Head => ((1, 0), false, false),
        Place::Tail => ((then.len() + 1, then.len()), false, false),
    };
    let (first, last) = named;
    let at = match hunk.place {
        Place::Head => 0,
        Place::Tail => now.len(),
        Place::Replace(..) | Place::Delete(..) | Place::Before(_) | Place::After(_) => {
            now.iter().position(|line| line.from == Some(first))?
        }
    };
    let stands = (first..=last).zip(at..).all(|(line, at)| now.get(at).is_some_and(|there| there.from == Some(line)));
    let text = |at: Option<usize>| at.and_then(|at| now.get(at)).map(|line| line.text.as_str());
    let over = first.checked_sub(2).and_then(|at| then.get(at)).map(String::as_str);
    let under = then.get(last).map(String::as_str);
    if !stands || above && over != text(at.checked_sub(1)) || below && under != text(Some(at + last + 1 - first)) {
        return None;
    }
    let mut lines: Vec<String> = now.iter().map(|line| line.text.clone()).collect();
    let range = match hunk.place {
        Place::After(_) => at + 1..at + 1,
        Place::Before(_) | Place::Head | Place::Tail => at..at,
        Place::Replace(..) | Place::Delete(..) => at..at + 1 + last - first,
    };
    lines.splice(range, hunk.body.clone());
    Some(lines)
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// Edits a file that was changed since; gives what a merge makes of it, and what the edit did.
fn edit(then: &[String], now: &[Known], hunk: &Hunk) -> (Option<String>, Option<String>) {
    let stand = Stand::new();
    stand.file("a", joined(then));
    let tag = stand.tag("a");
    let texts: Vec<String> = now.iter().map(|line| line.text.clone()).collect();
    stand.file("a", joined(&texts));
    let reply = stand.edit("a", &tag, &written(std::slice::from_ref(hunk)));
    let wanted = merged(then, now, hunk).map(|lines| joined(&lines));
    let bytes = String::from_utf8(stand.bytes("a")).unwrap();
    if reply.status == Status::Ok {
        let warned =
            change(&reply.receipt.targets[0]).warnings.iter().any(|one| matches!(one, Warning::Recovered { .. }));
        assert_eq!(warned, texts != then, "{}", reply.text());
        let back = stand.undo(&json!({}));
        assert_eq!(stand.bytes("a"), joined(&texts).into_bytes(), "{}", back.text());
        return (wanted, Some(bytes));
    }
    assert_eq!(code(&reply), "edit.stale", "{}", reply.text());
    assert_eq!(bytes, joined(&texts), "a refusal changes nothing");
    // The refusal has the tag there is, and what it names leads on.
    assert_eq!(reply.receipt.targets[0].tag.as_deref(), Some(&*super::stand::tag_of(bytes.as_bytes())));
    stand.read(&next(&reply));
    (wanted, None)
}

proptest! {
    #![proptest_config(config(512, 0xED17_0102))]

    #[test]
    fn where_every_line_is_another_an_edit_lands_whenever_its_lines_stand((then, others, hunk) in scene(0)) {
        let now = changed(&then, &others);
        let (wanted, got) = edit(&then, &now, &hunk);
        assert_eq!(got, wanted, "{then:?} {now:?} {hunk:?}");
    }

    #[test]
    fn where_lines_repeat_an_edit_lands_right_or_not_at_all((then, others, hunk) in scene(6)) {
        let now = changed(&then, &others);
        let (wanted, got) = edit(&then, &now, &hunk);
        assert!(got.is_none() || got == wanted, "{then:?} {now:?} {hunk:?} {got:?}");
    }
}

#[test]
fn after_a_refusal_the_edit_goes_on_with_what_it_showed() {
    let stand = Stand::new();
    let text = (1..=50).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    stand.file("a", &text);
    let tag = stand.tag("a:20-22");
    stand.file("a", text.replace("line 21\n", "somebody\nelse\n"));
    let (code, reply) = stand.refused("a", &tag, "replace 21:\n+mine\n");
    assert_eq!(code, "edit.stale");
    let shown = reply.text();
    assert!(shown.contains("-21:line 21\n") && shown.contains("*21:somebody\n"), "{shown}");
    let fresh = reply.receipt.targets[0].tag.clone().unwrap();
    stand.edited("a", &fresh, "replace 21..22:\n+mine\n");
    assert_eq!(stand.bytes("a"), text.replace("line 21\n", "mine\n").into_bytes());
    assert_eq!(stand.refused("a", &stand.tag("a:1-1"), "replace 40:\n+x\n").0, "edit.unseen");
}

#[test]
fn an_earlier_tag_of_the_session_is_carried_over_its_own_edits() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\nthree\nfour\nfive\n");
    let first = stand.tag("a");
    stand.edited("a", &first, "insert head:\n+zero\n");
    let reply = stand.edit("a", &first, "replace 4:\n+4\n");
    assert_eq!(stand.bytes("a"), b"zero\none\ntwo\nthree\n4\nfive\n", "{}", reply.text());
    assert!(reply.text().contains("by this session"), "{}", reply.text());
}

#[test]
fn only_line_ends_that_changed_are_kept_as_they_are_now() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\nthree\n");
    let tag = stand.tag("a");
    stand.file("a", "one\r\ntwo\r\nthree\r\n");
    stand.edited("a", &tag, "replace 2:\n+2\n");
    assert_eq!(stand.bytes("a"), b"one\r\n2\r\nthree\r\n");
}

#[test]
fn a_file_that_became_another_kind_of_text_is_not_merged() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\nthree\n");
    let tag = stand.tag("a");
    stand.file("a", "\u{FEFF}one\ntwo\nthree\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    assert_eq!(stand.refused("a", &tag, "replace 2:\n+2\n").0, "edit.stale");
    stand.file("a", b"one\0\0\0\x01\x02\x03two\0\0\0\0three\0\0");
    assert_eq!(stand.refused("a", &tag, "replace 2:\n+2\n").0, "edit.not_text");
    std::fs::remove_file(stand.path("a")).unwrap();
    assert_eq!(code(&stand.edit("a", &tag, "replace 2:\n+2\n")), "host.not_found");
}
