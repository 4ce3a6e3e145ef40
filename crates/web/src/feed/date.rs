//! Dates of feeds and interfaces in the one form that sorts.

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// The names of zones that mail knows, and their hours from Greenwich.
const ZONES: [(&str, i8); 13] = [
    ("GMT", 0),
    ("UT", 0),
    ("UTC", 0),
    ("Z", 0),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
    ("CET", 1),
];

/// A date in ISO form where it can be read, otherwise on one line as it is given.
pub(crate) fn iso(given: &str) -> String {
    let given: String = given.split_whitespace().take(12).collect::<Vec<_>>().join(" ").chars().take(60).collect();
    mail(&given).unwrap_or(given)
}

/// A date as mail writes it: `Mon, 06 Sep 2010 00:01:00 +0200`.
fn mail(given: &str) -> Option<String> {
    let rest = given.split_once(',').map_or(given, |(_, after)| after);
    let mut words = rest.split([' ', '-']).filter(|word| !word.is_empty());
    let day: u8 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let name = words.next()?.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|known| *known == name)? + 1;
    let year = words.next()?;
    let number: u32 = year.parse().ok()?;
    let number = match year.len() {
        2 if number < 50 => 2000 + number,
        2 => 1900 + number,
        4 => number,
        _ => return None,
    };
    let date = format!("{number:04}-{month:02}-{day:02}");
    let Some(time) = words.next() else { return Some(date) };
    let mut parts = time.split(':').map(|part| part.parse::<u8>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // The sign of a zone was taken for a blank above, so the zone is what stands behind the time.
    let behind = given.split_once(time)?.1.trim();
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}{}", zone(behind)?))
}

fn zone(word: &str) -> Option<String> {
    if word.is_empty() {
        return Some(String::new());
    }
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return Some(if *hours == 0 { "Z".to_owned() } else { format!("{hours:+03}:00") });
    }
    let digits: String = word.chars().skip(1).filter(char::is_ascii_digit).collect();
    let sign = word.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
    let (hours, minutes) = digits.split_at_checked(2).filter(|(_, minutes)| minutes.len() == 2)?;
    Some(if digits == "0000" { "Z".to_owned() } else { format!("{sign}{hours}:{minutes}") })
}

/// Seconds since 1970 in ISO form.
pub(crate) fn of_seconds(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years begin in March here, so that the day that comes and goes is the last of its year.
    let shifted = days.saturating_add(719_468);
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * part + 2) / 5 + 1;
    let month = if part < 10 { part + 3 } else { part - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::{iso, of_seconds};

    #[test]
    fn dates_of_mail_become_iso() {
        for (given, wanted) in [
            ("Mon, 06 Sep 2010 00:01:00 +0000", "2010-09-06T00:01:00Z"),
            ("6 Sep 10 7:08 EST", "2010-09-06T07:08:00-05:00"),
            ("Tue, 31 Dec 1999 23:59:59 -0330", "1999-12-31T23:59:59-03:30"),
            ("Wed,  1 January 2025\n 10:00:00 GMT", "2025-01-01T10:00:00Z"),
            ("Sat, 02 Mar 2019 10:00:00 +05:30", "2019-03-02T10:00:00+05:30"),
            ("02 Mar 2019", "2019-03-02"),
        ] {
            assert_eq!(iso(given), wanted, "{given}");
        }
    }

    #[test]
    fn other_dates_stay_as_given_on_one_line() {
        for given in
            ["2024-05-06T07:08:09.123Z", "2024-05-06", "gestern", "99 Sep 2010", "Mon, 06 Sep 2010 25:00:00 GMT"]
        {
            assert_eq!(iso(given), given);
        }
        assert_eq!(iso(" a\nb "), "a b");
    }

    #[test]
    fn seconds_become_dates() {
        assert_eq!(of_seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(of_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(of_seconds(1_704_067_199), "2023-12-31T23:59:59Z");
        assert!(!of_seconds(i64::MAX / 2).is_empty());
    }
}
