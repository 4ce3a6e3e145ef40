//! Pasted rows are lines that still carry the numbers that `read` gave them.

use readstone_base::Tag;

/// The lines of a pasted reply without its header and their numbers, and how many lines had one.
///
/// Nothing unless it is certain: the first line is a header `¶PATH#TAG` that `minted` knows, and every line behind it
/// is `NUMBER:TEXT`; only the last may instead be the remark in brackets with which a reply ends. Line ends stay.
pub fn unpasted(content: &str, minted: &dyn Fn(&str, Tag) -> bool) -> Option<(String, u64)> {
    let (header, rest) = content.split_once('\n')?;
    let (path, tag) = header.strip_suffix('\r').unwrap_or(header).strip_prefix('¶')?.rsplit_once('#')?;
    if path.is_empty() || !minted(path, tag.parse().ok()?) {
        return None;
    }
    let mut text = String::with_capacity(rest.len());
    let mut lines = 0;
    let mut rows = rest.split_inclusive('\n').peekable();
    while let Some(row) = rows.next() {
        match numbered(row) {
            Some(line) => text.push_str(line),
            None if rows.peek().is_none() && is_remark(row) && lines > 0 => break,
            None => return None,
        }
        lines += 1;
    }
    (lines > 0).then_some((text, lines))
}

/// What stands behind the number of a row.
fn numbered(row: &str) -> Option<&str> {
    let (number, text) = row.split_once(':')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    digits.then_some(text)
}

/// `[lines 1-2 of 310; next: read a.ts:3-]`
fn is_remark(row: &str) -> bool {
    let row = row.trim_end();
    row.starts_with('[') && row.ends_with(']')
}
