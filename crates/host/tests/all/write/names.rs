//! Names under which versions wait: nothing lists them, and nobody else's are taken.

use std::ffi::OsStr;
use std::path::Path;

use readstone_host::{Directory, Error, Names, Object, is_temporary_name};

use super::{Desk, budget};

const NAME: &str = ".readstone-0123456789abcdef.tmp";

fn opened(desk: &Desk) -> Directory {
    match desk.host.open(Path::new("."), &budget()).unwrap().object {
        Object::Directory(directory) => directory,
        Object::File { .. } => panic!("the root is a directory"),
    }
}

#[test]
fn only_names_of_the_one_form_are_temporary() {
    assert!(is_temporary_name(OsStr::new(NAME)));
    for other in [
        "readstone-0123456789abcdef.tmp",
        ".readstone-0123456789abcde.tmp",
        ".readstone-0123456789abcdef0.tmp",
        ".readstone-0123456789ABCDEF.tmp",
        ".readstone-0123456789abcdeg.tmp",
        ".readstone-0123456789abcdef.tmp.bak",
        ".readstone-.tmp",
        ".readstone-0123456789abcdef",
        "",
    ] {
        assert!(!is_temporary_name(OsStr::new(other)), "{other}");
    }
}

#[test]
fn w21_listings_leave_temporary_names_out() {
    let desk = Desk::new();
    desk.file(NAME, "a version");
    desk.file("a.txt", "text");
    let directory = opened(&desk);
    let shown =
        |entries: readstone_host::Entries| -> Vec<_> { entries.iter().map(|entry| entry.name.to_owned()).collect() };
    assert_eq!(shown(directory.entries(10, &budget()).unwrap()), ["a.txt"]);
    assert_eq!(shown(directory.names(10, &budget()).unwrap()), ["a.txt"]);
    let mut names = Names::default();
    directory.list_into(&mut names, 10, &budget()).unwrap();
    assert_eq!(names.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a.txt"]);
}

#[test]
fn a_listing_that_just_fits_is_whole_in_spite_of_a_temporary_name() {
    let desk = Desk::new();
    desk.file(NAME, "a version");
    desk.file("a.txt", "text");
    let directory = opened(&desk);
    assert!(!directory.entries(1, &budget()).unwrap().more);
    let mut names = Names::default();
    directory.list_into(&mut names, 1, &budget()).unwrap();
    assert!(!names.more);
}

#[test]
fn a_version_that_waits_has_a_temporary_name_and_is_not_listed() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let prepared = desk.prepare("a.txt", "new").unwrap();
    let waiting: Vec<_> = desk.everything("").into_iter().filter(|name| name != "a.txt").collect();
    assert_eq!(waiting.len(), 1);
    assert!(is_temporary_name(OsStr::new(&waiting[0])), "{waiting:?}");
    assert_eq!(opened(&desk).entries(10, &budget()).unwrap().len(), 1);
    drop(prepared);
}

#[test]
fn a_temporary_name_is_never_written_by_name() {
    let desk = Desk::new();
    assert!(matches!(desk.hold(NAME), Err(Error::BadPath { .. })));
    assert!(matches!(desk.hold(&format!("{NAME}/a.txt")), Err(Error::BadPath { .. })));
    desk.file(NAME, "somebody's version");
    assert!(matches!(desk.hold(NAME), Err(Error::BadPath { .. })));
}

#[test]
fn what_was_just_left_behind_is_not_swept() {
    let desk = Desk::new();
    desk.file(NAME, "a version of another process");
    desk.file("a.txt", "old");
    desk.write("a.txt", "new").unwrap();
    assert_eq!(desk.everything(""), [NAME, "a.txt"]);
}
