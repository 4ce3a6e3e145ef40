//! Entries: what a call names in `paths`, taken apart into directories and globs.
//!
//! [`entries`] does it all: each path is tidied, split where several were joined by mistake ([`expand`]), and parted into a base and a glob
//! ([`parse`]). [`open_all`] then opens the bases and parts those that are missing from the others. `find` and `search` share them.
//!
//! Names are taken literally first: what exists is never split, and is no glob, whatever signs its name holds.

mod world;

use std::borrow::Cow;

use readstone_address::is_web;
use readstone_base::{Class, Fault, Limits};

use crate::find_error::FindError;
pub use world::World;

/// Something that a call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the caller wrote, by which it is named in messages.
    pub text: String,
    /// The directory that a glob starts from; without a glob, the whole address, with its selector if it has one.
    pub base: String,
    /// The names below it that are meant.
    pub glob: Option<String>,
}

/// Says whether an address leads anywhere.
pub trait Lookout {
    /// Looks where an address leads, as it is spelled.
    fn look(&self, address: &str) -> Sight;
}

/// Whether an address leads anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It does.
    There,
    /// It does not.
    Missing,
    /// Nobody knows: it is refused, or others would have to be asked.
    Unasked,
}

/// What makes a name a glob.
const SIGNS: [char; 4] = ['*', '?', '[', '{'];

/// Takes the paths of a call apart. There must be some; `empty` is what the caller is told where there is none.
pub fn entries(
    paths: &[String],
    look: &dyn Lookout,
    limits: &Limits,
    empty: &'static str,
) -> Result<Vec<Entry>, FindError> {
    let mut all = Vec::new();
    for path in paths {
        if path.trim().is_empty() || tidy(path, look).is_empty() {
            return Err(FindError::Empty { words: empty });
        }
        let (bytes, most) = (path.len() as u64, limits.glob_bytes);
        if bytes > most {
            return Err(FindError::LongGlob { bytes, most });
        }
        for text in expand(path, look, limits.targets)? {
            all.push(parse(&text, look)?);
        }
    }
    let (count, most) = (all.len() as u64, limits.targets);
    if all.is_empty() {
        return Err(FindError::Empty { words: empty });
    }
    if count > most {
        return Err(FindError::TooMany { count, most });
    }
    Ok(all)
}

/// Opens the entries. Of several, those that are missing are left out and given by name; when all are, that is the failure. One alone
/// fails as it does.
pub fn open_all<T>(
    entries: &[Entry],
    mut open: impl FnMut(&Entry) -> Result<T, Fault>,
) -> Result<(Vec<T>, Vec<String>), Fault> {
    let (mut opened, mut missing) = (Vec::new(), Vec::new());
    for entry in entries {
        match open(entry) {
            Ok(one) => opened.push(one),
            Err(fault) if entries.len() > 1 && fault.class() == Class::Missing => missing.push(entry.text.clone()),
            Err(fault) => return Err(fault),
        }
    }
    if opened.is_empty() {
        return Err(Box::new(FindError::NotFound { paths: missing, next: Vec::new() }));
    }
    Ok((opened, missing))
}

/// The paths that a text stands for: itself, unless several were joined by commas, semicolons or blanks. What exists stays whole. A
/// text is split at commas and semicolons where one of the parts exists, and at blanks where all of them do; of a glob, the directory
/// that it starts from must exist. `most` is how many parts there may be.
pub fn expand(text: &str, look: &dyn Lookout, most: u64) -> Result<Vec<String>, FindError> {
    let text = tidy(text, look);
    if scheme(&text).is_none() {
        for joined in [Joined::Signs, Joined::Blanks] {
            let parts = joined.parts(&text);
            if parts.len() < 2 || joined.is_in_name(&text, look) {
                continue;
            }
            if parts.len() as u64 > most {
                return Err(FindError::TooMany { count: parts.len() as u64, most });
            }
            if joined.accepts(&parts, look) {
                let all = parts.iter().map(|part| expand(part, look, most)).collect::<Result<Vec<_>, _>>()?;
                return Ok(all.concat());
            }
        }
    }
    Ok(vec![text.into_owned()])
}

/// What several paths were joined by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// Commas and semicolons.
    Signs,
    /// Blanks.
    Blanks,
}

impl Joined {
    fn is_between(self, sign: char) -> bool {
        match self {
            Self::Signs => sign == ',' || sign == ';',
            Self::Blanks => sign.is_whitespace(),
        }
    }

    /// The parts of a text; what stands in brackets or braces is one.
    fn parts(self, text: &str) -> Vec<&str> {
        let (mut parts, mut start, mut braces, mut class) = (Vec::new(), 0, 0_usize, false);
        let (classes, groups) = (text.rfind(']').unwrap_or(0), text.rfind('}').unwrap_or(0));
        for (at, sign) in text.char_indices() {
            match sign {
                '[' if at < classes => class = true,
                ']' => class = false,
                '{' if at < groups => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                sign if self.is_between(sign) && braces == 0 && !class => {
                    parts.extend(text.get(start..at));
                    start = at + sign.len_utf8();
                }
                _ => {}
            }
        }
        parts.extend(text.get(start..));
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// Whether what would be split is in the name of something that exists.
    fn is_in_name(self, text: &str, look: &dyn Lookout) -> bool {
        let base = if is_glob(text) { split(text, look).0 } else { Cow::Borrowed(text) };
        base.contains(|sign| self.is_between(sign)) && look.look(&base) == Sight::There
    }

    /// Whether the parts are paths. The working directory, from which a bare glob starts, is always there and proves nothing.
    fn accepts(self, parts: &[&str], look: &dyn Lookout) -> bool {
        let named: Vec<Cow<'_, str>> =
            parts.iter().map(|part| tidy(part, look)).filter(|part| !is_bare(part)).collect();
        let there = |part: &Cow<'_, str>| {
            let base = if is_glob(part) { split(part, look).0 } else { Cow::Borrowed(&**part) };
            look.look(&base) != Sight::Missing
        };
        match self {
            Self::Signs => named.is_empty() || named.iter().any(there),
            Self::Blanks => named.iter().all(there),
        }
    }
}

