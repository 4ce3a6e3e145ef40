//! Why nothing was installed or removed.

use std::fmt;

use readstone_base::{Class, Failure, Fault};

/// A reason, in words.
#[derive(Debug)]
struct CannotInstall(String);

impl fmt::Display for CannotInstall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotInstall {}

impl Failure for CannotInstall {
    fn code(&self) -> &'static str {
        "surface.cannot_install"
    }

    fn class(&self) -> Class {
        Class::Request
    }
}

pub(super) fn cannot(what: impl fmt::Display) -> Fault {
    Box::new(CannotInstall(what.to_string()))
}
