//! File systems that know no exchange.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use tempfile::TempDir;

use super::*;
use crate::clock::SystemClock;
use crate::open::Host;
use crate::policy::Policy;
use crate::secrets::{Secrets, Stance};

/// The ways there are without an exchange.
const WAYS: [Way; 2] = [Way::Over, Way::OverCopy];

fn world() -> TempDir {
    let world = tempfile::tempdir().unwrap();
    let path = world.path().join("a.txt");
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    world
}

fn prepared(world: &TempDir, way: Way) -> Prepared {
    let secrets = Secrets::new(Stance::Warn, &[]).unwrap();
    let host = Host::new(Policy::anywhere(world.path().to_owned(), secrets), None, 0);
    let budget = Budget::new(Arc::new(SystemClock::new(None)), None);
    let mut held = host.hold(Path::new("a.txt"), &budget).unwrap();
    held.way = way;
    let mut write = |sink: &mut dyn io::Write| sink.write_all(b"new");
    held.prepare(New { write: &mut write, mode: Mode::Usual, durable: Durable::Yes }).unwrap()
}

fn is(text: &'static str) -> impl Fn(&dyn Blob) -> io::Result<bool> {
    move |blob| Ok(blob.read_range(0, 100)? == text.as_bytes())
}

#[expect(clippy::disallowed_methods, reason = "a test looks at what was written")]
fn look(world: &TempDir) -> (String, u32, usize) {
    let path = world.path().join("a.txt");
    let mode = std::fs::metadata(&path).unwrap().mode() & 0o7777;
    (std::fs::read_to_string(path).unwrap(), mode, std::fs::read_dir(world.path()).unwrap().count())
}

#[test]
fn a_new_version_is_put_over_the_old_one_where_they_cannot_change_places() {
    for way in WAYS {
        let world = world();
        let swapped = prepared(&world, way).swap(&is("old")).unwrap();
        assert_eq!(look(&world), ("new".to_owned(), 0o640, 2), "{way:?}");
        swapped.finish().unwrap();
        assert_eq!(look(&world), ("new".to_owned(), 0o640, 1), "{way:?}");
    }
}

#[test]
fn an_old_version_that_was_put_over_comes_back() {
    for way in WAYS {
        let world = world();
        prepared(&world, way).swap(&is("old")).unwrap().back().unwrap();
        assert_eq!(look(&world), ("old".to_owned(), 0o640, 1), "{way:?}");
        drop(prepared(&world, way).swap(&is("old")).unwrap());
        assert_eq!(look(&world), ("old".to_owned(), 0o640, 1), "{way:?}");
    }
}

#[test]
fn a_file_that_was_changed_is_not_put_over() {
    for way in WAYS {
        let world = world();
        let version = prepared(&world, way);
        std::fs::write(world.path().join("a.txt"), "theirs").unwrap();
        assert!(matches!(version.swap(&is("old")), Err(Error::Changed { .. })), "{way:?}");
        assert_eq!(look(&world), ("theirs".to_owned(), 0o640, 1), "{way:?}");
        let version = prepared(&world, way);
        std::fs::remove_file(world.path().join("a.txt")).unwrap();
        std::fs::write(world.path().join("a.txt"), "theirs").unwrap();
        assert!(matches!(version.swap(&is("theirs")), Err(Error::Changed { .. })), "{way:?}");
        assert_eq!(look(&world).2, 1, "{way:?}");
    }
}

#[test]
fn a_version_saved_over_ours_stays_there() {
    for way in WAYS {
        let world = world();
        let swapped = prepared(&world, way).swap(&is("old")).unwrap();
        std::fs::write(world.path().join("b.txt"), "theirs").unwrap();
        std::fs::rename(world.path().join("b.txt"), world.path().join("a.txt")).unwrap();
        assert!(matches!(swapped.back(), Err(Error::NotPutBack { .. })), "{way:?}");
        assert_eq!((look(&world).0.as_str(), look(&world).2), ("theirs", 2), "{way:?}");
    }
}
