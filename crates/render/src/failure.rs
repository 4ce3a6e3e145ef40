//! Failures in words: what happened, and the calls that could come next.

use std::fmt::Write as _;

use readstone_base::{TargetError, Visible};

/// `code: message`, then up to three `next:` lines.
pub(crate) fn error_text(error: &TargetError) -> String {
    let mut text = format!("{}: {}\n", error.code, error.message);
    for next in error.next.iter().take(3) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "next: {} {}", next.tool, Visible::of(&next.argument).text);
    }
    text
}

/// A failed target among others, in its place.
pub(crate) fn in_place(address: &str, error: &TargetError) -> String {
    let short: String = address.chars().take(200).collect();
    format!("¶{}\n{}", Visible::of(&short).text, error_text(error))
}
