//! The sections of a document as they are shown.

use std::sync::Arc;

use readstone_base::{Budget, Fault, Limits, Note, Span, Unit, Workshop};
use readstone_convert::Wish;
use readstone_source::{Document, Section};

use super::known::{Known, Source, address};

/// Some sections of a document, made when they are asked for.
#[derive(Debug)]
pub(super) struct Sections {
    pub(super) source: Source,
    pub(super) known: Arc<Known>,
    pub(super) window: Span,
    /// The address of the window.
    pub(super) path: String,
    pub(super) works: Arc<dyn Workshop>,
    pub(super) limits: Limits,
}

impl Document for Sections {
    fn unit(&self) -> Unit {
        self.known.unit().unwrap_or(Unit::Pages)
    }

    fn count(&self) -> u64 {
        self.known.count()
    }

    fn window(&self) -> Span {
        self.window
    }

    fn sections(&self, first: u64, enough: u64, budget: &Budget) -> Result<Vec<Arc<Section>>, Fault> {
        let ready = self.known.ready(first);
        if !ready.is_empty() {
            return Ok(ready);
        }
        let wish = self.source.wish(Span::new(first, self.window.last), &self.limits);
        let wish = Wish { enough: wish.enough.max(enough), ..wish };
        let made = self.source.extend(&self.known, wish, &*self.works, budget);
        made.map_err(|error| Box::new(error) as Fault)?;
        let ready = self.known.ready(first);
        if ready.is_empty() {
            let (asked, unit, count) = (first, self.unit(), self.count());
            return Err(Box::new(super::Error::NoSection { path: self.path.clone(), asked, unit, count }));
        }
        Ok(ready)
    }

    fn address(&self, sections: Span) -> String {
        if sections == self.window { self.path.clone() } else { address(&self.source.piece.path, sections) }
    }

    fn notes(&self) -> Vec<Note> {
        self.known.notes(None)
    }
}

/// A section's text with the mark that says which it is, and a blank line behind it. Lines of the document that look
/// like a mark are told from one by a backslash.
pub(super) fn marked(unit: Option<Unit>, number: u64, name: Option<&str>, text: String) -> String {
    let Some(unit) = unit else {
        return if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
    };
    let text = text.trim_matches('\n');
    if text.is_empty() && unit != Unit::Sheets {
        return String::new();
    }
    let noun = unit.name().trim_end_matches('s');
    let mark = match (unit, name) {
        (Unit::Sheets, Some(name)) => format!("## {}\n", name.replace(['\n', '\r'], " ")),
        _ => format!("<!-- {noun} {number} -->"),
    };
    let forged = format!("<!-- {noun} ");
    let mut out = String::with_capacity(mark.len() + text.len() + 8);
    out.push_str(&mark);
    out.push('\n');
    for line in text.split_inclusive('\n') {
        if line.starts_with(&forged) {
            out.push('\\');
        }
        out.push_str(line);
    }
    if !text.is_empty() {
        out.push('\n');
    }
    out.push('\n');
    out
}
