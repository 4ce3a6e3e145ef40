//! The block that begins on a line, found where the failure of a parser costs only that.

use std::sync::Arc;

use readstone_base::{Blob, Budget, Lend, Memory, Pace, Span, Task, Workshop};
use readstone_outline::{Language, NoBlock, Unparsed, block_at};

use crate::craft::{SMALL, STRIDE};

/// What this kind of work is called.
pub(crate) const TASK: &str = "block";

/// The lines of the block that begins on a line of a text, within the time of a budget.
pub(crate) fn block(
    language: Language,
    (text, line): (&str, u64),
    works: &Arc<dyn Workshop>,
    time: &Budget,
) -> Result<Span, NoBlock> {
    if text.len() <= SMALL || !works.is_apart() {
        let mut asked = 0_u32;
        let mut stop = || {
            asked = asked.wrapping_add(1);
            asked.is_multiple_of(STRIDE) && time.check_heavy().is_err()
        };
        return block_at(language, text, line, &mut stop);
    }
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(text.as_bytes().to_vec()));
    let ask = format!("{} {line}", language.name());
    let task = Task { what: TASK, pace: Pace::Brief, ask: ask.as_bytes(), lend: Arc::new(blob) };
    let answer = works.work(&task, time).map_err(|_| NoBlock::Unparsed(Unparsed::Stopped))?;
    read(&answer).unwrap_or(Err(NoBlock::Unparsed(Unparsed::Failed)))
}

/// The same in a process of its own.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let ask = std::str::from_utf8(ask).map_err(|error| error.to_string())?;
    let (name, line) = ask.split_once(' ').ok_or("no line is named")?;
    let language = Language::named(name).ok_or("there is no such language")?;
    let line = line.parse().map_err(|_| "no line is named")?;
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is nothing to work on")?;
    let bytes = blob.read_range(0, blob.len().unwrap_or(0)).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    // Whoever asks ends this process when it has waited long enough.
    Ok(written(block_at(language, &text, line, &mut || false)).into_bytes())
}

/// An answer as a line of words and numbers.
fn written(answer: Result<Span, NoBlock>) -> String {
    let lines = |span: Option<Span>| span.map(|span| format!(" {} {}", span.first, span.last)).unwrap_or_default();
    match answer {
        Ok(span) => format!("lines{}", lines(Some(span))),
        Err(NoBlock::NoLine { lines }) => format!("no_line {lines}"),
        Err(NoBlock::Blank) => "blank".to_owned(),
        Err(NoBlock::Closing { block }) => format!("closing{}", lines(block)),
        Err(NoBlock::Nothing { around }) => format!("nothing{}", lines(around)),
        Err(NoBlock::Broken { block, line }) => format!("broken{} {line}", lines(Some(block))),
        Err(NoBlock::Unparsed(Unparsed::Deep)) => "deep".to_owned(),
        Err(NoBlock::Unparsed(Unparsed::Stopped)) => "stopped".to_owned(),
        Err(NoBlock::Unparsed(Unparsed::Failed)) => "failed".to_owned(),
    }
}

fn read(answer: &[u8]) -> Option<Result<Span, NoBlock>> {
    let mut words = std::str::from_utf8(answer).ok()?.split(' ');
    let word = words.next()?;
    let numbers: Vec<u64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    let span = match numbers.as_slice() {
        [first, last, ..] => Some(Span::new(*first, *last)),
        [_] | [] => None,
    };
    Some(Err(match (word, numbers.as_slice()) {
        ("lines", _) => return span.map(Ok),
        ("no_line", [lines]) => NoBlock::NoLine { lines: *lines },
        ("blank", _) => NoBlock::Blank,
        ("closing", _) => NoBlock::Closing { block: span },
        ("nothing", _) => NoBlock::Nothing { around: span },
        ("broken", [_, _, line]) => NoBlock::Broken { block: span?, line: *line },
        ("deep", _) => NoBlock::Unparsed(Unparsed::Deep),
        ("stopped", _) => NoBlock::Unparsed(Unparsed::Stopped),
        _ => NoBlock::Unparsed(Unparsed::Failed),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_comes_back_as_it_was_written() {
        let span = Span::new(3, 9);
        let answers = [
            Ok(span),
            Err(NoBlock::NoLine { lines: 4 }),
            Err(NoBlock::Blank),
            Err(NoBlock::Closing { block: None }),
            Err(NoBlock::Closing { block: Some(span) }),
            Err(NoBlock::Nothing { around: None }),
            Err(NoBlock::Nothing { around: Some(span) }),
            Err(NoBlock::Broken { block: span, line: 5 }),
            Err(NoBlock::Unparsed(Unparsed::Deep)),
            Err(NoBlock::Unparsed(Unparsed::Stopped)),
            Err(NoBlock::Unparsed(Unparsed::Failed)),
        ];
        for answer in answers {
            assert_eq!(read(written(answer).as_bytes()), Some(answer));
        }
        assert_eq!(read(b"lines 3"), None);
        assert_eq!(read(b"lines x y"), None);
    }
}
