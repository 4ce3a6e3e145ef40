//! The finder: which lines match.

use std::ops::Range;

use grep_matcher::{LineMatchKind, Matcher as _};
use memchr::{memchr, memrchr};
use regex_automata::Input;

use crate::pattern::{Compiled, Pattern};

/// A pattern with memory of its own to match in.
#[derive(Debug)]
pub(super) struct Finder {
    compiled: Compiled,
}

impl Finder {
    /// The finder of a pattern.
    pub(super) fn new(pattern: &Pattern) -> Self {
        // What expressions remember while they match belongs to each copy.
        Self { compiled: pattern.compiled().clone() }
    }

    /// Whether matches may span lines.
    pub(super) fn spans_lines(&self) -> bool {
        matches!(self.compiled, Compiled::Across(_))
    }

    /// The first line at or behind `from`, where a line begins, that matches; with its end.
    pub(super) fn next_line(&self, lines: &[u8], from: usize) -> Option<Range<usize>> {
        let (Compiled::Lines(finder) | Compiled::Ends(finder, _)) = &self.compiled else {
            return self.next_judged(lines, from);
        };
        let mut from = from;
        while let Some(rest) = lines.get(from..).filter(|rest| !rest.is_empty()) {
            let (at, kind) = match finder.find_candidate_line(rest) {
                Ok(Some(LineMatchKind::Confirmed(at))) => (from + at, Sure::Nearly),
                Ok(Some(LineMatchKind::Candidate(at))) => (from + at, Sure::Not),
                Ok(None) | Err(_) => return None,
            };
            let line = line_around(lines, at, from);
            if line.is_empty() {
                return None;
            }
            if self.is_match(lines.get(line.clone()).unwrap_or_default(), kind) {
                return Some(line);
            }
            from = line.end;
        }
        None
    }

    /// How many lines at or behind `from`, where a line begins, match.
    pub(super) fn count(&self, lines: &[u8], from: usize) -> u64 {
        let (mut count, mut from) = (0, from);
        // Where there is no carriage return, what is found need not be judged; nor does it matter where its line begins.
        if let Compiled::Lines(finder) | Compiled::Ends(finder, _) = &self.compiled
            && memchr(b'\r', lines.get(from..).unwrap_or_default()).is_none()
        {
            while let Some(rest) = lines.get(from..).filter(|rest| !rest.is_empty())
                && let Ok(Some(LineMatchKind::Confirmed(at))) = finder.find_candidate_line(rest)
                && from + at < lines.len()
            {
                count += 1;
                from = line_end(lines, from + at);
            }
        }
        while let Some(line) = self.next_line(lines, from) {
            count += 1;
            from = line.end;
        }
        count
    }

    /// Judges lines one by one.
    fn next_judged(&self, lines: &[u8], from: usize) -> Option<Range<usize>> {
        let mut from = from;
        while from < lines.len() {
            let line = from..line_end(lines, from);
            if self.is_match(lines.get(line.clone()).unwrap_or_default(), Sure::Not) {
                return Some(line);
            }
            from = line.end;
        }
        None
    }

    fn is_match(&self, line: &[u8], sure: Sure) -> bool {
        // What was found among other lines is a match but where carriage returns are concerned.
        (sure == Sure::Nearly && memchr(b'\r', line).is_none()) || self.compiled.is_match(bare(line))
    }

    /// The first match in a line, which stands there without its end.
    pub(super) fn find(&self, line: &[u8]) -> Option<Range<usize>> {
        self.compiled.find(line, 0..line.len())
    }

    /// The first match that lies within a part of a line.
    pub(super) fn find_within(&self, line: &[u8], part: Range<usize>) -> Option<Range<usize>> {
        self.compiled.find(line, part)
    }

    /// The matches that lie within a part of a text and may span lines, one behind the other.
    pub(super) fn matches<'a>(&'a self, text: &'a [u8], part: Range<usize>) -> impl Iterator<Item = Range<usize>> + 'a {
        let across = if let Compiled::Across(exact) = &self.compiled { Some(exact) } else { None };
        let found = across.map(|exact| exact.find_iter(Input::new(text).range(part)));
        found.into_iter().flatten().map(|found| found.range())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sure {
    Nearly,
    Not,
}

/// A line without its end.
pub(super) fn bare(line: &[u8]) -> &[u8] {
    let Some(line) = line.strip_suffix(b"\n") else {
        return line;
    };
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Where the line ends that `at` lies in, behind its end.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr(b'\n', rest)).map_or(text.len(), |feed| at + feed + 1)
}

/// Where the line begins that `at` lies in; not before `from`, where a line begins.
pub(super) fn line_start(text: &[u8], at: usize, from: usize) -> usize {
    text.get(from..at).and_then(|head| memrchr(b'\n', head)).map_or(from, |feed| from + feed + 1)
}

fn line_around(text: &[u8], at: usize, from: usize) -> Range<usize> {
    line_start(text, at, from)..line_end(text, at)
}
