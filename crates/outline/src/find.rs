//! Symbols by their names.

use crate::item::{Item, Outline};

/// What stands between the parts of a symbol's name.
const BETWEEN: [&str; 3] = [" > ", "::", "."];
/// Of more items with one name none is told apart by its name.
const MOST_SAME: usize = 64;
/// Names that a symbol is made of.
const MOST_PARTS: usize = 4;
/// Items that are looked at for names like another.
const MOST_LIKE: usize = 32;
/// Kinds that add to something of the same name and do not declare it.
const ADDITIONS: [&str; 4] = ["impl", "extension", "insert", "copy"];

impl Outline {
    /// The items that a name can mean. A name is taken whole first, then as names one inside the other
    /// (`Outer > Inner`, `Type::method`, `Type.method`); then the same without regard to case, and then as the anchor of
    /// a heading.
    pub fn find(&self, asked: &str) -> Vec<usize> {
        let asked = asked.trim();
        if asked.is_empty() {
            return Vec::new();
        }
        let ways = ways(asked);
        for same in [exact as fn(&str, &str) -> bool, folded, anchored] {
            let found = ways.iter().map(|parts| self.meant(parts, same)).find(|found| !found.is_empty());
            if let Some(found) = found {
                return found;
            }
        }
        self.all(|at, item| item.label() == asked || self.path(at).join(".") == asked)
    }

    /// The symbols most like this one, the likest first.
    pub fn near(&self, asked: &str, most: usize) -> Vec<String> {
        let asked: Vec<String> =
            parts(asked).iter().map(|part| part.trim_matches(['(', ')', '*', '&']).to_lowercase()).collect();
        let Some((last, around)) = asked.split_last() else {
            return Vec::new();
        };
        let likeness = |(at, item): (usize, &Item)| {
            let distance = distance(last, &item.name.to_lowercase())?;
            let path = self.path(at);
            let shared = around.iter().filter(|part| path.iter().any(|own| folded(own, part))).count();
            Some((distance, usize::MAX - shared, at))
        };
        let mut near: Vec<_> = self.items.iter().enumerate().filter_map(likeness).collect();
        near.sort_unstable();
        let mut names: Vec<String> = Vec::new();
        for symbol in near.into_iter().take(MOST_LIKE).filter_map(|(_, _, at)| self.symbol(at)) {
            if names.len() < most && !names.contains(&symbol) {
                names.push(symbol);
            }
        }
        names
    }

    /// What finds an item and nothing else; `None` when no short name does.
    pub fn symbol(&self, at: usize) -> Option<String> {
        let name = &self.items.get(at)?.name;
        self.symbol_among(at, &self.all(|_, item| item.name == *name))
    }

    /// What finds an item and nothing else, when these are the items with its name.
    pub fn symbol_among(&self, at: usize, same: &[usize]) -> Option<String> {
        if same.len() > MOST_SAME {
            return None;
        }
        let item = self.items.get(at)?;
        let adds = |at: &usize| self.items.get(*at).is_some_and(|item| ADDITIONS.contains(&&*item.kind));
        let others = same.iter().filter(|other| **other != at && (adds(&at) || !adds(other)));
        let path = self.path(at);
        let others = others.map(|other| self.path(*other)).filter(|other| !is_around(&path, other));
        let others: Vec<Vec<String>> = others.collect();
        let fits = |name: &String| !name.contains([':', '\n']) && name.trim() == name;
        for count in 1..=path.len().min(MOST_PARTS) {
            let own = path.get(path.len() - count..)?;
            if !others.iter().any(|other| other.ends_with(own)) {
                let plain = |part: &String| part.chars().all(|sign| sign.is_alphanumeric() || "_$!?~-".contains(sign));
                let name = own.join(if own.iter().all(plain) { "." } else { " > " });
                return Some(name).filter(fits);
            }
        }
        // What nothing else says, the word for it may.
        let label = item.label();
        let alone = same.iter().filter(|other| self.items.get(**other).is_some_and(|item| item.label() == label));
        (alone.count() == 1 && label != item.name).then_some(label).filter(fits)
    }

    /// The names around an item and its own.
    fn path(&self, at: usize) -> Vec<String> {
        let own = |item: &&Item| {
            let owners = item.owner.as_deref().map(parts).unwrap_or_default();
            owners.into_iter().chain([item.name.clone()]).collect::<Vec<_>>()
        };
        self.chain(at).iter().flat_map(own).collect()
    }

    fn all(&self, fits: impl Fn(usize, &Item) -> bool) -> Vec<usize> {
        self.items.iter().enumerate().filter(|(at, item)| fits(*at, item)).map(|(at, _)| at).collect()
    }

