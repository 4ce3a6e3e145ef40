//! Sizes in few characters.

/// A size in the unit that suits it.
pub fn size_text(count: u64) -> String {
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
