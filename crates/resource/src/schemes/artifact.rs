//! `artifact://`: texts of which a reply showed a part.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, Memory, Stamp};
use readstone_source::{Alone, Drawer, Finding, Nature, Opening, Piece, Scheme, Sourced, version_of};

use crate::asked::Asked;
use crate::list::{List, bytes};
use crate::near::missing;

/// Artifacts whose first lines are shown.
const MOST_LISTED: usize = 1_000;

/// Texts of which a reply showed a part.
#[derive(Debug)]
pub(super) struct Artifact;

impl Scheme for Artifact {
    fn name(&self) -> &'static str {
        "artifact"
    }

    fn form(&self) -> &'static str {
        "artifact://[ID]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        let drawers = opening.beyond.drawers;
        if asked.path.is_empty() {
            return list(&asked, opening);
        }
        match drawers.get(Drawer::Artifacts, asked.path) {
            Some(text) => Ok(piece(&asked, text)),
            None => Err(missing(&asked, asked.path, || drawers.names(Drawer::Artifacts))),
        }
    }
}

fn piece(asked: &Asked<'_>, text: Vec<u8>) -> Sourced {
    let stamp = Some(Stamp::of_content(&version_of(&text), text.len() as u64));
    let (path, name) = (asked.at(asked.path), format!("{}.txt", asked.path));
    let piece = Piece { blob: Arc::new(Memory::new(text)), path, name, stamp, beside: Arc::new(Alone) };
    asked.found(asked.path, Finding::Piece(piece), Nature::Fixed)
}

fn list(asked: &Asked<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
    let mut list = List::or("nothing is kept yet");
    let names = opening.beyond.drawers.names(Drawer::Artifacts);
    for (number, name) in names.iter().enumerate() {
        opening.budget.check().map_err(|_| super::late(asked))?;
        // The newest stand at the end; of the oldest of very many nothing but the name is told.
        let near = number + MOST_LISTED >= names.len();
        let text = near.then(|| opening.beyond.drawers.get(Drawer::Artifacts, name)).flatten();
        let about = text.map_or_else(String::new, |text| {
            let first = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or(&[]);
            let head = first.get(..first.len().min(1_000)).unwrap_or(first);
            format!("{}  {}", bytes(text.len() as u64), String::from_utf8_lossy(head))
        });
        list.push(&asked.at(name), &about);
    }
    Ok(list.sourced(asked, ""))
}
