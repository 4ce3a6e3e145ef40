//! `artifact://`: texts of which a reply showed a part.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, Memory, Stamp, Web};
use readstone_source::{Alone, Drawer, Finding, Nature, Opening, Piece, Scheme, Sourced, version_of};
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::list::{List, bytes};
use crate::near::missing;

/// Artifacts whose first lines are shown.
const MOST_LISTED: usize = 1_000;

/// How the head of a record begins.
const MARK: &[u8] = b"{\"readstone-artifact\":";
/// Bytes of a head.
const MOST_HEAD: usize = 64 * 1024;

/// A text of which a reply showed a part, as a session keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArtifactRecord {
    /// The text.
    pub text: Vec<u8>,
    /// Where it came from, when others wrote it.
    pub from: Option<Provenance>,
}

/// Where a text of others came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The address that answered.
    pub url: String,
    /// Whose words these are: the host, or the server that holds a resource.
    pub origin: String,
    /// The type that the server named.
    pub content_type: Option<String>,
}

/// The line before the text.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    #[serde(rename = "readstone-artifact")]
    version: u32,
    from: Option<Provenance>,
}

impl ArtifactRecord {
    /// The bytes under which a session keeps it.
    pub fn into_bytes(self) -> Vec<u8> {
        // A text that begins like a head gets one, so that it is not taken for one.
        if self.from.is_none() && !self.text.starts_with(MARK) {
            return self.text;
        }
        let mut bytes = serde_json::to_vec(&Head { version: 1, from: self.from }).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.text);
        bytes
    }

    /// The record that bytes are; without a head they are the text.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        let head = bytes.get(..bytes.len().min(MOST_HEAD)).filter(|head| head.starts_with(MARK));
        let end = head.and_then(|head| head.iter().position(|byte| *byte == b'\n'));
        let parsed = |end: usize| serde_json::from_slice::<Head>(bytes.get(..end)?).ok().map(|head| (head, end));
        match end.and_then(parsed) {
            Some((head, end)) => Self { text: bytes.get(end + 1..).unwrap_or_default().to_vec(), from: head.from },
            None => Self { text: bytes, from: None },
        }
    }
}

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
            Some(bytes) => Ok(piece(&asked, ArtifactRecord::of_bytes(bytes))),
            None => Err(missing(&asked, asked.path, || drawers.names(Drawer::Artifacts))),
        }
    }
}

fn piece(asked: &Asked<'_>, ArtifactRecord { text, from }: ArtifactRecord) -> Sourced {
    let stamp = Some(Stamp::of_content(&version_of(&text), text.len() as u64));
    let (path, name) = (asked.at(asked.path), format!("{}.txt", asked.path));
    let piece = Piece { blob: Arc::new(Memory::new(text)), path, name, stamp, beside: Arc::new(Alone) };
    let web = from.map(|from| Web {
        url: asked.at(asked.path),
        final_url: from.url,
        content_type: from.content_type,
        method: "artifact",
        origin: from.origin,
        notes: Vec::new(),
        title: None,
        own: None,
        fence: String::new(),
    });
    Sourced { web, ..asked.found(asked.path, Finding::Piece(piece), Nature::Fixed) }
}

fn list(asked: &Asked<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
    let mut list = List::or("nothing is kept yet");
    let names = opening.beyond.drawers.names(Drawer::Artifacts);
    for (number, name) in names.iter().enumerate() {
        opening.budget.check().map_err(|_| super::late(asked))?;
        // The newest stand at the end; of the oldest of very many nothing but the name is told.
        let near = number + MOST_LISTED >= names.len();
        let kept = near.then(|| opening.beyond.drawers.get(Drawer::Artifacts, name)).flatten();
        list.push(&asked.at(name), &kept.map(ArtifactRecord::of_bytes).as_ref().map_or_else(String::new, about));
    }
    Ok(list.sourced(asked, ""))
}

/// The size of a text, and its first line; of a text of others nothing but where it came from.
fn about(record: &ArtifactRecord) -> String {
    let size = bytes(record.text.len() as u64);
    if let Some(from) = &record.from {
        return format!("{size}  from {}", from.url);
    }
    let mut lines = record.text.split(|byte| *byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let head = first.get(..first.len().min(1_000)).unwrap_or(first);
    format!("{size}  {}", String::from_utf8_lossy(head))
}
