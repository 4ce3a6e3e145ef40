//! Any bytes as a file name: what is shown is safe, and is read back as the same bytes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use readstone_base::{Visible, escape_name, unescape_name};

pub(crate) fn run(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some(name) = unescape_name(text)
    {
        check(name.as_bytes());
    }
    if !bytes.contains(&0) {
        check(bytes);
    }
}

fn check(bytes: &[u8]) {
    let name = OsStr::from_bytes(bytes);
    let shown = escape_name(name);
    assert_eq!(Visible::of(&shown).text, shown, "not safe to show");
    if name.to_str() != Some(&shown) {
        assert_eq!(unescape_name(&shown).as_deref(), Some(name), "{shown:?}");
    }
}
