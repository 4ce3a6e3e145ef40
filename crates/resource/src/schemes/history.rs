//! `history://`: transcripts that others left in the session's folder.

use std::path::PathBuf;
use std::sync::Arc;

use readstone_address::{Mode, Reading, Selector};
use readstone_base::{Fault, Memory, Note};
use readstone_host::{Object, Opened};
use readstone_source::{Finding, Nature, Opening, Scheme, Sourced};

use super::session_folder;
use crate::asked::Asked;
use crate::folder::{Folder, with_ending};
use crate::list::{self, List, bytes};
use crate::near::missing;
use crate::places::Guarded;
use crate::transcript::transcript;

/// How the names of transcripts end.
const ENDING: &str = ".jsonl";
/// Where transcripts lie in the folder of the session.
const FOLDERS: [&str; 2] = ["", "history"];

/// Transcripts.
#[derive(Debug)]
pub(super) struct History {
    pub(super) places: Arc<Guarded>,
}

impl Scheme for History {
    fn name(&self) -> &'static str {
        "history"
    }

    fn form(&self) -> &'static str {
        "history://[ID[:/LINE/POINTER]]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let mut asked = Asked::of(self, rest, reading);
        // No name holds a slash, so what begins with one behind a colon is the pointer of a value.
        if let (None, Some((id, pointer))) = (&asked.tail, asked.path.split_once(":/")) {
            asked.tail = Some(format!("/{pointer}"));
            asked.path = id;
        }
        let folder = session_folder(&self.places, &asked, opening)?;
        if asked.path.is_empty() {
            let mut list = List::or("no transcript is kept in the session folder");
            for (id, size) in transcripts(folder.as_ref(), opening) {
                list.push(&asked.at(&id), &bytes(size));
            }
            return Ok(list.sourced(&asked, ""));
        }
        let id = asked.path.strip_suffix(ENDING).unwrap_or(asked.path);
        let Some(opened) = find(&asked, folder.as_ref(), id, opening)? else {
            let known = || transcripts(folder.as_ref(), opening).into_iter().map(|(id, _)| id).collect();
            return Err(missing(&asked, id, known));
        };
        if wants_file(asked.tail.as_deref()) {
            return Ok(asked.found(&format!("{id}{ENDING}"), Finding::Opened(opened), Nature::Fixed));
        }
        let Opened { object: Object::File { blob, .. }, real, secret } = opened else {
            return Err(missing(&asked, id, Vec::new));
        };
        let failed = |cause| asked.refused(readstone_host::Error::from_io(asked.address, cause));
        let made = transcript(asked.at(id), &*blob, opening).map_err(failed)?;
        if made.cut.is_some() {
            // What was made is not all, as of a stream: its lines are no total.
            let blob = Arc::new(Memory::new(made.text.into_bytes()));
            let opened = Opened { object: Object::File { blob, cut: made.cut }, real, secret };
            return Ok(asked.found(id, Finding::Opened(opened), Nature::Fixed));
        }
        let mut found = list::text(&asked, id, made.text);
        found.notes.extend(secret.map(|rule| Note::Secret { rule }));
        Ok(found)
    }
}

/// Whether a tail asks for the file itself, or for a value in it.
fn wants_file(tail: Option<&str>) -> bool {
    tail.is_some_and(|tail| match Selector::parse(tail) {
        Ok(selector) => matches!(selector.mode, Mode::Raw | Mode::Hex | Mode::Source),
        Err(_) => tail.starts_with('/'),
    })
}

fn find(asked: &Asked<'_>, folder: Option<&Folder>, id: &str, opening: &Opening<'_>) -> Result<Option<Opened>, Fault> {
    let names = asked.names(id)?;
    let Some(folder) = folder else {
        return Ok(None);
    };
    let file = |above: &str, name: &PathBuf| with_ending(PathBuf::from(above).join(name), ENDING);
    let paths = FOLDERS.iter().flat_map(|above| names.iter().map(|name| file(above, name)));
    Ok(folder.first(asked, paths, opening)?.map(|(_, opened)| opened))
}

/// The transcripts there are, with their sizes.
fn transcripts(folder: Option<&Folder>, opening: &Opening<'_>) -> Vec<(String, u64)> {
    let Some(folder) = folder else {
        return Vec::new();
    };
    let mut all: Vec<(String, u64)> =
        FOLDERS.iter().flat_map(|path| folder.stems(path.as_ref(), &[ENDING], opening)).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all
}
