//! Where a path leads: links, roots, and what lies outside.

use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use readstone_host::{Error, Host, Policy, Root, Secrets, Stance};

use super::{Desk, budget, facts, prepare};

#[test]
fn w06_a_link_stays_and_its_target_changes() {
    let desk = Desk::new();
    desk.file("deep/target.txt", "old");
    symlink("deep/target.txt", desk.path("link.txt")).unwrap();
    symlink(desk.path("deep"), desk.path("folder")).unwrap();
    for (name, text) in [("link.txt", "one"), ("folder/target.txt", "two")] {
        desk.write(name, text).unwrap();
        assert_eq!(desk.text("deep/target.txt"), text);
        assert!(std::fs::symlink_metadata(desk.path("link.txt")).unwrap().is_symlink());
        assert!(std::fs::symlink_metadata(desk.path("folder")).unwrap().is_symlink());
        assert_eq!(desk.everything("deep"), ["target.txt"]);
    }
    desk.write("folder/new.txt", "made").unwrap();
    assert_eq!(desk.text("deep/new.txt"), "made");
}

#[test]
fn a_link_that_leads_nowhere_is_not_written() {
    let desk = Desk::new();
    symlink("missing.txt", desk.path("dangling")).unwrap();
    symlink("no/where", desk.path("folder")).unwrap();
    symlink("circle", desk.path("circle")).unwrap();
    assert!(matches!(desk.hold("dangling"), Err(Error::Dangling { .. })));
    assert!(matches!(desk.hold("folder/a.txt"), Err(Error::Dangling { .. })));
    assert!(matches!(desk.hold("folder/b/c/a.txt"), Err(Error::Dangling { .. })));
    assert!(matches!(desk.hold("circle"), Err(Error::NotFound { .. })));
    assert_eq!(desk.everything(""), ["circle", "dangling", "folder"]);
}

#[test]
fn p06_nothing_is_written_outside_the_root() {
    let (desk, outside) = (Desk::new(), Desk::new());
    outside.file("there.txt", "CANARY");
    let link = |to: &Path, name| symlink(to, desk.path(name)).unwrap();
    link(&outside.path("new.txt"), "dangling");
    link(&outside.path("there.txt"), "there");
    link(outside.directory.path(), "folder");
    let spelled = outside.path("there.txt");
    for name in ["dangling", "there", "folder/new.txt", "folder/a/b/new.txt", spelled.to_str().unwrap(), "../x"] {
        let error = desk.hold(name).unwrap_err();
        assert!(error.is_outside(), "{name}: {error}");
    }
    assert_eq!((outside.everything(""), outside.text("there.txt").as_str()), (vec!["there.txt".into()], "CANARY"));
}

#[test]
fn p08_a_directory_that_becomes_a_link_does_not_lead_out() {
    let (desk, outside) = (Desk::new(), Desk::new());
    desk.file("sub/a.txt", "old");
    outside.file("a.txt", "CANARY");
    let prepared = desk.prepare("sub/a.txt", "new").unwrap();
    std::fs::rename(desk.path("sub"), desk.path("moved")).unwrap();
    symlink(outside.directory.path(), desk.path("sub")).unwrap();
    prepared.swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!((desk.text("moved/a.txt").as_str(), outside.text("a.txt").as_str()), ("new", "CANARY"));
    assert_eq!((desk.everything("moved").len(), outside.everything("").len()), (1, 1));
}

#[test]
fn w07_other_names_of_a_file_keep_the_old_version() {
    let desk = Desk::new();
    let path = desk.file("hard_a", "old");
    std::fs::hard_link(&path, desk.path("hard_b")).unwrap();
    let held = desk.hold("hard_a").unwrap();
    assert_eq!(held.links(), 1);
    prepare(held, "new", readstone_host::Mode::Usual).unwrap().swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!((desk.text("hard_a").as_str(), desk.text("hard_b").as_str()), ("new", "old"));
    assert_eq!((facts(&path).nlink(), desk.everything("").len()), (1, 2));
}

#[test]
fn the_first_root_that_has_the_nearest_directory_gets_a_new_file() {
    let (one, other) = (Desk::new(), Desk::new());
    std::fs::create_dir_all(other.path("src/deep")).unwrap();
    std::fs::create_dir_all(one.path("src")).unwrap();
    let roots = [&one, &other].map(|desk| Root::open(Path::new("/"), desk.directory.path()).unwrap());
    let host = Host::new(Policy::below(roots.into(), Secrets::new(Stance::Deny, &[]).unwrap()), None, 0);
    let real = |name: &str| host.hold(Path::new(name), &budget()).unwrap().real().to_owned();
    assert_eq!(real("a.txt"), one.path("a.txt").canonicalize().unwrap_or_else(|_| one.path("a.txt")));
    assert_eq!(real("src/a.txt"), one.path("src/a.txt"));
    assert_eq!(real("src/deep/a.txt"), other.path("src/deep/a.txt"));
    assert_eq!(real("elsewhere/deep/a.txt"), one.path("elsewhere/deep/a.txt"));
}

#[test]
fn without_roots_relative_paths_start_at_the_place_of_work() {
    let desk = Desk::new();
    let secrets = Secrets::new(Stance::Warn, &["**/never.txt".to_owned()]).unwrap();
    let host = Host::new(Policy::anywhere(desk.directory.path().to_owned(), secrets), None, 0);
    let hold = |name: &str| host.hold(Path::new(name), &budget());
    let write = |name: &str| {
        let prepared = prepare(hold(name)?, "x", readstone_host::Mode::Usual)?;
        prepared.swap(&|_| Ok(true))?.finish()
    };
    write("made/here.txt").unwrap();
    write(desk.path("made/there.txt").to_str().unwrap()).unwrap();
    assert_eq!(desk.everything("made"), ["here.txt", "there.txt"]);
    assert_eq!(hold("made/.env").unwrap().secret(), Some("**/.env"));
    assert!(matches!(write("made/never.txt"), Err(Error::DeniedSecret { .. })));
    assert!(matches!(hold("/proc/self/environ"), Err(Error::DeniedSecret { .. })));
    assert!(matches!(hold("/proc/self/comm"), Err(Error::NotAFile { .. })));
    assert!(matches!(hold("/proc/made.txt"), Err(Error::NotAFile { .. })));
    assert!(matches!(hold("/proc/made/up.txt"), Err(Error::NotAFile { .. })));
}
