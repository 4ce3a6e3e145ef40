//! Ages, dates and counts in few characters.

use readstone_base::push_number;

/// Adds an age in the largest unit that gives a number.
pub(crate) fn push_age(text: &mut String, seconds: i64) {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    const YEAR: i64 = 365 * DAY;
    let (number, unit) = match seconds {
        ..0 => return text.push_str("in the future"),
        0..MINUTE => (seconds, 's'),
        MINUTE..HOUR => (seconds / MINUTE, 'm'),
        HOUR..DAY => (seconds / HOUR, 'h'),
        DAY..YEAR => (seconds / DAY, 'd'),
        YEAR.. => (seconds / YEAR, 'y'),
    };
    push_number(text, number.unsigned_abs());
    text.push(unit);
}

/// A number with its noun, where the plural is a word of its own.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number with its noun, in the plural where it is not one.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A moment as a date and a time of day.
pub(crate) fn date(seconds: i64) -> String {
    const DAY: i64 = 86_400;
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", second / 3_600, second / 60 % 60)
}

/// The date so many days after 1970-01-01, counted in years that begin in March so that leap days come last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}
