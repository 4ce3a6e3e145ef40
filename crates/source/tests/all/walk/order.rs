//! In which order entries come, on however many threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use proptest::prelude::{ProptestConfig, Strategy, proptest};
use proptest::{collection, sample, test_runner};
use readstone_host::EntryKind;
use readstone_source::{Batch, Dots, Keep, Visit, Walked, walk_order};

use super::kit::{Scribe, Tree, Way, check, walked};

#[test]
fn the_entries_of_a_directory_come_before_what_lies_in_its_directories() {
    let tree = Tree::of(&["a/z", "a/b/c", "a/b/d/e", "a.c", "a!/x", "b"]);
    check(&tree, &Way::default(), &["a/", "a!/", "a.c", "b", "a/b/", "a/z", "a/b/c", "a/b/d/", "a/b/d/e", "a!/x"]);
}

#[test]
fn a_walk_looks_as_many_levels_down_as_it_is_told() {
    let tree = Tree::of(&["a/b/c", "d"]);
    let levels = |levels| Way { keep: Keep { levels: Some(levels), ..Way::default().keep }, ..Way::default() };
    check(&tree, &levels(1), &["a/", "d"]);
    let walked = check(&tree, &levels(2), &["a/", "d", "a/b/"]);
    check(&tree, &levels(3), &["a/", "d", "a/b/", "a/b/c"]);
    assert_eq!(walked, Walked::default(), "what nobody asked for is not missing");
}

#[test]
fn names_that_begin_with_a_dot_are_left_out_where_that_is_wanted() {
    let tree = Tree::of(&[".a", ".b/c", "d/.e", "d/f", ".git/config", "..g"]);
    let skip = Way { keep: Keep { dots: Dots::Skip, ..Way::default().keep }, ..Way::default() };
    check(&tree, &skip, &["d/", "d/f"]);
    let walked = check(&tree, &Way::default(), &["..g", ".a", ".b/", "d/", ".b/c", "d/.e", "d/f"]);
    assert_eq!(walked.ignored, 0, "what git keeps is not counted");
}

#[test]
fn what_git_keeps_is_walked_through_when_it_is_named() {
    let tree = Tree::of(&[".git/config", ".git/hooks/one", "one"]);
    tree.file(".gitignore", "one\nconfig\n");
    check(&tree, &Way::from(".git"), &["config", "hooks/", "hooks/one"]);
    check(&tree, &Way::from(".git/hooks"), &["one"]);
}

#[test]
fn a_large_directory_comes_in_batches_of_the_size_that_is_wanted() {
    let tree = Tree::new();
    for number in 0..1_000 {
        tree.file(format!("{number:03}"), "");
    }
    for grain in [1, 7, 64, 1_000] {
        let scribe = Scribe { grain: Some(grain), ..Scribe::default() };
        Way::threads(1).go(tree.path(), &scribe);
        let seen = scribe.seen.into_inner().unwrap();
        assert!(seen.is_sorted_by_key(|(path, _)| path.clone()), "in batches of {grain}");
        assert_eq!(seen.len(), 1_000);
    }
}

/// Wants the first few files whose names hold a letter, as a search wants the first few that match.
struct Picky {
    letter: char,
    most: usize,
    found: Mutex<BTreeSet<Place>>,
    batches: AtomicUsize,
}

/// A path that has the order of the walk.
#[derive(PartialEq, Eq)]
struct Place(PathBuf);

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        walk_order(&self.0, &other.0)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Picky {
    fn new(letter: char, most: usize) -> Self {
        Self { letter, most, found: Mutex::default(), batches: AtomicUsize::new(0) }
    }

    fn matches(&self, path: &Path, kind: EntryKind) -> bool {
        kind == EntryKind::File && path.file_name().unwrap().to_str().unwrap().contains(self.letter)
    }

    fn found(self) -> Vec<PathBuf> {
        self.found.into_inner().unwrap().into_iter().map(|place| place.0).collect()
    }
}

impl Visit for Picky {
    fn wants(&self, below: &Path) -> bool {
        let found = self.found.lock().unwrap();
        // No name comes before the empty one.
        found.len() < self.most || walk_order(&below.join(" "), &found.last().unwrap().0).is_lt()
    }

    fn grain(&self) -> usize {
        2
    }

    fn entries(&self, batch: &Batch<'_>) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        for entry in batch.entries {
            let path = batch.below.join(entry.name);
            if self.matches(&path, entry.kind) {
                let mut found = self.found.lock().unwrap();
                found.insert(Place(path));
                if found.len() > self.most {
                    found.pop_last();
                }
            }
        }
    }
}

