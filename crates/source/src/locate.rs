//! Locating: the first reading of an address whose place exists.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use readstone_address::{Place, Problem, Reading, Selector};
use readstone_base::{Blob, Budget, Class, Failure, Fault, Guess, Image, Instead, Note, Web};
use readstone_host::{Directory, Host, Object, Opened};

use crate::content::Content;
use crate::descend::{Descent, End, descend};
use crate::error::Error;
use crate::missing::{self, Missing};
use crate::opening::{Beside, Opening, Piece};
use crate::scheme::{Finding, Nature, Sourced};
use crate::spelling::spellings;

/// What an address names, and the part of it that is asked for.
#[derive(Debug)]
pub struct Node {
    /// The address that opens it again, as the caller spelled it.
    pub path: String,
    /// The path, without links, of the file it is or lies in.
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
    /// Whether it can be edited by a tag; nothing that lies inside a file can.
    pub nature: Nature,
    /// What must be said of it.
    pub notes: Vec<Note>,
    /// Pictures that belong to it.
    pub images: Vec<Image>,
    /// Where it came from, when others wrote it.
    pub web: Option<Web>,
    /// The bytes that were piped in, of which it is a part; they cannot be read again.
    pub piped: Option<Arc<dyn Blob>>,
    /// What opened it, when that is not the host of all files.
    pub host: Option<Host>,
}

/// What a node is.
#[derive(Debug)]
pub enum Body {
    /// A file, or something like it inside one.
    File {
        /// Its bytes.
        blob: Arc<dyn Blob>,
        /// The limit that ended a stream before its end.
        cut: Option<&'static str>,
    },
    /// A directory.
    Directory(Directory),
    /// Something a container holds that is not bytes, or was made from them.
    Content(Content),
}

/// Finds what an address names; a missing path is replaced by the only one that can be meant.
pub fn locate(host: &Host, address: &str, opening: &Opening<'_>) -> Result<Node, Fault> {
    match find(host, address, opening) {
        Ok(node) => Ok(node),
        Err(Refusal::Missing(reading)) => recover(host, &reading, opening),
        Err(Refusal::Other(fault)) => open_instead(host, address, fault, opening),
    }
}

/// Opens what can only be meant by an address that leads to nothing inside a file. Standard input cannot be read twice,
/// and what was fetched is not fetched again for a guess.
fn open_instead(host: &Host, address: &str, fault: Fault, opening: &Opening<'_>) -> Result<Node, Fault> {
    let is_path = |reading: &Reading| matches!(reading.place, Place::Path(_));
    let repeatable = readstone_address::readings(address).is_ok_and(|readings| readings.iter().all(is_path));
    let Some(Instead { address, guess }) = fault.instead().filter(|_| repeatable) else {
        return Err(fault);
    };
    match find(host, &address, opening) {
        Ok(node) => Ok(Node { guess: Some(guess), ..node }),
        Err(Refusal::Other(further)) => Err(further),
        Err(Refusal::Missing(_)) => Err(fault),
    }
}

/// Finds what an address names as it is spelled: nothing is guessed.
pub fn locate_exactly(host: &Host, address: &str, opening: &Opening<'_>) -> Result<Node, Fault> {
    find(host, address, opening).map_err(|refusal| match refusal {
        Refusal::Missing(reading) => {
            let path = reading.place.as_str().to_owned();
            fault(readstone_host::Error::NotFound { path, why: "" })
        }
        Refusal::Other(fault) => fault,
    })
}

/// Opens a path as it is spelled, without going into what it holds; gives it with the path that opens it again. What stands
/// behind a path, such as a selector, is taken for a part of it. Standard input has no path.
pub fn open_path(host: &Host, text: &str, budget: &Budget) -> Result<(Opened, String), Error> {
    let whole = readstone_address::readings(text)?.into_iter().next();
    let none = || readstone_host::Error::NotFound { path: text.to_owned(), why: "" };
    let place = whole.map(|reading| reading.place).filter(|place| *place != Place::Stdin);
    open(host, &place.ok_or_else(none)?, budget)
}

/// Why nothing was found.
enum Refusal {
    /// Nothing has the path of this reading, which is the one that is meant.
    Missing(Reading),
    Other(Fault),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Other(fault)
    }
}

