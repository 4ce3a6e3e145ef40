//! Lines by their numbers: pages, ranges with context, several ranges, the surroundings of a place.

use readstone_address::{Select, Slice};
use readstone_base::{Block, Coverage, Label, Note, Span, Unit, plain_words};
use readstone_source::Found;

use crate::compose::{Composer, Edge, Piece, Role, Took};
use crate::error::Error;
use crate::reader::{Ending, Line, LineReader};
use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// Which lines to show, and how.
#[derive(Clone, Debug)]
struct Plan {
    spans: Vec<Span>,
    before: u64,
    after: u64,
    column: Option<(u64, u64)>,
}

/// How a run of lines ended.
pub(crate) enum Run {
    /// All of them are shown; the next line is this one.
    Done(u64),
    /// There was no room for this line, by this limit.
    Full(u64, &'static str),
    /// The text ends; it has this many lines.
    End(u64),
    /// The system refused to read on at this line.
    Broken(u64, Note),
}

/// Shows lines.
pub(crate) fn show(text: &mut Text<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let plan = plan(ask);
    let left = room(ask, &plan.spans);
    let chars = usize::try_from(ask.limits.line_chars).unwrap_or(usize::MAX);
    let mut composer = Composer::new(ask, text.coding.clone(), left, chars);
    composer.rows.reserve(usize::try_from(ask.limits.page_bytes.min(text.size)).unwrap_or(0));
    let first = plan.spans.first().map_or(1, |span| span.first);
    if let Found::Only(total) = text.find(ask, first)? {
        return Ok(past_end(ask, plan.column.map_or(first, |(line, _)| line), total));
    }
    let end = run_spans(text, ask, &plan, &mut composer)?;
    if let Run::Done(next) = end
        && plan.after > 0
    {
        let after = Span::new(next, next.saturating_add(plan.after - 1));
        let context = run(text, ask, after, Role::Context, &mut composer)?;
        let context = settle(context, &composer, next);
        prepend_context(text, ask, &plan, &mut composer);
        return Ok(finish(ask, &plan, composer, context));
    }
    prepend_context(text, ask, &plan, &mut composer);
    Ok(finish(ask, &plan, composer, end))
}

/// A context that did not fit ends the page where it ended, without complaint; a context line that was cut is shown
/// again in full, so the page goes on there.
fn settle(run: Run, composer: &Composer<'_>, next: u64) -> Run {
    let cut = composer.rows.iter().filter(|row| row.cut.is_some()).find_map(|row| match row.label {
        Label::Line(number) if number >= next => Some(number),
        Label::Line(_) | Label::Byte(_) | Label::Gone(_) | Label::Lines(_) => None,
    });
    if let Some(line) = cut {
        return Run::Done(line);
    }
    match run {
        Run::Full(..) | Run::Broken(..) => {
            let last = composer.tally.context.last().map_or(next, |span| span.last + 1);
            Run::Done(last)
        }
        Run::Done(_) | Run::End(_) => run,
    }
}

fn plan(ask: &Ask<'_>) -> Plan {
    let open = |first| Span::new(first, u64::MAX);
    let plain = |spans| Plan { spans, before: 0, after: 0, column: None };
    match &ask.selector.select {
        Select::From(line) => plain(vec![open(*line)]),
        Select::Many(spans) => plain(spans.clone()),
        Select::Range(span) => {
            Plan { before: ask.limits.context_before, after: ask.limits.context_after, ..plain(vec![*span]) }
        }
        Select::Around { line, column } => {
            let reach = ask.limits.around_lines;
            let span = Span::new(line.saturating_sub(reach).max(1), line.saturating_add(reach));
            Plan { column: Some((*line, *column)), ..plain(vec![span]) }
        }
        Select::All
        | Select::Last(_)
        | Select::Window { .. }
        | Select::Symbol(_)
        | Select::Block { .. }
        | Select::Rest { .. } => plain(vec![open(1)]),
    }
}

/// The room of a page: the default page for open ends, more bytes for ranges of many lines.
pub(crate) fn room(ask: &Ask<'_>, spans: &[Span]) -> Left {
    let limits = ask.limits;
    let open = spans.iter().any(|span| span.last == u64::MAX);
    if open {
        return Left::new((limits.page_lines, "page_lines"), (limits.page_bytes, "page_bytes"), ask.room);
    }
    let lines = spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.count())).min(limits.range_lines);
    let bytes = limits.page_bytes.max(lines.saturating_mul(limits.range_line_bytes));
    Left::new((limits.range_lines, "range_lines"), (bytes, "page_bytes"), ask.room)
}

