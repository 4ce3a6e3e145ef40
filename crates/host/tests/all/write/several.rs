//! Several files at once: all of them, or none.

use readstone_host::{Error, Mode};

use super::{Desk, prepare, still};

#[test]
fn w20_all_files_go_back_when_one_of_them_cannot_be_swapped() {
    let desk = Desk::new();
    for name in ["a", "b", "c"] {
        desk.file(name, "old");
    }
    let mut prepared = Vec::new();
    for name in ["a", "b", "c", "new/d", "new/deep/e"] {
        prepared.push(desk.prepare(name, "new").unwrap());
    }
    desk.file("c", "theirs");
    let swapped: Result<Vec<_>, _> = prepared.into_iter().map(|prepared| prepared.swap(&still("old"))).collect();
    assert!(matches!(swapped, Err(Error::Changed { .. })));
    drop(swapped);
    assert_eq!([desk.text("a"), desk.text("b"), desk.text("c")], ["old", "old", "theirs"]);
    assert_eq!(desk.everything(""), ["a", "b", "c"]);
}

#[test]
fn w20_all_files_are_changed_when_all_can_be() {
    let desk = Desk::new();
    desk.file("a", "old");
    let mut swapped = Vec::new();
    for name in ["a", "new/d", "new/deep/e", "new/f"] {
        swapped.push(desk.prepare(name, "new").unwrap().swap(&still("old")).unwrap());
    }
    for one in &mut swapped {
        one.settle().unwrap();
    }
    let made: Vec<_> = swapped.into_iter().map(|one| one.finish().unwrap().made.len()).collect();
    assert_eq!(made, [0, 1, 1, 0]);
    for name in ["a", "new/d", "new/deep/e", "new/f"] {
        assert_eq!(desk.text(name), "new");
    }
    assert_eq!((desk.everything("new").len(), desk.everything("new/deep").len()), (3, 1));
}

#[test]
fn directories_that_two_files_share_go_with_the_last_of_them() {
    let desk = Desk::new();
    for turn in 0..2 {
        let mut prepared = vec![desk.prepare("new/deep/a", "x").unwrap(), desk.prepare("new/b", "x").unwrap()];
        prepared.push(prepare(desk.hold("new/deep/c").unwrap(), "x", Mode::Usual).unwrap());
        if turn == 1 {
            prepared.reverse();
        }
        drop(prepared);
        assert_eq!(desk.everything(""), [""; 0]);
    }
}

#[test]
fn a_directory_stays_for_the_file_that_was_finished() {
    let desk = Desk::new();
    let first = desk.prepare("new/deep/a", "x").unwrap();
    let second = desk.prepare("new/deep/b", "x").unwrap().swap(&|_| Ok(true)).unwrap();
    second.finish().unwrap();
    drop(first);
    assert_eq!(desk.everything("new/deep"), ["b"]);
    std::fs::remove_file(desk.path("new/deep/b")).unwrap();
    assert_eq!(desk.everything("new/deep"), [""; 0]);
}
