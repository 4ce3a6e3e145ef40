//! A limit for the size of files. It holds for the whole process, so the test has a process of its own.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Budget, Class, Failure as _};
use readstone_host::{Durable, Host, Mode, New, Policy, Secrets, Stance, SystemClock, block_file_size_signal};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::alone::alone;

#[test]
fn w22_a_file_that_may_not_grow_is_left_whole() {
    if !alone(w22_a_file_that_may_not_grow_is_left_whole) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.txt"), "old").unwrap();
    block_file_size_signal();
    let limit = |most| setrlimit(Resource::Fsize, Rlimit { current: most, maximum: None }).unwrap();
    limit(Some(10_240));
    let secrets = Secrets::new(Stance::Warn, &[]).unwrap();
    let host = Host::new(Policy::anywhere(directory.path().to_owned(), secrets), None, 0);
    let budget = Budget::new(Arc::new(SystemClock::new(None)), None);
    let mut write = |sink: &mut dyn std::io::Write| sink.write_all(&vec![b'x'; 1_000_000]);
    let new = New { write: &mut write, mode: Mode::Usual, durable: Durable::Yes };
    let error = host.hold(Path::new("a.txt"), &budget).unwrap().prepare(new).unwrap_err();
    // What tells of this test may be written to a file that is larger.
    limit(None);
    assert_eq!((error.code(), error.class()), ("host.no_space", Class::Outside), "{error}");
    let held = host.hold(Path::new("a.txt"), &budget).unwrap();
    assert_eq!(held.blob().unwrap().read_range(0, 10).unwrap(), b"old");
    #[expect(clippy::disallowed_methods, reason = "a listing of ours would leave out what is looked for")]
    let left = std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(left, 1);
}
