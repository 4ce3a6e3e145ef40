//! The steps of a pointer, and how they are written.

use std::ffi::OsStr;

use readstone_base::escape_name;

use crate::readings::readings;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// As it was given.
    pub(super) raw: String,
    /// The names it may mean, the literal first.
    pub(super) names: Vec<String>,
}

impl Step {
    /// The place in a list that it means.
    pub(super) fn index(&self) -> Option<u64> {
        let plain = self.raw == "0" || !self.raw.starts_with('0');
        let digits = self.raw.bytes().all(|byte| byte.is_ascii_digit());
        self.raw.parse().ok().filter(|_| plain && digits)
    }

    /// The name it means first of all.
    pub(super) fn name(&self) -> &str {
        self.names.first().unwrap_or(&self.raw)
    }

    /// Which of its meanings a name is.
    pub(super) fn rank(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|meant| meant == name)
    }

    /// The longest name it may mean.
    pub(super) fn longest(&self) -> usize {
        self.names.iter().map(String::len).max().unwrap_or(0)
    }
}

/// The steps of a pointer, which begins with a slash.
pub(super) fn steps(pointer: &str) -> Vec<Step> {
    let raw = pointer.strip_prefix('/').unwrap_or(pointer).split('/');
    raw.map(|raw| Step { raw: raw.to_owned(), names: readings(raw).iter().map(|reading| named(reading)).collect() })
        .collect()
}

/// The first steps of a pointer as they were given, behind the path of the file.
pub(super) fn address(path: &str, steps: &[Step]) -> String {
    let names = steps.iter().map(|step| step.raw.as_str()).collect::<Vec<_>>();
    if names.is_empty() { path.to_owned() } else { format!("{path}:/{}", names.join("/")) }
}

/// The address of a member or an element.
pub(super) fn below(path: &str, steps: &[Step], name: &str) -> String {
    let raw = escape_name(OsStr::new(&name.replace('~', "~0").replace('/', "~1")));
    let colon = if steps.is_empty() { ":" } else { "" };
    format!("{}{colon}/{raw}", address(path, steps))
}

/// The name that a step means: `~1` is a slash and `~0` a tilde.
fn named(raw: &str) -> String {
    raw.replace("~1", "/").replace("~0", "~")
}
