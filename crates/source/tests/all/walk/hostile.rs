//! Trees that are made to do harm: what a walk owes whatever it is led through.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Blob as _, Budget, CancelToken, Gate, Step, Stopped};
use readstone_host::{Host, Object, Policy, Secrets, Stance};
use readstone_source::{Batch, Visit, Walked};
use readstone_testkit::{Confined, Fixture, can_be_nobody, tool};

use super::kit::{Scribe, Tree, Way, check, walked, within};

#[test]
fn f01_a_fifo_in_the_place_of_rules_is_an_entry_like_others() {
    for name in [".gitignore", ".aiignore"] {
        let tree = Tree::of(&["a/b"]);
        Fixture::fifo(&tree.path().join(name));
        Fixture::fifo(&tree.path().join("a").join(name));
        check(&tree, &Way::default(), &[name, "a/", &format!("a/{name}"), "a/b"]);
        check(&tree, &Way::from("a"), &[name, "b"]);
    }
}

#[test]
fn f01_only_a_regular_file_is_opened_below_a_directory() {
    struct Opener(Mutex<Vec<(String, Option<u64>)>>);
    impl Visit for Opener {
        fn entries(&self, batch: &Batch<'_>) {
            for entry in batch.entries {
                let opened = batch.directory.file(entry.name).ok().and_then(|blob| blob.len());
                self.0.lock().unwrap().push((entry.name.to_str().unwrap().to_owned(), opened));
            }
        }
    }
    let tree = Tree::of(&["file", "directory/"]);
    Fixture::fifo(&tree.path().join("fifo"));
    Fixture::link("file", &tree.path().join("link"));
    let opener = Opener(Mutex::default());
    Way::threads(1).go(tree.path(), &opener);
    let expected = [("directory", None), ("fifo", None), ("file", Some(2)), ("link", None)];
    assert_eq!(opener.0.into_inner().unwrap(), expected.map(|(name, length)| (name.to_owned(), length)));
}

#[test]
fn f08_links_are_entries_and_lead_nowhere() {
    let tree = Tree::of(&["a/b/c"]);
    Fixture::link("..", &tree.path().join("a/b/up"));
    Fixture::link("/", &tree.path().join("all"));
    check(&tree, &Way::default(), &["a/", "all", "a/b/", "a/b/c", "a/b/up"]);
}

#[test]
fn f11_a_tree_deeper_than_a_path_is_long_is_walked_as_far_as_paths_go() {
    let tree = Tree::new();
    Fixture::deep(&tree.path().join("deep"), "d", 2_500);
    let (seen, walked) = walked(tree.path(), &Way::default());
    assert!(walked.cut, "{walked:?}");
    assert_eq!((walked.unreadable, walked.stopped), (0, None));
    let last = seen.last().unwrap();
    assert!(seen.len() > 1_500 && last.len() < 4_096, "{} levels, {} bytes", seen.len(), last.len());
    let shown = tree.path().join(last.trim_end_matches('/'));
    assert!(shown.symlink_metadata().is_ok(), "the deepest entry can be opened by its path");
    remove(tree.path());
}

/// Levels of a tree that would hold more directories open than its walk may.
const DEEP: usize = 800;

/// Directories in directories, and beside each of them another that is still ahead when the inner one is entered.
fn wide_and_deep(path: &Path, levels: usize) {
    let (mut inner, mut outer) = (path.with_extension("one"), path.with_extension("two"));
    fs::create_dir(&inner).unwrap();
    for _ in 0..levels {
        fs::create_dir_all(outer.join("z")).unwrap();
        fs::rename(&inner, outer.join("d")).unwrap();
        std::mem::swap(&mut inner, &mut outer);
    }
    fs::rename(inner, path).unwrap();
}

#[test]
fn f11_however_deep_a_tree_is_few_directories_are_held_open() {
    let tree = Tree::new();
    wide_and_deep(&tree.path().join("deep"), DEEP);
    as_another(&Confined::default().seconds(60).descriptors(160), tree.path(), "walks_where_it_stands");
    remove(tree.path());
}

/// Walks where this process stands and expects to see all of it; started by other tests under limits.
#[test]
#[ignore = "other tests start it where it has something to walk through"]
fn walks_where_it_stands() {
    let (seen, walked) = walked(Path::new("/proc/self/cwd"), &Way::default());
    assert_eq!(walked, Walked::default());
    assert_eq!(seen.len(), 1 + 2 * DEEP);
}

#[test]
fn f09_what_cannot_be_listed_is_counted_and_the_rest_is_seen() {
    if !can_be_nobody() {
        return;
    }
    let tree = Tree::of(&["closed/a", "listed/b", "open/c"]);
    tree.file("open/.gitignore", "c\n");
    Fixture::mode(tree.path(), 0o755);
    Fixture::mode(&tree.path().join("closed"), 0o000);
    Fixture::mode(&tree.path().join("listed"), 0o444);
    Fixture::mode(&tree.path().join("open/.gitignore"), 0o000);
    as_another(&Confined::default().nobody(), tree.path(), "walks_as_nobody");
}