fn find(host: &Host, address: &str, opening: &Opening<'_>) -> Result<Node, Refusal> {
    let readings = readstone_address::readings(address).map_err(fault)?;
    let mut refusals = Vec::new();
    if readings.iter().all(|reading| matches!(reading.place, Place::Url(_))) {
        return Ok(named(&readings, host, opening)?);
    }
    for reading in &readings {
        if matches!(reading.place, Place::Url(_)) {
            return Ok(sourced(reading, host, opening)?);
        }
        match open(host, &reading.place, opening.budget) {
            Ok((opened, path)) => {
                let literal = is_literal(reading, &readings);
                return Ok(Node { literal, ..node(host, reading, (opened, path), opening)? });
            }
            // A longer tail may be a query that only looks like a path leading elsewhere.
            Err(Error::Host(error)) if error.is_missing() || error.is_outside() => refusals.push(error),
            Err(error) => return Err(fault(error).into()),
        }
    }
    if let Some(at) = refusals.iter().position(readstone_host::Error::is_outside) {
        return Err(fault(refusals.swap_remove(at)).into());
    }
    // A link that leads nowhere says more than a name that is not there.
    if let Some(at) = refusals.iter().position(readstone_host::Error::is_broken_link) {
        return Err(fault(refusals.swap_remove(at)).into());
    }
    if let Some(error) = bad_tag(host, address, opening.budget) {
        return Err(fault(error).into());
    }
    let pairs: Vec<_> = readings.iter().zip(refusals).rev().collect();
    let holder = pairs.iter().position(|(reading, _)| reading.is_container());
    let meant = holder.or_else(|| pairs.iter().position(|(reading, _)| reading.selector().is_ok()));
    match meant.and_then(|at| pairs.into_iter().nth(at)) {
        Some((reading, readstone_host::Error::NotFound { .. })) => Err(Refusal::Missing(reading.clone())),
        Some((_, error)) => Err(fault(error).into()),
        None => Err(fault(readstone_host::Error::NotFound { path: address.to_owned(), why: "" }).into()),
    }
}

/// What an address with a scheme names: the first reading that leads somewhere.
fn named(readings: &[Reading], host: &Host, opening: &Opening<'_>) -> Result<Node, Fault> {
    let mut refusal = None;
    for reading in readings {
        match sourced(reading, host, opening) {
            Err(fault) if fault.class() == Class::Missing || fault.may_be_longer() => {
                // What is said of the address without its selector helps more than what is said of all of it.
                if refusal.is_none() || reading.selector().is_ok() {
                    refusal = Some(fault);
                }
            }
            Ok(node) => return Ok(Node { literal: is_literal(reading, readings), ..node }),
            Err(fault) => return Err(fault),
        }
    }
    let none = || fault(readstone_host::Error::NotFound { path: String::new(), why: "" });
    Err(refusal.unwrap_or_else(none))
}

fn sourced(reading: &Reading, host: &Host, opening: &Opening<'_>) -> Result<Node, Fault> {
    let Sourced { path, found, tail, nature, notes, web, host: own } = opening.beyond.sources.open(reading, opening)?;
    let reading = Reading { tail, ..reading.clone() };
    let mut node = match found {
        Finding::Opened(opened) => node(own.as_ref().unwrap_or(host), &reading, (opened, path), opening)?,
        Finding::Piece(piece) => {
            let found = descend(piece, reading.tail.as_deref(), opening)?;
            reached(found, None)
        }
        Finding::Content(content) => {
            let selector = reading.selector().map_err(fault)?;
            Node { selector, ..Node::bare(Body::Content(content), path) }
        }
    };
    if nature != Nature::Editable {
        node.nature = nature;
    }
    node.notes.splice(0..0, notes);
    node.web = web;
    node.host = own;
    Ok(node)
}

