//! Sizes in few characters.

/// A size in the unit that suits it.
pub fn size_text(count: u64) -> String {
    let mut text = String::new();
    push_size(&mut text, count);
    text
}

/// Adds a size in the unit that suits it. A listing has thousands, so nothing is allocated for one.
pub fn push_size(text: &mut String, count: u64) {
    const UNITS: [&str; 6] = ["KB", "MB", "GB", "TB", "PB", "EB"];
    if count < 1024 {
        push_number(text, count);
        text.push_str(" B");
        return;
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
    let tenths = u64::try_from(tenths).unwrap_or(u64::MAX);
    push_number(text, tenths / 10);
    text.push('.');
    push_number(text, tenths % 10);
    text.push(' ');
    text.push_str(unit.unwrap_or(&"EB"));
}

/// Adds a number in decimal digits.
pub fn push_number(text: &mut String, number: u64) {
    const MOST_DIGITS: usize = 20;
    let mut digits = [b'0'; MOST_DIGITS];
    let (mut rest, mut start) = (number, MOST_DIGITS);
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit += u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        start = at;
        if rest == 0 {
            break;
        }
    }
    text.extend(digits.iter().skip(start).map(|digit| char::from(*digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        for number in [0, 1, 9, 10, 99, 100, 1_023, 4_294_967_296, u64::MAX - 1, u64::MAX] {
            let mut text = String::from("=");
            push_number(&mut text, number);
            assert_eq!(text, format!("={number}"));
        }
    }

    #[test]
    fn sizes_have_the_unit_that_suits_them() {
        let sizes = [(0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KB"), (1_536, "1.5 KB"), (1_048_575, "1023.9 KB")];
        for (size, text) in sizes.into_iter().chain([(1 << 20, "1.0 MB"), (u64::MAX, "15.9 EB")]) {
            assert_eq!(size_text(size), text);
        }
    }
}
