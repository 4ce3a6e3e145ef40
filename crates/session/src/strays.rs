//! Stray variables: those that begin like ours and are not settings.

use readstone_base::Words;
use readstone_source::near_names;

use crate::config::PREFIX;

/// So many variables are named; the rest are counted.
const MOST_NAMED: usize = 3;

/// One line that names ignored variables, given without their prefix, and counts the rest. Those that resemble a `known` one come first: a misspelled
/// setting must not be lost among the dozens that a cluster sets.
pub(crate) fn describe(strays: &[String], known: &[String]) -> Option<String> {
    let mut named: Vec<(bool, String)> = strays.iter().map(|stray| describe_one(stray, known)).collect();
    named.sort_by_key(|(resembles, _)| !resembles);
    let shown: Vec<String> = named.into_iter().take(MOST_NAMED).map(|(_, words)| words).collect();
    let rest = strays.len() - shown.len();
    let list = match (shown.as_slice(), rest) {
        ([], _) => return None,
        ([one], _) => return Some(format!("{one} is not a setting and is ignored")),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, rest) => format!("{} and {rest} more", shown.join(", ")),
    };
    Some(format!("{list} are not settings and are ignored"))
}

fn describe_one(stray: &str, known: &[String]) -> (bool, String) {
    let name = format!("{PREFIX}{}", Words(stray));
    match near_names(&stray.to_lowercase(), known).first() {
        Some(near) => (true, format!("{name} (did you mean {PREFIX}{}?)", near.to_uppercase())),
        None => (false, name),
    }
}
