//! What is known of a tag: by this session, by another, by nobody; and of what nothing may be known.

use std::collections::HashMap;

use readstone_base::{Status, Tag};
use readstone_host::Stance;
use readstone_session::Place;
use readstone_source::Drawer;
use serde_json::json;

use super::stand::{Setup, Stand, call, change, code, patch, tag_of, version};

#[test]
fn the_tag_of_another_session_is_good_where_it_is_that_of_the_file() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\nthree\n");
    let tag = stand.tag("a");
    for (other, text) in [(stand.another("other"), "1\ntwo\nthree\n"), (stand.stranger(), "x\ntwo\nthree\n")] {
        let old = tag_of(&stand.bytes("a"));
        let row = text.lines().next().unwrap();
        let reply = call(&other, "edit", &patch("a", &old, &format!("replace 1:\n+{row}\n")));
        assert_eq!(reply.status, Status::Ok, "{}", reply.text());
        assert_eq!(stand.bytes("a"), text.as_bytes());
    }
    // The first session knows its own tag, so its edit is carried over what the others did.
    stand.edited("a", &tag, "replace 3:\n+3\n");
    assert_eq!(stand.bytes("a"), b"x\ntwo\n3\n");
}

#[test]
fn a_tag_that_nobody_knows_and_that_is_not_the_files_is_refused_with_what_is_there() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\nthree\n");
    let wrong = if tag_of(&stand.bytes("a")) == "0A3B" { "0A3C" } else { "0A3B" };
    let (code, reply) = stand.refused("a", wrong, "replace 2:\n+2\n");
    assert_eq!(code, "edit.stale");
    assert!(reply.text().contains("*2:two\n") && reply.text().contains("not held"), "{}", reply.text());
    let fresh = reply.receipt.targets[0].tag.clone().unwrap();
    stand.edited("a", &fresh, "replace 2:\n+2\n");
}

/// Two texts with one tag, which differ in their first line.
fn twins() -> (String, String) {
    let mut seen: HashMap<Tag, String> = HashMap::new();
    for number in 0_u32.. {
        let text = format!("number {number}\ntwo\nthree\n");
        if let Some(other) = seen.insert(Tag::of(&version(text.as_bytes())), text.clone()) {
            return (other, text);
        }
    }
    unreachable!("there are 65,536 tags");
}

#[test]
fn two_versions_with_one_tag_are_told_apart() {
    let (first, second) = twins();
    let stand = Stand::new();
    stand.file("a", &first);
    let tag = stand.tag("a");
    // Another text with the very same tag takes the place of the one that was shown.
    stand.file("a", &second);
    assert_eq!(tag_of(second.as_bytes()), tag);
    let (code, reply) = stand.refused("a", &tag, "replace 1:\n+x\n");
    assert_eq!(code, "edit.stale", "{}", reply.text());
    // The same patch sent again is no better, whatever the refusal showed.
    let (code, reply) = stand.refused("a", &tag, "replace 1:\n+x\n");
    assert_eq!(code, "edit.stale", "{}", reply.text());
    // What was read last is what the tag means from then on.
    stand.read("a");
    stand.edited("a", &tag, "replace 1:\n+x\n");
    assert_eq!(stand.bytes("a"), b"x\ntwo\nthree\n");
}

#[test]
fn a_version_is_named_whole_where_a_tag_will_not_do() {
    let (first, second) = twins();
    let stand = Stand::new();
    stand.file("a", &second);
    let write = |version: &str| stand.call("write", &json!({ "path": "a", "content": "x\n", "if_tag": version }));
    assert_eq!(code(&write(&version(first.as_bytes()).to_string())), "write.other_version");
    // The tag alone means what was shown under it.
    stand.file("a", &first);
    let tag = stand.tag("a");
    stand.file("a", &second);
    assert_eq!(code(&write(&tag)), "write.other_version");
    assert_eq!(write(&version(second.as_bytes()).to_string()).status, Status::Ok);
}

