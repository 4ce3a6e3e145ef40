//! The rules of one file or several: of those that match, the last decides.

use std::collections::BTreeMap;

use super::bytes::Bytes;
use super::glob::Glob;
use super::line::{Line, Rule, Shape, Verdict};

/// Rules in their order.
#[derive(Debug, Default)]
pub(super) struct Set {
    /// Plain names, each with the last rule about it.
    names: BTreeMap<Box<[u8]>, Marks>,
    /// All other rules, in their order.
    others: Vec<(Mark, Rule)>,
    /// The bytes with which names end of which a rule speaks by their ends.
    ends: Bytes,
    count: u32,
    weight: u64,
}

/// The place of a rule and its verdict; the later rule is the greater mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark(u32);

/// The last rule about a name, for what is no directory and for a directory.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    other: Option<Mark>,
    directory: Option<Mark>,
}

/// What rules are asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The name.
    pub(super) name: &'a [u8],
    /// The path from the directory of the rules.
    pub(super) path: &'a [u8],
    /// Whether it is a directory.
    pub(super) directory: bool,
}

/// Rules that are read at most.
const MOST_RULES: u32 = 10_000;

impl Set {
    /// Reads further lines; gives the number of those that are no rules, or too many.
    pub(super) fn read(&mut self, text: &[u8]) -> u64 {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let mut bad = 0;
        for line in text.split(|byte| *byte == b'\n') {
            match Line::read(line) {
                Line::Nothing => {}
                Line::Rule(rule) if self.count < MOST_RULES => self.push(rule),
                Line::Rule(_) | Line::Bad => bad += 1,
            }
        }
        bad
    }

    fn push(&mut self, rule: Rule) {
        let mark = Mark(self.count * 2 + u32::from(rule.verdict == Verdict::Ignore));
        self.count += 1;
        match rule.shape {
            Shape::Name(name) => {
                let marks = self.names.entry(name).or_default();
                marks.directory = Some(mark);
                marks.other = if rule.directories { marks.other } else { Some(mark) };
            }
            Shape::End(ref end) => {
                match end.last() {
                    Some(last) => self.ends.add(*last, *last),
                    None => self.ends.add(0, u8::MAX),
                }
                self.weight += 1;
                self.others.push((mark, rule));
            }
            Shape::Names(ref glob) | Shape::Path(_, Some(ref glob)) => {
                self.weight += glob.weight();
                self.others.push((mark, rule));
            }
            Shape::Path(_, None) => {
                self.weight += 1;
                self.others.push((mark, rule));
            }
        }
    }

    /// How much it can cost to ask them.
    pub(super) fn weight(&self) -> u64 {
        self.weight + 1
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What they say, if one of them speaks of it.
    pub(super) fn verdict(&self, asked: &Asked<'_>) -> Option<Verdict> {
        let marks = self.names.get(asked.name).copied().unwrap_or_default();
        let known = if asked.directory { marks.directory } else { marks.other };
        let ends = asked.name.last().is_some_and(|last| self.ends.holds(*last));
        let later = self.others.iter().rev().take_while(|(mark, _)| Some(*mark) > known);
        let mark = later
            .filter(|(_, rule)| asked.directory || !rule.directories)
            .find(|(_, rule)| match &rule.shape {
                Shape::End(end) => ends && asked.name.ends_with(end),
                Shape::Names(glob) => glob.matches(asked.name),
                Shape::Path(prefix, glob) => goes_on(asked.path, prefix, glob.as_ref()),
                Shape::Name(name) => **name == *asked.name,
            })
            .map_or(known, |(mark, _)| Some(*mark))?;
        Some(if mark.0 % 2 == 1 { Verdict::Ignore } else { Verdict::Keep })
    }
}

/// Whether a path begins so and goes on as a glob says, or is this.
fn goes_on(path: &[u8], prefix: &[u8], glob: Option<&Glob>) -> bool {
    let rest = path.strip_prefix(prefix);
    rest.is_some_and(|rest| glob.map_or(rest.is_empty(), |glob| glob.matches(rest)))
}
