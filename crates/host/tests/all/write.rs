//! Writing through the host: what a change keeps, what it refuses, and what is left when nothing comes of it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod attributes;
mod create;
mod names;
mod places;
mod races;
mod refusals;
mod several;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Budget};
use readstone_host::{
    Durable, Error, Finished, Held, Host, Mode, New, Policy, Prepared, Root, Secrets, Stance, SystemClock,
};
use tempfile::TempDir;

/// A directory, and a host that may change everything below it.
struct Desk {
    directory: TempDir,
    host: Host,
}

impl Desk {
    fn new() -> Self {
        let directory = tempfile::Builder::new().prefix("readstone-test-").tempdir().unwrap();
        let root = Root::open(Path::new("/"), directory.path()).unwrap();
        let secrets = Secrets::new(Stance::Deny, &[]).unwrap();
        let host = Host::new(Policy::below(vec![root], secrets), None, 0);
        Self { directory, host }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    #[expect(clippy::disallowed_methods, reason = "a test looks at what was written")]
    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Everything in a directory, temporary files too.
    #[expect(clippy::disallowed_methods, reason = "a listing of ours would leave out what is looked for")]
    fn everything(&self, directory: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(directory)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn hold(&self, name: &str) -> Result<Held, Error> {
        self.host.hold(Path::new(name), &budget())
    }

    fn prepare(&self, name: &str, text: &str) -> Result<Prepared, Error> {
        prepare(self.hold(name)?, text, Mode::Usual)
    }

    /// Gives a file this text, whatever it had.
    fn write(&self, name: &str, text: &str) -> Result<Finished, Error> {
        self.prepare(name, text)?.swap(&|_| Ok(true))?.finish()
    }
}

fn prepare(held: Held, text: &str, mode: Mode) -> Result<Prepared, Error> {
    let mut write = |sink: &mut dyn io::Write| sink.write_all(text.as_bytes());
    held.prepare(New { write: &mut write, mode, durable: Durable::Yes })
}

fn budget() -> Budget {
    Budget::new(Arc::new(SystemClock::new(None)), None)
}

fn bytes(blob: &dyn Blob) -> io::Result<Vec<u8>> {
    blob.read_range(0, blob.len().unwrap_or(0))
}

/// Says whether a file still has this text.
fn still(text: &str) -> impl Fn(&dyn Blob) -> io::Result<bool> {
    move |blob| Ok(bytes(blob)? == text.as_bytes())
}

#[expect(clippy::disallowed_methods, reason = "a test looks at what was written")]
fn facts(path: &Path) -> std::fs::Metadata {
    std::fs::metadata(path).unwrap()
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    facts(path).mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_file_gets_its_new_bytes_and_nothing_is_left_beside_it() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let held = desk.hold("a.txt").unwrap();
    assert_eq!(bytes(held.blob().unwrap().as_ref()).unwrap(), b"old");
    assert_eq!(held.links(), 0);
    let prepared = prepare(held, "new", Mode::Usual).unwrap();
    assert_eq!(desk.text("a.txt"), "old");
    let swapped = prepared.swap(&still("old")).unwrap();
    assert_eq!(desk.text("a.txt"), "new");
    let finished = swapped.finish().unwrap();
    assert_eq!((finished.real.file_name().unwrap(), finished.stamp.unwrap().size), ("a.txt".as_ref(), 3));
    assert_eq!(desk.everything(""), ["a.txt"]);
}

#[test]
fn what_a_finished_change_tells_is_what_is_opened_next() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let finished = desk.write("a.txt", "new").unwrap();
    let held = desk.hold("a.txt").unwrap();
    let stamp = held.blob().unwrap().stamp().unwrap().unwrap();
    let told = finished.stamp.unwrap();
    assert_eq!((stamp.identity, stamp.size, stamp.modified), (told.identity, told.size, told.modified));
    assert_eq!(held.identity(), Some(told.identity));
}

#[test]
fn a_prepared_version_that_is_dropped_leaves_nothing() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    drop(desk.prepare("a.txt", "new").unwrap());
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("old", vec!["a.txt".to_owned()]));
}

#[test]
fn a_swapped_version_goes_back_with_the_same_inode() {
    use std::os::unix::fs::MetadataExt as _;
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    let inode = facts(&path).ino();
    desk.prepare("a.txt", "new").unwrap().swap(&still("old")).unwrap().back().unwrap();
    assert_eq!((desk.text("a.txt").as_str(), facts(&path).ino()), ("old", inode));
    drop(desk.prepare("a.txt", "new").unwrap().swap(&still("old")).unwrap());
    assert_eq!((desk.text("a.txt").as_str(), facts(&path).ino()), ("old", inode));
    assert_eq!(desk.everything(""), ["a.txt"]);
}

#[test]
fn a_failing_writer_leaves_the_file_whole() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let mut write = |sink: &mut dyn io::Write| {
        sink.write_all(&vec![b'x'; 1_000_000])?;
        Err(io::Error::other("it cannot go on"))
    };
    let new = New { write: &mut write, mode: Mode::Usual, durable: Durable::No };
    let error = desk.hold("a.txt").unwrap().prepare(new).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("old", vec!["a.txt".to_owned()]));
}

#[test]
fn a_call_whose_time_is_over_changes_nothing() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let budget = budget();
    let held = desk.host.hold(Path::new("a.txt"), &budget).unwrap();
    let prepared = prepare(held, "new", Mode::Usual).unwrap();
    budget.cancel_token().cancel();
    assert!(matches!(prepared.swap(&still("old")), Err(Error::TooLate { .. })));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("old", vec!["a.txt".to_owned()]));
}

#[test]
fn a_cancelled_call_finishes_what_it_swapped() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let budget = budget();
    let held = desk.host.hold(Path::new("a.txt"), &budget).unwrap();
    let swapped = prepare(held, "new", Mode::Usual).unwrap().swap(&still("old")).unwrap();
    budget.cancel_token().cancel();
    swapped.finish().unwrap();
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("new", vec!["a.txt".to_owned()]));
}

#[test]
fn many_small_pieces_and_large_ones_come_out_in_order() {
    let desk = Desk::new();
    let mut expected = Vec::new();
    let mut write = |sink: &mut dyn io::Write| {
        for number in 0..40_000_u32 {
            sink.write_all(&number.to_le_bytes())?;
            expected.extend_from_slice(&number.to_le_bytes());
        }
        sink.write_all(&vec![7; 900_000])?;
        expected.extend_from_slice(&vec![7; 900_000]);
        Ok(())
    };
    let new = New { write: &mut write, mode: Mode::Usual, durable: Durable::No };
    desk.hold("large").unwrap().prepare(new).unwrap().swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!(bytes(desk.hold("large").unwrap().blob().unwrap().as_ref()).unwrap(), expected);
}
