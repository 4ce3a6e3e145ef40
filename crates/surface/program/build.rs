//! How the program is linked.
//!
//! Its tables hold a hundred thousand pointers that must be set before it can start. Written packed, as glibc reads them
//! since 2.36, the list of them is some kilobytes instead of megabytes, and every start is that much quicker.

#![expect(clippy::disallowed_methods, reason = "a build script is told what to build for by its environment")]

use std::process::Command;

/// The first glibc that reads packed relocations.
const READS_PACKED: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=READSTONE_PORTABLE");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let here = variable("HOST") == variable("TARGET");
    let glibc = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    // A program for another machine may meet an older glibc; scripts/package says so by this variable.
    let portable = !variable("READSTONE_PORTABLE").is_empty();
    if here && glibc && !portable && libc_version().is_some_and(|version| version >= READS_PACKED) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of the C library that this machine runs programs with.
fn libc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
