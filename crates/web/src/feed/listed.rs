//! Names of people and of subjects, each once.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::plain::one_line;
use super::shortened;

/// Names that are kept; the others are only counted.
const MOST_KEPT: usize = 100;
/// Signs of a name that are kept.
const MOST_SIGNS: usize = 200;

/// Names in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    kept: Vec<String>,
    /// A number for every name, because a feed may have a million of them.
    seen: HashSet<u64>,
    numbers: RandomState,
}

impl Listed {
    /// Takes a name if it says something and is not there yet.
    pub(super) fn add(&mut self, name: &str) {
        let name = one_line(name);
        if !name.is_empty() && self.seen.insert(self.numbers.hash_one(&name)) && self.kept.len() < MOST_KEPT {
            self.kept.push(shortened(&name, MOST_SIGNS));
        }
    }

    /// Some of them in one line, and how many more there are; empty if there is none.
    pub(crate) fn joined(&self, most: usize) -> String {
        let shown: Vec<&str> = self.kept.iter().take(most).map(String::as_str).collect();
        let more = self.seen.len().saturating_sub(shown.len());
        let shown = shown.join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    }
}

#[cfg(test)]
mod tests {
    use super::Listed;

    #[test]
    fn names_are_counted_once_however_many_there_are() {
        let mut listed = Listed::default();
        for at in 0..300_000 {
            listed.add(&format!(" name\n{}", at % 1500));
            listed.add(" ");
        }
        assert_eq!(listed.joined(2), "name 0, name 1 and 1498 more");
        assert!(listed.joined(usize::MAX).ends_with(", name 99 and 1400 more"));
        assert_eq!(Listed::default().joined(2), "");
    }

    #[test]
    fn long_names_that_are_alike_at_first_are_two() {
        let mut listed = Listed::default();
        for end in ["a", "b", "a"] {
            listed.add(&format!("{}{end}", "x".repeat(300)));
        }
        assert_eq!(listed.joined(9).matches("(101 more characters)").count(), 2);
    }
}
