//! The marks of list items.
//!
//! Repair of `office_oxide`: letters and Roman numerals of list items come as numbers. Shown by:
//! `fault_letters_of_items_become_numbers`, `tests/all/office/flow.rs`.

use office_oxide::ir::{List, ListStyle};

use crate::markdown::roman;

/// The mark of the item whose number is last in `counters`.
pub(super) fn of(list: &List, counters: &[u64]) -> String {
    if !list.ordered {
        return "-".to_owned();
    }
    let number = counters.last().copied().unwrap_or(1);
    let own = numeral(list.style.as_ref(), number);
    match list.marker_pattern.as_deref() {
        Some(pattern) if pattern.contains('%') && pattern.len() <= 40 => filled(pattern, &own, counters),
        Some(_) | None => format!("{own}."),
    }
}

/// A pattern such as `%1.%2.` with its numbers.
fn filled(pattern: &str, own: &str, counters: &[u64]) -> String {
    let mut out = String::new();
    let mut signs = pattern.trim().chars();
    while let Some(sign) = signs.next() {
        let level = if sign == '%' { signs.clone().next().and_then(|digit| digit.to_digit(10)) } else { None };
        let Some(level) = level else {
            out.push(sign);
            continue;
        };
        signs.next();
        // The innermost level of a pattern is the item itself, however deep the list begins.
        let level = usize::try_from(level).unwrap_or(1);
        match counters.get(level.saturating_sub(1)) {
            Some(number) if level < counters.len() => out.push_str(&number.to_string()),
            Some(_) | None => out.push_str(own),
        }
    }
    if out.trim().is_empty() { format!("{own}.") } else { out }
}

fn numeral(style: Option<&ListStyle>, number: u64) -> String {
    match style {
        Some(ListStyle::LowerAlpha) => letters(number, b'a'),
        Some(ListStyle::UpperAlpha) => letters(number, b'A'),
        Some(ListStyle::LowerRoman) => roman(number),
        Some(ListStyle::UpperRoman) => roman(number).to_uppercase(),
        Some(ListStyle::Bullet | ListStyle::Decimal | ListStyle::Dash | ListStyle::Square | ListStyle::Circle)
        | None => number.to_string(),
    }
}

/// `a` to `z`, then `aa` to `zz` as word processors count them.
fn letters(number: u64, first: u8) -> String {
    if number == 0 || number > 780 {
        return number.to_string();
    }
    let place = u8::try_from((number - 1) % 26).unwrap_or(0);
    let times = usize::try_from((number - 1) / 26 + 1).unwrap_or(1);
    std::iter::repeat_n(char::from(first + place), times).collect()
}
