//! A reading is one way to take an address string apart.

use readstone_base::{Tag, holds};

use crate::error::Error;
use crate::selector::Selector;
use crate::url;

/// One way to read an address string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Where to look.
    pub place: Place,
    /// The version whose changes are asked for: `path#TAG`.
    pub since: Option<Tag>,
    /// What stands behind the place's colon; a query keeps its question mark.
    pub tail: Option<String>,
}

/// Where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A path, as the caller spelled it.
    Path(String),
    /// Standard input.
    Stdin,
    /// An address of the web or of another scheme.
    Url(String),
}

/// A tail begins at one of so many signs from the right, or at one of the first few: a query may hold any number of them.
const LAST_SIGNS: usize = 32;
const FIRST_SIGNS: usize = 8;
/// A name ends at one of so many colons: an address may hold any number of them, and each may cost a look.
pub const MOST_CUTS: usize = 64;

/// All readings of an address, the literal one first, then those with ever longer tails.
pub fn readings(text: &str) -> Result<Vec<Reading>, Error> {
    // A pasted header of an earlier reply is an address too; a name that begins with its sign comes first.
    match text.strip_prefix('¶').filter(|pasted| !pasted.is_empty()) {
        Some(pasted) => Ok(paths(text).chain(plain_readings(pasted)?).collect()),
        None => plain_readings(text),
    }
}

fn plain_readings(text: &str) -> Result<Vec<Reading>, Error> {
    let bad = |why| Error::BadPath { text: text.to_owned(), why };
    if text.is_empty() {
        return Err(bad("it is empty"));
    }
    if text.contains('\0') {
        return Err(bad("it holds a NUL character"));
    }
    if text == "-" || text.starts_with("-:") {
        let tail = text.strip_prefix("-:").map(str::to_owned);
        return Ok(vec![Reading { place: Place::Stdin, since: None, tail }]);
    }
    if let Some(path) = url::file_path(text) {
        return splits(path.map_err(bad)?)
            .map(|(head, since, tail)| {
                let place = url::decode(head).map_err(bad)?;
                Ok(Reading { place: Place::Path(place), since, tail: tail.map(str::to_owned) })
            })
            .collect();
    }
    if url::has_scheme(text) {
        return Ok(if url::is_web(text) { vec![web(text)] } else { internal(text).collect() });
    }
    // `www.` may begin a file name, and files win.
    Ok(paths(text).chain(url::is_bare_web(text).then(|| web(text))).collect())
}

/// The one reading of a web address: what can be a selector is one, for nobody asks a server which it is. A colon that
/// belongs to the address is written `%3A`.
fn web(text: &str) -> Reading {
    let start = url::behind_host(text);
    let ends = colons(text);
    let colons = || ends.iter().copied().filter(|at| *at > start);
    let cut = |at: usize| Some((text.get(..at)?, text.get(at + 1..)?));
    // A name inside an archive can be anything, a colon with a number behind it too.
    let inside = colons().filter_map(cut).find(|(head, _)| is_called_container(head));
    let part = || colons().filter_map(cut).find(|(head, tail)| is_part(tail) && !is_time(head, tail));
    let whole = || anchored(text, None).map_or((text, None), |(head, _, tail)| (head, tail));
    let (head, tail) = inside.or_else(part).map_or_else(whole, |(head, tail)| (head, Some(tail)));
    url_reading(head, tail)
}

/// Whether a colon in a query stands between two numbers, as in `?at=12:30`.
fn is_time(head: &str, tail: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    head.contains('?') && head.ends_with(|sign: char| sign.is_ascii_digit()) && digits(tail)
}

/// The readings of an address of another scheme: the whole, then those with ever longer tails. What lies with others is
/// asked for only where a tail can be meant; a folder can be asked for everything.
fn internal(text: &str) -> impl Iterator<Item = Reading> {
    let start = text.find("://").map_or(0, |at| at + 3);
    let is = |name: &str| text.get(..start).is_some_and(|scheme| scheme.eq_ignore_ascii_case(name));
    let far = is("mcp://");
    // Some take a query themselves.
    let asks = is("agent://") || is("readstone://");
    let meant = move |head: &str, tail: Option<&str>| tail.is_none_or(is_part) || is_called_container(head);
    let query = move |tail: Option<&str>| asks && tail.is_some_and(|tail| tail.starts_with('?'));
    let fits = move |(head, _, tail): &Split<'_>| head.len() >= start && (!far || meant(head, *tail)) && !query(*tail);
    let reading = |(head, since, tail)| Reading { since, ..url_reading(head, tail) };
    splits(text).filter(fits).map(reading)
}

fn url_reading(url: &str, tail: Option<&str>) -> Reading {
    Reading { place: Place::Url(url.to_owned()), since: None, tail: tail.map(str::to_owned) }
}

