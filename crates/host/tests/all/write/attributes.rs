//! What a file has beside its bytes, and keeps.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use readstone_host::Error;
use rustix::fs::{Gid, Uid, XattrFlags};

use super::{Desk, facts, mode, set_mode};

/// Stands in a rule that is for no particular user.
const NOBODY: u32 = u32::MAX;
const RULES: &str = "system.posix_acl_access";
const USUAL_RULES: &str = "system.posix_acl_default";

/// Access rules as the system keeps them: one user beside the owner may read.
fn rules() -> Vec<u8> {
    let entry =
        |tag: u16, may: u16, who: u32| [tag.to_le_bytes().as_slice(), &may.to_le_bytes(), &who.to_le_bytes()].concat();
    [
        2_u32.to_le_bytes().to_vec(),
        entry(0x01, 6, NOBODY),
        entry(0x02, 4, 65_534),
        entry(0x04, 4, NOBODY),
        entry(0x10, 4, NOBODY),
        entry(0x20, 0, NOBODY),
    ]
    .concat()
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let count = rustix::fs::getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(count);
    Some(value)
}

fn set(path: &Path, name: &str, value: &[u8]) {
    rustix::fs::setxattr(path, name, value, XattrFlags::empty()).unwrap();
}

#[test]
fn w05_modes_are_kept_with_every_bit() {
    let desk = Desk::new();
    for wanted in [0o644, 0o600, 0o755, 0o444 | 0o200, 0o4755, 0o2755, 0o6711, 0o1644, 0o666, 0o200 | 0o444] {
        let path = desk.file("f", "old");
        set_mode(&path, wanted);
        desk.write("f", "new").unwrap();
        assert_eq!(format!("{:o}", mode(&path)), format!("{wanted:o}"));
    }
}

#[test]
fn w05_a_new_version_is_never_wider_than_its_file() {
    let desk = Desk::new();
    let path = desk.file("private", "old");
    set_mode(&path, 0o600);
    let mut seen = Vec::new();
    let mut write = |sink: &mut dyn std::io::Write| {
        sink.write_all(b"new")?;
        seen = desk.everything("");
        Ok(())
    };
    let new = readstone_host::New {
        write: &mut write,
        mode: readstone_host::Mode::Executable,
        durable: readstone_host::Durable::No,
    };
    let prepared = desk.hold("private").unwrap().prepare(new).unwrap();
    let temporary = seen.iter().find(|name| name.starts_with(".readstone-")).unwrap();
    assert_eq!(mode(&desk.path(temporary)), 0o600);
    prepared.swap(&|_| Ok(true)).unwrap().finish().unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn w05_extended_attributes_are_kept() {
    let desk = Desk::new();
    let path = desk.file("script.sh", "#!/bin/sh\n");
    set_mode(&path, 0o755);
    set(&path, "user.origin", b"https://example.com/");
    set(&path, "user.large", &[b'x'; 3000]);
    set(&path, "user.empty", b"");
    desk.write("script.sh", "#!/bin/sh\necho\n").unwrap();
    assert_eq!(attribute(&path, "user.origin").as_deref(), Some(&b"https://example.com/"[..]));
    assert_eq!(attribute(&path, "user.large"), Some(vec![b'x'; 3000]));
    assert_eq!(attribute(&path, "user.empty"), Some(Vec::new()));
    assert_eq!(mode(&path), 0o755);
}

#[test]
fn w05_access_rules_are_kept() {
    let desk = Desk::new();
    let path = desk.file("shared.txt", "old");
    set(&path, RULES, &rules());
    let before = mode(&path);
    desk.write("shared.txt", "new").unwrap();
    assert_eq!((attribute(&path, RULES), mode(&path)), (Some(rules()), before));
}

#[test]
fn w05_a_file_does_not_get_the_rules_of_its_directory_by_being_changed() {
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    set_mode(&path, 0o640);
    set(desk.directory.path(), USUAL_RULES, &rules());
    desk.write("a.txt", "new").unwrap();
    assert_eq!((attribute(&path, RULES), mode(&path)), (None, 0o640));
}

#[test]
fn a_new_file_gets_the_rules_of_its_directory() {
    let desk = Desk::new();
    set(desk.directory.path(), USUAL_RULES, &rules());
    desk.write("new.txt", "new").unwrap();
    std::fs::write(desk.path("plain.txt"), "plain").unwrap();
    let (ours, plain) = (desk.path("new.txt"), desk.path("plain.txt"));
    assert_eq!((attribute(&ours, RULES), mode(&ours)), (attribute(&plain, RULES), mode(&plain)));
    assert!(attribute(&ours, RULES).is_some());
}

#[test]
fn w05_owner_and_group_are_kept_where_that_is_permitted() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let desk = Desk::new();
    let path = desk.file("theirs.txt", "old");
    let give = |path: &Path, user, group| {
        rustix::fs::chown(path, Some(Uid::from_raw(user)), Some(Gid::from_raw(group))).unwrap();
    };
    give(&path, 1234, 4321);
    set_mode(&path, 0o4755);
    desk.write("theirs.txt", "new").unwrap();
    let now = facts(&path);
    assert_eq!((now.uid(), now.gid(), mode(&path)), (1234, 4321, 0o4755));
    // A directory that gives its own group to what is made there.
    give(desk.directory.path(), 0, 77);
    set_mode(desk.directory.path(), 0o2755);
    desk.write("theirs.txt", "newer").unwrap();
    assert_eq!((facts(&path).uid(), facts(&path).gid()), (1234, 4321));
    desk.write("fresh.txt", "fresh").unwrap();
    assert_eq!(facts(&desk.path("fresh.txt")).gid(), 77);
}

#[test]
fn permissions_that_change_before_the_swap_are_not_undone() {
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    let prepared = desk.prepare("a.txt", "new").unwrap();
    set_mode(&path, 0o600);
    assert!(matches!(prepared.swap(&|_| Ok(true)), Err(Error::Changed { .. })));
    assert_eq!((desk.text("a.txt").as_str(), mode(&path)), ("old", 0o600));
}