    fn meant(&self, parts: &[String], same: fn(&str, &str) -> bool) -> Vec<usize> {
        let Some((last, around)) = parts.split_last() else {
            return Vec::new();
        };
        let found = self.all(|_, item| same(&item.name, last));
        // Names one right inside the other come before those with others between.
        let near = |at: &usize| self.lies_in(*at, around, same) == Some(Inside::Next);
        let deeper = |at: &usize| self.lies_in(*at, around, same).is_some();
        let nearest: Vec<usize> = found.iter().copied().filter(near).collect();
        let found: Vec<usize> = if nearest.is_empty() { found.into_iter().filter(deeper).collect() } else { nearest };
        let adds = |at: &usize| self.items.get(*at).is_some_and(|item| ADDITIONS.contains(&&*item.kind));
        // Who asks for a type means its declaration, unless the file only adds to it.
        let found = if found.iter().all(adds) { found } else { found.into_iter().filter(|at| !adds(at)).collect() };
        self.outermost(found)
    }

    /// Those that lie in none of the others: who asks for a class does not mean its constructor.
    fn outermost(&self, found: Vec<usize>) -> Vec<usize> {
        if found.len() < 2 || found.len() > MOST_SAME {
            return found;
        }
        let paths: Vec<Vec<String>> = found.iter().map(|at| self.path(*at)).collect();
        let inside = |path: &Vec<String>| paths.iter().any(|other| is_around(other, path));
        found.into_iter().zip(&paths).filter(|(_, path)| !inside(path)).map(|(at, _)| at).collect()
    }

    /// Whether an item lies in others with these names, the outermost first.
    fn lies_in(&self, at: usize, names: &[String], same: fn(&str, &str) -> bool) -> Option<Inside> {
        if names.is_empty() {
            return Some(Inside::Next);
        }
        let mut path = self.path(at);
        path.pop();
        let next = path.len().checked_sub(names.len()).and_then(|from| path.get(from..));
        if next.is_some_and(|next| next.iter().zip(names).all(|(own, asked)| same(own, asked))) {
            return Some(Inside::Next);
        }
        let mut around = path.iter();
        names.iter().all(|asked| around.any(|own| same(own, asked))).then_some(Inside::Deeper)
    }
}

/// Whether what has one path holds what has another.
fn is_around(path: &[String], other: &[String]) -> bool {
    path.len() < other.len() && other.starts_with(path)
}

/// How far inside others an item lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Next,
    Deeper,
}

/// The ways to take a name apart: as it stands, then by ever more signs.
fn ways(asked: &str) -> Vec<Vec<String>> {
    let mut ways = vec![vec![asked.to_owned()]];
    for count in 1..=BETWEEN.len() {
        let way = split(asked, BETWEEN.get(..count).unwrap_or_default());
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// The names in a name.
fn parts(asked: &str) -> Vec<String> {
    split(asked, &BETWEEN)
}

fn split(asked: &str, signs: &[&str]) -> Vec<String> {
    let mut parts = vec![asked.to_owned()];
    for sign in signs {
        parts = parts.iter().flat_map(|part| part.split(sign)).map(str::trim).map(str::to_owned).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn exact(own: &str, asked: &str) -> bool {
    own == asked
}

fn folded(own: &str, asked: &str) -> bool {
    if own.is_ascii() && asked.is_ascii() {
        return own.eq_ignore_ascii_case(asked);
    }
    own.chars().flat_map(char::to_lowercase).eq(asked.chars().flat_map(char::to_lowercase))
}

/// Whether a heading is meant by the anchor that links to it: `Getting started!` by `getting-started`.
fn anchored(own: &str, asked: &str) -> bool {
    let asked = asked.strip_prefix('#').unwrap_or(asked);
    // Most names differ in more than signs that an anchor lacks.
    let may = asked.len() <= own.len() && asked.chars().all(|sign| sign.is_alphanumeric() || "-_".contains(sign));
    may && own.contains(|sign: char| !sign.is_alphanumeric()) && anchor(own) == asked.to_lowercase()
}

fn anchor(heading: &str) -> String {
    let kept = |sign: &char| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|sign| if sign == ' ' { '-' } else { sign }).collect()
}

/// How far apart two names in lower case are; `None` when they are not alike.
fn distance(asked: &str, own: &str) -> Option<usize> {
    if asked.is_empty() || own.is_empty() {
        return None;
    }
    let letters = strsim::osa_distance(asked, own);
    if letters <= 1 + asked.chars().count() / 4 {
        return Some(letters);
    }
    let inside = asked.len() >= 3 && own.contains(asked) || own.len() >= 3 && asked.contains(own);
    inside.then_some(8 + asked.len().abs_diff(own.len()))
}
