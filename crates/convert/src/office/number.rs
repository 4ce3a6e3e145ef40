//! Numbers as cells show them: plain, by a format, as dates and as times.
//!
//! Repair of `office_oxide`: a number comes without its format: `7` for `007`, `0.5` for
//! `12:00:00`. The formats are read in `pattern.rs` and laid out in `places.rs`. Shown by:
//! `fault_formats_of_numbers_are_ignored`, `tests/all/office/formats.rs`.

use std::collections::HashMap;
use std::fmt::Write as _;

use office_oxide::xlsx::date::{self, DateTimeValue};

use super::pattern::Pattern;

/// Adds a number with the fifteen digits that a workbook keeps of it.
pub(super) fn push(out: &mut String, number: f64) {
    let start = out.len();
    let number = if number == 0.0 { 0.0 } else { number };
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    // Writing to a text cannot fail.
    let _ = if whole { write!(out, "{number:.0}") } else { write!(out, "{number}") };
    if whole || out.len() - start <= 16 {
        return;
    }
    out.truncate(start);
    let rounded = format!("{number:.14e}").parse::<f64>().unwrap_or(number);
    let size = rounded.abs();
    let _ = if (1e-5..1e21).contains(&size) { write!(out, "{rounded}") } else { write!(out, "{rounded:E}") };
}

/// Adds a time of the day, or a span of time, of which a whole number is a day.
fn push_time(out: &mut String, days: f64) {
    let millis = (days.abs() * DAY).round();
    if millis >= 1e15 {
        push(out, days);
        return;
    }
    out.push_str(if days < 0.0 { "-" } else { "" });
    push_clock(out, millis);
}

/// Milliseconds of a day.
const DAY: f64 = 86_400_000.0;

/// Adds hours, minutes and seconds; and milliseconds, where there are some.
fn push_clock(out: &mut String, millis: f64) {
    let (seconds, millis) = ((millis / 1000.0).floor(), millis % 1000.0);
    let (hours, rest) = ((seconds / 3600.0).floor(), seconds % 3600.0);
    let (minutes, seconds) = ((rest / 60.0).floor(), rest % 60.0);
    // Writing to a text cannot fail.
    let _ = write!(out, "{hours:02.0}:{minutes:02.0}:{seconds:02.0}");
    if millis > 0.0 {
        let _ = write!(out, ".{millis:03.0}");
    }
}

/// Adds a date, and its time unless that is midnight. A moment before midnight is not yet the next day.
///
/// Repair of `office_oxide`: it rounds a moment before midnight to the next day. Shown by:
/// `fault_a_moment_before_midnight_is_the_next_day`, `tests/all/office/sheets.rs`.
fn push_moment(out: &mut String, value: f64, epoch: Epoch) {
    let millis = (value * DAY).round();
    let (day, rest) = ((millis / DAY).floor(), millis.rem_euclid(DAY));
    match DateTimeValue::from_serial(day, epoch == Epoch::Of1904).filter(|_| value >= 0.0) {
        Some(date) => out.push_str(&date.to_iso_string()),
        None => return push(out, value),
    }
    if rest > 0.0 {
        out.push(' ');
        push_clock(out, rest);
    }
}

/// How the numbers of a format are shown.
enum Rule {
    Plain,
    /// As a date, with a time where there is one.
    Date,
    /// As a time of the day; with its date where it has one, because a time alone would hide it.
    Time,
    /// As hours that are not counted by days.
    Span,
    Pattern(Pattern),
}

/// The first day of a workbook, by which it counts the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Epoch {
    Of1900,
    Of1904,
}

/// The formats of a workbook by their numbers.
pub(super) struct Formats {
    rules: HashMap<u32, Rule>,
    epoch: Epoch,
}

impl Formats {
    /// The formats that cells use: each with its number, and with its code where the workbook has one.
    pub(super) fn new<'a>(epoch: Epoch, used: impl Iterator<Item = (u32, Option<&'a str>)>) -> Self {
        let mut rules = HashMap::new();
        for (format, code) in used {
            rules.entry(format).or_insert_with(|| rule(format, code));
        }
        Self { rules, epoch }
    }

    /// Adds a number as its format shows it.
    pub(super) fn push(&self, out: &mut String, format: u32, value: f64) {
        match self.rules.get(&format).unwrap_or(&Rule::Plain) {
            Rule::Plain => push(out, value),
            Rule::Span => push_time(out, value),
            Rule::Time if value < 1.0 => push_time(out, value),
            Rule::Date | Rule::Time => push_moment(out, value, self.epoch),
            Rule::Pattern(pattern) => match pattern.show(value).filter(|_| value.is_finite()) {
                Some(text) => out.push_str(&text),
                None => push(out, value),
            },
        }
    }
}

fn rule(format: u32, code: Option<&str>) -> Rule {
    let Some(code) = code else {
        return match format {
            18..=21 | 45 | 47 => Rule::Time,
            46 => Rule::Span,
            format if date::is_date_format_id(format) => Rule::Date,
            format => built_in(format).and_then(Pattern::read).map_or(Rule::Plain, Rule::Pattern),
        };
    };
    let letters = letters(code);
    // Spans are written as `[h]`; what else stands in brackets is a colour, a condition or a country.
    if letters.spans {
        Rule::Span
    } else if !date::is_date_format_string(code) {
        Pattern::read(code).map_or(Rule::Plain, Rule::Pattern)
    } else if letters.bare.contains(['h', 's']) && !letters.bare.contains(['y', 'd']) {
        Rule::Time
    } else {
        Rule::Date
    }
}

/// The codes of the formats that a workbook need not have.
fn built_in(format: u32) -> Option<&'static str> {
    Some(match format {
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        5 | 6 => "$#,##0;($#,##0)",
        7 | 8 => "$#,##0.00;($#,##0.00)",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        37 | 38 => "#,##0;(#,##0)",
        39 | 40 => "#,##0.00;(#,##0.00)",
        41 => "#,##0;(#,##0);\"-\"",
        42 => "$#,##0;($#,##0);$\"-\"",
        43 => "#,##0.00;(#,##0.00);\"-\"",
        44 => "$#,##0.00;($#,##0.00);$\"-\"",
        48 => "##0.0E+0",
        _ => return None,
    })
}

struct Letters {
    bare: String,
    spans: bool,
}

/// The letters of the first part of a code that stand for something.
fn letters(code: &str) -> Letters {
    let mut found = Letters { bare: String::new(), spans: false };
    let mut signs = code.chars().map(|sign| sign.to_ascii_lowercase());
    while let Some(sign) = signs.next() {
        match sign {
            ';' => break,
            '\\' | '_' | '*' => {
                signs.next();
            }
            '"' => while signs.next().is_some_and(|sign| sign != '"') {},
            '[' => {
                let inside: String = signs.by_ref().take_while(|&sign| sign != ']').collect();
                let first = inside.chars().next().filter(|first| matches!(first, 'h' | 'm' | 's'));
                found.spans |= first.is_some_and(|first| inside.chars().all(|sign| sign == first));
            }
            sign => found.bare.push(sign),
        }
    }
    found
}
