//! Sizes and ages in few characters.

/// A size in the unit that suits it.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 6] = ["KB", "MB", "GB", "TB", "PB", "EB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut tenths = u128::from(count) * 10 / 1024;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while tenths >= 10_240 {
        let Some(larger) = units.next() else {
            break;
        };
        tenths /= 1024;
        unit = Some(larger);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, unit.unwrap_or(&"EB"))
}

/// An age in the largest unit that gives a number.
pub(crate) fn age(seconds: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    const YEAR: i64 = 365 * DAY;
    match seconds {
        ..0 => "in the future".to_owned(),
        0..MINUTE => format!("{seconds}s"),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        DAY..YEAR => format!("{}d", seconds / DAY),
        YEAR.. => format!("{}y", seconds / YEAR),
    }
}

/// A number with its noun, in the plural where it is not one.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
