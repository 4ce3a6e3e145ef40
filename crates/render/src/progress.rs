//! How far a call has come, in words.

use readstone_base::HowFar;

use crate::size::{count, counted};

/// What a tool has done so far; `None` while there is nothing to tell.
pub fn progress(tool: &str, far: HowFar) -> Option<String> {
    let entries = || counted(far.looked, "entry", "entries");
    if far.looked > 0 {
        return Some(match tool {
            "search" => format!("{} searched, {} with matches", count(far.looked, "file"), far.found),
            "find" => format!("{} looked at, {} found", entries(), far.found),
            _ => format!("{} looked at", entries()),
        });
    }
    (far.total > 0).then(|| format!("{} of {} MB", far.done >> 20, far.total >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_tool() {
        let walked = HowFar { looked: 1, found: 0, ..HowFar::default() };
        assert_eq!(progress("find", walked).unwrap(), "1 entry looked at, 0 found");
        assert_eq!(progress("search", walked).unwrap(), "1 file searched, 0 with matches");
        assert_eq!(progress("read", walked).unwrap(), "1 entry looked at");
        let many = HowFar { done: 5, total: 9, looked: 1_200, found: 30 };
        assert_eq!(progress("find", many).unwrap(), "1200 entries looked at, 30 found");
    }

    #[test]
    fn bytes_are_told_where_nothing_else_is_known() {
        let counted = HowFar { done: 3 << 20, total: 9 << 20, ..HowFar::default() };
        assert_eq!(progress("read", counted).unwrap(), "3 of 9 MB");
        assert_eq!(progress("search", counted).unwrap(), "3 of 9 MB");
        assert_eq!(progress("search", HowFar::default()), None);
    }
}