fn run_spans(text: &mut Text<'_>, ask: &Ask<'_>, plan: &Plan, composer: &mut Composer<'_>) -> Result<Run, Error> {
    let mut end = Run::Done(1);
    for span in &plan.spans {
        end = match plan.column {
            Some((line, column)) => run_around(text, ask, (*span, line, column), composer)?,
            None => run(text, ask, *span, Role::Shown, composer)?,
        };
        match end {
            Run::Done(_) => {}
            Run::Full(..) | Run::End(_) | Run::Broken(..) => break,
        }
    }
    Ok(end)
}

/// Shows a run of lines, as far as there is room.
pub(crate) fn run(
    text: &mut Text<'_>,
    ask: &Ask<'_>,
    span: Span,
    role: Role,
    composer: &mut Composer<'_>,
) -> Result<Run, Error> {
    match text.find(ask, span.first)? {
        Found::At(offset) => run_from(text, ask, (span, offset), role, composer),
        Found::Only(total) => Ok(Run::End(total)),
    }
}

/// Shows a run of lines of which it is known where the first begins.
pub(crate) fn run_from(
    text: &Text<'_>,
    ask: &Ask<'_>,
    (span, offset): (Span, u64),
    role: Role,
    composer: &mut Composer<'_>,
) -> Result<Run, Error> {
    let mut reader = LineReader::new(text, ask, offset, text.size);
    let mut number = span.first;
    while number <= span.last {
        if reader.offset() >= text.size && composer.closed != Some("line_scan_bytes") {
            return Ok(Run::End(number - 1));
        }
        if role == Role::Shown
            && let Err(limit) = composer.closed.map_or_else(|| composer.left.line(), Err)
        {
            return Ok(Run::Full(number, limit));
        }
        let at = reader.offset();
        match reader.next(composer.held_bytes()) {
            Ok(Some(line)) => {
                if let Took::Refused(limit) = composer.take(&line, Piece::line(number, role)) {
                    return Ok(Run::Full(number, limit));
                }
            }
            Ok(None) => return Ok(Run::End(number - 1)),
            Err(cause) if composer.rows.is_empty() => return Err(ask.io(cause)),
            Err(cause) => return Ok(Run::Broken(number, Note::Partial { offset: at, cause: plain_words(&cause) })),
        }
        number += 1;
    }
    let at_end = composer.closed != Some("line_scan_bytes") && reader.offset() >= text.size;
    Ok(if at_end { Run::End(number - 1) } else { Run::Done(number) })
}

/// Shows lines around a place; a line too long to show is shown around its column.
fn run_around(
    text: &mut Text<'_>,
    ask: &Ask<'_>,
    place: (Span, u64, u64),
    composer: &mut Composer<'_>,
) -> Result<Run, Error> {
    let (span, line, column) = place;
    let Found::At(start) = text.find(ask, line)? else {
        return run(text, ask, span, Role::Shown, composer);
    };
    let chars = ask.limits.line_chars;
    let mut reader = LineReader::new(text, ask, start, text.size);
    let held = reader.next(composer.held_bytes()).map_err(|cause| ask.io(cause))?;
    let end = held.as_ref().and_then(|line| line.end);
    let whole = held.filter(|line| line.end == Some(line.start + line.bytes.len() as u64));
    let long = whole.is_none_or(|line| text.coding.decode(line.bytes).text.chars().count() as u64 > chars);
    if !long || column <= chars / 2 {
        return run(text, ask, span, Role::Shown, composer);
    }
    if line > span.first {
        let before = run(text, ask, Span::new(span.first, line - 1), Role::Shown, composer)?;
        match before {
            Run::Done(_) => {}
            Run::Full(..) | Run::End(_) | Run::Broken(..) => return Ok(before),
        }
    }
    if let Took::Refused(limit) = show_column(text, ask, (line, start, end), column, composer)? {
        return Ok(Run::Full(line, limit));
    }
    if line >= span.last {
        return Ok(Run::Done(line + 1));
    }
    run(text, ask, Span::new(line + 1, span.last), Role::Shown, composer)
}

