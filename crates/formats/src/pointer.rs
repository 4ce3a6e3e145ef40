//! Values in JSON by pointer: `x.json:/a/0`, as RFC 6901 writes it.
//!
//! The file is read once from its beginning to its end and never held: only the value that is asked for is kept. Of
//! members that share a name the last counts, as readers of JSON have it; that there were others is told. In a file of
//! one value a line the first step is the number of the line, from 0.

mod enter;
mod error;
mod find;
mod near;
mod print;
mod scan;
mod steps;
mod text;

use std::sync::Arc;

use readstone_source::{Container, Piece};

pub use enter::json_value;
pub use find::{JsonPlace, JsonValue};

/// The endings of names of files that hold one value.
const WHOLE: [&str; 4] = ["json", "geojson", "webmanifest", "map"];
/// The endings of names of files that hold a value in every line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// How the values of a file stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// There is one.
    Whole,
    /// There is one in every line.
    Lines,
}

/// A piece with the name of a JSON file, when a value in it is asked for.
pub(crate) fn container(piece: &Piece, tail: Option<&str>) -> Option<Arc<dyn Container>> {
    let asked = tail?.starts_with('/');
    layout(piece).filter(|_| asked).map(|_| Arc::new(enter::Json { piece: piece.clone() }) as Arc<dyn Container>)
}

fn layout(piece: &Piece) -> Option<Layout> {
    let (_, extension) = piece.name.rsplit_once('.')?;
    let is_one_of = |known: &[&str]| known.iter().any(|known| extension.eq_ignore_ascii_case(known));
    if is_one_of(&WHOLE) { Some(Layout::Whole) } else { is_one_of(&LINES).then_some(Layout::Lines) }
}
