//! What is swept, and what is left.

use super::*;

const NAME: &str = ".readstone-0123456789abcdef.tmp";

fn directory(path: &Path) -> Arc<OwnedFd> {
    Arc::new(os::open_anywhere(path).unwrap())
}

#[test]
fn w21_leftovers_are_swept_after_an_hour() {
    let world = tempfile::tempdir().unwrap();
    let (left, other) = (world.path().join(NAME), world.path().join(".readstone-notes.tmp"));
    std::fs::write(&left, "left").unwrap();
    std::fs::write(&other, "somebody's").unwrap();
    let place = directory(world.path());
    sweep(&place, now());
    assert!(left.exists());
    sweep(&place, now() + OLD - 60);
    assert!(left.exists());
    sweep(&place, now() + OLD + 1);
    assert!(!left.exists() && other.exists());
}

#[test]
fn a_version_that_somebody_works_on_is_not_swept() {
    let world = tempfile::tempdir().unwrap();
    let left = world.path().join(NAME);
    std::fs::write(&left, "a version").unwrap();
    let place = directory(world.path());
    let theirs = os::open_child(&place, Path::new(NAME)).unwrap();
    assert!(os::lock_whole(&theirs).unwrap());
    sweep(&place, now() + 2 * OLD);
    assert!(left.exists());
    drop(theirs);
    sweep(&place, now() + 2 * OLD);
    assert!(!left.exists());
}

#[test]
fn links_and_directories_with_such_names_are_left_alone() {
    let world = tempfile::tempdir().unwrap();
    let target = world.path().join("target");
    std::fs::write(&target, "theirs").unwrap();
    std::os::unix::fs::symlink(&target, world.path().join(NAME)).unwrap();
    let folder = world.path().join(NAME.replace('0', "f"));
    std::fs::create_dir(&folder).unwrap();
    sweep(&directory(world.path()), now() + 2 * OLD);
    assert!(world.path().join(NAME).exists() && target.exists() && folder.exists());
}

#[test]
fn every_name_is_another_and_of_the_one_form() {
    let world = tempfile::tempdir().unwrap();
    let place = directory(world.path());
    let names: Vec<_> = (0..100).map(|_| Temporary::name(&place).as_name().to_owned()).collect();
    assert!(names.iter().all(|name| is_temporary_name(name)));
    let different: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
}

#[test]
fn a_temporary_file_goes_with_its_name_unless_it_is_left() {
    let world = tempfile::tempdir().unwrap();
    let place = directory(world.path());
    let (temporary, _file) = Temporary::create(&place, PRIVATE).unwrap();
    let path = world.path().join(temporary.as_name());
    assert!(path.exists());
    drop(temporary);
    assert!(!path.exists());
    let (mut temporary, _file) = Temporary::create(&place, PRIVATE).unwrap();
    let path = world.path().join(temporary.as_name());
    temporary.leave();
    drop(temporary);
    assert!(path.exists());
}
