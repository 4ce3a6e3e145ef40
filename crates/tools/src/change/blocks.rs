//! Blocks that operations name by their first lines.

use std::time::Duration;

use readstone_base::Span;
use readstone_edit::Unresolved;
use readstone_outline::{Language, NoBlock};

use super::aim::{Aim, Form};
use crate::block::block;
use crate::call::Call;
use crate::craft::cells;
use crate::structure::{language, no_language};

/// The block that begins on a line.
pub(super) fn block_of(call: &Call<'_>, aim: &Aim, text: &str, line: u64) -> Result<Span, Unresolved> {
    let time = call.budget.within(Duration::from_millis(call.limits.outline_ms));
    let unresolved = |hint: &str| Unresolved { hint: hint.to_owned() };
    if text.is_empty() {
        return Err(unresolved("the file is too large to be parsed"));
    }
    let found = match aim.form {
        Form::Text => {
            let known = language(&aim.path, text.as_bytes());
            let known = known.ok_or_else(|| unresolved(&no_language(&aim.path, text.as_bytes()).to_string()))?;
            block(known, (text, line), call.works, &time)
        }
        Form::Notebook => {
            let chunks = cells(text);
            let held = chunks.iter().find(|chunk| chunk.lines.contains(line));
            let held = held.and_then(|chunk| Some((chunk.language?, chunk.lines)));
            let (known, lines) = held.ok_or_else(|| unresolved("the line is in no cell with code"))?;
            in_cell(call, (known, text), lines, line)
        }
    };
    found.map_err(|why| match (why, following(call, aim, text, line)) {
        (NoBlock::Blank, Some(next)) => {
            unresolved(&format!("the line is blank; the next block is lines {}-{}", next.first, next.last))
        }
        (why, _) => unresolved(&hint(why)),
    })
}

/// The block that begins on the next line with something in it, where a line is blank.
fn following(call: &Call<'_>, aim: &Aim, text: &str, line: u64) -> Option<Span> {
    let behind = usize::try_from(line).ok()?;
    let is_blank = |text: &str| text.trim().is_empty();
    text.lines().nth(behind.checked_sub(1)?).filter(|own| is_blank(own))?;
    let gap = text.lines().skip(behind).take_while(|next| is_blank(next)).count();
    let next = u64::try_from(behind + gap + 1).ok()?;
    text.lines().nth(behind + gap)?;
    block_of(call, aim, text, next).ok()
}

fn in_cell(call: &Call<'_>, (known, text): (Language, &str), lines: Span, line: u64) -> Result<Span, NoBlock> {
    let time = call.budget.within(Duration::from_millis(call.limits.outline_ms));
    let before = lines.first - 1;
    let skip = usize::try_from(before).unwrap_or(usize::MAX);
    let count = usize::try_from(lines.count()).unwrap_or(usize::MAX);
    let inner: String = text.split_inclusive('\n').skip(skip).take(count).collect();
    let found = block(known, (&inner, line - before), call.works, &time)?;
    Ok(Span::new(found.first + before, found.last + before))
}

/// Why no block begins on a line, in words that lead on.
fn hint(why: NoBlock) -> String {
    let lines = |span: Span| format!("lines {}-{}", span.first, span.last);
    match why {
        NoBlock::NoLine { lines } => format!("the text has {lines} lines"),
        NoBlock::Blank => "the line is blank".to_owned(),
        NoBlock::Closing { block: Some(block) } => {
            format!("the line ends the block of {}; `block {}` names it", lines(block), block.first)
        }
        NoBlock::Closing { block: None } => "the line only closes something".to_owned(),
        NoBlock::Nothing { around: Some(around) } => {
            format!("no block begins there; around it is that of {}", lines(around))
        }
        NoBlock::Nothing { around: None } => "no block begins there".to_owned(),
        NoBlock::Broken { block, line } => {
            format!("the block of {} does not parse at line {line}", lines(block))
        }
        NoBlock::Unparsed(_) => "the file could not be parsed".to_owned(),
    }
}
