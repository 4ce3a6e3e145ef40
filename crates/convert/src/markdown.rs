//! Markdown as every conversion writes it.

/// Text as a cell of a table: on one line, with its bars escaped.
pub(crate) fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.trim().lines().enumerate() {
        if index > 0 {
            out.push_str("<br>");
        }
        push_cell_line(&mut out, line.trim());
    }
    out
}

fn push_cell_line(out: &mut String, line: &str) {
    let mut escaped = false;
    for sign in line.chars() {
        // A bar that is escaped already stays so.
        if sign == '|' && !escaped {
            out.push('\\');
        }
        escaped = sign == '\\' && !escaped;
        out.push(sign);
    }
    // A backslash at the end would escape the bar behind the cell.
    if escaped {
        out.push('\\');
    }
}

/// Adds a row of a table; the cells are escaped already.
pub(crate) fn push_row<S: AsRef<str>>(out: &mut String, cells: &[S]) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(cell.as_ref());
        out.push_str(" |");
    }
    out.push('\n');
}

/// Adds the line between the head of a table and its rows.
pub(crate) fn push_rule(out: &mut String, columns: usize) {
    out.push('|');
    for _ in 0..columns {
        out.push_str(" --- |");
    }
    out.push('\n');
}

/// A number in small Roman numerals, or in digits where there is none.
#[cfg(any(feature = "office", feature = "open", feature = "rtf"))]
pub(crate) fn roman(number: u64) -> String {
    const SIGNS: [(u64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..4000).contains(&number) {
        return number.to_string();
    }
    let mut left = number;
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    out
}
