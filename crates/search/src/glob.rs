//! Globs: which names and paths below a directory are meant.
//!
//! `*` and `?` stand for characters of one name, `**` for any number of directories, `[a-z]` and `[!a-z]` for one character, `{a,b}` for
//! either, `{1..9}` for any of a row. Names that begin with a dot are names like any other. A glob that ends with a slash means directories.
//!
//! Most globs ask for the end of a name. Those are compared, not matched; the others become regular expressions, which take time in
//! proportion to the name, whatever the glob.

mod problem;
mod regex;
mod token;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use readstone_host::EntryKind;
use regex_automata::Input;
use regex_automata::meta::Regex;

pub use problem::Problem;
use token::{Token, tokens};

/// A glob below a directory.
#[derive(Clone, Debug)]
pub struct Glob {
    patterns: Vec<Pattern>,
    levels: Option<usize>,
    only: Only,
}

/// What may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Only {
    /// Anything.
    All,
    /// Directories.
    Directories,
}

#[derive(Clone, Debug)]
struct Pattern {
    place: Place,
    test: Test,
}

/// Of what a pattern speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Of a name, wherever it stands.
    Anywhere,
    /// Of a name in the directory itself.
    Top,
    /// Of the path from the directory on.
    Path,
}

/// What a name or path is held against.
#[derive(Clone, Debug)]
enum Test {
    Any,
    Is(Vec<u8>),
    Begins(Vec<u8>),
    Ends(Vec<u8>),
    Matches(Regex),
}

/// So many alternatives are compared one by one.
const MOST_PLAIN: usize = 32;

impl Glob {
    /// Reads a glob that is relative to a directory; what `{1..9}` stands for may have `most` bytes.
    pub fn new(text: &str, most: u64) -> Result<Self, Problem> {
        let only = if text.ends_with('/') { Only::Directories } else { Only::All };
        let names: Vec<&str> = text.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
        if names.contains(&"..") {
            return Err(Problem::Up);
        }
        let tokens = tokens(&names.join("/"), most)?;
        let levels = levels(&tokens);
        let plain = plain(&tokens).filter(|all| all.len() <= MOST_PLAIN);
        let plain = plain.and_then(|all| all.iter().map(|tokens| Pattern::plain(tokens)).collect());
        let patterns = match plain {
            Some(patterns) => patterns,
            None => vec![Pattern::compiled(&tokens)?],
        };
        Ok(Self { patterns, levels, only })
    }

    /// Everything below a directory.
    pub fn everything() -> Self {
        Self { patterns: vec![Pattern { place: Place::Anywhere, test: Test::Any }], levels: None, only: Only::All }
    }

    /// How many levels below the directory a match can lie, from 1; `None` when any.
    pub fn levels(&self) -> Option<usize> {
        self.levels
    }
}

impl Pattern {
    /// A pattern that need not be compiled.
    fn plain(tokens: &[Token]) -> Option<Self> {
        let (place, own) = place(tokens);
        let test = match own {
            // A star ends with its name.
            all if place == Place::Path => Test::Is(literal(all)?),
            [Token::Many] => Test::Any,
            [Token::Many, end @ ..] if literal(end).is_some() => Test::Ends(literal(end)?),
            [start @ .., Token::Many] if literal(start).is_some() => Test::Begins(literal(start)?),
            all => Test::Is(literal(all)?),
        };
        Some(Self { place, test })
    }

    fn compiled(tokens: &[Token]) -> Result<Self, Problem> {
        let (place, own) = place(tokens);
        Ok(Self { place, test: Test::Matches(regex::compile(own)?) })
    }
}

/// Of what tokens speak, and what they say of it.
fn place(tokens: &[Token]) -> (Place, &[Token]) {
    match tokens {
        [Token::Deep, own @ ..] if !has_path(own) => (Place::Anywhere, own),
        // The rest of everything is everything.
        [Token::Rest] | [Token::Deep, Token::Rest] => (Place::Anywhere, &[Token::Many]),
        own if !has_path(own) => (Place::Top, own),
        all => (Place::Path, all),
    }
}

