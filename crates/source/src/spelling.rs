//! Spellings: the paths that a text in an address can stand for.

use std::ffi::OsStr;
use std::path::PathBuf;

use readstone_base::{escape_name, unescape_name};
use readstone_host::Host;

/// The path that a text stands for where nothing is there yet: with its escapes taken away, below the home directory, or as
/// it is.
pub fn path_of(host: &Host, text: &str) -> PathBuf {
    if let Some((rest, home)) = text.strip_prefix("~/").zip(host.home()) {
        return home.join(rest);
    }
    unescape_name(text).map_or_else(|| PathBuf::from(text), PathBuf::from)
}

/// A path that a text can stand for, and how it is shown.
pub(crate) struct Spelling {
    pub(crate) path: PathBuf,
    pub(crate) shown: String,
}

/// The paths a text can stand for: with its escapes taken away, itself, below the home directory. A shown name must
/// open its own file even where another is literally called so; that one is shown with its backslashes doubled.
pub(crate) fn spellings(host: &Host, text: &str) -> Vec<Spelling> {
    let as_given = |path: PathBuf| Spelling { path, shown: text.to_owned() };
    if text == "/" {
        return vec![as_given(PathBuf::from("."))];
    }
    let mut all: Vec<Spelling> = unescape_name(text).map(|name| as_given(PathBuf::from(name))).into_iter().collect();
    all.push(Spelling { path: PathBuf::from(text), shown: escape_name(OsStr::new(text)) });
    let below_home = if text == "~" { Some("") } else { text.strip_prefix("~/") };
    if let (Some(rest), Some(home)) = (below_home, host.home()) {
        all.push(as_given(home.join(rest)));
    }
    all
}
