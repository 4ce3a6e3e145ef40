//! Comparing: texts line by line, and JSON by its parts.

use serde_json::Value;

/// The lines that differ, with `-` for what was expected and `+` for what came.
pub(super) fn diff(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    if old == new {
        return format!("    (they differ in the newline at the end: {:?}, {:?})\n", tail(expected), tail(actual));
    }
    let common = lengths(&old, &new);
    let length = |i: usize, j: usize| common.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
    let (mut i, mut j, mut text) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        let (sign, line) = match (old.get(i), new.get(j)) {
            (Some(one), Some(other)) if one == other => (' ', *one),
            (Some(one), None) => ('-', *one),
            (Some(one), Some(_)) if length(i + 1, j) >= length(i, j + 1) => ('-', *one),
            (_, Some(other)) => ('+', *other),
            (None, None) => break,
        };
        i += usize::from(sign != '+');
        j += usize::from(sign != '-');
        text.extend(["  ", sign.encode_utf8(&mut [0; 4]), " ", &visible(line), "\n"]);
    }
    text
}

/// The lengths of the longest common subsequences of all tails.
fn lengths(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut below = vec![0; new.len() + 1];
    let mut rows = vec![below.clone()];
    for one in old.iter().rev() {
        let mut row = vec![0; new.len() + 1];
        for (j, other) in new.iter().enumerate().rev() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(0);
            let best = if one == other { at(&below, j + 1) + 1 } else { at(&below, j).max(at(&row, j + 1)) };
            if let Some(cell) = row.get_mut(j) {
                *cell = best;
            }
        }
        below.clone_from(&row);
        rows.push(row);
    }
    rows.reverse();
    rows
}

/// A line with what a terminal would hide spelled out.
fn visible(line: &str) -> String {
    let spell = |letter: char| if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() };
    line.chars().map(spell).collect()
}

fn tail(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(8);
    text.chars().skip(skip).collect()
}

/// Where a value lacks something of what is wanted: objects may have more, everything else must be equal.
pub(super) fn lack(wanted: &Value, value: &Value, place: &str) -> Option<String> {
    match (wanted, value) {
        (Value::Object(wanted), Value::Object(object)) => wanted.iter().find_map(|(name, wanted)| {
            lack(wanted, object.get(name).unwrap_or(&Value::Null), &format!("{place}.{name}"))
        }),
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            let pairs = wanted.iter().zip(items).enumerate();
            pairs.into_iter().find_map(|(at, (wanted, item))| lack(wanted, item, &format!("{place}[{at}]")))
        }
        (wanted, value) if wanted == value => None,
        (wanted, value) => Some(format!("{place} is {value}, not {wanted}")),
    }
}
