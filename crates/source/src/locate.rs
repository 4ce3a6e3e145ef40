//! Locating: the first reading of an address whose place exists.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use readstone_address::{Place, Problem, Reading, Selector};
use readstone_base::{Blob, Budget, Guess, Limits, escape_name, unescape_name};
use readstone_host::{Directory, Host, Object, Opened};

use crate::error::Error;
use crate::missing::{self, Missing};

/// What an address names, and the part of it that is asked for.
#[derive(Debug)]
pub struct Node {
    /// The path that opens it again, as the caller spelled it.
    pub path: String,
    /// Its path without links.
    pub real: PathBuf,
    /// What it is.
    pub body: Body,
    /// Which part is asked for.
    pub selector: Selector,
    /// The version whose changes are asked for.
    pub since: Option<readstone_base::Tag>,
    /// The missing path that this one replaces.
    pub guess: Option<Guess>,
    /// The rule for secrets of which the caller must be warned.
    pub secret: Option<String>,
    /// True when the whole string was a name although it ends like a selector.
    pub literal: bool,
}

/// What a node is.
#[derive(Debug)]
pub enum Body {
    /// A file.
    File {
        /// Its bytes.
        blob: Arc<dyn Blob>,
        /// The limit that ended a stream before its end.
        cut: Option<&'static str>,
    },
    /// A directory.
    Directory(Directory),
}

/// Finds what an address names; a missing path is replaced by the only one that can be meant.
pub fn locate(host: &Host, address: &str, limits: &Limits, budget: &Budget) -> Result<Node, Error> {
    let readings = readstone_address::readings(address)?;
    let mut refusals = Vec::new();
    for reading in &readings {
        match open(host, &reading.place, budget) {
            Ok((opened, path)) => {
                let selector = reading.selector()?;
                let literal = is_literal(reading, &readings);
                return Ok(Node { path, literal, ..node(reading, opened, selector) });
            }
            Err(Error::Host(error)) if error.is_missing() => refusals.push(error),
            Err(error) => return Err(error),
        }
    }
    // A link that leads nowhere says more than a name that is not there.
    if let Some(at) = refusals.iter().position(readstone_host::Error::is_broken_link) {
        return Err(refusals.swap_remove(at).into());
    }
    if let Some(error) = bad_tag(host, address, budget) {
        return Err(error);
    }
    let meant = readings.iter().zip(refusals).rev().find(|(reading, _)| reading.selector().is_ok());
    match meant {
        Some((reading, readstone_host::Error::NotFound { .. })) => recover(host, reading, limits, budget),
        Some((_, error)) => Err(error.into()),
        None => Err(readstone_host::Error::NotFound { path: address.to_owned(), why: "" }.into()),
    }
}

/// What is wrong with the tag on a path that exists without it.
fn bad_tag(host: &Host, address: &str, budget: &Budget) -> Option<Error> {
    let (path, part) = address.rsplit_once('#').filter(|(path, _)| !path.is_empty())?;
    let whole = readstone_address::readings(path).ok()?.into_iter().next()?;
    open(host, &whole.place, budget).ok()?;
    let (path, part) = (path.to_owned(), format!("#{part}"));
    Some(readstone_address::Error::BadSelector { path, part, problem: Problem::NotATag }.into())
}

/// Whether a name was taken literally that could also be read as a path with a selector.
fn is_literal(taken: &Reading, readings: &[Reading]) -> bool {
    let whole = taken.tail.is_none() && taken.since.is_none();
    whole && readings.iter().any(|other| other != taken && other.selector().is_ok())
}

fn node(reading: &Reading, opened: Opened, selector: Selector) -> Node {
    let body = match opened.object {
        Object::File { blob, cut } => Body::File { blob, cut },
        Object::Directory(directory) => Body::Directory(directory),
    };
    Node {
        path: reading.place.as_str().to_owned(),
        real: opened.real,
        body,
        selector,
        since: reading.since,
        guess: None,
        secret: opened.secret,
        literal: false,
    }
}

/// Opens a place; gives it with the path that opens it again.
fn open(host: &Host, place: &Place, budget: &Budget) -> Result<(Opened, String), Error> {
    match place {
        Place::Stdin => Ok((host.stdin(budget)?, "-".to_owned())),
        Place::Url(address) => Err(Error::Unsupported { address: address.clone() }),
        Place::Path(text) => {
            let mut refusal = None;
            for spelling in spellings(host, text) {
                match host.open(&spelling.path, budget) {
                    Ok(opened) => return Ok((opened, spelling.shown)),
                    Err(error) if error.is_missing() => refusal = refusal.or(Some(error)),
                    Err(error) => return Err(error.named(text).into()),
                }
            }
            let none = readstone_host::Error::NotFound { path: String::new(), why: "" };
            Err(refusal.unwrap_or(none).named(text).into())
        }
    }
}

/// A path that a text can stand for, and how it is shown.
struct Spelling {
    path: PathBuf,
    shown: String,
}

/// The paths a text can stand for: with its escapes taken away, itself, below the home directory. A shown name must
/// open its own file even where another is literally called so; that one is shown with its backslashes doubled.
fn spellings(host: &Host, text: &str) -> Vec<Spelling> {
    let as_given = |path: PathBuf| Spelling { path, shown: text.to_owned() };
    if text == "/" {
        return vec![as_given(PathBuf::from("."))];
    }
    let mut all: Vec<Spelling> = unescape_name(text).map(|name| as_given(PathBuf::from(name))).into_iter().collect();
    all.push(Spelling { path: PathBuf::from(text), shown: escape_name(OsStr::new(text)) });
    let below_home = if text == "~" { Some("") } else { text.strip_prefix("~/") };
    if let (Some(rest), Some(home)) = (below_home, host.home()) {
        all.push(as_given(home.join(rest)));
    }
    all
}

fn recover(host: &Host, reading: &Reading, limits: &Limits, budget: &Budget) -> Result<Node, Error> {
    let asked = reading.place.as_str();
    let budget = budget.within(Duration::from_millis(limits.suffix_ms));
    match missing::look(host, asked, &budget) {
        Missing::One { path, how } => {
            let (opened, path) = open(host, &Place::Path(path), &budget)?;
            let guess = Guess { asked: asked.to_owned(), found: path.clone(), how };
            let found = Reading { place: Place::Path(path), ..reading.clone() };
            Ok(Node { guess: Some(guess), ..node(&found, opened, reading.selector()?) })
        }
        Missing::Several(fits) => Err(Error::Ambiguous { path: asked.to_owned(), fits, tail: reading.tail.clone() }),
        Missing::None { near, above, hurried } => {
            Err(Error::NotFound { path: asked.to_owned(), near, hurried, above, tail: reading.tail.clone() })
        }
    }
}
