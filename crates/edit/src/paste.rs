//! Pasted rows are lines that still carry the numbers that `read` gave them.

use readstone_base::Tag;

/// A pasted reply without its header and the numbers of its lines.
#[derive(Debug, PartialEq, Eq)]
pub struct Pasted {
    /// The path in the header.
    pub path: String,
    /// The text.
    pub text: String,
    /// How many lines had a number.
    pub lines: u64,
    /// The remark that it was a part of a file.
    pub part: Option<String>,
}

/// Takes away the header of a pasted reply and the numbers of its lines.
///
/// Nothing unless it is certain: the first line is a header `¶PATH#TAG` that `minted` knows, and every line behind it
/// is `NUMBER:TEXT`; only the last may instead be the remark in brackets with which a reply ends. Line ends stay.
pub fn unpasted(content: &str, minted: &dyn Fn(&str, Tag) -> bool) -> Option<Pasted> {
    let (header, rest) = content.split_once('\n')?;
    let (path, tag) = header.strip_suffix('\r').unwrap_or(header).strip_prefix('¶')?.rsplit_once('#')?;
    if path.is_empty() || !minted(path, tag.parse().ok()?) {
        return None;
    }
    let mut pasted = Pasted { path: path.to_owned(), text: String::with_capacity(rest.len()), lines: 0, part: None };
    let mut rows = rest.split_inclusive('\n').peekable();
    while let Some(row) = rows.next() {
        let Some(line) = numbered(row) else {
            let remark = remark(row).filter(|_| rows.peek().is_none() && pasted.lines > 0)?;
            pasted.part = is_of_part(remark).then(|| remark.to_owned());
            break;
        };
        pasted.text.push_str(line);
        pasted.lines += 1;
    }
    (pasted.lines > 0).then_some(pasted)
}

/// What stands behind the number of a row.
fn numbered(row: &str) -> Option<&str> {
    let (number, text) = row.split_once(':')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    digits.then_some(text)
}

/// What replies remark of whole files.
const REMARKS: [&str; 4] = ["no newline at the end", "line ends", "decoded from ", " shown as "];

/// The remark with which a reply ends, such as `[decoded from utf-16le]`; other text in brackets is text.
fn remark(row: &str) -> Option<&str> {
    let remark = row.trim_end();
    let words = remark.strip_prefix('[')?.strip_suffix(']')?;
    (is_of_part(remark) || REMARKS.iter().any(|known| words.contains(known))).then_some(remark)
}

/// `[lines 1-2 of 310; next: read a.ts:3-]`
fn is_of_part(remark: &str) -> bool {
    let lines = remark.strip_prefix("[lines ").or_else(|| remark.strip_prefix("[line "));
    let counted = lines.and_then(|lines| lines.split_once(" of ")).is_some_and(|(numbers, _)| {
        numbers.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b',' | b' '))
    });
    counted || remark.contains("next: ")
}
