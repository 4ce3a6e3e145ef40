//! Values of a table in characters: exact where they are shown whole, marked where they are not.

use std::fmt::Write as _;

use readstone_base::{Visible, size_text};
use readstone_source::Value;

/// A value as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Its characters.
    pub(crate) text: String,
    /// How many of its bytes are left out; 0 when it is whole.
    pub(crate) left: u64,
}

/// Blobs up to so many bytes are written out.
const SHORT_BLOB: usize = 8;

/// A value in one line of at most `most` characters, fit to stand between bars.
pub(crate) fn in_cell(value: &Value, most: usize) -> Shown {
    match value {
        Value::Text { head, length } | Value::Bare { head, length } => {
            let text = visible(head, *length, Breaks::Spelled);
            cut(&quoted(value, text), most, *length, head.len() as u64)
        }
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob { .. } => plain(value),
    }
}

/// A value in lines, of at most `most` characters in all.
pub(crate) fn in_lines(value: &Value, most: usize) -> (Vec<String>, u64) {
    let (Value::Text { head, length } | Value::Bare { head, length }) = value else {
        let shown = plain(value);
        return (vec![shown.text], shown.left);
    };
    let text = visible(head, *length, Breaks::Kept);
    let one_line = !text.contains('\n');
    let text = if one_line { quoted(value, text) } else { text };
    let shown = cut(&text, most, *length, head.len() as u64);
    let left = shown.left;
    let shown = shown.text;
    (shown.split('\n').map(str::to_owned).collect(), left)
}

/// Adds a number to a text, as it is shown; of another value nothing is added.
pub fn push_number(text: &mut String, value: &Value) {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Integer(number) => write!(text, "{number}"),
        Value::Real(number) if number.is_infinite() => text.write_str(if *number > 0.0 { "Inf" } else { "-Inf" }),
        Value::Real(number) => write!(text, "{number:?}"),
        Value::Null | Value::Text { .. } | Value::Bare { .. } | Value::Blob { .. } => Ok(()),
    };
}

fn plain(value: &Value) -> Shown {
    let (text, left) = match value {
        Value::Null => ("NULL".to_owned(), 0),
        Value::Integer(_) | Value::Real(_) => {
            let mut number = String::new();
            push_number(&mut number, value);
            (number, 0)
        }
        Value::Blob { head, length } if *length == head.len() as u64 && head.len() <= SHORT_BLOB => {
            let hex = head.iter().fold(String::new(), |mut hex, byte| {
                // Writing to a String cannot fail.
                let _ = write!(hex, "{byte:02X}");
                hex
            });
            (format!("x'{hex}'"), 0)
        }
        Value::Blob { length, .. } => (format!("<blob {}>", size_text(*length)), *length),
        Value::Text { .. } | Value::Bare { .. } => (String::new(), 0),
    };
    Shown { text, left }
}

/// What becomes of what would break a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaks {
    /// It is spelled out: the text stands between bars.
    Spelled,
    /// It stays.
    Kept,
}

/// Text with everything spelled out that could do something to its surroundings, and so that no two texts look the same.
fn visible(head: &[u8], length: u64, breaks: Breaks) -> String {
    let whole = head.len() as u64 == length;
    let mut shown = String::with_capacity(head.len());
    let mut chunks = head.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        push_spelled(&mut shown, chunk.valid(), breaks);
        // A character may have been cut where the head ends.
        if chunks.peek().is_some() || whole {
            for byte in chunk.invalid() {
                let _ = write!(shown, "\\x{byte:02x}");
            }
        }
    }
    shown
}

fn push_spelled(shown: &mut String, text: &str, breaks: Breaks) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' if breaks == Breaks::Kept => shown.push(character),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '|' if breaks == Breaks::Spelled => shown.push_str("\\|"),
            // A backslash is doubled where it would read as one of ours.
            '\\' if matches!(characters.peek(), Some('n' | 'r' | 't' | 'x' | 'u' | '|' | '\\')) => {
                shown.push_str("\\\\");
            }
            ' '..='~' => shown.push(character),
            '\0'..='\u{9F}' => {
                let _ = write!(shown, "\\x{:02x}", u32::from(character));
            }
            _ if is_hidden(character) => {
                let _ = write!(shown, "\\u{{{:04X}}}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
}

/// Whether a character turns, hides or joins others.
fn is_hidden(character: char) -> bool {
    let mut buffer = [0; 4];
    Visible::of(character.encode_utf8(&mut buffer)).marks != readstone_base::Marks::default()
}

/// Text as it stands, or between quotes where it would read as something else.
fn quoted(value: &Value, text: String) -> String {
    let among_others = !matches!(value, Value::Bare { .. });
    let number = text.parse::<f64>().is_ok() || text.is_empty();
    let edges = text.trim() != text;
    let cut = text.ends_with(')') && text.contains("… (");
    let other = matches!(text.as_str(), "NULL" | "|") || text.starts_with(['\'', '<']) || text.starts_with("x'") || cut;
    if number && among_others || edges || other { format!("'{}'", text.replace('\'', "''")) } else { text }
}

/// The text within `most` characters, with its size where it does not fit.
fn cut(text: &str, most: usize, length: u64, held: u64) -> Shown {
    if held == length && text.chars().nth(most).is_none() {
        return Shown { text: text.to_owned(), left: 0 };
    }
    let mark = format!("… ({})", size_text(length));
    let room = most.saturating_sub(mark.chars().count()).max(1);
    let mut shown: String = text.chars().take(room).collect();
    let left = length.saturating_sub(shown.len() as u64).max(1);
    shown.push_str(&mark);
    Shown { text: shown, left }
}
