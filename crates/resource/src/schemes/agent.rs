//! `agent://`: what others left in the session's folder as their output, and values in it.

use std::path::PathBuf;
use std::sync::Arc;

use readstone_address::{Mode, Reading, Select, Selector, cuts};
use readstone_base::Fault;
use readstone_formats::JsonText;
use readstone_host::{Object, Opened};
use readstone_source::{Finding, Nature, Opening, Scheme, Sourced};

use super::session_folder;
use crate::asked::{Asked, decode};
use crate::error::Error;
use crate::extract::{self, Pick, Steps};
use crate::folder::{Folder, with_ending};
use crate::list::{self, List, bytes};
use crate::near::missing;
use crate::places::Guarded;

/// How the names of outputs end.
const ENDINGS: [&str; 3] = [".md", ".json", ".txt"];
/// Where outputs lie in the folder of the session.
const FOLDERS: [&str; 2] = ["", "agents"];

/// Outputs of others.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) places: Arc<Guarded>,
}

/// What is to be taken out of an output.
enum Wanted<'a> {
    Whole,
    /// By the names and numbers on the way.
    Path(&'a str),
    /// By a query.
    Query(&'a str),
}

impl Scheme for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn form(&self) -> &'static str {
        "agent://[ID[/PATH | ?q=QUERY]]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        let folder = session_folder(&self.places, &asked, opening)?;
        if asked.path.is_empty() {
            return Ok(list_all(&asked, folder.as_ref(), opening));
        }
        let (id, wanted) = taken_apart(&asked)?;
        let Some((name, opened)) = find(&asked, folder.as_ref(), id, opening)? else {
            let known = || outputs(folder.as_ref(), opening).into_iter().map(|(id, _)| id).collect();
            return Err(missing(&asked, id, known));
        };
        match wanted {
            Wanted::Whole => Ok(asked.found(&name, Finding::Opened(opened), Nature::Fixed)),
            Wanted::Path(_) | Wanted::Query(_) => value(&asked, id, (&wanted, opened), opening),
        }
    }
}

/// The name of an output, and what is to be taken out of it.
fn taken_apart<'a>(asked: &Asked<'a>) -> Result<(&'a str, Wanted<'a>), Fault> {
    let (path, query) = match asked.path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (asked.path, None),
    };
    let (id, inner) = path.split_once('/').unwrap_or((path, ""));
    match (inner, query.map(|query| query.strip_prefix("q="))) {
        ("", None) => Ok((id, Wanted::Whole)),
        (inner, None) => Ok((id, Wanted::Path(inner))),
        (_, Some(None)) => Err(asked.bad("the only question it takes is ?q=")),
        ("", Some(Some(query))) => Ok((id, Wanted::Query(query))),
        (_, Some(Some(_))) => Err(asked.bad("a path and ?q= cannot be combined")),
    }
}

/// An output by its name, with or without the ending of its file.
fn find(
    asked: &Asked<'_>,
    folder: Option<&Folder>,
    id: &str,
    opening: &Opening<'_>,
) -> Result<Option<(String, Opened)>, Fault> {
    let names = asked.names(id)?;
    let Some(folder) = folder else {
        return Ok(None);
    };
    let known = ENDINGS.iter().any(|ending| id.ends_with(ending));
    for above in FOLDERS {
        let whole = std::iter::once(&"").filter(|_| known);
        for ending in whole.chain(&ENDINGS) {
            let paths = names.iter().map(|name| with_ending(PathBuf::from(above).join(name), ending));
            if let Some((_, opened)) = folder.first(asked, paths, opening)?
                && matches!(opened.object, Object::File { .. })
            {
                return Ok(Some((format!("{id}{ending}"), opened)));
            }
        }
    }
    Ok(None)
}