/// Paths of a few names that often meet, with some rules among them.
fn tree() -> impl Strategy<Value = Vec<(Vec<&'static str>, bool)>> {
    let names = vec!["a", "b", "a!", "a.b", "a-b", "ab", "c", "zz", "é", "A"];
    let path = collection::vec(sample::select(names), 1..6);
    collection::vec((path, proptest::bool::weighted(0.15)), 1..60)
}

fn plant(paths: &[(Vec<&str>, bool)]) -> Tree {
    let tree = Tree::new();
    for (path, rules) in paths {
        let path = path.iter().collect::<PathBuf>();
        let place = tree.path().join(&path);
        // Where a file stands in the way of a directory, or the other way round, the first stays.
        if let Some(parent) = place.parent()
            && fs::create_dir_all(parent).is_ok()
            && !place.is_dir()
        {
            drop(fs::write(&place, ""));
            if *rules {
                drop(fs::write(parent.join(".gitignore"), "a!\n[\n*b/\n"));
            }
        }
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x50C1_0002),
        ..ProptestConfig::default()
    })]

    #[test]
    fn however_many_threads_walk_they_see_the_same_and_count_the_same(paths in tree()) {
        let tree = plant(&paths);
        let (one, counted) = walked(tree.path(), &Way::threads(1));
        let sorted = |mut seen: Vec<String>| {
            seen.sort_by(|one, other| walk_order(Path::new(one), Path::new(other)));
            seen
        };
        assert_eq!(one, sorted(one.clone()), "one thread comes to everything in order");
        for threads in [2, 8] {
            let (seen, walked) = walked(tree.path(), &Way::threads(threads));
            assert_eq!(sorted(seen), one);
            assert_eq!(walked, counted);
        }
    }

    #[test]
    fn a_walk_that_is_ended_early_misses_nothing_that_was_wanted(paths in tree(), most in 1_usize..8) {
        let tree = plant(&paths);
        let all = Scribe::default();
        Way::threads(1).go(tree.path(), &all);
        let whole = Picky::new('b', usize::MAX);
        let all = all.seen.into_inner().unwrap();
        let mut right: Vec<PathBuf> =
            all.into_iter().filter(|(path, kind)| whole.matches(path, *kind)).map(|(path, _)| path).collect();
        right.truncate(most);
        let mut counted = None;
        for threads in [1, 2, 8] {
            let picky = Picky::new('b', most);
            let walked = Way::threads(threads).go(tree.path(), &picky);
            assert_eq!(picky.found(), right, "with {threads} threads");
            assert_eq!(*counted.get_or_insert(walked.clone()), walked, "with {threads} threads");
        }
    }
}

#[test]
fn a_visitor_that_has_enough_ends_the_walk() {
    let tree = Tree::new();
    for number in 0..200 {
        tree.file(format!("{number:03}/b"), "");
    }
    let picky = Picky::new('b', 3);
    Way::threads(1).go(tree.path(), &picky);
    let batches = picky.batches.load(Ordering::Relaxed);
    // The trunk alone has 200 entries, two in a batch.
    assert_eq!(batches, 100 + 3);
    assert_eq!(picky.found(), ["000/b", "001/b", "002/b"].map(PathBuf::from));
}

/// Wants the first directory only, and holds it back until another thread has been in the next.
#[derive(Default)]
struct Dawdler {
    was_further: AtomicBool,
    has_enough: AtomicBool,
}

impl Visit for Dawdler {
    fn wants(&self, below: &Path) -> bool {
        !self.has_enough.load(Ordering::SeqCst) || below <= Path::new("0")
    }

    fn entries(&self, batch: &Batch<'_>) {
        if batch.below == Path::new("1") {
            self.was_further.store(true, Ordering::SeqCst);
        } else if batch.below == Path::new("0") {
            while !self.was_further.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            self.has_enough.store(true, Ordering::SeqCst);
        }
    }
}

#[test]
fn what_a_thread_counts_where_nobody_wanted_it_to_be_does_not_count() {
    let tree = Tree::of(&["0/x", "0/x.o", "1/y", "1/y.o", "1/z.o"]);
    tree.file(".gitignore", "*.o\n");
    tree.file("1/.gitignore", "[\n");
    let walked = Way::threads(2).go(tree.path(), &Dawdler::default());
    assert_eq!(walked, Walked { ignored: 1, ..Walked::default() });
}