/// A path without blanks and quotes around it.
fn tidy<'a>(text: &'a str, look: &dyn Lookout) -> Cow<'a, str> {
    let text = text.trim();
    for quote in ['"', '\'', '`'] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        let inner = inner.filter(|inner| !inner.contains(quote));
        if let Some(inner) = inner.filter(|_| look.look(text) != Sight::There) {
            return Cow::Borrowed(inner.trim());
        }
    }
    Cow::Borrowed(text)
}

/// Parts a path into the directory that it starts from and the names that are meant below it.
///
/// Without a sign such as `*` it is an address. A sign in the first name means any directory below: `*.ts` is `**/*.ts` from the working
/// directory. Later ones mean what they say: `src/*.ts` is `*.ts` from `src`. Names that exist as they are spelled belong to the base,
/// signs or not. Backslashes are slashes unless such a name exists.
pub fn parse(text: &str, look: &dyn Lookout) -> Result<Entry, FindError> {
    let entry = |base: Cow<'_, str>, glob| Entry { text: text.to_owned(), base: base.into_owned(), glob };
    if let Some(scheme) = scheme(text) {
        let rest = text.get(scheme.len()..).unwrap_or_default();
        return if !is_web(text) && has_signs(rest) {
            Err(FindError::InternalGlob { address: text.to_owned() })
        } else {
            Ok(entry(Cow::Borrowed(text), None))
        };
    }
    let slashed = slashed(text, look);
    if !is_glob(&slashed) || look.look(&slashed) == Sight::There {
        return Ok(entry(slashed, None));
    }
    let (base, glob) = split(&slashed, look);
    let glob = glob.replace('\\', "/");
    Ok(entry(base, Some(glob)))
}

/// The scheme of an address, unless it is that of files.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let known = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|sign| sign.is_ascii_alphanumeric() || "+-".contains(sign));
    (known && !scheme.eq_ignore_ascii_case("file")).then_some(scheme)
}

fn is_glob(text: &str) -> bool {
    scheme(text).is_none() && text.contains(SIGNS)
}

/// Whether an address with a scheme holds signs of a glob; a question mark may begin a query.
fn has_signs(rest: &str) -> bool {
    let query = rest.split_once('?').is_none_or(|(_, query)| query.contains('='));
    rest.contains(['*', '[', '{']) || !query
}

/// Whether a glob starts from the working directory, so that its base says nothing.
fn is_bare(text: &str) -> bool {
    is_glob(text) && text.split('/').next().is_some_and(|first| first.contains(SIGNS))
}

/// A path with slashes for its backslashes, unless these belong to a name.
fn slashed<'a>(text: &'a str, look: &dyn Lookout) -> Cow<'a, str> {
    let named = || {
        let base = if is_glob(text) { split(text, look).0 } else { Cow::Borrowed(text) };
        base.contains('\\') && look.look(&base) == Sight::There
    };
    if !text.contains('\\') || named() { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\\', "/")) }
}

/// The base of a glob, and the glob from there on.
fn split<'a>(text: &'a str, look: &dyn Lookout) -> (Cow<'a, str>, Cow<'a, str>) {
    let mut start = 0;
    for name in text.split('/') {
        let end = start + name.len();
        let there = || text.get(..end).is_some_and(|path| look.look(path) == Sight::There);
        if name.contains(SIGNS) && !there() {
            break;
        }
        start = end + 1;
    }
    let rest = text.get(start..).unwrap_or_default();
    if let Some(colon) = archive(text, start, look) {
        let (base, glob) = text.split_at(colon + 1);
        return (Cow::Borrowed(base), Cow::Borrowed(glob));
    }
    match text.get(..start).map(|base| base.trim_end_matches('/')) {
        None => (Cow::Borrowed(text), Cow::Borrowed("")),
        Some("") if start > 0 => (Cow::Borrowed("/"), Cow::Borrowed(rest)),
        Some("") if rest.starts_with("**/") => (Cow::Borrowed("."), Cow::Borrowed(rest)),
        Some("") => (Cow::Borrowed("."), Cow::Owned(format!("**/{rest}"))),
        Some(base) => (Cow::Borrowed(base), Cow::Borrowed(rest)),
    }
}

/// The colon behind a file that exists, when the first sign of a glob stands behind it: `a.zip:*.ts`.
fn archive(text: &str, start: usize, look: &dyn Lookout) -> Option<usize> {
    let sign = start + text.get(start..)?.find(SIGNS)?;
    let colon = start + text.get(start..sign)?.rfind(':')?;
    let file = text.get(..colon).filter(|file| !file.is_empty())?;
    (look.look(file) == Sight::There).then_some(colon)
}
