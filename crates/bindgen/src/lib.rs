//! Replaces `bindgen` while `sqlite-plugin` is built, so that a build needs no clang.
//!
//! `sqlite-plugin` generates its bindings to SQLite in its build script, with `bindgen`, which needs libclang. The
//! bindings are the same on every machine, because they name only types of C, so they are kept here. The real `bindgen`
//! 0.72.1 generated them from the header that `sqlite-plugin` 0.11.0 brings, which is in the public domain. Only what
//! that crate uses without its feature `dynamic` was asked for.
//! `[patch.crates-io]` in the `Cargo.toml` of the workspace uses this crate instead of `bindgen`. It has only the
//! functions that the build script of `sqlite-plugin` calls.

use std::io;
use std::path::Path;

/// Constants of SQLite.
const CONSTANTS: &str = include_str!("constants.in");
/// Types and functions of SQLite that a file system needs.
const TYPES: &str = include_str!("types.in");

/// Collects what is to be generated.
#[derive(Debug, Default)]
pub struct Builder {
    constants: bool,
}

/// The type of constants. `sqlite-plugin` asks for one.
#[derive(Clone, Copy, Debug)]
pub enum MacroTypeVariation {
    /// As `i32`.
    Signed,
}

/// Bindings that can be written to a file.
#[derive(Debug)]
pub struct Bindings(&'static str);

impl Builder {
    /// Takes the name of a header, which is not read.
    #[must_use]
    pub fn header(self, _header: &str) -> Self {
        self
    }

    /// Asks for the constants alone.
    #[must_use]
    pub fn allowlist_item(self, _pattern: &str) -> Self {
        Self { constants: true }
    }

    /// Asks for everything but the constants.
    #[must_use]
    pub fn blocklist_item(self, _pattern: &str) -> Self {
        Self { constants: false }
    }

    /// Asks for types of `core`, which the bindings have anyway.
    #[must_use]
    pub fn use_core(self) -> Self {
        self
    }

    /// Asks for signed constants, which the bindings have anyway.
    #[must_use]
    pub fn default_macro_constant_type(self, _variation: MacroTypeVariation) -> Self {
        self
    }

    /// Gives the bindings.
    ///
    /// # Errors
    ///
    /// None; the real `bindgen` has some.
    pub fn generate(self) -> Result<Bindings, io::Error> {
        Ok(Bindings(if self.constants { CONSTANTS } else { TYPES }))
    }
}

impl Bindings {
    /// Writes the bindings to a file.
    ///
    /// # Errors
    ///
    /// The error of the system, when the file cannot be written.
    pub fn write_to_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        std::fs::write(path, self.0)
    }
}