#[test]
fn a_collision_that_only_another_session_saw_is_noticed_too() {
    let (first, second) = twins();
    let stand = Stand::new();
    stand.file("a", &first);
    let tag = stand.tag("a");
    stand.file("a", &second);
    let reply = call(&stand.another("other"), "edit", &patch("a", &tag, "replace 1:\n+x\n"));
    assert_eq!((code(&reply), stand.bytes("a")), ("edit.stale", second.clone().into_bytes()));
    let reply = call(&stand.another("other"), "edit", &patch("a", &tag, "replace 1:\n+x\n"));
    assert_eq!((code(&reply), stand.bytes("a")), ("edit.stale", second.into_bytes()));
}

#[test]
fn nothing_of_a_secret_is_kept() {
    let stand = Stand::with(Setup { stance: Stance::Warn, ..Setup::default() });
    let old = b"NAME=a\nTOKEN=hunter2\n";
    stand.file(".env", old);
    let path = stand.path(".env").canonicalize().unwrap();
    let tag = stand.tag(".env");
    let held = |tag: &str| stand.store().recall("", &path, tag.parse().unwrap());
    assert!(held(&tag).is_none_or(|held| held.bytes.is_none()));
    let fresh = stand.edited(".env", &tag, "replace 1:\n+NAME=b\n").tag.unwrap();
    assert_eq!(stand.bytes(".env"), b"NAME=b\nTOKEN=hunter2\n");
    assert!(held(&fresh).is_none_or(|held| held.bytes.is_none()));
    // Without its text, an old tag cannot be carried over.
    assert_eq!(stand.refused(".env", &tag, "replace 2:\n+TOKEN=x\n").0, "edit.stale");
    let fresh = stand.edited(".env", &fresh, "replace 2:\n+TOKEN=x\n").tag.unwrap();
    assert!(held(&fresh).is_none_or(|held| held.bytes.is_none()));
    let reply = stand.call("write", &json!({ "path": ".env", "content": "NAME=c\n" }));
    assert_eq!(reply.status, Status::Ok, "{}", reply.text());
    assert!(held(reply.receipt.targets[0].tag.as_deref().unwrap()).is_none_or(|held| held.bytes.is_none()));
    assert!(reply.text().contains("nothing of a secret is kept"), "{}", reply.text());
    // Neither is what was replaced kept for undoing.
    let place = Place { session: "", drawer: Drawer::Changes };
    let kept: Vec<Vec<u8>> =
        stand.store().names(place).iter().filter_map(|name| stand.store().get(place, name)).collect();
    let holds = |kept: &Vec<u8>| {
        [b"hunter2".as_slice(), b"NAME="].iter().any(|text| kept.windows(text.len()).any(|part| part == *text))
    };
    assert!(!kept.iter().any(holds), "{kept:?}");
    assert_eq!(code(&stand.undo(&json!({}))), "undo.not_kept");
    // What only came can be taken away again without knowing what it was.
    stand.edited(".env", &tag_of(b"NAME=c\n"), "insert tail:\n+MORE=1\n");
    assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    assert_eq!(stand.bytes(".env"), b"NAME=c\n");
}

#[test]
fn a_secret_that_may_not_be_read_is_not_changed_either() {
    let stand = Stand::new();
    stand.file(".env", "TOKEN=hunter2\n");
    let (code, reply) = stand.refused(".env", &tag_of(b"TOKEN=hunter2\n"), "replace 1:\n+x\n");
    assert!(code == "host.denied_secret" && !reply.text().contains("hunter2"), "{}", reply.text());
    for path in [".env", "sub/.env"] {
        let reply = stand.call("write", &json!({ "path": path, "content": "x\n" }));
        assert_eq!(super::stand::code(&reply), "host.denied_secret", "{}", reply.text());
    }
    assert!(stand.bytes(".env") == b"TOKEN=hunter2\n" && !stand.path("sub").exists());
}

#[test]
fn a_tag_in_small_letters_and_a_header_with_a_selector_are_those_of_the_file() {
    let stand = Stand::new();
    stand.file("a.md", "one\ntwo\n");
    let tag = stand.tag("a.md").to_ascii_lowercase();
    let target = stand.edited("a.md:source", &tag, "replace 1:\n+1\n");
    assert!(change(&target).warnings.is_empty() && stand.bytes("a.md") == b"1\ntwo\n");
}