/// Takes a value out of an output.
fn value(
    asked: &Asked<'_>,
    id: &str,
    (wanted, opened): (&Wanted<'_>, Opened),
    opening: &Opening<'_>,
) -> Result<Sourced, Fault> {
    let tail = asked.tail.as_deref().map(Selector::parse);
    if tail.is_some_and(|tail| !tail.is_ok_and(|selector| is_verbatim(&selector))) {
        return Err(Box::new(Error::Combined { address: asked.address.to_owned() }));
    }
    let whole = asked.at(id);
    let text = text_of(&whole, opened, opening)?;
    let json = JsonText::of(&text)
        .map_err(|flaw| -> Fault { Box::new(Error::NotJson { address: whole.clone(), why: flaw.to_string() }) })?;
    let picked = |wanted: &Wanted<'_>| picked(wanted, json, opening);
    let pick = match picked(wanted) {
        Ok(pick) => pick,
        Err(_) if opening.budget.check().is_err() => return Err(super::late(asked)),
        Err(why) => return Err(not_picked(asked, wanted, (&|wanted| picked(wanted).is_ok(), whole), why)),
    };
    let made = list::text(asked, asked.path, extract::shown(pick));
    Ok(Sourced { nature: Nature::Value, ..made })
}

/// The value that is asked for, its way taken literally or else with its percent-encoding taken away.
fn picked<'a>(wanted: &Wanted<'_>, json: JsonText<'a>, opening: &Opening<'_>) -> Result<Pick<'a>, String> {
    let steps = |text: &str| match wanted {
        Wanted::Whole => Ok(Steps::default()),
        Wanted::Path(_) => Ok(Steps::of_path(text)),
        Wanted::Query(_) => Steps::of_query(text),
    };
    let text = match wanted {
        Wanted::Whole => "",
        Wanted::Path(text) | Wanted::Query(text) => text,
    };
    let pick = |text: &str| extract::pick(json, &steps(text)?, opening.budget);
    pick(text).or_else(|why| decode(text).map_or(Err(why.clone()), |text| pick(&text).map_err(|_| why)))
}

/// Why there is no such value: perhaps lines were asked for behind it. `there` says whether another is.
fn not_picked(
    asked: &Asked<'_>,
    wanted: &Wanted<'_>,
    (there, whole): (&dyn Fn(&Wanted<'_>) -> bool, String),
    why: String,
) -> Fault {
    let text = match wanted {
        Wanted::Whole => "",
        Wanted::Path(text) | Wanted::Query(text) => text,
    };
    let mut colons = cuts(text).filter_map(|(head, tail)| Some((head, tail?))).take(4);
    let selected = |(head, tail): (&str, &str)| {
        let same = match wanted {
            Wanted::Whole => Wanted::Whole,
            Wanted::Path(_) => Wanted::Path(head),
            Wanted::Query(_) => Wanted::Query(head),
        };
        let selector = Selector::parse(tail).ok().filter(|_| !tail.is_empty() && there(&same))?;
        Some((selector, tail.len() + 1))
    };
    Box::new(match colons.find_map(selected) {
        // The next reading of the address has this tail.
        Some((selector, _)) if is_verbatim(&selector) => return missing(asked, asked.path, Vec::new),
        Some((_, cut)) => {
            let address = asked.address.get(..asked.address.len().saturating_sub(cut)).unwrap_or(asked.address);
            Error::Combined { address: address.to_owned() }
        }
        None => Error::Extraction { address: asked.address.to_owned(), why, whole },
    })
}

/// Whether all is asked for, without any numbers.
fn is_verbatim(selector: &Selector) -> bool {
    selector.select == Select::All && selector.mode == Mode::Raw
}

/// The text of an output that is JSON as a whole.
fn text_of(whole: &str, opened: Opened, opening: &Opening<'_>) -> Result<String, Fault> {
    let most = opening.limits.edit_bytes;
    let not_json = |why: String| -> Fault { Box::new(Error::NotJson { address: whole.to_owned(), why }) };
    let Object::File { blob, .. } = opened.object else {
        return Err(not_json("it is a directory".to_owned()));
    };
    let size = blob.len().unwrap_or(u64::MAX);
    if size > most {
        return Err(Box::new(Error::TooBig { address: whole.to_owned(), most }));
    }
    let mut bytes = blob.read_range(0, size).map_err(|cause| unreadable(whole, cause))?;
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| not_json(error.utf8_error().to_string()))
}

fn unreadable(whole: &str, cause: std::io::Error) -> Fault {
    Box::new(readstone_host::Error::from_io(whole, cause))
}

/// The outputs there are, with their sizes.
fn outputs(folder: Option<&Folder>, opening: &Opening<'_>) -> Vec<(String, u64)> {
    let Some(folder) = folder else {
        return Vec::new();
    };
    let mut all: Vec<(String, u64)> =
        FOLDERS.iter().flat_map(|path| folder.stems(path.as_ref(), &ENDINGS, opening)).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all
}

fn list_all(asked: &Asked<'_>, folder: Option<&Folder>, opening: &Opening<'_>) -> Sourced {
    let mut list = List::or("no output is kept in the session folder");
    for (id, size) in outputs(folder, opening) {
        list.push(&asked.at(&id), &bytes(size));
    }
    list.sourced(asked, "")
}
