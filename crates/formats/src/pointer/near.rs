//! What an object has instead of a name that it has not.

/// Names that come near one that is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Near {
    /// How many members there are.
    pub(super) count: u64,
    /// The first of them.
    pub(super) first: Vec<String>,
    best: Vec<(usize, String)>,
}

/// So many names are offered.
const MOST: usize = 3;
/// So many names are named where none comes near.
const MOST_FIRST: usize = 8;

impl Near {
    /// Notes a name; `wanted` is the one that is looked for.
    pub(super) fn note(&mut self, name: Option<&str>, wanted: &str) {
        self.count += 1;
        let Some(name) = name else { return };
        if self.first.len() < MOST_FIRST {
            self.first.push(name.to_owned());
        }
        let likeness = likeness(&name.to_lowercase(), &wanted.to_lowercase());
        let worst = self.best.last().filter(|_| self.best.len() == MOST).map_or(0, |(likeness, _)| *likeness);
        let known = || self.best.iter().any(|(_, other)| other == name);
        if likeness > worst && !known() {
            let at = self.best.partition_point(|(other, _)| *other >= likeness);
            self.best.insert(at, (likeness, name.to_owned()));
            self.best.truncate(MOST);
        }
    }

    /// The names that come near, the nearest first.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.best.iter().map(|(_, name)| name.as_str())
    }
}

/// How much two names have in common at their ends; nothing when that is less than half.
fn likeness(name: &str, wanted: &str) -> usize {
    let longest = name.len().max(wanted.len());
    if name.is_empty() || wanted.is_empty() {
        return 0;
    }
    let before = name.bytes().zip(wanted.bytes()).take_while(|(one, other)| one == other).count();
    let behind = name.bytes().rev().zip(wanted.bytes().rev()).take_while(|(one, other)| one == other).count();
    let common = (before + behind).min(longest);
    // One or two letters stand in nearly everything.
    let within = 3 * name.len().min(wanted.len()) >= longest && (name.contains(wanted) || wanted.contains(name));
    if within || common * 2 >= longest { 1 + 100 * common / longest } else { 0 }
}
