//! Finding out the structure of a text where its failure costs only that: parsers are C code, and a text can be made
//! that takes one all the memory there is.

use std::sync::Arc;

use readstone_base::{Blob, Budget, Lend, Memory, NoOutline, Pace, Spoiled, Task, Workshop};
use readstone_outline::{Chunk, Language, Outline, Unparsed, mixed, outline};

use crate::block;

/// What this kind of work is called.
const TASK: &str = "outline";
/// How a notebook is called where others name their language.
const NOTEBOOK: &str = "cells";
/// Texts up to this size take a parser so little, whatever they hold, that they are parsed where they are.
pub(crate) const SMALL: usize = 8 * 1024;
/// How often a parser that asks is let on without a look at the clock.
pub(crate) const STRIDE: u32 = 16;

/// What a text is in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tongue {
    /// A language.
    Of(Language),
    /// The cells of a notebook.
    Cells,
}

impl Tongue {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Of(language) => language.name(),
            Self::Cells => NOTEBOOK,
        }
    }

    fn named(name: &str) -> Option<Self> {
        if name == NOTEBOOK { Some(Self::Cells) } else { Language::named(name).map(Self::Of) }
    }

    fn outline(self, text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed> {
        match self {
            Self::Of(language) => outline(language, text, stop),
            Self::Cells => mixed(&cells(text), text, stop),
        }
    }
}

/// Does one piece of work of any kind there is.
pub fn work(what: &str, ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    match what {
        TASK => {}
        block::TASK => return block::work(ask, lend),
        _ => return readstone_formats::work(what, ask, lend),
    }
    let name = std::str::from_utf8(ask).map_err(|error| error.to_string())?;
    let tongue = Tongue::named(name).ok_or("there is no such language")?;
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is nothing to work on")?;
    let bytes = blob.read_range(0, blob.len().unwrap_or(0)).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    // Whoever asks ends this process when it has waited long enough.
    Ok(match tongue.outline(&text, &mut || false) {
        Ok(outline) => outline.to_bytes(),
        Err(Unparsed::Deep) => b"deep".to_vec(),
        Err(Unparsed::Stopped | Unparsed::Failed) => Vec::new(),
    })
}

/// The structure of a text, within the time of a budget.
pub(crate) fn parsed(
    tongue: Tongue,
    text: &str,
    works: &Arc<dyn Workshop>,
    time: &Budget,
) -> Result<Outline, NoOutline> {
    let slow = NoOutline::Slow("outline_ms");
    if text.len() <= SMALL || !works.is_apart() {
        let mut asked = 0_u32;
        let mut stop = || {
            asked = asked.wrapping_add(1);
            asked.is_multiple_of(STRIDE) && time.check_heavy().is_err()
        };
        return tongue.outline(text, &mut stop).map_err(|why| match why {
            Unparsed::Deep => NoOutline::Deep,
            Unparsed::Stopped => slow,
            Unparsed::Failed => NoOutline::Failed,
        });
    }
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(text.as_bytes().to_vec()));
    let ask = tongue.name().as_bytes();
    let answer = works.work(&Task { what: TASK, pace: Pace::Brief, ask, lend: Arc::new(blob) }, time);
    match answer {
        Ok(bytes) if bytes == b"deep" => Err(NoOutline::Deep),
        Ok(bytes) => Outline::from_bytes(&bytes).ok_or(NoOutline::Failed),
        Err(Spoiled::Stopped(_)) => Err(slow),
        Err(Spoiled::Limit { name, .. }) => Err(NoOutline::Costly(name)),
        Err(Spoiled::Crashed(_) | Spoiled::NotStarted(_)) => Err(NoOutline::Failed),
    }
}

/// The cells of a notebook, each in its language.
pub(crate) fn cells(text: &str) -> Vec<Chunk> {
    let chunk = |cell: readstone_formats::NotebookCell| {
        let language = match cell.kind {
            "code" => Language::named("python"),
            "markdown" => Language::named("markdown"),
            _ => None,
        };
        let name = cell.number.map(|number| format!("cell{number}")).unwrap_or_default();
        Chunk { name, language, lines: cell.lines }
    };
    readstone_formats::notebook_cells(text).into_iter().map(chunk).collect()
}
