//! What is read of what a session keeps: no more of changes than says what each is of, conflicts once, and no longer than
//! there is time.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use readstone_base::{CancelToken, Status, Tag, Version};
use readstone_session::{MemoryStore, Place, Snapshot, Store, Text};
use readstone_tools::Toolbox;
use serde_json::json;

use super::stand::{Stand, call, code, patch};

/// A store that counts what is asked of it.
#[derive(Debug, Default)]
struct Counted {
    store: MemoryStore,
    whole: AtomicUsize,
    beginnings: AtomicUsize,
    /// Cancels the call when the third beginning is read.
    stop: OnceLock<CancelToken>,
}

impl Store for Counted {
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64) {
        self.store.keep(session, path, text, most);
    }

    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64) {
        self.store.put(place, name, bytes, most);
    }

    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>> {
        self.whole.fetch_add(1, Ordering::Relaxed);
        self.store.get(place, name)
    }

    fn beginning(&self, place: Place<'_>, name: &str, most: usize) -> Option<Vec<u8>> {
        if self.beginnings.fetch_add(1, Ordering::Relaxed) == 2
            && let Some(stop) = self.stop.get()
        {
            stop.cancel();
        }
        self.store.beginning(place, name, most)
    }

    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64> {
        self.store.add(place, bytes, most)
    }

    fn names(&self, place: Place<'_>) -> Vec<String> {
        self.store.names(place)
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        self.store.recall(session, path, tag)
    }

    fn versions(&self, path: &Path, tag: Tag) -> Vec<Version> {
        self.store.versions(path, tag)
    }
}

/// Many files that were changed in a session.
fn changed(stand: &Stand) -> (Arc<Counted>, Toolbox) {
    let store = Arc::<Counted>::default();
    let toolbox = stand.with_store(Arc::clone(&store) as Arc<dyn Store>);
    for number in 0..20 {
        let name = format!("{number}.txt");
        stand.file(&name, "old\n".repeat(9_000));
        let reply = call(&toolbox, "write", &json!({ "path": name, "content": "new\n" }));
        assert_eq!(reply.status, Status::Ok, "{}", reply.text());
    }
    store.whole.store(0, Ordering::Relaxed);
    (store, toolbox)
}

#[test]
fn whoever_looks_for_a_change_reads_no_other() {
    let stand = Stand::new();
    let (store, toolbox) = changed(&stand);
    let reads = || store.whole.swap(0, Ordering::Relaxed);
    for path in ["other.txt", "none.txt"] {
        stand.file("other.txt", "a\nb\nc\n");
        assert_eq!(code(&call(&toolbox, "undo", &json!({ "path": path }))), "undo.nothing");
        assert_eq!(reads(), 0, "{path}");
    }
    assert_eq!(call(&toolbox, "undo", &json!({ "path": "./3.txt" })).status, Status::Ok);
    assert_eq!((reads(), stand.bytes("3.txt").len()), (1, 36_000));
    assert_eq!(call(&toolbox, "undo", &json!({})).status, Status::Ok);
    assert_eq!((reads(), stand.bytes("19.txt").len()), (1, 36_000));

    let read = call(&toolbox, "read", &json!({ "path": "other.txt" }));
    let tag = read.receipt.targets[0].tag.clone().unwrap();
    stand.file("other.txt", "new\na\nb\nc\n");
    let carried = call(&toolbox, "edit", &patch("other.txt", &tag, "replace 3:\n+z\n"));
    assert_eq!((carried.status, reads()), (Status::Ok, 0), "{}", carried.text());
    assert_eq!(stand.bytes("other.txt"), b"new\na\nb\nz\n");
}

#[test]
fn the_search_for_a_change_ends_with_the_call() {
    let stand = Stand::new();
    let (store, toolbox) = changed(&stand);
    let budget = toolbox.budget();
    store.beginnings.store(0, Ordering::Relaxed);
    store.stop.set(budget.cancel_token().clone()).unwrap();
    let reply = toolbox.call("undo", &json!({ "path": "none.txt" }), &budget);
    assert_eq!(code(&reply), "host.timeout", "{}", reply.text());
    assert_eq!(store.beginnings.load(Ordering::Relaxed), 3);
}

#[test]
fn all_conflicts_together_are_read_once_or_twice_each() {
    const COUNT: usize = 30;
    let conflicts = |count: usize| {
        let conflict = |number| format!("<<<<<<< a\nours {number}\n=======\ntheirs {number}\n>>>>>>> b\n");
        (0..count).map(conflict).collect::<Vec<_>>().concat()
    };
    // Where they were shown, and elsewhere since.
    for (above, most) in [("", COUNT), ("new\n", 2 * COUNT)] {
        let stand = Stand::new();
        let store = Arc::<Counted>::default();
        let toolbox = stand.with_store(Arc::clone(&store) as Arc<dyn Store>);
        stand.file("a.txt", conflicts(COUNT));
        let shown = call(&toolbox, "read", &json!({ "path": "a.txt:conflicts" }));
        assert_eq!(shown.status, Status::Ok, "{}", shown.text());
        stand.file("a.txt", format!("{above}{}", conflicts(COUNT)));
        store.whole.store(0, Ordering::Relaxed);
        let reply = call(&toolbox, "write", &json!({ "path": "conflict://*", "content": "@ours" }));
        assert_eq!(reply.status, Status::Ok, "{}", reply.text());
        let ours = (0..COUNT).map(|number| format!("ours {number}\n")).collect::<Vec<_>>().concat();
        assert_eq!(String::from_utf8(stand.bytes("a.txt")).unwrap(), format!("{above}{ours}"));
        let reads = store.whole.load(Ordering::Relaxed);
        assert!(reads <= most + 5, "{reads} reads");
    }
}
