//! Directories that are so large that listing them takes memory which calls share.

#![expect(clippy::unwrap_used, reason = "a test stops where its files cannot be made")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, Limits, Quota, Span};
use readstone_host::{Host, Object, Policy, Secrets, Stance, SystemClock};
use readstone_source::{Show, Trunk, Wanted, Wish, files, tree};

/// A directory of so many files, and one more with as many in it.
fn large() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("inside")).unwrap();
    for number in 0..17_000 {
        for directory in ["", "inside/"] {
            std::fs::write(place.path().join(format!("{directory}{number}")), "").unwrap();
        }
    }
    place
}

/// The time of a call; who waits for itself waits for all of it.
const TIME: Duration = Duration::from_secs(20);

#[test]
fn a_call_never_waits_for_memory_that_it_holds_itself() {
    let place = large();
    let root = place.path().canonicalize().unwrap();
    let host = Host::new(Policy::anywhere(root.clone(), Secrets::new(Stance::Warn, &[]).unwrap()), None, 0);
    let budget = Budget::new(Arc::new(SystemClock::new(None)), Some(TIME)).sharing(Arc::new(Quota::new(1)));
    let Object::Directory(directory) = host.open(Path::new("."), &budget).unwrap().object else {
        panic!("a directory is one");
    };
    let trunk = Trunk { directory: &directory, path: ".", real: &root };
    let wish = Wish { show: Show::Everything, window: Span::new(1, 10) };
    let listed = tree(trunk, wish, &host, &Limits::default(), &budget).unwrap();
    assert_eq!((listed.entries, listed.unreadable), (17_001, 0));
    let wanted = Wanted { name: &|_| true, most: (100_000, "outline_files") };
    let found = files(trunk, &host, &wanted, &budget);
    assert_eq!((found.paths.len(), found.unreadable, found.cut_by), (34_000, 0, None));
    assert!(budget.still_wanted().is_ok());
}