/// Whether more than one name is spoken of.
fn has_path(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| match token {
        Token::Literal('/') | Token::Deep | Token::Rest => true,
        Token::Either(all) => all.iter().any(|tokens| has_path(tokens)),
        Token::Literal(_) | Token::One | Token::Many | Token::Class(_) => false,
    })
}

fn literal(tokens: &[Token]) -> Option<Vec<u8>> {
    let sign = |token: &Token| if let Token::Literal(sign) = token { Some(*sign) } else { None };
    tokens.iter().map(sign).collect::<Option<String>>().map(String::into_bytes)
}

/// The same without braces, one for each way to choose; `None` when these are too many.
fn plain(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut all: Vec<Vec<Token>> = vec![Vec::new()];
    for token in tokens {
        let Token::Either(ways) = token else {
            for tokens in &mut all {
                tokens.push(token.clone());
            }
            continue;
        };
        let mut inner = Vec::new();
        for way in ways {
            inner.extend(plain(way)?);
            if inner.len() > MOST_PLAIN {
                return None;
            }
        }
        if all.len() * inner.len() > MOST_PLAIN {
            return None;
        }
        let longer =
            |tokens: &Vec<Token>| inner.iter().map(|way| [tokens.as_slice(), way].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// How many names a match has at most.
fn levels(tokens: &[Token]) -> Option<usize> {
    let slashes = |tokens: &[Token]| levels(tokens).map(|levels| levels - 1);
    tokens.iter().try_fold(1, |sum, token| match token {
        Token::Literal('/') => Some(sum + 1),
        Token::Literal(_) | Token::One | Token::Many | Token::Class(_) => Some(sum),
        Token::Deep | Token::Rest => None,
        Token::Either(all) => {
            let deepest = all.iter().map(|tokens| slashes(tokens)).collect::<Option<Vec<_>>>()?;
            Some(sum + deepest.into_iter().max().unwrap_or(0))
        }
    })
}

/// Several globs below one directory, of which one must match.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    globs: Vec<Glob>,
}

impl From<Glob> for Globs {
    fn from(glob: Glob) -> Self {
        Self { globs: vec![glob] }
    }
}

impl Globs {
    /// Adds a glob.
    pub fn push(&mut self, glob: Glob) {
        self.globs.push(glob);
    }

    /// How many levels below the directory a match can lie, from 1; `None` when any.
    pub fn levels(&self) -> Option<usize> {
        self.globs.iter().map(Glob::levels).collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The globs in a directory, named by its path from the one that they are relative to.
    pub fn within(&self, below: &Path) -> Within<'_> {
        let mut path = below.as_os_str().as_bytes().to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        Within { globs: &self.globs, start: path.len(), path }
    }
}

/// Globs in one directory, of which names are asked.
#[derive(Debug)]
pub struct Within<'g> {
    globs: &'g [Glob],
    path: Vec<u8>,
    start: usize,
}

impl Within<'_> {
    /// Whether an entry of the directory matches.
    pub fn matches(&mut self, name: &OsStr, kind: EntryKind) -> bool {
        let globs = self.globs;
        let fits = |glob: &&Glob| glob.only == Only::All || kind == EntryKind::Directory;
        globs.iter().filter(fits).flat_map(|glob| &glob.patterns).any(|pattern| self.fits(pattern, name.as_bytes()))
    }

    fn fits(&mut self, pattern: &Pattern, name: &[u8]) -> bool {
        match pattern.place {
            Place::Anywhere => pattern.test.passes(name),
            Place::Top => self.start == 0 && pattern.test.passes(name),
            Place::Path => {
                self.path.truncate(self.start);
                self.path.extend_from_slice(name);
                pattern.test.passes(&self.path)
            }
        }
    }
}

impl Test {
    fn passes(&self, text: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Is(all) => text == all,
            Self::Begins(start) => text.starts_with(start),
            Self::Ends(end) => text.ends_with(end),
            Self::Matches(regex) => regex.is_match(Input::new(characters(text).as_bytes())),
        }
    }
}

/// The characters of a name; a byte that belongs to none is one of its own.
fn characters(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len() + 8);
    for chunk in text.utf8_chunks() {
        all.push_str(chunk.valid());
        all.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(all)
}