fn show_column(
    text: &Text<'_>,
    ask: &Ask<'_>,
    place: (u64, u64, Option<u64>),
    column: u64,
    composer: &mut Composer<'_>,
) -> Result<Took, Error> {
    let (number, start, end) = place;
    if let Err(limit) = composer.left.line() {
        return Ok(Took::Refused(limit));
    }
    let width = text.newline().width() as u64;
    let chars = ask.limits.line_chars;
    let line_end = end.unwrap_or(text.size);
    let wanted = start.saturating_add((column - 1).saturating_sub(chars / 2).saturating_mul(width));
    // A column behind the end shows the end.
    let wanted = wanted.min(line_end.saturating_sub(chars.saturating_mul(width)).max(start));
    let from = crate::window::character_start(text, ask, start, wanted)?;
    let to = line_end.min(from.saturating_add(chars.saturating_mul(width)));
    let to = if to < line_end { crate::window::slice_end(text, ask, from, to)? } else { to };
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(0)];
    let count = text.blob.read_at(from, &mut bytes).map_err(|cause| ask.io(cause))?;
    let slice = bytes.get(..count).unwrap_or_default();
    let shown = slice.len();
    let after = end.map(|end| end.saturating_sub(from + shown as u64));
    let piece = Piece {
        label: Label::Line(number),
        role: Role::Shown,
        before: Edge::Inside(Some(from - start)),
        after: Edge::Inside(after),
    };
    let end = Some(from + shown as u64);
    let line = Line { start: from, bytes: slice, whole: None, end, next: None, ending: Ending::Inside };
    if let refused @ Took::Refused(_) = composer.take(&line, piece) {
        return Ok(refused);
    }
    let rest = Slice { start: from + shown as u64, count: after };
    let sides = [rest, Slice { start, count: Some(from - start) }];
    composer.rests.extend(sides.into_iter().filter(|slice| slice.count != Some(0)));
    Ok(Took::Row)
}

fn prepend_context(text: &mut Text<'_>, ask: &Ask<'_>, plan: &Plan, composer: &mut Composer<'_>) {
    let Some(first) = plan.spans.first().map(|span| span.first).filter(|first| plan.before > 0 && *first > 1) else {
        return;
    };
    let rows = std::mem::take(&mut composer.rows);
    let before = Span::new(first.saturating_sub(plan.before).max(1), first - 1);
    // A context that cannot be read or does not fit is left out.
    drop(run(text, ask, before, Role::Context, composer));
    composer.rows.append(&rows);
    composer.tally.context.sort_unstable();
}

fn finish(ask: &Ask<'_>, plan: &Plan, composer: Composer<'_>, end: Run) -> Sheet {
    let mut coverage = Coverage { unit: Unit::Lines, ..Coverage::default() };
    let mut notes = composer.tally.notes();
    let mut ahead = Vec::new();
    match end {
        Run::Done(next) => ahead.push(Span::new(next, u64::MAX)),
        Run::Full(line, limit) => {
            coverage.cut_by = Some(limit);
            ahead = remaining(&plan.spans, line);
        }
        Run::Broken(line, note) => {
            notes.push(note);
            ahead = remaining(&plan.spans, line);
        }
        Run::End(total) => {
            coverage.total.lines = Some(total);
            if let Some((line, _)) = plan.column.filter(|(line, _)| *line > total) {
                notes.push(Note::PastEnd { asked: line });
            }
            if composer.tally.open_end {
                notes.push(Note::NoFinalNewline);
            }
        }
    }
    if coverage.cut_by.is_none() && !composer.rests.is_empty() {
        coverage.cut_by = composer.lack.or(Some("line_chars"));
    }
    coverage.next = follow(composer.rests.clone(), ahead).map(|select| ask.next(select));
    let all = coverage.total.lines.is_some_and(|total| composer.tally.shown == [Span::new(1, total)]);
    coverage.complete = all && coverage.next.is_none() && composer.rows.iter().all(|row| row.cut.is_none());
    coverage.shown = composer.tally.shown;
    coverage.context = composer.tally.context;
    Sheet { blocks: vec![Block::Rows(composer.rows)], coverage, notes }
}

/// The spans from `line` on.
fn remaining(spans: &[Span], line: u64) -> Vec<Span> {
    let later = spans.iter().filter(|span| span.last >= line);
    later.map(|span| Span::new(span.first.max(line), span.last)).collect()
}

/// The selection of what a page left out.
pub(crate) fn follow(slices: Vec<Slice>, ahead: Vec<Span>) -> Option<Select> {
    // An open end already covers what follows.
    let open = slices.iter().any(|slice| slice.count.is_none());
    let lines = if open { Vec::new() } else { ahead };
    match (slices.is_empty(), lines.as_slice()) {
        (true, []) => None,
        (true, [span]) if span.last == u64::MAX => Some(Select::From(span.first)),
        (true, _) => Some(Select::Many(lines)),
        (false, _) => Some(Select::Rest { slices, lines }),
    }
}

/// The answer to lines behind the end: how many there are, and the last of them.
pub(crate) fn past_end(ask: &Ask<'_>, asked: u64, total: u64) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.coverage.total.lines = Some(total);
    sheet.coverage.complete = total == 0;
    if total > 0 {
        sheet.notes.push(Note::PastEnd { asked });
        sheet.coverage.next = Some(ask.next(Select::From(total)));
    }
    sheet
}
