//! Numbers as a cell without a format shows them, and times.

use std::fmt::Write as _;

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
pub(super) fn push_time(out: &mut String, days: f64) {
    let seconds = (days.abs() * 86_400.0).round();
    // Writing to a text cannot fail.
    if seconds >= 1e15 {
        let _ = write!(out, "{days}");
        return;
    }
    let sign = if days < 0.0 { "-" } else { "" };
    let (hours, rest) = ((seconds / 3600.0).floor(), seconds % 3600.0);
    let (minutes, seconds) = ((rest / 60.0).floor(), rest % 60.0);
    let _ = write!(out, "{sign}{hours:02.0}:{minutes:02.0}:{seconds:02.0}");
}

/// Whether a format has hours, minutes or seconds and neither days nor years.
pub(super) fn is_time_code(code: &str) -> bool {
    let mut quoted = false;
    let mut letters = String::new();
    for sign in code.split(';').next().unwrap_or_default().chars() {
        if sign == '"' {
            quoted = !quoted;
        } else if !quoted {
            letters.push(sign.to_ascii_lowercase());
        }
    }
    // Spans are written as `[h]`; what else stands in brackets is a colour or a country.
    let spans = ["[h", "[m", "[s"].iter().any(|span| letters.contains(span));
    let mut bare = String::new();
    let mut depth = 0_u32;
    for sign in letters.chars() {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            sign if depth == 0 => bare.push(sign),
            _ => {}
        }
    }
    spans || (bare.contains(['h', 's']) && !bare.contains(['y', 'd']))
}