fn fault(error: impl Failure + 'static) -> Fault {
    Box::new(error)
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

/// What was opened, followed to where the tail leads.
fn node(host: &Host, reading: &Reading, opened: (Opened, String), opening: &Opening<'_>) -> Result<Node, Fault> {
    let (Opened { object, real, secret }, path) = opened;
    let node = match object {
        Object::Directory(directory) => {
            let selector = reading.selector().map_err(fault)?;
            Node { selector, ..Node::bare(Body::Directory(directory), path) }
        }
        Object::File { blob, cut } => {
            let piped = (reading.place == Place::Stdin).then(|| Arc::clone(&blob));
            let piece = piece(host, &blob, path, &real, opening)?;
            Node { piped, ..reached(descend(piece, reading.tail.as_deref(), opening)?, cut) }
        }
    };
    let secret = secret.or(node.secret);
    Ok(Node { real, secret, since: reading.since, ..node })
}

/// Where a tail led in the end.
fn reached(found: Descent, cut: Option<&'static str>) -> Node {
    let body = match found.end {
        // A stream that was cut when it was read is cut for all that was made of it.
        End::Bytes(blob, further) => Body::File { blob, cut: cut.or(further) },
        End::Content(content) => Body::Content(content),
    };
    let Descent { path, selector, notes, images, inside, secret, .. } = found;
    let nature = if inside { Nature::Fixed } else { Nature::Editable };
    Node { selector, secret, nature, notes, images, ..Node::bare(body, path) }
}

impl Node {
    /// Something of which nothing else is known yet.
    fn bare(body: Body, path: String) -> Self {
        Self {
            path,
            real: PathBuf::new(),
            body,
            selector: Selector::default(),
            since: None,
            guess: None,
            secret: None,
            literal: false,
            nature: Nature::Editable,
            notes: Vec::new(),
            images: Vec::new(),
            web: None,
            piped: None,
            host: None,
        }
    }
}

/// The bytes of a file, at the beginning of the way into it.
fn piece(host: &Host, blob: &Arc<dyn Blob>, path: String, real: &Path, opening: &Opening<'_>) -> Result<Piece, Fault> {
    let failed = |cause| fault(readstone_host::Error::from_io(&path, cause));
    let stamp = blob.stamp_when_opened().map_err(failed)?;
    let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
    let beside = Arc::new(Siblings { host: host.clone(), real: real.to_owned(), budget: opening.budget.clone() });
    Ok(Piece { blob: Arc::clone(blob), name, path, stamp, beside })
}

/// The files beside a file.
struct Siblings {
    host: Host,
    real: PathBuf,
    budget: Budget,
}

impl Beside for Siblings {
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        let mut path = self.real.clone().into_os_string();
        path.push(suffix);
        match self.host.open(Path::new(&path), &self.budget) {
            Ok(Opened { object: Object::File { blob, .. }, .. }) => Ok(Some(blob)),
            Ok(Opened { object: Object::Directory(_), .. }) => Ok(None),
            // What was opened by another host has nothing beside it that this one may open.
            Err(error) if error.is_missing() || error.is_outside() => Ok(None),
            Err(error) => Err(fault(error)),
        }
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

/// A path that goes on behind a file, as if the archive were a directory.
fn through(host: &Host, reading: &Reading, opening: &Opening<'_>) -> Option<Result<Node, Fault>> {
    let asked = reading.place.as_str();
    let slashes = asked.rmatch_indices('/').filter(|(at, _)| *at > 0);
    for (at, _) in slashes {
        let (file, inside) = (asked.get(..at)?, asked.get(at + 1..)?);
        match open(host, &Place::Path(file.to_owned()), opening.budget) {
            Ok(opened @ (Opened { object: Object::File { .. }, .. }, _)) => {
                let colon = reading.tail.as_ref().map(|tail| format!(":{tail}")).unwrap_or_default();
                let tail = Some(format!("{inside}{colon}"));
                let node = match node(host, &Reading { tail, ..reading.clone() }, opened, opening) {
                    Ok(node) => node,
                    // What the file holds instead comes nearer than any other file.
                    Err(fault) if fault.class() == Class::Missing => {
                        return Some(open_instead(host, asked, fault, opening));
                    }
                    Err(_) => return None,
                };
                // Behind any other file there is nothing.
                if node.nature == Nature::Editable && !matches!(node.body, Body::Content(_)) {
                    return None;
                }
                let guess = Guess { asked: asked.to_owned(), found: node.path.clone(), how: "archive entry" };
                return Some(Ok(Node { guess: Some(guess), ..node }));
            }
            Ok(_) => return None,
            Err(_) => {}
        }
    }
    None
}

fn recover(host: &Host, reading: &Reading, opening: &Opening<'_>) -> Result<Node, Fault> {
    let asked = reading.place.as_str();
    if let Some(entered) = through(host, reading, opening) {
        return entered;
    }
    let budget = opening.budget.within(Duration::from_millis(opening.limits.suffix_ms));
    match missing::look(host, asked, &budget) {
        Missing::One { path, how } => {
            let opened = open(host, &Place::Path(path), &budget).map_err(fault)?;
            let found = opened.1.clone();
            let node = node(host, reading, opened, opening)?;
            Ok(Node { guess: Some(Guess { asked: asked.to_owned(), found, how }), ..node })
        }
        Missing::Several(fits) => {
            Err(fault(Error::Ambiguous { path: asked.to_owned(), fits, tail: reading.tail.clone() }))
        }
        Missing::None { near, above, hurried } => {
            let (path, tail) = (asked.to_owned(), reading.tail.clone());
            Err(fault(Error::NotFound { path, near, hurried, above, tail }))
        }
    }
}
