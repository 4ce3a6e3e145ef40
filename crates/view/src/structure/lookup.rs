//! From a selection to the lines it means.

use readstone_address::{Select, Selector, join};
use readstone_base::Span;

use super::{Part, Structure};
use crate::error::Error;
use crate::room::Ask;

/// Names that an error suggests.
const MOST_NEAR: usize = 2;
/// Matches that an error lists.
const MOST_MATCHES: usize = 20;

/// The lines that a selection means.
pub(super) fn part(known: &Structure<'_>, ask: &Ask<'_>) -> Result<Part, Error> {
    let total = known.lines().max(1);
    match &ask.selector.select {
        Select::Symbol(name) => symbol(known, name, ask),
        Select::Block { line, level } => block(known, (*line, *level), ask),
        other @ (Select::All
        | Select::From(_)
        | Select::Range(_)
        | Select::Many(_)
        | Select::Last(_)
        | Select::Around { .. }
        | Select::Window { .. }
        | Select::Rest { .. }) => {
            let span = other.span().unwrap_or(Span::new(1, total));
            let lines = Span::new(span.first, span.last.min(total));
            let item = known.outline.items.iter().position(|item| item.lines == lines);
            Ok(Part { lines, item: item.filter(|_| lines.count() < total) })
        }
    }
}

fn symbol(known: &Structure<'_>, name: &str, ask: &Ask<'_>) -> Result<Part, Error> {
    let outline = known.outline;
    let path = ask.path.to_owned();
    let found = outline.find(name);
    let item = |at: &usize| outline.items.get(*at);
    if let ([at], Some(only)) = (found.as_slice(), found.first().and_then(item)) {
        return Ok(Part { lines: only.lines, item: Some(*at) });
    }
    if found.is_empty() {
        let near = outline.near(name, MOST_NEAR).into_iter();
        let near = near.map(|name| join(&path, &Selector { select: Select::Symbol(name), mode: ask.selector.mode }));
        return Err(Error::NoSymbol { near: near.collect(), path, name: name.to_owned(), cut: outline.cut });
    }
    let count = found.len();
    let chain = |at: &usize| outline.chain(*at).iter().map(|item| item.label()).collect::<Vec<_>>().join(" > ");
    let told = |at: &usize| Some((item(at)?.lines, chain(at)));
    let matches = found.iter().take(MOST_MATCHES).filter_map(told).collect();
    Err(Error::ManySymbols { path, name: name.to_owned(), matches, count })
}

fn block(known: &Structure<'_>, (line, level): (u64, u64), ask: &Ask<'_>) -> Result<Part, Error> {
    let path = ask.path.to_owned();
    if line > known.lines() {
        return Err(Error::NoLine { path, line, total: known.lines() });
    }
    let around = known.outline.blocks_around(line);
    let Some(lines) = usize::try_from(level - 1).ok().and_then(|at| around.get(at)).copied() else {
        return Err(Error::NoBlock { path, line, level, found: around.len() as u64, largest: around.last().copied() });
    };
    let item = known.outline.items.iter().position(|item| item.lines == lines);
    Ok(Part { lines, item })
}
