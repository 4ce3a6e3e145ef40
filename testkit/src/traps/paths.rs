//! Paths that want to lead out of the root, and secrets inside it: the rows P and K.

#![expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]

use std::path::Path;

use super::Trap;
use crate::archives::{Archive, ZipItem};
use crate::fixture::{CANARY, Fixture};

/// What leads out.
const OUT: &[&str] = &["host.outside_root"];
/// What is withheld.
const SECRET: &[&str] = &["host.denied_secret"];

pub(super) const TRAPS: &[Trap] = &[
    Trap::nothing("../root_evil/secret.txt").wants(OUT),
    Trap::nothing("../outside/secret.txt").wants(OUT).asks(&[":1-5", ":-1"]),
    Trap::nothing("../outside/nothing.txt").wants(OUT),
    Trap::nothing("text/./../../secret.txt").wants(OUT),
    Trap::nothing("//").wants(OUT),
    Trap::nothing("/proc/self/root/etc/hostname").wants(OUT),
    Trap::nothing("/proc/self/cwd").wants(OUT),
    Trap::nothing("/proc/self/environ").wants(&["host.outside_root", "host.denied_secret"]),
    Trap::nothing("/dev/fd/3").wants(OUT),
    Trap::nothing("/dev/stdin").wants(OUT),
    Trap::nothing("%2e%2e%2foutside%2fsecret.txt").wants(&["source.not_found"]),
    Trap::nothing("file://host/x").wants(&["address.bad_path"]),
    Trap::nothing("file:///..%2foutside/secret.txt").wants(OUT),
    Trap::nothing("\\\\server\\x").wants(&["source.not_found"]),
    Trap::at("paths/link_file", |path| Fixture::link("../../outside/secret.txt", path)).wants(OUT).asks(&[":1-5"]),
    Trap::at("paths/link_dir", |path| Fixture::link("../../outside", path)).wants(OUT).asks(&["/sub/s.txt", "/none"]),
    Trap::at("paths/link_chain", |path| Fixture::link("link_file", path)).wants(OUT),
    Trap::at("paths/link_dangling", |path| Fixture::link("../../outside/new_file.txt", path)).wants(OUT),
    Trap::at("paths/link_sub", |path| Fixture::link("inner/sub", path)).asks(&["/../../../../secret.txt"]),
    Trap::of("paths/inner/sub/file.txt", || b"inside\n".to_vec()).wants(&["ok"]),
    Trap::at("paths/link_home", |path| Fixture::link("inner/sub/file.txt", path)).wants(&["ok"]),
    Trap::at("paths/link_magic", |path| Fixture::link("/proc/self/root", path)).wants(OUT).asks(&["/etc/hostname"]),
    Trap::at("paths/hardlink", hard_link).wants(&["ok"]),
    Trap::at("paths/link_to_outside.zip", |path| out(path, "zip")).wants(OUT).asks(&[":x"]),
    Trap::at("paths/link_to_outside.db", |path| out(path, "db")).wants(OUT).asks(&[":t", "?q=SELECT 1"]),
    Trap::at("paths/link_to_outside.png", |path| out(path, "png")).wants(OUT).asks(&[":info"]),
    Trap::at("paths/link_to_outside.ipynb", |path| out(path, "ipynb")).wants(OUT).asks(&[":cell0"]),
    Trap::at("paths/link_to_outside.docx", |path| out(path, "docx")).wants(OUT).asks(&[":p1"]),
    Trap::of("suffix/one/same.txt", || b"one\n".to_vec()).wants(&["ok"]),
    Trap::of("suffix/two/same.txt", || b"two\n".to_vec()).wants(&["ok"]),
    Trap::nothing("same.txt").wants(&["source.ambiguous"]),
    Trap::nothing("id_ed25519").wants(&["source.not_found"]),
    Trap::nothing("secret.txt").wants(&["source.not_found"]),
    Trap::of("secrets/.env", secret).wants(SECRET).asks(&[":1", ":-1", ":b0+10", "#0000"]),
    Trap::of("secrets/.ENV.local", secret).wants(SECRET),
    Trap::of("secrets/prod.env", secret).wants(SECRET),
    Trap::of("secrets/id_ed25519", secret).wants(SECRET),
    Trap::of("secrets/server.pem", secret).wants(SECRET),
    Trap::of("secrets/.ssh/id_work", secret).wants(SECRET),
    Trap::of("secrets/credentials.json", secret).wants(SECRET).asks(&[":/secret"]),
    Trap::at("secrets/innocent.txt", |path| Fixture::link(".env", path)).wants(SECRET),
    Trap::nothing("secrets/./.ssh/../.env").wants(SECRET),
    Trap::nothing("secrets/id_ed2551").wants(&["source.not_found"]),
    Trap::of("secrets/packed.zip", packed).wants(&["ok"]).asks(&[":.env", ":#1", ":sub/server.pem"]),
];

fn secret() -> Vec<u8> {
    format!("secret={CANARY}\n").into_bytes()
}

/// Secrets in an archive; they are packed, so that the bytes of the archive do not tell them.
fn packed() -> Vec<u8> {
    let text = secret().repeat(3);
    Archive::zip(&[
        ZipItem::deflated(".env", &text),
        ZipItem::deflated("sub/server.pem", &text),
        ZipItem::stored("plain.txt", b"plain\n"),
    ])
}

/// A second name of a file.
fn hard_link(path: &Path) {
    let first = path.with_extension("first");
    std::fs::write(&first, "two names\n").expect("a file");
    std::fs::hard_link(first, path).expect("a second name");
}

/// A link to a secret outside that is called like something which others open.
fn out(path: &Path, extension: &str) {
    Fixture::link(format!("../../outside/secret.{extension}"), path);
}
