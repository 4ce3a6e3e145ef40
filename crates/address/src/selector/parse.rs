//! The parts of a selector.

use readstone_base::Span;

use super::{Mode, Parsed, Select, Selector, Slice};
use crate::error::Problem;

/// One selector holds at most this many ranges.
const MOST_RANGES: usize = 1_000;

/// A name, which may hold colons, and perhaps a mode behind it.
pub(super) fn symbol_of(text: &str) -> Parsed<Selector> {
    let (name, mode) = match text.rsplit_once(':') {
        // `Type::raw` is a method and no mode.
        Some((name, word)) if !name.ends_with(':') => match Mode::parse(word) {
            Some(mode) => (name, mode),
            None => (text, Mode::Plain),
        },
        _ => (text, Mode::Plain),
    };
    if name.trim().is_empty() {
        return Err((format!("@{text}"), Problem::NoName));
    }
    Ok(Selector { select: Select::Symbol(name.to_owned()), mode })
}

/// `^N` is the innermost block around line N, `^^N` the one around that.
pub(super) fn block_of(part: &str) -> Parsed<Select> {
    let line = part.trim_start_matches('^');
    let level = (part.len() - line.len()) as u64;
    match number_in(part, line.strip_prefix('L').unwrap_or(line))? {
        0 => Err((part.to_owned(), Problem::Zero)),
        line => Ok(Select::Block { line, level }),
    }
}

pub(super) fn list_of(part: &str) -> Parsed<Select> {
    let (mut slices, mut lines) = (Vec::new(), Vec::new());
    // A comma at the end marks a list of one range, which is shown without context.
    for item in part.strip_suffix(',').unwrap_or(part).split(',') {
        if slices.len() + lines.len() == MOST_RANGES {
            return Err((part.to_owned(), Problem::TooMany));
        }
        match item.strip_prefix('=') {
            Some(slice) => slices.push(slice_of(item, slice)?),
            // In a list a lone number is one line: `5,9` shows two lines, not two open ends.
            None if is_number(item.trim_start_matches('L')) => {
                let line = lines_of(item)?.first;
                lines.push(Span::new(line, line));
            }
            None => lines.push(lines_of(item)?),
        }
    }
    let lines = Span::merge(lines);
    Ok(if slices.is_empty() { Select::Many(lines) } else { Select::Rest { slices, lines } })
}

fn slice_of(item: &str, slice: &str) -> Parsed<Slice> {
    let (start, count) = match slice.split_once('+') {
        Some((start, count)) => (start, Some(number_in(item, count)?)),
        None => (slice.strip_suffix('-').unwrap_or(slice), None),
    };
    if count == Some(0) {
        return Err((item.to_owned(), Problem::NoCount));
    }
    Ok(Slice { start: number_in(item, start)?, count })
}

pub(super) fn window_of(part: &str, window: &str) -> Parsed<Select> {
    let (start, bytes) = match window.split_once(['+', '-']) {
        None => (number_in(part, window)?, None),
        Some((start, "")) if window.ends_with('-') => (number_in(part, start)?, None),
        Some((start, second)) => {
            let (start, second) = (number_in(part, start)?, number_in(part, second)?);
            let counted = window.contains('+');
            if !counted && second < start {
                return Err((part.to_owned(), Problem::Backwards));
            }
            (start, Some(if counted { second } else { Span::new(start, second).count() }))
        }
    };
    if bytes == Some(0) {
        return Err((part.to_owned(), Problem::NoCount));
    }
    Ok(Select::Window { start, bytes })
}

/// `N`, `N-`, `A-B`, `A..B`, `A+C`, each number with or without an `L`.
pub(super) fn lines_of(part: &str) -> Parsed<Span> {
    let line = |text: &str| number_in(part, text.strip_prefix('L').unwrap_or(text));
    let (first, last) = if let Some((first, count)) = part.split_once('+') {
        let (first, count) = (line(first)?, line(count)?);
        if count == 0 {
            return Err((part.to_owned(), Problem::NoCount));
        }
        (first, first.saturating_add(count - 1).min(u64::MAX - 1))
    } else if let Some((first, last)) = part.split_once("..").or_else(|| part.split_once('-')) {
        (line(first)?, if last.is_empty() { u64::MAX } else { line(last)?.min(u64::MAX - 1) })
    } else {
        (line(part)?, u64::MAX)
    };
    if first == 0 {
        return Err((part.to_owned(), Problem::Zero));
    }
    if last < first {
        return Err((part.to_owned(), Problem::Backwards));
    }
    Ok(Span::new(first, last))
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn number(text: &str) -> Parsed<u64> {
    number_in(text, text)
}

pub(super) fn number_in(part: &str, text: &str) -> Parsed<u64> {
    if !is_number(text) {
        return Err((part.to_owned(), Problem::Unknown));
    }
    text.parse().map_err(|_| (part.to_owned(), Problem::TooLarge))
}
