//! All fuzz targets in one program, because linking a program for each target takes most of the time of a build.
//!
//! The environment variable `READSTONE_FUZZ_TARGET` names the target to run.
#![no_main]

mod deep;
mod targets;
mod world;

use std::process::exit;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

pub(crate) use deep::deep;
use targets::{TARGETS, Target};
pub(crate) use world::{Got, Seen, World, all};

/// Environment variable with the name of the target.
const VARIABLE: &str = "READSTONE_FUZZ_TARGET";

/// The target that was chosen. Without one there is nothing to do, and the program ends.
static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    let Some((_, target)) = found else {
        let known: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("{VARIABLE} must name one of: {}", known.join(" "));
        exit(2);
    };
    *target
});

fuzz_target!(init: { LazyLock::force(&TARGET); }, |input: &[u8]| TARGET(input));

/// The text with which an input begins: everything before the first byte that is not UTF-8.
pub(crate) fn text_at_start(input: &[u8]) -> &str {
    input.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// An input in two: the text before its first NUL, and the bytes after it.
pub(crate) fn text_and_bytes(input: &[u8]) -> Option<(&str, &[u8])> {
    let end = input.iter().position(|byte| *byte == 0)?;
    let (text, rest) = input.split_at_checked(end)?;
    Some((std::str::from_utf8(text).ok()?, rest.get(1..)?))
}