/// Started by another test, with the rights of nobody.
#[test]
#[ignore = "another test starts it where it has something to walk through"]
fn walks_as_nobody() {
    let (mut seen, walked) = walked(Path::new("/proc/self/cwd"), &Way::default());
    seen.sort();
    assert_eq!(seen, ["closed/", "listed/", "listed/b", "open/", "open/.gitignore", "open/c"]);
    assert_eq!(walked, Walked { unreadable: 1, ..Walked::default() });
}

/// Runs a test of this program in a process with less than usual.
#[track_caller]
fn as_another(confined: &Confined, directory: &Path, test: &str) {
    let program = fs::read_link("/proc/self/exe").unwrap();
    let mut command = tool(program.to_str().unwrap());
    command.current_dir(directory).args([
        "--exact",
        &format!("walk::hostile::{test}"),
        "--ignored",
        "--test-threads=1",
    ]);
    let run = confined.run(&command);
    assert!(run.code == Some(0) && run.text().contains("1 passed"), "{}\n{}", run.text(), run.stderr);
}

/// Removes a tree that is too deep for the library.
fn remove(path: &Path) {
    assert!(tool("rm").arg("-rf").arg(path.join("deep")).status().unwrap().success());
}

#[test]
fn r07_a_directory_with_a_hundred_thousand_entries_is_seen_whole_and_in_order() {
    let tree = Tree::new();
    for number in 0..100_000 {
        fs::write(tree.path().join(format!("{number:05}")), "").unwrap();
    }
    let scribe = Scribe::default();
    let walked = Way::threads(1).go(tree.path(), &scribe);
    let seen = scribe.seen.into_inner().unwrap();
    assert_eq!((seen.len(), walked), (100_000, Walked::default()));
    assert!(seen.is_sorted_by(|one, other| one.0 < other.0));
}

#[test]
fn r08_rules_without_end_end_no_walk_and_are_counted() {
    let tree = Tree::of(&["a.o", "b"]);
    let hard = (0..20_000).map(|number| format!("*{number}x?*y*z*\n")).collect::<Vec<_>>().concat();
    tree.file(".gitignore", format!("*.o\n{hard}"));
    let walked = check(&tree, &Way::default(), &[".gitignore", "b"]);
    assert!(walked.bad_rules >= 20_001 - 10_000 && walked.bad_rules <= 20_001, "{walked:?}");
    assert_eq!(walked.ignored, 1);
    // Every line that was left out is counted once, whether there were too many or too long a file.
    tree.file(".gitignore", "*.o\n".repeat(1_000_000));
    let walked = check(&tree, &Way::default(), &[".gitignore", "b"]);
    assert_eq!(walked.bad_rules, 1_000_000 - 10_000);
    tree.file(".gitignore", format!("*.o\n{}\n", "x".repeat(100_000)));
    let walked = check(&tree, &Way::default(), &[".gitignore", "b"]);
    assert_eq!((walked.bad_rules, walked.ignored), (1, 1));
}

#[test]
fn r05_a_rule_of_many_stars_takes_no_longer_than_its_length_times_that_of_a_name() {
    let long = "a".repeat(250);
    let tree = Tree::of(&[&long, "b"]);
    tree.file(".gitignore", format!("{}b\n{}b\n", "*a".repeat(120), "**/*a*".repeat(100)));
    let way = Way { budget: within(Duration::from_secs(20)), ..Way::default() };
    let walked = check(&tree, &way, &[".gitignore", &long, "b"]);
    assert_eq!(walked.stopped, None);
}

/// Cancels its own call when it has seen some entries.
struct Canceller {
    after: usize,
    seen: AtomicUsize,
    stop: CancelToken,
}

impl Visit for Canceller {
    fn grain(&self) -> usize {
        4
    }

    fn entries(&self, batch: &Batch<'_>) {
        if self.seen.fetch_add(batch.entries.len(), Ordering::Relaxed) + batch.entries.len() >= self.after {
            self.stop.cancel();
        }
    }
}

#[test]
fn r07_a_call_that_is_cancelled_ends_within_the_walk() {
    let flat = Tree::new();
    let nested = Tree::new();
    for number in 0..2_000 {
        flat.file(format!("{number}"), "");
        nested.file(format!("{}/{}/{number}", number % 20, number % 100), "");
    }
    for (tree, threads) in [(&flat, 1), (&flat, 2), (&nested, 1), (&nested, 8)] {
        let way = Way::threads(threads);
        let canceller = Canceller { after: 40, seen: AtomicUsize::new(0), stop: way.budget.cancel_token().clone() };
        let walked = way.go(tree.path(), &canceller);
        assert_eq!(walked.stopped, Some(Stopped::Cancelled));
        // Every thread may be in the middle of one batch.
        let seen = canceller.seen.into_inner();
        assert!(seen <= 40 + 4 * (threads + 1), "{seen} entries on {threads} threads");
    }
}

