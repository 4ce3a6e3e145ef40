//! A tally: how calls ended.

use std::collections::BTreeMap;
use std::fmt;

/// How many calls ended how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<Ending, usize>,
    wrong: Vec<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Ending {
    /// With what was expected.
    Answered,
    /// With the word that there is too much to do.
    Busy,
    /// It was cancelled by its caller.
    Cancelled,
    /// Its caller went away.
    Left,
    /// With something else.
    Wrong,
}

/// Wrong answers that are kept to be shown.
const SHOWN: usize = 5;
/// Characters of one that are shown.
const WIDTH: usize = 300;

impl Tally {
    /// Counts a call.
    pub(crate) fn count(&mut self, ending: Ending) {
        *self.counts.entry(ending).or_default() += 1;
    }

    /// Counts a call whose answer was not what was expected.
    pub(crate) fn note_wrong(&mut self, asked: &str, answer: &str) {
        self.count(Ending::Wrong);
        if self.wrong.len() < SHOWN {
            self.wrong.push(format!("{asked}: {}", answer.chars().take(WIDTH).collect::<String>()));
        }
    }

    /// Adds what another counted.
    pub(crate) fn add(&mut self, other: Self) {
        for (ending, count) in other.counts {
            *self.counts.entry(ending).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self.wrong.truncate(SHOWN);
    }

    /// The first wrong answers.
    pub(crate) fn wrong(&self) -> &[String] {
        &self.wrong
    }

    /// Whether no answer was wrong and most calls were answered: a server that refuses everything leaks nothing.
    pub(crate) fn is_sound(&self) -> bool {
        let of = |ending| self.counts.get(&ending).copied().unwrap_or(0);
        of(Ending::Wrong) == 0 && of(Ending::Answered) > self.counts.values().sum::<usize>() / 2
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls", self.counts.values().sum::<usize>())?;
        for (ending, count) in &self.counts {
            write!(f, ", {count} {}", format!("{ending:?}").to_lowercase())?;
        }
        Ok(())
    }
}