/// Whether a tail names a part of whatever it stands behind: lines, a section, pages, a crop.
fn is_part(tail: &str) -> bool {
    let pages = |text: &str| {
        let numbers = text.strip_prefix('p').unwrap_or("-");
        numbers.starts_with(|sign: char| sign.is_ascii_digit())
            && numbers.bytes().all(|sign| sign.is_ascii_digit() || b"-,".contains(&sign))
    };
    let first = tail.split(':').next().unwrap_or(tail);
    // Lines that cannot be are a selector too, and a wrong one.
    let lines = tail.contains(|sign: char| sign.is_ascii_digit())
        && tail.bytes().all(|sign| sign.is_ascii_digit() || b"L-+,.".contains(&sign));
    let known = lines || first == "info" || first.starts_with("crop=") || pages(first);
    !tail.is_empty() && (known || Selector::parse(tail).is_ok())
}

/// The readings of a string as a path.
fn paths(text: &str) -> impl Iterator<Item = Reading> {
    splits(text).map(|(head, since, tail)| Reading {
        place: Place::Path(head.to_owned()),
        since,
        tail: tail.map(str::to_owned),
    })
}

/// The address of a part of `path`.
pub fn join(path: &str, selector: &Selector) -> String {
    match selector.to_string() {
        text if text.is_empty() => path.to_owned(),
        text => format!("{path}:{text}"),
    }
}

/// A text that may have something behind a colon: the whole first, then ever shorter beginnings, each with what follows
/// it.
pub fn cuts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let cut = |(at, _)| Some((text.get(..at)?, Some(text.get(at + 1..)?)));
    std::iter::once((text, None)).chain(text.rmatch_indices(':').take(MOST_CUTS).filter_map(cut))
}

/// Where the colons of a text are, from the left; of very many the first and the last.
pub fn colons(text: &str) -> Vec<usize> {
    let first = text.match_indices(':').take(MOST_CUTS);
    let mut ends: Vec<usize> = text.rmatch_indices(':').take(MOST_CUTS).chain(first).map(|(at, _)| at).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

type Split<'a> = (&'a str, Option<Tag>, Option<&'a str>);

/// Every way to cut a path into head, tag and tail.
fn splits(text: &str) -> impl Iterator<Item = Split<'_>> {
    let sign = [':', '?'];
    let last = text.rmatch_indices(sign).take(LAST_SIGNS);
    let nearest = text.rmatch_indices(sign).nth(LAST_SIGNS - 1).map_or(0, |(at, _)| at);
    let first: Vec<_> = text.match_indices(sign).take(FIRST_SIGNS).filter(|(at, _)| *at < nearest).collect();
    let tails = last.chain(first.into_iter().rev()).filter_map(|(at, sign)| {
        let from = if sign == "?" { at } else { at + 1 };
        Some((text.get(..at)?, text.get(from..)))
    });
    std::iter::once((text, None))
        .chain(tails.filter(|(head, _)| !head.is_empty()))
        .flat_map(|(head, tail)| [Some((head, None, tail)), tagged(head, tail), anchored(head, tail)])
        .flatten()
}

fn tagged<'a>(head: &'a str, tail: Option<&'a str>) -> Option<Split<'a>> {
    let (path, tag) = head.rsplit_once('#')?;
    let tag = tag.parse().ok()?;
    (!path.is_empty()).then_some((path, Some(tag), tail))
}

/// The lines that a link to a code host names: `#L10` or `#L10-L20`.
fn anchored<'a>(head: &'a str, tail: Option<&'a str>) -> Option<Split<'a>> {
    let (path, lines) = head.rsplit_once('#')?;
    let bounded = lines.strip_prefix('L')?.split('-').all(|line| {
        let digits = line.strip_prefix('L').unwrap_or(line);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    (bounded && tail.is_none() && !path.is_empty()).then_some((path, None, Some(lines)))
}

/// Whether a name ends like that of something that holds further things.
fn is_called_container(name: &str) -> bool {
    holds(name).is_some()
}

impl Reading {
    /// Whether the place is called like something that holds further things, so that the tail may be a name in it.
    pub fn is_container(&self) -> bool {
        self.tail.is_some() && is_called_container(self.place.as_str())
    }

    /// The selector in the tail; no tail selects everything.
    pub fn selector(&self) -> Result<Selector, Error> {
        let Some(tail) = &self.tail else {
            return Ok(Selector::default());
        };
        Selector::parse(tail).map_err(|(part, problem)| Error::BadSelector {
            path: self.place.as_str().to_owned(),
            part,
            problem,
        })
    }
}

impl Place {
    /// The place as the caller spelled it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Path(text) | Self::Url(text) => text,
            Self::Stdin => "-",
        }
    }
}
