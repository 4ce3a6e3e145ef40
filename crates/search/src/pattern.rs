//! A pattern: a regular expression, compiled so that lines which may match are found quickly and judged exactly.
//!
//! A line is judged without its end, so `$` stands before a line feed and before CRLF alike, and a carriage return inside
//! a line is a character like any other. Which lines are worth judging is found out in many lines at once, by an
//! expression that finds at least those that match.

mod marks;
mod repair;
mod tokens;

use std::ops::Range;

use grep_matcher::Matcher as _;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use readstone_base::{Limits, Quoted, Words};
use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::TranslatorBuilder;

use crate::error::Error;
use marks::Marks;
use repair::Taken;

/// Whether letters match those of the other case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They do not.
    Exact,
    /// They do.
    Fold,
}

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Pattern {
    compiled: Compiled,
    repaired: Option<String>,
}

/// An expression as it is used.
#[derive(Clone, Debug)]
pub(crate) enum Compiled {
    /// Finds lines among others and judges a line without its end alike: the expression does not speak of ends.
    Lines(RegexMatcher),
    /// Finds lines that may match, and judges a line without its end.
    Ends(RegexMatcher, Regex),
    /// Every line must be judged.
    Each(Regex),
    /// Matches may span lines.
    Across(Regex),
}

/// For each byte of its text, an expression takes about this many bytes until it is compiled.
const BYTES_A_BYTE: u64 = 256;
/// For each class of characters with a name, such as `\w`, it takes about so many more.
const BYTES_A_CLASS: u64 = 8 * 1024;

impl Pattern {
    /// The pattern that a text stands for: white space around it is left out, and braces and parentheses that can only
    /// be meant literally are taken so.
    pub fn new(text: &str, case: Case, limits: &Limits) -> Result<Self, Error> {
        let text = trimmed(text);
        if text.is_empty() {
            return Err(Error::EmptyPattern);
        }
        let most = limits.search_pattern_bytes;
        let bytes = (text.len() as u64).saturating_mul(BYTES_A_BYTE);
        if bytes > most {
            return Err(Error::PatternTooLarge { most });
        }
        let taken = repair::parse(text)?;
        let marks = Marks::of(&taken.ast);
        if bytes + marks.classes * BYTES_A_CLASS > most {
            return Err(Error::PatternTooLarge { most });
        }
        let compiled = Builder { case, most }.compiled(&taken, &marks)?;
        Ok(Self { compiled, repaired: (taken.text != text).then_some(taken.text) })
    }

    /// The expression it was taken as, when the text was none as it stood.
    pub fn repaired(&self) -> Option<&str> {
        self.repaired.as_deref()
    }

    /// Whether a match can span lines: only when the text says so, by a line feed or by `\n`.
    pub fn spans_lines(&self) -> bool {
        matches!(self.compiled, Compiled::Across(_))
    }

    /// The first match in a text, which is looked at as one line.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.compiled.find(text.as_bytes(), 0..text.len())
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

impl Compiled {
    /// The first match in a part of a line or of a text.
    pub(crate) fn find(&self, text: &[u8], part: Range<usize>) -> Option<Range<usize>> {
        match self {
            Self::Lines(matcher) => {
                let found = matcher.find_at(text.get(..part.end)?, part.start).ok()??;
                Some(found.start()..found.end())
            }
            Self::Ends(_, exact) | Self::Each(exact) | Self::Across(exact) => {
                exact.find(Input::new(text).range(part)).map(|found| found.range())
            }
        }
    }

    /// Whether a line matches, which stands there without its end.
    pub(crate) fn is_match(&self, line: &[u8]) -> bool {
        match self {
            Self::Lines(matcher) => matcher.is_match(line).is_ok_and(|found| found),
            Self::Ends(_, exact) | Self::Each(exact) | Self::Across(exact) => exact.is_match(Input::new(line)),
        }
    }
}

/// The text without white space around it; a blank behind a backslash belongs to the pattern.
fn trimmed(text: &str) -> &str {
    let text = text.trim_start();
    let bare = text.trim_end();
    let slashes = bare.bytes().rev().take_while(|byte| *byte == b'\\').count();
    let more = if slashes % 2 == 1 { text.get(bare.len()..).and_then(|rest| rest.chars().next()) } else { None };
    text.get(..bare.len() + more.map_or(0, char::len_utf8)).unwrap_or(bare)
}

/// How expressions are compiled.
struct Builder {
    case: Case,
    most: u64,
}

impl Builder {
    fn room(&self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    fn compiled(&self, taken: &Taken, marks: &Marks) -> Result<Compiled, Error> {
        let text = &taken.text;
        if marks.has_newline && (text.contains('\n') || text.contains(r"\n")) {
            return self.exact(&marks.across_lines(text), None).map(Compiled::Across);
        }
        match self.finder(&marks.within_lines(text), text)? {
            Some(finder) if !marks.has_ends() => Ok(Compiled::Lines(finder)),
            Some(finder) => Ok(Compiled::Ends(finder, self.exact(text, Some(&taken.ast))?)),
            None => self.exact(text, Some(&taken.ast)).map(Compiled::Each),
        }
    }

    fn exact(&self, text: &str, ast: Option<&Ast>) -> Result<Regex, Error> {
        let parsed;
        let ast = if let Some(ast) = ast {
            ast
        } else {
            let faulty = |error: ast::Error| repair::bad(text, error.span().start.offset, &error.kind().to_string());
            parsed = ast::parse::Parser::new().parse(text).map_err(faulty)?;
            &parsed
        };
        let hir = TranslatorBuilder::new()
            .utf8(false)
            .multi_line(true)
            .case_insensitive(self.case == Case::Fold)
            .build()
            .translate(text, ast)
            .map_err(|error| repair::bad(text, error.span().start.offset, &error.kind().to_string()))?;
        let config = Regex::config()
            .utf8_empty(false)
            .nfa_size_limit(Some(self.room()))
            .onepass_size_limit(Some(self.room()))
            .dfa_size_limit(Some(1 << 20))
            .dfa_state_limit(Some(1_000))
            .hybrid_cache_capacity(self.room());
        Regex::builder().configure(config).build_from_hir(&hir).map_err(|error| match error.size_limit() {
            Some(_) => Error::PatternTooLarge { most: self.most },
            None => Error::BadPattern { why: format!("{}, in {}", Words(&error.to_string()), Quoted(text)) },
        })
    }

    fn finder(&self, text: &str, original: &str) -> Result<Option<RegexMatcher>, Error> {
        let made = RegexMatcherBuilder::new()
            .multi_line(true)
            .line_terminator(Some(b'\n'))
            .case_insensitive(self.case == Case::Fold)
            .size_limit(self.room())
            .dfa_size_limit(self.room())
            .build(text);
        match made {
            // Where the beginning or the end of a text is meant, lines are looked at one by one.
            Ok(finder) => Ok(Some(finder).filter(|finder| finder.line_terminator().is_some())),
            Err(error) if matches!(error.kind(), grep_regex::ErrorKind::NotAllowed(_)) => {
                let why = format!(r"the end of a line is written \n, in {}", Quoted(original));
                Err(Error::BadPattern { why })
            }
            Err(error) if error.to_string().starts_with("compiled regex exceeds size limit") => {
                Err(Error::PatternTooLarge { most: self.most })
            }
            // What else is wrong with it, the other way of compiling it says better.
            Err(_) => Ok(None),
        }
    }
}
