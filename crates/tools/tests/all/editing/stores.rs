//! What stores remember of versions and of the lines that were shown of them.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Span, Tag, Version};
use readstone_session::{MemoryStore, Place, SqliteStore, Store, Text};
use readstone_source::Drawer;
use tempfile::TempDir;

const MOST: u64 = 1 << 20;

fn version(first: u8, last: u8) -> Version {
    let mut bytes = [first; 32];
    bytes[31] = last;
    Version::from_bytes(bytes)
}

fn keep(store: &dyn Store, session: &str, version: Version, shown: &[(u64, u64)]) {
    let shown: Vec<Span> = shown.iter().map(|(first, last)| Span::new(*first, *last)).collect();
    store.keep(session, Path::new("/a"), Text { version, bytes: Some(b"text"), shown: &shown }, MOST);
}

fn each(check: impl Fn(&dyn Store)) {
    check(&*Arc::<MemoryStore>::default());
    let directory = TempDir::with_prefix("readstone-store-").unwrap();
    check(&SqliteStore::new(directory.path().to_owned()));
}

#[test]
fn lines_that_were_shown_add_up_for_each_session_alone() {
    each(|store| {
        let one = version(1, 0);
        keep(store, "a", one, &[(1, 3)]);
        keep(store, "a", one, &[(4, 4), (9, 9)]);
        keep(store, "b", one, &[(20, 30)]);
        let shown = |session: &str| store.recall(session, Path::new("/a"), Tag::of(&one)).unwrap().shown;
        assert_eq!(shown("a"), [Span::new(1, 4), Span::new(9, 9)]);
        assert_eq!(shown("b"), [Span::new(20, 30)]);
        assert!(store.recall("c", Path::new("/a"), Tag::of(&one)).is_none());
        assert!(store.recall("a", Path::new("/b"), Tag::of(&one)).is_none());
    });
}

#[test]
fn of_versions_with_one_tag_the_last_that_was_shown_is_meant() {
    each(|store| {
        let (one, two) = (version(1, 0), version(1, 1));
        let tag = Tag::of(&one);
        assert_eq!(Tag::of(&two), tag);
        let meant = || store.recall("a", Path::new("/a"), tag).unwrap().version;
        // Twice round, so that what is remembered in between is asked too.
        for _ in 0..2 {
            for version in [one, two] {
                keep(store, "a", version, &[(1, 1)]);
                assert_eq!(meant(), version);
                keep(store, "a", version, &[(1, 1)]);
                assert_eq!(meant(), version);
            }
        }
        keep(store, "b", one, &[(1, 1)]);
        assert_eq!(meant(), two, "what another session was shown is its own matter");
        let mut versions = store.versions(Path::new("/a"), tag);
        versions.sort_by_key(|version| *version.as_bytes());
        assert_eq!(versions, [one, two]);
    });
}

#[test]
fn what_was_shown_is_there_when_the_store_is_opened_again() {
    let directory = TempDir::with_prefix("readstone-store-").unwrap();
    let one = version(1, 0);
    keep(&SqliteStore::new(directory.path().to_owned()), "a", one, &[(5, 8)]);
    let again = SqliteStore::new(directory.path().to_owned());
    let held = again.recall("a", Path::new("/a"), Tag::of(&one)).unwrap();
    assert_eq!(
        (held.version, held.bytes.as_deref(), held.shown),
        (one, Some(b"text".as_slice()), vec![Span::new(5, 8)])
    );
    assert_eq!(again.versions(Path::new("/a"), Tag::of(&one)), [one]);
}

#[test]
fn the_oldest_versions_are_forgotten_first() {
    each(|store| {
        let text = vec![b'x'; 1_000];
        for number in 0..10 {
            let text = Text { version: version(number, 0), bytes: Some(&text), shown: &[] };
            store.keep("a", Path::new("/a"), text, 5_000);
        }
        let held = |number: u8| store.recall("a", Path::new("/a"), Tag::of(&version(number, 0))).is_some();
        assert!(!held(0) && held(9) && held(8));
    });
}

#[test]
fn of_drawers_that_nobody_fills_any_more_no_more_than_so_many_last_numbers_are_remembered() {
    each(|store| {
        let add = |session: &str, drawer: Drawer, bytes: &[u8]| store.add(Place { session, drawer }, bytes, 1_024);
        assert_eq!(add("first", Drawer::Changes, &[b'a'; 600]), Some(1));
        assert_eq!(add("first", Drawer::Changes, &[b'b'; 600]), Some(2));
        assert_eq!(add("first", Drawer::Artifacts, b"a"), Some(1));
        for other in 0..4_100 {
            assert_eq!(add(&format!("session {other}"), Drawer::Changes, b"a"), Some(1));
        }
        assert!(store.names(Place { session: "first", drawer: Drawer::Changes }).is_empty());
        assert_eq!(add("first", Drawer::Changes, b"c"), Some(1));
        assert_eq!(add("first", Drawer::Artifacts, b"b"), Some(2), "what is still there keeps its number");
    });
}

#[test]
fn what_another_process_forgot_is_kept_again() {
    let directory = TempDir::with_prefix("readstone-store-").unwrap();
    let [here, there] = [(); 2].map(|()| SqliteStore::new(directory.path().to_owned()));
    let one = version(1, 0);
    keep(&here, "a", one, &[(1, 3)]);
    keep(&here, "a", one, &[(1, 3)]);
    there.keep("b", Path::new("/b"), Text { version: version(2, 0), bytes: Some(b"text"), shown: &[] }, 300);
    assert!(here.recall("a", Path::new("/a"), Tag::of(&one)).is_none(), "there was no room for both");
    keep(&here, "a", one, &[(2, 2)]);
    let held = here.recall("a", Path::new("/a"), Tag::of(&one)).unwrap();
    assert_eq!((held.bytes.as_deref(), held.shown), (Some(b"text".as_slice()), vec![Span::new(2, 2)]));
}

#[test]
fn the_beginning_of_a_thing_is_had_without_the_rest() {
    each(|store| {
        let place = Place { session: "a", drawer: Drawer::Changes };
        store.put(place, "x", b"head\nbody", MOST);
        let beginning = |name: &str, most: usize| store.beginning(place, name, most);
        assert_eq!(beginning("x", 4).as_deref(), Some(b"head".as_slice()));
        assert_eq!(beginning("x", 40).as_deref(), Some(b"head\nbody".as_slice()));
        assert_eq!(beginning("y", 4), None);
    });
}