#[test]
fn a_call_whose_time_is_over_sees_nothing_and_says_why() {
    let tree = Tree::of(&["a/b"]);
    let way = Way { budget: within(Duration::ZERO), ..Way::default() };
    let (seen, walked) = walked(tree.path(), &way);
    assert!(seen.is_empty(), "{seen:?}");
    assert_eq!(walked.stopped, Some(Stopped::Deadline));
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_thread_that_fails_does_not_keep_the_others_waiting() {
    struct Fragile {
        caller: std::thread::ThreadId,
        failed: AtomicBool,
    }
    impl Visit for Fragile {
        fn entries(&self, batch: &Batch<'_>) {
            if std::thread::current().id() != self.caller {
                self.failed.store(true, Ordering::SeqCst);
                panic!("a helper fails");
            }
            // The caller leaves something for it.
            while !batch.below.as_os_str().is_empty() && !self.failed.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
    }
    let tree = Tree::new();
    for number in 0..64 {
        tree.file(format!("{number}/x"), "");
    }
    let fragile = Fragile { caller: std::thread::current().id(), failed: AtomicBool::new(false) };
    Way::threads(2).go(tree.path(), &fragile);
}

/// Notes which threads pass it, and holds the call for a while.
#[derive(Debug)]
struct Turnstile {
    caller: std::thread::ThreadId,
    strangers: AtomicUsize,
    passes: AtomicUsize,
}

impl Gate for Turnstile {
    fn pass(&self, _: &Budget, _: Step) -> Result<(), Stopped> {
        self.passes.fetch_add(1, Ordering::Relaxed);
        if std::thread::current().id() != self.caller {
            self.strangers.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

#[test]
fn only_the_thread_of_the_call_asks_its_gate() {
    struct Asker;
    impl Visit for Asker {
        fn entries(&self, batch: &Batch<'_>) {
            batch.budget.check_heavy().unwrap();
        }
    }
    let tree = Tree::new();
    for number in 0..300 {
        tree.file(format!("{}/{number}", number % 50), "");
    }
    let caller = std::thread::current().id();
    let gate = Arc::new(Turnstile { caller, strangers: AtomicUsize::new(0), passes: AtomicUsize::new(0) });
    let way = Way::threads(4);
    let budget = way.budget.clone().behind(Arc::clone(&gate) as Arc<dyn Gate>);
    let walked = Way { budget, ..way }.go(tree.path(), &Asker);
    assert_eq!(walked, Walked::default());
    assert!(gate.passes.load(Ordering::Relaxed) > 0);
    assert_eq!(gate.strangers.load(Ordering::Relaxed), 0);
}

/// Entries that come and go while the tree is walked are seen or not; nothing else happens.
#[test]
fn p08_a_directory_that_becomes_a_link_meanwhile_leads_nowhere() {
    let tree = Tree::of(&["root/swap/inside", "outside/canary"]);
    let (swap, aside, link) = (tree.path().join("root/swap"), tree.path().join("aside"), tree.path().join("link"));
    Fixture::link("../outside", &link);
    let race = readstone_testkit::Race::start(move |_| {
        fs::rename(&swap, &aside).unwrap();
        fs::rename(&link, &swap).unwrap();
        fs::rename(&swap, &link).unwrap();
        fs::rename(&aside, &swap).unwrap();
    });
    for _ in 0..400 {
        let (seen, walked) = walked(tree.path(), &Way::from("root"));
        assert!(seen.iter().all(|path| !path.contains("canary")), "{seen:?}");
        assert_eq!((walked.unreadable, walked.stopped), (0, None));
    }
    race.finish();
}

#[test]
fn the_time_of_a_file_is_known_to_the_nanosecond_and_that_of_a_link_is_its_own() {
    let tree = Tree::of(&["file"]);
    let time = std::time::SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_789);
    fs::File::options().write(true).open(tree.path().join("file")).unwrap().set_modified(time).unwrap();
    Fixture::link("file", &tree.path().join("link"));
    let host = Host::new(Policy::anywhere(tree.path().to_owned(), Secrets::new(Stance::Warn, &[]).unwrap()), None, 0);
    let Object::Directory(directory) = host.open(Path::new("."), &Way::default().budget).unwrap().object else {
        panic!("a directory");
    };
    assert_eq!(directory.modified("file".as_ref()).unwrap(), 1_000_000_000_123_456_789);
    assert_ne!(directory.modified("link".as_ref()).unwrap(), 1_000_000_000_123_456_789);
    assert!(directory.modified("none".as_ref()).is_err());
}
