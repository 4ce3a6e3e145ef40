//! What is not written, and stays what it is.

use std::os::unix::fs::FileTypeExt as _;

use readstone_base::{Class, Failure as _};
use readstone_host::Error;

use super::Desk;

fn refused(desk: &Desk, name: &str) -> Error {
    desk.hold(name).map(|held| panic!("{name} is held: {held:?}")).unwrap_err()
}

#[test]
fn w08_only_regular_files_are_changed() {
    let desk = Desk::new();
    let kind = |name: &str| std::fs::symlink_metadata(desk.path(name)).unwrap().file_type();
    std::fs::create_dir(desk.path("folder")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        desk.path("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o666),
        0,
    )
    .unwrap();
    let socket = std::os::unix::net::UnixListener::bind(desk.path("socket")).unwrap();
    let mut names = vec!["folder", "folder/", ".", "./", "folder/.", "folder/..", "fifo", "socket"];
    if rustix::process::geteuid().is_root() {
        let device = rustix::fs::makedev(1, 7);
        let mode = rustix::fs::Mode::from_raw_mode(0o666);
        let kind = rustix::fs::FileType::CharacterDevice;
        rustix::fs::mknodat(rustix::fs::CWD, desk.path("full"), kind, mode, device).unwrap();
        names.push("full");
    }
    for name in &names {
        let error = refused(&desk, name);
        assert_eq!((error.code(), error.class()), ("host.not_regular", Class::Denied), "{name}: {error}");
    }
    assert!(kind("fifo").is_fifo() && kind("socket").is_socket() && kind("folder").is_dir());
    assert!(!names.contains(&"full") || kind("full").is_char_device());
    drop(socket);
}

#[test]
fn w08_a_path_that_ends_in_a_slash_makes_no_file() {
    let desk = Desk::new();
    for name in ["x/", "x/.", "x/y/"] {
        assert_eq!(refused(&desk, name).code(), "host.not_regular", "{name}");
    }
    assert_eq!(desk.everything(""), [""; 0]);
}

#[test]
fn w25_paths_that_no_file_can_have_are_refused() {
    let desk = Desk::new();
    desk.file("a.txt", "text");
    let long = "n".repeat(256);
    let below = format!("made/{long}");
    let names = ["", "a\0b", "made/a\0b", &long, &below, "a.txt/b", "a.txt/b/c", "gone/../x.txt", "gone/.."];
    for name in names {
        let error = refused(&desk, name);
        assert_eq!((error.code(), error.class()), ("host.bad_path", Class::Request), "{name:?}: {error}");
    }
    assert_eq!(desk.everything(""), ["a.txt"]);
    desk.write(&"n".repeat(255), "longest").unwrap();
}

#[test]
fn secrets_are_neither_changed_nor_made() {
    let desk = Desk::new();
    desk.file(".env", "KEY=CANARY");
    for name in [".env", "new/.env", ".ssh/id_rsa", "server.pem"] {
        assert_eq!(refused(&desk, name).code(), "host.denied_secret", "{name}");
    }
    assert_eq!(desk.everything(""), [".env"]);
}
