//! Files that were not there before, and files that go.

use readstone_host::{Durable, Error, Mode};

use super::{Desk, mode, prepare, still};

/// The permissions that the system gives what another program makes.
fn usual(desk: &Desk, wanted: u32) -> u32 {
    use std::os::unix::fs::OpenOptionsExt as _;
    let path = desk.path("reference");
    drop(std::fs::OpenOptions::new().write(true).create_new(true).mode(wanted).open(&path).unwrap());
    let given = mode(&path);
    std::fs::remove_file(path).unwrap();
    given
}

#[test]
fn w25_a_new_file_has_the_permissions_that_the_user_gives_files() {
    let desk = Desk::new();
    let held = desk.hold("plain.txt").unwrap();
    assert!(held.blob().is_none() && held.identity().is_none());
    prepare(held, "x", Mode::Usual).unwrap().swap(&|_| Ok(true)).unwrap().finish().unwrap();
    let run = prepare(desk.hold("run.sh").unwrap(), "#!/bin/sh\n", Mode::Executable).unwrap();
    run.swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!(mode(&desk.path("plain.txt")), usual(&desk, 0o666));
    assert_eq!(mode(&desk.path("run.sh")), usual(&desk, 0o777));
    assert_eq!(desk.everything(""), ["plain.txt", "run.sh"]);
}

#[test]
fn a_name_that_somebody_else_took_meanwhile_is_theirs() {
    let desk = Desk::new();
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    desk.file("a.txt", "theirs");
    assert!(matches!(prepared.swap(&|_| Ok(true)), Err(Error::Changed { .. })));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("theirs", vec!["a.txt".to_owned()]));
}

#[test]
fn a_link_that_appears_under_the_name_is_not_followed() {
    let desk = Desk::new();
    desk.file("target.txt", "theirs");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    std::os::unix::fs::symlink("target.txt", desk.path("a.txt")).unwrap();
    assert!(matches!(prepared.swap(&|_| Ok(true)), Err(Error::Changed { .. })));
    assert_eq!(desk.text("target.txt"), "theirs");
}

#[test]
fn w25_missing_directories_are_made_and_told() {
    let desk = Desk::new();
    let held = desk.hold("one/two/three/a.txt").unwrap();
    assert_eq!(desk.everything(""), [""; 0]);
    assert!(held.real().ends_with("one/two/three/a.txt"));
    let finished = prepare(held, "new", Mode::Usual).unwrap().swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!(desk.text("one/two/three/a.txt"), "new");
    let root = finished.real.ancestors().nth(4).unwrap();
    let made: Vec<_> = finished.made.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap()).collect();
    assert_eq!(made, ["one", "one/two", "one/two/three"]);
}

#[test]
fn w25_directories_that_were_made_for_nothing_go_again() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("one")).unwrap();
    drop(desk.prepare("one/two/three/a.txt", "new").unwrap());
    assert_eq!(desk.everything("one"), [""; 0]);
    drop(desk.prepare("one/two/three/a.txt", "new").unwrap().swap(&|_| Ok(true)).unwrap());
    assert_eq!(desk.everything("one"), [""; 0]);
    let prepared = desk.prepare("one/two/three/a.txt", "new").unwrap();
    desk.file("one/two/theirs.txt", "theirs");
    drop(prepared);
    assert_eq!((desk.everything("one"), desk.everything("one/two")), (vec!["two".into()], vec!["theirs.txt".into()]));
}

#[test]
fn a_new_file_that_goes_back_is_gone() {
    let desk = Desk::new();
    desk.prepare("a.txt", "new").unwrap().swap(&|_| Ok(true)).unwrap().back().unwrap();
    assert_eq!(desk.everything(""), [""; 0]);
}

#[test]
fn a_new_file_that_somebody_changed_does_not_go_back() {
    let desk = Desk::new();
    let swapped = desk.prepare("a.txt", "new").unwrap().swap(&|_| Ok(true)).unwrap();
    desk.file("a.txt", "theirs, in place");
    assert!(matches!(swapped.back(), Err(Error::Changed { .. })));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("theirs, in place", vec!["a.txt".to_owned()]));
}

#[test]
fn a_file_is_removed_if_it_is_what_was_written() {
    let desk = Desk::new();
    desk.file("a.txt", "ours");
    desk.hold("a.txt").unwrap().remove(Durable::Yes, &still("ours")).unwrap();
    assert_eq!(desk.everything(""), [""; 0]);
    desk.file("a.txt", "theirs");
    let refused = desk.hold("a.txt").unwrap().remove(Durable::Yes, &still("ours"));
    assert!(matches!(refused, Err(Error::Changed { .. })));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("theirs", vec!["a.txt".to_owned()]));
    let nothing = desk.hold("b.txt").unwrap().remove(Durable::Yes, &still(""));
    assert!(matches!(nothing, Err(Error::NotFound { .. })));
}

#[test]
fn a_removed_file_comes_back_when_the_call_fails() {
    use std::os::unix::fs::MetadataExt as _;
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    let inode = super::facts(&path).ino();
    let swapped = desk.hold("a.txt").unwrap().prepare_removal(Durable::Yes).unwrap().swap(&still("old")).unwrap();
    assert!(!path.exists());
    drop(swapped);
    assert_eq!((desk.text("a.txt").as_str(), super::facts(&path).ino()), ("old", inode));
    assert_eq!(desk.everything(""), ["a.txt"]);
}
